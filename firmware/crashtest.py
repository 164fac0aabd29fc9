"""``croupier crashtest``: the power-loss campaign, in a process of its own.

The simulator of power cuts plants faults, reaches into the journal and plays the cabinet, so it lives with the tests and
is no part of an installed package; this only starts it. Its arguments are declared in ``firmware.cli``.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from firmware.errors import UserError

ROOT = Path(__file__).resolve().parent.parent


def command(arguments: argparse.Namespace) -> int:
    """Run the subcommand; returns 0 when nothing was violated and every planted fault was found, else 1.

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
    return subprocess.run([sys.executable, "-m", "tests.crash", *options], cwd=ROOT, check=False).returncode
