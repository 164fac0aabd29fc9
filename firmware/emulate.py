"""`croupier emulate`: a money device on a pseudo-terminal that any program can open like a serial port.

The device and its words are in `hal.emulators`; here are only the command line, standard input and the errors.
"""

import argparse
import json
import select
import signal
import sys
import time
from pathlib import Path
from typing import TextIO

from firmware.errors import UserError
from hal.emulators import registry, script
from hal.emulators.base import Emulator, ScriptError
from hal.emulators.pty import PtyPort


def command(namespace: argparse.Namespace) -> int:
    """Run the device until its script or its standard input says `quit`, or until it is interrupted."""
    try:
        device_class = registry.emulator_class(namespace.protocol)
        faults = script.parse_faults(namespace.faults)
        lines = script.parse(_read(namespace.script), str(namespace.script), device_class) if namespace.script else []
        device = device_class(faults=faults)
    except ScriptError as error:
        raise UserError(str(error)) from error
    link: Path | None = namespace.link
    if link is not None and link.exists() and not link.is_symlink():
        raise UserError(f"{link}: is there already and no symbolic link; choose another name")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that the link goes with the device
    device.log = lambda text: print(text, file=sys.stderr, flush=True)
    with PtyPort(device, link) as port:
        _introduce(port, device_class, as_json=namespace.json)
        try:
            if not script.run(lines, port, lambda milliseconds: time.sleep(milliseconds / 1000)):
                _listen(port, sys.stdin, device_class)
        except ScriptError as error:
            raise UserError(str(error)) from error
    return 0


def _introduce(port: PtyPort, device: type[Emulator], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"protocol": device.protocol, "pty": port.path, "verbs": sorted(device.verbs())}), flush=True)
    else:
        print(f"{device.protocol} on {port.path}", flush=True)
        print(f"verbs: {' '.join(sorted(device.verbs()))} quit", file=sys.stderr, flush=True)


def _listen(port: PtyPort, words: TextIO, device: type[Emulator]) -> None:
    """Carry out verbs from standard input; its end leaves the device running, as for a program in the background."""
    for line in words:
        try:
            commands = script.parse(line, "input", device)
            if script.run(commands, port, lambda milliseconds: time.sleep(milliseconds / 1000)):
                return
        except ScriptError as error:
            print(error, file=sys.stderr, flush=True)
    select.select([], [], [])


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not a text file (byte {error.start} is no UTF-8)") from error
