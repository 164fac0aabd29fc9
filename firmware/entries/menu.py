"""Entries about the operator's menu: who was in it, what was looked at, tried, changed and taken away.

They move no money. Levels are ``attendant``, ``operator`` and ``technician``. Rules as in ``types``: an entry's fields
never change their meaning.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

from firmware.entries.types import Entry


@dataclass(frozen=True, slots=True)
class MenuOpened(Entry):
    """The menu was opened by turning ``key``, with the rights of ``level``."""

    KIND: ClassVar[str] = "menu_opened"
    key: str
    level: str


@dataclass(frozen=True, slots=True)
class MenuClosed(Entry):
    """The menu was left: ``reason`` is ``back``, ``key`` (turned back) or ``idle``. A start ends it without an entry."""

    KIND: ClassVar[str] = "menu_closed"
    level: str
    reason: str


@dataclass(frozen=True, slots=True)
class MenuLevelChanged(Entry):
    """The rights within the menu changed: ``reason`` is ``pin``, ``door_open`` or ``door_closed``."""

    KIND: ClassVar[str] = "menu_level_changed"
    level: str
    reason: str


@dataclass(frozen=True, slots=True)
class MenuRefused(Entry):
    """Somebody asked for something beyond the rights of his ``level``; ``what`` is the page or the action."""

    KIND: ClassVar[str] = "menu_refused"
    level: str
    what: str


@dataclass(frozen=True, slots=True)
class PinEntered(Entry):
    """A PIN for ``level`` was entered; after wrong ones the next attempt has to wait, also over a power cut."""

    KIND: ClassVar[str] = "pin_entered"
    level: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class RecallShown(Entry):
    """A past round was drawn again for somebody of ``level``."""

    KIND: ClassVar[str] = "recall_shown"
    round_id: str
    level: str


@dataclass(frozen=True, slots=True)
class TestStarted(Entry):
    """A test of the hardware began: ``lamps``, ``tower``, ``picture``, ``touch``, ``sound`` or ``notes``."""

    __test__: ClassVar[bool] = False
    KIND: ClassVar[str] = "test_started"
    test: str
    level: str


@dataclass(frozen=True, slots=True)
class NoteTested(Entry):
    """The acceptor recognised a note in the note test, and it was given back: no credit, no meter."""

    KIND: ClassVar[str] = "note_tested"
    amount_minor: int


@dataclass(frozen=True, slots=True)
class ReportOrdered(Entry):
    """A report was asked for."""

    KIND: ClassVar[str] = "report_ordered"
    report: str
    level: str


REPORT_CUT_OFF: Final = "the terminal went off before it was saved"
"""The ``error`` of a report that a start found without an end."""


@dataclass(frozen=True, slots=True)
class ReportSaved(Entry):
    """A report is in the folder under ``name`` (without the ending of each form); ``digest`` is of its JSON form
    (SHA-256, hex). With an ``error`` it is not there, or not whole, and ``name`` may be no more than the one ordered."""

    KIND: ClassVar[str] = "report_saved"
    name: str
    digest: str
    error: str


MENU_TYPES: tuple[type[Entry], ...] = (
    MenuOpened,
    MenuClosed,
    MenuLevelChanged,
    MenuRefused,
    PinEntered,
    RecallShown,
    TestStarted,
    NoteTested,
    ReportOrdered,
    ReportSaved,
)
