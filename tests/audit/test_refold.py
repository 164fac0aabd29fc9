"""A thousand random deeds: every figure equals what another hand counts from the entries."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware.entries import keeping
from firmware.entries import types as entry
from firmware.journal.record import Record
from firmware.ledger.meters import SINCE_METERS
from firmware.terminal.evolve import fold
from firmware.terminal.state import Recorded
from firmware.terminal.step import ClosePeriod, CollectCashBox, RefillHopper
from tests.audit.play import play_rounds
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.terminal.test_money_is_conserved import DEEDS, GAMES


def close_period(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.terminal.handle(ClosePeriod(f"operator {number % 3}"))


def refill(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.terminal.handle(RefillHopper(number % 50))


def collect(cabinet: CabinetUnderTest, _: int) -> None:
    cabinet.terminal.handle(CollectCashBox())


def play_a_round(cabinet: CabinetUnderTest, number: int) -> None:
    at_rest = cabinet.view.mode in ("attract", "lobby", "table") and cabinet.terminal.state.live is None
    if at_rest and cabinet.view.accepts_money:
        play_rounds(cabinet, GAMES[number % len(GAMES)], 1, number)


MORE_DEEDS: tuple[Callable[[CabinetUnderTest, int], None], ...] = (
    *DEEDS, close_period, refill, collect, play_a_round, play_a_round, play_a_round,
)  # fmt: skip


def counted(records: Iterable[Record]) -> Counter[str]:
    """The meters, counted plainly: one pass, one line a meter, nothing shared with the ledger."""
    meters: Counter[str] = Counter()
    game, coin_minor, owed, paid = "", 0, 0, 0
    for record in records:
        e = record.entry
        if isinstance(e, entry.NoteCredited):
            meters.update({"notes_in_minor": e.amount_minor, "notes_in": 1, "drop_minor": e.amount_minor})
            meters[f"notes.{e.amount_minor}.count"] += 1
        elif isinstance(e, entry.CoinCredited):
            meters.update({"coins_in_minor": e.amount_minor, "coins_in": 1, f"coins.{e.amount_minor}.count": 1})
            meters["coins_to_hopper_minor" if e.to == "hopper" else "coins_to_box_minor"] += e.amount_minor
            meters["drop_minor"] += e.amount_minor if e.to != "hopper" else 0
        elif isinstance(e, entry.RoundOpened):
            game = e.game
            meters.update({"coin_in_minor": e.cost_minor, f"game.{game}.coin_in_minor": e.cost_minor})
        elif isinstance(e, entry.RoundActed):
            meters.update({"coin_in_minor": e.cost_minor, f"game.{game}.coin_in_minor": e.cost_minor})
        elif isinstance(e, entry.RoundSettled):
            word = "won" if e.paid_minor > e.staked_minor else "pushed" if e.paid_minor == e.staked_minor else "lost"
            meters.update({"coin_out_minor": e.paid_minor, f"game.{game}.coin_out_minor": e.paid_minor})
            meters.update({"games_played": 1, f"games_{word}": 1, f"game.{game}.games_played": 1})
            meters[f"game.{game}.games_{word}"] += 1
            won = {"hits": 1, "won_minor": e.jackpot_won_minor} if e.jackpot_won_minor else {}
            meters.update(
                {
                    f"{place}_{name}": value
                    for place in ("jackpot", f"game.{game}.jackpot")
                    for name, value in won.items()
                }
            )
        elif isinstance(e, entry.CashOutStarted):
            coin_minor, owed, paid = e.coin_value_minor, e.hopper_coin_count, 0
            meters.update({"cash_outs": 1, "cashed_out_minor": e.amount_minor})
            meters["cancelled_credit_minor"] += e.amount_minor - owed * coin_minor
        elif isinstance(e, entry.HopperCounted | entry.HopperFinished):
            meters["hopper_coins"] += e.paid_count - paid
            meters["hopper_paid_minor"] += (min(e.paid_count, owed) - min(paid, owed)) * coin_minor
            meters["hopper_extra_minor"] += (max(e.paid_count - owed, 0) - max(paid - owed, 0)) * coin_minor
            paid = e.paid_count
            if isinstance(e, entry.HopperFinished):
                meters["cancelled_credit_minor"] += max(owed - paid, 0) * coin_minor
        elif isinstance(e, entry.HandpayCleared):
            meters.update({"handpays": 1, "handpaid_minor": e.amount_minor})
        elif isinstance(e, entry.DoorMoved):
            meters[f"door.{e.door}.opened"] += e.is_open
        elif isinstance(e, entry.Booted):
            meters.update({"power_resets": 1, "power_losses": 0 if e.after_clean_stop else 1})
        elif isinstance(e, entry.FaultRaised):
            meters[f"fault.{e.code}"] += 1
        elif isinstance(e, entry.HopperRefilled):
            meters.update({"hopper_refills": 1, "hopper_refilled_coins": e.coin_count})
            meters["hopper_refilled_minor"] += e.amount_minor
        elif isinstance(e, entry.CashBoxCollected):
            meters.update({"collections": 1, "collected_minor": e.amount_minor})
        elif isinstance(e, entry.NoteReturned):
            meters["notes_returned"] += 1
        elif isinstance(e, entry.NoteUnresolved):
            meters["notes_unresolved_minor"] += e.amount_minor
        elif isinstance(e, keeping.NoteRejected):
            meters["notes_rejected"] += 1
    return +meters


@pytest.mark.parametrize("seed", [1, 2])
def test_five_hundred_random_deeds_keep_every_figure_equal_to_another_count(seed: int) -> None:
    chance = random.Random(seed)
    with TemporaryDirectory() as folder:
        cabinet = CabinetUnderTest(settings_for(Path(folder)), seed=seed)
        cabinet.boot()
        for _ in range(500):
            MORE_DEEDS[chance.randrange(len(MORE_DEEDS))](cabinet, chance.randrange(10_000))
        cabinet.wait(10_000)
        recorded, records = cabinet.terminal.state.recorded, cabinet.records()
        cabinet.close()
    again = fold(Recorded(), records)
    assert (again.books, again.periods) == (recorded.books, recorded.periods)
    master = {name: value for name, value in recorded.books.meters.items() if value and name not in SINCE_METERS}
    assert master == dict(counted(records))
    ends = [number for number, record in enumerate(records, 1) if isinstance(record.entry, keeping.PeriodClosed)]
    since = counted(records) - counted(records[: ends[-1] if ends else 0])
    assert recorded.periods.meters(recorded.books.meters) == dict(since)
    assert len(recorded.periods.history) == min(len(ends), 24)
    assert recorded.books.meter("games_played") > 5
    assert recorded.books.identity().holds
