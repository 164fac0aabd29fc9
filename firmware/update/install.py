"""Installing a bundle beside the running version: check, write, compile, seal, switch. The running version is not touched.

Not responsible for asking whether it may be done (``gate``) or for starting what was installed.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware.errors import UserError
from firmware.manifest.check import manifest_of
from firmware.manifest.command import seal
from firmware.manifest.model import ManifestError, differences
from firmware.manifest.tree import MANIFEST_NAME, NOTE_NAME, SIGNATURE_NAME, release_paths, sums
from firmware.update.bundle import WHEELS, Bundle
from firmware.update.packages import compile_all, packages_for
from firmware.update.versions import PART, Disk, Place, switch, tidy

UNSIGNED_VERSION: Final = "0"


@dataclass(frozen=True, slots=True)
class Installed:
    """A version that is installed: where, its version and counter, and whether its own manifest says so."""

    root: Path
    version: str
    counter: int
    is_signed: bool


def installed(root: Path, keys: dict[str, bytes], program_version: str) -> Installed:
    """Return what lies in a folder; without a good manifest it has counter 0 and the version that it says of itself."""
    try:
        data, signature = (root / MANIFEST_NAME).read_bytes(), (root / SIGNATURE_NAME).read_bytes()
        manifest, _ = manifest_of(data, signature, keys)
    except (OSError, ManifestError):
        return Installed(root, program_version, 0, is_signed=False)
    return Installed(root, manifest.version, manifest.counter, is_signed=True)


def install(
    bundle: Bundle,
    place: Place,
    disk: Disk,
    *,
    note: dict[str, Any],
    still_allowed: Callable[[], None],
    on_file: Callable[[str], object] = lambda _: None,
) -> Path:
    """Install a bundle and make it the version of the next start; returns its folder.

    ``note`` tells who installed what and when; the version records it in its journal. ``still_allowed`` is called before
    the switch and raises what forbids it.

    Raises:
        UserError: the bundle, the packages or the disk; the running version stays the version of the next start.
    """
    name = f"{bundle.manifest.version}-{bundle.manifest.counter}"
    final = place.versions / name
    if place.running() == final:
        raise UserError(f"update: version {name} is installed and in use")
    try:
        disk.make_folder(place.versions)
        disk.remove(final)
        tidy(disk, place)
        part = place.versions / (name + PART)
        _write(bundle, part, disk, on_file)
        _finish(bundle, part, final, place, disk)
        disk.write(part / NOTE_NAME, json.dumps(note, sort_keys=True).encode())
        disk.settle()
        still_allowed()
        switch(disk, place, name)
    except OSError as error:
        raise UserError(
            f"update: {error.filename or place.versions}: {error.strerror or error}; nothing has changed, "
            "the version in use stays"
        ) from None
    with suppress(OSError):  # the next update tidies up
        tidy(disk, place)
    return final


def _write(bundle: Bundle, part: Path, disk: Disk, on_file: Callable[[str], object]) -> None:
    disk.make_folder(part)
    folders = {part}
    for path, at, data in bundle.files():
        file = part / path if not path.startswith(WHEELS) else part.with_suffix(".wheels") / path.removeprefix(WHEELS)
        if file.parent not in folders:
            disk.make_folder(file.parent)
            folders |= {file.parent, *(above for above in file.parents if part in above.parents)}
        disk.write(file, data, 0o755 if at.executable else 0o644)
        on_file(path)
    disk.write(part / MANIFEST_NAME, bundle.manifest_bytes)
    disk.write(part / SIGNATURE_NAME, bundle.manifest_signature)
    for folder in sorted(folders):
        disk.sync(folder)
    wrong = list(differences(bundle.manifest.files, sums(part, release_paths(part))))
    if wrong:
        raise UserError(f"update: the medium gives back other bytes than were written ({wrong[0]}); replace it")


def _finish(bundle: Bundle, part: Path, final: Path, place: Place, disk: Disk) -> None:
    wheels = part.with_suffix(".wheels")
    packages = packages_for(part, place.running(), place.versions, wheels, disk)
    disk.remove(wheels)
    disk.link(part / ".venv", str(packages))
    compile_all(part, final)
    seal(part)
