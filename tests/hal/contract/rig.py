"""What the contract suite needs of a backend, and the registry of backends.

A rig is a device with the program on one side and the hand of the world on the other. A backend adds one line to the
fitting list in ``rigs.py``. Time is the rig's own: ``run`` lets it pass.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from hal.events import DeviceEvent
from hal.interfaces import CoinAcceptor, Hopper, NoteAcceptor, Panel

_Event = TypeVar("_Event", bound=DeviceEvent)


class Rig(Protocol):
    """Common to all kinds."""

    events: list[DeviceEvent]
    """Everything the program has heard since its (re)start, oldest first."""

    def run(self, duration_ms: int) -> None:
        """Let time pass."""

    def cut_power(self) -> None:
        """The whole cabinet loses power: the program dies, the device stops."""

    def host_dies(self) -> None:
        """Only the program dies."""

    def boot(self, last_event: int = 0) -> None:
        """Power is (again) there and a new program starts, with ``events`` empty; it greets the device."""


class NoteRig(Rig, Protocol):
    """A note acceptor that knows at least 1000 and 2000 and has room in its cash box."""

    @property
    def subject(self) -> NoteAcceptor:
        """The acceptor as the program sees it."""

    def insert(self, minor: int) -> None:
        """Push a note in."""

    def jam(self) -> None:
        """Jam it."""

    def clear_jam(self) -> None:
        """Free it."""

    def remove_box(self) -> None:
        """Take the cash box out."""

    def insert_box(self) -> None:
        """Put the cash box in."""

    @property
    def stacked_minor(self) -> list[int]:
        """Notes that ever reached the cash box."""

    @property
    def returned_minor(self) -> list[int]:
        """Notes that ever came back to the player."""


class CoinRig(Rig, Protocol):
    """A coin acceptor that knows at least 100 and 200."""

    @property
    def subject(self) -> CoinAcceptor:
        """The acceptor as the program sees it."""

    def insert(self, minor: int) -> None:
        """Drop a coin in."""

    @property
    def accepted_minor(self) -> list[int]:
        """Coins that ever went in for good."""


class HopperRig(Rig, Protocol):
    """A hopper with 50 coins."""

    @property
    def subject(self) -> Hopper:
        """The hopper as the program sees it."""

    def set_coins(self, count: int) -> None:
        """Make this many coins be in it."""

    @property
    def paid_count(self) -> int:
        """Coins that ever left."""


class PanelRig(Rig, Protocol):
    """A panel with the twelve buttons, three doors and two keys."""

    @property
    def subject(self) -> Panel:
        """The panel as the program sees it."""

    def press(self, button: str) -> None:
        """Finger down."""

    def release(self, button: str) -> None:
        """Finger up."""

    def move_door(self, door: str, is_open: bool) -> None:
        """Open or close a door."""

    def turn_key(self, key: str, is_on: bool) -> None:
        """Turn a key."""

    def lamp(self, button: str) -> str:
        """How the button's lamp looks over a second: ``off``, ``on``, ``blink``."""

    def meter_steps(self, meter: str) -> int:
        """How far the electromechanical meter has gone."""


def heard(rig: Rig, kind: type[_Event]) -> list[_Event]:
    """Return the events of one kind, oldest first."""
    return [event for event in rig.events if isinstance(event, kind)]


def run_until(rig: Rig, true: Callable[[], object], limit_ms: int = 30_000) -> None:
    """Let time pass in small steps until something is true; fails when it never is."""
    for _ in range(0, limit_ms, 20):
        if true():
            return
        rig.run(20)
    raise AssertionError(f"not within {limit_ms} ms; heard {rig.events}")
