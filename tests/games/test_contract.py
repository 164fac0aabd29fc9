"""The contract suite: what every game of the registry must keep, whatever is staked, dealt and chosen."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card
from firmware.games.contract import (
    Action,
    ActionRefusedError,
    Chance,
    Decision,
    Game,
    Node,
    Settled,
    StakeRefusedError,
    TableLayout,
)
from firmware.games.record import play, replay
from firmware.games.record_format import parse_record
from firmware.games.registry import game_ids, load_game
from firmware.games.strategies import strategies_for
from tests.games.random_play import PLENTY, Play, action_for, own_cards, random_shoe, random_stakes

GAMES = {game_id: load_game(game_id) for game_id in game_ids()}
ROUNDS = 300
ALL_ACTIONS = (
    "fold",
    "raise",
    "exchange",
    "buy_card",
    "buy_dealer_card",
    "take_ante",
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insurance",
    "no_insurance",
    "RAISE",
    "",
    "steal",
)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def faces(layout: TableLayout) -> list[Card]:
    hands = [hand for box in layout.boxes for hand in box.hands] + [layout.dealer]
    hands += [layout.player] if layout.player is not None else []
    return [slot.card for hand in hands for slot in hand.slots if slot.card is not None]


@every_game
def test_random_play_always_ends_within_the_declared_number_of_cards(game: Game) -> None:
    chance = random.Random(1)
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        for _ in range(200):
            if isinstance(round_.node, Settled):
                break
            round_.act_at_random(chance)
        assert isinstance(round_.node, Settled)
        assert round_.used <= game.spec.most_cards_per_round


@every_game
def test_every_legal_action_is_accepted_and_costs_what_it_says(game: Game) -> None:
    chance = random.Random(2)
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        while isinstance(round_.node, Decision):
            choices = game.choices(round_.node, round_.balance)
            assert choices
            for choice in choices:
                assert 0 <= choice.cost_minor <= round_.balance
                after = game.act(round_.node, action_for(game, round_.node, choice, chance), round_.balance)
                assert after.state.staked_minor == round_.node.state.staked_minor + choice.cost_minor
            round_.act_at_random(chance)


@every_game
def test_every_illegal_action_is_refused_with_a_reason_and_changes_nothing(game: Game) -> None:
    chance = random.Random(3)
    for _ in range(ROUNDS // 4):
        round_ = Play.opened(game, chance)
        while isinstance(round_.node, Decision):
            node, before = round_.node, round_.node.state
            legal = {(choice.name, choice.card_count) for choice in game.choices(node, round_.balance)}
            own = own_cards(game.layout(node), node.box, node.hand)
            for name in ALL_ACTIONS:
                for count in range(len(own) + 1):
                    for box, hand in ((node.box, node.hand), (node.box % 6 + 1, node.hand), (node.box, node.hand + 1)):
                        if (name, count) in legal and (box, hand) == (node.box, node.hand):
                            continue
                        with pytest.raises(ActionRefusedError) as refusal:
                            game.act(node, Action(box, name, tuple(own[:count]), hand), round_.balance)
                        assert str(refusal.value).startswith("box ")
                        assert "\n" not in str(refusal.value)
            assert node.state == before
            round_.act_at_random(chance)


@every_game
def test_what_one_cannot_pay_is_not_legal(game: Game) -> None:
    chance = random.Random(4)
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        while isinstance(round_.node, Decision):
            assert all(choice.cost_minor == 0 for choice in game.choices(round_.node, 0))
            assert game.choices(round_.node, 0), "somebody without money must be able to go on"
            rich = {choice.name for choice in game.choices(round_.node, PLENTY)}
            assert {choice.name for choice in game.choices(round_.node, 0)} <= rich
            round_.act_at_random(chance)


@every_game
def test_record_of_every_node_leads_back_to_the_same_node(game: Game) -> None:
    chance = random.Random(5)
    for _ in range(ROUNDS // 2):
        round_ = Play.opened(game, chance)
        while True:
            text = json.dumps(round_.record())
            replayed = replay(parse_record(json.loads(text)))
            assert replayed.node == round_.node
            assert replayed.cards_used == round_.used
            if isinstance(round_.node, Settled):
                break
            round_.act_at_random(chance)


@every_game
def test_replay_of_a_record_gives_its_own_answer_again(game: Game) -> None:
    chance = random.Random(6)
    for _ in range(ROUNDS // 4):
        round_ = Play.opened(game, chance)
        round_.to_the_end(chance)
        record = round_.record()
        answer = json.loads(json.dumps(play(record)))
        assert play({**record, "result": answer}) == answer


@every_game
def test_money_is_conserved_to_the_minor_unit(game: Game) -> None:
    chance = random.Random(7)
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        assert round_.node.state.staked_minor == game.cost_minor(round_.stakes)
        end = round_.to_the_end(chance)
        outcome = end.outcome
        assert outcome.staked_minor == end.state.staked_minor == round_.balance_before - round_.balance
        assert round_.balance >= 0
        lines = [line for box in outcome.boxes for line in box.lines]
        assert sum(line.staked_minor for line in lines) == outcome.staked_minor
        assert sum(line.paid_minor for line in lines) == outcome.paid_minor
        assert all(line.paid_minor >= 0 and line.staked_minor >= 0 for line in lines)
        assert [box.box for box in outcome.boxes] == sorted(stake.box for stake in round_.stakes)


@every_game
def test_opening_takes_exactly_the_declared_cost(game: Game) -> None:
    chance = random.Random(8)
    for _ in range(ROUNDS):
        stakes = random_stakes(game, chance)
        cost = game.cost_minor(stakes)
        assert game.open(stakes, cost).state.staked_minor == cost
        with pytest.raises(StakeRefusedError, match="balance"):
            game.open(stakes, cost - 1)


@every_game
def test_no_payout_exceeds_the_declared_maximum(game: Game) -> None:
    """Random play, and the richest shoes that the suits give: sorted decks deal royal flushes and naturals."""
    chance = random.Random(9)
    for index in range(ROUNDS * 2):
        stakes = random_stakes(game, chance)
        shoe = random_shoe(game, chance)
        if index % 2:
            shoe = tuple(sorted(shoe, key=lambda card: (card & 3, -card)))
            shift = chance.randrange(len(shoe))
            shoe = shoe[shift:] + shoe[:shift]
        round_ = Play(game, stakes, shoe, PLENTY, game.open(stakes, PLENTY)).dealt()
        outcome = round_.to_the_end(chance).outcome
        assert outcome.paid_minor <= game.most_paid_minor(stakes)


@every_game
def test_layout_holds_all_money_and_only_cards_that_were_dealt(game: Game) -> None:
    chance = random.Random(10)
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        while True:
            layout = game.layout(round_.node)
            staked = sum(line.staked_minor for box in layout.boxes for line in box.lines)
            assert staked == round_.node.state.staked_minor
            assert Counter(faces(layout)) <= Counter(round_.shoe[: round_.used])
            active = [(box.box, index) for box in layout.boxes for index, hand in enumerate(box.hands) if hand.active]
            if isinstance(round_.node, Settled):
                outcome = round_.node.outcome
                assert [box.result for box in layout.boxes] == [box.result for box in outcome.boxes]
                paid = sum(line.paid_minor or 0 for box in layout.boxes for line in box.lines)
                assert paid == outcome.paid_minor
                break
            assert isinstance(round_.node, Decision)
            assert active == [(round_.node.box, round_.node.hand)]
            round_.act_at_random(chance)


@every_game
def test_layout_tells_nothing_about_cards_that_lie_face_down(game: Game) -> None:
    """Exchange all cards that the player can't see for others: the layout must stay the same to the last bit."""
    chance = random.Random(11)
    compared = 0
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance, deck_count=1)
        while isinstance(round_.node, Decision):
            seen = {*faces(game.layout(round_.node)), *(card for action in round_.actions for card in action.cards)}
            hidden = [card for card in round_.shoe if card not in seen]
            others = iter(chance.sample(hidden, len(hidden)))
            other = replayed_on(round_, tuple(card if card in seen else next(others) for card in round_.shoe))
            if isinstance(other, Decision) and (other.box, other.hand) == (round_.node.box, round_.node.hand):
                assert game.layout(other) == game.layout(round_.node)
                compared += 1
            round_.act_at_random(chance)
    assert compared > ROUNDS // 2 or game.spec.family == "baccarat"


