"""What is connected where: the specification of one terminal's devices, and the check that it does not contradict itself.

Data only. A device is a real one on a port or on pins, or stands in the simulated world; which of them is always said,
never guessed. Not responsible for building anything (``hal.build``).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Literal

from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.errors import WiringError

NoteProtocol = Literal["cctalk", "ssp", "id003", "ccnet", "ebds"]
DEFAULT_ADDRESS = {"notes": 40, "coins": 2, "hopper": 3}
"""Where a ccTalk device answers if nothing else is said."""

FIRST_PIN, LAST_PIN = 0, 27
"""BCM numbers of the 40-pin header."""

LAST_PULLED_UP = 8
INPUT_KINDS = ("button", "door", "key", "coin", "note", "hopper")
OUTPUT_LINES = ("coin.inhibit", "coin.divert", "note.inhibit", "hopper.motor")
OUTPUT_KINDS = ("lamp", "tower", "meter")


@dataclass(frozen=True, slots=True)
class Simulated:
    """The device of the simulated world."""


@dataclass(frozen=True, slots=True)
class SerialNotes:
    """A note acceptor on a serial port. ``bills_minor`` are the worths of an EBDS acceptor's bills 1, 2, …, if its
    firmware does not say them itself (empty). ``credit_at_lever``: see ``hal.drivers.id003``."""

    protocol: NoteProtocol
    port: str
    address: int | None = None
    bills_minor: tuple[int, ...] = ()
    credit_at_lever: bool = False


@dataclass(frozen=True, slots=True)
class PulseNotes:
    """A note acceptor on the pins ``note.pulses`` and ``note.inhibit``."""

    minor_per_pulse: int
    denominations_minor: tuple[int, ...]
    width_ms: int = 50
    gap_ms: int = 100


@dataclass(frozen=True, slots=True)
class SerialCoins:
    """A ccTalk coin acceptor. With a sorter, ``hopper_path`` and ``cash_box_path`` say where its paths lead."""

    port: str
    address: int | None = None
    hopper_path: int | None = None
    cash_box_path: int | None = None


@dataclass(frozen=True, slots=True)
class PulseCoins:
    """A coin acceptor on pins: ``coin.1``, ``coin.2``, … with one line per channel, or ``coin.pulses`` with as many
    pulses as the channel's number. ``values_minor``: channel -> worth. ``coin.divert``, if fitted, leads to the hopper."""

    values_minor: Mapping[int, int]
    width_ms: int = 50
    gap_ms: int = 100


@dataclass(frozen=True, slots=True)
class SerialHopper:
    """A ccTalk hopper."""

    port: str
    coin_minor: int
    address: int | None = None


@dataclass(frozen=True, slots=True)
class PulseHopper:
    """A hopper on the pins ``hopper.motor`` and ``hopper.sensor``."""

    coin_minor: int
    width_ms: int = 40
    gap_ms: int = 110


@dataclass(frozen=True, slots=True)
class SerialPrinter:
    """An ESC/POS printer on a serial port."""

    port: str
    baud: int = 19_200


@dataclass(frozen=True, slots=True)
class Gpio:
    """The pins: which library reaches them, and which line is which pin.

    Inputs: ``button.b1``, ``door.main``, ``key.operator``, ``coin.1``, ``coin.pulses``, ``note.pulses``,
    ``hopper.sensor``. Outputs: ``lamp.b1``, ``tower.red``, ``meter.in``, ``coin.inhibit``, ``coin.divert``,
    ``note.inhibit``, ``hopper.motor``. ``chip`` of the backend gpiod is a file, a label, or empty for the header's.
    """

    backend: Literal["rpi_gpio", "gpiod"]
    inputs: tuple[InputPin, ...] = ()
    outputs: tuple[OutputPin, ...] = ()
    chip: str = ""
    sample_period_ms: int = 5


@dataclass(frozen=True, slots=True)
class Wiring:
    """One terminal's devices; None: not fitted. The panel is on the pins or simulated.

    ``currency`` is an ISO code (``EUR``); ``country`` are the two letters by which ccTalk names coins and notes (``EU``).
    """

    panel: Gpio | Simulated
    currency: str
    country: str
    minor_per_unit: int = 100
    notes: SerialNotes | PulseNotes | Simulated | None = None
    coins: SerialCoins | PulseCoins | Simulated | None = None
    hopper: SerialHopper | PulseHopper | Simulated | None = None
    printer: SerialPrinter | None = None

    @property
    def needs_world(self) -> bool:
        """Whether a device of the simulated world is among them."""
        return any(isinstance(device, Simulated) for device in (self.panel, self.notes, self.coins, self.hopper))


@dataclass(frozen=True, slots=True)
class _PortUse:
    device: str
    protocol: str
    address: int | None = None


def check(wiring: Wiring) -> None:
    """Raise ``WiringError`` with one line for every contradiction."""
    problems = [*_port_problems(wiring), *_pulse_problems(wiring)]
    if isinstance(wiring.panel, Gpio):
        problems += _pin_problems(wiring.panel)
    if problems:
        raise WiringError("\n".join(problems))


def ambiguous_counts(values_minor: Mapping[int, int]) -> tuple[str, ...]:
    """Return which coins, dropped in close together, look like another one on a line that counts pulses."""
    return tuple(
        f"{first} and {second} pulses close together look like {first + second}"
        for first, second in combinations_with_replacement(sorted(values_minor), 2)
        if first + second in values_minor
    )


