"""The shoe of a round: its order as text for the journal, and a carried shoe between rounds.

Not responsible for shuffling (``rng``): an order always comes from outside.
"""

from collections import Counter
from dataclasses import dataclass

from firmware.cards.card import DECK, Card, card_text, parse_card
from firmware.errors import InvariantError
from firmware.fairness.commitment import cut, uncut
from firmware.fairness.proof import ShoeProof


@dataclass(frozen=True, slots=True)
class ShoeInPlay:
    """A shuffled shoe: its id, the whole order, and how many cards are gone."""

    shoe_id: str
    order: tuple[Card, ...]
    used_count: int = 0

    def take(self, count: int) -> tuple[tuple[Card, ...], "ShoeInPlay"]:
        """Return the next ``count`` cards and the shoe without them. Raises InvariantError when it runs out."""
        end = self.used_count + count
        if end > len(self.order):
            raise InvariantError(f"shoe {self.shoe_id} has {len(self.order) - self.used_count} cards, {count} needed")
        return self.order[self.used_count : end], ShoeInPlay(self.shoe_id, self.order, end)


@dataclass(frozen=True, slots=True)
class ShoeRecord:
    """A carried shoe as the journal has it: id, order as text, and how many cards are gone."""

    shoe_id: str
    order: str
    used_count: int
    commitment: str = ""
    """Digest that was shown before the stakes; empty for a shoe that was not committed to."""
    salt: str = ""
    cut: int = 0

    @property
    def proof(self) -> ShoeProof | None:
        """The shoe opened for proof; secret until the shoe is finished. None without a commitment."""
        if not self.commitment:
            return None
        return ShoeProof(self.shoe_id, self.commitment, self.salt, self.cut, uncut(self.order, self.cut))

    def in_play(self) -> ShoeInPlay:
        """Return the shoe ready to draw from."""
        return ShoeInPlay(self.shoe_id, parse_order(self.order), self.used_count)


@dataclass(frozen=True, slots=True)
class PreparedShoe:
    """A shoe that is committed to and not dealt from yet: order before the cut, salt (hex), and the player's cut."""

    shoe_id: str
    order: str
    salt: str
    commitment: str
    cut: int = 0

    def record(self, first_card: int) -> ShoeRecord:
        """Return the shoe as it is dealt: cut."""
        return ShoeRecord(self.shoe_id, cut(self.order, self.cut), first_card, self.commitment, self.salt, self.cut)


def order_text(order: tuple[Card, ...]) -> str:
    """Return an order of cards as text, two characters a card."""
    return "".join(map(card_text, order))


def parse_order(text: str) -> tuple[Card, ...]:
    """Return the order of cards for a text of ``order_text``. Raises ValueError for anything else."""
    if len(text) % 2:
        raise ValueError("an order of cards has two characters a card")
    return tuple(parse_card(text[index : index + 2]) for index in range(0, len(text), 2))


def check_order(order: tuple[Card, ...], deck_count: int) -> None:
    """Check that an order holds each card exactly ``deck_count`` times. Raises InvariantError."""
    counts = Counter(order)
    if len(order) != deck_count * len(DECK) or any(counts[card] != deck_count for card in DECK):
        raise InvariantError(f"the shoe is not {deck_count} whole deck(s): {len(order)} cards")
