"""``croupier crashtest``: the power-loss campaign, a program of the tests.

The simulator of power cuts plants faults, reaches into the journal and plays the cabinet, so it lives with the tests and
is no part of an installed package; this only becomes it, so that whoever ends one ends the other. Its arguments are declared in ``firmware.cli``.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from firmware.errors import UserError

ROOT = Path(__file__).resolve().parent.parent


def command(arguments: argparse.Namespace) -> NoReturn:
    """Become the campaign, which ends with 0 when nothing was violated and every planted fault was found, else 1.

    Raises UserError where the tests are not there.
    """
    if not (ROOT / "tests" / "crash").is_dir():
        raise UserError(
            "croupier crashtest: it is not part of an installed package; run ./croupier crashtest in a clone"
        )
    options = [f"--minutes={arguments.minutes}", f"--processes={arguments.processes}"]
    if arguments.seed is not None:
        options.append(f"--seed={arguments.seed}")
    if arguments.json:
        options.append("--json")
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", "tests.crash", *options])  # noqa: S606 - there is no shell to need
