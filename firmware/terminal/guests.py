"""Whose rounds are whose: which of the last rounds the guest at the table played himself. A pure fold.

The terminal knows no names. A guest is there while he has credit, stakes, or a pay-out that is not finished; money that comes
in when nobody is there is the next one's. Not responsible for what a guest may see (``presenter``) or for the credit
(``ledger``), which counts the same entries by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware.entries import types as entry
from firmware.journal.record import Record


@dataclass(frozen=True, slots=True)
class Guest:
    """The guest at the table, or the one who left last."""

    played_before: int = 0
    """Rounds up to this number were played by earlier guests."""
    last_round: int = 0
    """The number of the last round."""
    money_minor: int = 0
    """His credit, with what he has at stake."""
    unpaid_minor: int = 0
    """What the hopper or an attendant still has to pay him."""
    coin_minor: int = 0
    """What a coin of that pay-out is worth."""
    note: str = ""
    """His note on its way into the cash box; empty: none, or a next guest's."""

    @property
    def is_here(self) -> bool:
        """Tell whether money that comes in now is his."""
        return self.money_minor > 0 or self.unpaid_minor > 0

    def post(self, records: Sequence[Record]) -> "Guest":
        """Return the guest after these records."""
        guest = self
        for record in records:
            match record.entry:
                case entry.NoteIntended(escrow_id, _):
                    guest = replace(guest, note=escrow_id if guest.is_here else "")
                case entry.NoteReturned() | entry.NoteUnresolved():
                    guest = replace(guest, note="")
                case entry.NoteCredited(_, minor, escrow_id):
                    is_his = guest.note != "" and guest.note == escrow_id
                    guest = replace(guest._given(minor, is_his=is_his), note="" if is_his else guest.note)
                case entry.CoinCredited(_, minor, _):
                    guest = guest._given(minor, is_his=False)
                case entry.RoundOpened() as opened:
                    guest = replace(guest, money_minor=opened.credit_before_minor, last_round=opened.number)
                case entry.RoundSettled() as settled:
                    money_minor = guest.money_minor + settled.paid_minor - settled.staked_minor
                    guest = replace(guest, money_minor=money_minor)
                case entry.CashOutStarted() as started:
                    guest = replace(
                        guest,
                        money_minor=guest.money_minor - started.amount_minor,
                        unpaid_minor=started.amount_minor,
                        coin_minor=started.coin_value_minor,
                    )
                case entry.HopperFinished(_, paid_count):
                    guest = replace(guest, unpaid_minor=max(guest.unpaid_minor - paid_count * guest.coin_minor, 0))
                case entry.HandpayCleared():
                    guest = replace(guest, unpaid_minor=0)
                case _:
                    pass
        return guest

    def _given(self, minor: int, *, is_his: bool) -> "Guest":
        """Money came in: sent by the guest at the table (``is_his``), or by whoever is there now."""
        played_before = self.played_before if is_his or self.is_here else self.last_round
        return replace(self, money_minor=self.money_minor + minor, played_before=played_before)
