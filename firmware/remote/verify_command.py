"""``report verify``: is a saved report what the terminal signed, and if not, what was changed? Needs no store.

Not responsible for what is signed (``firmware.reports.signature``).
"""

import argparse
import json
from pathlib import Path

from firmware.audit.source import JournalSource
from firmware.entries.menu import ReportSaved
from firmware.errors import CheckFailed, UserError
from firmware.reports.signature import Findings, compare_form, examine
from firmware.signing.ed25519 import fingerprint, public_key, verify
from firmware.signing.errors import SigningError


def verify_command(arguments: argparse.Namespace) -> int:
    """Handler of ``report verify``. Returns 0 for a report as it was signed; raises UserError or CheckFailed."""
    path: Path | None = arguments.file
    if path is None:
        raise UserError("report verify: name the file, e.g. report verify croupier-….json")
    signed_path = path.with_suffix(".json")
    data, signed = _read(path), _read(signed_path)
    try:
        found = examine(signed, verify)
        problems = list(found.problems)
        if path != signed_path and not problems:
            problems += compare_form(data, path.suffix.lstrip("."), signed)
    except ValueError as error:
        raise UserError(f"{signed_path}: {error}") from None
    except KeyError:
        raise UserError(f"{path}: found a file of another kind, expected .json, .txt, .csv or .html") from None
    problems += _key_problems(found, arguments.key)
    journal = _in_journal(found, arguments.data, arguments.mirror) if arguments.data is not None else None
    if journal is False:
        problems.append(f"{arguments.data}: the journal knows no report with this digest")
    _tell(path, found, problems, journal, arguments)
    if problems:
        raise CheckFailed(f"{path}: not as the terminal made it, {len(problems)} finding(s); the first: {problems[0]}")
    return 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        hint = "; the JSON form must lie beside it, because it has the signature" if path.suffix == ".json" else ""
        raise UserError(f"{path}: {error.strerror or error}{hint}") from None


def _key_problems(found: Findings, key_file: Path | None) -> list[str]:
    if key_file is None or not found.key:
        return []
    try:
        wanted = public_key(key_file.read_bytes())
    except OSError as error:
        raise UserError(f"{key_file}: {error.strerror or error}") from None
    except SigningError as error:
        raise UserError(f"{key_file}: {error}") from None
    signer = bytes.fromhex(found.key)
    if signer == wanted:
        return []
    return [f"it was signed by another key, {fingerprint(signer)}; expected {fingerprint(wanted)}"]


def _in_journal(found: Findings, data_dir: Path, mirror_dir: Path | None) -> bool:
    with JournalSource(data_dir, mirror_dir) as source:
        return any(isinstance(r.entry, ReportSaved) and r.entry.digest == found.digest for r in source.records())


def _tell(
    path: Path, found: Findings, problems: list[str], journal: bool | None, arguments: argparse.Namespace
) -> None:
    key = fingerprint(bytes.fromhex(found.key)) if found.key else ""
    if arguments.json:
        values = {
            "file": str(path),
            "sound": not problems,
            "digest": found.digest,
            "key": found.key,
            "fingerprint": key,
            "key_compared": arguments.key is not None,
            "in_journal": journal,
            "problems": problems,
        }
        print(json.dumps(values))
        return
    if key:
        print(f"signed by the key {key}")
    for problem in problems:
        print(f"WRONG: {problem}")
    if problems:
        return
    print("as it was signed" + (", and in the journal" if journal else ""))
    if arguments.key is None:
        print(
            "whose key that is, only a comparison tells: the menu's page Software shows it, or give --key terminal.pub"
        )