def replayed_on(round_: Play, shoe: tuple[Card, ...]) -> Node | None:
    """The node to which the same actions lead with another shoe, None where they are not possible."""
    game = round_.game
    other = replace(round_, shoe=shoe, used=0, actions=[], node=game.open(round_.stakes, round_.balance_before))
    other.dealt()
    for action in round_.actions:
        try:
            other.act(action)
        except (ActionRefusedError, AssertionError):
            return None
    return other.node


@every_game
def test_wrong_number_of_cards_is_refused(game: Game) -> None:
    chance = random.Random(12)
    stakes = random_stakes(game, chance)
    node = game.open(stakes, PLENTY)
    for count in (0, node.card_count - 1, node.card_count + 1):
        with pytest.raises(ValueError, match="asked for"):
            game.deal(node, DECK[:count])


@every_game
def test_state_of_another_game_is_refused(game: Game) -> None:
    family = game.spec.family
    other = next(other for other in GAMES.values() if other.spec.family != family)
    node = other.open(random_stakes(other, random.Random(13)), PLENTY)
    with pytest.raises(TypeError, match="not a"):
        game.deal(Chance(node.state, 10), DECK[:10])


@every_game
def test_line_specs_say_which_stakes_are_taken(game: Game) -> None:
    chance = random.Random(14)
    for line in game.spec.lines:
        assert line.step_minor > 0
        assert line.minimum_minor <= line.maximum_minor
        stakes = random_stakes(game, chance)
        seat = stakes[0].box
        required = {
            other.line: other.minimum_minor + -other.minimum_minor % other.step_minor
            for other in game.spec.lines
            if not other.optional
        }
        for amount in (line.minimum_minor - line.step_minor, line.maximum_minor + line.step_minor):
            if amount > 0:
                with pytest.raises(StakeRefusedError, match=f"^box {seat}.*{line.line}.*{amount} "):
                    game.open([replace(stakes[0], lines={**required, line.line: amount})], PLENTY)


@every_game
def test_every_strategy_plays_rounds_to_the_end(game: Game) -> None:
    chance = random.Random(15)
    for strategy in strategies_for(game).values():
        for _ in range(20):
            stakes = list(strategy.stakes(game))
            round_ = Play(game, stakes, random_shoe(game, chance), PLENTY, game.open(stakes, PLENTY)).dealt()
            while isinstance(round_.node, Decision):
                choices = game.choices(round_.node, round_.balance)
                action = strategy.choose(game, round_.node, choices, game.layout(round_.node))
                assert action.name in {choice.name for choice in choices}
                round_.act(action)
            assert isinstance(round_.node, Settled)


@every_game
@given(data=st.data())
def test_equal_arguments_give_equal_results(game: Game, data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 10**6))
    one = Play.opened(game, random.Random(seed)).to_the_end(random.Random(seed))
    other = Play.opened(game, random.Random(seed)).to_the_end(random.Random(seed))
    assert one == other
