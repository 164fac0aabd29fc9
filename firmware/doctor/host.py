"""The machine itself: Python, randomness, clock, user, watchdog, storage. Nothing here touches a device."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from firmware.clock import Clock
from firmware.doctor.finding import Finding, failed, ok, skipped, warning
from firmware.journal.errors import JournalError, NoJournalError
from firmware.journal.store import open_store
from firmware.machine_facts import is_root_read_only
from firmware.memory import load_recorded
from firmware.rng.health import HealthTested
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.source import ByteSource, RandomnessError
from firmware.settings.sections import Settings
from firmware.terminal.state import Recorded

MEBIBYTE: Final = 1 << 20
EARLIEST_MS: Final = 1_767_225_600_000
"""2026-01-01 UTC: a clock before that was never set."""
VOLATILE: Final = ("tmpfs", "ramfs", "overlay")
UNSAFE: Final = ("vfat", "exfat", "msdos", "nfs", "nfs4", "cifs")
MOUNTS: Final = Path("/proc/self/mounts")
RTC: Final = Path("/dev/rtc0")
WATCHDOG: Final = Path("/sys/class/watchdog/watchdog0")


def python() -> Iterator[Finding]:
    """The environment in which the program runs."""
    if importlib.util.find_spec("setuptools") is None:
        yield ok("machine", "python", "nothing in its environment slows the start")
    else:
        yield warning(
            "machine",
            "python",
            "setuptools is in its environment, which triples the time to import pygame",
            "remove it: .venv/bin/python -m pip uninstall setuptools",
        )


def randomness(source: ByteSource | None = None) -> Iterator[Finding]:
    """The operating system's entropy through the health tests."""
    try:
        (source or HealthTested(OsEntropy())).take(0)
    except RandomnessError as error:
        yield failed("machine", "randomness", str(error), "switch off and on; if it comes again, replace the board")
    else:
        yield ok("machine", "randomness", "the operating system's entropy passes its start-up test")


def clock(settings: Settings, clock: Clock, recorded: Recorded | None) -> Iterator[Finding]:
    """Wall clock, its keeper, and the time zone."""
    now_ms = clock.wall_ms()
    remedy = "set it (timedatectl set-time), and fit a battery-backed clock or a network"
    if now_ms < EARLIEST_MS:
        yield failed("machine", "clock", "it was never set", remedy)
    elif recorded is not None and now_ms < recorded.last_at_ms:
        behind_s = (recorded.last_at_ms - now_ms) // 1000
        yield failed("machine", "clock", f"it is {behind_s} s behind the journal's last entry", remedy)
    else:
        yield ok("machine", "clock", "later than all that is recorded")
    if not RTC.exists() and not _is_synchronised():
        yield warning(
            "machine",
            "clock",
            "no battery-backed clock and no time server: it stands still while the power is off",
            "fit a real-time clock, or connect a network and switch timesyncd on",
        )
    try:
        ZoneInfo(settings.terminal.time_zone)
    except (OSError, ValueError, KeyError):  # a zone that is not found is a KeyError
        yield failed("machine", "time zone", f"{settings.terminal.time_zone}: unknown here", "install tzdata")
    else:
        yield ok("machine", "time zone", settings.terminal.time_zone)


