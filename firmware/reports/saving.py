"""Writing a report's files to a folder, usually a stick, signed by the terminal's key. A full, missing, read-only or
broken one is named, and loses nothing: the journal has everything.

Not responsible for when, nor for the thread it happens in.
"""

import os
from pathlib import Path

from firmware.reports.content import Report
from firmware.reports.forms import Signature
from firmware.reports.signature import files_of, statement_of
from firmware.signing.ed25519 import PrivateKey, fingerprint
from firmware.signing.errors import SigningError
from firmware.signing.terminal_key import terminal_key


def sign(report: Report, key: PrivateKey) -> Signature:
    """Return the signature of a report."""
    return Signature(key.public, key.sign(statement_of(report)), fingerprint(key.public))


def save_report(report: Report, folder: Path, data_dir: Path, *, make_folder: bool = False) -> str:
    """Write all forms, signed by the key of the terminal whose data folder is given; return what went wrong.

    A key that can't be used is named too; the report is then there without a signature.
    """
    signature, trouble = None, ""
    try:
        signature = sign(report, terminal_key(data_dir))
    except SigningError as error:
        trouble = f"not signed: {error}"
    return save_forms(folder, report.file_name, files_of(report, signature), make_folder=make_folder) or trouble


def save_forms(folder: Path, name: str, forms: dict[str, bytes], *, make_folder: bool = False) -> str:
    """Write the files whole or not at all, and return what went wrong, empty for nothing."""
    for ending, data in forms.items():
        path = folder / f"{name}.{ending}"
        try:
            if make_folder:
                folder.mkdir(exist_ok=True)
            _write(path, data)
        except OSError as error:
            return f"{path}: {error.strerror or error}"
    return ""


def _write(path: Path, data: bytes) -> None:
    """A file that is there under its name is whole; what is unplugged in between leaves a part under another name."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if part.read_bytes() != data:
            raise OSError(5, "does not read back as it was written")
        part.replace(path)
    except OSError:
        _take_away(part)
        raise


def _take_away(part: Path) -> None:
    """What is left of a file that could not be written goes, if the stick still lets it."""
    try:
        part.unlink(missing_ok=True)
    except OSError:
        return
