"""How fast the pure parts are: five-card ranking, and rounds of every game, on one core.

Functions that return plain numbers; the clock is handed in, the shuffles are a fixed sequence, so that two runs do the
same work. Not responsible for printing or for judging the numbers.
"""

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, Final

from firmware.cards.card import DECK, Card, card_text
from firmware.cards.poker_rank import rank_five
from firmware.games.contract import Action, Chance, Decision, Game, Node, Settled, Stake
from firmware.games.registry import game_ids, load_game
from firmware.games.strategies import strategies_for

NowNs = Callable[[], int]
"""A monotonic clock in nanoseconds."""

_SECOND_NS: Final = 10**9
_BALANCE_MINOR: Final = 10**9
_HAND_COUNT: Final = 150_000
_ROUND_COUNT: Final = 2_000
_PEER_HAND_COUNT: Final = 50_000


def bench_ranking(now_ns: NowNs) -> dict[str, int]:
    """Return hands ranked per second, one call each: ours, and other evaluators that happen to be installed."""
    hands = _hands(_HAND_COUNT)
    result = {"croupier": _rate(now_ns, rank_five, hands)}
    for name, prepare in _PEERS.items():
        if importlib.util.find_spec(name) is not None:
            evaluate, convert = prepare(importlib.import_module(name))
            result[name] = _rate(now_ns, evaluate, [convert(hand) for hand in hands[:_PEER_HAND_COUNT]])
    return result


def bench_rounds(now_ns: NowNs, games: Sequence[str] | None = None) -> dict[str, dict[str, int]]:
    """Return rounds per second by game.

    Args:
        now_ns: the clock.
        games: which games; None for all.

    Returns:
        game -> ``engine`` (opening, dealing, actions and settlement alone) and ``with_strategy`` (with the choices and
        the layout from which the family's default strategy plays).
    """
    return {game_id: _bench_game(now_ns, load_game(game_id)) for game_id in games or game_ids()}


def _hands(count: int) -> list[tuple[Card, ...]]:
    """Return different hands from all over the deck, in an order that no cache could like."""
    step = 13
    hands: list[tuple[Card, ...]] = list(islice(combinations(DECK, 5), 0, count * step, step))
    _shuffle(hands, 1)
    return hands


def _rate(now_ns: NowNs, evaluate: Callable[[Any], object], hands: Sequence[Any]) -> int:
    started = now_ns()
    for hand in hands:
        evaluate(hand)
    return len(hands) * _SECOND_NS // max(1, now_ns() - started)


def _shuffle(items: list[Any], seed: int) -> None:
    """Shuffle by a fixed sequence (Lehmer's); for timing only, never for play."""
    state = seed * 2_654_435_761 % 2_147_483_647 or 1
    for index in range(len(items) - 1, 0, -1):
        state = state * 48_271 % 2_147_483_647
        chosen = state % (index + 1)
        items[index], items[chosen] = items[chosen], items[index]


@dataclass(frozen=True, slots=True)
class _Script:
    """One round that has been played: its cards by draw, and its actions."""

    draws: tuple[tuple[Card, ...], ...]
    actions: tuple[Action, ...]


def _bench_game(now_ns: NowNs, game: Game) -> dict[str, int]:
    strategy = next(iter(strategies_for(game).values()))
    stakes = strategy.stakes(game)
    shoes = []
    for number in range(_ROUND_COUNT):
        order = list(DECK) * game.spec.deck_count
        _shuffle(order, number + 1)
        shoes.append(tuple(order[: game.spec.most_cards_per_round]))
    started = now_ns()
    scripts = [_played(game, stakes, shoe) for shoe in shoes]
    played_ns = now_ns() - started
    started = now_ns()
    for script in scripts:
        _replayed(game, stakes, script)
    replayed_ns = now_ns() - started
    return {
        "engine": _ROUND_COUNT * _SECOND_NS // max(1, replayed_ns),
        "with_strategy": _ROUND_COUNT * _SECOND_NS // max(1, played_ns),
    }


def _played(game: Game, stakes: Sequence[Stake], shoe: tuple[Card, ...]) -> _Script:
    """Play a round with the default strategy and keep what happened."""
    choose = next(iter(strategies_for(game).values())).choose
    draws, actions, used = [], [], 0
    node: Node = game.open(stakes, _BALANCE_MINOR)
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            draws.append(shoe[used : used + node.card_count])
            used += node.card_count
            node = game.deal(node, draws[-1])
        else:
            actions.append(choose(game, node, game.choices(node, _BALANCE_MINOR), game.layout(node)))
            node = game.act(node, actions[-1], _BALANCE_MINOR)
    return _Script(tuple(draws), tuple(actions))


def _replayed(game: Game, stakes: Sequence[Stake], script: _Script) -> None:
    """Play a known round again: nothing but the rules."""
    draws, actions = iter(script.draws), iter(script.actions)
    node: Node = game.open(stakes, _BALANCE_MINOR)
    while not isinstance(node, Settled):
        if isinstance(node, Decision):
            node = game.act(node, next(actions), _BALANCE_MINOR)
        else:
            node = game.deal(node, next(draws))


# --- Other evaluators, for comparison in the same run ---------------------------------------------------------------

_Peer = tuple[Callable[[Any], object], Callable[[Sequence[Card]], Any]]
"""How a hand in the library's own form is ranked, and how one of ours is brought into that form."""


def _phevaluator(library: Any) -> _Peer:
    return lambda hand: library.evaluate_cards(*hand), lambda hand: [int(card) for card in hand]


def _treys(library: Any) -> _Peer:
    evaluate = library.Evaluator().evaluate
    return (lambda hand: evaluate(hand, [])), lambda hand: [library.Card.new(card_text(card)) for card in hand]


def _eval7(library: Any) -> _Peer:
    return library.evaluate, lambda hand: [library.Card(card_text(card)) for card in hand]


def _pokerkit(library: Any) -> _Peer:
    return library.StandardHighHand, lambda hand: "".join(map(card_text, hand))


_PEERS: Final[dict[str, Callable[[Any], _Peer]]] = {
    "phevaluator": _phevaluator,
    "treys": _treys,
    "eval7": _eval7,
    "pokerkit": _pokerkit,
}
