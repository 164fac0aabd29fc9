"""The subcommand ``screenshots``: every scene and state of every game as pictures; or small ones with a page of them."""

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from tqdm import tqdm

from display.canvas import Shelves
from display.canvas_files import write_picture
from display.motion import MotionState, still
from display.motion.tracks import Roll
from display.samples import SAMPLES
from display.scenes import compose
from display.view_model import View
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.settings.loader import load_settings
from firmware.simulator.command import cache_dir, parse_size
from firmware.simulator.tour import tour

FULL_SIZE: Final = (1920, 1080)
THUMBNAIL: Final = (400, 225)
PAGE: Final = "README.md"
_AT_REST_MS: Final = 10_000.0
_PER_ROW: Final = 3


def _at_rest(view: View) -> MotionState:
    """Return the state in which nothing moves; a large win has just counted up."""
    state = still(view)
    if view.table is None or view.table.banner_tone != "big_win":
        return state
    moment_ms = _AT_REST_MS - 1000
    return replace(state, win=Roll(view.win_minor, view.win_minor, moment_ms), reveal_ms=moment_ms)


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``screenshots``. Returns 0. Raises UserError for a bad size, an unknown name or a bad folder."""
    size = parse_size(arguments.size) or FULL_SIZE
    folder: Path = arguments.folder
    views = {name: sample() for name, sample in SAMPLES.items()}
    views = {name: replace(view, language=arguments.lang) for name, view in views.items()}
    with tempfile.TemporaryDirectory(prefix="croupier-") as data_dir:
        settings = load_settings(bundled_directory().parent / "simulator.toml")
        games = tqdm(
            tour(settings, Path(data_dir), arguments.lang),
            total=len(settings.games.enabled) + 1,
            unit="game",
            leave=False,
            disable=None,
        )
        for _, found in games:
            views |= found
    chosen = _chosen(views, arguments.only)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _draw(chosen, folder, size, small=arguments.thumbnails, suffix="jpg" if arguments.jpeg else "png")
        if arguments.thumbnails:
            (folder / PAGE).write_text(_page(chosen, arguments), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror or error}; give a folder that can be written") from None
    print(f"{len(chosen)} pictures in {folder}")
    return 0


def _chosen(views: Mapping[str, View], names: list[str]) -> dict[str, View]:
    """Return the views whose name begins with one of the names; all without names."""
    for name in names:
        if not any(each.startswith(name) for each in views):
            raise UserError(f"screenshots: no picture's name begins with {name!r}; without names all are drawn")
    return {each: view for each, view in views.items() if not names or each.startswith(tuple(names))}


def _draw(views: Mapping[str, View], folder: Path, size: tuple[int, int], *, small: bool, suffix: str) -> None:
    shelves = Shelves(cache_dir())
    for name, view in tqdm(views.items(), unit="picture", leave=False, disable=None):
        frame = compose(view, _at_rest(view), _AT_REST_MS)
        if small:
            write_picture(frame, size, folder / f"{name}.jpg", shelves, shrunk_to=THUMBNAIL)
        else:
            write_picture(frame, size, folder / f"{name}.{suffix}", shelves)


def _page(views: Mapping[str, View], arguments: argparse.Namespace) -> str:
    only = ["--only", *arguments.only] if arguments.only else []
    made_by = " ".join(["./croupier screenshots DIR --thumbnails --lang", arguments.lang, *only])
    lines = ["# What the terminal shows", "", "Made by:", "", "```sh", made_by, "```", ""]
    lines += ["|   |   |   |", "|---|---|---|"]
    names = list(views)
    for start in range(0, len(names), _PER_ROW):
        row = names[start : start + _PER_ROW]
        lines.append("| " + " | ".join(f"![{name}]({name}.jpg)<br>{name.replace('_', ' ')}" for name in row) + " |")
    return "\n".join([*lines, ""])
