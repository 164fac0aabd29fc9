"""The operator's menu as the terminal knows it: where somebody is in it, and what a page offers to be chosen.

Which pages there are, and what stands on them, is the table of ``operator_menu``; the terminal gets a page through its
environment and needs to know only its rows and who may see it. Not responsible for opening or moving (``decide_menu``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from display.view_model import PageView, Text
from firmware.errors import InvariantError

ROOT: Final = ""
"""The page that lists the topics."""
LOCK_UP: Final = "lockup"
PIN_PAGE: Final = "pin"
"""Two pages that the terminal itself sends somebody to."""
SET_UP: Final = "setup"
"""The page of the first set-up, and as a menu's ``key`` the set-up that opens by itself."""
SET_UP_STEPS: Final = ("language", "terminal", "money", "limits", "games", "devices", "pins", "clock")
"""What has to be confirmed before anybody plays."""
LEVELS: Final = ("attendant", "operator", "technician")


def reaches(level: str, least: str) -> bool:
    """Tell whether somebody of a level has the rights of ``least``."""
    return LEVELS.index(level) >= LEVELS.index(least)


@dataclass(frozen=True, slots=True)
class Act:
    """What choosing a row does: a name of the table in ``decide_menu`` and its argument."""

    name: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """What choosing a row does when it has to be confirmed: the question and the act."""

    question: Text
    act: Act


@dataclass(frozen=True, slots=True)
class Menu:
    """Where somebody is in the menu. It lives on the screen alone: a power cut ends it."""

    key: str
    """The key that opened it."""
    level: str
    language: str
    active_at_ms: int
    page: str = ROOT
    item: str = ""
    """What the page is about where there are many of its kind: a round, a setting, a period."""
    cursor: int = 0
    turn: int = 0
    """Which of the sheets of a long page is shown."""
    steps_back: int = 0
    """How many choices of a recalled round are taken back."""
    typed: str = ""
    first_typed: str = ""
    """A new PIN that has to be typed once more."""
    clear_code: str = ""
    clear_reason: str = ""
    clear_until_ms: int = 0
    """A RAM clear that is prepared: what has to be typed, why, and until when (monotonic time)."""
    points: tuple[tuple[int, int, int, int], ...] = ()
    """Touches of the calibration: where the panel says, and where the cross stood, in millionths of the panel's sides."""
    asked: Ask | None = None
    picks: Mapping[str, str] = field(default_factory=dict)
    """What lists are filtered by."""
    test: str = ""
    """What is being tried: ``lamp:b3``, ``tower:red``, ``picture:2``."""
    tested_at_ms: int = 0
    """Since when."""
    proven: frozenset[str] = frozenset()
    """Levels whose PIN was entered."""
    trail: tuple[tuple[str, str, int], ...] = ()
    """Page, item and cursor of the pages above this one."""
    held: frozenset[str] = frozenset()
    presses: Mapping[str, int] = field(default_factory=dict)
    """Buttons that are held, and how often each was pressed since the menu was opened; also coins that fell through, as
    ``coin:<reason>``."""
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuPage:
    """A page: what is shown, and what each of its rows (by ``page:row:<index>``) does.

    ``level`` and ``door`` say who may see it; ``above`` is the page that the way back leads to. ``sheet_count`` counts the
    sheets of a long page, ``step_count`` the choices of a recalled round.
    """

    view: PageView
    acts: Mapping[int, Act | Ask]
    level: str = "attendant"
    door: str = ""
    above: str = ROOT
    sheet_count: int = 1
    step_count: int = 0
    test: str = ""
    """What is tried on it, for the journal."""
    recalls: str = ""
    """The round that is drawn again in place of the rows."""
    takes_notes: bool = False
    """Notes are let into the acceptor's escrow, to be given back."""
    takes_coins: bool = False
    """Coins may be let in by a test; they stay in the machine and are nobody's credit."""

    @property
    def choices(self) -> tuple[int, ...]:
        """The rows that can be chosen, from top to bottom."""
        return tuple(sorted(self.acts))


@dataclass(frozen=True, slots=True)
class Theory:
    """What a game's PAR sheet says, in millionths: the return of all money staked, and the standard deviation of one
    round's result, of what a round stakes on average."""

    return_ppm: int
    deviation_ppm: int


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device as it introduced itself; ``words`` are maker, product, serial number and program version."""

    name: str
    is_ready: bool
    words: tuple[str, ...] = ()
    denominations_minor: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SoftwareState:
    """What is known of the program's signature: ``unknown``, ``unsigned``, ``good`` or ``bad``, and in words why."""

    state: str = "unknown"
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RandomHealth:
    """What the health tests of the source of randomness say: bytes looked at since the start, and what failed."""

    is_tested: bool = False
    byte_count: int = 0
    failure: str = ""


@dataclass(frozen=True, slots=True)
class ReportWork:
    """A report that is being saved, by its name, and how many of its steps (pages and files) are done."""

    name: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Machine:
    """What only the world knows of the terminal. Sizes in mebibytes, temperature in thousandths of a degree."""

    program_digest: str = ""
    """Empty while it is still being computed."""
    head_seq: int = 0
    head_link: str = ""
    free_mib: int | None = None
    floor_mib: int = 0
    temperature_millidegrees: int | None = None
    copies: tuple[tuple[str, str], ...] = ()
    """Copy and place of the critical memory."""
    devices: tuple[DeviceStatus, ...] = ()
    random_source: str = ""
    random: RandomHealth = RandomHealth()
    report_folder: str = ""
    saving: ReportWork | None = None
    theories: Mapping[str, Theory] = field(default_factory=dict)
    is_root_read_only: bool | None = None
    under_voltage: bool | None = None
    """Whether the board saw too low a voltage since it was switched on; None: it can't tell."""
    clock_source: str = ""
    """Who keeps the clock right: ``ntp``, ``rtc``, or empty when nobody can tell."""
    software: SoftwareState = SoftwareState()
    known_minor: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Notes (``notes``) and coins (``coins``) that the file of settings knows, taken or not."""
    time_zones: tuple[str, ...] = ()
    """Zones that a clock of the house may have."""
    every_game: tuple[str, ...] = ()
    """All games that have a profile, offered or not."""
    live_keys: frozenset[str] = frozenset()
    """Settings that work at once when they are changed here; others work from the next start."""


def no_page(*_: object) -> MenuPage:
    """Stand in for a menu where a terminal has none. Raises InvariantError."""
    raise InvariantError("this terminal has no menu")
