"""A start paints the player's hand first, and loads nothing that this picture does not need. No clock is looked at here."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pygame
import pytest
from pytest_mock import MockerFixture

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from display.draw_list import DrawList, Label
from display.view_model import Gesture, Notice, Text
from display.window import Window
from firmware import terminal_thread
from firmware.loop import Terminal
from firmware.screen import TerminalScreen
from firmware.terminal_thread import TerminalThread
from tests.support.cabinet import CabinetUnderTest, settings_for

ROOT = Path(__file__).resolve().parents[2]
NOT_AT_START = (
    "asyncio",
    "cryptography",
    "display.assets.court_attributes",
    "display.assets.courts",
    "display.samples",
    "firmware.audit.command",
    "firmware.bench.command",
    "firmware.maths.advice",
    "firmware.remote",
    "firmware.simulator.emulated",
    "firmware.simulator.tour",
    "firmware.update",
    "fontTools",
    "hal.bench",
    "hal.drivers",
    "hal.emulators",
    "http",
    "multiprocessing",
    "numba",
    "numpy",
    "pkg_resources",
    "pydantic.mypy",
    "scipy",
    "serial",
    "setuptools",
    "ssl",
    "unittest",
    "xml",
)
"""Packages and modules that a first picture does without; each took milliseconds when it crept in."""
LANGUAGE_AT = (520, 13)
"""A pixel of the language's button on a window of 640 x 360."""
PROGRAM = """
import json, sys
from firmware.bench import window_child
window_child.main()
print(json.dumps(sorted(sys.modules)))
"""


def start(data_dir: Path, cache_dir: Path) -> tuple[dict[str, Any], set[str]]:
    """Start the simulator up to its first whole picture: what it shows, and which modules are loaded then."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    command = [sys.executable, "-c", PROGRAM, str(data_dir), "640x360", str(cache_dir)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    shown, modules = map(json.loads, done.stdout.splitlines())
    return shown, set(modules)


def test_restored_hand_is_shown_without_loading_what_it_does_not_need(tmp_path: Path) -> None:
    data_dir, cache_dir = tmp_path / "data", tmp_path / "cache"
    cabinet = CabinetUnderTest(settings_for(data_dir), seed=1)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    cabinet.press("deal")
    cabinet.close()
    loaded: set[str] = set()
    for _ in range(6):  # the first ones draw the pictures, which one of the next finds, however busy the machine is
        shown, modules = start(data_dir, cache_dir)
        assert (shown["mode"], shown["phase"]) == ("table", "deciding")
        assert "firmware.loop" in modules
        loaded = {name for name in modules for no in NOT_AT_START if name == no or name.startswith(f"{no}.")}
        if not loaded:
            break
    assert not loaded


class Screen:
    """A terminal's screen whose pictures are kept, and a thread that may be held up while it builds its terminal."""

    def __init__(self, tmp_path: Path, mocker: MockerFixture) -> None:
        self.pictures: list[DrawList] = []
        self.gestures: list[Gesture] = []
        self.may_build = threading.Event()
        self._cabinet = CabinetUnderTest(settings_for(tmp_path / "data"), seed=3)
        self._cabinet.boot()
        self._window = Window(size=(640, 360))
        show = self._window.show

        def keep(*frames: DrawList) -> bool:
            self.pictures.append(frames[0])
            if len(self.pictures) > 1:
                self.may_build.set()
            return show(*frames)

        mocker.patch.object(self._window, "show", keep)
        mocker.patch.object(terminal_thread, "WAIT_S", 0.01)
        self._screen = TerminalScreen(self._window, language="en", venue="", cache_dir=None, beside=lambda *_: ())

    def show(self, notice: Notice | None = None, *, tap: bool = False) -> None:
        """Attach a terminal, and show what it shows; ``tap`` somebody touches the language before he sees anything."""
        thread = TerminalThread(self._build)
        if tap:
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, pos=LANGUAGE_AT, button=1, touch=False))
        self._screen.attach(thread, notice=notice)
        for _ in range(2 if tap else 1):
            self._screen.frame(self._hear)
        self._screen.close()
        self._cabinet.world.close()

    def _hear(self, gesture: Gesture) -> bool:
        self.gestures.append(gesture)
        return True

    def _build(self) -> Terminal:
        self.may_build.wait(60)
        return self._cabinet.terminal

    def texts(self, number: int) -> set[str]:
        """The words of a picture."""
        return {item.text for item in self.pictures[number].items if isinstance(item, Label)}


@pytest.fixture
def screen(tmp_path: Path, mocker: MockerFixture) -> Screen:
    return Screen(tmp_path, mocker)


def test_first_picture_of_a_quick_start_is_the_terminals_own(screen: Screen, mocker: MockerFixture) -> None:
    mocker.patch.object(terminal_thread, "WAIT_S", 60)
    screen.may_build.set()
    screen.show(Notice(Text("start", "Restarting. Your credit and your hand are kept")))
    assert len(screen.pictures) == 1
    assert "Starting" not in screen.texts(0)


def test_start_that_takes_a_while_says_so_once(screen: Screen) -> None:
    pictures = screen.pictures

    class Waited(threading.Event):
        """Is set by itself once there is a picture."""

        def wait(self, timeout: float | None = None) -> bool:
            while not pictures:
                super().wait(0.005)
            return True

    screen.may_build = Waited()
    screen.show(Notice(Text("start", "Restarting. Your credit and your hand are kept")))
    assert len(pictures) == 2
    assert "Starting" in screen.texts(0)
    assert any("your hand are kept" in text for text in screen.texts(0))
    assert "Starting" not in screen.texts(1)


def test_what_is_done_before_the_first_picture_is_taken_up_by_it(screen: Screen, mocker: MockerFixture) -> None:
    mocker.patch.object(terminal_thread, "WAIT_S", 60)
    screen.may_build.set()
    screen.show(tap=True)
    assert [gesture.target for gesture in screen.gestures] == ["lang"]
