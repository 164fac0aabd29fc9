"""Rounds on their shoe: what play writes is exactly what replay reads."""

import random

import pytest

from firmware.cards.card import DECK, Card
from firmware.entries.types import RoundActed, RoundOpened, RoundSettled
from firmware.errors import InvariantError
from firmware.games.contract import Action, Decision, Game, Stake
from firmware.games.registry import game_ids, load_game
from firmware.rounds.live import LiveRound, Opening, RoundEntries, act, open_round, resume
from firmware.rounds.shoes import ShoeInPlay, ShoeRecord, check_order, order_text, parse_order

CREDIT = 1_000_000


def stakes_for(game: Game) -> tuple[Stake, ...]:
    line = game.spec.lines[0]
    return (Stake(game.spec.positions[0], {line.line: max(line.minimum_minor, 200)}),)


def opening(game: Game, order: tuple[Card, ...], used: int = 0) -> Opening:
    meter = 1_000_000 if any(row.percent_of_meter for row in game.paytable) else None
    return Opening("r1-1", 1, "digest", ShoeInPlay("s1-1", order, used), used == 0, CREDIT, meter)


def random_order(seed: int, decks: int) -> tuple[Card, ...]:
    order = list(DECK * decks)
    random.Random(seed).shuffle(order)
    return tuple(order)


def play(game: Game, seed: int) -> tuple[LiveRound, list[object]]:
    chooser = random.Random(seed)
    live, written = open_round(game, stakes_for(game), opening(game, random_order(seed, game.spec.deck_count)))
    entries: list[object] = list(written)
    while isinstance(live.node, Decision):
        choice = chooser.choice(game.choices(live.node, CREDIT))
        hand = next(box for box in game.layout(live.node).boxes if box.box == live.node.box).hands[live.node.hand]
        cards = tuple(slot.card for slot in hand.slots if slot.card is not None)[: choice.card_count]
        live, written = act(live, Action(live.node.box, choice.name, cards, live.node.hand), CREDIT)
        entries += written
    return live, entries


@pytest.mark.parametrize("game_id", game_ids())
def test_replay_of_the_entries_is_the_same_round_card_for_card(game_id: str) -> None:
    game = load_game(game_id)
    for seed in range(25):
        live, entries = play(game, seed)
        opened, *acts, settled = entries
        assert isinstance(opened, RoundOpened)
        assert isinstance(settled, RoundSettled)
        assert settled.staked_minor == live.cost_minor
        assert settled.card_count == len(live.dealt)
        steps = tuple(step for step in acts if isinstance(step, RoundActed))
        assert len(steps) == len(acts)
        shoe = ShoeRecord(opened.shoe_id, opened.shoe, opened.first_card)
        assert resume(game, RoundEntries(opened, shoe, steps, settled)) == live


def test_settlement_that_the_rules_do_not_give_is_noticed() -> None:
    game = load_game("oasis")
    _, entries = play(game, 3)
    opened, *acts, settled = entries
    assert isinstance(opened, RoundOpened)
    assert isinstance(settled, RoundSettled)
    steps = tuple(step for step in acts if isinstance(step, RoundActed))
    forged = RoundSettled(
        settled.round_id, "oasis", settled.staked_minor, settled.paid_minor + 1, settled.card_count, ()
    )
    with pytest.raises(InvariantError, match="do not settle"):
        resume(game, RoundEntries(opened, ShoeRecord(opened.shoe_id, opened.shoe, 0), steps, forged))


def test_shoe_that_is_not_whole_is_refused_before_a_card_is_shown() -> None:
    game = load_game("oasis")
    order = (*random_order(1, 1)[:-1], random_order(1, 1)[0])
    with pytest.raises(InvariantError, match="not 1 whole deck"):
        open_round(game, stakes_for(game), opening(game, order))


def test_carried_shoe_goes_on_where_it_was() -> None:
    game = load_game("six_decks_blackjack")
    order = random_order(9, 6)
    live, _ = open_round(game, stakes_for(game), opening(game, order, used=40))
    assert live.dealt == order[40 : 40 + len(live.dealt)]


def test_empty_shoe_raises_instead_of_dealing_again() -> None:
    shoe = ShoeInPlay("s", DECK, 50)
    with pytest.raises(InvariantError, match="has 2 cards, 3 needed"):
        shoe.take(3)


def test_order_text_is_reversible_and_checked() -> None:
    order = random_order(4, 2)
    assert parse_order(order_text(order)) == order
    check_order(order, 2)
    with pytest.raises(ValueError, match="two characters"):
        parse_order("AsK")
