"""`python -m firmware` and the installed command `croupier`."""

import sys

from firmware.cli import run
from firmware.starting import hasten


def main() -> None:
    """Run the command line of this process and end it with the command's exit status."""
    hasten()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
