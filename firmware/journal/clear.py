"""RAM clear: the whole memory is set aside, so that the next opening makes a new one. The only end of a memory lock-up.

The journal and its sealed segments get other names in the same folder and are kept; mirror and anchor are wiped. Power
may go in the middle: what is left then is either the old memory, or one that is locked until the clear is repeated.
Not responsible for who may do this, nor for the new epoch's first entries.
"""

from typing import Final

from firmware.journal.anchor import FileSlots
from firmware.journal.critical import Places
from firmware.journal.files import Files, OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import Head
from firmware.journal.recovery import lock_memory
from firmware.journal.schema import FILE_NAME, set_aside, unavailable
from firmware.journal.segments import FOLDER

_REASON: Final = "cleared"


def clear_memory(places: Places, files: Files | None = None) -> int:
    """Set the memory aside and return the number under which it is kept (``journal.sqlite.cleared-1``).

    Raises:
        StoreUnavailableError: another process uses the memory, or a copy can't be written.
    """
    files = files or OsFiles()
    release = lock_memory(places, files)
    try:
        if places.mirror_dir is not None:
            Mirror(places.mirror_dir, files).clear(Head())
            for name in files.names(places.mirror_dir / FOLDER):
                files.remove(places.mirror_dir / FOLDER / name)
        if places.anchor_file is not None:
            files.remove(places.anchor_file)
            FileSlots(places.anchor_file, files)
        number = set_aside(places.data_dir / FILE_NAME, files, _REASON)
        segments = places.data_dir / FOLDER
        if files.exists(segments):
            files.rename(segments, segments.with_name(f"{FOLDER}.{_REASON}-{number}"))
    except OSError as error:
        raise unavailable(places.data_dir, error) from error
    finally:
        release()
    return number
