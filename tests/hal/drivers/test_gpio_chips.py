"""The two GPIO backends over stand-ins for their libraries; the contract suite runs the devices over both."""

import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_mock import MockerFixture

from hal.debounce import PulseWindow
from hal.drivers.gpio_board import GpioBoard
from hal.drivers.gpio_chip import Edge, InputPin, OutputPin, wait_readable
from hal.drivers.gpiod_chip import GpiodChip, find_chip
from hal.drivers.polled_chip import PolledChip
from hal.drivers.rpi_gpio import RpiGpioReader
from hal.errors import PortError
from hal.events import CoinAccepted, DeviceEvent, DeviceFault
from hal.wire.panel import PanelUnit
from hal.wire.pulse import PulseCoinSpec, PulseCoinUnit
from hal.wire.session import Enable, Start
from tests.hal.drivers import fake_pins

CHIP = "/dev/gpiochip0"
INPUTS = (InputPin("button", 4), InputPin("door", 5, active_high=True, pull="down"))
OUTPUTS = (OutputPin("lamp", 17), OutputPin("motor", 18, active_high=False))


@pytest.fixture
def wires(mocker: MockerFixture) -> fake_pins.Wires:
    wires = fake_pins.Wires()
    modules = {"RPi.GPIO": fake_pins.rpi_gpio(wires), "gpiod": fake_pins.gpiod(wires, CHIP)}
    mocker.patch.dict(sys.modules, modules)
    return wires


def polled(wires: fake_pins.Wires) -> PolledChip:
    return PolledChip(RpiGpioReader(), 5, wires.clock_ns, wires.wait)


def kernel(wires: fake_pins.Wires) -> GpiodChip:
    return GpiodChip(CHIP, wires.clock_ns, wires.wait)


@pytest.fixture(params=["rpi_gpio", "gpiod"])
def chip(request: pytest.FixtureRequest, wires: fake_pins.Wires) -> Any:
    return polled(wires) if request.param == "rpi_gpio" else kernel(wires)


def test_outputs_are_inactive_from_opening_to_closing(chip: Any, wires: fake_pins.Wires) -> None:
    chip.open(INPUTS, OUTPUTS)
    assert wires.outputs == {17: False, 18: True}
    chip.set("lamp", True)
    chip.set("motor", True)
    assert wires.outputs == {17: True, 18: False}
    chip.close()
    chip.close()
    assert wires.outputs == {17: False, 18: True}


def test_levels_are_meanings_not_voltages(chip: Any, wires: fake_pins.Wires) -> None:
    wires.drive(4, False)
    chip.open(INPUTS, OUTPUTS)
    assert chip.levels() == {"button": True, "door": False}


def test_edges_come_with_their_time_and_their_meaning(chip: Any, wires: fake_pins.Wires) -> None:
    chip.open(INPUTS, OUTPUTS)
    wires.drive(4, False, 1_050)
    wires.drive(4, True, 1_100)
    heard: list[Edge] = []
    while wires.now_ms < 1_200:
        heard += chip.wait(200, -1).edges
    assert heard == [Edge("button", True, 1_050), Edge("button", False, 1_100)]


def test_a_wait_without_edges_ends_at_its_time(chip: Any, wires: fake_pins.Wires) -> None:
    chip.open(INPUTS, OUTPUTS)
    heard = chip.wait(40, -1)
    assert (heard.edges, heard.lost) == ((), frozenset())
    assert 1_040 <= wires.now_ms <= 1_045


def test_the_kernel_keeps_edges_while_the_program_is_stalled(wires: fake_pins.Wires) -> None:
    """A second without looking: a coin's three pulses of 30 ms are still counted, by their own times."""
    unit = PulseCoinUnit(
        PulseCoinSpec(PulseWindow.around(30, 60), "inhibit", pulse_line="coin", values_by_count={3: 100})
    )
    events: list[DeviceEvent] = []
    board = GpioBoard(
        kernel(wires),
        [InputPin("coin", 4)],
        [OutputPin("inhibit", 17)],
        [unit],
        events.append,
        lambda: wires.now_ms,
    )
    board.open()
    board.command(Start("coins"))
    board.command(Enable("coins", (100,)))
    while wires.now_ms < 1_500:
        board.step(-1, 1_500)
    for number in range(3):
        wires.drive(4, False, 1_600 + number * 90)
        wires.drive(4, True, 1_630 + number * 90)
    wires.pass_to(2_600)  # stalled
    board.step(-1, 2_700)
    assert [event.value_minor for event in events if isinstance(event, CoinAccepted)] == [100]
    assert not [event for event in events if isinstance(event, DeviceFault)]


