"""A real window under Xvfb: starts the simulator there, and a hand that clicks and types with xdotool."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from display.canvas import side_by_side
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Hit
from display.scenes.cabinet import PANEL_HEIGHT, PANEL_WIDTH, compose_cabinet
from display.view_model import CabinetButton, CabinetView, MoneyFormat
from tests.support.cabinet import ROOT

SIZE = (1600, 720)
PATIENCE_S = 60.0


@contextmanager
def virtual_screen() -> Iterator[str]:
    """A screen without hardware; yields the value of DISPLAY."""
    program = shutil.which("Xvfb")
    assert program, "Xvfb is missing: apt-get install xvfb"
    read, write = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


class SimulatorOnScreen:
    """The simulator in a process of its own on a virtual screen."""

    def __init__(self, display: str, data_dir: Path, cache_dir: Path, *options: str) -> None:
        self.data_dir = data_dir
        self._options = options
        self.environment = {
            **os.environ,
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "SDL_FRAMEBUFFER_ACCELERATION": "0",
            "XDG_CACHE_HOME": str(cache_dir),
            "PYTHONPATH": str(ROOT),
        }
        self._places = side_by_side(SIZE, ((CANVAS_WIDTH, CANVAS_HEIGHT), (PANEL_WIDTH, PANEL_HEIGHT)))
        self.process = self._start()

    def restart_after_kill(self) -> None:
        """SIGKILL the program and start it again."""
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def close(self) -> None:
        """End the program."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def click_panel(self, target: str) -> None:
        """Click a place of the cabinet's panel."""
        x, y, w, _ = self._places[1]
        box = panel_hit(target).box
        scale = w / PANEL_WIDTH
        self._hand(
            "mousemove", str(round(x + (box.x + box.w / 2) * scale)), str(round(y + (box.y + box.h / 2) * scale))
        )
        self._hand("click", "1")

    def key(self, *names: str) -> None:
        """Press keys of the keyboard."""
        for name in names:
            self._hand("key", name)
            time.sleep(0.05)

    def _hand(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self.environment, check=True, timeout=30)

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "firmware", "sim", "--data", str(self.data_dir), "--seed", "4"]
        return subprocess.Popen(
            [*command, "--size", "1600x720", *self._options], env=self.environment, stderr=subprocess.DEVNULL
        )


def panel_hit(target: str) -> Hit:
    """The place of a target on the cabinet's panel of the simulator's settings."""
    view = CabinetView(
        powered=True,
        notes_minor=(500, 1_000, 2_000, 5_000, 10_000),
        coins_minor=(50, 100, 200),
        buttons=tuple(CabinetButton(f"b{slot}", None, "off", slot) for slot in range(1, 13)),
        doors=(("main", False), ("cash_box", False), ("logic", False)),
        keys=(("attendant", False), ("operator", False)),
        tower=(("white", "off"), ("red", "off")),
        note_state="ready",
        coin_state="ready",
        hopper_state="ready",
        hopper_coin_count=200,
        hopper_coin_minor=100,
        cash_box_minor=0,
        cash_box_note_count=0,
        tray_minor=100,
    )
    (hit,) = [hit for hit in compose_cabinet(view, "en", MoneyFormat(), 0).targets() if hit.target == target]
    return hit
