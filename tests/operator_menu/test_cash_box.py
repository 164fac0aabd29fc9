"""What a drop is counted against: the box piece by piece, and the slips of collections and refills."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from display.view_model import Money
from firmware.entries import types as entry
from firmware.journal.record import Record
from firmware.terminal.cash_box import CashBox, value_of
from firmware.terminal.step import CollectCashBox, RefillHopper
from tests.operator_menu.operator import Operator

_ENTRIES = st.one_of(
    st.builds(entry.NoteCredited, st.just("N"), st.sampled_from((500, 1_000, 10_000))),
    st.builds(entry.CoinCredited, st.just("C"), st.sampled_from((50, 100)), st.sampled_from(("hopper", "cash_box"))),
    st.builds(entry.CashBoxCollected, st.integers(1, 9), st.integers(0, 10**6)),
    st.builds(entry.HopperRefilled, st.integers(1, 9), st.integers(1, 99), st.integers(1, 9_900)),
    st.just(entry.Stopped()),
)


@given(st.lists(_ENTRIES, max_size=40), st.integers(0, 40))
def test_pieces_are_what_came_since_the_last_collection_however_records_are_grouped(
    entries: list[entry.Entry], cut: int
) -> None:
    records = [Record(seq, seq, each, b"") for seq, each in enumerate(entries, 1)]
    whole = CashBox().post(records)
    assert CashBox().post(records[:cut]).post(records[cut:]) == whole
    since = entries[max((n for n, e in enumerate(entries, 1) if isinstance(e, entry.CashBoxCollected)), default=0) :]
    notes = Counter(e.amount_minor for e in since if isinstance(e, entry.NoteCredited))
    coins = Counter(e.amount_minor for e in since if isinstance(e, entry.CoinCredited) and e.to == "cash_box")
    assert dict(whole.pieces) == {f"note.{v}": n for v, n in notes.items()} | {f"coin.{v}": n for v, n in coins.items()}


def test_box_on_the_screen_is_what_lies_in_the_hardware_and_a_collection_empties_it(busy: Operator) -> None:
    cabinet, chance = busy.cabinet, random.Random(2)
    for _ in range(6):
        cabinet.insert_note(chance.choice((500, 1_000, 2_000)))
    box = cabinet.terminal.state.recorded.cash_box
    assert value_of(box.pieces) == cabinet.world.readings.cash_box_minor == cabinet.books.balance("cash.box")
    busy.open()
    busy.go("cash.collect")
    page = busy.view.page
    assert page is not None
    shown = {row.label.args[0][1]: row.second for row in page.rows if row.label.message.startswith("Notes of")}
    assert sum(money.minor for money in shown.values() if isinstance(money, Money)) == cabinet.books.balance("cash.box")
    held = cabinet.books.balance("cash.box")
    cabinet.terminal.handle(CollectCashBox())
    cabinet.terminal.handle(RefillHopper(77))
    busy.go("cash.collected")
    page = busy.view.page
    assert page is not None
    assert page.rows[0].value == "1"
    assert page.rows[2].value == Money(held)
    assert dict(cabinet.terminal.state.recorded.cash_box.pieces) == {}
    busy.go("cash.refilled")
    page = busy.view.page
    assert page is not None
    assert (page.rows[2].value, page.rows[2].second) == ("77", Money(7_700))
