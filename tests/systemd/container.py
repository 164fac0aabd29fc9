"""A Debian system in a folder, booted by systemd-nspawn: its service manager, the terminal's service, a screen and an acceptor.

Not responsible for making the folder, nor for what is expected of the service.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import termios
import time
from collections.abc import Callable
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
        # Of the leader; its number may be another process's once it is gone.
        self._handle: int | None = None

    def boot(self) -> None:
        """Switch on."""
        # The screen's socket is an abstract one, so the network's name space is this machine's.
        words = ["systemd-nspawn", "-q", "-D", str(self.root), "--register=no", "--keep-unit", "--boot"]
        words.append(f"--bind={os.path.realpath(self._port.path)}:/dev/croupier-acceptor")
        self._nspawn = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        own = self._nspawn.pid

        def leader() -> bool:
            # systemd-nspawn's first child only prepares the folder; process 1 of the system takes its place.
            for child in Path(f"/proc/{own}/task/{own}/children").read_text().split():
                with contextlib.suppress(OSError):
                    status = Path(f"/proc/{child}/status").read_text()
                    numbers = next(line for line in status.splitlines() if line.startswith("NSpid:")).split()[1:]
                    if len(numbers) > 1 and numbers[-1] == "1":
                        self._leader = int(child)
                        return True
            return False

        self.wait("the system starts", leader)
        self._handle = os.pidfd_open(self._leader)
        self.free_port()

    def cut_power(self) -> None:
        """Kill everything at once, also where systemd-nspawn has ended and left its system running."""
        if self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            os.close(self._handle)
            self._handle = None
        elif self._nspawn is not None:
            self._nspawn.terminate()  # not yet started
        if self._nspawn is not None:
            self._nspawn.wait(PATIENCE_S)

    def free_port(self) -> None:
        """Let the acceptor's port be opened again after a program that had it for itself (TIOCEXCL) has ended.

        A serial port forgets that when it is closed; this one never is, for the emulator keeps it open.
        """
        descriptor = os.open(self._port.path, os.O_RDWR | os.O_NOCTTY)
        try:
            fcntl.ioctl(descriptor, termios.TIOCNXCL)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Switch off and tidy up."""
        self.cut_power()
        self._xvfb.terminate()
        self._xvfb.wait()
        self._port.close()
        self._log.close()

    def inside(self, *words: str, check: bool = True, patience_s: float = PATIENCE_S) -> str:
        """Run something in the running system; returns what it printed."""
        enter = ["nsenter", "-t", str(self._leader), "-m", "-u", "-i", "-p", "-n", "-C"]
        done = subprocess.run([*enter, *words], capture_output=True, text=True, timeout=patience_s, check=False)
        if check and done.returncode:
            raise ContainerError(f"{' '.join(words)}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def process_folder(self, number: str) -> Path:
        """Return the folder in /proc of a process of the system, by the number that it has there."""
        for status in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                line = next(line for line in status.read_text().splitlines() if line.startswith("NSpid:"))
                if line.split()[-1] == number and len(line.split()) > 2:
                    return status.parent
        raise ContainerError(f"there is no process {number}")

    def can(self, capability: int) -> bool:
        """Return whether the system's service manager may do something: a number of capabilities(7)."""
        status = Path(f"/proc/{self._leader}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("CapEff:"))
        return bool(int(line.split()[1], 16) >> capability & 1)

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
            self.free_port()
            found.update(self.shows(*names))
            return found.get("ActiveState") == "active" and found["MainPID"] not in ("0", not_pid)

        self.wait("the service is READY", ready)
        return found

    def wait(self, what: str, happened: Callable[[], object], patience_s: float = PATIENCE_S) -> float:
        """Wait for something; returns the seconds it took."""
        began = time.monotonic()
        while not happened():
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
