"""The subcommand ``pin``: makes the line of the configuration for a PIN of the operator's menu.

The digits are asked for on the terminal and never stood in a command line, a file or a log.
"""

import argparse
import getpass
import os
import sys

from firmware.errors import UserError
from firmware.settings.pin import SALT_BYTES, hashed


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``pin``. Returns 0; raises UserError for digits that are no PIN."""
    digits = _asked()
    try:
        line = hashed(digits, os.urandom(SALT_BYTES))
    except ValueError as error:
        raise UserError(f"pin: {error}") from None
    print(f'{arguments.level}_pin = "{line}"')
    return 0


def _asked() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    digits = getpass.getpass("PIN: ")
    if getpass.getpass("again: ") != digits:
        raise UserError("pin: the two are not the same; nothing was made")
    return digits
