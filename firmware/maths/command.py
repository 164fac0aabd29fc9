"""``croupier par``: prints a game's sheet, computed anew or as committed, and checks it. Arguments are in ``firmware.cli``.

Not responsible for the figures.
"""

import argparse
import json
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

from firmware.errors import CheckFailed, UserError
from firmware.games.par_files import par_path, read_sheet
from firmware.games.profile_files import read_table
from firmware.games.registry import RegisteredGame, register
from firmware.maths.checks import check_published
from firmware.maths.game_sheet import game_sheet
from firmware.maths.progress import Bar
from firmware.maths.sheet_text import sheet_text


def command(arguments: argparse.Namespace) -> int:
    """Run the subcommand. Raises UserError for bad input, CheckFailed where ``--check`` finds a difference."""
    overrides = _overrides(arguments)
    registered = register(arguments.game, overrides)
    sheet = None if arguments.compute or arguments.check or arguments.write else _committed(registered)
    started = time.perf_counter()
    if sheet is None:
        with Bar() as bar:
            sheet = game_sheet(registered, bar)
    seconds = time.perf_counter() - started
    if arguments.check:
        _check(registered, sheet, arguments.json, seconds)
        return 0
    if arguments.write:
        if overrides:
            raise UserError("par --write: only a game's own profile has a committed sheet; leave the options away")
        from firmware.maths.strategy_pages import strategy_page

        path = par_path(arguments.game)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(sheet, indent=1) + "\n", encoding="utf-8")
        with Bar() as bar:
            path.with_suffix(".md").write_text(strategy_page(registered, bar), encoding="utf-8")
        print(f"{path}: written after {seconds:.1f} s", file=sys.stderr)
    sys.stdout.write(json.dumps(sheet) + "\n" if arguments.json else sheet_text(sheet))
    return 0


def _committed(registered: RegisteredGame) -> dict[str, Any] | None:
    return read_sheet(registered.game.id, registered.digest)


def _overrides(arguments: argparse.Namespace) -> dict[str, object]:
    found: dict[str, object] = read_table(arguments.profile) if arguments.profile else {}
    for option in arguments.set or ():
        key, equals, value = option.partition("=")
        if not equals or not key.isidentifier():
            raise UserError(f"--set: found {option!r}, expected NAME=VALUE, e.g. deck_count=6")
        found[key] = _value(value)
    return found


def _value(written: str) -> object:
    """Return a TOML value, or the text itself where it is none."""
    try:
        return tomllib.loads(f"value = {written}")["value"]
    except tomllib.TOMLDecodeError:
        return written


def _check(registered: RegisteredGame, sheet: dict[str, Any], as_json: bool, seconds: float) -> None:
    """Compare a sheet with the committed one and with published figures."""
    problems = check_published(registered, sheet)
    committed = _committed(registered)
    if committed is None:
        problems.append(f"{_name(par_path(registered.game.id))}: no sheet of these rules is committed")
    else:
        problems += [
            f"{key}: committed {committed.get(key)!r}, computed {value!r}"
            for key, value in json.loads(json.dumps(sheet)).items()
            if committed.get(key) != value
        ]
    if as_json:
        print(json.dumps({"game": registered.game.id, "seconds": round(seconds, 2), "problems": problems}))
    if problems:
        raise CheckFailed("\n".join(f"{registered.game.id}: {problem}" for problem in problems))
    if not as_json:
        print(f"{registered.game.id}: the committed sheet and the published figures agree ({seconds:.1f} s)")


def _name(path: Path) -> str:
    return str(Path(*path.parts[-3:]))
