"""The real terminal takes a note from each byte-level acceptor, and the dialogue is cut at each step while the device's
last message is whole, lost, damaged or doubled: exactly one credit, or the note back, or a fault with a name."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.entries.types import NoteReturned, NoteUnresolved
from hal.emulators.base import Emulator
from hal.emulators.cctalk_note import CctalkBillValidator
from hal.emulators.id003 import Id003Acceptor
from hal.emulators.note_path import NotePath
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_note import NoteStation
from hal.wire.id003_host import Id003Host
from hal.wire.session import Session
from tests.hal.contract.note_line_rigs import NOTE_LINES
from tests.hal.drivers.cuts import MESSAGES
from tests.support.cabinet import settings_for
from tests.support.wired_cabinet import SerialLine, WiredCabinet

NOTE_MINOR = 2_000
SETTLE_MS = 9_000

Line = tuple[Callable[[], Emulator], Callable[[], Session]]


def cctalk() -> Session:
    return CctalkBus([NoteStation("notes", "EU")])


LINES: dict[str, Line] = {
    **NOTE_LINES,
    "id003": (Id003Acceptor, lambda: Id003Host("notes", "EUR")),
    "id003, forgets": (lambda: Id003Acceptor(recovers_credit=False), lambda: Id003Host("notes", "EUR")),
    "cctalk": (CctalkBillValidator, cctalk),
    "cctalk, counter after power-up": (lambda: CctalkBillValidator(after_power_up="counter"), cctalk),
    "cctalk, no word after power-up": (lambda: CctalkBillValidator(after_power_up="nothing"), cctalk),
}


class Bench:
    """A cabinet with a note acceptor into which a note is pushed."""

    def __init__(self, folder: Path, name: str) -> None:
        device, session = LINES[name]
        self.line = SerialLine("notes", device(), session)
        self.cabinet = WiredCabinet(settings_for(folder), self.line)
        self.cabinet.boot()
        for _ in range(100):
            if "notes" in self.cabinet.terminal.state.screen.ready:
                break
            self.cabinet.wait(100)
        self.cabinet.wait(500)
        self.line.do(f"insert_note {NOTE_MINOR}")

    @property
    def path(self) -> NotePath:
        """The acceptor's inside."""
        path = self.line.device.path  # type: ignore[attr-defined]
        assert isinstance(path, NotePath)
        return path

    def verdict(self) -> str:
        """What became of the note; raises AssertionError if that is not the truth."""
        cabinet, path, recorded = self.cabinet, self.path, self.cabinet.terminal.state.recorded
        cabinet.books.check()
        credit, faults = cabinet.view.credit_minor, cabinet.fault_codes
        in_box, in_mouth = path.cash_box == [NOTE_MINOR], path.mouth == [NOTE_MINOR]
        assert in_box != in_mouth, f"the note is stuck: {path.place}"
        assert credit in (0, NOTE_MINOR), f"credited {credit}"
        assert recorded.note is None or faults, "the note stays in flight"
        if credit:
            assert in_box, "credited and given back"
            endings = [r.entry for r in cabinet.records() if isinstance(r.entry, NoteUnresolved | NoteReturned)]
            assert not endings, f"credited, and something else as well: {endings}"
            return "credited"
        if in_mouth:
            return "returned"
        assert faults, "in the cash box, not credited, and nobody is told"
        details = " ".join(fault.detail for fault in recorded.faults)
        assert str(NOTE_MINOR) in details or "journal" in details, details
        return "fault"


def moments(bench: Bench) -> list[int]:
    """The times, from the note's first touch on, around each message of the host until the credit is acknowledged."""
    found, begin_ms = set(), bench.cabinet.clock.monotonic_ms()
    left_ms = 700  # the credit's acknowledgement and what follows it
    while left_ms > 0:
        assert bench.line.port is not None
        before = len(bench.line.port.sent)
        bench.cabinet.wait(1)
        since_ms = bench.cabinet.clock.monotonic_ms() - begin_ms
        assert since_ms < 20_000
        if len(bench.line.port.sent) != before:
            found |= {since_ms - 1, since_ms + 6}
        if bench.cabinet.view.credit_minor:
            left_ms -= 1
    first_ms = 450  # the note is still being read: nothing is at stake before
    return sorted(moment_ms for moment_ms in found if moment_ms >= first_ms)


PROTOCOLS = ("ssp", "ccnet", "ebds", "id003", "cctalk", "cctalk, counter after power-up")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, kind) for name in LINES for kind in ("power", "program")),
        *((name, kind) for name in PROTOCOLS for kind in ("device", "line")),
    ],
)
def test_a_note_cut_anywhere_is_credited_once_or_returned_or_a_named_fault(
    tmp_path: Path, name: str, kind: str
) -> None:
    dry = Bench(tmp_path / "dry", name)
    steps = moments(dry)
    assert dry.verdict() == "credited"
    dry.cabinet.expect_faults()
    dry.cabinet.close()
    verdicts: Counter[str] = Counter()
    for number, moment_ms in enumerate(steps):
        message = MESSAGES[(number + number // len(MESSAGES)) % len(MESSAGES)]
        bench = Bench(tmp_path / str(number), name)
        bench.cabinet.wait(moment_ms)
        if message != "whole":
            bench.line.do(message)
        bench.cabinet.wait(12)
        bench.cabinet.cut(kind, bench.line)
        bench.cabinet.wait(SETTLE_MS)
        try:
            verdicts[bench.verdict()] += 1
        except AssertionError as error:
            where = f"cut after {moment_ms} ms, last message {message}"
            raise AssertionError(f"{where}: {error}; {bench.cabinet.terminal.state.recorded.faults}") from error
        bench.cabinet.close()
    assert verdicts["credited"]
