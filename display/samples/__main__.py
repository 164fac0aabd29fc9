"""Draws every sample view to a PNG: ``python -m display.samples OUTDIR [--lang ru] [--size 1280x720] [NAME ...]``."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from display.canvas import Shelves, render_png
from display.draw_list import CANVAS_WIDTH, DrawList, Glow, Label, Panel, Sprite
from display.locale import LANGUAGES
from display.motion import still
from display.samples import CABINETS, SAMPLES
from display.scenes import compose
from display.scenes.cabinet import PANEL_WIDTH, compose_cabinet, compose_dark
from display.view_model import CabinetView, MoneyFormat, View

_LATER_MS = 4000.0


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) <= 7680 and 0 < int(height) <= 4320):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write for example 1280x720")
    return int(width), int(height)


def picture(view: View, size: tuple[int, int], path: Path, shelves: Shelves) -> None:
    """Write the resting picture of a view."""
    motion = still(view)
    render_png(compose(view, motion, _LATER_MS), size, path, shelves)


def cabinet_picture(cabinet: CabinetView, language: str, size: tuple[int, int], path: Path, shelves: Shelves) -> None:
    """Write the picture of the cabinet's panel in the middle of a dark canvas."""
    panel = compose_cabinet(cabinet, language, MoneyFormat(), _LATER_MS)
    shift = (CANVAS_WIDTH - PANEL_WIDTH) / 2
    moved = (
        replace(item, box=replace(item.box, x=item.box.x + shift))
        for item in panel.items
        if isinstance(item, Panel | Sprite | Label | Glow)
    )
    render_png(DrawList((*compose_dark(language, _LATER_MS).items[:1], *moved)), size, path, shelves)


def main(arguments: list[str] | None = None) -> int:
    """Write the pictures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m display.samples", description="Draw every sample view to a PNG.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these; all: {' '.join([*SAMPLES, *CABINETS])}")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    parser.add_argument("--size", type=_size, default=(1920, 1080))
    parser.add_argument("--cache", type=Path, default=None, help="folder in which rasters are kept")
    options = parser.parse_args(arguments)
    known = [*SAMPLES, *CABINETS]
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no sample is named {', '.join(unknown)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    shelves = Shelves(options.cache)
    for name in tqdm(options.names or known, unit="picture", leave=False, disable=None):
        if name in CABINETS:
            cabinet_picture(CABINETS[name](), options.lang, options.size, options.folder / f"{name}.png", shelves)
            continue
        view = replace(SAMPLES[name](), language=options.lang)
        picture(view, options.size, options.folder / f"{name}.png", shelves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
