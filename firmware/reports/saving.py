"""Writing a report's files to a folder, usually a stick, signed by the terminal's key. A full, missing, read-only, damaged
or pulled one is named, and loses nothing: the journal has everything.

All files of a report come under their names together, or none does. Everything happens by the opened folder: a stick
that is pulled out in between can not make the rest land where it was mounted. Not responsible for when, nor for the
thread it happens in, nor for two at once: one report is written at a time.
"""

import errno
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.reports.content import Report
from firmware.reports.forms import Signature
from firmware.reports.signature import files_of, statement_of
from firmware.signing.ed25519 import PrivateKey, fingerprint
from firmware.signing.errors import SigningError
from firmware.signing.terminal_key import terminal_key

FILE_COUNT: Final = 4
"""So many files a report has."""
PART: Final = ".part"
"""Ends the name of a file while it is written."""
_CAUSES: Final = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EROFS: "read_only",
    errno.EACCES: "read_only",
    errno.EPERM: "read_only",
    errno.ENOENT: "missing",
    errno.ENODEV: "missing",
    errno.ENXIO: "missing",
    errno.ENOTDIR: "damaged",
    errno.EIO: "damaged",
    errno.EBADMSG: "damaged",
    errno.EUCLEAN: "damaged",
    errno.ESTALE: "pulled",
}
OWN_MEDIA: Final = (Path("/"), Path("/run"), Path("/tmp"))  # noqa: S108 - nothing is made there
"""Where a machine's own file systems lie, besides that of its data: the last two are often memory, gone with the power."""
Step = Callable[[], None]
"""Is told each time a file is there; raises to end it all."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong. ``cause``: ``full``, ``read_only``, ``missing``, ``damaged``, ``pulled``, ``unsigned`` or
    ``other``; ``detail`` says it in the words of the operating system."""

    cause: str
    detail: str


def sign(report: Report, key: PrivateKey) -> Signature:
    """Return the signature of a report."""
    return Signature(key.public, key.sign(statement_of(report)), fingerprint(key.public))


def save_report(
    report: Report,
    folder: Path,
    data_dir: Path,
    *,
    make_folder: bool = False,
    stick_only: bool = False,
    step: Step = lambda: None,
) -> Trouble | None:
    """Write all forms, signed by the key of the terminal whose data folder is given; return what went wrong.

    With ``stick_only`` nothing is written to a medium of the machine's own, as the bare place is where a stick is
    mounted. A key that can't be used is named too; the report is then there without a signature. What ``step`` raises comes
    through, and nothing of the report is left.
    """
    signature, trouble = None, None
    try:
        signature = sign(report, terminal_key(data_dir))
    except SigningError as error:
        trouble = Trouble("unsigned", f"not signed: {error}")
    forms = files_of(report, signature)
    own = (*OWN_MEDIA, data_dir) if stick_only else ()
    return save_forms(folder, report.file_name, forms, make_folder=make_folder, not_on=own, step=step) or trouble


def save_forms(
    folder: Path,
    name: str,
    forms: dict[str, bytes],
    *,
    make_folder: bool = False,
    not_on: Iterable[Path] = (),
    step: Step = lambda: None,
) -> Trouble | None:
    """Write the files whole, all or none, and return what went wrong. What ``step`` raises comes through.

    A folder on the same file system as one of ``not_on`` is a place without its stick.
    """
    at = folder
    try:
        if make_folder:
            folder.mkdir(exist_ok=True)
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _expect_elsewhere(opened, not_on)
            _sweep(opened)
            for ending, data in forms.items():
                at = folder / f"{name}.{ending}"
                _write(opened, _part(at.name), data)
                step()
            at = folder
            _name_all(opened, [f"{name}.{ending}" for ending in forms])
            _expect_there(folder, opened)
        except BaseException as error:
            _take_away(opened, [f"{name}.{ending}" for ending in forms])
            if isinstance(error, OSError):
                _expect_there(folder, opened)
            raise
        finally:
            os.close(opened)
    except OSError as error:
        return Trouble(_CAUSES.get(error.errno or 0, "other"), f"{at}: {error.strerror or error}")
    return None


def _part(name: str) -> str:
    return f".{name}{PART}"


def _write(opened: int, name: str, data: bytes) -> None:
    """What is unplugged in between leaves a part under a name that nobody takes for a report."""
    file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644, dir_fd=opened)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
        if _read_back(file, len(data)) != data:
            raise OSError(errno.EIO, "does not read back as it was written")
    finally:
        os.close(file)


def _read_back(file: int, size: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    while piece := os.read(file, size + 1):
        pieces.append(piece)
    return b"".join(pieces)


def _name_all(opened: int, names: list[str]) -> None:
    """Give whole files their names; the folder itself is written too, or a pulled stick would forget the names."""
    for name in names:
        os.rename(_part(name), name, src_dir_fd=opened, dst_dir_fd=opened)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems have nothing to write there
            raise


def _expect_elsewhere(opened: int, not_on: Iterable[Path]) -> None:
    """Raise OSError for a folder that lies on the same file system as one of these places."""
    device = os.fstat(opened).st_dev
    for place in not_on:
        try:
            is_here = place.stat().st_dev == device
        except FileNotFoundError:
            continue
        if is_here:
            raise OSError(errno.ENODEV, "no stick is mounted there, this is the machine's own storage")


def _expect_there(folder: Path, opened: int) -> None:
    """Raise OSError when another folder, or none, stands where the stick was."""
    try:
        now = folder.stat()
    except FileNotFoundError:
        raise OSError(errno.ESTALE, "pulled out while it was written") from None
    then = os.fstat(opened)
    if (now.st_dev, now.st_ino) != (then.st_dev, then.st_ino):
        raise OSError(errno.ESTALE, "pulled out while it was written")


def _sweep(opened: int) -> None:
    """Parts that a stick pulled out at another time has kept would fill it up."""
    for name in os.listdir(opened):
        if name.startswith(".croupier-") and name.endswith(PART):
            os.unlink(name, dir_fd=opened)


def _take_away(opened: int, names: list[str]) -> None:
    """What is left of a report that could not be saved goes, as far as the stick still lets it."""
    for name in (*map(_part, names), *names):
        try:
            os.unlink(name, dir_fd=opened)
        except OSError:
            continue
