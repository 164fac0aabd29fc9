"""A port thread, a pseudo-terminal and an emulated device, as they run in a cabinet."""

import queue
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.drivers.port_thread import SWITCH_S, PortThread, monotonic_ms
from hal.drivers.serial_device import SerialHopper
from hal.drivers.serial_link import SerialLink
from hal.emulators.pty import PtyPort
from hal.events import DeviceEvent, DeviceFault, DeviceLost, DeviceReady, HopperPaid
from tests.hal.drivers.ping import PingDevice, PingSession

PATIENCE_S = 20


class Bench:
    """Everything on the table: device, cable, thread, and what was heard."""

    def __init__(self, tmp_path: Path) -> None:
        self.device = PingDevice()
        self.pty = PtyPort(self.device, tmp_path / "by-id-ping")
        self.session = PingSession()
        self.clock_ahead_ms = 0
        link = SerialLink(str(tmp_path / "by-id-ping"))
        self.port = PortThread(link, self.session, lambda: monotonic_ms() + self.clock_ahead_ms, reopen_ms=20)
        self.hopper = SerialHopper("ping", self.port, 100)
        self.heard: queue.SimpleQueue[DeviceEvent] = queue.SimpleQueue()

    def start(self) -> None:
        self.hopper.start(self.heard.put, 0)

    def next(self) -> DeviceEvent:
        return self.heard.get(timeout=PATIENCE_S)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    bench.pty.start()
    yield bench
    bench.hopper.stop()
    bench.pty.close()


def test_the_device_is_greeted_and_made_safe_at_the_end(bench: Bench) -> None:
    bench.start()
    assert isinstance(bench.next(), DeviceReady)
    bench.hopper.stop()
    bench.hopper.stop()
    bench.device.wait_for(b"S")


def test_a_command_reaches_the_session_at_once_and_marks_in_bytes_do_no_harm(bench: Bench) -> None:
    bench.start()
    bench.next()
    bench.hopper.pay("p1-1", 1)
    event = bench.next()
    assert isinstance(event, HopperPaid)
    bench.device.wait_for(b"\xff")


def test_unplugged_and_plugged_in_again_while_running(bench: Bench) -> None:
    bench.start()
    bench.next()
    for _ in range(3):
        bench.pty.unplug()
        lost = bench.next()
        assert isinstance(lost, DeviceLost)
        assert "has gone" in lost.reason
        bench.pty.plug()
        event = bench.next()
        while isinstance(event, DeviceLost):  # it may have looked for the port meanwhile
            event = bench.next()
        assert isinstance(event, DeviceReady)


def test_a_port_that_is_not_there_is_told_once_and_found_later(bench: Bench) -> None:
    bench.pty.unplug()
    bench.start()
    first = bench.next()
    assert isinstance(first, DeviceLost)
    assert "no such port" in first.reason
    for number in range(3):  # each is heard at another attempt to open, and the reason is not told again
        bench.hopper.pay(f"p1-{number}", 1)
        assert isinstance(bench.next(), HopperPaid)
    bench.pty.plug()
    assert isinstance(bench.next(), DeviceReady)


def test_a_silent_device_is_lost_and_comes_back(bench: Bench) -> None:
    bench.start()
    bench.next()
    bench.pty.do("power_cut")
    assert isinstance(bench.next(), DeviceLost)
    bench.pty.do("power_on")
    assert isinstance(bench.next(), DeviceReady)


def test_a_fault_of_our_own_is_told_and_ends_the_port(bench: Bench) -> None:
    bench.start()
    bench.next()
    bench.session.fail = True
    fault, lost = bench.next(), bench.next()
    assert isinstance(fault, DeviceFault)
    assert (fault.code, fault.detail) == ("internal", "RuntimeError: a mistake of ours")
    assert isinstance(lost, DeviceLost)


def test_a_stopped_port_starts_again(bench: Bench) -> None:
    bench.start()
    bench.next()
    bench.hopper.stop()
    bench.session._ready = False
    bench.start()
    assert isinstance(bench.next(), DeviceReady)


def test_stop_before_start_does_nothing(bench: Bench) -> None:
    bench.hopper.stop()
    bench.hopper.pay("p1-1", 1)
    assert bench.heard.empty()


def test_each_poll_is_told_with_how_late_it_was_sent(bench: Bench) -> None:
    told: queue.SimpleQueue[int] = queue.SimpleQueue()
    bench.hopper.watch_polls(told.put)
    bench.start()
    bench.next()
    polls = [told.get(timeout=PATIENCE_S) for _ in range(3)]
    assert all(late_ms >= 0 for late_ms in polls)
    bench.clock_ahead_ms = 7_000
    while told.get(timeout=PATIENCE_S) < 6_000:
        pass


def test_a_port_makes_threads_give_way_to_it_soon(bench: Bench) -> None:
    before_s = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        bench.start()
        assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    finally:
        sys.setswitchinterval(before_s)
