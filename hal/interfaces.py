"""What the terminal may ask of devices. One small interface per kind; every backend keeps the same contract tests.

All calls return at once and never raise for a device's trouble: what became of a command arrives as events on the sink
given to ``start``. Commands may be called from the terminal's thread only; a driver hands them to its own thread.
A device starts disabled, and is disabled again after every ``DeviceReady``: it takes no money before ``enable``.
A pay-out that was open when its device was lost may be asked for again by the same ``payout_id``.
Not responsible for choosing backends (``hal.build``).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hal.events import DeviceEvent

EventSink = Callable[[DeviceEvent], None]
"""Takes an event from any thread; never blocks for long and never raises."""


class Device(Protocol):
    """What all devices have in common."""

    @property
    def name(self) -> str:
        """The device's name in events and in the journal, e.g. ``notes``."""

    def start(self, sink: EventSink, last_event: int) -> None:
        """Begin to work. ``last_event`` is the highest event number that the journal holds for this device (0: none), in
        keys of credited money and in escrow ids of notes whose stacking was ordered; the number is what follows the last
        colon. A driver whose device has no counter of its own numbers its keys from there, and gives a note that was
        ordered into the cash box before a restart the key with just that number."""

    def stop(self) -> None:
        """Disable the device, stop motors, close the port, end the thread. May be called twice."""


@runtime_checkable
class Threaded(Protocol):
    """A device that is served by a thread of its own, which may hang."""

    @property
    def moved_ms(self) -> int | None:
        """When its thread was last seen at work, in milliseconds of the monotonic clock; None while there is none: not
        started, stopped, or ended by a mistake of its own, which it has reported as a fault."""


class NoteAcceptor(Device, Protocol):
    """A banknote acceptor with escrow."""

    def enable(self, values_minor: Iterable[int]) -> None:
        """Take these denominations and return all others."""

    def disable(self) -> None:
        """Take no more notes; a note in escrow stays until it is decided."""

    def stack(self, escrow_id: str) -> None:
        """Move the escrowed note to the cash box. The intent must be committed first."""

    def return_note(self, escrow_id: str) -> None:
        """Give the escrowed note back."""

    def confirm(self, key: str) -> None:
        """Acknowledge a ``NoteStacked`` after its credit is committed."""


class CoinAcceptor(Device, Protocol):
    """A coin acceptor."""

    def enable(self, values_minor: Iterable[int]) -> None:
        """Take these coins and let all others fall through."""

    def disable(self) -> None:
        """Take no more coins (lock-out coil on)."""

    def route(self, to: str) -> None:
        """Send further coins to ``hopper`` or ``cash_box``."""

    def confirm(self, key: str) -> None:
        """Acknowledge a ``CoinAccepted`` after its credit is committed."""


class Hopper(Device, Protocol):
    """A coin hopper with one kind of coin."""

    @property
    def coin_value_minor(self) -> int:
        """What one coin is worth."""

    def pay(self, payout_id: str, coin_count: int) -> None:
        """Pay this many coins. The intent must be committed first. A repeated ``payout_id`` never pays twice."""

    def halt(self) -> None:
        """Stop the motor at once; ``HopperDone`` with ``stopped`` follows."""


class Printer(Device, Protocol):
    """A printer of receipts and attendant slips."""

    def print_slip(self, slip_id: str, lines: Iterable[str]) -> None:
        """Print a slip. The intent must be committed first. ``SlipPrinted`` or ``SlipFailed`` follows; a repeated
        ``slip_id`` prints nothing and is answered as the first one was."""


class Panel(Device, Protocol):
    """Buttons, lamps, doors, key switches, tower light, hard meters.

    After ``DeviceReady`` it reports every door, every key and each button that is held, and its lamps are dark.
    """

    def set_lamp(self, button: str, state: str) -> None:
        """Set a button's lamp: ``off``, ``on``, ``blink``."""

    def set_tower(self, colour: str, state: str) -> None:
        """Set a tower light (``white``, ``red``, ``green``): ``off``, ``on``, ``blink``."""

    def pulse_meter(self, meter: str, count: int) -> None:
        """Advance an electromechanical meter (``in``, ``out``) by this many steps."""


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of one terminal. A cabinet without a kind of device has None there."""

    panel: Panel
    notes: NoteAcceptor | None = None
    coins: CoinAcceptor | None = None
    hopper: Hopper | None = None
    printer: Printer | None = None

    def all(self) -> tuple[Device, ...]:
        """Return the devices that are there, the panel first."""
        devices = (self.panel, self.notes, self.coins, self.hopper, self.printer)
        return tuple(device for device in devices if device is not None)


BUTTONS = tuple(f"b{number}" for number in range(1, 13))
"""The twelve physical buttons."""
DOORS = ("main", "cash_box", "logic")
KEYS = ("attendant", "operator")
TOWER_COLOURS = ("white", "red")
