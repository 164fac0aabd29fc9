"""How long exact odds take: whole sheets, the values of one live decision, and rounds by arrays. Compiling is not counted.

Oasis and Russian Poker take minutes and are left out; ``croupier par GAME --check`` tells their time. Not responsible for printing.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from firmware.cards.card import parse_cards
from firmware.games.bench import bench_rounds
from firmware.games.contract import Decision, Stake
from firmware.games.registry import load_game, register
from firmware.maths.game_sheet import game_sheet
from firmware.maths.installed import is_installed

_SHEETS: Final = ("baccarat", "one_deck_blackjack", "six_decks_blackjack", "caribbean")
_POKER_DEAL: Final = "Qs Ad 9h 5d 8d 9c 7c Jh 6s 2h".split()
_BLACKJACK_DEAL: Final = "8s Tc 8h 5d".split()
_DECISIONS: Final = {
    "caribbean": ("ante", _POKER_DEAL),
    "oasis": ("ante", _POKER_DEAL),
    "russian": ("ante", _POKER_DEAL),
    "six_decks_blackjack": ("bet", _BLACKJACK_DEAL),
}
_ROUNDS: Final = 5
_BULK: Final = ("caribbean", "baccarat", "six_decks_blackjack")
_BULK_ROUNDS: Final = 1_000_000
_BALANCE_MINOR: Final = 10**9


def bench_maths() -> dict[str, Any]:
    """Return seconds per sheet and milliseconds per decision; a note where numba is missing."""
    if not is_installed():
        return {"note": "numba is not installed; run .venv/bin/pip install numpy numba"}
    from firmware.maths.advice import advise

    figures: dict[str, Any] = {}
    for game_id in _SHEETS:
        registered = register(game_id)

        def sheet(registered: Any = registered) -> object:
            return game_sheet(registered, lambda _what, _share: None)

        sheet()
        figures[f"sheet of {game_id}"] = {"seconds": round(_seconds(sheet, 1), 2)}
    for game_id in _DECISIONS:
        game, node = load_game(game_id), _decision(game_id)

        def decision(game: Any = game, node: Decision = node) -> object:
            return advise(game, node, _BALANCE_MINOR)

        decision()
        figures[f"one decision of {game_id}"] = {"ms": round(1000 * _seconds(decision, _ROUNDS), 1)}
    for game_id in _BULK:
        figures[f"simulation of {game_id} by arrays"] = _bulk(game_id)
    return figures


def _bulk(game_id: str) -> dict[str, Any]:
    """Return rounds per second on one core by arrays and by the rules alone, shuffles of the rules not counted."""
    from firmware.maths.bulk import array_player
    from firmware.maths.optimal import optimal_strategy

    game = load_game(game_id)
    player = array_player(game, optimal_strategy(game, _nobody), _nobody)
    if player is None:
        raise ValueError(f"{game_id} is not played by arrays")
    player.play(1, 1_000)
    arrays = _BULK_ROUNDS / _seconds(lambda: player.play(2, _BULK_ROUNDS), _ROUNDS)
    rules = bench_rounds(time.process_time_ns, [game_id])[game_id]["engine"]
    return {"rounds_per_second": round(arrays), "by_the_rules": rules, "ratio": round(arrays / rules, 1)}


def _nobody(_what: str, _share: float) -> None:
    """Nobody watches."""


def _seconds(function: Callable[[], object], rounds: int) -> float:
    """Return the least processor time of some rounds: other programs on the machine don't count."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        function()
        best = min(best, time.process_time() - started)
    return best


def _decision(game_id: str) -> Decision:
    game = load_game(game_id)
    line, deal = _DECISIONS[game_id]
    node = game.deal(game.open([Stake(1, {line: 1000})], _BALANCE_MINOR), parse_cards(deal))
    if not isinstance(node, Decision):
        raise TypeError(f"{game_id} asks for no decision after this deal")
    return node
