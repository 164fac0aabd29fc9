"""What a manifest is: version, counter and files of one program, as canonical JSON, and what differs from it. Pure.

``counter`` rises with every release and never falls; an update goes only to a higher one, so that an old program with a
known hole can't be put back. ``minimum_version`` is the oldest version that may be updated to this one. Not responsible
for reading files (``tree``) or signatures (``check``).
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

FORMAT: Final = "croupier-manifest/1"
MAXIMUM_BYTES: Final = 4 << 20
"""Of a manifest's file; a larger one is not read."""
_VERSION: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){1,3}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class ManifestError(ValueError):
    """Bytes that are no manifest; says what is wrong with them."""


@dataclass(frozen=True, slots=True)
class FileSum:
    """A file: size in bytes, SHA-256 in hex, and whether it may be executed."""

    size: int
    sha256: str
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of one program by their path below its folder, with slashes."""

    version: str
    counter: int
    minimum_version: str
    files: Mapping[str, FileSum]
    wheels: Mapping[str, FileSum]
    """Packages that a bundle brings along, by file name; they are installed and not kept."""

    def encode(self) -> bytes:
        """Return the canonical JSON: sorted keys, one line a file; equal manifests give equal bytes."""
        return _canonical(
            {
                "format": FORMAT,
                "version": self.version,
                "counter": self.counter,
                "minimum_version": self.minimum_version,
                "files": _rows(self.files),
                "wheels": _rows(self.wheels),
            }
        )


def _canonical(values: Mapping[str, object]) -> bytes:
    return (json.dumps(values, sort_keys=True, indent=0, ensure_ascii=True) + "\n").encode()


def _rows(sums: Mapping[str, FileSum]) -> dict[str, str]:
    return {path: f"{at.sha256} {at.size}{' x' if at.executable else ''}" for path, at in sums.items()}


def decode(data: bytes) -> Manifest:
    """Read a manifest. Raises ManifestError for anything that ``encode`` can't have written."""
    try:
        values = json.loads(data)
    except ValueError:
        raise ManifestError("not a manifest") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ManifestError(f"not a manifest of the format {FORMAT}")
    try:
        manifest = Manifest(
            version=_version(values["version"]),
            counter=_counter(values["counter"]),
            minimum_version=_version(values["minimum_version"]),
            files=dict(_sums(values["files"])),
            wheels=dict(_sums(values["wheels"])),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ManifestError(f"not a manifest: {error}") from None
    if manifest.encode() != data:
        raise ManifestError("not in the manifest's canonical form")
    if any("/" in name for name in manifest.wheels):
        raise ManifestError("a package that lies in a folder")
    return manifest


def _version(value: Any) -> str:
    if not isinstance(value, str) or _VERSION.fullmatch(value) is None:
        raise ManifestError(f"{value!r} is no version such as 1.2.0")
    return value


def _counter(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 53:
        raise ManifestError(f"{value!r} is no counter")
    return value


def _sums(rows: Mapping[str, str]) -> Iterator[tuple[str, FileSum]]:
    for path, words in rows.items():
        digest, size, *rest = words.split(" ")
        if _DIGEST.fullmatch(digest) is None or not size.isascii() or not size.isdigit() or rest not in ([], ["x"]):
            raise ManifestError(f"{path}: no digest and size")
        yield checked_path(path), FileSum(int(size), digest, rest == ["x"])


def checked_path(path: str) -> str:
    """Return a path that stays below its folder. Raises ManifestError for any other."""
    parts = path.split("/")
    is_plain = path.isprintable() and "\\" not in path and all(part not in ("", ".", "..") for part in parts)
    if not is_plain or str(PurePosixPath(path)) != path or path.startswith("/"):
        raise ManifestError(f"{path!r}: not a path below the program's folder")
    return path


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions are compared by; 1.2 equals 1.2.0. Of a version that ``decode`` has let through."""
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def encode_sums(sums: Mapping[str, FileSum]) -> bytes:
    """Return a bare list of files as canonical JSON, for what was made on this machine."""
    return _canonical({"format": f"{FORMAT} list", "files": _rows(sums)})


def decode_sums(data: bytes) -> dict[str, FileSum]:
    """Read a bare list of files. Raises ManifestError for anything else."""
    try:
        values = json.loads(data)
        if values["format"] != f"{FORMAT} list":
            raise ManifestError("not a list of files")
        return dict(_sums(values["files"]))
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise ManifestError(f"not a list of files: {error}") from None


def differences(wanted: Mapping[str, FileSum], found: Iterable[tuple[str, FileSum]]) -> Iterator[str]:
    """Yield what differs, as ``changed PATH``, ``extra PATH`` and, at the end, ``missing PATH``."""
    seen = set()
    for path, at in found:
        seen.add(path)
        expected = wanted.get(path)
        if expected is None:
            yield f"extra {path}"
        elif expected != at:
            yield f"changed {path}"
    yield from (f"missing {path}" for path in sorted(set(wanted) - seen))
