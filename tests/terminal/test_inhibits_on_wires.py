"""Byte-level acceptors take money exactly while the terminal does: door, credit limit, fault, menu, play; and they never
delay its start."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from display.view_model import Gesture
from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.emulators.note_path import NotePath
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation
from hal.wire.cctalk_hopper import HopperStation
from tests.support.cabinet import settings_for
from tests.support.wired_cabinet import SerialLine, WiredCabinet
from tests.terminal.test_note_cuts import LINES, PROTOCOLS

NOTE_MINOR, COIN_MINOR = 2_000, 100
MONEY_MS = 5_000
READY_MS = 8_000


class Bench:
    """A cabinet with a byte-level note acceptor and coin acceptor."""

    def __init__(self, folder: Path, protocol: str) -> None:
        device, session = LINES[protocol]
        self.coins = CctalkCoinAcceptor()
        self.notes_line = SerialLine("notes", device(), session)
        self.coins_line = SerialLine("coins", self.coins, lambda: CctalkBus([CoinStation("coins", "EU")]))
        found = settings_for(folder, credit_limit_minor=10_000)
        limits = found.limits.model_copy(update={"money_during_play": False})
        self.cabinet = WiredCabinet(found.model_copy(update={"limits": limits}), self.notes_line, self.coins_line)

    @property
    def path(self) -> NotePath:
        path = self.notes_line.device.path  # type: ignore[attr-defined]
        assert isinstance(path, NotePath)
        return path

    def takes(self) -> tuple[bool, bool]:
        """Try a note and a coin; returns whether each was taken. What was given back is taken out of the mouth."""
        notes, coins = len(self.path.cash_box), len(self.coins.accepted)
        self.notes_line.do(f"insert_note {NOTE_MINOR}")
        self.coins_line.do(f"insert_coin {COIN_MINOR}")
        self.cabinet.wait(MONEY_MS)
        taken = len(self.path.cash_box) > notes, len(self.coins.accepted) > coins
        assert taken[0] != (self.path.mouth == [NOTE_MINOR]), "it is in the box or in the mouth"
        self.path.mouth.clear()
        return taken


@pytest.fixture(params=PROTOCOLS)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, request.param)
    bench.cabinet.boot()
    bench.cabinet.wait(READY_MS)
    yield bench
    bench.cabinet.close()


def by_hand(act: Callable[[WiredCabinet], object]) -> Callable[[Bench], None]:
    def do(bench: Bench) -> None:
        act(bench.cabinet)
        bench.cabinet.wait(1_000)

    return do


def fill_up(bench: Bench) -> None:
    while bench.cabinet.view.credit_minor + NOTE_MINOR <= 10_000:
        before = bench.cabinet.view.credit_minor
        bench.notes_line.do(f"insert_note {NOTE_MINOR}")
        bench.cabinet.wait(MONEY_MS)
        assert bench.cabinet.view.credit_minor > before
    while bench.cabinet.view.credit_minor < 10_000:
        bench.coins_line.do("insert_coin 100")
        bench.cabinet.wait(1_000)


def play(bench: Bench) -> None:
    bench.cabinet.sit_down()
    bench.cabinet.bet(3, "ante", 100)
    bench.cabinet.lay("As 9c Ks 9d Qs 2s Js Jc Ts Kd 7s")
    bench.cabinet.press("deal")


def end_play(bench: Bench) -> None:
    bench.cabinet.press("fold")
    bench.cabinet.wait(10_000)


CAUSES: dict[str, tuple[Callable[[Bench], None], Callable[[Bench], None]]] = {
    "door": (
        by_hand(lambda cabinet: cabinet.world.open_door("main")),
        by_hand(lambda cabinet: cabinet.world.close_door("main")),
    ),
    "audit": (
        by_hand(lambda cabinet: cabinet.world.turn_key("operator")),
        by_hand(lambda cabinet: cabinet.world.turn_back_key("operator")),
    ),
    "play": (play, end_play),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_money_is_taken_before_and_after_and_refused_while_the_cause_lasts(bench: Bench, cause: str) -> None:
    begin, end = CAUSES[cause]
    assert bench.takes() == (True, True)
    begin(bench)
    assert bench.takes() == (False, False), cause
    end(bench)
    assert bench.takes() == (True, True)
    assert bench.cabinet.books.meter("notes_in_minor") == NOTE_MINOR * len(bench.path.cash_box)
    assert bench.cabinet.books.meter("coins_in_minor") == COIN_MINOR * len(bench.coins.accepted)


def test_a_full_credit_meter_takes_no_more_until_it_is_cashed_out(bench: Bench) -> None:
    fill_up(bench)
    assert bench.takes() == (False, False)
    bench.cabinet.expect_credit(10_000)
    bench.cabinet.terminal.handle(Gesture("button:cash_out"))
    bench.cabinet.wait(60_000)
    bench.cabinet.act(lambda world: world.turn_key("attendant"))
    bench.cabinet.act(lambda world: world.turn_back_key("attendant"))
    assert bench.takes() == (True, True)


def test_a_fault_of_one_acceptor_stops_the_money_of_both_until_it_is_seen_to(bench: Bench) -> None:
    bench.coins_line.do("report_code 20")  # a coin on a string
    bench.cabinet.wait(2_000)
    assert bench.cabinet.fault_codes
    assert bench.takes() == (False, False)
    bench.cabinet.wait(10_000)
    bench.cabinet.act(lambda world: world.turn_key("attendant"))
    bench.cabinet.act(lambda world: world.turn_back_key("attendant"))
    assert bench.takes() == (True, True)


def test_devices_that_never_answer_delay_neither_the_start_nor_the_screen(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "ssp")
    hopper = SerialLine("hopper", CctalkHopper(), lambda: CctalkBus([HopperStation("hopper", "EU", 100)]))
    cabinet = WiredCabinet(bench.cabinet.settings, bench.notes_line, bench.coins_line, hopper)
    for line in (bench.notes_line, bench.coins_line, hopper):
        line.do("silence 1000000")
    begin_ms = cabinet.clock.monotonic_ms()
    cabinet._start()
    assert cabinet.clock.monotonic_ms() == begin_ms, "nobody is waited for"
    cabinet.expect_mode("attract")
    cabinet.wait(30_000)
    cabinet.expect_faults("B6", "C4", "H5")
    cabinet.press("start")
    cabinet.expect_mode("lobby")
    cabinet.close()
