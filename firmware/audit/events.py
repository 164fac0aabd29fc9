"""Events: one line for each journal entry, in words of the catalogues. Pure.

The order of the sequence numbers is the order of what happened, whatever the clock was set to. No line tells a card: the
rest of a shoe stays secret. Not responsible for rounds step by step (``rounds``).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from display.view_model import Money, Text
from firmware.audit.menu_events import MENU_EVENTS
from firmware.audit.names import in_words
from firmware.audit.service_events import SERVICE_EVENTS
from firmware.entries import fairness, keeping, slips
from firmware.entries import types as entry
from firmware.entries.codec import kind_of
from firmware.journal.record import Record
from firmware.terminal.faults import FAULTS

CLASSES: Final = ("power", "money", "play", "pay-out", "fault", "door", "key", "setting", "memory", "period", "menu")
"""What events can be filtered by."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event: sequence number, wall time, the entry's kind, its class of ``CLASSES``, and what it says."""

    seq: int
    at_ms: int
    kind: str
    group: str
    text: Text


def event_of(record: Record) -> Event:
    """Return the event that a record is."""
    group, words = _ROWS[type(record.entry)]
    return Event(record.seq, record.at_ms, kind_of(record.entry), group, in_words(words(record.entry)))


def events_of(records: Iterable[Record], groups: frozenset[str] = frozenset()) -> Iterator[Event]:
    """Yield the events of records, only those of some classes where these are given."""
    for record in records:
        if not groups or _ROWS[type(record.entry)][0] in groups:
            yield event_of(record)


def _booted(e: entry.Booted) -> Text:
    args = (("number", e.number), ("version", e.program_version))
    if e.after_clean_stop:
        return Text("event", "Start {number}, version {version}", args)
    return Text("event", "Start {number} after a power loss, version {version}", args)


def _fault(e: entry.FaultRaised | entry.FaultCleared) -> Text:
    return FAULTS[e.code].title if e.code in FAULTS else Text("fault", "Unknown fault")


def _raised(e: entry.FaultRaised) -> Text:
    args = (("code", e.code), ("title", _fault(e)), ("device", e.device), ("detail", e.detail))
    if not e.detail:
        return Text("event", "{code} {title} ({device})", args[:3])
    return Text("event", "{code} {title} ({device}): {detail}", args)


def _cleared(e: entry.FaultCleared) -> Text:
    args = (("code", e.code), ("title", _fault(e)), ("device", e.device), ("by", e.by))
    return Text("event", "{code} {title} ({device}) cleared by {by}", args)


def _door(e: entry.DoorMoved) -> Text:
    args = (("door", e.door),)
    return Text("event", "Opened: {door}", args) if e.is_open else Text("event", "Closed: {door}", args)


def _key(e: entry.KeyTurned) -> Text:
    args = (("key", e.key),)
    return Text("event", "Key {key} turned", args) if e.is_on else Text("event", "Key {key} turned back", args)


def _setting(e: keeping.SettingChanged) -> Text:
    args = (("key", e.key), ("old", e.old or "-"), ("new", e.new or "-"), ("by", e.by))
    return Text("event", "Setting {key}: {old} -> {new}, by {by}", args)


def _settled(e: entry.RoundSettled) -> Text:
    args = (("round", e.round_id), ("staked", Money(e.staked_minor)), ("paid", Money(e.paid_minor)))
    return Text("event", "Round {round} settled: staked {staked}, paid {paid}", args)


def _opened(e: entry.RoundOpened) -> Text:
    args = (("round", e.round_id), ("game", e.game), ("staked", Money(e.cost_minor)))
    return Text("event", "Round {round} of {game}, stakes {staked}", args)


def _acted(e: entry.RoundActed) -> Text:
    args = (("round", e.round_id), ("box", e.box), ("action", e.action))
    return Text("event", "Round {round}, box {box}: {action}", args)


def _unproved(e: slips.SlipUnproved) -> Text:
    args = (("slip", e.slip_id), ("reason", e.reason))
    if e.may_exist:
        return Text("event", "Slip {slip} without proof, look for it on paper: {reason}", args)
    return Text("event", "Slip {slip} not printed: {reason}", args)


def _money(amount_minor: int) -> tuple[tuple[str, Money], ...]:
    return (("amount", Money(amount_minor)),)


