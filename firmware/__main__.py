"""`python -m firmware` and the installed command `croupier`."""

import os
import sys

# Looking for plugins of pydantic takes longer than all that pydantic does here.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from firmware.cli import run


def main() -> None:
    """Run the command line of this process and end it with the command's exit status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
