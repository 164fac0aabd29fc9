"""Both GPIO backends on a real GPIO chip of a real kernel: gpio-sim, under User-Mode Linux.

The whole path of a cabinet is real: the library, the kernel's character device, the process that owns the pins. A test moves
a pin by its pull and reads it by its value, as ``/sys/devices/platform/gpio-sim.*`` offers them. Run by ``./croupier test --gpio-sim``,
which boots the kernel; it is no test of the plain suite. It does not prove the chip of a Pi, only how the libraries and the
kernel behave.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import pytest

from hal.build_pins import gpio_setup, make_chip
from hal.drivers.gpio_board import GpioBoard
from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.drivers.gpio_process import GpioProcess
from hal.drivers.gpiod_chip import GpiodChip
from hal.errors import PortError
from hal.events import ButtonPressed, ButtonReleased, CoinAccepted, DeviceEvent, DeviceFault, DeviceLost, DoorChanged
from hal.wire.panel import STABLE_MS, PanelUnit
from hal.wire.pins import PinOutput, SetLamp
from hal.wire.session import Enable, Start
from hal.wiring import Gpio, PulseCoins, Wiring

SIM = Path(os.environ.get("GPIO_SIM", "/nowhere"))
CHIP_LABEL = "pinctrl-bcm2835"
BUTTON, DOOR, COINS, LAMP, INHIBIT = 5, 17, 4, 20, 25
PATIENCE_S = 30.0
QUIET_S = 1.0
"""Pulses before a first quiet are doubtful: they may be the tail of a coin that nobody saw begin."""
Backend = Literal["gpiod", "rpi_gpio"]
E = TypeVar("E", bound=DeviceEvent)


def pull(pin: int, high: bool) -> None:
    (SIM / f"sim_gpio{pin}" / "pull").write_text("pull-up" if high else "pull-down", encoding="ascii")


def level(pin: int) -> bool:
    return (SIM / f"sim_gpio{pin}" / "value").read_text(encoding="ascii").strip() == "1"


def until(what: str, happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end, f"{what}: not within {PATIENCE_S} s"
        time.sleep(0.01)


class Pins:
    """The process that owns the pins, with a panel and a coin acceptor, and all that it has told."""

    def __init__(self, backend: Backend) -> None:
        inputs = (
            InputPin("button.b1", BUTTON),
            InputPin("door.main", DOOR, active_high=True),
            InputPin("coin.pulses", COINS),
        )
        outputs = (OutputPin("lamp.b1", LAMP), OutputPin("coin.inhibit", INHIBIT))
        for pin in (BUTTON, COINS):
            pull(pin, True)
        gpio = Gpio(backend, inputs, outputs, chip=CHIP_LABEL if backend == "gpiod" else "")
        wiring = Wiring(gpio, "EUR", "EU", coins=PulseCoins({1: 50, 3: 100, 7: 200}))
        self.events: list[DeviceEvent] = []
        self.process = GpioProcess(gpio_setup(wiring, gpio), restart_s=0.2)
        self.process.start("panel", self.events.append, 0)
        self.process.start("coins", self.events.append, 0)
        self.process.command(Enable("coins", (50, 100, 200)))
        until("coins are let in", lambda: level(INHIBIT))
        # Asking for a pull resistor has pulled every input up: the door stands open until its contact closes.
        until("the open door", lambda: bool(self.told(DoorChanged)))
        pull(DOOR, False)
        until("the closed door", lambda: not self.told(DoorChanged)[-1].is_open)
        time.sleep(QUIET_S)
        self.events.clear()

    def told(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def faults(self) -> list[DeviceFault]:
        return [fault for fault in self.told(DeviceFault) if fault.is_up]

    def close(self) -> None:
        for device in ("coins", "panel"):
            self.process.stop(device)


@pytest.fixture(params=["gpiod", "rpi_gpio"])
def pins(request: pytest.FixtureRequest) -> Iterator[Pins]:
    opened = Pins(request.param)
    yield opened
    opened.close()
    assert not level(INHIBIT), "money is refused when the program has ended"


class TooLateError(Exception):
    """This machine is so busy that the test itself moved a pin too late: nothing can be said of the program."""


def hold(milliseconds: int, slack_ms: int) -> None:
    """Wait for a time. Raises TooLateError when it became longer than that and the slack."""
    begin = time.monotonic()
    time.sleep(milliseconds / 1000)
    if time.monotonic() - begin > (milliseconds + slack_ms) / 1000:
        raise TooLateError


def pulses(count: int, low_ms: int = 50, high_ms: int = 100, slack_ms: int = 15) -> None:
    for _ in range(count):
        pull(COINS, False)
        try:
            hold(low_ms, slack_ms)
        finally:
            pull(COINS, True)
        hold(high_ms, slack_ms)


def punctually(attempt: Callable[[], None]) -> None:
    """Carry something out until it was done without being late."""
    for _ in range(40):
        try:
            attempt()
        except TooLateError:
            time.sleep(1.5)  # whatever was begun is over by then
        else:
            return
    raise AssertionError("this machine is too busy to move a pin in time")


def test_a_press_and_its_release_are_told_once_each(pins: Pins) -> None:
    for _ in range(5):
        pull(BUTTON, False)
        time.sleep(0.08)
        pull(BUTTON, True)
        time.sleep(0.08)
    until("five releases", lambda: len(pins.told(ButtonReleased)) == 5)
    assert len(pins.told(ButtonPressed)) == 5


class Listening(PanelUnit):
    """A panel that also keeps every edge it was told of, before anything is made of it."""

    def __init__(self) -> None:
        super().__init__(("button.b1",))
        self.edges: list[tuple[int, bool]] = []

    def edge(self, line: str, active: bool, at_ms: int) -> list[PinOutput]:
        self.edges.append((at_ms, active))
        return super().edge(line, active, at_ms)

    def stays(self) -> list[tuple[bool, int]]:
        """Return each state that ended, in order: whether the button was down, and for how many milliseconds by the edges' own times."""
        stays: list[tuple[bool, int]] = []
        since: tuple[int, bool] | None = None
        for at_ms, active in self.edges:
            if since is None or active != since[1]:
                if since is not None:
                    stays.append((since[1], at_ms - since[0]))
                since = (at_ms, active)
        return stays


