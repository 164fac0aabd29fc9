"""Every game in a real window, to a win, a loss and a push, by one kind of input alone; the money is everywhere the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cabinet import ROOT
from tests.support.screen import virtual_screen
from tests.support.window_player import CARDS

NO_PUSH = {"oasis_jackpot"}


@pytest.mark.parametrize("kind", ["mouse", "touch", "keys"])
def test_every_game_is_won_lost_and_drawn_in_the_window(tmp_path: Path, kind: str) -> None:
    with virtual_screen() as display:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "SDL_FRAMEBUFFER_ACCELERATION": "0",
            "PYTHONPATH": str(ROOT),
        }
        words = [sys.executable, "-m", "tests.support.window_player", kind, str(tmp_path / "data"), str(tmp_path / "c")]
        done = subprocess.run(
            words, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
        )
    assert done.returncode == 0, done.stderr[-2000:]
    hands = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [(hand["game"], hand["outcome"]) for hand in hands] == [
        (game, outcome) for game, outcomes in CARDS.items() for outcome in outcomes
    ]
    for hand in hands:
        assert hand["view_minor"] == hand["ledger_minor"], hand
        assert hand["shown"], f"credit, bet or win are not what the view says: {hand}"
        if hand["outcome"] == "lose":
            assert hand["net_minor"] < 0, hand
        elif hand["outcome"] == "win" or hand["game"] in NO_PUSH:
            assert hand["net_minor"] > 0, hand
        else:
            assert hand["net_minor"] == 0, hand
