"""The subcommand `settings`: prints the reference page of the configuration."""

import argparse

from firmware.settings.reference import reference


def command(_: argparse.Namespace) -> int:
    """Handler of `settings`. Returns 0."""
    print(reference(), end="")
    return 0
