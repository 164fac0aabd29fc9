import pickle
from dataclasses import replace

import pytest

from hal.build import build_devices
from hal.build_pins import gpio_setup
from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.drivers.gpio_panel import GpioPanel, PulseCoinAcceptor, PulseHopper, PulseNoteAcceptor
from hal.drivers.gpiod_chip import GpiodChip
from hal.drivers.polled_chip import PolledChip
from hal.drivers.serial_device import SerialCoinAcceptor, SerialHopper, SerialNoteAcceptor
from hal.errors import WiringError
from hal.events import CoinAccepted
from hal.simulated import World
from hal.wire.pulse import PulseCoinUnit
from hal.wire.session import Enable
from hal.wiring import (
    Gpio,
    PulseCoins,
    PulseNotes,
    SerialCoins,
    SerialNotes,
    SerialPrinter,
    Simulated,
    Wiring,
    ambiguous_counts,
    boot_hints,
    check,
)
from hal.wiring import PulseHopper as PulseHopperWiring
from hal.wiring import SerialHopper as SerialHopperWiring
from tests.hal.wire.pin_bench import PinBench

PINS = Gpio(
    "gpiod",
    (InputPin("button.b1", 5), InputPin("door.main", 6, active_high=True)),
    (OutputPin("lamp.b1", 13), OutputPin("meter.in", 19)),
)
PULSE_PINS = replace(
    PINS,
    inputs=(*PINS.inputs, InputPin("coin.pulses", 7), InputPin("note.pulses", 8), InputPin("hopper.sensor", 9)),
    outputs=(
        *PINS.outputs,
        OutputPin("coin.inhibit", 10),
        OutputPin("note.inhibit", 11),
        OutputPin("hopper.motor", 12),
    ),
)
EUROPEAN = Wiring(
    PINS,
    "EUR",
    "EU",
    notes=SerialNotes("cctalk", "/dev/bus"),
    coins=SerialCoins("/dev/bus", hopper_path=1, cash_box_path=2),
    hopper=SerialHopperWiring("/dev/bus", 100),
    printer=SerialPrinter("/dev/printer"),
)
HOBBY = Wiring(
    PULSE_PINS,
    "EUR",
    "EU",
    notes=PulseNotes(500, (500, 1_000)),
    coins=PulseCoins({1: 50, 3: 100}),
    hopper=PulseHopperWiring(100),
)


def problems(wiring: Wiring) -> str:
    with pytest.raises(WiringError) as refused:
        check(wiring)
    return str(refused.value)


@pytest.mark.parametrize("wiring", [EUROPEAN, HOBBY])
def test_a_good_wiring_has_no_problems(wiring: Wiring) -> None:
    check(wiring)


def test_a_pin_belongs_to_one_line() -> None:
    pins = replace(PINS, outputs=(OutputPin("lamp.b1", 5),))
    assert problems(replace(EUROPEAN, panel=pins)) == "lamp.b1: GPIO 5 belongs to button.b1 already"


def test_a_pin_is_on_the_header() -> None:
    pins = replace(PINS, outputs=(OutputPin("lamp.b1", 28),))
    assert "lamp.b1: GPIO 28 is not on the header" in problems(replace(EUROPEAN, panel=pins))


def test_a_line_is_one_that_there_is_and_is_given_once() -> None:
    pins = Gpio(
        "gpiod",
        (InputPin("butten.b1", 1), InputPin("coin.inhibit", 2)),
        (OutputPin("lamp.b1", 3), OutputPin("lamp.b1", 4), OutputPin("door.main", 5)),
    )
    text = problems(replace(EUROPEAN, panel=pins))
    assert text.splitlines() == [
        "lamp.b1: given twice",
        "butten.b1: there is no such input",
        "coin.inhibit: there is no such input",
        "door.main: there is no such output",
    ]


def test_only_cctalk_shares_a_port() -> None:
    wiring = replace(EUROPEAN, notes=SerialNotes("ssp", "/dev/bus"))
    assert "/dev/bus: used by notes and coins; only ccTalk devices can share a port" in problems(wiring)


def test_cctalk_addresses_on_a_port_differ() -> None:
    wiring = replace(EUROPEAN, hopper=SerialHopperWiring("/dev/bus", 100, address=2))
    assert problems(wiring) == "/dev/bus: coins and hopper both have address 2"
    check(replace(EUROPEAN, hopper=SerialHopperWiring("/dev/other", 100, address=2)))


def test_pulse_devices_need_their_lines() -> None:
    text = problems(replace(HOBBY, panel=PINS))
    for line in ("note.pulses", "note.inhibit", "coin.inhibit", "hopper.motor", "hopper.sensor", "coin.pulses"):
        assert line in text


def test_coin_lines_need_values_and_exclude_the_pulse_line() -> None:
    inputs = (*PULSE_PINS.inputs, InputPin("coin.2", 20))
    text = problems(replace(HOBBY, panel=replace(PULSE_PINS, inputs=inputs)))
    assert "either the line coin.pulses or lines coin.1" in text
    assert "the line coin.2 has no value" in text


def test_pulse_devices_need_pins() -> None:
    assert "the panel is simulated" in problems(replace(HOBBY, panel=Simulated()))


