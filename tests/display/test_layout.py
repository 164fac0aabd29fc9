"""Where things stand on the tables: rows of cards, columns of boxes, buttons, mirrored frames."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import motion
from display.draw_list import CANVAS_WIDTH, Box, Sprite
from display.layout import frame, table_places
from display.layout.place import card_row
from display.samples import SAMPLES, poker
from display.samples.parts import button, hand, spot
from display.scenes import compose
from display.view_model import BoxView, Comfort, View

TABLES = [name for name, make in SAMPLES.items() if make().table is not None]


@given(st.integers(1, 12), st.integers(60, 200), st.integers(260, 1800))
def test_a_row_of_cards_stays_in_its_area_in_order(count: int, card_width: int, room: int) -> None:
    area = Box(100, 500, room, 250)
    keys = tuple(str(number) for number in range(count))
    places = card_row(keys, area, card_width, 14)
    lefts = [places[key].box.x for key in keys]
    assert lefts == sorted(lefts)
    assert lefts[0] >= area.x - 0.01
    assert lefts[-1] + card_width <= area.x + area.w + 0.01
    for one, other in combinations(places.values(), 2):
        assert not one.touch.inset(0.01).overlaps(other.touch)


@pytest.mark.parametrize("name", TABLES)
def test_every_card_and_spot_of_a_table_has_a_place(name: str) -> None:
    table = SAMPLES[name]().table
    assert table is not None
    places = table_places(table)
    for held in motion.hands_of(table):
        for card in held.cards:
            assert card.key in places.cards
    for box in table.boxes:
        for line in box.spots:
            assert (box.position, line.line) in places.spots


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("cards", [5, 6])
def test_cards_of_every_box_can_be_touched_with_a_finger(count: int, cards: int) -> None:
    positions = (1, 4, 6)[:count]
    boxes = tuple(
        BoxView(
            position,
            "active",
            (hand(f"b{position}.0", "As Ks Qs Js Ts 9s"[: cards * 3 - 1], active=True),),
            (spot("ante", 100),),
        )
        for position in positions
    )
    view = poker.table_view("russian", "deciding", boxes, hand("d"), buttons=(button("exchange", 7),))
    hits = [hit for hit in compose(view, motion.still(view), 0).targets() if hit.target.startswith("card:")]
    assert len(hits) == count * cards
    assert all(hit.box.w >= 72 for hit in hits)


def test_a_chosen_card_stands_higher_than_the_others() -> None:
    table = poker.deciding_one().table
    assert table is not None
    cards = table_places(table).cards
    assert cards["b3.0.4"].box.y < cards["b3.0.0"].box.y


def test_closed_positions_without_spots_are_no_trouble_in_play() -> None:
    view = poker.deciding_one()
    table = view.table
    assert table is not None
    boxes = (BoxView(1, "closed"), BoxView(2, "closed"), *table.boxes, BoxView(5, "closed"))
    crowded = replace(view, table=replace(table, boxes=boxes))
    assert _cards(crowded) == _cards(view)


def _cards(view: View) -> list[Sprite]:
    drawn = compose(view, motion.still(view), 0)
    return [item for item in drawn.items if isinstance(item, Sprite) and item.name.startswith("card:")]


@pytest.mark.parametrize("action_count", range(1, 10))
@pytest.mark.parametrize("left_handed", [False, True])
def test_any_number_of_buttons_fits_beside_the_meters(action_count: int, left_handed: bool) -> None:
    names = ("fold", "raise", "exchange", "hit", "stand", "double", "split", "surrender", "deal")[:action_count]
    view = replace(
        poker.betting(),
        buttons=(button("lobby", 8), button("cash_out", 12), *(button(name, 0, tone="primary") for name in names)),
        comfort=Comfort(left_handed=left_handed),
    )
    places = [placed.box for placed in frame.buttons(view)] + list(frame.meters(left_handed).values())
    assert all(place.w >= 72 and place.x >= 0 and place.x + place.w <= CANVAS_WIDTH for place in places)
    for one, other in combinations(places, 2):
        assert not one.inset(0.01).overlaps(other)


def test_left_handed_players_have_the_actions_on_the_left() -> None:
    right, left = (replace(poker.deciding_one(), comfort=Comfort(left_handed=choice)) for choice in (False, True))
    fold = {
        side: next(p.box.x for p in frame.buttons(v) if p.button.id == "button:fold")
        for side, v in (("r", right), ("l", left))
    }
    assert fold["l"] < CANVAS_WIDTH / 2 < fold["r"]


def test_numbers_of_physical_buttons_stand_where_the_thing_is() -> None:
    view = poker.deciding_one()
    shown = {placed.button.id for placed in frame.buttons(view)}
    assert not any(each.startswith(frame.MARK) for each in shown)
    assert "button:language" not in shown
    assert frame.slot_of(view, "button:mark:2") == 3
    assert frame.slot_of(view, "button:cash_out") == 0, "a button that is disabled does nothing"


def test_four_colours_and_backs_follow_the_players_choice() -> None:
    view = SAMPLES["comfort_four_colour"]()
    names = {item.name.split(":")[0] for item in compose(view, motion.still(view), 0).items if isinstance(item, Sprite)}
    assert "card4" in names
    assert "card" not in names
