"""Folding recorded entries into the terminal's state. Total and deterministic: the journal alone gives the state.

Not responsible for deciding; an entry that contradicts the state is an ``InvariantError`` and locks the terminal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from firmware.entries import fairness, keeping, service
from firmware.entries import menu as menu_entry
from firmware.entries import types as entry
from firmware.errors import InvariantError
from firmware.fairness.commitment import commitment_of
from firmware.journal.record import Record
from firmware.rounds.live import LiveRound, RoundEntries, resume, stakes_of
from firmware.rounds.shoes import PreparedShoe, ShoeRecord
from firmware.terminal.faults import COPY_REBUILT, LEVELS, UNCERTAIN
from firmware.terminal.state import Counter, Fault, Games, HopperTest, Payout, Recorded, Screen, State

HISTORY_LENGTH: Final = 60


def fold(recorded: Recorded, records: Sequence[Record]) -> Recorded:
    """Return what is recorded after these records. Knows no games, so a million rounds fold quickly.

    Raises:
        InvariantError: the books do not balance, or an entry contradicts what came before.
    """
    start = 0
    for end, record in enumerate(records, 1):
        if isinstance(record.entry, keeping.PeriodClosed):  # needs the meters exactly as they were then
            recorded, start = _fold_part(recorded, records[start:end]), end
    return _fold_part(recorded, records[start:])


def _fold_part(recorded: Recorded, records: Sequence[Record]) -> Recorded:
    """Fold records of which only the last may close a period; the rules see the books as they are behind the last."""
    if not records:
        return recorded
    recorded = replace(recorded, books=recorded.books.post(record.entry for record in records))
    for record in records:
        rule = _RULES.get(type(record.entry))
        if rule is not None:
            recorded = rule(recorded, record.entry, record)
    return replace(
        recorded,
        chronicle=recorded.chronicle.post(records),
        cash_box=recorded.cash_box.post(records),
        guest=recorded.guest.post(records),
        last_at_ms=records[-1].at_ms,
    )


def revive(recorded: Recorded, screen: Screen, games: Games) -> State:
    """Return the state with the recorded rounds put back on their cards.

    Raises:
        GameChangedError: the open round was begun by a profile that is not on offer now.
        InvariantError: a round can't be replayed, or the rules do not settle it as recorded.
    """
    return State(recorded, screen, _on_cards(recorded.round, games), _last_on_cards(recorded.last_round, games))


def evolve(state: State, records: Sequence[Record], games: Games) -> State:
    """Return the state after these records; arguments and errors as in ``fold`` and ``revive``."""
    return revive(fold(state.recorded, records), state.screen, games) if records else state


class GameChangedError(InvariantError):
    """The journal holds a round of a game whose profile is not the one on offer now."""


def _on_cards(entries: RoundEntries | None, games: Games) -> LiveRound | None:
    if entries is None:
        return None
    offer = games.get(entries.opened.game)
    if offer is None or offer.digest != entries.opened.profile:
        profile = entries.opened.profile[:12]
        raise GameChangedError(
            f"game {entries.opened.game} with profile {profile} is not on offer; restore its profile"
        )
    return resume(offer.game, entries)


def _last_on_cards(entries: RoundEntries | None, games: Games) -> LiveRound | None:
    """The last round is over and paid; where its profile is no longer on offer it is not shown, and play goes on."""
    try:
        return _on_cards(entries, games)
    except GameChangedError:
        return None


def _bump(counts: Mapping[str, int], name: str) -> dict[str, int]:
    return {**counts, name: counts.get(name, 0) + 1}


def _commissioned(recorded: Recorded, e: entry.Commissioned, record: Record) -> Recorded:
    return replace(recorded, commissioned=e, periods=replace(recorded.periods, began_ms=record.at_ms))


def _booted(recorded: Recorded, e: entry.Booted, _: Record) -> Recorded:
    counts = {**recorded.counts, "boots": e.number}
    return replace(recorded, counts=counts, clean_stop=False, program_version=e.program_version, begun=frozenset())


def _stopped(recorded: Recorded, _: entry.Stopped, __: Record) -> Recorded:
    return replace(recorded, clean_stop=True)


def _note_intended(recorded: Recorded, e: entry.NoteIntended, _: Record) -> Recorded:
    # A stack order counts as an event too: a device without a counter of its own numbers its keys behind it.
    return replace(recorded, note=e, last_events=_last_event(recorded, "notes", e.escrow_id))


def _note_credited(recorded: Recorded, e: entry.NoteCredited, _: Record) -> Recorded:
    note = None if recorded.note is not None and e.escrow_id == recorded.note.escrow_id else recorded.note
    counts = {**recorded.counts, "rejects": 0}
    recorded = _told(_counted(recorded, "notes", 1), "notes")
    return replace(recorded, note=note, counts=counts, last_events=_last_event(recorded, "notes", e.key))


def _note_rejected(recorded: Recorded, _: keeping.NoteRejected, __: Record) -> Recorded:
    return replace(recorded, counts=_bump(recorded.counts, "rejects"))


def _note_ended(recorded: Recorded, _: entry.NoteReturned | entry.NoteUnresolved, __: Record) -> Recorded:
    return replace(recorded, note=None)


def _coin_credited(recorded: Recorded, e: entry.CoinCredited, _: Record) -> Recorded:
    recorded = _told(_counted(recorded, "coins", 1), "coins")
    return replace(recorded, last_events=_last_event(recorded, "coins", e.key))


def _money_began(recorded: Recorded, e: entry.MoneyBegan, _: Record) -> Recorded:
    return replace(recorded, begun=recorded.begun | {e.device})


def _told(recorded: Recorded, device: str) -> Recorded:
    """What a device's pulses had begun to tell is told, as money or as a fault."""
    return replace(recorded, begun=recorded.begun - {device}) if device in recorded.begun else recorded


