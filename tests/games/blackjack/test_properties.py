"""Blackjack with any cards and any choices: it ends, money is conserved, and settlement agrees with a second opinion."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card
from firmware.games.contract import (
    Action,
    ActionRefusedError,
    Chance,
    Decision,
    HandOutcome,
    Node,
    Outcome,
    Settled,
    Stake,
)
from firmware.games.families.blackjack import Blackjack
from firmware.games.families.blackjack_state import BlackjackState
from tests.games.blackjack.table import blackjack

SIX = "six_decks_blackjack"
EVERYTHING = {"max_boxes": 2, "max_hands": 4, "resplit_aces": True, "surrender": "late", "soft_17": "hit"}
TABLES = [
    blackjack("one_deck_blackjack"),
    blackjack(SIX),
    blackjack("european_blackjack"),
    blackjack("open_blackjack"),
    blackjack("open_blackjack", exposed=True),
    blackjack("european_blackjack", dealer_natural_takes="original_bets", natural_pays="6/5"),
    blackjack(SIX, **EVERYTHING),
]
SHOES = st.lists(st.sampled_from(DECK), min_size=120, max_size=120)
VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)


@dataclass
class Played:
    """A finished round and what it did to the balance."""

    outcome: Outcome
    staked_minor: int
    card_count: int
    doubled: list[list[bool]]


def play(game: Blackjack, shoe: list[Card], stakes: list[Stake], balance: int, wishes: list[int]) -> Played:
    """Play by picking the wished-for of the legal actions; every node is used twice and must give equal results."""
    node: Node = game.open(stakes, balance)
    used = turn = 0
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            cards = shoe[used : used + node.card_count]
            used += node.card_count
            first, second = (game.deal(node, cards) for _ in range(2))
            assert first == second
            node = first
        else:
            before = node
            credit = balance - node.state.staked_minor
            assert credit >= 0
            choices = game.choices(node, credit)
            choice = choices[wishes[turn % len(wishes)] % len(choices)]
            turn += 1
            action = Action(node.box, choice.name, hand=node.hand)
            node = game.act(before, action, credit)
            assert node == game.act(before, action, credit)
            assert node.state.staked_minor - before.state.staked_minor == choice.cost_minor
    assert isinstance(node.state, BlackjackState)
    doubled = [[hand.doubled for hand in box.hands] for box in node.state.boxes]
    return Played(node.outcome, node.state.staked_minor, used, doubled)


def total_of(cards: tuple[Card, ...]) -> int:
    """The best total, counted another way than the rules do: aces as 11, taken back one by one."""
    values = [VALUES[card >> 2] for card in cards]
    total, aces = sum(values), values.count(11)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total


def second_opinion(game: Blackjack, played: Played) -> int:
    """Return what the round should have paid, from the cards on the table and what was staked alone."""
    outcome = played.outcome
    natural = len(outcome.dealer_cards) == 2 and total_of(outcome.dealer_cards) == 21
    original_only = natural and game.rules.dealer_natural_takes == "original_bets"
    paid = 0
    for box, doubled in zip(outcome.boxes, played.doubled, strict=True):
        staked = {line.line: line.staked_minor for line in box.lines}
        bet = staked["bet"]
        paid += 3 * staked.get("insurance", 0) if natural else 0
        for index, hand in enumerate(box.hands):
            returned = returned_of(game, bet, hand, natural, len(box.hands) > 1, total_of(outcome.dealer_cards))
            paid += bet if original_only and index else returned
            if doubled[index]:
                paid += bet if original_only else returned
    return paid


def returned_of(game: Blackjack, bet: int, hand: HandOutcome, natural: bool, split: bool, dealer: int) -> int:
    """What one bet on a hand brings back."""
    total = total_of(hand.cards)
    if len(hand.cards) == 2 and total == 21 and not split:
        numerator, denominator = game.rules.natural_pays
        return bet if natural else bet + bet * numerator // denominator
    if natural or total > 21:
        return 0
    if hand.result == "surrender":
        return bet // 2
    if dealer > 21 or total > dealer:
        return 2 * bet
    return bet if total == dealer and not game.rules.exposed else 0


@given(
    game=st.sampled_from(TABLES),
    shoe=SHOES,
    bets=st.lists(st.integers(10, 100), min_size=1, max_size=2),
    wishes=st.lists(st.integers(0, 5), min_size=1, max_size=12),
    spare=st.integers(0, 5000),
)
def test_every_round_ends_and_pays_what_a_second_opinion_says(
    game: Blackjack, shoe: list[Card], bets: list[int], wishes: list[int], spare: int
) -> None:
    stakes = [Stake(box, {"bet": 10 * units}) for box, units in enumerate(bets, start=1)]
    balance = game.cost_minor(stakes) + spare
    played = play(game, shoe, stakes, balance, wishes)
    outcome = played.outcome
    assert outcome.staked_minor == played.staked_minor <= balance
    assert outcome.paid_minor == second_opinion(game, played)
    assert 0 <= outcome.paid_minor <= game.most_paid_minor(stakes)
    assert played.card_count == len(outcome.dealer_cards) + sum(
        len(hand.cards) for box in outcome.boxes for hand in box.hands
    )
    assert [box.box for box in outcome.boxes] == list(range(1, len(bets) + 1))


@given(shoe=SHOES, wishes=st.lists(st.integers(0, 5), min_size=1, max_size=12), suit=st.integers(0, 3))
def test_original_bets_only_loses_to_a_natural_what_a_peek_would(
    shoe: list[Card], wishes: list[int], suit: int
) -> None:
    """Whatever was doubled, split or bust before the natural was found, each box loses the bet it would have lost."""
    peek = blackjack(SIX, insurance=False)
    hidden = blackjack(SIX, insurance=False, hole_card="no_peek", dealer_natural_takes="original_bets")
    stakes = [Stake(1, {"bet": 100}), Stake(2, {"bet": 300})]
    shoe[2], shoe[5] = DECK[32 + suit], DECK[48 + suit]  # a ten up, an ace in the hole
    seen, unseen = (play(game, shoe, stakes, 10**6, wishes).outcome for game in (peek, hidden))
    for one, other in zip(seen.boxes, unseen.boxes, strict=True):
        assert one.paid_minor - one.staked_minor == other.paid_minor - other.staked_minor


@given(game=st.sampled_from(TABLES), shoe=SHOES, wishes=st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_the_dealer_draws_to_seventeen_only_when_somebody_waits_for_it(
    game: Blackjack, shoe: list[Card], wishes: list[int]
) -> None:
    outcome = play(game, shoe, [Stake(1, {"bet": 100})], 10**6, wishes).outcome
    waiting = [
        hand
        for hand in outcome.boxes[0].hands
        if total_of(hand.cards) <= 21 and hand.name != "blackjack" and hand.result != "surrender"
    ]
    if waiting:
        assert total_of(outcome.dealer_cards) >= 17
        assert total_of(outcome.dealer_cards[:-1]) < 18
    else:
        assert len(outcome.dealer_cards) <= 2


@given(game=st.sampled_from(TABLES), shoe=SHOES, wishes=st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_every_illegal_action_is_refused_with_one_line(game: Blackjack, shoe: list[Card], wishes: list[int]) -> None:
    known = ["hit", "stand", "double", "split", "surrender", "no_surrender", "insurance", "no_insurance", "fold", ""]
    node: Node = game.open([Stake(1, {"bet": 100})], 200)
    used = turn = 0
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            cards = shoe[used : used + node.card_count]
            node, used = game.deal(node, cards), used + len(cards)
            continue
        credit = 200 - node.state.staked_minor
        legal = [choice.name for choice in game.choices(node, credit)]
        for name in known:
            if name not in legal:
                assert_refused(game, node, name, credit)
        node = game.act(node, Action(node.box, legal[wishes[turn % len(wishes)] % len(legal)], hand=node.hand), credit)
        turn += 1


def assert_refused(game: Blackjack, node: Decision, name: str, credit: int) -> None:
    with pytest.raises(ActionRefusedError) as refused:
        game.act(node, Action(node.box, name, hand=node.hand), credit)
    assert str(refused.value).startswith(f"box {node.box}, hand {node.hand}: ")
    assert "\n" not in str(refused.value)
