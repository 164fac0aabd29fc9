"""Which packages of the lock file a cabinet gets, by its screen, its Debian and its processor.

``install.sh`` and an update ask here, so that a cabinet keeps its kind of pygame and its pins over every update. What was
installed is kept beside the packages as the lines of the lock file under a headline that says what was left out and why
it must be left out again. Pure, and without packages itself: it runs before there are any. Not responsible for installing
(``packages``).
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CABINET_LOCK: Final = "requirements-cabinet.lock"
CABINET_STAMP: Final = "installed-cabinet.lock"
"""In the folder of the packages."""
ROUTES: Final = ("kmsdrm", "cage", "fb", "x11")
SUITES: Final = ("bookworm", "trixie")
_PINS: Final = frozenset({"rpi-lgpio", "lgpio", "adafruit-lgpio"})
_WITHOUT: Final = "# without "
_SYSTEMS: Final = "# with the system's packages"
_BY_PYTHON: Final = re.compile(r" ; python_(full_)?version [^\\]*")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a cabinet gets: all but some packages; ``system``: it also sees those of its Debian."""

    without: frozenset[str]
    system: bool = False


def choice_for(route: str, suite: str, machine: str) -> Choice:
    """Return the choice for a display route of ``install.sh``, a release of Debian and a processor. Raises ValueError."""
    if route not in ROUTES or suite not in SUITES:
        raise ValueError(f"{route} on {suite}: expected one of {', '.join(ROUTES)} on {' or '.join(SUITES)}")
    # Not every wheel of pygame draws on a bare console: pygame-ce's does, and the pygame of Trixie.
    by_system = route == "kmsdrm" and suite == "trixie"
    without = {"pygame", "pygame-ce"} if by_system else {"pygame" if route == "kmsdrm" else "pygame-ce"}
    if machine != "aarch64":
        without |= _PINS
    else:  # two builds of one module, each for one Python
        without |= {"lgpio" if suite == "trixie" else "adafruit-lgpio"}
    return Choice(frozenset(without), by_system)


def choice_of(installed: str) -> Choice:
    """Return the choice that a kept list was made by."""
    lines = installed.splitlines()
    named = next((line.removeprefix(_WITHOUT) for line in lines if line.startswith(_WITHOUT)), "")
    return Choice(frozenset(named.split()), _SYSTEMS in lines)


def locked(lock: str, choice: Choice) -> str:
    """Return the part of a lock file that a choice leaves, with its headline; pip can install it."""
    blocks = re.split(r"\n(?=\S)", lock.strip())
    kept = [_BY_PYTHON.sub(" ", block) for block in blocks if re.split(r"==| ", block)[0] not in choice.without]
    headline = [_WITHOUT + " ".join(sorted(choice.without)), *([_SYSTEMS] if choice.system else [])]
    return "\n".join([*headline, *kept]) + "\n"


def main(words: list[str]) -> int:
    """Print the list for ``ROUTE SUITE MACHINE``; the lock file is that of this program."""
    lock = Path(__file__).resolve().parents[2] / CABINET_LOCK
    sys.stdout.write(locked(lock.read_text(encoding="ascii"), choice_for(*words)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