def _counted(recorded: Recorded, device: str, more: int) -> Recorded:
    """Count along with a device's own counter."""
    counter = recorded.counters.get(device)
    if counter is None or not more:
        return recorded
    counters = {**recorded.counters, device: replace(counter, count=counter.count + more)}
    return replace(recorded, counters=counters)


def _counter_read(recorded: Recorded, e: keeping.CounterRead, _: Record) -> Recorded:
    return replace(recorded, counters={**recorded.counters, e.device: Counter(e.serial, e.count)})


_COUNTED_DEVICES: Final = {"note": "notes", "coin": "coins"}
"""Whose events the unique keys of credited money name, by the word before the first colon."""


def _last_event(recorded: Recorded, device: str, key: str) -> Mapping[str, int]:
    number = int(key.rpartition(":")[2]) if key.rpartition(":")[2].isdigit() else 0
    return {**recorded.last_events, device: max(number, recorded.last_events.get(device, 0))}


def _round_opened(recorded: Recorded, e: entry.RoundOpened, _: Record) -> Recorded:
    if recorded.round is not None:
        raise InvariantError(f"round {e.round_id} opens while another is open")
    shoe = _fresh_shoe(recorded, e) if e.shoe else recorded.shoes.get(e.game)
    if shoe is None or shoe.shoe_id != e.shoe_id:
        raise InvariantError(f"round {e.round_id}: shoe {e.shoe_id} is not recorded")
    return replace(
        recorded,
        prepared={game: prepared for game, prepared in recorded.prepared.items() if game != e.game},
        round=RoundEntries(e, shoe),
        rebets={**recorded.rebets, e.game: stakes_of(e)},
        shoes={**recorded.shoes, e.game: shoe},
        counts={**recorded.counts, "rounds": e.number},
    )


def _fresh_shoe(recorded: Recorded, e: entry.RoundOpened) -> ShoeRecord:
    """Return the shoe that a round opens: the prepared one, exactly as it was committed to and cut."""
    prepared = recorded.prepared.get(e.game)
    if prepared is None or prepared.shoe_id != e.shoe_id:
        return ShoeRecord(e.shoe_id, e.shoe, e.first_card)
    shoe = prepared.record(e.first_card)
    if shoe.order != e.shoe:
        raise InvariantError(f"round {e.round_id}: shoe {e.shoe_id} is not in the order that was committed to")
    return shoe


def _shoe_prepared(recorded: Recorded, e: fairness.ShoePrepared, _: Record) -> Recorded:
    if commitment_of(e.shoe_id, e.salt, e.order) != e.commitment:
        raise InvariantError(f"shoe {e.shoe_id}: salt and order do not give its commitment")
    prepared = PreparedShoe(e.shoe_id, e.order, e.salt, e.commitment)
    return replace(
        recorded,
        prepared={**recorded.prepared, e.game: prepared},
        counts={**recorded.counts, "shoes": e.number},
    )


