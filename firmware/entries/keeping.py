"""Entries about the keeping of the terminal: periods, settings, profiles, refused notes, RAM clears.

They move no money. Rules as in ``types``: an entry's fields never change their meaning.
"""

from dataclasses import dataclass
from typing import ClassVar

from firmware.entries.types import Entry


@dataclass(frozen=True, slots=True)
class NoteRejected(Entry):
    """The acceptor refused a note by itself; ``reason`` is the device's short word."""

    KIND: ClassVar[str] = "note_rejected"
    reason: str


@dataclass(frozen=True, slots=True)
class CounterRead(Entry):
    """A device's own lifetime counter stands at ``count``: notes stacked, coins taken, or coins paid. From here on the
    journal counts along; it is recorded anew only for another device, when the two differed, or after a fault about money that moved uncounted."""

    KIND: ClassVar[str] = "counter_read"
    device: str
    serial: str
    count: int


@dataclass(frozen=True, slots=True)
class PeriodClosed(Entry):
    """Period ``number`` (from 1) ended here; its figures are the master meters less those at its beginning.

    ``by`` says who closed it: ``operator``, or a name.
    """

    KIND: ClassVar[str] = "period_closed"
    number: int
    by: str

    def unique_keys(self) -> tuple[str, ...]:
        """A period closes once."""
        return (f"period:{self.number}",)


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A setting and its value as canonical JSON text."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class ConfigurationRecorded(Entry):
    """All settings as they stood when they were first recorded; later ones are ``SettingChanged``."""

    KIND: ClassVar[str] = "configuration_recorded"
    values: tuple[SettingValue, ...]


@dataclass(frozen=True, slots=True)
class SettingChanged(Entry):
    """A setting has another value now; values are canonical JSON text, empty for a setting that is not there.

    ``by`` is ``file`` for a change found at a start, else who changed it.
    """

    KIND: ClassVar[str] = "setting_changed"
    key: str
    old: str
    new: str
    by: str


@dataclass(frozen=True, slots=True)
class ProfileUsed(Entry):
    """A game is played by this profile from here on: its digest, and all its options as canonical JSON text.

    With it every later round can be replayed, whatever becomes of the profile's file.
    """

    KIND: ClassVar[str] = "profile_used"
    KEEPS_KEYS: ClassVar[bool] = True
    game: str
    digest: str
    options: str

    def unique_keys(self) -> tuple[str, ...]:
        """Each profile of a game is recorded once."""
        return (profile_key(self.game, self.digest),)


@dataclass(frozen=True, slots=True)
class MeterValue:
    """A meter and its value."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class RamCleared(Entry):
    """This epoch began with a RAM clear: what the memory before it said, as far as it could be read.

    ``epoch``, ``seq`` and ``link`` (hex) name the sealed journal's end; ``credit_minor`` and ``handpay_minor`` were still
    owed; ``record`` and ``record_digest`` (SHA-256, hex) name the file that tells all. ``money_keys`` are the unique keys
    of the last notes and coins that the old epoch credited: a device that never got its confirmation may still repeat them.
    """

    KIND: ClassVar[str] = "ram_cleared"
    KEEPS_KEYS: ClassVar[bool] = True
    by: str
    reason: str
    epoch: int
    seq: int
    link: str
    credit_minor: int
    handpay_minor: int
    meters: tuple[MeterValue, ...]
    record: str
    record_digest: str
    money_keys: tuple[str, ...]

    def unique_keys(self) -> tuple[str, ...]:
        """Once in a journal; and money that the old epoch credited is not credited again."""
        return ("ram_cleared", *self.money_keys)


@dataclass(frozen=True, slots=True)
class ProgramReplaced(Entry):
    """Another version of the program took over: from ``old`` to ``new`` (version and counter), when and by whom.

    ``by`` is who installed it, or ``croupier-start`` where a version that did not work was left for the one before.
    """

    KIND: ClassVar[str] = "program_replaced"
    KEEPS_KEYS: ClassVar[bool] = True
    old: str
    new: str
    by: str
    at_ms: int

    def unique_keys(self) -> tuple[str, ...]:
        """Recorded once, at the first start of the version that took over."""
        return (f"program:{self.old}:{self.new}:{self.at_ms}",)


def profile_key(game: str, digest: str) -> str:
    """Return the unique key under which a game's profile is recorded."""
    return f"profile:{game}:{digest}"


KEEPING_TYPES: tuple[type[Entry], ...] = (
    NoteRejected,
    CounterRead,
    PeriodClosed,
    ConfigurationRecorded,
    SettingChanged,
    ProfileUsed,
    RamCleared,
    ProgramReplaced,
)