def test_a_gap_in_the_kernels_numbers_is_told_as_lost(wires: fake_pins.Wires) -> None:
    chip = kernel(wires)
    chip.open(INPUTS, OUTPUTS)
    request = sys.modules["gpiod"].requests[-1]
    for at_ms, high in ((1_010, False), (1_020, True), (1_030, False)):
        wires.drive(4, high, at_ms)
    wires.pass_to(1_050)
    request.drop_next = True
    assert chip.wait(10, -1).lost == {"button"}
    wires.drive(4, True)
    assert not chip.wait(10, -1).lost


def test_a_level_that_follows_on_itself_is_bounce_and_not_a_loss(wires: fake_pins.Wires) -> None:
    """Edges that come faster than the kernel's interrupts are merged; a real chip was seen to do it."""
    chip = kernel(wires)
    chip.open(INPUTS, OUTPUTS)
    wires.edges = [(1_010, 4, False), (1_011, 4, False)]
    heard = chip.wait(10, -1)
    assert [edge.active for edge in heard.edges] == [True, True]
    assert not heard.lost


def test_only_the_unit_whose_edges_were_lost_hears_of_it(wires: fake_pins.Wires) -> None:
    """A button that bounces its edges away must not cast doubt on a coin."""
    coins = PulseCoinUnit(
        PulseCoinSpec(PulseWindow.around(30, 60), "inhibit", pulse_line="coin", values_by_count={1: 100})
    )
    events: list[DeviceEvent] = []
    board = GpioBoard(
        kernel(wires),
        [InputPin("coin", 4), InputPin("button.b1", 5)],
        [OutputPin("inhibit", 17)],
        [coins, PanelUnit(("button.b1",))],
        events.append,
        lambda: wires.now_ms,
    )
    board.open()
    board.command(Start("coins"))
    board.command(Start("panel"))
    for pin, faults in ((5, 0), (4, 1)):
        wires.drive(pin, False)
        wires.drive(pin, True)
        sys.modules["gpiod"].requests[-1].drop_next = True
        board.step(-1, wires.now_ms + 1)
        assert len([event for event in events if isinstance(event, DeviceFault)]) == faults


def test_the_longest_gap_between_samples_is_known(wires: fake_pins.Wires) -> None:
    chip = polled(wires)
    chip.open(INPUTS, OUTPUTS)
    chip.wait(100, -1)
    assert chip.worst_gap_ms == 5
    wires.pass_to(wires.now_ms + 37)
    chip.wait(0, -1)
    assert chip.worst_gap_ms == 37
    assert kernel(wires).worst_gap_ms == 0


def test_the_libraries_edge_detection_is_never_touched(wires: fake_pins.Wires) -> None:
    module = sys.modules["RPi.GPIO"]
    assert not any(hasattr(module, name) for name in ("add_event_detect", "wait_for_edge", "event_detected"))
    polled(wires).open(INPUTS, OUTPUTS)


def test_a_real_wait_is_ended_by_a_readable_descriptor() -> None:
    reader, writer = os.pipe()
    assert not wait_readable((reader,), 0)
    os.write(writer, b"x")
    assert wait_readable((reader,), None)


# --- errors name the remedy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (RuntimeError("Cannot determine SOC peripheral base address"), "install rpi-lgpio"),
        (RuntimeError("This module can only be run on a Raspberry Pi!"), "not a Raspberry Pi"),
        (RuntimeError("No access to /dev/mem.  Try running as root!"), "group gpio"),
        (OSError("GPIO busy"), "another program uses the pin"),
        (ValueError("The channel sent is invalid"), "The channel sent is invalid"),
    ],
)
def test_what_rpi_gpio_complains_of_is_a_port_error_with_the_pin(
    wires: fake_pins.Wires, mocker: MockerFixture, error: Exception, remedy: str
) -> None:
    mocker.patch.object(sys.modules["RPi.GPIO"], "setup", side_effect=error)
    with pytest.raises(PortError, match=f"GPIO 17: .*{remedy}"):
        polled(wires).open(INPUTS, OUTPUTS)


def test_a_pin_that_another_program_has_is_named_and_the_others_are_given_back(wires: fake_pins.Wires) -> None:
    wires.claimed[4] = "another"
    chip = polled(wires)
    with pytest.raises(PortError, match="GPIO 4: another program uses the pin"):
        chip.open(INPUTS, OUTPUTS)
    del wires.claimed[4]
    chip.open(INPUTS, OUTPUTS)


