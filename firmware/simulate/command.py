"""``croupier simulate``: progress bar, and the report as text or JSON. Its arguments are declared in ``firmware.cli``."""

import argparse
import json
import sys
import time
from typing import Any

from tqdm import tqdm

from firmware.errors import UserError
from firmware.games.contract import Game
from firmware.games.registry import load_game
from firmware.games.strategies import Strategy, strategies_for
from firmware.simulate.runner import play_rounds
from firmware.simulate.tally import Tally

_MOST_ROUNDS = 10**9
_BAR_WIDTH = 40


def command(arguments: argparse.Namespace) -> int:
    """Run the subcommand. Raises UserError for a game, strategy or number that can't be."""
    game = load_game(arguments.game)
    strategy = _strategy(game, arguments.strategy)
    if not 1 <= arguments.rounds <= _MOST_ROUNDS:
        raise UserError(f"--rounds: found {arguments.rounds}, expected 1 to {_MOST_ROUNDS}")
    if not 0 <= arguments.seed < 2**64:
        raise UserError(f"--seed: found {arguments.seed}, expected 0 to {2**64 - 1}")
    tally = Tally(game.cost_minor(strategy.stakes(game)))
    started = time.perf_counter()
    with tqdm(total=arguments.rounds, unit=" rounds", unit_scale=True, delay=1, disable=None, leave=False) as bar:
        for new_count in play_rounds(game, strategy, arguments.seed, arguments.rounds, tally):
            bar.update(new_count)
    report = make_report(game.id, strategy.name, arguments.seed, tally, time.perf_counter() - started)
    sys.stdout.write(json.dumps(report) + "\n" if arguments.json else report_text(report))
    return 0


def make_report(game_id: str, strategy_name: str, seed: int, tally: Tally, seconds: float) -> dict[str, Any]:
    """Return the figures by name. Rates are per initial bet; amounts are in minor units."""
    return {
        "game": game_id,
        "strategy": strategy_name,
        "seed": seed,
        "rounds": tally.round_count,
        "initial_bet_minor": tally.initial_minor,
        "wagered_minor": tally.staked_minor,
        "paid_minor": tally.paid_minor,
        "mean": tally.mean,
        "standard_error": tally.standard_error,
        "standard_deviation": tally.standard_deviation,
        "house_edge_percent": -100 * tally.mean,
        "element_of_risk_percent": 100 * (1 - tally.paid_minor / tally.staked_minor),
        "histogram": [
            {"net_minor": net_minor, "rounds": count} for net_minor, count in sorted(tally.rounds_by_net.items())
        ],
        "rounds_per_second": round(tally.round_count / seconds) if seconds > 0 else None,
    }


def report_text(report: dict[str, Any]) -> str:
    """Return the report for people: figures, then a histogram of net results in initial bets."""
    initial, rounds = report["initial_bet_minor"], report["rounds"]
    per_bet = report["wagered_minor"] / rounds / initial
    lines = [
        f"{report['game']}, strategy {report['strategy']}, seed {report['seed']}: "
        f"{rounds:,} rounds, {report['rounds_per_second'] or 0:,} a second",
        f"  mean result         {100 * report['mean']:+.4f} % of the initial bet",
        f"  standard error       {100 * report['standard_error']:.4f} %",
        f"  house edge          {report['house_edge_percent']:+.4f} % of the initial bet",
        f"  element of risk     {report['element_of_risk_percent']:+.4f} % of all money wagered",
        f"  wagered per round    {per_bet:.4f} initial bets",
        f"  standard deviation   {report['standard_deviation']:.4f} initial bets",
        "  net result           share",
    ]
    most = max(row["rounds"] for row in report["histogram"])
    for row in report["histogram"]:
        bar = "#" * round(_BAR_WIDTH * row["rounds"] / most)
        lines.append(f"  {row['net_minor'] / initial:+10.2f} {100 * row['rounds'] / rounds:14.5f} %  {bar}".rstrip())
    return "\n".join(lines) + "\n"


def _strategy(game: Game, name: str | None) -> Strategy:
    known = strategies_for(game)
    if name == "optimal":
        return _optimal(game)
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise UserError(
            f"--strategy: {game.id} has no strategy {name!r}; choose one of {', '.join((*known, 'optimal'))}"
        )
    return known[name]


def _optimal(game: Game) -> Strategy:
    """Return best play; its tables are computed at first use, and their mathematics is imported only then."""
    from firmware.maths.installed import require_maths

    require_maths("simulate --strategy optimal")
    from firmware.maths.optimal import optimal_strategy
    from firmware.maths.progress import Bar

    with Bar() as bar:
        return optimal_strategy(game, bar)