def test_coins_whose_pulses_add_up_to_another_are_named() -> None:
    assert ambiguous_counts({1: 50, 3: 100, 9: 200}) == ()
    assert ambiguous_counts({1: 50, 2: 100}) == ("1 and 1 pulses close together look like 2",)


def test_a_motor_that_a_pi_would_run_before_the_program_is_named() -> None:
    outputs = (
        OutputPin("hopper.motor", 7),
        OutputPin("coin.inhibit", 9),
        OutputPin("note.inhibit", 20, active_high=False),
        OutputPin("coin.divert", 8, active_high=False),
        OutputPin("lamp.b1", 2),
    )
    hints = boot_hints(replace(PINS, outputs=outputs))
    assert [hint.partition(";")[0] for hint in hints] == [
        "hopper.motor: GPIO 7 is pulled up while no program runs, which is active here",
        "note.inhibit: GPIO 20 is pulled down while no program runs, which is active here",
    ]


# --- building ------------------------------------------------------------------------------------------------------------


def test_a_european_cabinet_is_three_devices_on_one_line_and_a_panel_on_pins() -> None:
    devices = build_devices(EUROPEAN)
    assert isinstance(devices.panel, GpioPanel)
    assert isinstance(devices.notes, SerialNoteAcceptor)
    assert isinstance(devices.coins, SerialCoinAcceptor)
    assert isinstance(devices.hopper, SerialHopper)
    assert [device.name for device in devices.all()] == ["panel", "notes", "coins", "hopper", "printer"]
    assert devices.hopper.coin_value_minor == 100


def test_a_hobby_cabinet_is_all_pins() -> None:
    devices = build_devices(HOBBY)
    assert isinstance(devices.notes, PulseNoteAcceptor)
    assert isinstance(devices.coins, PulseCoinAcceptor)
    assert isinstance(devices.hopper, PulseHopper)
    assert devices.printer is None


@pytest.mark.parametrize("protocol", ["ssp", "id003", "ccnet", "ebds"])
def test_every_note_protocol_is_built(protocol: str) -> None:
    notes = SerialNotes(protocol, "/dev/notes")  # type: ignore[arg-type]
    assert isinstance(build_devices(Wiring(PINS, "EUR", "EU", notes=notes)).notes, SerialNoteAcceptor)


def test_an_unknown_protocol_is_refused() -> None:
    notes = SerialNotes("icq", "/dev/notes")  # type: ignore[arg-type]
    with pytest.raises(WiringError, match="there is no protocol icq"):
        build_devices(Wiring(PINS, "EUR", "EU", notes=notes))


def test_simulated_devices_are_the_worlds_and_nothing_else_takes_their_place() -> None:
    wiring = Wiring(Simulated(), "EUR", "EU", notes=Simulated(), coins=Simulated(), hopper=Simulated())
    world = World()
    devices = build_devices(wiring, world)
    assert (devices.panel, devices.notes, devices.coins, devices.hopper) == (
        world.panel,
        world.notes,
        world.coins,
        world.hopper,
    )
    with pytest.raises(WiringError, match="no simulated world"):
        build_devices(wiring)


def test_a_contradiction_is_never_built() -> None:
    with pytest.raises(WiringError, match="both have address"):
        build_devices(replace(EUROPEAN, hopper=SerialHopperWiring("/dev/bus", 100, address=2)))


@pytest.mark.parametrize(("backend", "kind"), [("gpiod", GpiodChip), ("rpi_gpio", PolledChip)])
def test_the_pins_process_gets_the_chosen_backend_and_all_units(backend: str, kind: type) -> None:
    gpio = replace(PULSE_PINS, backend=backend)  # type: ignore[arg-type]
    setup = pickle.loads(pickle.dumps(gpio_setup(replace(HOBBY, panel=gpio), gpio)))
    assert isinstance(setup.make_chip(), kind)
    units = setup.make_units()
    assert [unit.device for unit in units] == ["panel", "notes", "coins", "hopper"]
    lines = {line for unit in units for line in (*unit.inputs, *unit.outputs)}
    assert lines == {*(pin.line for pin in gpio.inputs), *(pin.line for pin in gpio.outputs)}


def test_one_line_per_coin_uses_only_the_lines_that_are_fitted() -> None:
    inputs = (InputPin("coin.1", 7), InputPin("coin.2", 8))
    gpio = Gpio("rpi_gpio", inputs, (OutputPin("coin.inhibit", 10),))
    wiring = Wiring(gpio, "EUR", "EU", coins=PulseCoins({1: 50, 2: 100, 3: 200}))
    unit = gpio_setup(wiring, gpio).make_units()[1]
    assert isinstance(unit, PulseCoinUnit)
    assert unit.inputs == ("coin.1", "coin.2")


def test_one_odd_sample_of_the_sampler_is_bounce() -> None:
    """A contact that bounces just when it is read looks open for a whole period of the sampler."""
    gpio = replace(PULSE_PINS, backend="rpi_gpio", sample_period_ms=5)
    unit = gpio_setup(replace(HOBBY, panel=gpio), gpio).make_units()[2]
    bench = PinBench(unit)
    bench.command(Enable("coins", (50, 100)))
    for active, duration_ms in ((True, 20), (False, 5), (True, 25), (False, 1_000)):
        bench.level("coin.pulses", active)
        bench.run(duration_ms)
    assert [coin.value_minor for coin in bench.heard(CoinAccepted)] == [50]
