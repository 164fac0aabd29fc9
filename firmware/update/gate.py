"""May this terminal be updated now, and to this version? Reads the journal beside a running terminal; writes nothing.

A round, a credit or a pay-out must not meet another version in the middle, and a lock-up must be looked at by the
version that found it. Open doors, a table out of service and an altered program do not stand in the way: they are how
one gets to update. Not responsible for signatures (``bundle``).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.audit.source import JournalSource
from firmware.errors import InvariantError
from firmware.journal.errors import JournalError, NoJournalError, OtherVersionError
from firmware.manifest.model import Manifest, version_key
from firmware.memory import load_recorded
from firmware.terminal.faults import DOOR_CODES, FAULTS, OUT_OF_SERVICE, PROGRAM_ALTERED, PROGRAM_CHANGED
from firmware.terminal.state import Recorded

_IN_THE_WAY_OF_NOTHING: Final = {*DOOR_CODES.values(), OUT_OF_SERVICE, PROGRAM_ALTERED, PROGRAM_CHANGED}


def obstacles(data_dir: Path) -> tuple[str, ...]:
    """Return what forbids an update now, each with what to do; empty: nothing does. A terminal without journal is new."""
    try:
        with JournalSource(data_dir) as source:
            return tuple(_of(load_recorded(source)))
    except NoJournalError:
        return ()
    except OtherVersionError:  # a newer version wrote it and was left: putting that back is the only way on
        return ()
    except (JournalError, InvariantError) as error:
        return (f"the journal can't be trusted: {error}",)


def _of(recorded: Recorded) -> Iterator[str]:
    if recorded.credit_minor:
        yield "there is credit on the table: let it be played or cash it out"
    if recorded.round is not None:
        yield "a round is open: finish it"
    if recorded.note is not None:
        yield "a note is in transit: wait until it is taken or given back"
    if recorded.payout is not None:
        yield "a pay-out or handpay is pending: finish it with the attendant key"
    for fault in recorded.faults:
        row = FAULTS[fault.code]
        if row.severity == "lock_up" and fault.code not in _IN_THE_WAY_OF_NOTHING:
            yield f"fault {fault.code} is up ({row.title.message}): {row.remedy.message}"


def version_obstacles(new: Manifest, version: str, counter: int) -> tuple[str, ...]:
    """Return what forbids to go from a version with its counter to a new one."""
    found = []
    if new.counter <= counter:
        found.append(
            f"version {new.version} (counter {new.counter}) is not newer than version {version} (counter {counter}) here"
        )
    if version_key(version) < version_key(new.minimum_version):
        found.append(
            f"version {new.version} needs {new.minimum_version} or later here, found {version}: update to that first"
        )
    return tuple(found)
