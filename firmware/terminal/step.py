"""What a decision gives: entries to record, effects to perform after the commit, and the screen afterwards.

Also what a decision is given besides the state: the environment. Nothing here acts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from display.view_model import Comfort, Gesture, Text
from firmware.cards.card import Card
from firmware.entries.keeping import ProgramReplaced
from firmware.entries.types import Entry, RoundOpened
from firmware.games.coaching import Advice
from firmware.rounds.live import RoundEntries
from firmware.terminal.menu import Machine, MenuPage, no_page
from firmware.terminal.state import GameOnOffer, Games, Question, Screen, State
from hal.events import DeviceEvent


@dataclass(frozen=True, slots=True)
class Boot:
    """The program has started and the journal is folded."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class Shutdown:
    """The program is asked to end."""


@dataclass(frozen=True, slots=True)
class ClosePeriod:
    """The operator closes the running period; ``by`` is who."""

    by: str


@dataclass(frozen=True, slots=True)
class RefillHopper:
    """The operator has put so many coins into the hopper."""

    coin_count: int


@dataclass(frozen=True, slots=True)
class CollectCashBox:
    """The operator has emptied the cash box."""


@dataclass(frozen=True, slots=True)
class ClearFaults:
    """Somebody of a level (``attendant``, ``operator``, ``technician``) clears the faults that this level may clear."""

    level: str


@dataclass(frozen=True, slots=True)
class ReportDone:
    """A report that was asked for is in its folder, or with an ``error`` it is not; ``digest`` is of its JSON form.

    ``cause`` names the error in ``report_troubles.TROUBLES``.
    """

    name: str
    digest: str
    error: str
    cause: str = ""


@dataclass(frozen=True, slots=True)
class MemoryCleared:
    """A memory that could not be read is cleared, or with an ``error`` it is not."""

    error: str = ""


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    """The coach has worked a question out; ``advice`` None: he has none to give."""

    question: Question
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class MemoryCheckDone:
    """The copies of the memory were read and compared, as far as entry ``seq``."""

    seq: int
    copies: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RandomCheckDone:
    """The source of randomness was tested over so many bytes."""

    byte_count: int
    failure: str


@dataclass(frozen=True, slots=True)
class ClockDone:
    """The operating system's clock was set, or with an ``error`` it was not; times are wall times."""

    before_ms: int
    after_ms: int
    level: str
    error: str


@dataclass(frozen=True, slots=True)
class ProgramChecked:
    """The program's files were compared with its signed manifest; ``detail`` is the first difference."""

    state: Literal["signed", "unsigned", "altered"]
    detail: str = ""


Order = ClosePeriod | RefillHopper | CollectCashBox | ClearFaults
"""What an operator orders on the terminal itself, once whoever shows the menu has checked the level."""
Stimulus = (
    Boot
    | Tick
    | Shutdown
    | Gesture
    | DeviceEvent
    | Order
    | ReportDone
    | ProgramChecked
    | AdviceGiven
    | MemoryCheckDone
    | RandomCheckDone
    | MemoryCleared
    | ClockDone
)


@dataclass(frozen=True, slots=True)
class Options:
    """The operator's settings as decisions need them. Amounts in minor units, times in milliseconds."""

    notes_minor: tuple[int, ...]
    coins_minor: tuple[int, ...]
    chips_minor: tuple[int, ...]
    credit_limit_minor: int
    hopper_limit_minor: int
    large_win_minor: int
    hopper_coin_minor: int
    hard_meter_step_minor: int = 100
    """What one step of an electromechanical meter stands for."""
    languages: tuple[str, ...] = ("en", "ru")
    idle_ms: int = 60_000
    device_patience_ms: int = 10_000
    """How long a device may stay silent after the start before what it owes is settled without it."""
    excessive_notes_minor: int = 1_000_000
    """So much in notes between two rounds is not plausible."""
    excessive_coins_minor: int = 100_000
    """So much in coins between two rounds is not plausible."""
    refused_notes_in_a_row: int = 10
    """So many refused notes without one taken are no accident: a dirty acceptor, or somebody who tries."""
    money_during_play: bool = True
    """Notes and coins are taken while a round is open."""
    comfort: Comfort = Comfort()
    """Picture and sound as they are before a player changes them."""
    softest: int = 0
    loudest: int = 4
    """Between which steps of the volume a player may choose."""
    reality_check_ms: int = 0
    """How often a player is told time and result; 0: never."""
    minimum_round_ms: int = 0
    """Shortest time from one deal to the next."""
    session_limit_ms: int = 0
    loss_limit_minor: int = 0
    """After so much time, or with so much lost, no more stakes are taken in this session; 0: no limit."""
    guards: frozenset[str] = frozenset({"operator", "logic"})
    """Which of operator key and logic door this machine has: the set-up wants them turned and open."""
    coach: Literal["off", "missing", "there"] = "off"
    """Whether the values of the buttons may be shown; ``missing``: they may, but what computes them is not installed."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What a decision may know besides the state.

    ``shuffle`` gives a fresh order of so many decks and ``salt`` fresh secret bytes, both of them RandomnessError when the
    source of randomness fails its health tests; ``laid_shoe`` gives an order whose first cards were laid down, or none;
    ``is_recorded`` tells whether a unique key is in the journal.
    """

    now_ms: int
    wall_ms: int
    options: Options
    games: Games
    shuffle: Callable[[int], tuple[Card, ...]]
    salt: Callable[[], bytes]
    laid_shoe: Callable[[int], tuple[Card, ...]]
    is_recorded: Callable[[str], bool]
    program_version: str = ""
    help_page_count: Callable[[str], int] = lambda _: 1
    """How many pages the rules of a game have."""
    storage_low: bool = False
    program_replaced: tuple[ProgramReplaced, ...] = ()
    """How the version that runs came to run; what the journal does not know yet is recorded at the start."""
    is_program_watched: bool = False
    """The program's files are checked: no money is taken before the first ``ProgramChecked``."""
    randomness_failure: str = ""
    """What the health tests of the source of randomness found at the start; empty: nothing."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The settings in force, values as canonical JSON text; empty: they are not to be recorded."""
    menu_page: "Callable[[State, Environment], MenuPage]" = no_page
    """The page of the operator's menu at which somebody is."""
    machine: Callable[[], Machine] = Machine
    pin_levels: frozenset[str] = frozenset()
    """Levels of the menu that need a PIN."""
    is_pin: Callable[[str, str], bool] = lambda *_: False
    """Tells whether digits are the PIN of a level."""
    setting_problem: Callable[[str, str], str] = lambda *_: ""
    """Says what is wrong with a value (JSON text) for a setting, empty when it fits."""
    hash_pin: Callable[[str], str] = str
    """Makes what is kept of a PIN. Raises ValueError for digits that can't be one."""
    calibration: Callable[[Sequence[tuple[int, int, int, int]]], tuple[int, ...] | None] = lambda _: None
    """From touches and crosses to the calibration in millionths; None when they give none."""
    clear_refusals: Callable[[State], tuple[Text, ...]] = lambda _: ()
    """Why the memory may not be cleared now."""
    clear_code: Callable[[], str] = str
    """The digits that have to be typed to clear this very memory."""
    local_ms: Callable[[int], int] = int
    """From wall-clock milliseconds in UTC to local ones."""
    past_rounds: Callable[[int, int], tuple[RoundEntries, ...]] = lambda *_: ()
    """The settled rounds among the last so many (second) up to a number (first), oldest first, out of the whole journal."""
    as_played: Callable[[RoundOpened], GameOnOffer | None] = lambda _: None
    """The game by whose rules a past round was played; None when they are not known."""


