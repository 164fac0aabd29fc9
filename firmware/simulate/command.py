"""``croupier simulate``: progress bar, and the report as text or JSON. Its arguments are declared in ``firmware.cli``."""

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from firmware.errors import UserError
from firmware.games.contract import Game
from firmware.games.par_files import read_sheet
from firmware.games.registry import RegisteredGame, register
from firmware.games.strategies import Strategy, strategies_for
from firmware.maths.installed import require_maths
from firmware.simulate.runner import play_rounds
from firmware.simulate.tally import Tally

if TYPE_CHECKING:
    from firmware.maths.bulk import ArrayPlayer

BLOCK = {"rules": 100_000, "arrays": 1_000_000}
"""Rounds that are dealt from one seed; after each block what has been counted is kept."""
_MOST_ROUNDS = 10**9
_BAR_WIDTH = 40


def command(arguments: argparse.Namespace) -> int:
    """Run the subcommand. Raises UserError for a game, strategy or number that can't be."""
    registered = register(arguments.game)
    game = registered.game
    strategy = _strategy(game, arguments.strategy)
    if not 1 <= arguments.rounds <= _MOST_ROUNDS:
        raise UserError(f"--rounds: found {arguments.rounds}, expected 1 to {_MOST_ROUNDS}")
    if not 0 <= arguments.seed < 2**64:
        raise UserError(f"--seed: found {arguments.seed}, expected 0 to {2**64 - 1}")
    player = _array_player(game, strategy, arguments.engine)
    engine = "rules" if player is None else "arrays"
    tally = Tally(game.cost_minor(strategy.stakes(game)))
    kept = _Kept(arguments.keep, [game.id, strategy.name, arguments.seed, engine, repr(game.paytable)])
    block = kept.load(tally)
    first_count = tally.round_count
    started = time.perf_counter()
    with tqdm(
        total=arguments.rounds, initial=first_count, unit=" rounds", unit_scale=True, delay=1, disable=None, leave=False
    ) as bar:
        while tally.round_count < arguments.rounds:
            count = min(BLOCK[engine], arguments.rounds - tally.round_count)
            seed = block_seed(arguments.seed, block)
            if player is None:
                for new_count in play_rounds(game, strategy, seed, count, tally):
                    bar.update(new_count)
            else:
                tally.add_many(*player.play(seed, count))
                bar.update(count)
            block += 1
            if count == BLOCK[engine]:
                kept.save(block, tally)
    seconds = time.perf_counter() - started
    report = make_report(game.id, strategy.name, arguments.seed, tally, seconds, first_count, engine)
    report |= _against_sheet(registered, strategy.name, tally)
    sys.stdout.write(json.dumps(report) + "\n" if arguments.json else report_text(report))
    return 0


def block_seed(seed: int, block: int) -> int:
    """Return the seed of one block of rounds: blocks can be played one by one, and an interrupted run goes on."""
    if block == 0:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed} {block}".encode()).digest()[:8], "big")


class _Kept:
    """The file in which whole blocks are kept; without one nothing is."""

    def __init__(self, path: Path | None, subject: list[object]) -> None:
        self._path = path
        self._subject = json.loads(json.dumps(subject))

    def load(self, tally: Tally) -> int:
        """Add what is kept to the tally; return the number of the next block."""
        if self._path is None or not self._path.exists():
            return 0
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            nets = {int(net): int(count) for net, count in kept["rounds_by_net"].items()}
            block, staked_minor, subject = int(kept["blocks"]), int(kept["staked_minor"]), kept["subject"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(f"--keep {self._path}: not a simulation's file ({error}); name another one") from None
        if subject != self._subject:
            raise UserError(
                f"--keep {self._path}: it is of another simulation ({subject[:4]}); name another file, or the same options"
            )
        tally.add_many(staked_minor, nets)
        return block

    def save(self, block: int, tally: Tally) -> None:
        """Keep all blocks so far."""
        if self._path is None:
            return
        kept = {
            "subject": self._subject,
            "blocks": block,
            "staked_minor": tally.staked_minor,
            "rounds_by_net": tally.rounds_by_net,
        }
        temporary = self._path.with_name(self._path.name + ".tmp")
        try:
            temporary.write_text(json.dumps(kept), encoding="utf-8")
            temporary.replace(self._path)
        except OSError as error:
            raise UserError(f"--keep {self._path}: {error.strerror or error}") from None


def make_report(
    game_id: str,
    strategy_name: str,
    seed: int,
    tally: Tally,
    seconds: float,
    kept_count: int = 0,
    engine: str = "rules",
) -> dict[str, Any]:
    """Return the figures by name. Rates are per initial bet; amounts are in minor units.

    ``seconds`` is how long all rounds but the ``kept_count`` ones of an earlier run took.
    """
    return {
        "game": game_id,
        "strategy": strategy_name,
        "engine": engine,
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
        "rounds_per_second": round((tally.round_count - kept_count) / seconds) if seconds > 0 else None,
    }


def _against_sheet(registered: RegisteredGame, strategy_name: str, tally: Tally) -> dict[str, Any]:
    """Return what the committed sheet says of this play, and how far the result is from it; nothing where it says nothing."""
    sheet = read_sheet(registered.game.id, registered.digest)
    figures = None if sheet is None else sheet.get("bets", {}).get(strategy_name)
    if sheet is not None and strategy_name == "optimal":
        figures = sheet
    if figures is None:
        return {}
    away = (-100 * tally.mean - figures["house_edge_percent"]) / 100
    error = figures["standard_deviation"] / tally.round_count**0.5
    return {"sheet_house_edge_percent": figures["house_edge_percent"], "standard_errors_away": away / error}


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
        *_sheet_line(report),
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


def _sheet_line(report: dict[str, Any]) -> list[str]:
    if "sheet_house_edge_percent" not in report:
        return []
    edge, away = report["sheet_house_edge_percent"], report["standard_errors_away"]
    return [f"  by the sheet        {edge:+.4f} %, {abs(away):.2f} standard errors away"]


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


def _array_player(game: Game, strategy: Strategy, engine: str) -> "ArrayPlayer | None":
    """Return who plays by arrays, None where the rules play themselves."""
    if engine == "rules" or (engine == "auto" and strategy.name != "optimal"):
        return None
    require_maths("simulate --engine arrays")
    from firmware.maths.bulk import array_player
    from firmware.maths.progress import Bar

    with Bar() as bar:
        player = array_player(game, strategy, bar)
    if player is None and engine == "arrays":
        raise UserError(f"--engine: {game.id} by {strategy.name!r} is played by the rules only; leave --engine away")
    return player


def _optimal(game: Game) -> Strategy:
    """Return best play; its tables are computed at first use, and their mathematics is imported only then."""
    require_maths("simulate --strategy optimal")
    from firmware.maths.optimal import optimal_strategy
    from firmware.maths.progress import Bar

    with Bar() as bar:
        return optimal_strategy(game, bar)
