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
from firmware.remote.verify_command import verify_command
from firmware.reports.content import report_of
from firmware.reports.saving import sign
from firmware.reports.signature import files_of
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.signing.ed25519 import PrivateKey
from firmware.signing.terminal_key import FOLDER, PRIVATE_NAME, terminal_key


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``report``. Returns 0; raises UserError, ``verify`` CheckFailed too."""
    if arguments.name == "verify":
        return verify_command(arguments)
    if arguments.name not in REPORTS:
        raise UserError(f"report: {arguments.name!r} is no report; there are {', '.join(REPORTS)}, verify")
    settings = load_settings(arguments.config or bundled_directory().parent / "simulator.toml")
    data_dir: Path = arguments.data or settings.storage.data_dir
    reading = read_store(settings, data_dir, arguments.mirror, SystemClock().wall_ms())
    key = _key(data_dir) if arguments.sign else None
    data = report_bytes(reading, settings, arguments.name, arguments.form, arguments.lang, key)
    if arguments.out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise UserError(f"{arguments.out}: {error.strerror or error}") from None
    return 0


def _key(data_dir: Path) -> PrivateKey:
    """The terminal's key, if it has one; nothing is made here."""
    if not (data_dir / FOLDER / PRIVATE_NAME).exists():
        raise UserError(f"--sign: {data_dir} has no key; the terminal makes one with its first report")
    return terminal_key(data_dir)


def report_bytes(
    reading: StoreReading, settings: Settings, name: str, form: str, language: str, key: PrivateKey | None = None
) -> bytes:
    """Return a report in a form (``txt``, ``csv``, ``json``, ``html``) and a language, signed where a key is given."""
    digits = reading.commissioned.minor_digits
    writer = Writer(language, MoneyFormat(digits, settings.currency.symbol, symbol_first=False))
    report = report_of(name, reading.state, reading.environment, writer.say, language)
    return files_of(report, sign(report, key) if key is not None else None)[form]
