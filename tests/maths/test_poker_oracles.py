"""Poker: the fast kernels against the rules, and published figures to their last digit."""

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from firmware.cards.card import DECK, Card, parse_card, parse_cards
from firmware.cards.poker_rank import HandClass, class_of, rank_best, rank_five
from firmware.games.families.dealer_poker.checks import FIVE_CARD_COUNTS
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.families.dealer_poker.second import second_combination
from firmware.games.registry import register
from firmware.maths.checks import CARIBBEAN, CARIBBEAN_LOSS, check_published
from firmware.maths.draw_passes import NO_DRAW_DEALS
from firmware.maths.game_sheet import game_sheet
from firmware.maths.hand_codes import CARD_CODES, hand_list, key_table, place_of
from firmware.maths.poker_sheet import jackpot_figures, solution, terms_of
from firmware.maths.russian_options import RussianTerms, final_value, values_of
from firmware.maths.russian_pays import six_card_pays
from firmware.maths.sweep import FIELD, FIELD_BITS

Bets = np.ndarray[tuple[int, int], np.dtype[np.int64]]


def quiet(_what: str, _share: float) -> None:
    """Progress that nobody watches."""


def terms(game_id: str, **options: object) -> RussianTerms:
    profile = register(game_id, options).profile
    assert isinstance(profile, DealerPokerProfile)
    return RussianTerms.of(profile)


