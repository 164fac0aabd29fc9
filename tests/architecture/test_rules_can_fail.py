"""Every rule is given a small tree with a planted violation, and one without: a rule that cannot fail protects nothing."""

from pathlib import Path

import pytest

from tests.architecture import rules
from tests.architecture.source_tree import load


def found(root: Path, rule: rules.Rule, files: dict[str, str]) -> list[str]:
    """What a rule says about a tree of these files."""
    for package in ("firmware", "hal", "display"):
        (root / package).mkdir()
        (root / package / "__init__.py").write_text("", encoding="utf-8")
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(rule(load(root)))


def test_unknown_part_of_the_firmware_is_found(tmp_path: Path) -> None:
    (line,) = found(tmp_path, rules.every_module_has_a_row, {"firmware/teleport.py": ""})
    assert line.startswith("firmware/teleport.py: firmware.teleport has no row")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("firmware/games/oasis.py", "from firmware.journal.store import Store"),
        ("firmware/games/oasis.py", "from firmware import journal"),
        ("firmware/games/oasis.py", "import firmware.journal.store"),
        ("firmware/games/oasis.py", "from ..journal import store"),
        ("firmware/games/oasis.py", "def f() -> None:\n    import firmware.journal"),
        ("firmware/games/oasis.py", "importlib.import_module('firmware.journal.store')"),
        ("firmware/entries/types.py", "from firmware.games.contract import Action"),
        ("firmware/terminal/decide.py", "from hal.drivers.serial_link import Link"),
        ("firmware/terminal/decide.py", "from firmware.rng.os_entropy import OsEntropy"),
        ("firmware/presenter/table.py", "from display.window import Window"),
        ("firmware/journal/store.py", "from firmware.maths.odds import exact"),
        ("firmware/maths/odds.py", "from firmware.terminal.decide import decide"),
        ("hal/drivers/ssp.py", "from firmware.money import Money"),
        ("hal/emulators/ssp.py", "from hal.wire.ssp import frame"),
        ("hal/emulators/ssp.py", "from ..wire import ssp"),
        ("hal/simulated/notes.py", "from display.view_model import View"),
        ("display/scenes/table.py", "from firmware.money import Money"),
        ("display/scenes/table.py", "from display.canvas import Canvas"),
        ("display/widgets/card.py", "from hal.events import ButtonPressed"),
        ("firmware/money.py", "from tests.support import fakes"),
    ],
)
def test_import_against_the_layers_is_found(tmp_path: Path, file: str, line: str) -> None:
    others = (
        "firmware/journal/store.py",
        "firmware/journal/__init__.py",
        "firmware/games/__init__.py",
        "hal/wire/ssp.py",
        "hal/wire/__init__.py",
    )
    tree = dict.fromkeys(others, "")
    found_lines = found(tmp_path, rules.imports_follow_the_table, {**tree, file: line})
    assert len(found_lines) == 1
    assert found_lines[0].startswith(f"{file}:")


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (
            "firmware/rounds/step.py",
            "from firmware.games.contract import Action\nfrom firmware import money\nimport json",
        ),
        ("firmware/terminal/decide.py", "from hal.events import NoteStacked"),
        ("firmware/games/oasis.py", "from firmware import __version__\nfrom . import contract"),
        (
            "firmware/app.py",
            "from hal.build import build\nfrom display.window import Window\nfrom firmware.maths.coach import advise",
        ),
        ("hal/drivers/ssp.py", "from hal.wire.ssp import frame"),
        ("display/scenes/table.py", "from display.theme import FELT\nfrom display.locale import catalogue"),
    ],
)
def test_import_along_the_layers_is_allowed(tmp_path: Path, file: str, line: str) -> None:
    assert found(tmp_path, rules.imports_follow_the_table, {file: line}) == []


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "from time import monotonic",
        "import random",
        "from secrets import randbelow",
        "import os",
        "import threading",
        "import concurrent.futures",
        "import socket",
        "import asyncio",
        "import pygame",
        "import serial",
        "import sqlite3",
        "import RPi.GPIO as GPIO",
        "def f() -> None:\n    from subprocess import run",
        "today = datetime.now()",
        "today = datetime.datetime.utcnow()",
        "text = open('file').read()",
        "text = path.read_text()",
        "print('hello')",
        "clock = __import__('ti' + 'me')",
    ],
)
@pytest.mark.parametrize("file", ["firmware/terminal/decide.py", "hal/wire/ssp.py", "display/scenes/table.py"])
def test_impure_line_in_a_pure_part_is_found(tmp_path: Path, file: str, line: str) -> None:
    (problem,) = found(tmp_path, rules.pure_parts_touch_nothing, {file: line})
    assert problem.startswith(f"{file}:")
    assert "is pure and must not" in problem


def test_impure_line_at_an_edge_is_allowed(tmp_path: Path) -> None:
    files = {
        "firmware/clock.py": "import time",
        "firmware/rng/os_entropy.py": "import os",
        "display/window.py": "import pygame",
    }
    assert found(tmp_path, rules.pure_parts_touch_nothing, files) == []


