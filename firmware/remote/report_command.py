"""The subcommand ``report``: a report of a store, live or copied, in one of its forms; the terminal's own figures.

Not responsible for what a report says (``firmware.reports``).
"""

import argparse
import sys
from pathlib import Path

from display.text import Writer
from display.view_model import MoneyFormat
from firmware.clock import SystemClock
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.operator_menu.pages_reports import REPORTS
from firmware.remote.reading import StoreReading, read_store
from firmware.reports.content import MARKS, report_of
from firmware.reports.forms import all_forms
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``report``. Returns 0; raises UserError."""
    if arguments.name not in REPORTS:
        raise UserError(f"report: {arguments.name!r} is no report; there are {', '.join(REPORTS)}")
    settings = load_settings(arguments.config or bundled_directory().parent / "simulator.toml")
    data_dir: Path = arguments.data or settings.storage.data_dir
    reading = read_store(settings, data_dir, arguments.mirror, SystemClock().wall_ms())
    data = report_bytes(reading, settings, arguments.name, arguments.form, arguments.lang)
    if arguments.out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise UserError(f"{arguments.out}: {error.strerror or error}") from None
    return 0


def report_bytes(reading: StoreReading, settings: Settings, name: str, form: str, language: str) -> bytes:
    """Return a report in a form (``txt``, ``csv``, ``json``, ``html``) and a language."""
    digits = reading.commissioned.minor_digits
    writer = Writer(language, MoneyFormat(digits, settings.currency.symbol, symbol_first=False))
    report = report_of(name, reading.state, reading.environment, writer.say)
    mark = MARKS.get(reading.mark)
    return all_forms(report, writer.say(mark) if mark is not None else "", language)[form]
