"""Values of draws against rounds that the game itself deals, played on by best play: within four standard errors."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

from firmware.cards.card import DECK, Card, parse_card, parse_cards
from firmware.games.contract import Action, Chance, Decision, Game, Node, Outcome, Settled, Stake
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.registry import load_game, register
from firmware.maths.advice import advise
from firmware.maths.russian_hand import SIXTH
from firmware.maths.russian_options import RussianTerms, ends_of
from firmware.maths.russian_outcomes import outcomes_of

ANTE = 1000
PLENTY = 10**9
ROUNDS = 500


def begin(game: Game, hand: Sequence[Card], dealer: list[Card]) -> Node:
    opened = game.open([Stake(1, {"ante": ANTE})], PLENTY)
    return game.deal(opened, [card for both in zip(hand, dealer, strict=True) for card in both])


def finish(game: Game, node: Node, cards: list[Card]) -> Settled:
    """Play on by advice; later cards come from the given ones."""
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            count = node.card_count
            node, cards = game.deal(node, cards[:count]), cards[count:]
        else:
            advice = advise(game, node, PLENTY)
            assert advice is not None
            node = game.act(node, advice.best.action, PLENTY)
    return node


def played(
    game: Game, own: Sequence[Card], up: Card, action: str, given: Sequence[Card]
) -> tuple[float, list[Outcome]]:
    """Return what advice says that a draw is worth, and how rounds ended that were played on from it."""
    rest = [card for card in DECK if card not in (*own, up)]
    generator = random.Random(11)
    value = 0.0
    outcomes: list[Outcome] = []
    for _ in range(ROUNDS):
        others = generator.sample(rest, 12)
        dealer = [up, *others[:4]] if game.id == "russian" else [*others[:4], up]
        node = begin(game, own, dealer)
        assert isinstance(node, Decision)
        if not outcomes:
            advice = advise(game, node, PLENTY)
            assert advice is not None
            same = [row for row in advice.values if (row.action.name, set(row.action.cards)) == (action, set(given))]
            value = same[0].value_millionths / 1e6
        outcomes.append(finish(game, game.act(node, Action(1, action, tuple(given)), PLENTY), others[4:]).outcome)
    return value, outcomes


RUSSIAN = [
    ("9s 8h 7d 6s 2h", "Kd", "buy_card", ""),
    ("9s 9h 9d 5c Ts", "Kd", "exchange", "5c Ts"),
    ("As Ah 7d 5c 2s", "8h", "exchange", "7d 5c 2s"),
]


@pytest.mark.parametrize(
    ("game_id", "hand", "upcard", "action", "discards"),
    [
        ("oasis", "Ks Js 8s 4s 2h", "Ad", "exchange", "2h"),
        ("oasis", "As Ks Qs 7h 2d", "5c", "exchange", "7h 2d"),
        *(("russian", *row) for row in RUSSIAN),
    ],
)
def test_a_draw_is_worth_what_it_brings_by_the_rules(
    game_id: str, hand: str, upcard: str, action: str, discards: str
) -> None:
    own, up, given = parse_cards(hand.split()), parse_card(upcard), parse_cards(discards.split())
    value, outcomes = played(load_game(game_id), own, up, action, given)
    results = [(outcome.paid_minor - outcome.staked_minor) / ANTE for outcome in outcomes]
    error = float(np.std(results)) / ROUNDS**0.5
    assert abs(float(np.mean(results)) - value) < 4 * error
    assert error < 0.35


@pytest.mark.parametrize(("hand", "upcard", "action", "discards"), RUSSIAN)
def test_a_draw_of_russian_ends_as_it_does_by_the_rules(hand: str, upcard: str, action: str, discards: str) -> None:
    own, up, given = parse_cards(hand.split()), parse_card(upcard), parse_cards(discards.split())
    profile = register("russian").profile
    assert isinstance(profile, DealerPokerProfile)
    option = SIXTH if action == "buy_card" else (1 << len(given)) - 1
    kept = [card for card in own if card not in given]
    terms = RussianTerms.of(profile)
    ends = ends_of(terms, kept, option, up, given)
    found = [
        (outcomes_of(terms, option, hand_class, pay)[end], float(ends[hand_class, pay, end]))
        for hand_class, pay, end in np.argwhere(ends).tolist()
    ]
    chances = np.array([chance for _, chance in found])
    put_up, net = (np.array([getattr(outcome, name) for outcome, _ in found]) for name in ("put_up", "net"))
    _, outcomes = played(load_game("russian"), own, up, action, given)
    staked = np.array([outcome.staked_minor / ANTE for outcome in outcomes])
    won = np.array([(outcome.paid_minor - outcome.staked_minor) / ANTE for outcome in outcomes])
    for expected, seen in ((put_up, staked), (net**2, won**2), (net > 0, won > 0)):
        mean = float(chances @ expected)
        error = float(chances @ (expected - mean) ** 2 / ROUNDS) ** 0.5
        assert abs(mean - float(np.mean(seen))) < 4 * error + 1e-9
