"""The command that plays on a cabinet, on a new journal: it begins with the set-up, unless the file is the set-up."""

import argparse
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware import run_command
from firmware.entries.service import SetUpBegun
from firmware.journal.store import open_store
from firmware.memory import load_recorded
from firmware.screen import TerminalScreen
from firmware.terminal.availability import needs_set_up
from hal.simulated.world import World

CONFIG = """
[terminal]
id = "NEW-1"
mode = "demo"
set_up = "{set_up}"
[storage]
data_dir = "{data}"
free_space_floor_mib = 1
"""


@pytest.mark.parametrize("set_up", ["screen", "file"])
def test_run_on_a_new_journal_begins_with_the_set_up_or_takes_the_file(
    tmp_path: Path, set_up: str, mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    mocker.patch("signal.signal")
    mocker.patch("firmware.run_command.build_devices", return_value=World().devices)
    modes: list[str] = []
    paint = TerminalScreen.frame

    def frame(screen: TerminalScreen, *given: object) -> bool:
        goes_on = paint(screen, *given)  # type: ignore[arg-type]
        modes.extend([screen.view.mode] if screen.view is not None else [])
        return goes_on and not modes

    mocker.patch.object(TerminalScreen, "frame", frame)
    config = tmp_path / "cabinet.toml"
    config.write_text(CONFIG.format(set_up=set_up, data=tmp_path / "data"))
    assert run_command.command(argparse.Namespace(config=config)) == 0
    assert modes == ["page" if set_up == "screen" else "attract"]
    journal = open_store(tmp_path / "data", read_only=True)
    try:
        entries = [record.entry for record in journal.records()]
        recorded = load_recorded(journal)
    finally:
        journal.close()
    assert (SetUpBegun() in entries) == (set_up == "screen")
    assert needs_set_up(recorded) == (set_up == "screen")
