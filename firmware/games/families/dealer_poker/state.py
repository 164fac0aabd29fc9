"""What a round of dealer poker remembers: its boxes, the dealer's hand, and how far it has come. Immutable.

Not responsible for changing it (``actions``, ``dealing``) or for what it is worth (``settlement``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from firmware.cards.card import Card, rank_of
from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, rank_five
from firmware.games.contract import RoundState


class Stage(Enum):
    """How far a round has come."""

    DEAL = "deal"
    """The first cards are to be dealt."""
    PLAY = "play"
    """The box at ``turn`` chooses."""
    DRAW = "draw"
    """The box at ``turn`` gets the cards it bought."""
    OFFER = "offer"
    """The dealer does not qualify; the box at ``turn`` takes its ante or buys his game."""
    DEALER_DRAW = "dealer_draw"
    """The dealer gets the cards that were bought for him."""
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class BoxState:
    """One box. Amounts in minor units; ``dealt`` is the hand as dealt, which the jackpot judges."""

    box: int
    ante_minor: int
    jackpot_minor: int
    blind: bool
    bet_minor: int = 0
    cards: tuple[Card, ...] = ()
    dealt: tuple[Card, ...] = ()
    folded: bool = False
    drawn: str = ""
    """``exchange`` or ``buy_card`` once that is done; there is no second draw."""
    draw_fee_minor: int = 0
    offer_answer: str = ""
    """``take_ante`` or ``buy_dealer_card``."""
    game_fee_minor: int = 0
    dealer: tuple[Card, ...] = ()
    """The dealer's hand after the purchase of his game, as it counts for this box; empty before or without it."""

    @property
    def staked_minor(self) -> int:
        """All that the player has put into this box."""
        return self.ante_minor + self.jackpot_minor + self.bet_minor + self.draw_fee_minor + self.game_fee_minor

    @property
    def is_open(self) -> bool:
        """Whether the player sees this box's cards and decides about it."""
        return not self.blind


@dataclass(frozen=True, slots=True)
class PokerRound:
    """One round. ``boxes`` are in seat order; ``turn`` is an index into them."""

    boxes: tuple[BoxState, ...]
    stage: Stage
    meter_minor: int | None = None
    """The jackpot meter when the round began."""
    dealer: tuple[Card, ...] = ()
    turn: int = 0
    discards: tuple[Card, ...] = ()
    """The cards given up in the draw that is under way, in the order in which they are replaced."""
    dealer_dead: tuple[Card, ...] = ()
    """The dealer's dropped card and cards drawn for him that did not count."""

    @property
    def staked_minor(self) -> int:
        """All that the player has put into the round so far."""
        return sum(box.staked_minor for box in self.boxes)

    @property
    def active(self) -> BoxState:
        """The box at ``turn``."""
        return self.boxes[self.turn]

    def with_active(self, box: BoxState, stage: Stage, discards: tuple[Card, ...] = ()) -> "PokerRound":
        """Return the round with another state of the box at ``turn``, in another stage."""
        boxes = (*self.boxes[: self.turn], box, *self.boxes[self.turn + 1 :])
        return replace(self, boxes=boxes, stage=stage, discards=discards)


def poker_round(state: RoundState) -> PokerRound:
    """Return a contract's opaque state as what it is. Raises TypeError for a state of another family."""
    if not isinstance(state, PokerRound):
        raise TypeError(f"not a round of dealer poker: {type(state).__name__}")
    return state


def qualifies(dealer: Sequence[Card]) -> bool:
    """Tell whether the dealer's five cards are Ace-King or better."""
    return rank_five(dealer) >= LOWEST_ACE_KING_KEY


def highest_card(dealer: Sequence[Card]) -> Card:
    """Return the card that a dealer without a combination drops: his highest, an ace above all."""
    return max(dealer, key=rank_of)


def dealer_for(state: PokerRound, box: BoxState) -> tuple[Card, ...]:
    """Return the dealer's hand as it counts for a box: his own, or the one bought for him."""
    return box.dealer or state.dealer


def final_dealer(state: PokerRound) -> tuple[Card, ...]:
    """Return the dealer's hand at the end: the bought one where all buyers share it, else the dealt one."""
    bought = {box.dealer for box in state.boxes if box.dealer}
    return bought.pop() if len(bought) == 1 else state.dealer


def played(state: PokerRound) -> bool:
    """Tell whether at least one box plays against the dealer."""
    return any(not box.folded for box in state.boxes)
