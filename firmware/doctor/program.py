"""The program itself: is it as its maker signed it, and does anybody here say who the maker is?"""

from collections.abc import Iterator
from pathlib import Path

from firmware.doctor.finding import Finding, failed, ok, warning
from firmware.manifest.check import TRUSTED_KEYS, check
from firmware.manifest.tree import PROGRAM
from firmware.manifest.watch import is_for_money
from firmware.settings.sections import Settings


def program(settings: Settings, root: Path = PROGRAM, keys_folder: Path = TRUSTED_KEYS) -> Iterator[Finding]:
    """Compare all files of the program with its signed manifest, as the running terminal does."""
    verdict = check(root, keys_folder, require=is_for_money(settings))
    if verdict.state == "signed":
        sealed = "" if verdict.sealed else "; packages and compiled modules are not sealed"
        yield ok("machine", "program", f"version {verdict.version} as {verdict.fingerprint} signed it{sealed}")
    elif verdict.state == "altered":
        yield failed(
            "machine",
            "program",
            f"not as it was signed: {'; '.join(verdict.problems)}",
            "install it anew; systemd/updates.md says how programs are signed",
        )
    elif settings.terminal.mode == "cabinet":
        yield warning(
            "machine",
            "program",
            "not signed, so that changed files are not noticed",
            f"sign it and put the maker's key into {keys_folder}; systemd/updates.md says how",
        )
    else:
        yield ok("machine", "program", "not signed, as a copy for development or play need not be")
