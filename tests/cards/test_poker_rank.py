"""The ranking against the published counts, the examples of the house's rules, and the mistakes others ship."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card, parse_cards, rank_of, suit_of
from firmware.cards.poker_rank import (
    KEY_COUNT,
    LOWEST_ACE_KING_KEY,
    HandClass,
    class_of,
    first_key,
    rank_best,
    rank_five,
)

PUBLISHED_COUNTS = {
    HandClass.ROYAL_FLUSH: 4,
    HandClass.STRAIGHT_FLUSH: 36,
    HandClass.FOUR_OF_A_KIND: 624,
    HandClass.FULL_HOUSE: 3_744,
    HandClass.FLUSH: 5_108,
    HandClass.STRAIGHT: 10_200,
    HandClass.THREE_OF_A_KIND: 54_912,
    HandClass.TWO_PAIRS: 123_552,
    HandClass.PAIR: 1_098_240,
    HandClass.ACE_KING: 167_280,
    HandClass.NO_HAND: 1_135_260,
}


def key(text: str) -> int:
    return rank_five(parse_cards(text.split()))


def suits_apart(ranks: str) -> str:
    """Ranks as cards, each next card of a rank in the next suit, no flush."""
    used: Counter[str] = Counter()
    cards = []
    for index, rank in enumerate(ranks):
        cards.append(rank + "shdc"[(used[rank] + (index % 2 if ranks.count(rank) == 1 else 0)) % 4])
        used[rank] += 1
    return " ".join(cards)


def by_hand(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    """A slow ranking written from the rules' words, with nothing in common with the table: class, ranks in order."""
    ranks = sorted((rank_of(card) for card in cards), reverse=True)
    counted = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = [count for _, count in counted]
    order = [rank for rank, count in counted for _ in range(count)]
    flush = len({suit_of(card) for card in cards}) == 1
    straight = len(shape) == 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 3, 2, 1, 0]:
        straight, order = True, [3, 2, 1, 0, -1]
    if straight and flush:
        return (10 if order[0] == 12 else 9), order
    by_shape = {(4, 1): 8, (3, 2): 7, (3, 1, 1): 4, (2, 2, 1): 3, (2, 1, 1, 1): 2}
    if tuple(shape) in by_shape:
        return by_shape[tuple(shape)], order
    if flush:
        return 6, order
    if straight:
        return 5, order
    return (1 if ranks[:2] == [12, 11] else 0), order


def test_all_hands_give_the_eleven_published_counts_and_7462_values() -> None:
    by_key = Counter(map(rank_five, combinations(DECK, 5)))
    by_class: Counter[HandClass] = Counter()
    for value, count in by_key.items():
        by_class[class_of(value)] += count
    assert by_class == PUBLISHED_COUNTS
    assert sorted(by_key) == list(range(7_462))
    assert KEY_COUNT == 7_462
    assert LOWEST_ACE_KING_KEY == 1_113
    assert sum(count for value, count in by_key.items() if value >= LOWEST_ACE_KING_KEY) == 1_463_700


def test_the_order_is_that_of_the_rules_words_for_every_value() -> None:
    """One hand of every value, compared with a ranking that shares nothing with the table."""
    hands: dict[int, tuple[Card, ...]] = {}
    for hand in combinations(DECK, 5):
        hands.setdefault(rank_five(hand), hand)
        if len(hands) == KEY_COUNT:
            break
    slow = [by_hand(hands[value]) for value in range(KEY_COUNT)]
    assert all(low < high for low, high in pairwise(slow))


@given(st.sets(st.sampled_from(DECK), min_size=5, max_size=5), st.sets(st.sampled_from(DECK), min_size=5, max_size=5))
def test_any_two_hands_compare_as_by_hand(one: set[Card], other: set[Card]) -> None:
    left, right = tuple(one), tuple(other)
    fast = (rank_five(left) > rank_five(right)) - (rank_five(left) < rank_five(right))
    slow = (by_hand(left) > by_hand(right)) - (by_hand(left) < by_hand(right))
    assert fast == slow
    assert class_of(rank_five(left)) == by_hand(left)[0]


@given(st.sets(st.sampled_from(DECK), min_size=5, max_size=5), st.randoms())
def test_the_order_of_the_cards_does_not_matter(hand: set[Card], chance: random.Random) -> None:
    cards = list(hand)
    chance.shuffle(cards)
    assert rank_five(cards) == rank_five(sorted(hand))


