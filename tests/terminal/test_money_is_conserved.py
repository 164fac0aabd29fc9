"""Any sequence of notes, coins, bets, hands, cash-outs, faults and power cuts conserves money to the minor unit.

The model is ten lines: what went in, less what came out, is what the terminal owes or the house has won.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from firmware.ledger import accounts
from tests.support.cabinet import CabinetUnderTest, settings_for

GAMES = ("oasis", "russian", "baccarat", "six_decks_blackjack", "oasis_jackpot")


def insert(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.insert_note((500, 1_000, 2_000, 7_777)[number % 4])


def coin(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.insert_coin((50, 100, 200, 7)[number % 4])


def sit(cabinet: CabinetUnderTest, number: int) -> None:
    if cabinet.view.mode == "table" and cabinet.view.table is not None and cabinet.view.table.phase != "deciding":
        cabinet.press("lobby")
    cabinet.touch(f"lobby:{GAMES[number % len(GAMES)]}")


def bet(cabinet: CabinetUnderTest, number: int) -> None:
    table = cabinet.view.table
    if table is not None:
        spots = [(box.position, spot.line) for box in table.boxes for spot in box.spots]
        if spots:
            position, line = spots[number % len(spots)]
            cabinet.touch(f"box:{position}:{line}")


def push_some_button(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.press(f"b{number % 12 + 1}")


def deal(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.press_if_there("deal")


def choose(cabinet: CabinetUnderTest, number: int) -> None:
    names = [button.id for button in cabinet.view.buttons if button.enabled]
    if names:
        cabinet.touch(names[number % len(names)])


def cash_out(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.touch("button:cash_out")
    cabinet.wait(number * 7 % 3_000)


def power_cut(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.wait(number % 700)
    cabinet.cut_power()
    cabinet.boot()


def killed(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.wait(number % 500)
    cabinet.kill()
    cabinet.wait(number % 900)
    cabinet.boot()


def note_and_power_cut(cabinet: CabinetUnderTest, number: int) -> None:
    if cabinet.world.readings.note_state in ("ready", "disabled"):
        cabinet.act(lambda world: world.insert_note(1_000), wait_ms=number % 900)
        cabinet.cut_power()
        cabinet.boot()


def door(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.act(lambda world: world.open_door("main"), wait_ms=number % 600)
    cabinet.act(lambda world: world.close_door("main"))


def key(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))


def jam(cabinet: CabinetUnderTest, number: int) -> None:
    cabinet.act(lambda world: world.jam("hopper"), wait_ms=number % 900)
    cabinet.act(lambda world: world.clear_jam("hopper"))


DEEDS: tuple[Callable[[CabinetUnderTest, int], None], ...] = (
    insert, insert, coin, sit, bet, bet, push_some_button, deal, deal, choose, choose, choose, cash_out, power_cut,
    killed, note_and_power_cut, door, key, jam,
)  # fmt: skip


def check(cabinet: CabinetUnderTest) -> None:
    """The model: cash that went in and is not out again = what is owed + what the house has won."""
    books, readings = cabinet.books, cabinet.world.readings
    books.check()
    put_in = books.meter("notes_in_minor") + books.meter("coins_in_minor")
    paid_out = books.meter("hopper_paid_minor") + books.meter("hopper_extra_minor") + books.meter("handpaid_minor")
    owed = books.credit_minor + books.staked_minor + books.handpay_minor + books.balance(accounts.PAYOUT)
    house = (
        books.meter("coin_in_minor") - books.meter("coin_out_minor") - books.meter("voided_minor") - books.staked_minor
    )
    assert put_in - paid_out == owed + house - books.meter("hopper_extra_minor")
    assert readings.cash_box_notes_minor == books.meter("notes_in_minor")
    assert readings.tray_minor + readings.taken_minor == books.meter("hopper_coins") * 100


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # a failing sequence is short enough to read, and shrinking takes minutes
)
@given(deeds=st.lists(st.tuples(st.integers(0, len(DEEDS) - 1), st.integers(0, 9_999)), min_size=8, max_size=40))
def test_any_sequence_of_deeds_conserves_money(deeds: list[tuple[int, int]]) -> None:
    with TemporaryDirectory() as folder:
        cabinet = CabinetUnderTest(settings_for(Path(folder)), seed=len(deeds))
        cabinet.boot()
        for deed, number in deeds:
            DEEDS[deed](cabinet, number)
        cabinet.wait(10_000)
        check(cabinet)
        before = cabinet.books
        cabinet.cut_power()
        cabinet.boot()
        cabinet.wait(10_000)
        check(cabinet)
        assert cabinet.books.credit_minor == before.credit_minor
        cabinet.close()
