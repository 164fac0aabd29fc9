"""The simulation by arrays is equal to the rules that play, hand by hand, on the same decks."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from firmware.cards.card import Card
from firmware.games.contract import Action, Chance, Decision, Game, Outcome, Settled, Stake
from firmware.games.registry import load_game
from firmware.games.strategies import Strategy, strategies_for
from firmware.maths.bulk import array_player
from firmware.maths.bulk_baccarat import baccarat_tables, play_baccarat
from firmware.maths.bulk_blackjack import blackjack_tables, play_blackjack
from firmware.maths.bulk_cards import below, draw, seeded_words
from firmware.maths.bulk_poker import DEALS, PokerTables, best_poker_tables, play_poker, poker_tables
from firmware.maths.compiled import Ints
from firmware.maths.hand_codes import hand_list
from firmware.maths.optimal import optimal_strategy
from firmware.maths.russian_options import RussianTerms

BET = 200
BALANCE = 10**9
DECKS = int(os.environ.get("CROUPIER_DECKS", "5000"))
"""Decks of every game; ``CROUPIER_DECKS=100000`` for a day when the rules or the arrays change."""
MOST_CARDS = 60
BLACKJACKS = ("one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "open_blackjack")
EXPOSED: dict[str, object] = {"exposed": True}
LOSING_TIES: dict[str, object] = {"tied_naturals": "lose", "soft_17": "hit", "double": "any_two"}
Choose = Callable[[Decision], Action]
Play = Callable[[Ints], tuple[int, int, Choose]]


def no_progress(_: str, __: float) -> None:
    """Nobody watches."""


def by_the_rules(game: Game, line: str, shoe: Ints, choose: Choose) -> Outcome:
    cards = [Card(card) for card in shoe[:MOST_CARDS].tolist()]
    node: Any = game.open((Stake(game.spec.positions[0], {line: BET}),), BALANCE)
    used = 0
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            used += node.card_count
            node = game.deal(node, cards[used - node.card_count : used])
        else:
            node = game.act(node, choose(node), BALANCE)
    return node.outcome


def poker_choice(first: int, bet: int, bought: int) -> Choose:
    """Say to the rules what the arrays chose."""

    def choose(node: Decision) -> Action:
        state: Any = node.state
        if state.stage.value == "offer":
            return Action(node.box, "buy_dealer_card" if bought else "take_ante")
        if not state.active.drawn and first == 32:
            return Action(node.box, "buy_card")
        if not state.active.drawn and first > 0:
            cards = state.active.cards
            return Action(node.box, "exchange", tuple(cards[i] for i in range(5) if first >> i & 1))
        return Action(node.box, "raise" if bet else "fold")

    return choose


@cache
def poker(game_id: str) -> tuple[Game, PokerTables, Play]:
    """A table whose choices are drawn by lot, so that every way through a round is taken."""
    game: Any = load_game(game_id)
    random, shape = np.random.default_rng(5), (len(hand_list().keys), 52)
    sold = [-1, 0, *RussianTerms.of(game.rules.profile).prices]
    choices = random.choice(np.array(sold, np.int8), size=shape)
    bets = random.choice(np.array([0, DEALS, DEALS]), size=shape)
    tables = poker_tables(game, BET, choices, bets)
    return game, tables, poker_play(tables)


@cache
def best_poker(game_id: str) -> tuple[Game, PokerTables]:
    game: Any = load_game(game_id)
    return game, best_poker_tables(game, BET, no_progress)


def poker_play(tables: PokerTables) -> Play:
    out = np.zeros(5, np.int64)

    def play(shoe: Ints) -> tuple[int, int, Choose]:
        play_poker(shoe, tables, out)
        staked, paid, *choices = out.tolist()
        return staked, paid, poker_choice(*choices)

    return play


def by_strategy(game: Game, strategy: Strategy) -> Choose:
    return lambda node: strategy.choose(game, node, game.choices(node, BALANCE), game.layout(node))


def blackjack(game_id: str, options: dict[str, object]) -> tuple[Game, Play]:
    game: Any = load_game(game_id, options)
    tables, strategy = blackjack_tables(game, BET), optimal_strategy(game, no_progress)
    words, at, out = seeded_words(1), np.zeros(1, np.int64), np.zeros(2, np.int64)

    def play(shoe: Ints) -> tuple[int, int, Choose]:
        at[0] = 0
        play_blackjack(shoe, at, words, False, tables, out)
        return int(out[0]), int(out[1]), by_strategy(game, strategy)

    return game, play


def baccarat(line: str, options: dict[str, object]) -> tuple[Game, Play]:
    game: Any = load_game("baccarat", options)
    tables, out = baccarat_tables(game, line, BET), np.zeros(2, np.int64)

    def play(shoe: Ints) -> tuple[int, int, Choose]:
        play_baccarat(shoe, tables, out)
        return int(out[0]), int(out[1]), lambda node: Action(node.box, "none")

    return game, play


def assert_equal(game: Game, line: str, play: Play, shoe: Ints) -> None:
    staked, paid, choose = play(shoe)
    outcome = by_the_rules(game, line, shoe, choose)
    assert (outcome.staked_minor, outcome.paid_minor) == (staked, paid), shoe[:20]


def assert_equal_on_random_shoes(game: Game, line: str, play: Play, seed: int) -> None:
    shoe, words = np.tile(np.arange(52), game.spec.deck_count), seeded_words(seed)
    for _ in range(DECKS):
        draw(shoe, 0, min(MOST_CARDS, len(shoe)), words)
        assert_equal(game, line, play, shoe)


POKERS = ("caribbean", "oasis", "oasis_jackpot", "russian")


@pytest.mark.parametrize("game_id", POKERS)
def test_poker_is_equal_to_the_rules_hand_by_hand(game_id: str) -> None:
    game, _, play = poker(game_id)
    assert_equal_on_random_shoes(game, "ante", play, 11)


@pytest.mark.parametrize(
    ("game_id", "options"), [*((game_id, {}) for game_id in BLACKJACKS), ("open_blackjack", EXPOSED)]
)
def test_blackjack_by_best_play_is_equal_to_the_rules_hand_by_hand(game_id: str, options: dict[str, object]) -> None:
    assert_equal_on_random_shoes(*with_line(blackjack(game_id, options), "bet"), 12)


@pytest.mark.parametrize(
    ("line", "options"), [("banker", {}), ("player", {}), ("tie", {}), ("banker", {"commission": "none"})]
)
def test_baccarat_is_equal_to_the_rules_hand_by_hand(line: str, options: dict[str, object]) -> None:
    assert_equal_on_random_shoes(*with_line(baccarat(line, options), line), 13)


def with_line(found: tuple[Game, Play], line: str) -> tuple[Game, str, Play]:
    return found[0], line, found[1]


@pytest.mark.parametrize("game_id", POKERS)
@settings(max_examples=200, deadline=None)
@given(order=st.permutations(range(52)))
def test_any_deck_at_all_is_played_as_the_rules_play_it(game_id: str, order: list[int]) -> None:
    game, _, play = poker(game_id)
    assert_equal(game, "ante", play, np.array(order))


def test_the_arrays_choose_what_the_strategy_chooses() -> None:
    game, tables = best_poker("caribbean")
    play, choose = poker_play(tables), by_strategy(game, optimal_strategy(game, no_progress))
    shoe, words = np.arange(52), seeded_words(14)
    for _ in range(1_000):
        draw(shoe, 0, 20, words)
        staked, paid, _ = play(shoe)
        outcome = by_the_rules(game, "ante", shoe, choose)
        assert (outcome.staked_minor, outcome.paid_minor) == (staked, paid), shoe[:20]


def test_a_slip_in_the_arrays_is_found() -> None:
    """The comparison can fail: a table that pays twice is not equal."""
    game, tables, _ = poker("caribbean")
    with pytest.raises(AssertionError):
        assert_equal_on_random_shoes(game, "ante", poker_play(tables._replace(fives=tables.fives * 2)), 15)


def test_draws_are_unbiased_and_repeatable() -> None:
    words = seeded_words(3)
    counts = np.zeros(7, np.int64)
    for _ in range(70_000):
        counts[below(7, words)] += 1
    assert chisquare(counts).pvalue > 0.001
    places = np.zeros((52, 52), np.int64)
    deck = np.arange(52)
    for _ in range(20_000):
        draw(deck, 0, 52, words)
        places[np.arange(52), deck] += 1
    assert chisquare(places.ravel()).pvalue > 0.001
    assert (seeded_words(3) == seeded_words(3)).all()
    assert (seeded_words(3) != seeded_words(4)).any()


@pytest.mark.parametrize(("game_id", "edge"), [("caribbean", 0.05224306), ("six_decks_blackjack", None)])
def test_a_million_rounds_return_what_the_sheet_says(game_id: str, edge: float | None) -> None:
    from firmware.games.par_files import read_sheet
    from firmware.games.registry import register

    registered = register(game_id)
    sheet = read_sheet(game_id, registered.digest)
    assert sheet is not None
    strategy = optimal_strategy(registered.game, no_progress)
    player = array_player(registered.game, strategy, no_progress)
    assert player is not None
    staked, nets = player.play(5, 1_000_000)
    bet = registered.game.cost_minor(strategy.stakes(registered.game))
    mean = sum(net * count for net, count in nets.items()) / bet / 1_000_000
    assert sum(nets.values()) == 1_000_000
    assert staked / bet / 1_000_000 == pytest.approx(eval_fraction(sheet["average_wager"]), rel=0.003)
    assert abs(mean + sheet["house_edge_percent"] / 100) < 3 * sheet["standard_deviation"] / 1_000
    assert edge is None or sheet["house_edge_percent"] == pytest.approx(100 * edge, abs=1e-6)


def eval_fraction(text: str) -> float:
    numerator, denominator = text.split("/")
    return int(numerator) / int(denominator)


def test_a_game_without_arrays_is_left_to_the_rules() -> None:
    game = load_game(
        "six_decks_blackjack",
        {"surrender": "late"},
    )
    assert array_player(game, optimal_strategy(game, no_progress), no_progress) is None
    caribbean = load_game("caribbean")
    assert array_player(caribbean, strategies_for(caribbean)["raise_all"], no_progress) is None
