"""The card of an emulated Pi: made from the image, and read at any moment as if the power had just gone.

What a cut leaves is copied, its file system's journal is played back (``e2fsck``), and the program's own files are taken out
(``debugfs``): no mounts, no loop devices. Not responsible for judging what is found.
"""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

SECTOR = 512
ROOT_PARTITION, DATA_PARTITION = 1, 2
UNIT = "croupier.service"
SLOW = "[Service]\nTimeoutStartSec=1h\nWatchdogSec=2min\nTimeoutStopSec=60s\n"
"""The unit's own times, twelve times and more: an emulated processor is so much slower where others want the same one."""

TECHNICIAN = "technician.service"
SHELL = """[Service]
ExecStart=/bin/sh
StandardInput=tty-force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS1
Restart=always
"""
"""A root's shell at the console, in place of the login over the network that this machine has not; only started where it is asked for."""


class CardError(Exception):
    """The card can't be made or read; the text says why."""


def make_card(image: Path, card: Path, config: Path, more: Sequence[Path] = (), mebibytes: int = 1024) -> None:
    """Write an image to a card of a size (a power of two: QEMU wants it), with a configuration and more on its boot partition."""
    subprocess.run(["cp", "--sparse=always", image, card], check=True)
    os.truncate(card, mebibytes << 20)
    start, _ = partition(card, 0)
    for file, name in ((config, "cabinet.toml"), *((file, file.name) for file in more)):
        subprocess.run(["mcopy", "-o", "-i", f"{card}@@{start}", file, f"::{name}"], check=True)
    _add_units(card)


def _add_units(card: Path) -> None:
    """Let the service be as slow as an emulated processor is, its own times are tried where the time is real; and the technician's unit."""
    start, _ = partition(card, ROOT_PARTITION)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "emulated.conf").write_text(SLOW, encoding="ascii")
        (folder / TECHNICIAN).write_text(SHELL, encoding="ascii")
        commands = (
            f"cd /etc/systemd/system\nwrite {folder}/{TECHNICIAN} {TECHNICIAN}\n"
            f"mkdir {UNIT}.d\ncd {UNIT}.d\nwrite {folder}/emulated.conf emulated.conf\n"
        )
        (folder / "commands").write_text(commands, encoding="ascii")
        told = subprocess.run(
            ["debugfs", "-w", "-f", folder / "commands", f"{card}?offset={start}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if told.stdout.count("Allocated inode") < 2:
            raise CardError(f"can't write to the card's root: {told.stdout}{told.stderr}")


def partition(card: Path, index: int) -> tuple[int, int]:
    """Return where a partition begins and how long it is, in bytes."""
    with card.open("rb") as file:
        table = file.read(SECTOR)
    if table[510:512] != b"\x55\xaa":
        raise CardError(f"{card}: no partition table")
    start, sectors = struct.unpack_from("<8xII", table, 446 + 16 * index)
    return start * SECTOR, sectors * SECTOR


def copied(card: Path, folder: Path) -> Path:
    """Copy the journal's partition as it is on the card now, to an empty folder; returns the copy. A running machine is held meanwhile."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copy = folder / "partition"
    _copy_part(card, copy, *partition(card, DATA_PARTITION))
    return copy


def taken_out(copy: Path) -> Path:
    """Play back the file system's journal of a copied partition, and take its files out; returns their folder.

    Raises CardError for a damaged one.
    """
    checked = subprocess.run(["e2fsck", "-p", copy], capture_output=True, text=True, check=False)
    if checked.returncode > 1:
        raise CardError(f"the journal's file system is damaged: {checked.stdout}{checked.stderr}")
    data = copy.with_name("data")
    data.mkdir()
    taken = subprocess.run(["debugfs", "-R", f"rdump / {data}", copy], capture_output=True, text=True, check=False)
    if taken.returncode:
        raise CardError(f"can't read the journal's partition: {taken.stderr}")
    copy.unlink()
    return data


def _copy_part(source: Path, target: Path, start: int, length: int) -> None:
    """Copy a part of a file, leaving holes where there are some."""
    with source.open("rb") as reads, target.open("wb") as writes:
        writes.truncate(length)
        at, end = start, start + length
        while at < end:
            try:
                at = os.lseek(reads.fileno(), at, os.SEEK_DATA)
            except OSError:  # nothing but a hole up to the end
                return
            hole = min(os.lseek(reads.fileno(), at, os.SEEK_HOLE), end)
            reads.seek(at)
            writes.seek(at - start)
            while at < hole:
                data = reads.read(min(1 << 20, hole - at))
                writes.write(data)
                at += len(data)
