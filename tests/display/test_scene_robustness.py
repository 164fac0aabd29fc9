"""Scenes draw whatever a presenter may say, with pictures that exist, and the canvas paints them."""

from dataclasses import replace

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display import motion
from display.assets import sprite_exists
from display.canvas import Shelves, render
from display.draw_list import DrawList, Sprite
from display.samples import SAMPLES, baccarat, blackjack, others, poker
from display.samples.parts import hand
from display.samples.words import LINES
from display.scenes import MODES, compose
from display.view_model import BoxView, Notice, PageRow, SpotView, TableView, Text, View
from tests.display.frames import CABINET_CASES, CASES, frame

CODES = [rank + suit for suit in "shdc" for rank in "23456789TJQKA"]
amounts = st.integers(0, 10**7)
codes = st.sampled_from(["??", *CODES])
results = st.sampled_from(["", "win", "lose", "push", "fold", "bust", "blackjack", "no_qualify", "surrender"])


@st.composite
def spots(draw: st.DrawFn, lines: tuple[str, ...]) -> tuple[SpotView, ...]:
    chosen = draw(st.lists(st.sampled_from(lines), min_size=0, max_size=4, unique=True))
    return tuple(SpotView(line, LINES[line], draw(amounts), draw(st.none() | amounts)) for line in chosen)


@st.composite
def boxes(draw: st.DrawFn, lines: tuple[str, ...], most_hands: int) -> BoxView:
    position = draw(st.integers(1, 6))
    hands = []
    for number in range(draw(st.integers(0, most_hands))):
        held = " ".join(draw(st.lists(codes, max_size=9)))
        hands.append(hand(f"b{position}.{number}", held, result=draw(results), active=draw(st.booleans())))
    state = draw(st.sampled_from(["closed", "open", "bet", "waiting", "active", "done", "blind", "folded", "settled"]))
    return BoxView(position, state, tuple(hands), draw(spots(lines)), draw(st.booleans()), won_minor=draw(amounts))


@st.composite
def tables(draw: st.DrawFn) -> View:
    base, lines, most_hands = draw(
        st.sampled_from(
            [
                (poker.betting(), ("ante", "bet", "exchange", "jackpot", "buy_card"), 1),
                (blackjack.betting(), ("bet", "insurance"), 4),
                (baccarat.betting(), ("player", "banker", "tie", "player_pair", "banker_pair"), 1),
            ]
        )
    )
    table = base.table
    assert isinstance(table, TableView)
    found = draw(st.lists(boxes(lines, most_hands), max_size=6, unique_by=lambda box: box.position))
    dealer = hand("d", " ".join(draw(st.lists(codes, max_size=8))), result=draw(results))
    changed = replace(
        table,
        boxes=tuple(sorted(found, key=lambda box: box.position)),
        dealer=dealer,
        player=draw(st.none() | st.just(hand("p", "As 2c"))),
        phase=draw(st.sampled_from(["betting", "dealing", "deciding", "settled"])),
        banner=draw(st.none() | st.just(Text("banner", "The house wins"))),
        banner_tone=draw(st.sampled_from(["info", "win", "big_win", "lose"])),
        roads=tuple(draw(st.lists(st.sampled_from(["B", "P", "T", ""]), max_size=100))),
    )
    return replace(base, table=changed, win_minor=draw(amounts), language=draw(st.sampled_from(["en", "ru", "xx"])))


@settings(max_examples=150, deadline=None)
@given(tables(), tables(), st.integers(0, 3000))
def test_any_table_can_be_drawn_and_followed_by_any_other(first: View, second: View, after: int) -> None:
    state = motion.advance(None, first, 0)
    compose(first, state, 0)
    state = motion.advance(state, second, 50)
    drawn = compose(second, state, 50 + after)
    assert drawn.items
    assert compose(second, state, 10**6) == compose(second, motion.still(second), 10**6)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 60), st.integers(0, 59), st.booleans())
def test_a_page_of_any_length_shows_the_row_under_the_cursor(count: int, cursor: int, touchable: bool) -> None:
    rows = tuple(
        PageRow(
            Text("menu", "Meters"), str(number), target=f"page:{number}" if touchable else "", selected=number == cursor
        )
        for number in range(count)
    )
    base = others.menu_page()
    assert base.page is not None
    view = replace(base, page=replace(base.page, rows=rows))
    drawn = compose(view, motion.still(view), 0)
    if cursor < count and touchable:
        assert any(hit.target == f"page:{cursor}" for hit in drawn.targets())


@pytest.mark.parametrize("mode", MODES)
def test_a_view_that_says_nothing_but_its_mode_can_be_drawn(mode: str) -> None:
    view = View(mode=mode, language="ru", wall_time_ms=0, notice=Notice(Text("notice", "Not possible now")))
    assert compose(view, motion.still(view), 0).items


@pytest.mark.parametrize(("name", "language"), [*CASES, *CABINET_CASES])
def test_every_picture_of_a_scene_exists(name: str, language: str) -> None:
    missing = {
        item.name for item in frame(name, language).items if isinstance(item, Sprite) and not sprite_exists(item.name)
    }
    assert missing == set()


@pytest.fixture(scope="module")
def shelves() -> Shelves:
    return Shelves()


@pytest.mark.parametrize("mode", MODES)
def test_a_scene_of_every_mode_can_be_painted(mode: str, shelves: Shelves) -> None:
    name = next(each for each, make in SAMPLES.items() if make().mode == mode)
    painted = render(frame(name, "ru"), (480, 270), shelves)
    empty = render(DrawList(()), (480, 270), shelves)
    assert pygame.image.tobytes(painted, "RGB") != pygame.image.tobytes(empty, "RGB")
    colours = {tuple(painted.get_at((x, y))) for x in range(0, 480, 7) for y in range(0, 270, 7)}
    assert len(colours) > 40
