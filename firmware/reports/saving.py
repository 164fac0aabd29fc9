"""Writing a report's files to a folder, usually a stick. A full, missing, read-only or broken one is named, and loses
nothing: the journal has everything.

Not responsible for when, nor for the thread it happens in.
"""

import os
from pathlib import Path


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
        part.unlink(missing_ok=True)
        raise
