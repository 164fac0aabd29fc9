"""The terminal's state: what is recorded (folded from the journal alone) and what is only on the screen.

``Recorded`` survives everything because it is made of entries. ``Screen`` may be lost in a power cut without anybody
losing anything. Both are immutable. Not responsible for changing them (``evolve``, ``decide``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from display.view_model import Comfort, Text
from firmware.entries import service
from firmware.entries import types as entry
from firmware.games.coaching import Advice
from firmware.games.contract import Action, Game, Stake
from firmware.ledger.books import Books
from firmware.ledger.periods import Periods
from firmware.rounds.live import LiveRound, RoundEntries
from firmware.rounds.shoes import PreparedShoe, ShoeRecord
from firmware.terminal.cash_box import CashBox
from firmware.terminal.chronicle import Chronicle
from firmware.terminal.guests import Guest
from firmware.terminal.menu import Menu


@dataclass(frozen=True, slots=True, eq=False)
class GameOnOffer:
    """A game that this terminal deals: the rules with their profile, the profile's digest and options (``facts``),
    and the jackpot's start for a game that has a meter. Made once; compared by identity."""

    game: Game
    digest: str
    facts: Mapping[str, object] = field(default_factory=dict)
    jackpot_seed_minor: int | None = None
    house_edge: Fraction | None = None
    """What the house keeps of a first stake under best play, as the PAR sheet of exactly these rules says; None without."""


Games = Mapping[str, GameOnOffer]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is up."""

    code: str
    device: str
    detail: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class Payout:
    """A cash-out that is not finished: started, coins counted so far, and whether the hopper is done."""

    started: entry.CashOutStarted
    paid_count: int = 0
    hopper_done: bool = False


@dataclass(frozen=True, slots=True)
class HopperTest:
    """A pay test of the hopper that is not finished, and the coins counted so far."""

    started: service.HopperTestStarted
    paid_count: int = 0


@dataclass(frozen=True, slots=True)
class Counter:
    """What a device's own lifetime counter should be by the journal."""

    serial: str
    count: int
    is_in_doubt: bool = False
    """A fault says already that something moved which nobody could count; the next reading is where counting begins anew."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """All that the journal says. Maps are keyed by game id or device name."""

    commissioned: entry.Commissioned | None = None
    books: Books = field(default_factory=Books)
    round: RoundEntries | None = None
    """The open round."""
    last_round: RoundEntries | None = None
    """The last settled round, until the credit is cashed out."""
    history: tuple[RoundEntries, ...] = ()
    """The last settled rounds, oldest first."""
    guest: Guest = field(default_factory=Guest)
    shoes: Mapping[str, ShoeRecord] = field(default_factory=dict)
    prepared: Mapping[str, PreparedShoe] = field(default_factory=dict)
    """Shoes that are committed to and not dealt from yet: a game has one when its next round needs a fresh shoe."""
    jackpots_minor: Mapping[str, int] = field(default_factory=dict)
    rebets: Mapping[str, tuple[Stake, ...]] = field(default_factory=dict)
    note: entry.NoteIntended | None = None
    begun: frozenset[str] = frozenset()
    """Devices whose pulses have begun to tell money and have not ended."""
    payout: Payout | None = None
    faults: tuple[Fault, ...] = ()
    doors_open: frozenset[str] = frozenset()
    keys_on: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many rounds, payouts, boots, refills, collections there were: the next one's number follows. Also how many notes
    the acceptor refused since it last took one (``rejects``)."""
    periods: Periods = field(default_factory=Periods)
    settings: Mapping[str, str] = field(default_factory=dict)
    """The settings as last recorded, values as canonical JSON text; empty before they were recorded at all."""
    overrides: Mapping[str, str] = field(default_factory=dict)
    """Settings changed in the menu: they stand before those of the file, until a RAM clear."""
    chronicle: Chronicle = field(default_factory=Chronicle)
    cash_box: CashBox = field(default_factory=CashBox)
    pins: Mapping[str, str] = field(default_factory=dict)
    """PINs chosen on the screen, as hashes by level: they stand before those of the file."""
    set_up_wanted: bool = False
    """The journal is new and nobody has finished the set-up."""
    set_up_steps: frozenset[str] = frozenset()
    """Steps of the set-up that are confirmed."""
    ram_clear: service.RamClearConfirmed | None = None
    """The memory is to be cleared before anything else."""
    hopper_test: HopperTest | None = None
    reports_ordered: tuple[str, ...] = ()
    """Reports that were ordered and have no end yet, oldest first."""
    wrong_pins: int = 0
    wrong_pin_ms: int = 0
    """How many PINs in a row were wrong, and when the last one was entered (wall time)."""
    program_version: str = ""
    """The version that booted last."""
    last_events: Mapping[str, int] = field(default_factory=dict)
    """The highest event number credited for a device."""
    counters: Mapping[str, Counter] = field(default_factory=dict)
    """By device, for devices that have a counter of their own."""
    clean_stop: bool = True
    last_at_ms: int = 0

    @property
    def credit_minor(self) -> int:
        """The player's credit."""
        return self.books.credit_minor

    @property
    def own_history(self) -> tuple[RoundEntries, ...]:
        """Return the last rounds that the guest at the table played himself."""
        return tuple(entries for entries in self.history if entries.opened.number > self.guest.played_before)

    def is_finished(self, game: str, shoe_id: str) -> bool:
        """Tell whether nothing will be dealt from a shoe of a game any more, so that it may be told as a whole."""
        if self.round is not None and self.round.opened.shoe_id == shoe_id:
            return False
        last = self.shoes.get(game)
        return last is None or last.shoe_id != shoe_id or game in self.prepared

    def count(self, name: str) -> int:
        """Return how many there were of something."""
        return self.counts.get(name, 0)