def _shoe_cut(recorded: Recorded, e: fairness.ShoeCut, _: Record) -> Recorded:
    for game, prepared in recorded.prepared.items():
        if prepared.shoe_id == e.shoe_id:
            return replace(recorded, prepared={**recorded.prepared, game: replace(prepared, cut=e.position)})
    raise InvariantError(f"shoe {e.shoe_id} is cut but was not prepared")


def _round_acted(recorded: Recorded, e: entry.RoundActed, _: Record) -> Recorded:
    open_round = _open_round(recorded, e.round_id)
    return replace(recorded, round=replace(open_round, acts=(*open_round.acts, e)))


def _round_settled(recorded: Recorded, e: entry.RoundSettled, _: Record) -> Recorded:
    settled = replace(_open_round(recorded, e.round_id), settled=e)
    shoe = replace(settled.shoe, used_count=settled.opened.first_card + e.card_count)
    jackpots = recorded.jackpots_minor
    if e.jackpot_meter_minor is not None:
        jackpots = {**jackpots, e.game: e.jackpot_meter_minor}
    return replace(
        recorded,
        round=None,
        last_round=settled,
        shoes={**recorded.shoes, e.game: shoe},
        jackpots_minor=jackpots,
        history=(*recorded.history, settled)[-HISTORY_LENGTH:],
    )


def _round_voided(recorded: Recorded, e: entry.RoundVoided, _: Record) -> Recorded:
    game = _open_round(recorded, e.round_id).opened.game
    shoes = {name: shoe for name, shoe in recorded.shoes.items() if name != game}
    return replace(recorded, round=None, last_round=None, shoes=shoes)


def _cash_out_started(recorded: Recorded, e: entry.CashOutStarted, _: Record) -> Recorded:
    payout = Payout(e, hopper_done=e.hopper_coin_count == 0)
    counts = _bump(recorded.counts, "payouts")
    return replace(recorded, payout=payout, last_round=None, counts=counts)


def _hopper_counted(recorded: Recorded, e: entry.HopperCounted, _: Record) -> Recorded:
    payout = _payout(recorded, e.payout_id)
    recorded = _counted(recorded, "hopper", e.paid_count - payout.paid_count)
    return replace(recorded, payout=replace(payout, paid_count=e.paid_count))


def _hopper_finished(recorded: Recorded, e: entry.HopperFinished, _: Record) -> Recorded:
    before = _payout(recorded, e.payout_id)
    recorded = _counted(recorded, "hopper", e.paid_count - before.paid_count)
    payout = replace(before, paid_count=e.paid_count, hopper_done=True)
    started = payout.started
    is_paid = e.paid_count * started.coin_value_minor >= started.amount_minor
    return replace(recorded, payout=None if is_paid else payout)


def _handpay_cleared(recorded: Recorded, e: entry.HandpayCleared, _: Record) -> Recorded:
    _payout(recorded, e.payout_id)
    return replace(recorded, payout=None)


def _fault_raised(recorded: Recorded, e: entry.FaultRaised, record: Record) -> Recorded:
    others = tuple(fault for fault in recorded.faults if (fault.code, fault.device) != (e.code, e.device))
    counter = recorded.counters.get(e.device)
    if counter is not None and e.code in UNCERTAIN:
        # What it has counted more at its next reading is told by this fault, as long as it stands.
        counters = {**recorded.counters, e.device: replace(counter, is_in_doubt=True)}
        recorded = replace(recorded, counters=counters)
    recorded = _told(recorded, e.device)
    return replace(recorded, faults=(*others, Fault(e.code, e.device, e.detail, record.at_ms)))


def _fault_cleared(recorded: Recorded, e: entry.FaultCleared, _: Record) -> Recorded:
    left = tuple(fault for fault in recorded.faults if (fault.code, fault.device) != (e.code, e.device))
    return replace(recorded, faults=left)


def _door_moved(recorded: Recorded, e: entry.DoorMoved, _: Record) -> Recorded:
    doors = recorded.doors_open | {e.door} if e.is_open else recorded.doors_open - {e.door}
    return replace(recorded, doors_open=doors)


