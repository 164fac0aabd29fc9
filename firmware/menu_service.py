"""What the operator's menu needs of the world: facts of the machine, PINs, other settings in force, and saved reports.

Slow things are done in the background, so that a bad stick never holds the terminal up. Not responsible for what may be
done when (``terminal``), or for what stands in a report (``reports``).
"""

import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import display
import firmware
import hal
from display.text import Writer
from display.view_model import MoneyFormat
from firmware.games.par_files import read_sheet
from firmware.journal.record import Head
from firmware.reports.content import report_of
from firmware.reports.forms import digest_of
from firmware.reports.saving import save_report
from firmware.settings.loader import check
from firmware.settings.pin import is_pin
from firmware.settings.sections import Settings
from firmware.terminal.menu import DeviceStatus, Machine, Theory
from firmware.terminal.state import Games, State
from firmware.terminal.step import Environment, ReportDone, SaveReport

MEBIBYTE: Final = 1 << 20
THERMAL: Final = Path("/sys/class/thermal/thermal_zone0/temp")
LIVE_KEYS: Final = frozenset(
    {
        "terminal.venue",
        "limits.credit_limit_minor",
        "limits.hopper_limit_minor",
        "limits.large_win_minor",
        "limits.excessive_notes_minor",
        "limits.excessive_coins_minor",
        "limits.refused_notes_in_a_row",
        "sound.softest_step",
        "sound.loudest_step",
        "player.idle_timeout_s",
        "player.reality_check_min",
        "player.minimum_round_ms",
        "player.session_limit_min",
        "player.loss_limit_minor",
        "player.coach",
    }
)
"""Settings that work as soon as they are changed."""

Background = Callable[[Callable[[], None]], None]


def in_a_thread(work: Callable[[], None]) -> None:
    """Do something in a thread of its own."""
    threading.Thread(target=work, name="report", daemon=True).start()


def with_overrides(settings: Settings, overrides: Mapping[str, str]) -> Settings:
    """Return the settings with those of the menu before those of the file; what no longer fits is left out, newest first
    of all that was changed."""
    wanted = dict(overrides)
    while wanted:
        changed, problems = check(_tables(settings, wanted))
        if not problems:
            return changed
        wanted.popitem()
    return settings


def _tables(settings: Settings, overrides: Mapping[str, str]) -> dict[str, Any]:
    tables: dict[str, Any] = settings.model_dump(mode="json")
    for key, value in overrides.items():
        table = tables
        *path, name = key.split(".")
        for part in path:
            table = table[part]
        table[name] = json.loads(value) if value else None
    return tables


@dataclass(frozen=True)
class MenuService:
    """The world behind one terminal's menu. ``file`` are the settings of the file, ``seeded`` tells of repeatable cards."""

    file: Settings
    games: Games
    seeded: bool
    background: Background = in_a_thread
    random_test: str = ""
    theories: Mapping[str, Theory] = field(default_factory=dict)

    @property
    def report_folder(self) -> Path | None:
        """Where reports go: as the settings say; without that a simulator's lie beside its journal, a cabinet's nowhere.

        A stick's folder is never made here: on a missing stick reports would go to the place where it should be.
        """
        if self.file.reports.folder is not None:
            return self.file.reports.folder.expanduser()
        if self.file.terminal.mode == "cabinet":
            return None
        return self.file.storage.data_dir / "reports"

    @property
    def pin_levels(self) -> frozenset[str]:
        """Levels that need a PIN."""
        return frozenset(self._pins())

    def is_pin(self, level: str, digits: str) -> bool:
        """Tell whether digits are the PIN of a level."""
        return is_pin(digits, self._pins()[level])

    def setting_problem(self, overrides: Mapping[str, str], key: str, value: str) -> str:
        """Say what is wrong with a value (JSON text) for a setting beside the others, empty when it fits."""
        _, problems = check(_tables(self.file, {**overrides, key: value}))
        return f"{problems[0].key}: expected {problems[0].expected}" if problems else ""

    def machine(self, devices: tuple[DeviceStatus, ...], head: Head) -> Machine:
        """Return the facts of this moment."""
        storage = self.file.storage
        return Machine(
            program_digest=program_digest(),
            head_seq=head.seq,
            head_link=head.link.hex(),
            free_mib=_free_mib(storage.data_dir),
            floor_mib=storage.free_space_floor_mib,
            temperature_millidegrees=_temperature(),
            copies=(
                ("journal", str(storage.data_dir)),
                ("mirror", str(storage.mirror_dir or "")),
                ("anchor", str(storage.anchor_file or "")),
            ),
            devices=devices,
            random_source="seeded" if self.seeded else "system",
            random_test=self.random_test,
            report_folder=str(self.report_folder or ""),
            theories=self.theories,
            live_keys=LIVE_KEYS,
        )

    def save(
        self, wanted: SaveReport, state: State, environment: Environment, sink: Callable[[ReportDone], object]
    ) -> None:
        """Make a report of this moment and write it in the background; ``sink`` is told how it went."""
        folder, currency = self.report_folder, self.file.currency
        writer = Writer(wanted.language, MoneyFormat(currency.minor_digits, currency.symbol, symbol_first=False))
        report = report_of(wanted.report, state, environment, writer.say, wanted.language)
        digest = digest_of(report)

        is_our_own = self.file.reports.folder is None

        def write() -> None:
            error = (
                "no folder is set"
                if folder is None
                else save_report(report, folder, self.file.storage.data_dir, make_folder=is_our_own)
            )
            sink(ReportDone(report.file_name, digest, error))

        self.background(write)

    def _pins(self) -> dict[str, str]:
        pins = {"operator": self.file.access.operator_pin, "technician": self.file.access.technician_pin}
        return {level: stored for level, stored in pins.items() if stored}


def theories_of(games: Games) -> dict[str, Theory]:
    """Return what the PAR sheets say of the games on offer; a game whose exact rules have none is left out."""
    found = {game: _theory(game, offer.digest) for game, offer in games.items()}
    return {game: theory for game, theory in found.items() if theory is not None}


@cache
def _theory(game: str, digest: str) -> Theory | None:
    sheet = read_sheet(game, digest)
    if sheet is None:
        return None
    try:
        wager, edge = Fraction(sheet["average_wager"]), Fraction(sheet["house_edge"])
        deviation = Fraction(sheet["standard_deviation"])
        return Theory(round(10**6 * (1 - edge / wager)), round(10**6 * deviation / wager))
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


@cache
def program_digest() -> str:
    """Return a digest (SHA-256, hex) of all source files of the program, by their names."""
    total = hashlib.sha256()
    for package in (display, firmware, hal):
        folder = Path(package.__file__ or "").parent
        for path in sorted(folder.rglob("*.py")):
            total.update(f"{path.relative_to(folder.parent).as_posix()}\n".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _free_mib(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free // MEBIBYTE
    except OSError:
        return None


def _temperature() -> int | None:
    try:
        return int(THERMAL.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