def _is_synchronised() -> bool:
    program = shutil.which("timedatectl")
    if program is None:
        return False
    words = [program, "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == "yes"


def root(settings: Settings) -> Iterator[Finding]:
    """The root file system of a cabinet, which should not be written."""
    if settings.terminal.mode != "cabinet":
        return
    match is_root_read_only():
        case True:
            yield ok("storage", "root", "it can't be written")
        case False:
            yield warning(
                "storage",
                "root",
                "it can be written: a power cut may damage the system, and a change of it stays",
                "mount it read-only, or switch the overlay on (raspi-config, overlay file system), and look here again",
            )
        case None:
            yield skipped("storage", "root", "the system does not tell how it is mounted")


def user(settings: Settings) -> Iterator[Finding]:
    """Who examines: root may do what the terminal's own user may not, so its findings prove too much."""
    if settings.terminal.mode != "cabinet":
        return
    if os.geteuid() == 0:
        yield warning(
            "machine",
            "user",
            "examined as root, who may open what the terminal's own user may not",
            "examine as that user: sudo -u croupier /opt/croupier/croupier doctor",
        )
    else:
        yield ok("machine", "user", "not root")


def watchdog(settings: Settings) -> Iterator[Finding]:
    """The board's own watchdog, which starts a machine again that hangs as a whole."""
    if settings.terminal.mode != "cabinet":
        return
    try:
        state = (WATCHDOG / "state").read_text(encoding="ascii").strip()
        limit_s = int((WATCHDOG / "timeout").read_text(encoding="ascii"))
    except (OSError, ValueError):
        yield warning(
            "machine",
            "watchdog",
            "the board has none that this system knows: when the whole machine hangs, somebody must come",
            "on a Raspberry Pi let the kernel load bcm2835_wdt; other boards: their watchdog's driver",
        )
        return
    if state == "active":
        yield ok("machine", "watchdog", f"the board is reset when the system does not move for {limit_s} s")
    else:
        yield warning(
            "machine",
            "watchdog",
            "the board has one, but nobody feeds it",
            "set RuntimeWatchdogSec=10s as in systemd/etc/watchdog.conf, then restart the machine",
        )


def storage(settings: Settings) -> Iterator[Finding]:
    """The journal's folder and its copies: writable, with space, on media that keep what they are told, and distinct."""
    table = settings.storage
    places = [("data_dir", table.data_dir), ("mirror_dir", table.mirror_dir)]
    if table.anchor_file is not None:
        places.append(("anchor_file", table.anchor_file.parent))
    devices: dict[str, int] = {}
    for name, folder in places:
        if folder is None:
            continue
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        devices[name] = existing.stat().st_dev
        yield from _folder(f"storage.{name}", folder, existing, table.free_space_floor_mib * MEBIBYTE)
    if table.mirror_dir is None:
        yield warning(
            "storage",
            "storage.mirror_dir",
            "there is no second copy: when the card dies, the accounts die with it",
            "give a folder on a second medium, for example a USB stick",
        )
    for name in ("mirror_dir", "anchor_file"):
        if name in devices and devices[name] == devices["data_dir"]:
            yield warning(
                "storage",
                f"storage.{name}",
                "on the same medium as storage.data_dir: it is lost together with it",
                "mount a second medium and point the setting there",
            )


def _folder(key: str, folder: Path, existing: Path, floor_bytes: int) -> Iterator[Finding]:
    if existing != folder and key == "storage.mirror_dir":
        yield failed("storage", key, f"{folder}: is not there", "plug its medium in, or correct the setting")
        return
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"croupier")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        yield failed(
            "storage",
            key,
            f"{existing}: {error.strerror or error}",
            "let the program's user own the folder and the medium be mounted for writing",
        )
        return
    free_bytes = shutil.disk_usage(existing).free
    kind = filesystem(existing)
    if free_bytes < floor_bytes:
        yield failed(
            "storage",
            key,
            f"{existing}: {free_bytes // MEBIBYTE} MiB free, less than storage.free_space_floor_mib",
            "delete what is not needed, or use a larger medium; no money is taken so",
        )
    elif kind in VOLATILE:
        yield warning(
            "storage", key, f"{existing}: {kind}, which forgets when the power goes", "use a folder on a real medium"
        )
    elif kind in UNSAFE:
        yield warning(
            "storage", key, f"{existing}: {kind}, which may lose what it said it had written", "format it as ext4"
        )
    else:
        yield ok("storage", key, f"{existing}: writable, {free_bytes // MEBIBYTE} MiB free, {kind or 'unknown'}")


def filesystem(folder: Path) -> str:
    """Return the kind of file system a folder is on; empty if the machine does not say."""
    found, longest = "", -1
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    path = str(folder.resolve())
    for line in lines:
        _, mount, kind, *_ = line.split()
        inside = path == mount or path.startswith(mount.rstrip("/") + "/")
        if inside and len(mount) > longest:
            found, longest = kind, len(mount)
    return found


def journal(settings: Settings) -> tuple[Finding, Recorded | None]:
    """Read the journal, beside a running terminal if there is one; also return what it says, if it can be read."""
    subject = "journal"
    try:
        store = open_store(settings.storage.data_dir, read_only=True)
    except NoJournalError:
        return skipped("storage", subject, "there is none yet"), None
    except JournalError as error:
        return failed("storage", subject, str(error), "./croupier audit verify says more"), None
    try:
        recorded = load_recorded(store)
    except (JournalError, RuntimeError, ValueError) as error:
        return failed("storage", subject, str(error), "./croupier audit verify says more"), None
    finally:
        store.close()
    return ok("storage", subject, "readable; ./croupier audit verify looks at all of it"), recorded
