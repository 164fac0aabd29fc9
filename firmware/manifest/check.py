"""Is the program as it was signed? Reads the whole program's folder and gives a verdict; changes nothing.

The policy: **a terminal that trusts a key runs only what this key has signed.** A changed, missing or extra file, a wrong
signature and a missing manifest are then ``altered``. A terminal that trusts no key is ``unsigned``: it may play for
amusement, and says so; with money it is ``altered`` (``require``), because nobody vouches for the program.

What this can't show: whoever can write the card can write the key and this check as well. See systemd/updates.md.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from firmware.manifest.model import (
    MAXIMUM_BYTES,
    FileSum,
    Manifest,
    ManifestError,
    decode,
    decode_sums,
    differences,
)
from firmware.manifest.tree import MANIFEST_NAME, SEAL_NAME, SIGNATURE_NAME, local_paths, release_paths, sums
from firmware.signing.ed25519 import SIGNATURE_BYTES, fingerprint, public_key, verify
from firmware.signing.errors import SigningError

TRUSTED_KEYS: Final = Path("/etc/croupier/keys")
"""The makers' public keys, as files that end in ``.pub``. No setting: who may write the settings must not choose whom to trust."""
MOST_PROBLEMS: Final = 20
"""So many are told; a program that differs everywhere need not fill a journal."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. ``fingerprint`` is of the key that signed; ``sealed`` tells whether the files made on this machine
    (compiled modules, packages) were compared as well; ``problems`` are ``changed PATH`` and the like."""

    state: Literal["signed", "unsigned", "altered"]
    version: str = ""
    counter: int = 0
    fingerprint: str = ""
    file_count: int = 0
    sealed: bool = False
    problems: tuple[str, ...] = ()

    def values(self) -> dict[str, Any]:
        """Return the verdict for a script."""
        return {
            "state": self.state,
            "version": self.version,
            "counter": self.counter,
            "fingerprint": self.fingerprint,
            "files": self.file_count,
            "sealed": self.sealed,
            "problems": list(self.problems),
        }


def trusted_keys(folder: Path) -> dict[str, bytes]:
    """Return the public keys of a folder by their file's name; none where there is no folder. Raises SigningError."""
    found = {}
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".pub")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SigningError(f"{folder}: {error.strerror or error}; the trusted keys can't be read") from error
    for path in paths:
        try:
            found[path.name] = public_key(path.read_bytes())
        except (SigningError, OSError) as error:
            raise SigningError(f"{path}: {error}; put the maker's key there, or remove the file") from None
    return found


def signed_manifest(root: Path, keys: Mapping[str, bytes]) -> tuple[Manifest, bytes]:
    """Return a folder's manifest and the key that signed it.

    Raises:
        ManifestError: there is none, or none that one of these keys signed.
    """
    data, signature = _read(root / MANIFEST_NAME, MAXIMUM_BYTES), _read(root / SIGNATURE_NAME, SIGNATURE_BYTES)
    return manifest_of(data, signature, keys)


def manifest_of(data: bytes, signature: bytes, keys: Mapping[str, bytes]) -> tuple[Manifest, bytes]:
    """Return the manifest of these bytes and the key that signed it. Raises ManifestError as ``signed_manifest``."""
    for key in keys.values():
        if verify(key, data, signature):
            return decode(data), key
    raise ManifestError(f"{MANIFEST_NAME} is not signed by a key that is trusted here")


def _read(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise ManifestError(f"{path.name}: {error.strerror or error}") from None
    if len(data) > most:
        raise ManifestError(f"{path.name} is too large")
    return data


def check(
    root: Path, keys_folder: Path, *, require: bool = False, breathe: Callable[[], None] = lambda: None
) -> Verdict:
    """Compare the program in a folder with its manifest. ``require``: unsigned will not do. Raises nothing of its files."""
    try:
        keys = trusted_keys(keys_folder)
        if not keys:
            return Verdict("altered", problems=("no key is trusted",)) if require else Verdict("unsigned")
        manifest, key = signed_manifest(root, keys)
    except (ManifestError, SigningError) as error:
        return Verdict("altered", problems=(str(error),))
    found = [0]
    seal, problems = _seal(root)
    try:
        problems += _told(differences(manifest.files, _counted(sums(root, release_paths(root), breathe), found)))
        if seal is not None:
            problems += _told(differences(seal, _counted(sums(root, local_paths(root), breathe), found)))
    except OSError as error:
        problems.append(f"unreadable {error.filename or root}: {error.strerror or error}")
    return Verdict(
        state="altered" if problems else "signed",
        version=manifest.version,
        counter=manifest.counter,
        fingerprint=fingerprint(key),
        file_count=found[0],
        sealed=seal is not None,
        problems=tuple(problems[:MOST_PROBLEMS]),
    )


def _seal(root: Path) -> tuple[dict[str, FileSum] | None, list[str]]:
    path = root / SEAL_NAME
    if not os.path.lexists(path):
        return None, []
    try:
        return decode_sums(_read(path, MAXIMUM_BYTES * 4)), []
    except ManifestError as error:
        return None, [f"{SEAL_NAME}: {error}"]


def _told(problems: Iterator[str]) -> list[str]:
    return list(islice(problems, MOST_PROBLEMS))


def _counted(found: Iterator[tuple[str, FileSum]], count: list[int]) -> Iterator[tuple[str, FileSum]]:
    for pair in found:
        count[0] += 1
        yield pair
