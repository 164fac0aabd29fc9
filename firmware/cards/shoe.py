"""The shoe: cards in a fixed order, of which some have been drawn. Immutable; drawing returns a new shoe.

Not responsible for how the order came about (``firmware.rng``) nor for when a carried shoe is shuffled again
(``firmware.rounds``).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from firmware.cards.card import Card, card_text


class ShoeError(ValueError):
    """The order is no shoe, or the shoe has run out; the text is one line."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """``order`` are all cards, ``position`` how many of them are drawn. Make one with ``Shoe.of``, which checks."""

    order: tuple[Card, ...]
    position: int = 0

    @classmethod
    def of(cls, order: Iterable[Card], deck_count: int = 1, position: int = 0) -> Self:
        """Return a shoe after checking it.

        Args:
            order: the cards as they will be drawn; all of them or only the first ones.
            deck_count: how often the same card may be there.
            position: how many are drawn already.

        Raises:
            ShoeError: a card is there too often, or the position lies outside.
        """
        cards = tuple(order)
        for card, count in Counter(cards).items():
            if not 0 <= card < 52:
                raise ShoeError(f"{card} is not a card")
            if count > deck_count:
                raise ShoeError(f"{card_text(card)} is there {count} times in {deck_count} deck(s)")
        if not 0 <= position <= len(cards):
            raise ShoeError(f"position {position} lies outside a shoe of {len(cards)} cards")
        return cls(cards, position)

    @property
    def remaining_count(self) -> int:
        """How many cards can still be drawn."""
        return len(self.order) - self.position

    def draw(self, count: int) -> tuple[tuple[Card, ...], Self]:
        """Return the next ``count`` cards and the shoe without them.

        Raises:
            ShoeError: there are not so many.
        """
        if not 0 <= count <= self.remaining_count:
            raise ShoeError(f"the shoe has {self.remaining_count} cards left, {count} are needed")
        end = self.position + count
        return self.order[self.position : end], type(self)(self.order, end)
