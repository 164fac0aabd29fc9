"""What every game is to the rest of the program: a pure machine of decision, chance and settled nodes.

A game never draws a card, never sees a shoe, a clock or randomness, and never moves money. The caller opens a round
with stakes, hands over as many cards as a chance node asks for, passes on the player's actions, and books what the
settled node says. The same objects serve play, replay, the round record, the mathematics and the tests.

Not responsible for the ledger (``firmware.ledger``), the order of the shoe (``firmware.rounds``) or pixels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from firmware.cards.card import Card


class StakeRefusedError(ValueError):
    """The stakes can't be taken: the text is one line that names the item and the reason."""


class ActionRefusedError(ValueError):
    """The action is not legal here: the text is one line that names the item and the reason."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What the player puts on one box before the deal.

    ``box`` is the position on the table, 1-6. ``lines`` maps a betting line (``ante``, ``jackpot``; ``bet``;
    ``player``, ``banker``, ``tie``) to its amount in minor units. The order of the stakes is the order of purchase.
    """

    box: int
    lines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Action:
    """One choice of the player; ``cards`` are the discards of an exchange, ``hand`` counts split hands from 0."""

    box: int
    name: str
    cards: tuple[Card, ...] = ()
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that is legal now: its name, what it costs at once, and how many own cards it names (exchange)."""

    name: str
    cost_minor: int
    card_count: int = 0


class RoundState(Protocol):
    """The game's own immutable record of a round; opaque to everybody else, comparable with ``==``."""

    @property
    def staked_minor(self) -> int:
        """All that the player has put into the round so far: stakes, fees, raises, in minor units."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody must choose: the player, for hand ``hand`` of box ``box``."""

    state: RoundState
    box: int
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Chance:
    """The game needs exactly ``card_count`` cards, in the order in which the shoe gives them."""

    state: RoundState
    card_count: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The round is over; nothing can change ``outcome``."""

    state: RoundState
    outcome: "Outcome"


Node = Decision | Chance | Settled


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """One betting line's end: what was staked on it and what comes back, stake included, in minor units."""

    line: str
    staked_minor: int
    paid_minor: int


@dataclass(frozen=True, slots=True)
class BoxOutcome:
    """One box's end. ``hands`` holds one entry per hand (several after a split): hand name or total as text.

    ``result`` is ``win``, ``lose``, ``push``, ``fold``, ``no_qualify``, ``surrender``, ``bust`` or ``blackjack``.
    """

    box: int
    result: str
    lines: tuple[LineOutcome, ...]
    hands: tuple["HandOutcome", ...]

    @property
    def staked_minor(self) -> int:
        """The sum of all lines' stakes."""
        return sum(line.staked_minor for line in self.lines)

    @property
    def paid_minor(self) -> int:
        """The sum of all that comes back."""
        return sum(line.paid_minor for line in self.lines)


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """One hand of a box at the end: its cards, its class (``full_house``; ``17``, ``soft_18``, ``blackjack``)."""

    cards: tuple[Card, ...]
    name: str
    result: str
    second_name: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A settled round: boxes in seat order, the dealer's cards and class, the jackpot meter afterwards."""

    boxes: tuple[BoxOutcome, ...]
    dealer_cards: tuple[Card, ...]
    dealer_name: str
    dealer_qualifies: bool | None = None
    jackpot_meter_minor: int | None = None
    jackpot_won_minor: int = 0

    @property
    def staked_minor(self) -> int:
        """All that the player put in."""
        return sum(box.staked_minor for box in self.boxes)

    @property
    def paid_minor(self) -> int:
        """All that goes back to the player, returned stakes included."""
        return sum(box.paid_minor for box in self.boxes)


# --- What the player may see -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardSlot:
    """A place with a card: ``card`` is None while it lies face down. ``mark`` is "", "up" or "dead"."""

    card: Card | None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class HandLayout:
    """A hand on the table: its slots, the class or total that may be shown (as in ``HandOutcome.name``), and flags.

    ``best`` holds the indices of the slots that form the combination; ``result`` is set once it is decided.
    """

    slots: tuple[CardSlot, ...]
    name: str | None = None
    second_name: str | None = None
    best: tuple[int, ...] = ()
    active: bool = False
    result: str | None = None
    staked_minor: int | None = None
    """The money on this hand alone, where a box may hold several hands (blackjack); None elsewhere."""


@dataclass(frozen=True, slots=True)
class LineLayout:
    """Money lying on a betting line, and what came back once the round is settled."""

    line: str
    staked_minor: int
    paid_minor: int | None = None