def moved(backend: Backend, pauses_ms: list[int]) -> tuple[Listening, list[DeviceEvent]]:
    """Press and release a button by turns, and wait after each move; returns what the panel was told and what it told."""
    inputs = (InputPin("button.b1", BUTTON),)
    unit, heard = Listening(), list[DeviceEvent]()
    pull(BUTTON, True)
    chip = make_chip(Gpio(backend, inputs, (), chip=CHIP_LABEL if backend == "gpiod" else ""))
    board = GpioBoard(chip, inputs, (), [unit], heard.append)
    nothing, end = os.pipe()
    board.open()
    try:
        board.command(Start("panel"))
        high = True
        for pause_ms in pauses_ms:
            high = not high
            pull(BUTTON, high)
            step_for(board, nothing, pause_ms)
    finally:
        board.close()
        os.close(nothing)
        os.close(end)
    return unit, [event for event in heard if isinstance(event, ButtonPressed | ButtonReleased)]


@pytest.mark.parametrize("backend", ["gpiod", "rpi_gpio"])
def test_a_short_spike_is_seen_and_rejected(backend: Backend) -> None:
    """Half of what counts as a finger, twenty times. A busy machine stretches spikes: an attempt counts when by the times that came
    with the edges, the kernel's or the sampler's own, each of them was short."""

    def attempt() -> None:
        unit, heard = moved(backend, [STABLE_MS["button"] // 2, 2 * STABLE_MS["button"]] * 20)
        widths = [width_ms for down, width_ms in unit.stays() if down]
        if len(widths) < 10 or max(widths) >= STABLE_MS["button"]:
            raise TooLateError
        assert not heard, unit.edges

    punctually(attempt)


@pytest.mark.parametrize("backend", ["gpiod", "rpi_gpio"])
def test_a_bouncing_contact_is_one_press(backend: Backend) -> None:
    """It bounces at both ends, at the pace at which this kernel, whose clock ticks every 10 ms, still tells each edge."""

    def attempt() -> None:
        unit, heard = moved(backend, [9, 9, 9, 9, 100, 9, 9, 100])
        stays = unit.stays()
        lasting = [down for down, width_ms in stays if width_ms >= STABLE_MS["button"]]
        if len(stays) < 5 or lasting != [True]:
            raise TooLateError
        assert [type(event) for event in heard] == [ButtonPressed, ButtonReleased], unit.edges

    punctually(attempt)


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def step_for(board: GpioBoard, wake_fd: int, duration_ms: int) -> None:
    end_ms = now_ms() + duration_ms
    while now_ms() < end_ms:
        board.step(wake_fd, end_ms)


def test_a_door_is_told_when_it_moves(pins: Pins) -> None:
    pull(DOOR, True)
    until("the open door", lambda: bool(pins.told(DoorChanged)))
    pull(DOOR, False)
    until("the closed door", lambda: not pins.told(DoorChanged)[-1].is_open)
    assert [event.is_open for event in pins.told(DoorChanged)] == [True, False]


def test_a_lamp_lights_and_goes_dark(pins: Pins) -> None:
    pins.process.command(SetLamp("panel", "b1", "on"))
    until("the lamp is lit", lambda: level(LAMP))
    pins.process.command(SetLamp("panel", "b1", "off"))
    until("the lamp is dark", lambda: not level(LAMP))


def test_a_lamp_blinks(pins: Pins) -> None:
    pins.process.command(SetLamp("panel", "b1", "blink"))
    for _ in range(3):
        until("the lamp is lit", lambda: level(LAMP))
        until("the lamp is dark", lambda: not level(LAMP))


@pytest.mark.parametrize(("low_ms", "high_ms"), [(50, 100), (35, 80)])
def test_trains_of_pulses_are_counted(pins: Pins, low_ms: int, high_ms: int) -> None:
    values = {1: 50, 3: 100, 7: 200}
    for count in (1, 3, 7, 7, 1, 3, 1, 7):

        def coin(count: int = count) -> None:
            pins.events.clear()
            pulses(count, low_ms, high_ms)
            time.sleep(QUIET_S)  # a fault that is up already is not told again, so nothing else can be waited for
            money = [event.value_minor for event in pins.told(CoinAccepted)]
            if not money:  # a machine that is late refuses, and counts nothing wrong
                raise TooLateError
            assert money == [values[count]], pins.events

        punctually(coin)


def test_a_number_of_pulses_that_is_no_coin_is_a_fault_and_no_money(pins: Pins) -> None:
    def no_coin() -> None:
        known = len(pins.told(CoinAccepted))
        pulses(5)
        time.sleep(QUIET_S)
        assert len(pins.told(CoinAccepted)) == known

    punctually(no_coin)
    until("the fault", lambda: bool(pins.faults()))


def test_a_process_that_is_killed_comes_back_and_counts_on(pins: Pins) -> None:
    pulses(1, slack_ms=10_000)
    until(f"a coin: {pins.events}", lambda: len(pins.told(CoinAccepted)) == 1)
    children = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False)
    for child in children.stdout.split():
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text(errors="replace"):
            os.kill(int(child), signal.SIGKILL)
    until("it is missed", lambda: bool(pins.told(DeviceLost)))
    until("it is back", lambda: bool(pins.told(DoorChanged)))
    pins.process.command(Enable("coins", (50, 100, 200)))
    until("coins are let in", lambda: level(INHIBIT))
    time.sleep(QUIET_S)
    pulses(1, slack_ms=10_000)
    until("another coin", lambda: len(pins.told(CoinAccepted)) == 2)
    assert [event.value_minor for event in pins.told(CoinAccepted)] == [50, 50]
    assert len({event.key for event in pins.told(CoinAccepted)}) == 2


def test_a_pin_that_is_taken_names_who_has_it() -> None:
    first, second = GpiodChip(CHIP_LABEL), GpiodChip(CHIP_LABEL)
    first.open([InputPin("button", BUTTON)], [])
    try:
        with pytest.raises(PortError, match="GPIO 5 is used by croupier"):
            second.open([InputPin("button", BUTTON)], [])
    finally:
        second.close()
        first.close()


def test_edges_while_nobody_listens_are_kept_with_their_times() -> None:
    pull(COINS, True)
    chip = GpiodChip(CHIP_LABEL)
    chip.open([InputPin("coins", COINS)], [])
    try:
        pulses(10, 10, 10, slack_ms=10_000)
        edges = chip.wait(0, os.open("/dev/null", os.O_RDONLY)).edges
        assert [edge.active for edge in edges] == [True, False] * 10
        assert edges[-1].at_ms - edges[0].at_ms >= 150
        assert list(edges) == sorted(edges, key=lambda edge: edge.at_ms)
    finally:
        chip.close()