def test_a_library_that_makes_files_where_it_is_imported_finds_a_place_for_them(
    wires: fake_pins.Wires, tmp_path: Path, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio does; a service's current folder is / and can't be written."""

    def imported(_name: str) -> Any:
        Path(".lgd-nfy0").write_text("", encoding="ascii")
        return sys.modules["RPi.GPIO"]

    monkeypatch.chdir(tmp_path)
    mocker.patch("hal.drivers.rpi_gpio.importlib.import_module", side_effect=imported)
    chip = polled(wires)
    chip.open(INPUTS, OUTPUTS)
    chip.close()
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("module", ["RPi.GPIO", "gpiod"])
def test_a_missing_library_names_the_extra(mocker: MockerFixture, wires: fake_pins.Wires, module: str) -> None:
    mocker.patch.dict(sys.modules, {module: None})
    with pytest.raises(PortError, match="install the extra `pi`"):
        (polled(wires) if module == "RPi.GPIO" else kernel(wires)).open(INPUTS, OUTPUTS)


def test_a_library_that_refuses_to_load_is_a_port_error(wires: fake_pins.Wires, mocker: MockerFixture) -> None:
    mocker.patch(
        "hal.drivers.rpi_gpio.importlib.import_module", side_effect=RuntimeError("can only be run on a Raspberry Pi")
    )
    with pytest.raises(PortError, match="not a Raspberry Pi"):
        polled(wires).open(INPUTS, OUTPUTS)


def test_a_taken_line_names_its_holder_and_nothing_stays_claimed(wires: fake_pins.Wires) -> None:
    wires.claimed[5] = "onewire@0"
    with pytest.raises(PortError, match="GPIO 5 is used by onewire@0; stop that program or remove the overlay"):
        kernel(wires).open(INPUTS, OUTPUTS)


def test_a_pin_beyond_the_chip_is_named(wires: fake_pins.Wires) -> None:
    with pytest.raises(PortError, match="correct the pins"):
        kernel(wires).open((InputPin("button", 99),), ())


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.EACCES, "group gpio"), (errno.EINVAL, "not all the pins"), (errno.EIO, "error")]
)
def test_what_the_kernel_complains_of_is_a_port_error(
    wires: fake_pins.Wires, mocker: MockerFixture, number: int, remedy: str
) -> None:
    mocker.patch.object(sys.modules["gpiod"], "Chip", side_effect=OSError(number, os.strerror(number)))
    with pytest.raises(PortError, match=remedy):
        kernel(wires).open(INPUTS, OUTPUTS)


def test_a_chip_that_goes_while_waiting_is_a_port_error(wires: fake_pins.Wires, mocker: MockerFixture) -> None:
    chip = kernel(wires)
    chip.open(INPUTS, OUTPUTS)
    request = sys.modules["gpiod"].requests[-1]
    mocker.patch.object(request, "wait_edge_events", side_effect=OSError(errno.ENODEV, "No such device"))
    with pytest.raises(PortError, match="No such device"):
        chip.wait(0, -1)


def test_the_headers_chip_is_found_by_its_label_whatever_its_number(
    wires: fake_pins.Wires, mocker: MockerFixture
) -> None:
    labels = {
        "/dev/gpiochip0": "brcmvirt-gpio",
        "/dev/gpiochip11": "raspberrypi-exp-gpio",
        "/dev/gpiochip13": "pinctrl-rp1",
    }
    module = sys.modules["gpiod"]
    mocker.patch("hal.drivers.gpiod_chip.Path.glob", return_value=list(labels))
    mocker.patch.object(module, "is_gpiochip_device", side_effect=labels.__contains__)
    mocker.patch.object(module, "Chip", side_effect=lambda path: _Labelled(labels[path]))
    assert find_chip("") == "/dev/gpiochip13"
    assert find_chip("raspberrypi-exp-gpio") == "/dev/gpiochip11"
    assert find_chip("/dev/gpiochip0") == "/dev/gpiochip0"
    with pytest.raises(
        PortError, match=r"no GPIO chip labelled nonsense; the chips here: .*gpiochip13 \(pinctrl-rp1\)"
    ):
        find_chip("nonsense")
    with pytest.raises(PortError, match="/dev/ttyS0: not a GPIO chip"):
        find_chip("/dev/ttyS0")


class _Labelled:
    def __init__(self, label: str) -> None:
        self._label = label

    def __enter__(self) -> "_Labelled":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get_info(self) -> Any:
        return SimpleNamespace(label=self._label)
