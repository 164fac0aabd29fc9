"""What can be wrong with a journal. Each text is one line and says what to do."""

from firmware.errors import UserError


class JournalError(UserError):
    """The journal can't be used; it is never repaired or overwritten silently."""

    def __init__(self, text: str) -> None:
        """Keep the text on one line: a damaged database may put anything into SQLite's messages."""
        super().__init__(" ".join(text.split()))


class ForeignFileError(JournalError):
    """The file is not a journal of this program, or one of a newer version."""


class NoJournalError(JournalError):
    """There is no journal where one was expected."""


class OtherVersionError(ForeignFileError):
    """The journal was written by another version of the program; it is sound, but not ours to read."""


class DamagedJournalError(JournalError):
    """The journal contradicts itself: a broken chain, a gap, an entry that can't be read."""


class NewerJournalError(DamagedJournalError):
    """The journal is sound but a newer version wrote entries that this one can't read: nothing of it may be cleared."""


class MemoryLockUpError(DamagedJournalError):
    """The copies of the journal contradict each other and none can be trusted. Only a RAM clear ends this."""


class StoreUnavailableError(JournalError):
    """The storage can't be written: read-only, full, no permission, in use."""


class CommitUnknownError(RuntimeError):
    """A commit ended with an error: whether it happened is unknown until the journal is opened and read again.

    The journal that raised it accepts nothing more; nobody may act on the entries, nor on their absence.
    """


class DuplicateEntryError(ValueError):
    """An entry with this unique key is already recorded: the cause was counted before. Nothing was written."""