@pytest.mark.parametrize(
    "line",
    ["rate = 1.5", "half = ante / 2", "ante /= 2", "value = float(text)", "def f(x: float) -> int: ...", "z = 2j"],
)
@pytest.mark.parametrize("file", ["firmware/money.py", "firmware/ledger/books.py", "firmware/games/oasis.py"])
def test_float_where_money_passes_is_found(tmp_path: Path, file: str, line: str) -> None:
    (problem,) = found(tmp_path, rules.money_is_never_a_float, {file: line})
    assert "use integers in minor units" in problem


def test_integers_and_fractions_and_floats_of_the_screen_are_allowed(tmp_path: Path) -> None:
    files = {
        "firmware/money.py": "half = ante // 2\nrate = Fraction(3, 2)\ntrue = True",
        "display/motion.py": "speed = 1.5 / 2",
    }
    assert found(tmp_path, rules.money_is_never_a_float, files) == []


@pytest.mark.parametrize(
    ("file", "line", "module"),
    [
        ("hal/build.py", "import RPi.GPIO as GPIO", "RPi"),
        ("hal/build.py", "importlib.import_module('RPi.GPIO')", "RPi"),
        ("hal/drivers/ssp.py", "import serial", "serial"),
        ("hal/drivers/ssp.py", "from serial.tools import list_ports", "serial"),
        ("firmware/ledger/books.py", "import sqlite3", "sqlite3"),
        ("firmware/app.py", "import pygame", "pygame"),
        ("display/canvas.py", "import pygame\npygame.display.flip()", "pygame.display"),
        ("display/canvas.py", "from pygame import display", "pygame.display"),
    ],
)
def test_second_door_to_an_outside_module_is_found(tmp_path: Path, file: str, line: str, module: str) -> None:
    (problem,) = found(tmp_path, rules.outside_modules_have_one_importer, {file: line})
    assert problem.startswith(f"{file}: imports {module}, which only ")


def test_two_importers_of_the_gpio_library_are_found(tmp_path: Path) -> None:
    files = dict.fromkeys(("hal/drivers/lamps.py", "hal/drivers/doors.py"), "def f() -> None:\n    import RPi.GPIO")
    assert found(tmp_path, rules.outside_modules_have_one_importer, files) == [
        "RPi is imported by hal.drivers.doors and hal.drivers.lamps; 1 may"
    ]


def test_the_one_door_is_allowed(tmp_path: Path) -> None:
    files = {
        "hal/drivers/serial_link.py": "import serial",
        "hal/drivers/gpio_panel.py": "import RPi.GPIO",
        "display/window.py": "import pygame\npygame.display.flip()",
        "display/canvas_text.py": "import pygame",
    }
    assert found(tmp_path, rules.outside_modules_have_one_importer, files) == []


def test_public_function_without_types_is_found_and_private_is_free(tmp_path: Path) -> None:
    text = "def bare(a, *, b: int, **rest): ...\nclass C:\n    def __init__(self): ...\n    def _own(self, a): ...\ndef typed(a: int) -> int: ...\n"
    assert found(tmp_path, rules.public_functions_are_annotated, {"hal/a.py": text}) == [
        "hal/a.py:1: bare has no type for a, rest",
        "hal/a.py:3: __init__ has no type for what it returns",
    ]


def test_long_file_is_found(tmp_path: Path) -> None:
    files = {"hal/long.py": "a = 1\n" * 501, "hal/short.py": "a = 1\n" * 500}
    assert found(tmp_path, rules.files_stay_small, files) == [
        "hal/long.py: 501 lines, more than 500; split it by what changes for different reasons"
    ]


def test_unknown_name_at_the_top_is_found() -> None:
    assert list(rules.only_known_names_at_the_top(["firmware", ".ci", "README.md", "setup.py", "setup.py"])) == [
        "setup.py: not a name for the top of the repository (tests/architecture/table.py)"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # TO" + "DO later",
        "# FIX" + "ME",
        "@pytest.mark.sk" + "ip",
        "pytest.xf" + "ail('why')",
        "raise NotImplemented" + "Error",
        "path = '/wo" + "rk/main'",
        "cd /ro" + "ot/croupier",
        "--index-u" + "rl https://example.org/simple",
        "https://pypi.o" + "rg/simple",
        "--find-li" + "nks https://example.org/simple",
    ],
)
def test_unfinished_or_private_text_is_found(line: str) -> None:
    assert len(list(rules.nothing_unfinished_or_private("a.py", f"fine = 1\n{line}\n"))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "the workflow",
        "docs/work/plan",
        "https://example.org/root/x",
        "a mastodon",
        "sys.exit(skip)",
        '--find-links "$folder"',
    ],
)
def test_ordinary_text_is_left_alone(line: str) -> None:
    assert list(rules.nothing_unfinished_or_private("a.py", line)) == []
