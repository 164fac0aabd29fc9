"""What of a shoe may be told: the cards that have been seen, never those that are still to come. Pure.

The rest of a shoe is secret while a round is open on it, and between rounds while it may go on. Not responsible for the
store itself, which has to know every card.
"""

from dataclasses import dataclass, replace
from typing import Final

from firmware.entries import fairness, service
from firmware.entries import types as entry
from firmware.journal.record import Record
from firmware.terminal.state import Recorded

_CHARACTERS_A_CARD: Final = 2
HIDDEN: Final = "??"
"""Stands for a card that is not told."""


@dataclass(frozen=True, slots=True)
class SecretShoes:
    """Which shoes may still be dealt from, and how many of their cards may be told: shoe id to count."""

    told: dict[str, int]

    def redacted(self, record: Record) -> tuple[Record, bool]:
        """Return the record with the secret cards hidden, and whether any were."""
        opened = record.entry
        if isinstance(opened, service.PinChosen):  # few digits are soon found, even from a hash
            return replace(record, entry=replace(opened, stored=HIDDEN)), True
        if isinstance(opened, fairness.ShoePrepared) and opened.shoe_id in self.told:
            hidden = HIDDEN * (len(opened.order) // _CHARACTERS_A_CARD)
            return replace(record, entry=replace(opened, order=hidden, salt=HIDDEN)), True
        if not isinstance(opened, entry.RoundOpened) or opened.shoe_id not in self.told or not opened.shoe:
            return record, False
        length = len(opened.shoe) // _CHARACTERS_A_CARD
        count = min(self.told[opened.shoe_id], length)
        shoe = opened.shoe[: count * _CHARACTERS_A_CARD] + HIDDEN * (length - count)
        return replace(record, entry=replace(opened, shoe=shoe)), count < length


def secret_shoes(recorded: Recorded) -> SecretShoes:
    """Return the shoes that may still be dealt from at the end of the journal.

    The last shoe of each game counts until the next one is prepared: what is not known to be spent is secret. Of the open
    round no card is told, because some lie face down, and of a prepared shoe none but its commitment.
    """
    told = {
        shoe.shoe_id: shoe.used_count
        for game, shoe in recorded.shoes.items()
        if not recorded.is_finished(game, shoe.shoe_id)
    }
    told |= {prepared.shoe_id: 0 for prepared in recorded.prepared.values()}
    if recorded.round is not None:
        told[recorded.round.opened.shoe_id] = recorded.round.opened.first_card
    return SecretShoes(told)
