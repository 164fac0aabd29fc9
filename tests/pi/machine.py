"""An emulated Raspberry Pi 3: QEMU's ``raspi3b`` with its card, its pins, its serial port and its screen.

The host drives and reads pins through QEMU's test socket, which writes the GPIO registers themselves, and takes pictures of
the frame buffer. ``kill`` is the power cut: what QEMU has written to the card's file stays, everything else is gone.
Not responsible for what is on the card, nor for what is connected to the serial port.
"""

import base64
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

GPIO_BASE = 0x3F200000
SET, CLEAR, LEVEL = GPIO_BASE + 0x1C, GPIO_BASE + 0x28, GPIO_BASE + 0x34
PARKING, WAIT_FOR_EVENT, WAIT_FOR_INTERRUPT = 0x30C, 0xD503205F, 0xD503207F
"""In QEMU's first program for the other processors: the address and code of ``wfe``, which it does not sleep at; of ``wfi``, at which it does."""
SIZE = (800, 480)
CONNECT_S = 30.0


class MachineError(Exception):
    """The machine did not do what was expected in time; the text says what was seen."""


@dataclass(frozen=True, slots=True)
class Boot:
    """What QEMU loads in place of the Pi's firmware, which it does not run."""

    kernel: Path
    initial_ram: Path
    device_tree: Path
    command_line: str


