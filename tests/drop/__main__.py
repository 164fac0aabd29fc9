"""The drop count of many rounds with trouble: ``python -m tests.drop --rounds 10000``. Exit status 1: something differs.

Several cabinets play at once, each a process with a seed, a store and devices of its own; each is reconciled alone, and the
sums are printed. Not responsible for what is played or counted (``count``, ``campaign``).
"""

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final, get_args

from tests.drop.cabinets import EMULATED, Kind
from tests.drop.count import Share, total
from tests.drop.side_by_side import played_at_once

MEMORY: Final = Path("/dev/shm")
"""Power is cut by taking the program away, not the disk: stores may lie in memory, where a commit costs nothing."""


def main() -> int:
    """Play, count, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.drop", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000, metavar="N", help="of all cabinets (default 10000)")
    parser.add_argument("--cabinets", type=int, default=20, metavar="N", help="that play at once (default 20)")
    kinds = (*get_args(Kind), "emulated")
    parser.add_argument(
        "--devices", choices=kinds, default="emulated", help="emulated: byte-level, all protocols in turn (default)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first cabinet; the others follow")
    parser.add_argument("--keep", metavar="DIR", help="stores stay there, with a diary of what each cabinet suffered")
    arguments = parser.parse_args()
    turn: tuple[Kind, ...] = EMULATED if arguments.devices == "emulated" else (arguments.devices,)
    began_s = time.monotonic()
    with ExitStack() as stack:
        if arguments.keep is None:
            memory = MEMORY if MEMORY.is_dir() else None
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=memory))
        else:
            folder = arguments.keep
            Path(folder).mkdir(parents=True)
        shares = [
            Share(
                turn[number % len(turn)],
                arguments.seed + number,
                arguments.rounds // arguments.cabinets + (number < arguments.rounds % arguments.cabinets),
                Path(folder) / str(number),
                Path(folder) / f"{number}.diary" if arguments.keep else None,
            )
            for number in range(arguments.cabinets)
        ]
        whole = total(played_at_once(shares))
    print(json.dumps({**vars(whole), "cabinets": arguments.cabinets, "seconds": round(time.monotonic() - began_s)}))
    return 1 if whole.problems else 0


if __name__ == "__main__":
    sys.exit(main())
