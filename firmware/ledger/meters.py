"""Meters: what every entry adds to which counter. A fold beside the transfers, counted from the entries' own amounts.

Names are the field's: ``coin_in_minor`` is the amount *wagered*, ``coin_out_minor`` what play paid to the credit,
``drop_minor`` what reached the cash box. Counting here and moving in ``transfers`` are written apart on purpose: the
self-audit identity compares them. Not responsible for periods or for how meters are shown.
"""

from collections.abc import Callable
from typing import Any, Final

from firmware.entries import keeping, service
from firmware.entries import types as entry

ROLL_OVER: Final = 10**10
"""Meters roll over to zero at this value, declared to whoever reads them: ten digits. Stored as 64-bit integers."""

SINCE_METERS: Final = frozenset(
    {"games_since_power_up", "games_since_door", "notes_since_play_minor", "coins_since_play_minor"}
)
"""Meters that begin anew by themselves; no period has them."""


class MeterCount:
    """The counters while entries are being posted, and what the next entry is counted against."""

    def __init__(self, meters: dict[str, int], game: str, payout_minor: int, paid_count: int, coin_minor: int) -> None:
        """``game`` is the open round's; ``payout_minor`` what the hopper still owes; coins are of ``coin_minor``."""
        self._meters = meters
        self.game = game
        self.payout_minor = payout_minor
        self.paid_count = paid_count
        self.coin_minor = coin_minor

    def add(self, name: str, amount: int = 1) -> None:
        """Advance a meter, rolling over at ``ROLL_OVER``."""
        self._meters[name] = (self._meters.get(name, 0) + amount) % ROLL_OVER

    def reset(self, name: str) -> None:
        """Set a since-meter to zero."""
        self._meters[name] = 0

    def count(self, recorded: entry.Entry) -> None:
        """Count one entry."""
        rule = _RULES.get(type(recorded))
        if rule is not None:
            rule(self, recorded)


def _booted(count: MeterCount, booted: entry.Booted) -> None:
    count.add("power_resets")
    if not booted.after_clean_stop:
        count.add("power_losses")
    count.reset("games_since_power_up")


def _note(count: MeterCount, note: entry.NoteCredited) -> None:
    count.add("notes_in")
    count.add("notes_in_minor", note.amount_minor)
    count.add("notes_since_play_minor", note.amount_minor)
    count.add(f"notes.{note.amount_minor}.count")
    count.add("drop_minor", note.amount_minor)


def _note_returned(count: MeterCount, _: entry.NoteReturned) -> None:
    count.add("notes_returned")


def _note_rejected(count: MeterCount, _: keeping.NoteRejected) -> None:
    count.add("notes_rejected")


def _note_unresolved(count: MeterCount, unresolved: entry.NoteUnresolved) -> None:
    count.add("notes_unresolved_minor", unresolved.amount_minor)


def _coin(count: MeterCount, coin: entry.CoinCredited) -> None:
    count.add("coins_in")
    count.add("coins_in_minor", coin.amount_minor)
    count.add("coins_since_play_minor", coin.amount_minor)
    count.add(f"coins.{coin.amount_minor}.count")
    if coin.to == "hopper":
        count.add("coins_to_hopper_minor", coin.amount_minor)
    else:
        count.add("coins_to_box_minor", coin.amount_minor)
        count.add("drop_minor", coin.amount_minor)


def _stake(count: MeterCount, amount_minor: int) -> None:
    count.add("coin_in_minor", amount_minor)
    count.add(f"game.{count.game}.coin_in_minor", amount_minor)


def _opened(count: MeterCount, opened: entry.RoundOpened) -> None:
    count.game = opened.game
    count.reset("notes_since_play_minor")
    count.reset("coins_since_play_minor")
    _stake(count, opened.cost_minor)


def _acted(count: MeterCount, acted: entry.RoundActed) -> None:
    _stake(count, acted.cost_minor)


def _settled(count: MeterCount, settled: entry.RoundSettled) -> None:
    count.add("coin_out_minor", settled.paid_minor)
    if settled.jackpot_won_minor:
        for name in ("jackpot", f"game.{settled.game}.jackpot"):
            count.add(f"{name}_hits")
            count.add(f"{name}_won_minor", settled.jackpot_won_minor)
    outcome = "won" if settled.paid_minor > settled.staked_minor else "lost"
    if settled.paid_minor == settled.staked_minor:
        outcome = "pushed"
    for name in ("games", f"game.{settled.game}.games"):
        count.add(f"{name}_played")
        count.add(f"{name}_{outcome}")
    count.add(f"game.{settled.game}.coin_out_minor", settled.paid_minor)
    count.add("games_since_power_up")
    count.add("games_since_door")