@dataclass(frozen=True, slots=True)
class StackNote:
    """Stack the note in escrow."""

    escrow_id: str


@dataclass(frozen=True, slots=True)
class ReturnNote:
    """Give the note in escrow back."""

    escrow_id: str


@dataclass(frozen=True, slots=True)
class ConfirmNote:
    """Acknowledge a stacked note: its credit is committed."""

    key: str


@dataclass(frozen=True, slots=True)
class ConfirmCoin:
    """Acknowledge a coin: its credit is committed."""

    key: str


@dataclass(frozen=True, slots=True)
class PayHopper:
    """Pay coins from the hopper."""

    payout_id: str
    coin_count: int


@dataclass(frozen=True, slots=True)
class HaltHopper:
    """Stop the hopper at once."""


@dataclass(frozen=True, slots=True)
class SaveReport:
    """Write a report to the folder of reports; ``ReportDone`` tells what became of it."""

    report: str
    language: str


@dataclass(frozen=True, slots=True)
class ClearMemory:
    """Clear a memory that can't be read, for somebody of a level and for a reason (``decide_ram_clear.REASONS``);
    ``MemoryCleared`` tells what became of it."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class StopReport:
    """Stop the report that is being saved; nothing of it stays. ``level`` is whose wish it is."""

    level: str


@dataclass(frozen=True, slots=True)
class PrintReport:
    """Print a report as a slip."""

    slip_id: str
    report: str
    language: str


@dataclass(frozen=True, slots=True)
class PrintSlip:
    """Print a slip about an amount that an attendant has to pay."""

    slip_id: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class PrintTest:
    """Print a test slip, marked as void."""

    slip_id: str


@dataclass(frozen=True, slots=True)
class PulseMeter:
    """Advance an electromechanical meter in a test."""

    meter: str
    step_count: int


@dataclass(frozen=True, slots=True)
class CheckMemory:
    """Read and compare all copies of the memory; ``MemoryCheckDone`` follows."""


@dataclass(frozen=True, slots=True)
class CheckRandom:
    """Test the source of randomness; ``RandomCheckDone`` follows."""


@dataclass(frozen=True, slots=True)
class SetClock:
    """Set the operating system's clock; ``ClockDone`` follows."""

    wall_ms: int
    level: str


@dataclass(frozen=True, slots=True)
class Restart:
    """Stop everything and start again from the journal."""


Effect = (
    StackNote
    | ReturnNote
    | ConfirmNote
    | ConfirmCoin
    | PayHopper
    | HaltHopper
    | SaveReport
    | StopReport
    | ClearMemory
    | PrintReport
    | PrintSlip
    | PrintTest
    | PulseMeter
    | CheckMemory
    | CheckRandom
    | SetClock
    | Restart
)


@dataclass(frozen=True, slots=True)
class Step:
    """A decision: record the entries, then perform the effects; show ``screen``."""

    screen: Screen
    entries: tuple[Entry, ...] = ()
    effects: tuple[Effect, ...] = ()

    def with_sound(self, name: str) -> "Step":
        """Return the step with a sound asked for."""
        screen = self.screen
        number = screen.sound_count + 1
        sounds = (*screen.sounds[-7:], (number, name))
        return replace(self, screen=replace(screen, sounds=sounds, sound_count=number))