@pytest.mark.parametrize(
    ("ranks", "name"),
    [
        ("666KK", "full_house"),
        ("98765", "straight"),
        ("5432A", "straight"),
        ("AKQJT", "straight"),
        ("999Q4", "three_of_a_kind"),
        ("AA55T", "two_pairs"),
        ("88K42", "pair"),
        ("AK873", "ace_king"),
        ("JT752", "no_hand"),
        ("JJJJ2", "four_of_a_kind"),
        ("5555A", "four_of_a_kind"),
    ],
)
def test_example_hands_of_the_rules_belong_to_their_class(ranks: str, name: str) -> None:
    assert class_of(key(suits_apart(ranks))).label == name


def test_royal_flush_is_the_five_highest_cards_of_one_suit() -> None:
    assert all(class_of(key(f"A{s} K{s} Q{s} J{s} T{s}")) is HandClass.ROYAL_FLUSH for s in "shdc")


def test_all_royal_flushes_are_equal() -> None:
    assert key("Ah Kh Qh Jh Th") == key("Ac Kc Qc Jc Tc") == KEY_COUNT - 1


def test_ace_in_the_middle_makes_no_straight_but_ace_king() -> None:
    assert class_of(key("3s 2h Ad Kc Qs")).label == "ace_king"


def test_ace_in_the_middle_of_one_suit_is_a_flush() -> None:
    assert class_of(key("3s 2s As Ks Qs")).label == "flush"


def test_the_wheel_is_the_lowest_straight() -> None:
    assert class_of(key("As 2h 3d 4c 5s")) is HandClass.STRAIGHT
    assert key("As 2h 3d 4c 5s") == first_key(HandClass.STRAIGHT)
    assert key("As 2h 3d 4c 5s") < key("2s 3h 4d 5c 6s")


def test_the_steel_wheel_is_the_lowest_straight_flush() -> None:
    assert key("Ad 2d 3d 4d 5d") == first_key(HandClass.STRAIGHT_FLUSH)
    assert key("Ad 2d 3d 4d 5d") < key("2d 3d 4d 5d 6d")
    assert key("Ad 2d 3d 4d 5d") > key("As Ah Ad Ac Ks")


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("AKJ32", "AKT98"),
        ("55432", "44AKQ"),
        ("55Q32", "55JT9"),
        ("AA223", "KKQQA"),
        ("AKQJT", "KQJT9"),
        ("65432", "5432A"),
    ],
)
def test_comparisons_of_the_rules_come_out_as_written(higher: str, lower: str) -> None:
    assert key(suits_apart(higher)) > key(suits_apart(lower))


def test_full_house_of_threes_beats_deuces_full_of_aces() -> None:
    """Both together would take five deuces; the ranking alone can compare them."""
    assert key("3s 3h 3d 2s 2h") > key("2s 2h 2d As Ah")


def test_two_hands_with_the_same_pair_and_kickers_are_equal() -> None:
    assert key("7s 7h Kd 5c 2s") == key("7d 7c Kh 5s 2d")


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ks Qs 9s 5s 3s", "Kh Qh 9h 5h 2h"),  # the fifth card of a flush
        ("7s 7h Kd 5c 3s", "7d 7c Kh 5s 2d"),  # the third kicker of a pair
        ("7s 7h 5d 5c 3s", "7d 7c 5h 5s 2d"),  # the kicker of two pairs
        ("7s 7h 7d 5c 3s", "7s 7h 7d 5c 2s"),  # the second kicker of three
        ("7s 7h 7d 7c 3s", "7s 7h 7d 7c 2s"),  # the kicker of four
        ("Js 9h 7d 5c 3s", "Js 9h 7d 5c 2s"),  # the fifth card of nothing
        ("As Kh 7d 5c 3s", "As Kh 7d 5c 2s"),  # the fifth card of Ace-King
    ],
)
def test_no_kicker_is_dropped(higher: str, lower: str) -> None:
    assert key(higher) > key(lower)


def test_ace_king_lies_between_no_hand_and_every_pair() -> None:
    assert key("As Kh Qd Jc 9s") < key("2s 2h 3d 4c 5s")
    assert key("As Kh 4d 3c 2s") > key("As Qh Jd Tc 9s")


def test_lowest_qualifying_hand_follows_the_highest_that_does_not() -> None:
    assert key("As Kh 4d 3c 2s") == LOWEST_ACE_KING_KEY == key("As Qh Jd Tc 9s") + 1


def test_ace_king_with_a_pair_is_a_pair() -> None:
    assert class_of(key("As Kh 2d 2c 9s")) is HandClass.PAIR


def test_best_of_six_and_seven_cards_takes_the_best_five() -> None:
    assert rank_best(parse_cards("Qs Qh Qd Qc 8s 8h".split())) == key("Qs Qh Qd Qc 8s")
    assert rank_best(parse_cards("2s 3s 4s 5s 6s Ah Ad".split())) == key("2s 3s 4s 5s 6s")


@pytest.mark.parametrize("count", [0, 4, 6])
def test_another_number_of_cards_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        rank_five(DECK[:count])
