"""A Debian system in a folder, booted by systemd-nspawn: its service manager, the terminal's service, a screen and an acceptor.

Not responsible for making the folder, nor for what is expected of the service.
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from hal.emulators.id003 import Id003Acceptor
from hal.emulators.pty import PtyPort

SCREEN = ":77"
SIZE = (800, 480)
SERVICE = "croupier.service"
PATIENCE_S = 90.0


class ContainerError(Exception):
    """The test could not go on; the message says what was waited for."""


def nspawn(root: Path, *arguments: str) -> list[str]:
    """Return the words that start something in a system's folder, without a network."""
    return ["systemd-nspawn", "-q", "-D", str(root), "--register=no", "--keep-unit", "--private-network", *arguments]


class Container:
    """The running system."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.acceptor = Id003Acceptor()
        self._port = PtyPort(self.acceptor).start()
        Path(self._port.path).chmod(0o666)
        self._log = (folder / "console.log").open("ab")
        self._xvfb = subprocess.Popen(
            [
                "Xvfb",
                SCREEN,
                "-ac",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                f"{SIZE[0]}x{SIZE[1]}x24",
                "-fbdir",
                str(folder),
            ],
            stdout=self._log,
            stderr=self._log,
        )
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def boot(self) -> None:
        """Switch on."""
        # The screen's socket is an abstract one, so the network's name space is this machine's.
        words = ["systemd-nspawn", "-q", "-D", str(self.root), "--register=no", "--keep-unit", "--boot"]
        words.append(f"--bind={os.path.realpath(self._port.path)}:/dev/croupier-acceptor")
        self._nspawn = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        own = self._nspawn.pid

        def leader() -> bool:
            children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
            self._leader = int(children[0]) if children else 0
            return bool(self._leader)

        self.wait("the system starts", leader)

    def cut_power(self) -> None:
        """Kill everything at once."""
        os.kill(self._leader, signal.SIGKILL)
        assert self._nspawn is not None
        self._nspawn.wait(PATIENCE_S)

    def close(self) -> None:
        """Switch off and tidy up."""
        if self._nspawn is not None and self._nspawn.poll() is None:
            self.cut_power()
        self._xvfb.terminate()
        self._xvfb.wait()
        self._port.close()
        self._log.close()

    def inside(self, *words: str, check: bool = True) -> str:
        """Run something in the running system; returns what it printed."""
        enter = ["nsenter", "-t", str(self._leader), "-m", "-u", "-i", "-p", "-n", "-C"]
        done = subprocess.run([*enter, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if check and done.returncode:
            raise ContainerError(f"{' '.join(words)}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def shows(self, *names: str) -> dict[str, str]:
        """Return properties of the service."""
        text = self.inside("systemctl", "show", SERVICE, f"--property={','.join(names)}", check=False)
        return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)

    def wait_active(self, not_pid: str = "") -> dict[str, str]:
        """Wait until the service is READY, by another process than ``not_pid``; returns its properties."""
        names = (
            "ActiveState",
            "MainPID",
            "NRestarts",
            "ActiveEnterTimestampMonotonic",
            "ExecMainStartTimestampMonotonic",
        )
        found: dict[str, str] = {}

        def ready() -> bool:
            found.update(self.shows(*names))
            return found.get("ActiveState") == "active" and found["MainPID"] not in ("0", not_pid)

        self.wait("the service is READY", ready)
        return found

    def wait(self, what: str, happened: "object", patience_s: float = PATIENCE_S) -> float:
        """Wait for something; returns the seconds it took."""
        began = time.monotonic()
        while not happened():  # type: ignore[operator]
            if time.monotonic() - began > patience_s:
                raise ContainerError(
                    f"{what}: not within {patience_s:.0f} s; the service's last words:\n{self.words()}"
                )
            time.sleep(0.05)
        return time.monotonic() - began

    def words(self) -> str:
        """Return the end of the system's journal."""
        return (
            self.inside("journalctl", "-b", "-n", "40", "--no-pager", "-u", SERVICE, check=False)
            if self._leader
            else ""
        )

    def insert(self, minor: int) -> None:
        """Put a note in."""
        with self._port.device() as device:
            device.do(["insert_note", str(minor)], time.monotonic_ns() // 1_000_000)

    def press(self, key: str) -> None:
        """Press a key of the screen's keyboard."""
        subprocess.run(["xdotool", "key", key], env={**os.environ, "DISPLAY": SCREEN}, check=True, timeout=30)
