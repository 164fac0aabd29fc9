"""The RAM clear as a procedure of two steps: who may, when, what has to be typed, and what is written down. Pure.

First everything is shown that will be gone, with a code; only whoever types the code goes on. The code follows from the
end of the journal, so it is good for this very memory and no other. Not responsible for files (``clearing``).
"""

import hashlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from display.view_model import Money, Text
from firmware.entries.keeping import MeterValue, RamCleared
from firmware.entries.service import CoinTested
from firmware.entries.types import CoinCredited, NoteCredited
from firmware.journal.record import Head, Record
from firmware.ledger import accounts
from firmware.terminal.faults import FAULTS
from firmware.terminal.state import Recorded

CODE_LENGTH: Final = 8
MOST_MONEY_KEYS: Final = 50


@dataclass(frozen=True, slots=True)
class Before:
    """What the memory says before it is cleared, as far as it can be read.

    ``problems`` are reasons why it can't be trusted; a memory with such reasons, or with a fault that only a RAM clear
    ends, is locked: what it still owes can't be paid from it any more and is written down instead.
    """

    terminal: str
    epoch: int
    head: Head
    recorded: Recorded
    problems: tuple[str, ...] = ()
    money_keys: tuple[str, ...] = ()
    """Unique keys of the last notes and coins that were credited."""

    @property
    def is_locked(self) -> bool:
        """Tell whether only a RAM clear helps."""
        up = any(FAULTS[fault.code].clears == "ram_clear" for fault in self.recorded.faults if fault.code in FAULTS)
        return bool(self.problems) or up

    @property
    def credit_minor(self) -> int:
        """What the player would still have: credit, stakes on the table, coins not yet paid."""
        books = self.recorded.books
        return books.credit_minor + books.staked_minor + books.balance(accounts.PAYOUT)

    @property
    def handpay_minor(self) -> int:
        """What an attendant still owes."""
        return self.recorded.books.handpay_minor

    @property
    def code(self) -> str:
        """What has to be typed to clear this memory."""
        return code_of(self.terminal, self.head)


def code_of(terminal: str, head: Head) -> str:
    """Return the code for a memory that ends here."""
    return hashlib.sha256(f"ram clear {terminal} {head.seq} {head.link.hex()}".encode()).hexdigest()[:CODE_LENGTH]


def digits_of(code: str) -> str:
    """Return a code as digits, for a terminal that has nothing else to type with."""
    return f"{int(code, 16) % 10**CODE_LENGTH:0{CODE_LENGTH}d}"


def refusals(before: Before, *, is_logic_door_open: bool) -> tuple[Text, ...]:
    """Return why the memory may not be cleared now; empty when it may.

    Args:
        before: what it says.
        is_logic_door_open: what the panel says now, or what the journal knew last.
    """
    found: list[Text] = []
    if not is_logic_door_open:
        found.append(Text("ram clear", "The logic door has to be open"))
    if before.is_locked:
        return tuple(found)
    if before.recorded.round is not None:
        found.append(Text("ram clear", "A round is open; it has to be finished"))
    if before.credit_minor:
        args = (("amount", Money(before.credit_minor)),)
        found.append(Text("ram clear", "The credit of {amount} has to be paid out", args))
    if before.handpay_minor:
        args = (("amount", Money(before.handpay_minor)),)
        found.append(Text("ram clear", "The handpay of {amount} has to be cleared", args))
    return tuple(found)


def before_values(before: Before, by: str, reason: str, time: str) -> dict[str, Any]:
    """Return what is written down before the clear, as plain JSON values."""
    books = before.recorded.books
    return {
        "format": "croupier-ram-clear/1",
        "terminal": before.terminal,
        "time": time,
        "by": by,
        "reason": reason,
        "epoch": before.epoch,
        "head": {"seq": before.head.seq, "link": before.head.link.hex()},
        "problems": list(before.problems),
        "credit_minor": before.credit_minor,
        "handpay_minor": before.handpay_minor,
        "meters": dict(sorted(books.meters.items())),
        "balances": dict(sorted(books.balances.items())),
        "self_audit_holds": books.identity().holds,
        "faults": [f"{fault.code} {fault.device} {fault.detail}".strip() for fault in before.recorded.faults],
    }


def first_entry(before: Before, by: str, reason: str, record: str, record_digest: str) -> RamCleared:
    """Return the entry with which the new epoch remembers the old one."""
    return RamCleared(
        by=by,
        reason=reason,
        epoch=before.epoch,
        seq=before.head.seq,
        link=before.head.link.hex(),
        credit_minor=before.credit_minor,
        handpay_minor=before.handpay_minor,
        meters=tuple(MeterValue(name, value) for name, value in sorted(before.recorded.books.meters.items())),
        record=record,
        record_digest=record_digest,
        money_keys=before.money_keys,
    )


def money_keys_of(records: Iterable[Record]) -> tuple[str, ...]:
    """Return the unique keys of the last notes and coins among these records: more than any device can still repeat."""
    credited = (
        record.entry for record in records if isinstance(record.entry, NoteCredited | CoinCredited | CoinTested)
    )
    return tuple(key for entry in deque(credited, MOST_MONEY_KEYS) for key in entry.unique_keys())
