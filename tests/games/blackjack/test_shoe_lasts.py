"""A shoe never runs out within a round: the bound, computed exhaustively and played against."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card
from firmware.cards.point_value import blackjack_points
from firmware.errors import ConfigError
from firmware.games.contract import Action, Chance, Decision, Node, Stake
from firmware.games.families.blackjack import Blackjack
from firmware.games.families.blackjack_bound import most_cards_per_round
from firmware.games.families.blackjack_state import BlackjackState
from firmware.games.registry import game_ids
from tests.games.blackjack.table import blackjack

GAMES = [blackjack(name) for name in game_ids() if name.endswith("blackjack")]
ACTIONS = ["hit", "split", "stand", "double", "no_insurance", "insurance"]


def phase_of(node: Chance) -> str:
    assert isinstance(node.state, BlackjackState)
    return node.state.phase


def hard_total_before_card(node: Chance) -> int:
    """Return the sum, aces as 1, of the hand that the next card goes to."""
    state = node.state
    assert isinstance(state, BlackjackState)
    if state.phase == "deal":
        return 0
    hand = state.dealer if state.phase == "dealer" else state.boxes[state.turn].hands[state.hand].cards
    return sum(map(blackjack_points, hand))


def play_greedily(game: Blackjack, cards: list[Card], boxes: int, wishes: list[str]) -> int:
    """Play a round by the first legal wish and return how many cards it took; checks what the bound's proof rests on."""
    node: Node = game.open([Stake(box, {"bet": 100}) for box in range(1, boxes + 1)], 10**6)
    used = turn = 0
    while isinstance(node, Chance | Decision):
        if isinstance(node, Chance):
            assert hard_total_before_card(node) <= (16 if phase_of(node) == "dealer" else 20)
            node = game.deal(node, cards[used : used + node.card_count])
            used += 1 if used else 2 * boxes + (2 if game.rules.has_hole_card else 1)
        else:
            legal = [choice.name for choice in game.choices(node, 10**6)]
            rotated = wishes[turn % len(wishes) :] + wishes
            turn += 1
            name = next((wish for wish in rotated if wish in legal), legal[0])
            node = game.act(node, Action(node.box, name, hand=node.hand), 10**6)
    return used


def test_every_table_has_a_shoe_that_outlasts_its_longest_round() -> None:
    for game in GAMES:
        cards = 52 * game.spec.deck_count
        if game.spec.shoe_carried:
            cards -= game.spec.cut_after_count - 1  # the latest start of a round
        assert game.spec.most_cards_per_round <= cards, game.id


def test_the_bounds_of_the_house_tables() -> None:
    assert {game.id: game.spec.most_cards_per_round for game in GAMES} == {
        "open_blackjack": 101,
        "one_deck_blackjack": 38,
        "six_decks_blackjack": 101,
        "european_blackjack": 38,
    }
    assert blackjack("six_decks_blackjack").spec.cut_after_count == 208


@pytest.mark.parametrize("deck_count", [1, 2, 4, 6, 8])
def test_the_bound_is_the_longest_list_of_cards_that_the_limits_allow(deck_count: int) -> None:
    """Every choice of cards, not only the smallest first: the most cards for each sum that they may come to."""
    for hands in range(1, 21):
        limit = 20 * hands + 16
        most = [0] * (limit + 1)
        for points in range(1, 11):
            for _ in range(deck_count * (16 if points == 10 else 4)):
                for total in range(limit, points - 1, -1):
                    most[total] = max(most[total], most[total - points] + 1)
        assert most_cards_per_round(deck_count, hands, 1) == most[limit] + hands + 1


def test_low_cards_first_make_long_rounds_within_the_bound() -> None:
    """All boxes split and hit for ever, the shoe sorted: long rounds, at least half the bound."""
    for game in GAMES:
        cards = sorted(DECK * game.spec.deck_count, key=lambda card: (blackjack_points(card) - 2) % 10)
        used = play_greedily(game, cards, game.spec.max_boxes, ["split", "no_insurance", "hit"])
        assert game.spec.most_cards_per_round // 2 <= used <= game.spec.most_cards_per_round


@settings(max_examples=200)
@given(
    game=st.sampled_from(GAMES),
    random=st.randoms(use_true_random=False),
    lowest_first=st.integers(0, 120),
    wishes=st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=8),
)
def test_no_play_takes_more_cards_than_the_bound(
    game: Blackjack, random: Random, lowest_first: int, wishes: list[str]
) -> None:
    cards = sorted(DECK * game.spec.deck_count, key=blackjack_points)
    head, tail = cards[:lowest_first], cards[lowest_first:]
    for part in (head, tail):
        random.shuffle(part)
    assert play_greedily(game, head + tail, game.spec.max_boxes, wishes) <= game.spec.most_cards_per_round


@pytest.mark.parametrize(
    ("name", "options", "needed"),
    [
        ("one_deck_blackjack", {"max_hands": 4}, "56 cards and the shoe may have only 52"),
        ("one_deck_blackjack", {"max_boxes": 6}, "56 cards and the shoe may have only 52"),
        ("six_decks_blackjack", {"max_hands": 3}, "127 cards and the shoe may have only 105"),
        ("six_decks_blackjack", {"cut_card_at": "3/4"}, "101 cards and the shoe may have only 79"),
    ],
)
def test_a_table_whose_shoe_could_run_out_is_refused(name: str, options: dict[str, object], needed: str) -> None:
    with pytest.raises(ConfigError, match=f"max_boxes: .*a round can take {needed}"):
        blackjack(name, **options)