@dataclass(frozen=True, slots=True)
class Bet:
    """Chips that lie on the table before the deal; they are still the player's credit."""

    position: int
    line: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class NoticeUp:
    """A short message and until when it stays."""

    text: Text
    tone: str
    until_ms: int


@dataclass(frozen=True, slots=True)
class Pages:
    """Where the player is among the pages: rules, past hands, settings, his session, or a reality check."""

    topic: str = "rules"
    """``rules``, ``hands``, ``settings``, ``session``, ``fairness`` or ``check``."""
    back_to: str = "lobby"
    """The scene from which the pages were opened."""
    game: str = ""
    """The game whose rules are read."""
    page: int = 0
    cursor: int = 0
    hands_back: int = 0
    """Which past hand is shown: 0 is the last one."""
    steps_back: int = 0
    """How many of its choices are taken back: 0 shows its end."""
    typed: str | None = None
    """The digits of the player's number for the shuffle; None: he types none now."""


@dataclass(frozen=True, slots=True)
class Session:
    """A player's sitting, from the first credit until the credit is gone and nobody is there; the meters at its start."""

    since_ms: int
    checked_ms: int
    """When the player was last told time and result."""
    wagered_minor: int
    returned_minor: int
    round_count: int


@dataclass(frozen=True, slots=True)
class Question:
    """A decision as the coach is asked about it: any other round, step or credit is another question."""

    round_id: str
    act_count: int
    credit_minor: int


@dataclass(frozen=True, slots=True)
class Counsel:
    """The coach's answer; ``advice`` None: he has none to give."""

    question: Question
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice that was not the best: what it gave away, in millionths of the first stake, and what was better."""

    round_id: str
    cost_millionths: int
    best: Action


@dataclass(frozen=True, slots=True)
class Screen:
    """What only the screen knows: where the player is, chips not yet staked, cards marked, live device conditions."""

    scene: str = "attract"
    """``attract``, ``lobby``, ``table``, or ``help`` for the pages that a player can open."""
    game: str = ""
    language: str = "en"
    bets: tuple[Bet, ...] = ()
    undo: tuple[tuple[Bet, ...], ...] = ()
    chip_minor: int = 0
    spot: int = 0
    marked: tuple[int, ...] = ()
    cut: int = 0
    """Where the player wants the prepared shoe to be cut; 0: not at all."""
    pages: Pages = Pages()
    menu: Menu | None = None
    """The operator's menu while it is open; everything else stays as it was before."""
    comfort: Comfort = Comfort()
    """What the player has chosen about picture and sound."""
    session: Session | None = None
    coached: bool = True
    """Whether the player wants the coach, where there is one."""
    counsel: Counsel | None = None
    mistake: Mistake | None = None
    dealt_at_ms: int | None = None
    """When the last round was opened, for the shortest time between two deals."""
    shows_result: bool = False
    notice: NoticeUp | None = None
    lock_up: Fault | None = None
    """A contradiction found by the program itself; nothing but a restart and a check ends it."""
    ready: frozenset[str] = frozenset()
    """Devices that answered since the start."""
    conditions: frozenset[tuple[str, str]] = frozenset()
    """(device, condition) that a device reports as present right now."""
    note_in_escrow: str = ""
    booted_at_ms: int = 0
    hopper_lost_at_ms: int = 0
    sets_clock: bool = False
    """The clock is being set from the menu: its jump is no fault."""
    clock_offset_ms: int | None = None
    """Wall clock less monotonic clock at the last tick; None before the first."""
    panel_ready_ms: int = -1_000_000
    """When the panel last answered for the first time."""
    active_at_ms: int = 0
    sounds: tuple[tuple[int, str], ...] = ()
    sound_count: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """The terminal: recorded and screen; ``live`` and ``last`` are the recorded rounds on their cards."""

    recorded: Recorded
    screen: Screen
    live: LiveRound | None = None
    last: LiveRound | None = None

    @property
    def is_memory_lost(self) -> bool:
        """Tell whether nothing of the memory could be read: its figures would all be zero, and untrue."""
        return self.screen.lock_up is not None and self.recorded.commissioned is None
