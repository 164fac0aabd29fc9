"""The subcommand ``doctor``: runs all examinations in order and prints what each found."""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from firmware.clock import Clock, SystemClock
from firmware.devices import wiring_of
from firmware.doctor import devices, host, ports, screen
from firmware.doctor.finding import Finding, failed, ok
from firmware.doctor.program import program
from firmware.errors import ConfigError, UserError
from firmware.games.profile_files import bundled_directory
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.terminal.state import Recorded
from hal.errors import WiringError
from hal.wiring import check

CABINET_CONFIG: Final = Path("/etc/croupier/cabinet.toml")
_MARKS: Final = {"ok": "ok", "warning": "WARNING", "failed": "FAILED", "skipped": "-"}


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``doctor``. Returns 0, or 1 when something failed. Raises UserError for a file that is not there."""
    path = arguments.config or _usual_config()
    if not path.is_file():
        raise UserError(f"doctor: {path}: no such file; give a configuration such as config/cabinet.toml with --config")
    if not 0 < arguments.patience <= devices.LONGEST_PATIENCE_S:
        raise UserError(f"doctor: --patience: expected seconds up to {devices.LONGEST_PATIENCE_S}")
    counts: Counter[str] = Counter()
    found: list[Finding] = []
    for finding in examine(path, SystemClock(), arguments.patience, identify=arguments.identify):
        counts[finding.verdict] += 1
        found.append(finding)
        if not arguments.json:
            _print(finding)
    if arguments.json:
        print(json.dumps({"config": str(path), **_summary(counts), "findings": [asdict(each) for each in found]}))
    else:
        print(", ".join(f"{number} {word}" for word, number in _summary(counts).items()))
    return 1 if counts["failed"] else 0


def examine(
    config: Path, clock: Clock, patience_s: float = devices.PATIENCE_S, *, identify: bool = False
) -> Iterator[Finding]:
    """Examine this machine by a configuration; a refused one is a finding, and what does not need it goes on."""
    yield from host.python()
    yield from host.randomness()
    try:
        settings = load_settings(config)
    except ConfigError as error:
        for problem in error.problems:
            yield failed("config", str(config), problem.removeprefix(f"{config}: "), "correct the file")
        yield from ports.ports(None)
        yield from _screen(needed=True)
        return
    yield ok("config", str(config), "no contradictions")
    yield from program(settings)
    finding, recorded = host.journal(settings)
    yield from host.clock(settings, clock, recorded)
    yield from host.user(settings)
    yield from host.watchdog(settings)
    yield from host.root(settings)
    yield from host.storage(settings)
    yield finding
    yield from _screen(needed=settings.terminal.mode != "simulator", driver=settings.display.driver)
    yield from _hardware(settings, recorded, patience_s, identify=identify)


def _hardware(settings: Settings, recorded: Recorded | None, patience_s: float, *, identify: bool) -> Iterator[Finding]:
    wiring = wiring_of(settings)
    try:
        check(wiring)
    except WiringError as error:
        for line in str(error).splitlines():
            yield failed("config", "wiring", line, "correct the file")
        return
    yield from ports.ports(wiring)
    yield from ports.pins(wiring)
    yield from devices.devices(settings, wiring, recorded, patience_s, identify=identify)


def _screen(*, needed: bool, driver: str = "auto") -> Iterator[Finding]:
    yield from screen.frame_buffer() if driver == "fb" else screen.display(needed=needed)
    yield from screen.fonts()
    yield from screen.sound()


def _usual_config() -> Path:
    return CABINET_CONFIG if CABINET_CONFIG.is_file() else bundled_directory().parent / "simulator.toml"


def _summary(counts: Counter[str]) -> dict[str, int]:
    return {verdict: counts[verdict] for verdict in _MARKS}


def _print(finding: Finding) -> None:
    print(f"{_MARKS[finding.verdict]:<8} {finding.area:<8} {finding.subject}: {finding.found}", flush=True)
    if finding.remedy:
        print(f"{'':<17} -> {finding.remedy}", flush=True)