def _key_turned(recorded: Recorded, e: entry.KeyTurned, _: Record) -> Recorded:
    return replace(recorded, keys_on=recorded.keys_on | {e.key} if e.is_on else recorded.keys_on - {e.key})


def _refilled(recorded: Recorded, e: entry.HopperRefilled, _: Record) -> Recorded:
    return replace(recorded, counts={**recorded.counts, "refills": e.number})


def _collected(recorded: Recorded, e: entry.CashBoxCollected, _: Record) -> Recorded:
    return replace(recorded, counts={**recorded.counts, "collections": e.number})


def _rebuilt(recorded: Recorded, e: entry.MemoryRebuilt, record: Record) -> Recorded:
    """A rebuilt copy is a fault by itself: whoever rebuilt it did not know the terminal's state."""
    raised = entry.FaultRaised(COPY_REBUILT, e.copy, e.detail)
    return _fault_raised(recorded, raised, record)


def _period_closed(recorded: Recorded, e: keeping.PeriodClosed, record: Record) -> Recorded:
    return replace(recorded, periods=recorded.periods.closed(e, record.at_ms, recorded.books.meters))


def _configuration(recorded: Recorded, e: keeping.ConfigurationRecorded, _: Record) -> Recorded:
    return replace(recorded, settings={value.key: value.value for value in e.values})


def _setting_changed(recorded: Recorded, e: keeping.SettingChanged, _: Record) -> Recorded:
    others = {key: value for key, value in recorded.settings.items() if key != e.key}
    overrides = recorded.overrides
    if e.by in LEVELS:
        overrides = {**overrides, e.key: e.new}
    return replace(recorded, settings={**others, e.key: e.new} if e.new else others, overrides=overrides)


def _pin_entered(recorded: Recorded, e: menu_entry.PinEntered, record: Record) -> Recorded:
    if e.is_right:
        return replace(recorded, wrong_pins=0)
    return replace(recorded, wrong_pins=recorded.wrong_pins + 1, wrong_pin_ms=record.at_ms)


def _ram_cleared(recorded: Recorded, e: keeping.RamCleared, _: Record) -> Recorded:
    # A device without a counter of its own numbers its keys behind those of the epoch before: a key that was used there
    # counts as credited, and new money under it would be confirmed and lost.
    for key in e.money_keys:
        if device := _COUNTED_DEVICES.get(key.partition(":")[0]):
            recorded = replace(recorded, last_events=_last_event(recorded, device, key))
    return replace(recorded, set_up_wanted=True)


def _set_up_begun(recorded: Recorded, _: service.SetUpBegun, __: Record) -> Recorded:
    return replace(recorded, set_up_wanted=True)


def _set_up_confirmed(recorded: Recorded, e: service.SetUpConfirmed, _: Record) -> Recorded:
    return replace(recorded, set_up_steps=recorded.set_up_steps | {e.step})


def _set_up_done(recorded: Recorded, _: service.SetUpDone, __: Record) -> Recorded:
    return replace(recorded, set_up_wanted=False)


def _pin_chosen(recorded: Recorded, e: service.PinChosen, _: Record) -> Recorded:
    return replace(recorded, pins={**recorded.pins, e.level: e.stored})


def _clear_confirmed(recorded: Recorded, e: service.RamClearConfirmed, _: Record) -> Recorded:
    return replace(recorded, ram_clear=e)


def _hopper_test_started(recorded: Recorded, e: service.HopperTestStarted, _: Record) -> Recorded:
    if recorded.hopper_test is not None or recorded.payout is not None:
        raise InvariantError(f"hopper test {e.test_id} starts while the hopper pays")
    return replace(recorded, hopper_test=HopperTest(e), counts=_bump(recorded.counts, "hopper_tests"))


def _hopper_test_counted(recorded: Recorded, e: service.HopperTestCounted, _: Record) -> Recorded:
    test = _hopper_test(recorded, e)
    recorded = _counted(recorded, "hopper", e.new_count)
    return replace(recorded, hopper_test=replace(test, paid_count=e.paid_count))


def _hopper_test_finished(recorded: Recorded, e: service.HopperTestFinished, _: Record) -> Recorded:
    _hopper_test(recorded, e)
    return replace(_counted(recorded, "hopper", e.new_count), hopper_test=None)


