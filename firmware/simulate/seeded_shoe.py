"""A shoe shuffled by a seed, card by card as it is drawn.

For simulation only: the order of the cards of a real table comes from ``firmware.rng``, never from here.
"""

from random import Random

from firmware.cards.card import DECK, Card


class SeededShoe:
    """Draws from whole decks without putting cards back, until it is shuffled again."""

    def __init__(self, deck_count: int, seed: int) -> None:
        """Make a freshly shuffled shoe; equal seeds give equal cards for ever."""
        self._cards = list(DECK) * deck_count
        self._position = 0
        self._random = Random(seed)

    @property
    def drawn_count(self) -> int:
        """How many cards have been drawn since the last shuffle."""
        return self._position

    def shuffle(self) -> None:
        """Put all cards back. Each draw picks among all cards that are left, so any order serves as a start."""
        self._position = 0

    def draw(self, count: int) -> list[Card]:
        """Draw ``count`` cards. Raises ValueError when there are not so many."""
        cards, position, end = self._cards, self._position, self._position + count
        if end > len(cards):
            raise ValueError(f"the shoe has {len(cards) - position} cards left, {count} are needed")
        for index in range(position, end):
            chosen = self._random.randrange(index, len(cards))
            cards[index], cards[chosen] = cards[chosen], cards[index]
        self._position = end
        return cards[position:end]
