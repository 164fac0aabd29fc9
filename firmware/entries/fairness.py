"""Entries about the shoe that is dealt next: prepared and committed to, and cut by the player.

They move no money. Rules as in ``types``: an entry's fields never change their meaning. The order and the salt of a
shoe that may still be dealt from are secret: whoever shows entries hides them (``audit.redaction``).
"""

from dataclasses import dataclass
from typing import ClassVar

from firmware.entries.types import Entry


@dataclass(frozen=True, slots=True)
class ShoePrepared(Entry):
    """The ``number``-th shoe was shuffled for a game before anybody could bet on it.

    ``order`` is the whole order (two characters a card), ``salt`` its secret as hex, ``commitment`` the digest of both
    that is shown from now on (``fairness.commitment``). It takes the place of a shoe of the game that was not dealt from.
    """

    KIND: ClassVar[str] = "shoe_prepared"
    number: int
    shoe_id: str
    game: str
    order: str
    salt: str
    commitment: str

    def unique_keys(self) -> tuple[str, ...]:
        """A shoe is prepared once."""
        return (f"shoe:{self.shoe_id}",)


@dataclass(frozen=True, slots=True)
class ShoeCut(Entry):
    """The player cut the prepared shoe: its first ``position`` cards went under the others. The opening follows."""

    KIND: ClassVar[str] = "shoe_cut"
    shoe_id: str
    position: int

    def unique_keys(self) -> tuple[str, ...]:
        """A shoe is cut once."""
        return (f"shoe:{self.shoe_id}:cut",)


FAIRNESS_TYPES: tuple[type[Entry], ...] = (ShoePrepared, ShoeCut)
