"""SSP, CCNET, EBDS and ESC/POS through real pseudo-terminals and real threads: the whole way once, and a pulled cable."""

import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from hal.drivers.ccnet import ccnet_note_acceptor
from hal.drivers.ebds import ebds_note_acceptor
from hal.drivers.escpos import escpos_printer
from hal.drivers.serial_device import SerialNoteAcceptor
from hal.drivers.ssp import ssp_note_acceptor
from hal.emulators.pty import PtyPort
from hal.emulators.registry import emulator_class
from hal.events import DeviceEvent, DeviceLost, DeviceReady, NoteEscrowed, NoteStacked, SlipPrinted

_Event = TypeVar("_Event", bound=DeviceEvent)
PATIENCE_S = 30.0

DRIVERS: dict[str, Callable[[str], SerialNoteAcceptor]] = {
    "ssp": lambda path: ssp_note_acceptor("notes", path, "EUR"),
    "ccnet": lambda path: ccnet_note_acceptor("notes", path, "EUR"),
    "ebds": lambda path: ebds_note_acceptor("notes", path),
}


class Ear:
    """Takes events from the driver's thread."""

    def __init__(self) -> None:
        self.events: queue.Queue[DeviceEvent] = queue.Queue()

    def wait_for(self, kind: type[_Event]) -> _Event:
        """Return the next event of a kind; fails when it does not come."""
        until = time.monotonic() + PATIENCE_S
        while True:
            event = self.events.get(timeout=max(0.01, until - time.monotonic()))
            if isinstance(event, kind):
                return event


@pytest.mark.parametrize("protocol", DRIVERS)
def test_a_note_on_a_real_port_and_a_pulled_cable(protocol: str, tmp_path: Path) -> None:
    with PtyPort(emulator_class(protocol)(), tmp_path / "acceptor") as port:
        subject, ear = DRIVERS[protocol](port.path), Ear()
        subject.start(ear.events.put, 0)
        try:
            assert 2_000 in ear.wait_for(DeviceReady).info.denominations_minor
            subject.enable([2_000])
            time.sleep(0.5)  # the mask has to reach the device before the note does
            port.do("insert_note 2000")
            subject.stack(ear.wait_for(NoteEscrowed).escrow_id)
            stacked = ear.wait_for(NoteStacked)
            assert stacked.denomination_minor == 2_000
            subject.confirm(stacked.key)
            port.unplug()
            ear.wait_for(DeviceLost)
            port.plug()
            ear.wait_for(DeviceReady)
        finally:
            subject.stop()
        assert ear.events.empty() or not isinstance(ear.events.get(), NoteStacked)


def test_a_slip_on_a_real_port(tmp_path: Path) -> None:
    with PtyPort(emulator_class("escpos")(), tmp_path / "printer") as port:
        subject, ear = escpos_printer("printer", port.path), Ear()
        subject.start(ear.events.put, 0)
        try:
            ear.wait_for(DeviceReady)
            subject.print_slip("s1", ["Выплата", "125.00"])
            assert ear.wait_for(SlipPrinted).slip_id == "s1"
        finally:
            subject.stop()
        with port.device() as printer:
            assert printer.slips == [["Выплата", "125.00"]]  # type: ignore[attr-defined]


def test_a_slip_that_is_too_wide_is_refused_before_the_thread_sees_it() -> None:
    with pytest.raises(ValueError, match="at most"):
        escpos_printer("printer", "/dev/null").print_slip("s1", ["x" * 65])