@dataclass(frozen=True, slots=True)
class BoxLayout:
    """A box in play. ``state`` is ``waiting``, ``active``, ``done``, ``blind``, ``folded`` or ``settled``."""

    box: int
    state: str
    hands: tuple[HandLayout, ...]
    lines: tuple[LineLayout, ...]
    result: str | None = None


@dataclass(frozen=True, slots=True)
class TableLayout:
    """All that may be on the screen during a round: never a face that the player may not see yet."""

    boxes: tuple[BoxLayout, ...]
    dealer: HandLayout
    player: HandLayout | None = None
    """Baccarat's player hand (the dealer hand is the banker's); None elsewhere."""
    dealer_qualifies: bool | None = None


@dataclass(frozen=True, slots=True)
class PaytableRow:
    """One line of the printed paytable: ``pays`` numerator to denominator on ``line``, for the class ``name``.

    ``percent_of_meter`` is set for a jackpot prize that is a share of the meter; ``amount_minor`` for a fixed one.
    """

    line: str
    name: str
    pays: tuple[int, int] | None = None
    percent_of_meter: int | None = None
    amount_minor: int | None = None


@dataclass(frozen=True, slots=True)
class LineSpec:
    """A betting line that is open before the deal: its limits in minor units and whether it may stand alone."""

    line: str
    minimum_minor: int
    maximum_minor: int
    step_minor: int
    optional: bool = False


@dataclass(frozen=True, slots=True)
class FeeSpec:
    """The price of an action during play: ``antes`` (numerator, denominator) times the box's ante, never returned."""

    action: str
    antes: tuple[int, int]
    card_count: int = 0


@dataclass(frozen=True, slots=True)
class TableSpec:
    """What the table offers before the deal: family (``poker``, ``baccarat``, ``blackjack``), boxes, lines, shoe."""

    family: str
    positions: tuple[int, ...]
    max_boxes: int
    blind_from: int | None
    """The n-th box bought from here on is blind (3 in poker), None where no box is blind."""
    neighbours_only: bool
    lines: tuple[LineSpec, ...]
    deck_count: int
    shoe_carried: bool
    """True: the shoe stays for the next round until the cut card is reached; False: shuffled before each round."""
    cut_after_count: int
    """Cards of a carried shoe after which it is reshuffled before the next round."""
    most_cards_per_round: int
    """An upper bound (proved in the tests) of the cards that one round can take."""
    second_combination: bool = False
    """True where a hand may have a second combination that pays as well (Russian Poker)."""
    max_win_minor: int | None = None
    """The most that one box can win on its main bets, to be shown before betting; None without such a cap."""
    fees: tuple[FeeSpec, ...] = ()
    """What drawing cards costs, for the table art and the help pages; empty where nothing is sold."""
    button_names: Mapping[str, str] = field(default_factory=dict)
    """Action name -> what this table calls it (a catalogue key), where that differs from the action's own name."""


class Game(Protocol):
    """A game with its profile. Pure: equal arguments give equal results for ever."""

    @property
    def id(self) -> str:
        """The game's id, e.g. ``oasis``."""

    @property
    def spec(self) -> TableSpec:
        """What the table offers."""

    @property
    def paytable(self) -> tuple[PaytableRow, ...]:
        """The one place from which settlement, table art, help and the PAR sheet read what is paid."""

    def cost_minor(self, stakes: Sequence[Stake]) -> int:
        """Return what opening a round with these stakes takes from the balance (a blind box pays its bet too)."""

    def most_paid_minor(self, stakes: Sequence[Stake], jackpot_meter_minor: int | None = None) -> int:
        """Return the declared maximum: no round opened with these stakes ever pays back more, stakes included."""

    def open(self, stakes: Sequence[Stake], balance_minor: int, jackpot_meter_minor: int | None = None) -> Chance:
        """Open a round.

        Args:
            stakes: one per box, in the order of purchase.
            balance_minor: the player's credit before the stakes are taken.
            jackpot_meter_minor: the meter as it stands, for a game that has one.

        Raises:
            StakeRefusedError: box, line, limit, balance, or a stake whose fees and wins would not be whole.
        """

    def deal(self, node: Chance, cards: Sequence[Card]) -> Node:
        """Hand over exactly ``node.card_count`` cards. Raises ValueError for another number."""

    def choices(self, node: Decision, balance_minor: int) -> tuple[Choice, ...]:
        """Return the legal actions for this balance (the credit that is left), best-known order for buttons."""

    def act(self, node: Decision, action: Action, balance_minor: int) -> Node:
        """Apply the player's action. Raises ActionRefusedError, leaving nothing changed (nodes are immutable)."""

    def layout(self, node: Node) -> TableLayout:
        """Return what the player may see at this node."""