def _voided(count: MeterCount, voided: entry.RoundVoided) -> None:
    count.add("voided_minor", voided.refunded_minor)
    count.add(f"game.{count.game}.voided_minor", voided.refunded_minor)
    count.add("games_voided")


def _cash_out(count: MeterCount, started: entry.CashOutStarted) -> None:
    count.coin_minor = started.coin_value_minor
    count.paid_count = 0
    count.payout_minor = started.hopper_coin_count * started.coin_value_minor
    count.add("cash_outs")
    count.add("cashed_out_minor", started.amount_minor)
    count.add("cancelled_credit_minor", started.amount_minor - count.payout_minor)


def _hopper(count: MeterCount, counted: entry.HopperCounted | entry.HopperFinished) -> None:
    coins = counted.paid_count - count.paid_count
    paid_minor = coins * count.coin_minor
    owed_minor = min(paid_minor, count.payout_minor)
    count.add("hopper_paid_minor", owed_minor)
    count.add("hopper_coins", coins)
    count.add("hopper_extra_minor", paid_minor - owed_minor)
    count.payout_minor -= owed_minor
    count.paid_count = counted.paid_count


def _hopper_finished(count: MeterCount, finished: entry.HopperFinished) -> None:
    _hopper(count, finished)
    count.add("cancelled_credit_minor", count.payout_minor)
    count.payout_minor = 0


def _handpay(count: MeterCount, cleared: entry.HandpayCleared) -> None:
    count.add("handpays")
    count.add("handpaid_minor", cleared.amount_minor)


def _door(count: MeterCount, moved: entry.DoorMoved) -> None:
    if moved.is_open:
        count.add(f"door.{moved.door}.opened")
    elif moved.door == "main":
        count.reset("games_since_door")


def _refilled(count: MeterCount, refilled: entry.HopperRefilled) -> None:
    count.add("hopper_refills")
    count.add("hopper_refilled_coins", refilled.coin_count)
    count.add("hopper_refilled_minor", refilled.amount_minor)


def _collected(count: MeterCount, collected: entry.CashBoxCollected) -> None:
    count.add("collections")
    count.add("collected_minor", collected.amount_minor)


def _fault(count: MeterCount, raised: entry.FaultRaised) -> None:
    count.add(f"fault.{raised.code}")


def _rebuilt(count: MeterCount, _: entry.MemoryRebuilt) -> None:
    count.add("memory_rebuilds")


def _hopper_tested(count: MeterCount, tested: service.HopperTestCounted | service.HopperTestFinished) -> None:
    count.add("hopper_test_coins", tested.new_count)
    count.add("hopper_test_minor", tested.amount_minor)


def _coin_tested(count: MeterCount, coin: service.CoinTested) -> None:
    count.add("coins_tested")
    count.add("coins_tested_minor", coin.amount_minor)
    if coin.to == "cash_box":
        count.add("drop_minor", coin.amount_minor)


def _hard_meter_tested(count: MeterCount, tested: service.HardMeterTested) -> None:
    count.add(f"hard_meter_{tested.meter}_tests", tested.step_count)


def _setting_changed(count: MeterCount, _: keeping.SettingChanged) -> None:
    count.add("settings_changed")


_RULES: dict[type[entry.Entry], Callable[[MeterCount, Any], None]] = {
    entry.Booted: _booted,
    entry.NoteCredited: _note,
    entry.NoteReturned: _note_returned,
    entry.NoteUnresolved: _note_unresolved,
    keeping.NoteRejected: _note_rejected,
    entry.CoinCredited: _coin,
    entry.RoundOpened: _opened,
    entry.RoundActed: _acted,
    entry.RoundSettled: _settled,
    entry.RoundVoided: _voided,
    entry.CashOutStarted: _cash_out,
    entry.HopperCounted: _hopper,
    entry.HopperFinished: _hopper_finished,
    entry.HandpayCleared: _handpay,
    entry.DoorMoved: _door,
    entry.HopperRefilled: _refilled,
    entry.CashBoxCollected: _collected,
    entry.FaultRaised: _fault,
    entry.MemoryRebuilt: _rebuilt,
    keeping.SettingChanged: _setting_changed,
    service.HopperTestCounted: _hopper_tested,
    service.HopperTestFinished: _hopper_tested,
    service.CoinTested: _coin_tested,
    service.HardMeterTested: _hard_meter_tested,
}
