"""The subcommand ``wiring``: the drawing of a cabinet's header, or the made parts of the wiring guide in a clone."""

import argparse
import sys
from pathlib import Path
from typing import Final

from firmware.errors import CheckFailed, UserError
from firmware.games.profile_files import bundled_directory
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.wiring_guide.guide import GuideError, blocks, drawings, with_blocks
from firmware.wiring_guide.header_drawing import header_drawing

NAMES: Final = ("hobby", "awp", "casino", "kiosk")
PAGE: Final = "wiring.md"
DRAWINGS: Final = "wiring"


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``wiring``. Returns 0; raises UserError, and CheckFailed when the committed guide is another."""
    if arguments.write or arguments.check:
        return _guide(Path(__file__).resolve().parents[2] / "systemd", write=arguments.write)
    if arguments.config is None:
        raise UserError("wiring: say of which cabinet: --config FILE")
    svg = header_drawing(load_settings(arguments.config), arguments.config.name)
    if arguments.out is None:
        sys.stdout.write(svg)
    else:
        try:
            arguments.out.write_text(svg, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{arguments.out}: {error.strerror or error}") from None
    return 0


def cabinets() -> dict[str, Settings]:
    """Return the example cabinets by name."""
    folder = bundled_directory().parent / "examples" / "cabinets"
    return {name: load_settings(folder / f"{name}.toml") for name in NAMES}


def files(folder: Path) -> dict[Path, str]:
    """Return what the guide's files should hold. Raises UserError for a page that asks for what nobody makes."""
    here = cabinets()
    page = folder / PAGE
    try:
        text = with_blocks(page.read_text(encoding="utf-8"), blocks(here))
    except (OSError, GuideError) as error:
        raise UserError(f"{page}: {error}") from None
    return {page: text, **{folder / DRAWINGS / name: svg for name, svg in drawings(here).items()}}


def _guide(folder: Path, *, write: bool) -> int:
    wanted = files(folder)
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if write:
        for path in changed:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
            print(path)
    elif changed:
        raise CheckFailed(f"wiring: {changed[0]} is not what the settings say; ./croupier wiring --write")
    return 0
