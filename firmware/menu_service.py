"""What the operator's menu needs of the world: facts of the machine, PINs, other settings in force, and saved reports.

Slow things are done in the background, so that a bad stick never holds the terminal up. Not responsible for what may be
done when (``terminal``), or for what stands in a report (``reports``).
"""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final
from zoneinfo import available_timezones

import display
import firmware
import hal
from display.pointer import calibrate
from display.text import Writer
from display.view_model import MoneyFormat
from firmware import machine_facts
from firmware.audit.source import JournalSource
from firmware.audit.verify import verify
from firmware.games.par_files import read_sheet
from firmware.games.registry import game_ids
from firmware.journal.critical import Places
from firmware.journal.errors import JournalError
from firmware.journal.record import Head
from firmware.operator_menu.pages_reports import REPORTS
from firmware.reports.content import Report, Say, report_of
from firmware.reports.desk import ReportDesk, ReportStoppedError
from firmware.reports.forms import as_paper, digest_of
from firmware.reports.saving import FILE_COUNT, Trouble, save_report
from firmware.rng.health import HealthTested
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.source import ByteSource, RandomnessError
from firmware.settings.loader import check
from firmware.settings.pin import SALT_BYTES, hashed, is_pin
from firmware.settings.sections import Settings
from firmware.system_clock import no_clock_here
from firmware.terminal.menu import DeviceStatus, Machine, RandomHealth, SoftwareState, Theory
from firmware.terminal.state import Games, State
from firmware.terminal.step import (
    ClearMemory,
    ClockDone,
    Environment,
    MemoryCheckDone,
    MemoryCleared,
    RandomCheckDone,
    ReportDone,
    SaveReport,
    SetClock,
)

