"""The physical state of the simulated cabinet, which outlives the program, and its file.

Times in it are those of the world's clock; ``World`` shifts them when a saved world goes on at another time. Not
responsible for behaviour.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from hal.errors import HalError
from hal.interfaces import DOORS, KEYS


class WorldFileError(HalError, ValueError):
    """A saved world can't be read; the text names the file and says what to do."""


NotePhase = Literal["idle", "accepting", "escrow", "stacking", "returning", "rejecting"]


@dataclass(slots=True)
class StackedNote:
    """A note in the cash box whose credit the program has not confirmed."""

    key: str
    denomination_minor: int


@dataclass(slots=True)
class NoteState:
    """The note acceptor: the note inside it, its memory, and its cash box."""

    serial: str
    epoch: int = 1
    event_count: int = 0
    escrow_count: int = 0
    stacked_count: int = 0
    phase: NotePhase = "idle"
    note_minor: int = 0
    reject_reason: str = ""
    since_ms: int = 0
    unconfirmed: list[StackedNote] = field(default_factory=list)
    repeat_ms: int = 0
    returned_unreported_minor: int | None = None
    uncertain: bool = False
    jammed: bool = False
    box_fitted: bool = True
    box_full: bool = False
    box: dict[int, int] = field(default_factory=dict)
    """Notes in the cash box: denomination -> count."""
    mouth: list[int] = field(default_factory=list)
    """Notes given back, oldest first, that nobody has taken yet."""


@dataclass(slots=True)
class TakenCoin:
    """A coin that went in and whose credit the program has not confirmed."""

    key: str
    value_minor: int
    to: str


@dataclass(slots=True)
class FallingCoin:
    """A coin that has passed the gate and reaches its place at ``due_ms``."""

    value_minor: int
    to: str
    due_ms: int


@dataclass(slots=True)
class CoinState:
    """The coin acceptor, the coins on their way through it, and the coins in the cash box."""

    serial: str
    epoch: int = 1
    event_count: int = 0
    accepted_count: int = 0
    falling: list[FallingCoin] = field(default_factory=list)
    unconfirmed: list[TakenCoin] = field(default_factory=list)
    repeat_ms: int = 0
    jammed: bool = False
    box: dict[int, int] = field(default_factory=dict)
    """Coins in the cash box: value -> count."""
    cup: list[int] = field(default_factory=list)
    """Coins that fell through, oldest first, that nobody has taken yet."""


@dataclass(slots=True)
class Payout:
    """A pay-out as the hopper remembers it. ``reason`` is empty while it runs."""

    payout_id: str
    requested_count: int
    paid_count: int = 0
    reason: str = ""


@dataclass(slots=True)
class HopperState:
    """The hopper, its coins and its memory of pay-outs."""

    serial: str
    coin_count: int
    dispensed_count: int = 0
    payouts: list[Payout] = field(default_factory=list)
    """Oldest first; the last one may be running."""
    due_ms: int = 0
    """When the next coin falls, or when the hopper gives up."""
    jammed: bool = False
    empty: bool = False


@dataclass(slots=True)
class PanelState:
    """Doors, keys, held buttons and the electromechanical meters."""

    doors: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(DOORS, False))
    keys: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(KEYS, False))
    meters: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class WorldState:
    """Everything physical. ``tray_minor`` are coins in the pay-out tray, ``taken_minor`` those the player took from it."""

    now_ms: int
    powered: bool
    notes: NoteState
    coins: CoinState
    hopper: HopperState
    panel: PanelState = field(default_factory=PanelState)
    tray_minor: int = 0
    taken_minor: int = 0


_ADAPTER = TypeAdapter(WorldState)


def write_state(state: WorldState, path: Path) -> None:
    """Replace the file by this state at once: whoever reads it finds the old or the new one, whole.

    It isn't synced to the disk: the death of the program is simulated, that of the PC is not.
    """
    scratch = path.with_name(path.name + ".new")
    scratch.write_bytes(_ADAPTER.dump_json(state, indent=1))
    scratch.replace(path)


def read_state(path: Path) -> WorldState:
    """Read a saved state. Raises ``WorldFileError`` for a file that is not one, ``OSError`` if it can't be read."""
    try:
        return _ADAPTER.validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise WorldFileError(
            f"{path}: not a saved simulated cabinet ({where}: {first['msg']}); move it away to start with a new cabinet"
        ) from error
