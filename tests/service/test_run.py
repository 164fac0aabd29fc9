"""``croupier run`` under a service manager: the real program in a process of its own, a real pty, a fake manager."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hal.emulators.id003 import Id003Acceptor
from hal.emulators.pty import PtyPort

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 30.0
CONFIG = """
[terminal]
id = "SERVICE-1"
mode = "demo"
set_up = "file"
[currency]
code = "CRD"
device_code = "EUR"
minor_digits = 2
[storage]
data_dir = "{data}"
free_space_floor_mib = 1
[notes]
accepted_minor = [500, 1_000, 2_000]
[games]
enabled = ["oasis"]
[devices.note_acceptor]
backend = "id003"
port = "{port}"
[gpio]
backend = "none"
[display]
fullscreen = false
width_px = 640
height_px = 360
"""


class Service:
    """The running program and what it told its manager."""

    def __init__(self, part: str, tmp_path: Path, port: str) -> None:
        config = tmp_path / "cabinet.toml"
        config.write_text(CONFIG.format(data=tmp_path / "data", port=port), encoding="utf-8")
        self.part, self._config, self._folder = part, config, tmp_path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(tmp_path / "notify"))
        (tmp_path / "runtime").mkdir()
        self.errors = tmp_path / "stderr"
        self.start()

    def start(self) -> None:
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(self._folder / "notify"),
            "RUNTIME_DIRECTORY": str(self._folder / "runtime"),
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "XDG_CACHE_HOME": str(self._folder / "cache"),
        }
        words = [sys.executable, "-P", "-m", "tests.service.planted", self.part, str(self._config)]
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                words, cwd=ROOT, env={**environment, "PYTHONPATH": str(ROOT)}, stderr=errors
            )

    def next(self, patience_s: float = PATIENCE_S) -> str:
        self.socket.settimeout(patience_s)
        try:
            return self.socket.recv(4096).decode()
        except TimeoutError:
            return ""

    def until(self, beginning: str) -> str:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            message = self.next()
            if message.startswith(beginning):
                return message
        raise AssertionError(f"no {beginning}: {self.errors.read_text()[-2000:]}")

    def left_its_mark(self) -> bool:
        return (self._folder / "runtime" / "running").exists()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.socket.close()


@contextmanager
def service(part: str, tmp_path: Path) -> Iterator[Service]:
    port = PtyPort(Id003Acceptor(), tmp_path / "by-id-notes").start()
    running = Service(part, tmp_path, str(tmp_path / "by-id-notes"))
    try:
        yield running
    finally:
        running.close()
        port.close()


def test_it_is_ready_after_the_first_picture_and_ends_in_order(tmp_path: Path) -> None:
    with service("nothing", tmp_path) as running:
        seen = [running.next()]
        while "READY=1" not in seen[-1]:
            seen.append(running.next())
        assert not any("WATCHDOG" in each for each in seen[:-1])
        running.until("WATCHDOG=1")
        assert running.left_its_mark()
        running.process.send_signal(signal.SIGTERM)
        running.until("STOPPING=1")
        assert running.process.wait(3.0) == 0
        assert not running.left_its_mark()
        assert "Traceback" not in running.errors.read_text()


@pytest.mark.parametrize(("part", "named"), [("terminal", "the terminal's thread"), ("device", "the thread of notes")])
def test_a_thread_that_hangs_starves_the_watchdog(part: str, named: str, tmp_path: Path) -> None:
    with service(part, tmp_path) as running:
        running.until("READY=1")
        running.until("WATCHDOG=1")
        running.process.send_signal(signal.SIGUSR1)
        assert named in running.until("STATUS=hangs")
        after = [running.next(1.0) for _ in range(3)]
        assert "WATCHDOG=1" not in after
        running.process.send_signal(signal.SIGABRT)  # as the watchdog does
        assert running.process.wait(PATIENCE_S) == -signal.SIGABRT
        stacks = running.errors.read_text()
        assert "planted.py" in stacks
        assert stacks.count("Thread 0x") >= 2, "all threads are told, for the journal of the system"
        assert running.left_its_mark()


def test_a_picture_that_hangs_starves_the_watchdog(tmp_path: Path) -> None:
    with service("frame", tmp_path) as running:
        running.until("READY=1")
        running.until("WATCHDOG=1")
        running.process.send_signal(signal.SIGUSR1)
        end = time.monotonic() + PATIENCE_S
        while running.next(3.0):
            assert time.monotonic() < end, "it is fed although no frame was painted"


def start_anew_with_slow_reading(running: Service) -> None:
    running.until("READY=1")
    running.process.send_signal(signal.SIGTERM)
    running.process.wait(PATIENCE_S)
    running.part = "reading"
    running.start()


def test_a_long_reading_of_the_journal_is_told_step_by_step_and_each_step_gives_it_more_time(tmp_path: Path) -> None:
    with service("nothing", tmp_path) as running:
        start_anew_with_slow_reading(running)
        steps = [running.until("STATUS=reading the journal: 1 of")]
        while not (message := running.next()).startswith("READY=1"):
            assert message, running.errors.read_text()
            steps.append(message)
        assert any(each.startswith("STATUS=reading the journal: 2 of") for each in steps)
        assert steps.count("EXTEND_TIMEOUT_USEC=60000000") >= 2
        assert "WATCHDOG=1" not in steps


def test_it_can_be_ended_while_it_reads_the_journal_and_the_next_start_reads_it(tmp_path: Path) -> None:
    with service("nothing", tmp_path) as running:
        start_anew_with_slow_reading(running)
        running.until("STATUS=reading the journal: 1 of")
        running.process.send_signal(signal.SIGTERM)
        running.until("STOPPING=1")
        assert running.process.wait(PATIENCE_S) == 0
        assert "Traceback" not in running.errors.read_text()
        running.part = "nothing"
        running.start()
        running.until("READY=1")


def test_an_end_that_hangs_is_cut_short_before_the_manager_kills(tmp_path: Path) -> None:
    with service("end", tmp_path) as running:
        running.until("READY=1")
        running.process.send_signal(signal.SIGUSR1)
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(PATIENCE_S) == 1
        assert "planted.py" in running.errors.read_text()


def test_a_crash_leaves_its_stack_and_the_next_start_knows_of_it(tmp_path: Path) -> None:
    with service("crash", tmp_path) as running:
        running.until("READY=1")
        running.process.send_signal(signal.SIGUSR1)
        assert running.process.wait(PATIENCE_S) == 1
        assert "RuntimeError: planted" in running.errors.read_text()
        assert running.left_its_mark(), "the next start says that it is a restart"
        running.start()
        running.until("READY=1")


def test_a_refused_configuration_is_told_and_waits_for_a_person(tmp_path: Path) -> None:
    with service("nothing", tmp_path) as running:
        running.until("READY=1")
        running.process.kill()
        running.process.wait()
        config = tmp_path / "cabinet.toml"
        config.write_text(config.read_text().replace('"oasis"', '"whist"'))
        running.start()
        assert "whist" in running.until("STATUS=there is no game")
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(PATIENCE_S) == 2
