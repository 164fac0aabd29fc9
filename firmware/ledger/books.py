"""The books: balances and meters as a pure fold over entries, and the identities that they must keep.

Every balance is a consequence of transfers, every meter of entries. A contradiction is an ``InvariantError``: the
terminal must lock up, not guess. Not responsible for which entries are written (``terminal``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from firmware.entries import types as entry
from firmware.errors import InvariantError
from firmware.ledger import accounts as account
from firmware.ledger.meters import MeterCount
from firmware.ledger.self_audit import Identity, SelfAuditError, identity_of
from firmware.ledger.transfers import PayoutInFlight, Transfer, transfers_of

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Books:
    """Balances by account, master meters by name (minor units or counts), and what is in flight."""

    balances: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    meters: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    game: str = ""
    """The game of the open or last round."""
    payout_paid_count: int = 0
    payout_coin_value_minor: int = 0

    def balance(self, name: str) -> int:
        """Return an account's balance, 0 for one that never moved."""
        return self.balances.get(name, 0)

    def meter(self, name: str) -> int:
        """Return a meter, 0 for one that never moved."""
        return self.meters.get(name, 0)

    @property
    def credit_minor(self) -> int:
        """The player's credit."""
        return self.balance(account.CREDIT)

    @property
    def staked_minor(self) -> int:
        """What lies on the table in the open round."""
        return self.balance(account.STAKES)

    @property
    def handpay_minor(self) -> int:
        """What an attendant owes the player."""
        return self.balance(account.HANDPAY)

    def post(self, entries: Iterable[entry.Entry]) -> "Books":
        """Return the books after these entries.

        Raises:
            InvariantError: an inner balance would become negative.
            SelfAuditError: the books don't balance or the self-audit identity does not hold.
        """
        balances, meters = dict(self.balances), dict(self.meters)
        count = MeterCount(
            meters,
            self.game,
            balances.get(account.PAYOUT, 0),
            self.payout_paid_count,
            self.payout_coin_value_minor,
        )
        for recorded in entries:
            in_flight = PayoutInFlight(balances.get(account.PAYOUT, 0), count.paid_count, count.coin_minor)
            for transfer in transfers_of(recorded, in_flight):
                _move(balances, transfer)
            count.count(recorded)
        books = Books(
            MappingProxyType(balances), MappingProxyType(meters), count.game, count.paid_count, count.coin_minor
        )
        books.check()
        return books

    def check(self) -> None:
        """Check conservation and the self-audit identity. Raises SelfAuditError with what disagrees."""
        for book in ("claim.", "cash."):
            total = sum(amount for name, amount in self.balances.items() if name.startswith(book))
            if total:
                raise SelfAuditError(f"the {book[:-1]} book does not balance: off by {total}")
        overdrawn = [name for name in account.INNER if self.balance(name) < 0]
        if overdrawn:
            raise SelfAuditError(f"{overdrawn[0]} is negative: {self.balance(overdrawn[0])}")
        identity = self.identity()
        if not identity.holds:
            actual = identity.credit_minor + identity.payout_minor
            raise SelfAuditError(
                f"self-audit: the meters say {identity.metered_minor}, credit and pay-out are {actual}"
            )

    def identity(self) -> Identity:
        """Return the self-audit identity, term by term."""
        return identity_of(self.meter, self.credit_minor, self.balance(account.PAYOUT))


def _move(balances: dict[str, int], transfer: Transfer) -> None:
    if transfer.amount_minor < 0:
        raise InvariantError(f"transfer {transfer.id} ({transfer.code}) is negative: {transfer.amount_minor}")
    balances[transfer.source] = balances.get(transfer.source, 0) - transfer.amount_minor
    balances[transfer.target] = balances.get(transfer.target, 0) + transfer.amount_minor
    if transfer.source in account.INNER and balances[transfer.source] < 0:
        raise InvariantError(f"transfer {transfer.id} ({transfer.code}) overdraws {transfer.source}")
