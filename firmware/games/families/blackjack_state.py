"""The record of a round of blackjack: boxes, hands, the dealer's cards and whose turn it is. Immutable.

Not responsible for what may happen next (``blackjack_play``, ``blackjack_flow``) nor for what is paid.
"""

from dataclasses import dataclass
from typing import Literal

from firmware.cards.card import Card
from firmware.games.families.blackjack_hand import is_natural

HandStatus = Literal["waiting", "playing", "stood", "bust", "surrendered"]
"""``waiting``: a split hand before its second card. A natural is ``stood`` from the start."""

Phase = Literal["deal", "insurance", "early_surrender", "play", "dealer", "settled"]


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a box. Its wager is the box's bet, twice that when ``doubled``."""

    cards: tuple[Card, ...]
    status: HandStatus = "playing"
    doubled: bool = False

    @property
    def open(self) -> bool:
        """Tell whether the player still has to play this hand."""
        return self.status in ("playing", "waiting")


@dataclass(frozen=True, slots=True)
class Box:
    """One betting box: its position, the bet of each of its hands, its hands, and the insurance bought."""

    box: int
    bet_minor: int
    hands: tuple[Hand, ...] = ()
    insurance_minor: int = 0

    @property
    def staked_minor(self) -> int:
        """Bet, splits, doubles and insurance together."""
        wagers = sum(2 if hand.doubled else 1 for hand in self.hands) or 1
        return self.bet_minor * wagers + self.insurance_minor

    @property
    def natural(self) -> bool:
        """Tell whether the box holds a natural: its first two cards, never a split hand."""
        return len(self.hands) == 1 and is_natural(self.hands[0].cards)

    @property
    def untouched(self) -> bool:
        """Tell whether the player's next decision on this box is the first one."""
        return len(self.hands) == 1 and len(self.hands[0].cards) == 2

    def with_hand(self, index: int, hand: Hand) -> "Box":
        """Return the box with one hand replaced."""
        hands = (*self.hands[:index], hand, *self.hands[index + 1 :])
        return Box(self.box, self.bet_minor, hands, self.insurance_minor)


@dataclass(frozen=True, slots=True)
class BlackjackState:
    """A round: boxes in seat order, the dealer's cards in the order dealt (the upcard first), and the turn.

    ``turn`` is the index of the box and ``hand`` of the hand that is asked, or that the next card goes to.
    """

    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...] = ()
    phase: Phase = "deal"
    turn: int = 0
    hand: int = 0

    @property
    def staked_minor(self) -> int:
        """All that the player has put into the round so far."""
        return sum(box.staked_minor for box in self.boxes)

    def with_box(self, index: int, box: Box) -> "BlackjackState":
        """Return the round with one box replaced."""
        boxes = (*self.boxes[:index], box, *self.boxes[index + 1 :])
        return BlackjackState(boxes, self.dealer, self.phase, self.turn, self.hand)