def boot_hints(gpio: Gpio) -> tuple[str, ...]:
    """Return which money outputs and meters a Pi holds active while no program owns the pins, unless the board pulls them.

    From power-up on, pins 0 to 8 are pulled up and 9 to 27 down (BCM2835 ARM peripherals, table 6-31).
    """
    return tuple(
        f"{pin.line}: GPIO {pin.pin} is pulled {'up' if pin.pin <= LAST_PULLED_UP else 'down'} while no program runs, "
        f"which is active here; use another pin or pull it {'down' if pin.active_high else 'up'} on the board"
        for pin in gpio.outputs
        if (pin.line in OUTPUT_LINES or pin.line.startswith("meter."))
        and pin.active_high == (pin.pin <= LAST_PULLED_UP)
    )


def ports_of(wiring: Wiring) -> dict[str, tuple[str, ...]]:
    """Return port -> the devices that are to be there."""
    found: dict[str, tuple[str, ...]] = {}
    for port, use in _port_uses(wiring):
        found[port] = (*found.get(port, ()), use.device)
    return found


def real_devices(wiring: Wiring) -> Wiring:
    """Return the wiring without the devices of the simulated world; a simulated panel stays, as there must be one."""
    kinds = (wiring.notes, wiring.coins, wiring.hopper)
    notes, coins, hopper = (None if isinstance(kind, Simulated) else kind for kind in kinds)
    return replace(wiring, notes=notes, coins=coins, hopper=hopper)  # type: ignore[arg-type]  # each keeps its place


def address_of(kind: str, address: int | None) -> int:
    """Return a ccTalk device's address."""
    return DEFAULT_ADDRESS[kind] if address is None else address


def _port_uses(wiring: Wiring) -> Iterator[tuple[str, _PortUse]]:
    if isinstance(wiring.notes, SerialNotes):
        cctalk = wiring.notes.protocol == "cctalk"
        address = address_of("notes", wiring.notes.address) if cctalk else None
        yield wiring.notes.port, _PortUse("notes", wiring.notes.protocol, address)
    if isinstance(wiring.coins, SerialCoins):
        yield wiring.coins.port, _PortUse("coins", "cctalk", address_of("coins", wiring.coins.address))
    if isinstance(wiring.hopper, SerialHopper):
        yield wiring.hopper.port, _PortUse("hopper", "cctalk", address_of("hopper", wiring.hopper.address))
    if wiring.printer is not None:
        yield wiring.printer.port, _PortUse("printer", "escpos")


def _port_problems(wiring: Wiring) -> Iterator[str]:
    by_port: dict[str, list[_PortUse]] = defaultdict(list)
    for port, use in _port_uses(wiring):
        for other in by_port[port]:
            if {use.protocol, other.protocol} != {"cctalk"}:
                yield f"{port}: used by {other.device} and {use.device}; only ccTalk devices can share a port"
            elif use.address == other.address:
                yield f"{port}: {other.device} and {use.device} both have address {use.address}"
        by_port[port].append(use)


def _pin_problems(gpio: Gpio) -> Iterator[str]:
    taken: dict[int, str] = {}
    lines: set[str] = set()
    for line, number in [*((pin.line, pin.pin) for pin in gpio.inputs), *((pin.line, pin.pin) for pin in gpio.outputs)]:
        if not FIRST_PIN <= number <= LAST_PIN:
            yield f"{line}: GPIO {number} is not on the header; pins are {FIRST_PIN} to {LAST_PIN}"
        if number in taken:
            yield f"{line}: GPIO {number} belongs to {taken[number]} already"
        if line in lines:
            yield f"{line}: given twice"
        taken[number] = line
        lines.add(line)
    for pin in gpio.inputs:
        if pin.line.partition(".")[0] not in INPUT_KINDS or pin.line in OUTPUT_LINES:
            yield f"{pin.line}: there is no such input"
    for output in gpio.outputs:
        if output.line not in OUTPUT_LINES and output.line.partition(".")[0] not in OUTPUT_KINDS:
            yield f"{output.line}: there is no such output"


def _pulse_problems(wiring: Wiring) -> Iterator[str]:
    gpio = wiring.panel if isinstance(wiring.panel, Gpio) else None
    pulse = [kind for kind in (wiring.notes, wiring.coins, wiring.hopper) if _is_pulse(kind)]
    if gpio is None:
        if pulse:
            yield "pulse devices need the pins, but the panel is simulated"
        return
    inputs, outputs = {pin.line for pin in gpio.inputs}, {pin.line for pin in gpio.outputs}
    needed: list[tuple[str, str]] = []
    if isinstance(wiring.notes, PulseNotes):
        needed += [("notes", "note.pulses"), ("notes", "note.inhibit")]
    if isinstance(wiring.coins, PulseCoins):
        needed.append(("coins", "coin.inhibit"))
        yield from _coin_line_problems(wiring.coins, inputs)
    if isinstance(wiring.hopper, PulseHopper):
        needed += [("hopper", "hopper.motor"), ("hopper", "hopper.sensor")]
    for device, line in needed:
        if line not in inputs | outputs:
            yield f"{device}: a pulse device needs the line {line}"


def _coin_line_problems(coins: PulseCoins, inputs: set[str]) -> Iterator[str]:
    channels = {line.partition(".")[2] for line in inputs if line.startswith("coin.")} - {"pulses"}
    if ("coin.pulses" in inputs) == bool(channels):
        yield "coins: a pulse acceptor has either the line coin.pulses or lines coin.1, coin.2, …"
    for channel in sorted(channels):
        if not channel.isdigit() or int(channel) not in coins.values_minor:
            yield f"coins: the line coin.{channel} has no value"


def _is_pulse(device: object) -> bool:
    return isinstance(device, PulseNotes | PulseCoins | PulseHopper)