class Machine:
    """A Pi that is switched on by ``start``. ``high`` are the pins that rest at a high level."""

    def __init__(self, boot: Boot, card: Path, serial_port: str, folder: Path, high: frozenset[int]) -> None:
        self._boot, self._card, self._serial_port, self._folder, self._high = boot, card, serial_port, folder, high
        self._process: subprocess.Popen[bytes] | None = None
        self._qmp_lines: Any = None
        self._lock = threading.Lock()
        self.started_at = 0.0
        self._commands = 0
        self.console = ""
        """What the machine has printed since it was switched on."""

    def start(self) -> None:
        """Switch it on, with its pins at rest before its first instruction. Raises MachineError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for name in ("qmp", "qtest", "console"):
            (self._folder / name).unlink(missing_ok=True)
        width, height = SIZE
        with (self._folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *("qemu-system-aarch64", "-M", "raspi3b", "-S", "-display", "none", "-monitor", "none"),
                    *("-kernel", str(self._boot.kernel), "-initrd", str(self._boot.initial_ram)),
                    *("-dtb", str(self._boot.device_tree), "-append", self._boot.command_line),
                    *("-drive", f"file={self._card},if=sd,format=raw"),
                    *("-serial", self._serial_port, "-serial", f"unix:{self._folder}/console,server=on,wait=off"),
                    *("-qmp", f"unix:{self._folder}/qmp,server=on,wait=off"),
                    *("-qtest", f"unix:{self._folder}/qtest,server=on,wait=off", "-qtest-log", "/dev/null"),
                    *("-global", f"bcm2835-fb.xres={width}", "-global", f"bcm2835-fb.yres={height}"),
                    # The model's default has red and blue the other way round.
                    *("-global", "bcm2835-fb.bpp=32", "-global", "bcm2835-fb.pixo=0"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.console = ""
        self._qmp, self._qtest, self._console = (self._connect(name) for name in ("qmp", "qtest", "console"))
        self._qmp_lines, self._qtest_lines = self._qmp.makefile("r"), self._qtest.makefile("r")
        self._qmp_lines.readline()
        self.qmp("qmp_capabilities")
        for pin in range(28):
            self.drive(pin, pin in self._high)
        self._rest_other_processors()
        threading.Thread(target=self._listen, args=(self._console,), daemon=True).start()
        self.started_at = time.monotonic()
        self.qmp("cont")

    def kill(self) -> None:
        """Cut the power."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            for connection in (self._qmp, self._qtest):
                connection.close()

    @property
    def is_running(self) -> bool:
        """Whether QEMU still runs."""
        return self._process is not None and self._process.poll() is None

    # --- pins ---------------------------------------------------------------------------------------------------------

    def drive(self, pin: int, high: bool) -> None:
        """Put a voltage on an input."""
        self._test(f"writel {SET if high else CLEAR:#x} {1 << pin:#x}")

    def levels(self) -> int:
        """The voltages on all pins, pin 0 in the lowest bit."""
        return int(self._test(f"readl {LEVEL:#x}").split()[1], 16)

    def is_high(self, pin: int) -> bool:
        """Whether a pin is high now."""
        return bool(self.levels() >> pin & 1)

    def touch(self, pin: int, hold_s: float = 1.0) -> None:
        """Close a contact to ground for a time."""
        self.drive(pin, False)
        time.sleep(hold_s)
        self.drive(pin, True)

    # --- screen, time and clock ---------------------------------------------------------------------------------------

    def picture(self, name: str) -> pygame.Surface:
        """Take a picture of the screen, and keep it as ``<name>.png`` in the machine's folder."""
        path = self._folder / f"{name}.ppm"
        self.qmp("screendump", filename=str(path))
        end = time.monotonic() + CONNECT_S
        while not path.exists() or path.stat().st_size < SIZE[0] * SIZE[1] * 3:
            if time.monotonic() > end:
                raise MachineError("QEMU made no picture of the screen")
            time.sleep(0.05)
        surface = pygame.image.load(str(path))
        pygame.image.save(surface, str(path.with_suffix(".png")))
        path.unlink()
        return surface

    def hold(self) -> None:
        """Stop the time inside, so that the card can be read."""
        self.qmp("stop")

    def go_on(self) -> None:
        """Let the time inside go on."""
        self.qmp("cont")

    def wait(self, what: str, happened: Callable[[], bool], patience_s: float) -> float:
        """Wait until something is so; returns after how many seconds. Raises MachineError."""
        begin = time.monotonic()
        while not happened():
            if not self.is_running:
                raise MachineError(f"{what}: QEMU has ended: {(self._folder / 'qemu.log').read_text()[-500:]}")
            if time.monotonic() - begin > patience_s:
                raise MachineError(
                    f"{what}: not within {patience_s:.0f} s; the console ends with\n{self.console[-3000:]}"
                )
            time.sleep(0.1)
        return time.monotonic() - begin

    # --- inside -------------------------------------------------------------------------------------------------------

    def qmp(self, command: str, **arguments: object) -> Any:
        """Tell QEMU something. Raises MachineError."""
        with self._lock:
            self._qmp.sendall((json.dumps({"execute": command, "arguments": arguments}) + "\n").encode())
            while True:
                line = self._qmp_lines.readline()
                if not line:
                    raise MachineError(f"QEMU has ended: {(self._folder / 'qemu.log').read_text()[-500:]}")
                answer = json.loads(line)
                if "error" in answer:
                    raise MachineError(f"QEMU: {command}: {answer['error']['desc']}")
                if "return" in answer:
                    return answer["return"]

    def run(
        self, command: str, patience_s: float, while_waiting: Callable[[], bool] = lambda: False
    ) -> tuple[int, str]:
        """Run a command in the shell at the console; returns its status and what it printed.

        Where ``while_waiting`` says yes it is left alone, and the status is -1. Raises MachineError.
        """
        self._commands += 1
        mark = f"said-{self._commands}"
        # What is printed comes in one line of base64, so that the kernel's own lines do not mix with it.
        self._console.sendall(
            f'({command}) >/tmp/said 2>&1; s=$?; echo "{mark}:$(base64 -w0 /tmp/said):$s;"\n'.encode()
        )
        pattern = re.compile(mark + r":([A-Za-z0-9+/=]*):(\d+);")
        found: re.Match[str] | None = None
        left = False

        def happened() -> bool:
            nonlocal found, left
            found, left = pattern.search(self.console), while_waiting()
            return found is not None or left

        self.wait(f"an answer to {command}", happened, patience_s)
        if found is None:
            return -1, ""
        return int(found[2]), base64.b64decode(found[1]).decode("utf-8", "replace")

    def _rest_other_processors(self) -> None:
        """Let the three processors sleep that the kernel is told not to use.

        QEMU has them wait for an address to start at, in a loop that never sleeps and takes three quarters of the host's time.
        Raises MachineError when the loop is not there.
        """
        found = int(self._test(f"readl {PARKING:#x}").split()[1], 16)
        if found != WAIT_FOR_EVENT:
            raise MachineError(
                f"QEMU: unknown instruction {found:#x} at {PARKING:#x}, where other processors should wait"
            )
        self._test(f"writel {PARKING:#x} {WAIT_FOR_INTERRUPT:#x}")

    def _test(self, command: str) -> str:
        with self._lock:
            self._qtest.sendall((command + "\n").encode())
            while True:
                line = str(self._qtest_lines.readline())
                if not line or line.startswith(("FAIL", "ERR")):
                    raise MachineError(f"QEMU: {command}: {line.strip() or 'has ended'}")
                if line.startswith("OK"):
                    return line

    def _connect(self, name: str) -> socket.socket:
        end = time.monotonic() + CONNECT_S
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(os.fspath(self._folder / name))
            except OSError as error:
                connection.close()
                if time.monotonic() > end or not self.is_running:
                    text = (self._folder / "qemu.log").read_text()[-500:]
                    raise MachineError(f"QEMU does not start: {text or error}") from error
                time.sleep(0.05)
            else:
                return connection

    def _listen(self, console: socket.socket) -> None:
        with console, (self._folder / "console.log").open("ab") as log:
            log.write(f"\n===== switched on at {time.strftime('%H:%M:%S')}\n".encode())
            while True:
                try:
                    data = console.recv(4096)
                except OSError:
                    return
                if not data:
                    return
                log.write(data)
                log.flush()
                self.console += data.decode("utf-8", "replace")
