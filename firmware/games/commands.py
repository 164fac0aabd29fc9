"""``croupier play``: run a round record through the rules and print the result.

Not responsible for what a record means (``record``).
"""

import argparse
import json
import sys
from pathlib import Path

from firmware.games.record import play
from firmware.games.record_format import LARGEST_RECORD_BYTES, RecordRefusedError, read_json


def play_command(arguments: argparse.Namespace) -> int:
    """Print the answer to a record as one JSON object; returns the exit status 0.

    Raises:
        RecordRefusedError: the file or the record is refused; exit status 2.
    """
    answer = play(read_json(_content(arguments.record)))
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0


def _content(name: str) -> bytes:
    """Read at most one byte more than a record may have."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(LARGEST_RECORD_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(LARGEST_RECORD_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RecordRefusedError(f"{name}: {reason}") from None
