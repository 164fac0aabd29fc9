"""The process that owns the chip, as it runs in a cabinet, with a file for the pins."""

import errno
import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from hal.debounce import PulseWindow
from hal.drivers.gpio_chip import GpioChip, InputPin, OutputPin
from hal.drivers.gpio_panel import GpioPanel, PulseCoinAcceptor
from hal.drivers.gpio_process import GpioProcess, GpioSetup
from hal.events import ButtonPressed, ButtonReleased, CoinAccepted, DeviceEvent, DeviceLost, DeviceReady
from hal.wire.panel import PanelUnit
from hal.wire.pins import PinUnit
from hal.wire.pulse import PulseCoinSpec, PulseCoinUnit
from tests.hal.drivers.file_pins import PinFile, chip_factory

PATIENCE_S = 30
BUTTON, DOOR, COIN, LAMP, INHIBIT = 1, 2, 3, 10, 11
WINDOW = PulseWindow(20, 60_000, 20, train_end_ms=250, stuck_ms=90_000)  # a busy machine must not fail the test


def units() -> list[PinUnit]:
    coins = PulseCoinSpec(WINDOW, "coin.inhibit", pulse_line="coin.pulses", values_by_count={1: 100})
    return [PanelUnit(("button.b1", "door.main", "lamp.b1")), PulseCoinUnit(coins)]


def setup(path: Path) -> GpioSetup:
    return GpioSetup(
        chip_factory(path),
        (InputPin("button.b1", BUTTON), InputPin("door.main", DOOR, active_high=True), InputPin("coin.pulses", COIN)),
        (OutputPin("lamp.b1", LAMP), OutputPin("coin.inhibit", INHIBIT)),
        units,
    )