def _hopper_test(recorded: Recorded, e: service.HopperTestCounted | service.HopperTestFinished) -> HopperTest:
    test = recorded.hopper_test
    if test is None or test.started.test_id != e.test_id:
        raise InvariantError(f"hopper test {e.test_id} is not open")
    if e.paid_count - test.paid_count != e.new_count or e.new_count * test.started.coin_value_minor != e.amount_minor:
        raise InvariantError(f"hopper test {e.test_id}: {e.new_count} coins, {e.amount_minor}, do not follow")
    return test


def _coin_tested(recorded: Recorded, e: service.CoinTested, _: Record) -> Recorded:
    recorded = _told(_counted(recorded, "coins", 1), "coins")
    return replace(recorded, last_events=_last_event(recorded, "coins", e.key))


def _printer_tested(recorded: Recorded, _: service.PrinterTested, __: Record) -> Recorded:
    return replace(recorded, counts=_bump(recorded.counts, "printer_tests"))


def _report_ordered(recorded: Recorded, e: menu_entry.ReportOrdered, _: Record) -> Recorded:
    return replace(recorded, reports_ordered=(*recorded.reports_ordered, e.report))


def _report_saved(recorded: Recorded, e: menu_entry.ReportSaved, _: Record) -> Recorded:
    """One order ends: that of the report with which the name ends, the longest (``last-period`` ends with ``period``)."""
    waiting = list(recorded.reports_ordered)
    named = [report for report in waiting if f"-{e.name}".endswith(f"-{report.replace('_', '-')}") or e.name == report]
    if named:
        waiting.remove(max(named, key=len))
    return replace(recorded, reports_ordered=tuple(waiting))


def _open_round(recorded: Recorded, round_id: str) -> RoundEntries:
    if recorded.round is None or recorded.round.opened.round_id != round_id:
        raise InvariantError(f"round {round_id} is not open")
    return recorded.round


def _payout(recorded: Recorded, payout_id: str) -> Payout:
    if recorded.payout is None or recorded.payout.started.payout_id != payout_id:
        raise InvariantError(f"pay-out {payout_id} is not open")
    return recorded.payout


_RULES: dict[type[entry.Entry], Callable[[Recorded, Any, Record], Recorded]] = {
    entry.Commissioned: _commissioned,
    entry.Booted: _booted,
    entry.Stopped: _stopped,
    entry.NoteIntended: _note_intended,
    entry.NoteCredited: _note_credited,
    entry.NoteReturned: _note_ended,
    entry.NoteUnresolved: _note_ended,
    entry.MoneyBegan: _money_began,
    entry.CoinCredited: _coin_credited,
    fairness.ShoePrepared: _shoe_prepared,
    fairness.ShoeCut: _shoe_cut,
    entry.RoundOpened: _round_opened,
    entry.RoundActed: _round_acted,
    entry.RoundSettled: _round_settled,
    entry.RoundVoided: _round_voided,
    entry.CashOutStarted: _cash_out_started,
    entry.HopperCounted: _hopper_counted,
    entry.HopperFinished: _hopper_finished,
    entry.HandpayCleared: _handpay_cleared,
    entry.FaultRaised: _fault_raised,
    entry.FaultCleared: _fault_cleared,
    entry.DoorMoved: _door_moved,
    entry.KeyTurned: _key_turned,
    entry.HopperRefilled: _refilled,
    entry.CashBoxCollected: _collected,
    entry.MemoryRebuilt: _rebuilt,
    keeping.NoteRejected: _note_rejected,
    keeping.CounterRead: _counter_read,
    keeping.PeriodClosed: _period_closed,
    keeping.ConfigurationRecorded: _configuration,
    keeping.SettingChanged: _setting_changed,
    menu_entry.PinEntered: _pin_entered,
    menu_entry.ReportOrdered: _report_ordered,
    menu_entry.ReportSaved: _report_saved,
    keeping.RamCleared: _ram_cleared,
    service.SetUpBegun: _set_up_begun,
    service.SetUpConfirmed: _set_up_confirmed,
    service.SetUpDone: _set_up_done,
    service.PinChosen: _pin_chosen,
    service.RamClearConfirmed: _clear_confirmed,
    service.HopperTestStarted: _hopper_test_started,
    service.HopperTestCounted: _hopper_test_counted,
    service.HopperTestFinished: _hopper_test_finished,
    service.CoinTested: _coin_tested,
    service.PrinterTested: _printer_tested,
}
