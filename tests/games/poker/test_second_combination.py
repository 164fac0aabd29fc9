"""The published list of pairs of combinations, each row by a hand, and all rows by counting every six-card hand."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from firmware.cards.card import DECK, Card, parse_cards, rank_of, suit_of
from firmware.cards.poker_rank import HandClass, class_of, rank_best
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.families.dealer_poker.second import second_combination
from firmware.games.families.dealer_poker.table import Rules
from firmware.games.registry import register

ROWS = {
    ("royal_flush", "straight_flush"): (150, "As Ks Qs Js Ts 9s"),
    ("royal_flush", "flush"): (105, "As Ks Qs Js Ts 2s"),
    ("royal_flush", "straight"): (104, "As Ks Qs Js Ts 9h"),
    ("royal_flush", None): (100, "As Ks Qs Js Ts 2h"),
    ("straight_flush", "straight_flush"): (100, "9s 8s 7s 6s 5s 4s"),
    ("straight_flush", "flush"): (55, "9s 8s 7s 6s 5s 2s"),
    ("straight_flush", "straight"): (54, "9s 8s 7s 6s 5s Th"),
    ("straight_flush", "ace_king"): (51, "5s 4s 3s 2s As Kh"),
    ("straight_flush", None): (50, "9s 8s 7s 6s 5s 2h"),
    ("four_of_a_kind", "full_house"): (27, "As Ah Ad Ac 7s 7h"),
    ("four_of_a_kind", "ace_king"): (21, "As Ah Ad Ac Ks 2h"),
    ("four_of_a_kind", None): (20, "9s 9h 9d 9c 5s 2h"),
    ("full_house", "full_house"): (14, "9s 9h 9d 5s 5h 5d"),
    ("full_house", "ace_king"): (8, "9s 9h 9d As Ah Kd"),
    ("full_house", None): (7, "9s 9h 9d 5s 5h 2d"),
    ("flush", "flush"): (10, "Js 9s 7s 5s 3s 2s"),
    ("flush", "straight"): (9, "9s 8s 7s 6s 2s 5h"),
    ("flush", "pair"): (6, "Js 9s 7s 5s 3s 3h"),
    ("flush", "ace_king"): (6, "As 9s 7s 5s 3s Kh"),
    ("flush", None): (5, "Js 9s 7s 5s 3s 2h"),
    ("straight", "straight"): (8, "As Kh Qd Jc Ts 9h"),
    ("straight", "ace_king"): (5, "5s 4h 3d 2c As Kh"),
    ("straight", None): (4, "9s 8h 7d 6c 5s 2h"),
    ("three_of_a_kind", "ace_king"): (4, "9s 9h 9d As Kh 2c"),
    ("three_of_a_kind", None): (3, "9s 9h 9d 6c 5s 2h"),
    ("two_pairs", "two_pairs"): (4, "9s 9h 6d 6c 5s 5h"),
    ("two_pairs", "ace_king"): (3, "9s 9h 6d 6c As Kh"),
    ("two_pairs", None): (2, "9s 9h 6d 6c 5s 2h"),
    ("pair", "ace_king"): (2, "9s 9h 7d 6c As Kh"),
    ("pair", None): (1, "9s 9h 7d 6c 5s 2h"),
    ("ace_king", None): (1, "As Kh 9d 7c 6s 2h"),
    ("no_hand", None): (0, "Js 9h 7d 6c 3s 2h"),
}


def russian() -> Rules:
    profile = register("russian").profile
    assert isinstance(profile, DealerPokerProfile)
    return Rules.of(profile)


def both(rules: Rules, cards: tuple[Card, ...]) -> tuple[str, str | None]:
    second = second_combination(rules, cards)
    return class_of(rank_best(cards)).label, None if second is None else second.label


def pays(rules: Rules, names: tuple[str, str | None]) -> int:
    return sum(rules.pays[HandClass[name.upper()]] for name in names if name)


@pytest.mark.parametrize(("names", "row"), ROWS.items(), ids=lambda value: "-".join(map(str, value)))
def test_every_row_of_the_published_list_pays(names: tuple[str, str | None], row: tuple[int, str]) -> None:
    rules, (amount, text) = russian(), row
    cards = tuple(parse_cards(text.split()))
    found = both(rules, cards)
    assert pays(rules, found) == amount
    assert found == names


def without_flush(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """One hand of these ranks without five cards of a suit; all others like it hold the same combinations."""
    used: Counter[int] = Counter()
    cards = []
    for index, rank in enumerate(ranks):
        suit = (used[rank] + (index if ranks.count(rank) == 1 else 0)) % 4
        used[rank] += 1
        cards.append(Card(rank * 4 + suit))
    return tuple(cards)


def flush_hands() -> Iterator[tuple[tuple[Card, ...], int]]:
    """Six-card hands with at least five cards of a suit, once for all four suits, with how many there are."""
    spades = [card for card in DECK if suit_of(card) == 0]
    hearts = [card for card in DECK if suit_of(card) == 1]
    for five in combinations(spades, 5):
        for other in hearts:
            yield (*five, other), 4 * 3
    for six in combinations(spades, 6):
        yield six, 4


def six_card_hands() -> Iterator[tuple[tuple[Card, ...], int]]:
    """All six-card hands up to suits, each with how many there are."""
    flushes: Counter[tuple[int, ...]] = Counter()
    for hand, count in flush_hands():
        flushes[tuple(sorted(map(rank_of, hand)))] += count
        yield hand, count
    for ranks in combinations_with_replacement(range(13), 6):
        counts = Counter(ranks)
        if max(counts.values()) <= 4:
            count = prod(comb(4, same) for same in counts.values()) - flushes[ranks]
            yield without_flush(ranks), count


def test_all_six_card_hands_fall_into_the_published_rows() -> None:
    rules = russian()
    rows: Counter[tuple[str, str | None]] = Counter()
    for hand, count in six_card_hands():
        rows[both(rules, hand)] += count
    assert sum(rows.values()) == 20_358_520
    assert set(rows) == set(ROWS)
    for names in rows:
        assert pays(rules, names) == ROWS[names][0]


def test_five_card_hands_have_only_ace_king_beside_another_combination() -> None:
    """The short cut for five cards takes nothing away: every five-card hand up to suits, by the long way as well."""
    rules = russian()
    kinds = set()
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) <= 4:
            kinds.add(both(rules, without_flush(ranks)))
    assert {names for names in kinds if names[1] is not None} == {
        ("four_of_a_kind", "ace_king"),
        ("three_of_a_kind", "ace_king"),
        ("two_pairs", "ace_king"),
        ("pair", "ace_king"),
    }


@pytest.mark.parametrize(
    ("text", "classic", "strict"),
    [
        ("Ks Qh Jd Tc 9s 9h", 8, 5),  # two straights, or straight and pair
        ("9s 8s 7s 6s 5s 9h", 54, 51),
        ("As Kh Qd Jc Ts Ah", 8, 5),
        ("As Ks Qs Js Ts Ah", 104, 101),
        ("As Kh Qd Jc Ts 9h", 8, 8),
    ],
)
def test_same_straight_with_a_doubled_rank_counts_as_the_house_says(text: str, classic: int, strict: int) -> None:
    cards = parse_cards(text.split())
    assert pays(russian(), both(russian(), cards)) == classic
    other = register("russian", {"duplicate_straight": "does_not_pay"}).profile
    assert isinstance(other, DealerPokerProfile)
    assert pays(Rules.of(other), both(Rules.of(other), cards)) == strict