class Cabinet:
    """The program's side, and the wires."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pins = PinFile(path, create=True)
        self.port = GpioProcess(setup(path), restart_s=0.05)
        self.panel = GpioPanel("panel", self.port)
        self.coins = PulseCoinAcceptor("coins", self.port)
        self.heard: queue.SimpleQueue[DeviceEvent] = queue.SimpleQueue()

    def start(self) -> None:
        self.panel.start(self.heard.put, 0)
        self.coins.start(self.heard.put, 6)

    def wait_for(self, kind: type[DeviceEvent]) -> DeviceEvent:
        while True:
            event = self.heard.get(timeout=PATIENCE_S)
            if isinstance(event, kind):
                return event

    def wait_ready(self) -> None:
        self.wait_for(DeviceReady)
        self.wait_for(DeviceReady)


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, "not within the patience of the test"
        time.sleep(0.005)


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[Cabinet]:
    cabinet = Cabinet(tmp_path / "pins")
    yield cabinet
    cabinet.panel.stop()
    cabinet.coins.stop()


def test_events_come_out_and_commands_go_in(cabinet: Cabinet) -> None:
    cabinet.start()
    cabinet.wait_ready()
    cabinet.pins.set(BUTTON, False)
    pressed = cabinet.wait_for(ButtonPressed)
    assert abs(pressed.at_ms - time.monotonic_ns() // 1_000_000) < PATIENCE_S * 1_000
    cabinet.pins.set(BUTTON, True)
    cabinet.wait_for(ButtonReleased)
    cabinet.panel.set_lamp("b1", "on")
    wait_until(lambda: cabinet.pins.get(LAMP))


def test_a_coin_is_counted_and_keys_go_on_after_the_process_died(cabinet: Cabinet) -> None:
    cabinet.start()
    cabinet.wait_ready()
    keys = []
    for round_number in range(2):
        cabinet.coins.enable([100])
        wait_until(lambda: cabinet.pins.get(INHIBIT))
        time.sleep(WINDOW.train_end_ms / 1000 + 0.1)  # the first quiet, before which nothing is believed
        cabinet.pins.set(COIN, False)
        time.sleep(0.1)  # the length of the pulse
        cabinet.pins.set(COIN, True)
        coin = cabinet.wait_for(CoinAccepted)
        assert isinstance(coin, CoinAccepted)
        keys.append(coin.key)
        if round_number == 0:
            os.kill(child_of(os.getpid()), signal.SIGKILL)
            cabinet.wait_for(DeviceLost)
            cabinet.wait_ready()
    assert keys == ["coins-pulse:1:7", "coins-pulse:1:8"]


def test_stop_makes_outputs_inactive_and_may_come_twice(cabinet: Cabinet) -> None:
    cabinet.start()
    cabinet.wait_ready()
    cabinet.coins.enable([100])
    cabinet.panel.set_lamp("b1", "on")
    wait_until(lambda: cabinet.pins.get(INHIBIT) and cabinet.pins.get(LAMP))
    for _ in range(2):
        cabinet.coins.stop()
        cabinet.panel.stop()
    assert not cabinet.pins.get(INHIBIT)
    assert not cabinet.pins.get(LAMP)


def test_a_chip_that_is_not_there_is_told_and_found_later(cabinet: Cabinet) -> None:
    content = cabinet.path.read_bytes()
    cabinet.path.unlink()
    cabinet.start()
    for _ in range(2):
        lost = cabinet.wait_for(DeviceLost)
        assert isinstance(lost, DeviceLost)
        assert "no such chip" in lost.reason
    cabinet.path.write_bytes(content)
    cabinet.wait_ready()


def test_a_process_that_cannot_be_started_is_told_and_tried_again(cabinet: Cabinet, mocker: MockerFixture) -> None:
    real = SpawnProcess.start
    failures = [OSError(errno.EAGAIN, "Resource temporarily unavailable")]
    mocker.patch.object(
        SpawnProcess,
        "start",
        autospec=True,
        side_effect=lambda self: _raise(failures.pop()) if failures else real(self),
    )
    cabinet.start()
    lost = cabinet.wait_for(DeviceLost)
    assert isinstance(lost, DeviceLost)
    assert "can't be started" in lost.reason
    cabinet.wait_ready()


def _raise(error: Exception) -> None:
    raise error


def slow_chip(path: Path) -> GpioChip:
    """A chip of a busy board, where an interpreter takes long to start."""
    time.sleep(4)
    return chip_factory(path)()


def test_a_process_that_starts_slowly_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hal.drivers.gpio_process.SILENCE_S", 2.5)
    slow = Cabinet(tmp_path / "pins")
    slow.port = GpioProcess(replace(setup(slow.path), make_chip=partial(slow_chip, slow.path)), restart_s=0.05)
    slow.panel = GpioPanel("panel", slow.port)
    slow.panel.start(slow.heard.put, 0)
    assert isinstance(slow.heard.get(timeout=PATIENCE_S), DeviceReady)
    slow.panel.stop()


def test_a_stopped_port_starts_again(cabinet: Cabinet) -> None:
    for _ in range(2):
        cabinet.start()
        cabinet.wait_ready()
        cabinet.coins.stop()
        cabinet.panel.stop()


def test_when_the_program_is_killed_every_output_goes_inactive(tmp_path: Path) -> None:
    """SIGKILL: no line of ours runs in the program any more; the small process must see to it alone."""
    path = tmp_path / "pins"
    pins = PinFile(path, create=True)
    program = subprocess.Popen([sys.executable, "-m", "tests.hal.drivers.lit_lamp", str(path)])
    try:
        wait_until(lambda: pins.get(LAMP) and pins.get(INHIBIT) and program.poll() is None)
        process = child_of(program.pid)
    finally:
        program.kill()
        program.wait()
    wait_until(lambda: not pins.get(LAMP) and not pins.get(INHIBIT))
    wait_until(lambda: not is_running(process))


def child_of(parent: int) -> int:
    """Return the GPIO process of a program: the child that runs ``spawn_main`` and is no resource tracker."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if int(stat[1]) == parent and b"spawn_main" in command:
            return int(entry.name)
    raise AssertionError("the program has no GPIO process")


def is_running(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
