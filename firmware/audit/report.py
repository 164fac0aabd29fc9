"""The audit's reports as plain JSON values: meters with periods and identity, events, rounds, entries. Pure.

Whoever prints or shows them adds nothing and leaves nothing out. Not responsible for reading the store (``source``).
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from firmware.audit.events import events_of
from firmware.audit.meter_list import meter_lines
from firmware.audit.redaction import SecretShoes
from firmware.audit.rounds import RoundReading, RoundsOnCards
from firmware.audit.wording import Wording, iso
from firmware.entries.codec import encode, kind_of
from firmware.entries.types import Commissioned
from firmware.errors import InvariantError
from firmware.ids import EntryId
from firmware.journal.record import Head, Record
from firmware.ledger.meters import ROLL_OVER
from firmware.terminal.state import Recorded

Values = dict[str, Any]
MARKS: Final = {"simulator": "SIMULATOR, NO VALUE", "demo": "DEMONSTRATION, NO VALUE", "cabinet": ""}
"""How money that is no money is marked in every report."""


def head_values(commissioned: Commissioned, head: Head) -> Values:
    """Return what every report begins with: whose figures these are, and up to which entry."""
    return {
        "terminal": commissioned.terminal,
        "epoch": commissioned.epoch,
        "store": commissioned.store,
        "mark": MARKS.get(commissioned.store, commissioned.store),
        "currency": commissioned.currency,
        "minor_digits": commissioned.minor_digits,
        "head": {"seq": head.seq, "link": head.link.hex()},
    }


def meter_values(recorded: Recorded, wording: Wording) -> Values:
    """Return the meters, master and period side by side, the periods before, what is owed, and the self-audit."""
    books, periods, identity = recorded.books, recorded.periods, recorded.books.identity()
    return {
        "roll_over": ROLL_OVER,
        "meters": [
            {
                "name": line.name,
                "label": wording.plain(line.label),
                "group": line.group,
                "unit": line.unit,
                "sas": line.sas or None,
                "master": line.master,
                "period": line.period,
            }
            for line in meter_lines(recorded)
        ],
        "period": {"number": periods.number, "began": iso(periods.began_ms)},
        "periods": [
            {
                "number": period.number,
                "began": iso(period.began_ms),
                "ended": iso(period.ended_ms),
                "by": period.by,
                "meters": dict(period.meters),
            }
            for period in periods.history
        ],
        "credit_minor": books.credit_minor,
        "staked_minor": books.staked_minor,
        "payout_minor": identity.payout_minor,
        "handpay_minor": books.handpay_minor,
        "balances": dict(sorted(books.balances.items())),
        "self_audit": {
            "holds": identity.holds,
            "terms": [{"meter": term.meter, "sign": term.sign, "minor": term.amount_minor} for term in identity.terms],
            "metered_minor": identity.metered_minor,
            "credit_minor": identity.credit_minor,
            "payout_minor": identity.payout_minor,
        },
        "faults": [
            {"code": fault.code, "device": fault.device, "detail": fault.detail, "since": iso(fault.since_ms)}
            for fault in recorded.faults
        ],
    }


def event_values(records: Iterable[Record], groups: frozenset[str], wording: Wording) -> Iterator[Values]:
    """Yield the events of records, only those of some classes where these are given."""
    for event in events_of(records, groups):
        yield {
            "seq": event.seq,
            "time": iso(event.at_ms),
            "class": event.group,
            "kind": event.kind,
            "text": wording.plain(event.text),
        }


def round_values(reading: RoundReading, on_cards: RoundsOnCards, name: EntryId) -> Values:
    """Return a round with its record; one that can't be replayed has ``problem`` in place of it."""
    opened, settled = reading.entries.opened, reading.entries.settled
    state = "open" if reading.is_open else "void" if reading.voided is not None else "settled"
    values: Values = {
        "id": str(name),
        "round": opened.round_id,
        "number": opened.number,
        "game": opened.game,
        "profile": opened.profile,
        "state": state,
        "opened": iso(reading.opened_ms),
        "ended": None if reading.ended_ms is None else iso(reading.ended_ms),
        "credit_before_minor": opened.credit_before_minor,
        "notes_before_minor": reading.notes_before_minor,
        "coins_before_minor": reading.coins_before_minor,
        "money_during_minor": reading.money_during_minor,
        "staked_minor": settled.staked_minor if settled is not None else None,
        "paid_minor": settled.paid_minor if settled is not None else None,
    }
    try:
        return {**values, "record": on_cards.answer(reading)}
    except InvariantError as error:
        return {**values, "problem": str(error)}


def entry_values(records: Iterable[Record], shoes: SecretShoes, commissioned: Commissioned) -> Iterator[Values]:
    """Yield the journal's entries, each with its name in the whole venue; secret cards are hidden, and that is said."""
    for record in records:
        told, is_redacted = shoes.redacted(record)
        values: Values = {
            "id": str(EntryId(commissioned.terminal, commissioned.epoch, record.seq)),
            "seq": record.seq,
            "at_ms": record.at_ms,
            "time": iso(record.at_ms),
            "kind": kind_of(told.entry),
            "body": json.loads(encode(told.entry)),
            "link": record.link.hex(),
        }
        if is_redacted:
            values["redacted"] = ["shoe"]
        yield values
