import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card
from firmware.cards.shoe import Shoe, ShoeError


def test_drawing_leaves_the_old_shoe_as_it_was() -> None:
    shoe = Shoe.of(DECK)
    cards, rest = shoe.draw(3)
    assert cards == DECK[:3]
    assert (shoe.remaining_count, rest.remaining_count) == (52, 49)
    assert rest.draw(1)[0] == DECK[3:4]


def test_a_shoe_that_runs_out_says_so() -> None:
    with pytest.raises(ShoeError, match="has 2 cards left, 3 are needed"):
        Shoe.of(DECK[:2]).draw(3)


def test_a_card_more_often_than_there_are_decks_is_refused() -> None:
    Shoe.of(DECK * 2, deck_count=2)
    with pytest.raises(ShoeError, match="2s is there 2 times in 1 deck"):
        Shoe.of((*DECK, DECK[0]))


@pytest.mark.parametrize("position", [-1, 53])
def test_a_position_outside_the_shoe_is_refused(position: int) -> None:
    with pytest.raises(ShoeError, match="lies outside"):
        Shoe.of(DECK, position=position)


def test_a_number_that_is_no_card_is_refused() -> None:
    with pytest.raises(ShoeError, match="52 is not a card"):
        Shoe.of([Card(52)])


@given(st.permutations(DECK), st.lists(st.integers(0, 9)))
def test_draws_give_the_order_without_gaps(order: list[Card], counts: list[int]) -> None:
    shoe, drawn = Shoe.of(order), list[Card]()
    for count in counts:
        if count > shoe.remaining_count:
            break
        cards, shoe = shoe.draw(count)
        drawn += cards
    assert drawn == order[: len(drawn)]
    assert shoe.position == len(drawn)
