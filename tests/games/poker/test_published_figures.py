"""Published figures of Caribbean and Oasis Poker, exactly, from the rules that play.

What a box wins in each situation comes from rounds that are really played; how often each situation occurs comes from
counting (``exact``).
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from firmware.cards.card import DECK, Card, cards_text, parse_cards
from firmware.cards.poker_rank import KEY_COUNT, LOWEST_ACE_KING_KEY, HandClass, first_key, rank_five
from firmware.games.contract import Game
from firmware.games.registry import load_game
from tests.games.poker.exact import TOTAL, outcomes_by_key
from tests.games.poker.table import ANTE, Table

NO_HAND = tuple(parse_cards("Js 9h 7d 6c 5s".split()))


@cache
def hands_by_key() -> dict[int, tuple[Card, ...]]:
    """Some hand for every key."""
    hands: dict[int, tuple[Card, ...]] = {}
    for hand in combinations(DECK, 5):
        hands.setdefault(rank_five(hand), hand)
        if len(hands) == KEY_COUNT:
            break
    return hands


@cache
def table_of(game: str) -> Game:
    return load_game(game)


def dealer_beside(hand: tuple[Card, ...], lowest_key: int) -> tuple[Card, ...]:
    """The lowest dealer's hand from a key on that can be dealt beside a hand."""
    for key in range(lowest_key, KEY_COUNT):
        for other_suits in range(4):
            dealer = tuple(Card(card ^ other_suits) for card in hands_by_key()[key])
            if set(dealer).isdisjoint(hand):
                return dealer
    raise LookupError(hand)


def raised(game: str, hand: tuple[Card, ...], lowest_dealer_key: int) -> int:
    """What a box that raises wins, in antes, against the lowest dealer from a key on."""
    dealer = dealer_beside(hand, lowest_dealer_key)
    table = Table(table_of(game), [" ".join(cards_text(hand))], " ".join(cards_text(dealer))).act("raise")
    if not hasattr(table.node, "outcome"):
        table.act("take_ante")
    return table.net() // ANTE


@cache
def wins(game: str) -> list[int]:
    """What a higher hand wins, by key, each from a round played."""
    by_key = [0] * KEY_COUNT
    for key in range(LOWEST_ACE_KING_KEY + 1, KEY_COUNT):
        by_key[key] = raised(game, hands_by_key()[key], LOWEST_ACE_KING_KEY)
    return by_key


def result(game: str, lowest_key: int) -> int:
    """What raising from a key on wins over all deals, in antes; lower hands are folded."""
    not_qualified, higher, _, lower = outcomes_by_key()
    deals_per_hand = TOTAL // 2_598_960
    hands = Counter(map(rank_five, combinations(DECK, 5)))
    total = -sum(hands[key] for key in range(lowest_key)) * deals_per_hand
    ante_won = raised(game, NO_HAND, 0)
    lost = raised(game, NO_HAND, LOWEST_ACE_KING_KEY)
    by_win = wins(game)
    for key in range(lowest_key, KEY_COUNT):
        total += not_qualified[key] * ante_won + higher[key] * by_win[key] + lower[key] * lost
    return total


