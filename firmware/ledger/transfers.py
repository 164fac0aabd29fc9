"""From entries to transfers: which money each entry moves, from where to where, and why.

Double entry: a transfer takes an amount from one account and puts it into another. Its id derives from the entry's own
name, so the same cause gives the same transfer for ever. Not responsible for balances (``books``) or meters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware.entries import service
from firmware.entries import types as entry
from firmware.ledger import accounts as account


@dataclass(frozen=True, slots=True)
class Transfer:
    """``amount_minor`` moves from ``source`` to ``target``; ``code`` says why, ``id`` names the cause."""

    id: str
    code: str
    source: str
    target: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class PayoutInFlight:
    """What a hopper's count is taken against: what is still owed, coins counted so far, and a coin's worth."""

    owed_minor: int = 0
    paid_count: int = 0
    coin_value_minor: int = 0


def transfers_of(recorded: entry.Entry, payout: PayoutInFlight) -> tuple[Transfer, ...]:
    """Return the transfers that an entry causes; empty for entries that move no money."""
    rule = _RULES.get(type(recorded))
    if rule is None:
        return ()
    return tuple(transfer for transfer in rule(recorded, payout) if transfer.amount_minor)


def _note_credited(note: entry.NoteCredited, _: PayoutInFlight) -> list[Transfer]:
    name = f"note:{note.key}"
    return [
        Transfer(name, "note_in", account.PLAYER, account.CREDIT, note.amount_minor),
        Transfer(f"{name}:cash", "note_to_box", account.OUTSIDE, account.CASH_BOX, note.amount_minor),
    ]


def _coin_credited(coin: entry.CoinCredited, _: PayoutInFlight) -> list[Transfer]:
    name = f"coin:{coin.key}"
    place = account.HOPPER if coin.to == "hopper" else account.CASH_BOX
    return [
        Transfer(name, "coin_in", account.PLAYER, account.CREDIT, coin.amount_minor),
        Transfer(f"{name}:cash", f"coin_to_{coin.to}", account.OUTSIDE, place, coin.amount_minor),
    ]


def _round_opened(opened: entry.RoundOpened, _: PayoutInFlight) -> list[Transfer]:
    return [Transfer(f"{opened.round_id}:stake", "stake", account.CREDIT, account.STAKES, opened.cost_minor)]


def _round_acted(acted: entry.RoundActed, _: PayoutInFlight) -> list[Transfer]:
    name = f"{acted.round_id}:{acted.step}"
    return [Transfer(name, f"stake_{acted.action}", account.CREDIT, account.STAKES, acted.cost_minor)]


def _round_settled(settled: entry.RoundSettled, _: PayoutInFlight) -> list[Transfer]:
    return [
        Transfer(f"{settled.round_id}:post", "stake_posted", account.STAKES, account.HOUSE, settled.staked_minor),
        Transfer(f"{settled.round_id}:pay", "paid", account.HOUSE, account.CREDIT, settled.paid_minor),
    ]


def _round_voided(voided: entry.RoundVoided, _: PayoutInFlight) -> list[Transfer]:
    return [Transfer(f"{voided.round_id}:void", "stake_voided", account.STAKES, account.CREDIT, voided.refunded_minor)]


def _cash_out_started(started: entry.CashOutStarted, _: PayoutInFlight) -> list[Transfer]:
    hopper_minor = started.hopper_coin_count * started.coin_value_minor
    name = f"payout:{started.payout_id}"
    return [
        Transfer(f"{name}:hopper", "cash_out_hopper", account.CREDIT, account.PAYOUT, hopper_minor),
        Transfer(f"{name}:hand", "cash_out_hand", account.CREDIT, account.HANDPAY, started.amount_minor - hopper_minor),
    ]


def _hopper_coins(payout_id: str, paid_count: int, payout: PayoutInFlight) -> list[Transfer]:
    left_minor = (paid_count - payout.paid_count) * payout.coin_value_minor
    due_minor = min(left_minor, payout.owed_minor)
    name = f"payout:{payout_id}:{paid_count}"
    return [
        Transfer(name, "coin_out", account.PAYOUT, account.PLAYER, due_minor),
        Transfer(f"{name}:extra", "coin_out_extra", account.HOUSE, account.PLAYER, left_minor - due_minor),
        Transfer(f"{name}:cash", "coin_from_hopper", account.HOPPER, account.OUTSIDE, left_minor),
    ]


def _hopper_counted(counted: entry.HopperCounted, payout: PayoutInFlight) -> list[Transfer]:
    return _hopper_coins(counted.payout_id, counted.paid_count, payout)


def _hopper_finished(finished: entry.HopperFinished, payout: PayoutInFlight) -> list[Transfer]:
    moved = _hopper_coins(finished.payout_id, finished.paid_count, payout)
    rest_minor = payout.owed_minor - moved[0].amount_minor
    rest = Transfer(f"payout:{finished.payout_id}:rest", "rest_to_hand", account.PAYOUT, account.HANDPAY, rest_minor)
    return [*moved, rest]


def _handpay_cleared(cleared: entry.HandpayCleared, _: PayoutInFlight) -> list[Transfer]:
    name = f"payout:{cleared.payout_id}:cleared"
    return [Transfer(name, "paid_by_hand", account.HANDPAY, account.PLAYER, cleared.amount_minor)]


def _hopper_refilled(refilled: entry.HopperRefilled, _: PayoutInFlight) -> list[Transfer]:
    name = f"refill:{refilled.number}"
    return [Transfer(name, "hopper_refill", account.OUTSIDE, account.HOPPER, refilled.amount_minor)]


def _cash_box_collected(collected: entry.CashBoxCollected, _: PayoutInFlight) -> list[Transfer]:
    name = f"collection:{collected.number}"
    return [Transfer(name, "cash_box_collected", account.CASH_BOX, account.OUTSIDE, collected.amount_minor)]


def _hopper_tested(tested: service.HopperTestCounted | service.HopperTestFinished, _: PayoutInFlight) -> list[Transfer]:
    """Coins of a test leave the hopper and are nobody's pay-out; whoever throws them back records a refill."""
    name = f"hopper_test:{tested.test_id}:{tested.paid_count}"
    return [Transfer(name, "hopper_test", account.HOPPER, account.OUTSIDE, tested.amount_minor)]


def _coin_tested(coin: service.CoinTested, _: PayoutInFlight) -> list[Transfer]:
    place = account.HOPPER if coin.to == "hopper" else account.CASH_BOX
    return [Transfer(f"coin:{coin.key}:test", f"coin_test_to_{coin.to}", account.OUTSIDE, place, coin.amount_minor)]


_RULES: dict[type[entry.Entry], Callable[[Any, PayoutInFlight], list[Transfer]]] = {
    entry.NoteCredited: _note_credited,
    entry.CoinCredited: _coin_credited,
    entry.RoundOpened: _round_opened,
    entry.RoundActed: _round_acted,
    entry.RoundSettled: _round_settled,
    entry.RoundVoided: _round_voided,
    entry.CashOutStarted: _cash_out_started,
    entry.HopperCounted: _hopper_counted,
    entry.HopperFinished: _hopper_finished,
    entry.HandpayCleared: _handpay_cleared,
    entry.HopperRefilled: _hopper_refilled,
    entry.CashBoxCollected: _cash_box_collected,
    service.HopperTestCounted: _hopper_tested,
    service.HopperTestFinished: _hopper_tested,
    service.CoinTested: _coin_tested,
}
