"""Runs another program against an emulated device: installs it, starts it, reads the JSON lines it prints."""

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent
PATIENCE_S = 60.0


def need(program: str) -> str:
    """Return a program's path; fails in plain words where it is missing."""
    path = shutil.which(program)
    if path is None:
        raise AssertionError(f"the peers need {program}; install it (Debian: apt install nodejs npm gcc python3-dev)")
    return path


def install_npm(folder: Path, *packages: str) -> Path:
    """Install npm packages into a folder; returns their ``node_modules``."""
    need("node")
    command = [need("npm"), "install", "--no-audit", "--no-fund", "--foreground-scripts", *packages]
    # A serial port library is compiled here; with Debian's headers it needs nothing from elsewhere.
    headers = {"npm_config_nodedir": "/usr"} if Path("/usr/include/node").is_dir() else {}
    _run(command, folder, headers)
    return folder / "node_modules"


def install_pip(folder: Path, *packages: str) -> Path:
    """Install Python packages into a folder of their own; returns it."""
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), *packages], folder, {})
    return folder


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=400, check=False
    )
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.stderr[-2000:]}")


class Peer:
    """A running host. It prints one JSON object per line, each with ``event``, and reads orders as lines."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.heard: list[dict[str, Any]] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def wait_for(self, event: str, true: Callable[[dict[str, Any]], bool] = lambda _row: True) -> dict[str, Any]:
        """Return the next such event; fails when the peer ends or is silent for too long."""
        until = time.monotonic() + PATIENCE_S
        said = []
        while time.monotonic() < until:
            try:
                line = self._lines.get(timeout=1)
            except queue.Empty:
                continue
            if line is None:
                break
            said.append(line)
            if not line.startswith("{"):
                continue
            row: dict[str, Any] = json.loads(line)
            self.heard.append(row)
            if row["event"] == event and true(row):
                return row
        raise AssertionError(f"the peer never says {event}; it says {''.join(said[-40:])}")

    def settle(self, duration_s: float) -> None:
        """Hear what else it says for a while."""
        until = time.monotonic() + duration_s
        while time.monotonic() < until:
            try:
                line = self._lines.get(timeout=0.1)
            except queue.Empty:
                continue
            if line is not None and line.startswith("{"):
                self.heard.append(json.loads(line))

    def order(self, line: str) -> None:
        """Tell it something."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def count(self, event: str) -> int:
        """How often it has said this."""
        return sum(row["event"] == event for row in self.heard)

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def node(script: str, modules: Path, *arguments: str) -> Peer:
    """Start one of the scripts beside this file with Node."""
    return Peer([need("node"), str(HERE / script), *arguments], {"NODE_PATH": str(modules)})


def python(script: str, packages: Path, *arguments: str) -> Peer:
    """Start one of the scripts beside this file with this Python and other packages."""
    return Peer([sys.executable, "-u", str(HERE / script), str(packages), *arguments], {"PYTHONPATH": str(packages)})
