"""The first picture for the next boot: made when it is missing or older than the configuration, and never half."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "systemd" / "croupier-picture"
PROGRAM = '#!/bin/sh\necho "$*" >>"$STATE_DIRECTORY/calls"\necho half >"$2"\n{end}\necho whole >"$2"\n'


class Machine:
    """A frame buffer, a configuration and a program that paints."""

    def __init__(self, folder: Path) -> None:
        self.state, self.config, self.screen = folder / "state", folder / "cabinet.toml", folder / "fb0"
        self.state.mkdir()
        self.config.write_text("")
        self.screen.write_text("")
        self._program = folder / "croupier"
        self.program_that("")

    def program_that(self, end: str) -> None:
        self._program.write_text(PROGRAM.format(end=end))
        self._program.chmod(0o755)

    def ready(self) -> int:
        environment = {
            **os.environ,
            "STATE_DIRECTORY": str(self.state),
            "CROUPIER_FACTORY": str(self._program.parent),
            "CROUPIER_CONFIG": str(self.config),
            "CROUPIER_FRAME_BUFFER": str(self.screen),
        }
        return subprocess.run([SCRIPT], env=environment, check=False, capture_output=True, timeout=30).returncode

    @property
    def picture(self) -> str:
        path = self.state / ".splash"
        return path.read_text().strip() if path.exists() else ""

    @property
    def times_painted(self) -> int:
        calls = self.state / "calls"
        return len(calls.read_text().splitlines()) if calls.exists() else 0


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    here = Machine(tmp_path)
    os.utime(here.config, (1_000_000_000, 1_000_000_000))
    return here


def test_it_is_made_once(machine: Machine) -> None:
    for _ in range(3):
        assert machine.ready() == 0
    assert (machine.picture, machine.times_painted) == ("whole", 1)


def test_another_configuration_gets_another_picture(machine: Machine) -> None:
    machine.ready()
    os.utime(machine.config, (4_000_000_000, 4_000_000_000))
    machine.ready()
    assert machine.times_painted == 2


def test_without_a_frame_buffer_there_is_none(machine: Machine) -> None:
    machine.screen.unlink()
    assert machine.ready() == 0
    assert (machine.picture, machine.times_painted) == ("", 0)


def test_one_that_can_not_be_finished_leaves_the_last_one(machine: Machine) -> None:
    machine.ready()
    os.utime(machine.config, (4_000_000_000, 4_000_000_000))
    machine.program_that("exit 1")
    assert machine.ready() != 0
    assert machine.picture == "whole"