TESTED_BYTES: Final = 65_536
"""So much of the operating system's randomness is looked at when somebody asks for a test."""
ZONE_REGIONS: Final = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
MILLION: Final = 1_000_000
LIVE_KEYS: Final = frozenset(
    {
        "terminal.venue",
        "terminal.time_zone",
        "limits.credit_limit_minor",
        "limits.hopper_limit_minor",
        "limits.large_win_minor",
        "limits.excessive_notes_minor",
        "limits.excessive_coins_minor",
        "limits.refused_notes_in_a_row",
        "limits.money_during_play",
        "display.touch_ppm",
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


class LateDigest:
    """The program's digest for a terminal, which can not wait until all files are read."""

    def __init__(self, background: Background) -> None:
        """Begin to compute it in the background."""
        self._known = ""
        background(self._compute)

    def __call__(self) -> str:
        """Return it, empty while it is not known yet."""
        return self._known

    def _compute(self) -> None:
        self._known = program_digest()


@dataclass(frozen=True)
class MenuService:
    """The world behind one terminal's menu. ``file`` are the settings of the file, ``seeded`` tells of repeatable cards."""

    file: Settings
    games: Games
    seeded: bool
    background: Background = in_a_thread
    random_health: Callable[[], RandomHealth] = RandomHealth
    software: Callable[[], SoftwareState] = SoftwareState
    """What is known of the program's signature; must answer at once."""
    set_clock: Callable[[int], str] = no_clock_here
    """Sets the clock and says why it could not, empty when it could."""
    clear_memory: Callable[[str, str], str] = lambda *_: "not here"
    """Clears a memory that can't be read, for somebody (first) and a reason, and says why it could not."""
    theories: Mapping[str, Theory] = field(default_factory=dict)
    desk: ReportDesk = field(default_factory=ReportDesk)
    digest: Callable[[], str] = program_digest
    """Gives the program's digest, empty while it is not known yet."""

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

    def pin_levels(self, chosen: Mapping[str, str]) -> frozenset[str]:
        """Return the levels that need a PIN; ``chosen`` are those of the screen, before those of the file."""
        return frozenset(self._pins(chosen))

    def is_pin(self, chosen: Mapping[str, str], level: str, digits: str) -> bool:
        """Tell whether digits are the PIN of a level."""
        return is_pin(digits, self._pins(chosen)[level])

    def hash_pin(self, digits: str) -> str:
        """Return what is kept of a PIN. Raises ValueError for anything but 4 to 12 digits."""
        return hashed(digits, os.urandom(SALT_BYTES))

    def calibration(self, points: Sequence[tuple[int, int, int, int]]) -> tuple[int, ...] | None:
        """Return the calibration of the touch panel from touches and crosses, all in millionths; None when there is none."""
        try:
            found = calibrate(
                [(x / MILLION, y / MILLION) for x, y, _, _ in points],
                [(x / MILLION, y / MILLION) for _, _, x, y in points],
            )
        except ValueError:
            return None
        parts = (found.a, found.b, found.c, found.d, found.e, found.f)
        return tuple(round(part * MILLION) for part in parts)

    def check_memory(self, sink: Callable[[MemoryCheckDone], object]) -> None:
        """Read and compare all copies of the memory beside the running terminal; ``sink`` is told what was found."""
        storage = self.file.storage
        places = Places(storage.data_dir, storage.mirror_dir, storage.anchor_file)

        def read() -> None:
            try:
                with JournalSource(storage.data_dir) as source:
                    found = verify(source, places)
                    sink(MemoryCheckDone(source.head.seq, found.copies, found.problems))
            except JournalError as error:
                sink(MemoryCheckDone(0, (), (str(error),)))

        self.background(read)

    def check_random(self, sink: Callable[[RandomCheckDone], object]) -> None:
        """Test fresh bytes of the operating system, which nothing else is made of; ``sink`` is told what was found."""

        def test() -> None:
            failure = ""
            try:
                HealthTested(OsEntropy()).take(TESTED_BYTES)
            except RandomnessError as error:
                failure = str(error)
            sink(RandomCheckDone(TESTED_BYTES, failure))

        self.background(test)

    def clear(self, wanted: ClearMemory, sink: Callable[[MemoryCleared], object]) -> None:
        """Clear a memory that can't be read, beside the terminal that is locked up; ``sink`` is told how it went."""

        def clear() -> None:
            sink(MemoryCleared(self.clear_memory(wanted.by, wanted.reason)))

        self.background(clear)

    def change_clock(self, wanted: SetClock, before_ms: int, sink: Callable[[ClockDone], object]) -> None:
        """Set the clock; ``sink`` is told what became of it."""

        def change() -> None:
            error = self.set_clock(wanted.wall_ms)
            sink(ClockDone(before_ms, wanted.wall_ms, wanted.level, error))

        self.background(change)

    def setting_problem(self, overrides: Mapping[str, str], key: str, value: str) -> str:
        """Say what is wrong with a value (JSON text) for a setting beside the others, empty when it fits."""
        _, problems = check(_tables(self.file, {**overrides, key: value}))
        return f"{problems[0].key}: expected {problems[0].expected}" if problems else ""

    def machine(self, devices: tuple[DeviceStatus, ...], head: Head) -> Machine:
        """Return the facts of this moment."""
        storage = self.file.storage
        return Machine(
            program_digest=self.digest(),
            head_seq=head.seq,
            head_link=head.link.hex(),
            free_mib=machine_facts.free_mib(storage.data_dir),
            floor_mib=storage.free_space_floor_mib,
            temperature_millidegrees=machine_facts.temperature_millidegrees(),
            copies=(
                ("journal", str(storage.data_dir)),
                ("mirror", str(storage.mirror_dir or "")),
                ("anchor", str(storage.anchor_file or "")),
            ),
            devices=devices,
            random_source="seeded" if self.seeded else "system",
            random=self.random_health(),
            is_root_read_only=machine_facts.is_root_read_only(),
            under_voltage=machine_facts.under_voltage(),
            clock_source=machine_facts.clock_source(),
            software=self.software(),
            known_minor={
                "notes": (*self.file.notes.accepted_minor, *self.file.notes.channels.values()),
                "coins": (*self.file.coins.accepted_minor, *self.file.coins.channels.values()),
            },
            time_zones=time_zones(),
            every_game=game_ids(),
            report_folder=str(self.report_folder or ""),
            saving=self.desk.work,
            theories=self.theories,
            live_keys=LIVE_KEYS,
        )

    def paper(self, report: str, language: str, state: State, environment: Environment) -> tuple[str, ...]:
        """Return a report of this moment as the lines of a slip."""
        return as_paper(self._report(report, language, state, environment))

    def _report(
        self,
        name: str,
        language: str,
        state: State,
        environment: Environment,
        step: Callable[[], None] = lambda: None,
    ) -> Report:
        return report_of(name, state, environment, self.say(language, self.file.currency.symbol), language, step)

    def say(self, language: str, currency: str) -> Say:
        """Return what writes texts and amounts on paper; amounts are followed by the currency's symbol or code."""
        return Writer(language, MoneyFormat(self.file.currency.minor_digits, currency, symbol_first=False)).say

    def save(
        self, wanted: SaveReport, state: State, environment: Environment, sink: Callable[[ReportDone], object]
    ) -> None:
        """Make a report of this moment and write it, both in the background; ``sink`` is told how it went."""
        folder, machine = self.report_folder, environment.machine()
        data_dir, is_our_own = self.file.storage.data_dir, self.file.reports.folder is None
        is_cabinet = self.file.terminal.mode == "cabinet"

        def write() -> None:
            name, digest, step = wanted.report, "", self.desk.step
            now = replace(machine, program_digest=machine.program_digest or program_digest())
            then = replace(environment, machine=lambda: now)
            with self.desk.saving(name, len(REPORTS[name].pages) + FILE_COUNT):
                try:
                    report = self._report(wanted.report, wanted.language, state, then, step)
                    name, digest = report.file_name, digest_of(report)
                    trouble = (
                        Trouble("no_folder", "no folder is set")
                        if folder is None
                        else save_report(
                            report, folder, data_dir, make_folder=is_our_own, stick_only=is_cabinet, step=step
                        )
                    )
                except ReportStoppedError as stopped:
                    trouble = Trouble("stopped", str(stopped))
            error, cause = (trouble.detail, trouble.cause) if trouble is not None else ("", "")
            sink(ReportDone(name, digest, error, cause))

        self.background(write)

    def _pins(self, chosen: Mapping[str, str]) -> dict[str, str]:
        pins = {"operator": self.file.access.operator_pin, "technician": self.file.access.technician_pin, **chosen}
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
def time_zones() -> tuple[str, ...]:
    """Return the zones that people choose from: by region and place, and UTC."""
    return ("UTC", *sorted(name for name in available_timezones() if name.split("/")[0] in ZONE_REGIONS))


def random_health_of(source: ByteSource) -> RandomHealth:
    """Return what the health tests of a source say; one without tests is repeatable."""
    if not isinstance(source, HealthTested):
        return RandomHealth()
    return RandomHealth(is_tested=True, byte_count=source.byte_count, failure=source.failure)