_ROWS: Final[dict[type[entry.Entry], tuple[str, Callable[[Any], Text]]]] = {
    entry.Commissioned: ("power", lambda e: Text("event", "Terminal {terminal}, epoch {epoch}, {store}", (("terminal", e.terminal), ("epoch", e.epoch), ("store", e.store)))),
    entry.Booted: ("power", _booted),
    entry.Stopped: ("power", lambda _: Text("event", "Switched off in order")),
    entry.NoteIntended: ("money", lambda e: Text("event", "Note of {amount} to be stacked", _money(e.amount_minor))),
    entry.NoteCredited: ("money", lambda e: Text("event", "Note of {amount} credited", _money(e.amount_minor))),
    entry.NoteReturned: ("money", lambda e: Text("event", "Note of {amount} returned", _money(e.amount_minor))),
    entry.NoteUnresolved: ("money", lambda e: Text("event", "Note of {amount} unaccounted for", _money(e.amount_minor))),
    entry.MoneyBegan: ("money", lambda e: Text("event", "Pulses of money have begun: {device}", (("device", e.device),))),
    keeping.NoteRejected: ("money", lambda e: Text("event", "Note refused: {reason}", (("reason", e.reason),))),
    keeping.CounterRead: ("money", lambda e: Text("event", "Counter of {device} {serial}: {count}", (("device", e.device), ("serial", e.serial), ("count", str(e.count))))),
    entry.CoinCredited: ("money", lambda e: Text("event", "Coin of {amount} credited, to {place}", (*_money(e.amount_minor), ("place", e.to)))),
    fairness.ShoePrepared: ("play", lambda e: Text("event", "Shoe {shoe} of {game} prepared, commitment {digest}", (("shoe", e.shoe_id), ("game", e.game), ("digest", e.commitment[:16])))),
    fairness.ShoeCut: ("play", lambda e: Text("event", "Shoe {shoe} cut at {position}", (("shoe", e.shoe_id), ("position", e.position)))),
    entry.RoundOpened: ("play", _opened),
    entry.RoundActed: ("play", _acted),
    entry.RoundSettled: ("play", _settled),
    entry.RoundVoided: ("play", lambda e: Text("event", "Round {round} void, {amount} returned: {reason}", (("round", e.round_id), *_money(e.refunded_minor), ("reason", e.reason)))),
    entry.CashOutStarted: ("pay-out", lambda e: Text("event", "Cash-out {payout} of {amount}", (("payout", e.payout_id), *_money(e.amount_minor)))),
    entry.HopperCounted: ("pay-out", lambda e: Text("event", "Cash-out {payout}: {count} coins so far", (("payout", e.payout_id), ("count", e.paid_count)))),
    entry.HopperFinished: ("pay-out", lambda e: Text("event", "Cash-out {payout}: hopper ended after {count} coins, {reason}", (("payout", e.payout_id), ("count", e.paid_count), ("reason", e.reason)))),
    entry.HandpayCleared: ("pay-out", lambda e: Text("event", "Cash-out {payout}: {amount} paid by hand, {by}", (("payout", e.payout_id), *_money(e.amount_minor), ("by", e.by)))),
    slips.SlipOrdered: ("pay-out", lambda e: Text("event", "Slip {slip} about {amount} to be printed", (("slip", e.slip_id), *_money(e.amount_minor)))),
    slips.ReportSlipOrdered: ("period", lambda e: Text("event", "Report {report} to be printed for the {level}, slip {slip}", (("report", e.report), ("level", e.level), ("slip", e.slip_id)))),
    slips.SlipProved: ("pay-out", lambda e: Text("event", "Slip {slip} printed", (("slip", e.slip_id),))),
    slips.SlipUnproved: ("pay-out", _unproved),
    entry.FaultRaised: ("fault", _raised),
    entry.FaultCleared: ("fault", _cleared),
    entry.DoorMoved: ("door", _door),
    entry.KeyTurned: ("key", _key),
    entry.HopperRefilled: ("money", lambda e: Text("event", "Hopper refilled with {count} coins, {amount}", (("count", e.coin_count), *_money(e.amount_minor)))),
    entry.CashBoxCollected: ("money", lambda e: Text("event", "Cash box collected: {amount} by the books", _money(e.amount_minor))),
    entry.MemoryRebuilt: ("memory", lambda e: Text("event", "Copy {copy} made anew up to entry {seq}: {detail}", (("copy", e.copy), ("seq", e.to_seq), ("detail", e.detail)))),
    keeping.PeriodClosed: ("period", lambda e: Text("event", "Period {number} closed by {by}", (("number", e.number), ("by", e.by)))),
    keeping.ConfigurationRecorded: ("setting", lambda e: Text("event", "Settings recorded: {number} values", (("number", len(e.values)),))),
    keeping.SettingChanged: ("setting", _setting),
    keeping.ProfileUsed: ("setting", lambda e: Text("event", "Profile of {game}: {digest}", (("game", e.game), ("digest", e.digest[:12])))),
    keeping.ProgramReplaced: ("power", lambda e: Text("event", "Program {new} took over from {old}, by {by}", (("new", e.new), ("old", e.old), ("by", e.by)))),
    keeping.RamCleared: ("memory", lambda e: Text("event", "RAM clear of epoch {epoch} by {by}: {reason}", (("epoch", e.epoch), ("by", e.by), ("reason", e.reason)))),
    **MENU_EVENTS,
    **SERVICE_EVENTS,
}  # fmt: skip
