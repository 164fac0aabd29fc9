"""The contract on real devices: opt in with a cabinet's configuration, at the cabinet, with a note and a coin at hand.

``CROUPIER_HARDWARE=/etc/croupier/cabinet.toml ./croupier test -m hardware -s tests/hal/contract/test_real_hardware.py``

No money is kept: the note goes back from escrow, coins are only refused. What is asked of the person is printed.
"""

import os
import queue
import time
from collections.abc import Callable, Iterator

import pytest

from firmware.devices import wiring_of
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from hal.build import build_devices
from hal.events import CoinAccepted, DeviceEvent, DeviceReady, NoteEscrowed, NoteReturned, NoteStacked
from hal.interfaces import Devices
from hal.simulated.world import World

pytestmark = pytest.mark.hardware
READY_S = 20.0
PERSON_S = float(os.environ.get("CROUPIER_HARDWARE_PATIENCE_S", "60"))


def _build(settings: Settings) -> Devices:
    """The devices of the settings; what is simulated there stands in a world of its own and proves nothing."""
    wiring = wiring_of(settings)
    return build_devices(wiring, World() if wiring.needs_world else None)


class Bench:
    """The devices of a configuration, and what they report."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.devices: Devices = _build(settings)
        self.seen: list[DeviceEvent] = []
        self._queue: queue.Queue[DeviceEvent] = queue.Queue()

    def start(self) -> None:
        for device in self.devices.all():
            device.start(self._queue.put, 0)

    def until(self, holds: Callable[[DeviceEvent], bool], seconds: float, what: str) -> DeviceEvent:
        """Wait for an event; fail with all that came instead."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event = self._queue.get(timeout=left)
            except queue.Empty:
                break
            self.seen.append(event)
            if holds(event):
                return event
        raise AssertionError(f"{what} did not happen in {seconds} s; seen: {self.seen}")

    def nothing(self, kinds: tuple[type, ...], seconds: float) -> None:
        """Let time pass and see that no such event comes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event = self._queue.get(timeout=left)
            except queue.Empty:
                return
            self.seen.append(event)
            assert not isinstance(event, kinds), event


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    path = os.environ.get("CROUPIER_HARDWARE", "")
    assert path, "say which cabinet: CROUPIER_HARDWARE=/etc/croupier/cabinet.toml"
    bench = Bench(load_settings(path))
    bench.start()
    waiting = {device.name for device in bench.devices.all()}
    while waiting:
        ready = bench.until(lambda event: isinstance(event, DeviceReady), READY_S, f"DeviceReady of {sorted(waiting)}")
        waiting.discard(ready.device)
    yield bench
    for device in bench.devices.all():
        device.stop()
        device.stop()


def test_every_device_is_ready_before_anything_else_of_it(bench: Bench) -> None:
    first: dict[str, DeviceEvent] = {}
    for event in bench.seen:
        first.setdefault(event.device, event)
    assert all(isinstance(event, DeviceReady) for event in first.values()), first


def test_disabled_acceptors_take_no_money(bench: Bench) -> None:
    print("\ntry to insert a note and a coin: both must come back")
    bench.nothing((NoteEscrowed, NoteStacked, CoinAccepted), PERSON_S / 4)


def test_note_in_escrow_is_given_back_when_told(bench: Bench) -> None:
    notes = bench.devices.notes
    assert notes is not None, "this cabinet has no note acceptor"
    notes.enable(bench.settings.notes.accepted_minor)
    print("\ninsert an accepted note: it must come back by itself")
    escrowed = bench.until(lambda event: isinstance(event, NoteEscrowed), PERSON_S, "a note in escrow")
    assert isinstance(escrowed, NoteEscrowed)
    assert escrowed.denomination_minor in bench.settings.notes.accepted_minor
    notes.return_note(escrowed.escrow_id)
    returned = bench.until(lambda event: isinstance(event, NoteReturned | NoteStacked), READY_S, "the note's return")
    assert isinstance(returned, NoteReturned), returned
    notes.disable()
