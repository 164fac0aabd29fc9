"""The value of every legal action at any decision of any game: what the coach says. Exact but for what ``Advice.note`` says.

Knows what the player may know at that moment: the own hand, open cards, cards of boxes played before, discards. Fills the
seam of ``firmware.games.coaching``. Not responsible for the counting (``russian_hand``, ``blackjack_best``).
"""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from firmware.cards.card import DECK, Card
from firmware.cards.point_value import blackjack_points
from firmware.games.coaching import ActionValue, Advice
from firmware.games.contract import Action, Choice, Decision, Game
from firmware.games.families.blackjack import Blackjack
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.games.families.blackjack_state import BlackjackState
from firmware.games.families.dealer_poker.game import DealerPoker
from firmware.games.families.dealer_poker.settlement import upcard
from firmware.games.families.dealer_poker.state import PokerRound, Stage, poker_round
from firmware.maths.blackjack_best import Table, full_shoe, without
from firmware.maths.blackjack_hands import hand_number
from firmware.maths.compiled import Ints
from firmware.maths.russian_hand import SIXTH
from firmware.maths.russian_options import RussianTerms, bought_value, final_value, values_of

_MILLION = 1_000_000
TIE_NOTE = "equal hands, which suits decide, count as half won and half lost"
SPLIT_NOTE = "a split is valued as twice one hand played by its own cards"


def advise(game: Game, node: Decision, balance_minor: int) -> Advice | None:
    """Return the values of all legal actions, None for a game without decisions or of an unknown kind.

    Raises:
        UserError: the table has an option whose odds are not computed.
    """
    choices = game.choices(node, balance_minor)
    if isinstance(game, Blackjack) and isinstance(node.state, BlackjackState):
        return _blackjack(game.rules, node, node.state, choices)
    if isinstance(game, DealerPoker):
        return _poker(poker_terms(game), node, poker_round(node.state), choices)
    return None


def poker_terms(game: DealerPoker) -> RussianTerms:
    """Return the terms of a poker table; kept, for they take a moment to make."""
    return _terms(game)


@lru_cache(maxsize=8)
def _terms(game: DealerPoker) -> RussianTerms:
    return RussianTerms.of(game.rules.profile)


def _advice(
    values: Iterable[tuple[Action, float]], note: str = "", others: Iterable[tuple[Action, float]] = ()
) -> Advice:
    return Advice(_rows(values), not note, note, _rows(others))


def _rows(values: Iterable[tuple[Action, float]]) -> tuple[ActionValue, ...]:
    rows = [ActionValue(action, round(value * _MILLION)) for action, value in values]
    return tuple(sorted(rows, key=lambda row: -row.value_millionths))


# --- Poker


def seen_cards(state: PokerRound) -> set[Card]:
    """Return the cards that the player has seen besides the dealer's: open boxes up to the active one, discards too."""
    boxes = [box for box in state.boxes[: state.turn + 1] if box.is_open]
    if state.stage is Stage.OFFER:
        boxes = [box for box in state.boxes if box.is_open]
    return {card for box in boxes for card in (*box.dealt, *box.cards)}


def _poker(terms: RussianTerms, node: Decision, state: PokerRound, choices: tuple[Choice, ...]) -> Advice:
    box = state.active
    open_card = upcard(terms.rules, state)[0]
    spent = box.draw_fee_minor / box.ante_minor
    if state.stage is Stage.OFFER:
        unseen = [card for card in DECK if card not in seen_cards(state) and card not in state.dealer]
        values = {"take_ante": 1.0, "buy_dealer_card": bought_value(terms, box.cards, state.dealer, unseen)}
        return _advice((Action(box.box, choice.name), values[choice.name] - spent) for choice in choices)
    seen = tuple(seen_cards(state) - set(box.cards))
    ties = TIE_NOTE if terms.results[5] else ""
    if box.drawn:
        bet = final_value(terms, box.cards, open_card, seen)
        values = {"raise": bet, "fold": -1.0}
        return _advice(((Action(box.box, choice.name), values[choice.name] - spent) for choice in choices), ties)
    hand = np.array(sorted(box.cards), np.int64)
    options = values_of(terms, hand, open_card, seen)
    rows: list[tuple[Action, float]] = []
    others: list[tuple[Action, float]] = []
    for choice in choices:
        if choice.name == "exchange":
            masks = [mask for mask in options if mask != SIXTH and mask.bit_count() == choice.card_count]
            masks.sort(key=options.__getitem__, reverse=True)
            exchanges = [(Action(node.box, "exchange", _cards_of(hand, mask)), options[mask]) for mask in masks]
            rows.append(exchanges[0])
            others += exchanges[1:]
        else:
            value = {"fold": -1.0, "raise": options[0], "buy_card": options.get(SIXTH, 0.0)}[choice.name]
            rows.append((Action(node.box, choice.name), value))
    return _advice(rows, ties, others)


def _cards_of(hand: Ints, mask: int) -> tuple[Card, ...]:
    return tuple(Card(int(hand[index])) for index in range(5) if mask >> index & 1)


# --- Blackjack


def _points(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(blackjack_points(card) for card in cards)


def _blackjack(rules: BlackjackRules, node: Decision, state: BlackjackState, choices: tuple[Choice, ...]) -> Advice:
    box = state.boxes[state.turn]
    hand = box.hands[state.hand]
    own = _points(hand.cards)
    known = tuple(sorted(_points(state.dealer[:2] if rules.exposed else state.dealer[:1])))
    others = [card for one in state.boxes for each in one.hands if each is not hand for card in each.cards]
    table = Table(rules, known, without(full_shoe(rules.deck_count), (*known, *_points(others))))
    natural = table.natural_chance(own)
    actions = {choice.name: Action(node.box, choice.name, (), node.hand) for choice in choices}
    if "no_insurance" in actions:
        return _advice(
            (action, table.insurance(own) if name == "insurance" else 0.0) for name, action in actions.items()
        )
    if "no_surrender" in actions:
        options = table.first_options((min(own), max(own)))
        options.pop("surrender")
        going_on = max(options.values()) - natural * (1 - table.natural_loss)
        return _advice((actions[name], value) for name, value in (("surrender", -0.5), ("no_surrender", going_on)))
    number = hand_number(own)
    values = table.values_from(number)
    found = {"stand": values.stand[number], "hit": values.hit[number], "double": values.double[number]}
    if "split" in actions:
        found["split"] = table.split(own[0])
    if "surrender" in actions:
        found["surrender"] = table.surrender((min(own), max(own)))
    scale, taken = 1.0, natural * (1 - table.natural_loss) * (node.hand == 0)
    if rules.natural_ends_round:
        scale, taken = 1.0 / (1.0 - natural), 0.0  # he has looked, and has none
    return _advice(
        ((action, float(found[name]) * scale - taken) for name, action in actions.items()),
        SPLIT_NOTE if "split" in actions else "",
    )
