"""Readings of the journal for those who check it: handpays, notes, power, settings, doors. Pure.

Each is a plain list, oldest first. Not responsible for events in words (``events``) or for rounds (``rounds``).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from firmware.entries import keeping
from firmware.entries import types as entry
from firmware.journal.record import Record


@dataclass(frozen=True, slots=True)
class HandpayReading:
    """A cash-out that had to be paid by hand, in part or whole; ``cleared_ms`` is None while it waits."""

    payout_id: str
    started_ms: int
    total_minor: int
    hopper_minor: int
    handpay_minor: int
    cleared_ms: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class MoneyReading:
    """A note or coin and what became of it: ``credited``, ``returned``, ``refused``, ``unaccounted``."""

    seq: int
    at_ms: int
    kind: str
    amount_minor: int
    outcome: str
    key: str


@dataclass(frozen=True, slots=True)
class PowerReading:
    """A start: its number and version, how the time before it ended, and what was under way then."""

    number: int
    at_ms: int
    version: str
    was_clean: bool
    last_before_ms: int
    open_round: str
    open_payout: str
    pending_note: str


@dataclass(frozen=True, slots=True)
class SettingReading:
    """A setting that changed."""

    seq: int
    at_ms: int
    key: str
    old: str
    new: str
    by: str


@dataclass(frozen=True, slots=True)
class DoorReading:
    """A door that moved."""

    seq: int
    at_ms: int
    door: str
    is_open: bool


def handpays_of(records: Iterable[Record]) -> Iterator[HandpayReading]:
    """Yield the handpays in the order in which they ended; one that waits comes last."""
    current: HandpayReading | None = None
    coin_minor = 0
    for record in records:
        match record.entry:
            case entry.CashOutStarted(payout_id, amount_minor, coin_count, coin_minor):
                rest_minor = 0 if coin_count else amount_minor
                current = HandpayReading(payout_id, record.at_ms, amount_minor, 0, rest_minor)
            case entry.HopperFinished(_, paid_count, _) if current is not None:
                paid_minor = min(paid_count * coin_minor, current.total_minor)
                current = replace(current, hopper_minor=paid_minor, handpay_minor=current.total_minor - paid_minor)
                current = current if current.handpay_minor else None
            case entry.HandpayCleared(_, amount_minor, by) if current is not None:
                yield replace(current, handpay_minor=amount_minor, cleared_ms=record.at_ms, by=by)
                current = None
            case _:
                pass
    if current is not None and current.handpay_minor:
        yield current


def money_of(records: Iterable[Record]) -> Iterator[MoneyReading]:
    """Yield the notes and coins with their outcomes."""
    for record in records:
        match record.entry:
            case entry.NoteCredited(key, amount_minor, _):
                yield MoneyReading(record.seq, record.at_ms, "note", amount_minor, "credited", key)
            case entry.CoinCredited(key, amount_minor, _):
                yield MoneyReading(record.seq, record.at_ms, "coin", amount_minor, "credited", key)
            case entry.NoteReturned(key, amount_minor):
                yield MoneyReading(record.seq, record.at_ms, "note", amount_minor, "returned", key)
            case entry.NoteUnresolved(key, amount_minor):
                yield MoneyReading(record.seq, record.at_ms, "note", amount_minor, "unaccounted", key)
            case keeping.NoteRejected(reason):
                yield MoneyReading(record.seq, record.at_ms, "note", 0, "refused", reason)
            case _:
                pass


def power_of(records: Iterable[Record]) -> Iterator[PowerReading]:
    """Yield the starts, each with what the time before it left under way."""
    last_ms = 0
    open_round = open_payout = pending_note = ""
    owed_minor = coin_minor = 0
    for record in records:
        match record.entry:
            case entry.Booted(number, version, was_clean):
                yield PowerReading(
                    number, record.at_ms, version, was_clean, last_ms, open_round, open_payout, pending_note
                )
            case entry.RoundOpened() as opened:
                open_round = opened.round_id
            case entry.RoundSettled() | entry.RoundVoided():
                open_round = ""
            case entry.CashOutStarted(payout_id, amount_minor, _, coin_minor):
                open_payout, owed_minor = payout_id, amount_minor
            case entry.HopperFinished(_, paid_count, _) if paid_count * coin_minor >= owed_minor:
                open_payout = ""
            case entry.HandpayCleared():
                open_payout = ""
            case entry.NoteIntended() as note:
                pending_note = note.escrow_id
            case entry.NoteCredited() | entry.NoteReturned() | entry.NoteUnresolved():
                pending_note = ""
            case _:
                pass
        last_ms = record.at_ms


def settings_of(records: Iterable[Record]) -> Iterator[SettingReading]:
    """Yield the changes of settings, old and new."""
    for record in records:
        if isinstance(record.entry, keeping.SettingChanged):
            changed = record.entry
            yield SettingReading(record.seq, record.at_ms, changed.key, changed.old, changed.new, changed.by)


def doors_of(records: Iterable[Record]) -> Iterator[DoorReading]:
    """Yield the movements of doors."""
    for record in records:
        if isinstance(record.entry, entry.DoorMoved):
            yield DoorReading(record.seq, record.at_ms, record.entry.door, record.entry.is_open)