def hand_of(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(sorted(parse_cards(text.split())), np.int64)


def place(cards: list[Card]) -> int:
    a, b, c, d, e = cards
    return place_of(a, b, c, d, e, CARD_CODES)


def test_every_place_has_the_key_of_the_rules() -> None:
    generator = random.Random(3)
    for _ in range(5_000):
        cards = generator.sample(DECK, 5)
        assert key_table()[place(cards)] == rank_five(cards)
    assert len(set(key_table().tolist()) - {-1}) == 7462


def test_the_hands_up_to_suits_stand_for_all_hands() -> None:
    hands = hand_list()
    assert len(hands.keys) == 134_459
    counts = dict.fromkeys(FIVE_CARD_COUNTS, 0)
    for key, weight in zip(hands.keys, hands.weights, strict=True):
        counts[class_of(int(key)).label] += int(weight)
    assert counts == FIVE_CARD_COUNTS


@pytest.fixture(scope="module")
def bets() -> Bets:
    profile = register("caribbean").profile
    assert isinstance(profile, DealerPokerProfile)
    found: Bets = solution(terms_of(profile), quiet).bets
    return found


def test_caribbean_reproduces_the_published_event_table() -> None:
    registered = register("caribbean")
    sheet = game_sheet(registered, quiet)
    assert check_published(registered, sheet) == []
    by_name = {line["name"]: line["combinations"] for line in sheet["lines"]}
    assert by_name == CARIBBEAN
    assert round(sheet["element_of_risk_percent"], 4) == 2.5553
    assert round(sheet["standard_deviation"], 5) == 2.24295
    assert round(sheet["house_edge_percent"], 6) == 5.224306
    assert Fraction(sheet["house_edge"]) == Fraction(*CARIBBEAN_LOSS)
    assert round(sheet["blind_box"]["house_edge_percent"], 1) == 16.6
    assert round(sheet["blind_box"]["standard_deviation"], 3) == 2.674


@pytest.mark.parametrize(
    ("raises", "loss"),
    [
        pytest.param(lambda key: class_of(key) >= HandClass.PAIR, 1_090_272_101_460, id="a pair or better"),
        pytest.param(lambda key: class_of(key) >= HandClass.ACE_KING, 1_132_600_203_540, id="A-K or better"),
        pytest.param(
            lambda key: key >= rank_five(parse_cards("As Kh Jd 8c 3s".split())), 1_059_715_400_580, id="A-K-J-8-3"
        ),
    ],
)
def test_fixed_strategies_lose_the_published_integer(bets: Bets, raises: Callable[[int], bool], loss: int) -> None:
    hands = hand_list()
    pays = np.array([0, 1, 1, 2, 3, 4, 5, 7, 20, 50, 100])
    played = np.array([raises(int(key)) for key in hands.keys])
    unqualified, win, tie = bets & FIELD, bets >> FIELD_BITS & FIELD, bets >> 2 * FIELD_BITS & FIELD
    wins = 1 + 2 * pays[[class_of(int(key)) for key in hands.keys]]
    possible = ~(hands.cards[:, :, None] == np.arange(52)).any(axis=1)
    lose = NO_DRAW_DEALS - unqualified - win - tie
    result = np.where(played[:, None], unqualified + win * wins[:, None] - 3 * lose, -NO_DRAW_DEALS) * possible
    assert -int((result.sum(axis=1) * hands.weights).sum()) == loss


def three_rules(ranks: list[int], upcard: int) -> bool:
    """Published advice for Ace-King; ``ranks`` descending, 0 a deuce to 12 an ace."""
    if upcard >= 11:
        return 10 in ranks or 9 in ranks
    return upcard in ranks or (10 in ranks and upcard < ranks[3])


def matching_rank(ranks: list[int], upcard: int) -> bool:
    return upcard in ranks


@pytest.mark.parametrize(("rule", "loss"), [(three_rules, 1_041_417_758_724), (matching_rank, 1_063_176_931_284)])
def test_published_rules_for_ace_king_lose_the_published_integer(
    bets: Bets, rule: Callable[[list[int], int], bool], loss: int
) -> None:
    hands = hand_list()
    total = 0
    pays = np.array([0, 1, 1, 2, 3, 4, 5, 7, 20, 50, 100])
    for row, key in enumerate(hands.keys):
        hand_class = class_of(int(key))
        cards = hands.cards[row].tolist()
        upcards = [card for card in range(52) if card not in cards]
        if hand_class is HandClass.NO_HAND:
            total -= int(hands.weights[row]) * NO_DRAW_DEALS * 47
            continue
        if hand_class is HandClass.ACE_KING:
            ranks = sorted((card >> 2 for card in cards), reverse=True)
            folded = [card for card in upcards if not rule(ranks, card >> 2)]
            total -= int(hands.weights[row]) * NO_DRAW_DEALS * len(folded)
            upcards = [card for card in upcards if card not in folded]
        counts = bets[row][upcards]
        unqualified, win, tie = counts & FIELD, counts >> FIELD_BITS & FIELD, counts >> 2 * FIELD_BITS & FIELD
        lose = NO_DRAW_DEALS - unqualified - win - tie
        result = unqualified + win * (1 + 2 * pays[hand_class]) - 3 * lose
        total += int(hands.weights[row]) * int(result.sum())
    assert -total == loss


PUBLISHED_HANDS = """
Qs 9h 8d 7c 6s, 2h: -1.254129 -0.406467 -1.421632
Qs 9h 8d 7c 6s, Ah: -1.748414 -0.427147 -1.644246
As Kh Jd 8c 3s, 3h: -0.834954 -1.259654 -1.279078
As Kh Qd 8c 3s, Ah: -0.663321 -1.246739 -1.350606
Ks Js 8s 4s 2h, Ad: -1.612225 -0.045606 -1.557405
2s 2h 9d 7c 5s, 2d: -0.467310 -0.911127 -1.102347
As Ks Qs Js 2h, 5d: -0.995012 +2.802072 -1.038505
As Ah 5d 5c Ts, Kd: +3.225793 +2.773650 +0.795429
9s 8s 7s 6s 2h, 3d: -1.258713 +2.995771 -1.145090
"""


@pytest.mark.parametrize("row", PUBLISHED_HANDS.strip().splitlines())
def test_single_hands_of_oasis_have_the_known_values(row: str) -> None:
    cards, _, numbers = row.partition(":")
    hand, _, upcard = cards.partition(",")
    values = values_of(terms("oasis"), hand_of(hand), parse_card(upcard.strip()))
    best = [max(value for mask, value in values.items() if mask.bit_count() == count) for count in (0, 1, 2)]
    assert [f"{value:.6f}" for value in best] == [f"{float(number):.6f}" for number in numbers.split()]


def test_one_ante_for_two_cards_would_turn_a_hand_to_the_player() -> None:
    """The tariff is safety-critical: 1.5 antes, not 1."""
    dear = values_of(terms("oasis"), hand_of("As Ks Qs 2h 7d"), parse_card("5d"))
    assert dear[0b11] == pytest.approx(max(value for mask, value in dear.items() if mask.bit_count() == 2))
    cheap = terms("oasis", exchange_tariff={"1": 1, "2": 1}, acknowledge_player_edge=["two_card_exchange_at_1_ante"])
    assert values_of(cheap, hand_of("As Ks Qs 2h 7d"), parse_card("5d"))[0b11] == pytest.approx(dear[0b11] + 0.5)


@pytest.mark.parametrize("duplicate", ["pays", "does_not_pay"])
def test_six_cards_pay_what_the_rules_pay(duplicate: str) -> None:
    rules = terms("russian", duplicate_straight=duplicate).rules
    generator = random.Random(5)
    starts = ["", "As Ah Ad Ac", "As Ks Ah Kh", "2s 2h 3s 3h", "7s 8s 9s Ts 6s", "7s 7h 7d 8s 8h", "7s 8s 9s Ts Js"]
    for index in range(1_400):
        base = list(parse_cards(starts[index % len(starts)].split()))
        cards: list[Card] = base + generator.sample([card for card in DECK if card not in base], 6 - len(base))
        second = second_combination(rules, cards)
        key = rank_best(cards)
        pays = rules.pays[class_of(key)] + (0 if second is None else rules.pays[second])
        assert six_card_pays(rules, cards) == (key, pays)


def test_five_cards_pay_what_the_rules_pay() -> None:
    table = terms("russian")
    generator = random.Random(6)
    starts = ["", "As Kh", "As Ah Kd", "As Ah Kd Kc", "As Ah Ad Ks", "2s 2h As Kd"]
    for index in range(1_200):
        base = list(parse_cards(starts[index % len(starts)].split()))
        cards = base + generator.sample([card for card in DECK if card not in base], 5 - len(base))
        second = second_combination(table.rules, cards)
        pays = table.rules.pays[class_of(rank_five(cards))] + (0 if second is None else table.rules.pays[second])
        assert table.fives[place(cards)] == pays


@pytest.mark.parametrize("game_id", ["caribbean", "russian"])
def test_the_value_of_a_bet_is_the_mean_of_rounds_played_by_the_rules(game_id: str) -> None:
    """Rounds dealt by the game itself, against the counted value: within four standard errors."""
    from firmware.games.contract import Action, Chance, Decision, Stake

    game = register(game_id).game
    hand, upcard = parse_cards("As Ah Ad 5c 6s".split()), parse_card("9d")
    first_up = game_id == "russian"
    rest = [card for card in DECK if card not in (*hand, upcard)]
    generator = random.Random(8)
    results = []
    for _ in range(1_500):
        others = generator.sample(rest, 5)
        dealer = (upcard, *others[:4]) if first_up else (*others[:4], upcard)
        node = game.deal(
            game.open([Stake(1, {"ante": 1000})], 10**9), [one for two in zip(hand, dealer, strict=True) for one in two]
        )
        while isinstance(node, Decision | Chance):
            if isinstance(node, Chance):
                node = game.deal(node, others[4 : 4 + node.card_count])
            else:
                names = [choice.name for choice in game.choices(node, 10**9)]
                node = game.act(node, Action(1, "raise" if "raise" in names else "take_ante"), 10**9)
        results.append((node.outcome.paid_minor - node.outcome.staked_minor) / 1000)
    value = final_value(terms(game_id), hand, upcard)
    error = float(np.std(results)) / len(results) ** 0.5
    assert abs(float(np.mean(results)) - value) < 4 * error
    assert error < 0.1


@pytest.mark.parametrize(
    ("prizes", "published"),
    [
        pytest.param({"flush": 50, "full_house": 75, "four_of_a_kind": 100}, 263_205, id="50/75/100"),
        pytest.param({"flush": 50, "full_house": 100, "four_of_a_kind": 150}, 246_784, id="50/100/150"),
    ],
)
def test_jackpot_breaks_even_at_the_published_meters(prizes: dict[str, int], published: int) -> None:
    """Contingencies, Nov/Dec 2000."""
    jackpot = {"fixed_units": prizes, "cap_minor": 20_000_000}
    profile = register("oasis_jackpot", {"jackpot": jackpot}).profile
    assert isinstance(profile, DealerPokerProfile)
    assert profile.jackpot is not None
    found = jackpot_figures(profile.jackpot)
    assert round(found["break_even_meter_minor"] / 100) == published


def test_the_houses_jackpot_breaks_even_above_its_cap() -> None:
    profile = register("oasis_jackpot").profile
    assert isinstance(profile, DealerPokerProfile)
    assert profile.jackpot is not None
    found = jackpot_figures(profile.jackpot)
    assert found["break_even_meter_minor"] > profile.jackpot.cap_minor
    assert found["return_percent_at_seed"] < found["return_percent_at_cap"] < 100
