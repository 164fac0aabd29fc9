from itertools import combinations

import pytest

from firmware.cards.card import DECK, parse_cards
from firmware.cards.poker_hand import best_indices, combinations_in
from firmware.cards.poker_rank import HandClass, class_of, rank_five

CARDS_OF_CLASS = {
    HandClass.NO_HAND: 0,
    HandClass.ACE_KING: 2,
    HandClass.PAIR: 2,
    HandClass.TWO_PAIRS: 4,
    HandClass.THREE_OF_A_KIND: 3,
    HandClass.STRAIGHT: 5,
    HandClass.FLUSH: 5,
    HandClass.FULL_HOUSE: 5,
    HandClass.FOUR_OF_A_KIND: 4,
    HandClass.STRAIGHT_FLUSH: 5,
    HandClass.ROYAL_FLUSH: 5,
}


def test_every_class_marks_the_cards_that_form_it() -> None:
    seen = set()
    for hand in list(combinations(DECK, 5))[::997]:
        hand_class = class_of(rank_five(hand))
        seen.add(hand_class)
        assert len(best_indices(hand)) == CARDS_OF_CLASS[hand_class]
    assert len(seen) >= 8


@pytest.mark.parametrize(
    ("hand", "marked"),
    [
        ("8s Kd 8h 4c 2s", (0, 2)),
        ("As 5h Ad 5c Ts", (0, 1, 2, 3)),
        ("2s Ad 9h Kc 5s", (1, 3)),
        ("Jd Td 7s 5c 2h", ()),
        ("Qs 2h Qh Qd 8s Qc", (0, 2, 3, 5)),
        ("Ks Ah Qs Js Ts 9s", (0, 2, 3, 4, 5)),
    ],
)
def test_the_marked_cards_are_the_combination(hand: str, marked: tuple[int, ...]) -> None:
    assert best_indices(parse_cards(hand.split())) == marked


def test_a_hand_holds_every_combination_once_for_each_set_of_cards() -> None:
    found = list(combinations_in(parse_cards("As Ah Ks Kh Kd 2c".split())))
    counts = {hand_class: sum(one.hand_class is hand_class for one in found) for hand_class in HandClass}
    assert counts[HandClass.ACE_KING] == 6
    assert counts[HandClass.PAIR] == 1 + 3
    assert counts[HandClass.TWO_PAIRS] == 3
    assert counts[HandClass.THREE_OF_A_KIND] == 1
    assert counts[HandClass.FULL_HOUSE] == 1
    assert len(found) == len({(one.hand_class, one.indices) for one in found}) == 15
