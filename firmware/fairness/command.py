"""The subcommand ``fairness``: verify a round's proof, or write the offline page with which anybody can.

Not responsible for what is checked (``verify``).
"""

import argparse
import json
import sys
from importlib import resources
from pathlib import Path

from firmware.errors import CheckFailed, UserError
from firmware.fairness.commitment import MOST_DIGITS
from firmware.fairness.verify import Check, verify_record, verify_text
from firmware.games.record_format import LARGEST_RECORD_BYTES, RecordRefusedError, read_json

PAGE = "verifier.html"


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``fairness``. Returns 0; raises UserError (status 2) or CheckFailed (status 1)."""
    return _page(arguments) if arguments.what == "page" else _verify(arguments)


def _verify(arguments: argparse.Namespace) -> int:
    if arguments.record is None:
        raise UserError("fairness verify: name a RECORD file, or - for standard input")
    content = _content(arguments.record)
    noted, number = arguments.commitment or "", _number(arguments.number)
    if content.lstrip()[:1] == b"{":
        checks = verify_record(read_json(content), noted, number=number)
    else:
        checks = verify_text(content.decode("ascii", "replace"), noted, number)
    if arguments.json:
        rows = [{"check": check.name, "ok": check.is_right, "found": check.found} for check in checks]
        print(json.dumps({"verified": all(check.is_right for check in checks), "checks": rows}))
    else:
        for check in checks:
            print(f"{'ok   ' if check.is_right else 'WRONG'} {check.name:<11} {check.found}")
    wrong = [check for check in checks if not check.is_right]
    if wrong:
        raise CheckFailed(f"not verified: {_names(wrong)}")
    return 0


def _number(written: str | None) -> int | None:
    """Return the number that the player typed. Raises UserError for what the terminal's keypad can't type."""
    if written is None:
        return None
    if not (written.isascii() and written.isdecimal() and len(written) <= MOST_DIGITS):
        raise UserError(f"--number: found {written[:20]!r}, expected up to {MOST_DIGITS} digits")
    return int(written)


def _names(checks: list[Check]) -> str:
    return ", ".join(check.name for check in checks)


def _content(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(LARGEST_RECORD_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(LARGEST_RECORD_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RecordRefusedError(f"{name}: {reason}") from None


def _page(arguments: argparse.Namespace) -> int:
    page = resources.files("firmware.fairness").joinpath(PAGE).read_text(encoding="utf-8")
    if arguments.record is None or arguments.record == "-":
        sys.stdout.write(page)
        return 0
    try:
        Path(arguments.record).write_text(page, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UserError(f"{arguments.record}: {error}") from None
    return 0
