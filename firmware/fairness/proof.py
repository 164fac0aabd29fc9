"""A shoe's proof: all that is needed to make its commitment again. One form for records, screen and QR code. Pure.

Not responsible for when a proof may be told (``rounds.shoes``) or for what it proves of a round (``verify``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from firmware.fairness.commitment import commitment_of

TEXT_FORM: Final = "CROUPIER-SHOE:1"
_FIELDS: Final = 7


@dataclass(frozen=True, slots=True)
class ShoeProof:
    """A shoe that is opened: its name, commitment, salt (hex), the player's cut, and the order before the cut."""

    shoe_id: str
    commitment: str
    salt: str
    cut: int
    order: str

    @property
    def is_sound(self) -> bool:
        """Tell whether salt and order give the commitment."""
        return commitment_of(self.shoe_id, self.salt, self.order) == self.commitment

    def as_values(self, first_card: int) -> dict[str, object]:
        """Return the proof as plain JSON values for a round whose first card lay at ``first_card`` of the cut shoe."""
        return {
            "shoe": self.shoe_id,
            "commitment": self.commitment,
            "salt": self.salt,
            "cut": self.cut,
            "order": self.order,
            "first_card": first_card,
        }

    def as_text(self) -> str:
        """Return the proof in capitals, digits and colons, which make a small QR code."""
        parts = (TEXT_FORM, self.shoe_id, self.commitment, self.salt, str(self.cut), self.order)
        return ":".join(parts).upper()


def proof_of_text(text: str) -> ShoeProof:
    """Return the proof of a QR code's text.

    Raises:
        ValueError: the text is none; says what is wrong.
    """
    parts = text.strip().split(":")
    if ":".join(parts[:2]).upper() != TEXT_FORM or len(parts) != _FIELDS:
        raise ValueError(f"found no {TEXT_FORM} text of {_FIELDS} parts")
    _, _, shoe_id, commitment, salt, position, order = parts
    if not position.isdecimal() or len(position) > _FIELDS:
        raise ValueError(f"cut: found {position[:20]!r}, expected a number of cards")
    cards = "".join(rank.upper() + suit.lower() for rank, suit in zip(order[::2], order[1::2], strict=False))
    if len(cards) != len(order):
        raise ValueError("order: two characters a card are expected")
    return ShoeProof(shoe_id.lower(), commitment.lower(), salt.lower(), int(position), cards)


def proof_of_values(values: Mapping[str, object]) -> tuple[ShoeProof, int]:
    """Return the proof and the round's first card from the JSON values of a record.

    Raises:
        ValueError: a value is missing or of another kind; names it.
    """
    texts = {}
    for key in ("shoe", "commitment", "salt", "order"):
        value = values.get(key)
        if not isinstance(value, str) or not value.isascii():
            raise ValueError(f"fairness.{key}: a text is expected")
        texts[key] = value
    numbers = {}
    for key in ("cut", "first_card"):
        number = values.get(key)
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise ValueError(f"fairness.{key}: a number of cards is expected")
        numbers[key] = number
    unknown = sorted(set(values) - set(texts) - set(numbers))
    if unknown:
        raise ValueError(f"fairness.{unknown[0]}: is not known")
    proof = ShoeProof(texts["shoe"], texts["commitment"], texts["salt"], numbers["cut"], texts["order"])
    return proof, numbers["first_card"]