def test_all_deals_are_counted() -> None:
    tables = outcomes_by_key()
    assert TOTAL == 19_933_230_517_200
    assert sum(map(sum, tables)) == TOTAL
    hands = Counter(map(rank_five, combinations(DECK, 5)))
    assert all(sum(table[key] for table in tables) == hands[key] * TOTAL // 2_598_960 for key in range(KEY_COUNT))


@pytest.mark.parametrize(
    ("lowest", "loss"),
    [
        (first_key(HandClass.PAIR), 1_090_272_101_460),
        (first_key(HandClass.ACE_KING), 1_132_600_203_540),
        (rank_five(parse_cards("As Kh Jd 8c 3s".split())), 1_059_715_400_580),
    ],
    ids=["raise_pair_up", "raise_ace_king_up", "raise_ace_king_jack_eight_three_up"],
)
def test_fixed_strategies_of_caribbean_lose_exactly_the_published_amounts(lowest: int, loss: int) -> None:
    assert result("caribbean", lowest) == -loss


def test_oasis_without_a_change_is_caribbean() -> None:
    assert result("oasis", first_key(HandClass.PAIR)) == -1_090_272_101_460


@pytest.mark.parametrize(("game", "percent"), [("caribbean", "16.6"), ("oasis", "16.6"), ("russian", "30.0")])
def test_blind_box_loses_the_published_share_of_its_ante(game: str, percent: str) -> None:
    edge = Fraction(-result(game, 0), TOTAL)
    assert abs(edge * 100 - Fraction(percent)) < Fraction(1, 20)


# --- Single hands of Oasis, in antes, to six decimals ----------------------------------------------------------------


def bet_value(hand: tuple[Card, ...], upcard: Card, gone: tuple[Card, ...] = ()) -> Fraction:
    """What raising a hand is worth against an upcard; ``gone`` are cards that have left the deck."""
    unseen = [card for card in DECK if card not in (*hand, upcard, *gone)]
    dealers = Counter(rank_five((upcard, *rest)) for rest in combinations(unseen, 4))
    own = rank_five(hand)
    total = 0
    for key, count in dealers.items():
        if key < LOWEST_ACE_KING_KEY:
            total += count
        elif key < own:
            total += count * wins("oasis")[own]
        elif key > own:
            total -= 3 * count
    return Fraction(total, sum(dealers.values()))


def change_value(hand: tuple[Card, ...], upcard: Card, discard: Card) -> Fraction:
    """What changing one card is worth, fee included, with the better of bet and fold afterwards."""
    fee = Table("oasis", [" ".join(cards_text(hand))], dealer_for(hand, upcard)).choices[1].cost_minor
    kept = tuple(card for card in hand if card != discard)
    unseen = [card for card in DECK if card not in (*hand, upcard)]
    values = [max(bet_value((*kept, card), upcard, (discard,)), Fraction(-1)) for card in unseen]
    return sum(values, Fraction(0)) / len(values) - Fraction(fee, ANTE)


def dealer_for(hand: tuple[Card, ...], upcard: Card) -> str:
    others = [card for card in DECK if card not in (*hand, upcard)][:4]
    return " ".join(cards_text((*others, upcard)))


@pytest.mark.parametrize(
    ("hand", "upcard", "value"),
    [
        ("Qs 9h 8d 7c 6s", "2h", "-1.254129"),
        ("Qs 9h 8d 7c 6s", "Ah", "-1.748414"),
        ("As Kh Jd 8c 3s", "3h", "-0.834954"),
        ("As Kh Qd 8c 3s", "Ah", "-0.663321"),
        ("Ks Js 8s 4s 2h", "Ad", "-1.612225"),
        ("2s 2h 9d 7c 5s", "2d", "-0.467310"),
        ("As Ks Qs Js 2h", "5d", "-0.995012"),
        ("As Ah 5d 5c Ts", "Kd", "3.225793"),
        ("9s 8s 7s 6s 2h", "3d", "-1.258713"),
    ],
)
def test_bet_on_a_single_hand_is_worth_the_published_value(hand: str, upcard: str, value: str) -> None:
    found = bet_value(tuple(parse_cards(hand.split())), parse_cards([upcard])[0])
    assert f"{float(found):.6f}" == value


@pytest.mark.parametrize(
    ("hand", "upcard", "discard", "value"),
    [
        ("Qs 9h 8d 7c 6s", "2h", "Qs", "-0.406467"),
        ("As Ks Qs Js 2h", "5d", "2h", "2.802072"),
        ("9s 8s 7s 6s 2h", "3d", "2h", "2.995771"),
    ],
)
def test_change_of_one_card_is_worth_the_published_value(hand: str, upcard: str, discard: str, value: str) -> None:
    found = change_value(tuple(parse_cards(hand.split())), parse_cards([upcard])[0], parse_cards([discard])[0])
    assert f"{float(found):.6f}" == value
