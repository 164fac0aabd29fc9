"""The strategy ``optimal`` for simulation: best play by the computed tables, for a box that knows its own cards alone.

Tables of draws are kept in the cache folder once computed. Baccarat's best play is its best bet. Russian Poker is played
by the nearly exact table; what comes after a draw is exact. Not responsible for simulating (``firmware.simulate``).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from firmware.cards.card import Card
from firmware.cards.point_value import blackjack_points
from firmware.games.contract import Action, Choice, Decision, Game, TableLayout
from firmware.games.families.blackjack import Blackjack
from firmware.games.families.blackjack_state import BlackjackState
from firmware.games.families.dealer_poker.game import DealerPoker
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.families.dealer_poker.settlement import upcard
from firmware.games.families.dealer_poker.state import Stage, poker_round
from firmware.games.strategies import Strategy, strategies_for
from firmware.maths.advice import advise, poker_terms
from firmware.maths.blackjack_best import Table, full_shoe, without
from firmware.maths.blackjack_hands import hand_number
from firmware.maths.compiled import Ints, SmallInts
from firmware.maths.draw_choice import FOLD, ONE, TWO
from firmware.maths.hand_codes import hand_list, relabelings
from firmware.maths.kept_cards import set_place
from firmware.maths.poker_sheet import solution, terms_of
from firmware.maths.progress import Progress
from firmware.maths.russian_best import best_choices, hand_rows, is_russian
from firmware.maths.russian_hand import SIXTH
from firmware.maths.russian_options import RussianTerms, final_value

NAME: Final = "optimal"
_PAIRS: Final = [(i, j) for i in range(5) for j in range(i + 1, 5)]
_PLENTY_MINOR: Final = 10**9
Choose = Callable[[Game, Decision, tuple[Choice, ...], TableLayout], Action]


def optimal_strategy(game: Game, progress: Progress) -> Strategy:
    """Return best play of a game.

    Raises:
        UserError: the table has an option whose odds are not computed.
    """
    known = strategies_for(game)
    if isinstance(game, Blackjack):
        return Strategy(NAME, next(iter(known.values())).stakes, _blackjack(game))
    if isinstance(game, DealerPoker):
        return Strategy(NAME, next(iter(known.values())).stakes, _poker(game, progress))
    return Strategy(NAME, known["banker"].stakes, known["banker"].choose)


def _blackjack(game: Blackjack) -> Choose:
    rules, shoe = game.rules, full_shoe(game.rules.deck_count)
    tables: dict[tuple[int, ...], Table] = {}
    memory: dict[tuple[object, ...], str] = {}

    def decide(known: tuple[int, ...], own: tuple[int, ...], split: int, legal: frozenset[str]) -> str:
        if known not in tables:
            tables[known] = Table(rules, known, without(shoe, known))
        table = tables[known]
        if "no_insurance" in legal:
            return "insurance" if "insurance" in legal and table.insurance(own) > 0 else "no_insurance"
        if len(own) == 2 and not split:
            options = table.first_options((min(own), max(own)))
            if "no_surrender" in legal:
                return "surrender" if max(options, key=options.__getitem__) == "surrender" else "no_surrender"
        else:
            values = table.split_values(split) if split else table.values
            number = hand_number(own)
            options = {
                "stand": float(values.stand[number]),
                "hit": float(values.hit[number]),
                "double": float(values.double[number]),
            }
        return max((name for name in options if name in legal), key=options.__getitem__)

    def choose(_game: Game, node: Decision, choices: tuple[Choice, ...], _seen: TableLayout) -> Action:
        state = node.state
        if not isinstance(state, BlackjackState):
            raise TypeError("not a round of blackjack")
        box = state.boxes[state.turn]
        hand = box.hands[state.hand]
        own = tuple(sorted(blackjack_points(card) for card in hand.cards))
        known = tuple(sorted(blackjack_points(card) for card in state.dealer[: 2 if rules.exposed else 1]))
        split = blackjack_points(hand.cards[0]) if len(box.hands) > 1 else 0
        legal = frozenset(choice.name for choice in choices)
        key = (known, own, split, legal)
        if key not in memory:
            memory[key] = decide(known, own, split, legal)
        return Action(node.box, memory[key], hand=node.hand)

    return choose


def choice_table(profile: DealerPokerProfile, progress: Progress) -> SmallInts:
    """Return the choices by row of ``hand_list`` and open card, as sets of discards: -1 fold, 0 bet, 32 sixth card."""
    if is_russian(profile):
        return best_choices(RussianTerms.of(profile), progress)
    found = solution(terms_of(profile), progress, reuse=True).choices
    masks = np.array([-1, 0, *(1 << i for i in range(5)), *(1 << i | 1 << j for i, j in _PAIRS)], np.int8)
    if (FOLD, ONE, TWO) != (0, 2, 7):
        raise ArithmeticError("the codes of choices have changed")
    table: SmallInts = masks[found]
    return table


def _poker(game: DealerPoker, progress: Progress) -> Choose:
    choices_by_row, rows = choice_table(game.rules.profile, progress), hand_rows()
    terms = poker_terms(game)
    names = np.zeros((24, 4), np.int64)
    cards_by_row: Ints = hand_list().cards

    @lru_cache(maxsize=200_000)
    def bets(cards: tuple[Card, ...], open_card: Card, dead: tuple[Card, ...]) -> bool:
        return final_value(terms, cards, open_card, dead) > -1.0

    def choose(_game: Game, node: Decision, choices: tuple[Choice, ...], _seen: TableLayout) -> Action:
        state = poker_round(node.state)
        box = state.active
        if state.stage is Stage.OFFER:
            advice = advise(game, node, _PLENTY_MINOR)
            return Action(node.box, "take_ante") if advice is None else advice.best.action
        open_card = upcard(game.rules, state)[0]
        if box.drawn:
            dead = tuple(sorted(set(box.dealt) - set(box.cards)))
            return Action(node.box, "raise" if bets(tuple(sorted(box.cards)), open_card, dead) else "fold")
        hand = np.array(box.cards, np.int64)
        relabelings(hand, names)
        new = names[0].tolist()
        renamed = [(card & ~3) | new[card & 3] for card in box.cards]
        row = rows[set_place(np.array(renamed, np.int64))]
        mask = int(choices_by_row[row, (open_card & ~3) | new[open_card & 3]])
        if mask <= 0:
            return Action(node.box, "fold" if mask < 0 else "raise")
        if mask == SIXTH:
            return Action(node.box, "buy_card")
        given = {int(card) for index, card in enumerate(cards_by_row[row]) if mask >> index & 1}
        discards = tuple(card for card, other in zip(box.cards, renamed, strict=True) if other in given)
        return Action(node.box, "exchange", discards)

    return choose
