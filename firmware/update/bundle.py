"""A bundle: one file with a program, its manifest and its packages, of which every byte is signed.

    croupier-bundle/1\\n        the format
    64 bytes                   Ed25519 signature of the format's line and the SHA-512 of all that follows
    a tar, compressed by gzip  manifest.json, manifest.sig, the files of the manifest, wheels/

The signature is checked over the whole file before anything in it is looked at, so no parser ever sees what a stranger
wrote. Members are then read one by one and written to paths that the manifest names, as plain files: the tar's own
paths, links, owners and rights decide nothing. Not responsible for where files go (``versions``).
"""

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from firmware.errors import UserError
from firmware.manifest.check import manifest_of
from firmware.manifest.model import MAXIMUM_BYTES, FileSum, Manifest, ManifestError
from firmware.manifest.tree import MANIFEST_NAME, SIGNATURE_NAME
from firmware.signing.ed25519 import SIGNATURE_BYTES, PrivateKey, verify

MAGIC: Final = b"croupier-bundle/1\n"
WHEELS: Final = "wheels/"
_CHUNK: Final = 1 << 20
_LARGEST_FILE: Final = 200 << 20


class BundleError(UserError):
    """A file that is no bundle, is damaged, or is not signed by a trusted key. Nothing was installed."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle whose signature is good."""

    path: Path
    manifest: Manifest
    manifest_bytes: bytes
    manifest_signature: bytes
    key: bytes
    """The public key that signed."""

    def files(self) -> Iterator[tuple[str, FileSum, bytes]]:
        """Yield every file as path, sum and contents; wheels under ``wheels/``. Raises BundleError unless all are there."""
        wanted = {**self.manifest.files, **{WHEELS + name: at for name, at in self.manifest.wheels.items()}}
        for name, data in _members(self.path):
            if name in (MANIFEST_NAME, SIGNATURE_NAME):
                continue
            expected = wanted.pop(name, None)
            if expected is None:
                raise BundleError(f"{self.path}: holds {name!r}, which its manifest does not name")
            if FileSum(len(data), hashlib.sha256(data).hexdigest(), expected.executable) != expected:
                raise BundleError(f"{self.path}: {name} is not the file of its manifest")
            yield name, expected, data
        if wanted:
            raise BundleError(f"{self.path}: lacks {min(wanted)} and {len(wanted) - 1} more files of its manifest")


def open_bundle(path: Path, keys: Mapping[str, bytes]) -> Bundle:
    """Check a bundle's signature and read its manifest.

    Raises:
        BundleError: it can't be read, is no bundle, or none of these keys signed exactly these bytes.
    """
    if not keys:
        raise BundleError("no key is trusted here: put the maker's public key into /etc/croupier/keys as NAME.pub")
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise BundleError(f"{path}: not a bundle of this format")
            signature, message = file.read(SIGNATURE_BYTES), MAGIC + _digest(file)
    except OSError as error:
        raise BundleError(f"{path}: {error.strerror or error}") from None
    if not any(verify(key, message, signature) for key in keys.values()):
        raise BundleError(
            f"{path}: damaged, incomplete, or not signed by a key that is trusted here; get it anew from its maker"
        )
    first = dict(_first_two(path))
    data, own_signature = first.get(MANIFEST_NAME, b""), first.get(SIGNATURE_NAME, b"")
    try:
        manifest, key = manifest_of(data, own_signature, keys)
    except ManifestError as error:
        raise BundleError(f"{path}: {error}") from None
    return Bundle(path, manifest, data, own_signature, key)


def _digest(file: IO[bytes]) -> bytes:
    total = hashlib.sha512()
    while chunk := file.read(_CHUNK):
        total.update(chunk)
    return total.digest()


def _first_two(path: Path) -> Iterator[tuple[str, bytes]]:
    members = _members(path)
    for _ in range(2):
        pair = next(members, None)
        if pair is None or len(pair[1]) > MAXIMUM_BYTES:
            raise BundleError(f"{path}: does not begin with a manifest")
        yield pair


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of the regular files; anything else in a bundle is refused."""
    try:
        with path.open("rb") as file:
            file.seek(len(MAGIC) + SIGNATURE_BYTES)
            with tarfile.open(fileobj=file, mode="r|gz") as archive:
                for member in archive:
                    contents = archive.extractfile(member) if member.isreg() else None
                    if contents is None or member.size > _LARGEST_FILE:
                        raise BundleError(f"{path}: holds {member.name!r}, which is no plain file of a sane size")
                    yield member.name, contents.read()
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise BundleError(f"{path}: {error}") from None


def write_bundle(
    path: Path,
    root: Path,
    manifest: Manifest,
    key: PrivateKey,
    wheels: Mapping[str, Path],
    on_file: Callable[[str], object] = lambda _: None,
) -> None:
    """Write a bundle of a program's folder. The same files, manifest and key give the same bytes.

    Raises:
        OSError: a file can't be read or written.
        BundleError: a file has changed since the manifest was made.
    """
    data = manifest.encode()
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, compresslevel=9) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        _add(archive, MANIFEST_NAME, data)
        _add(archive, SIGNATURE_NAME, key.sign(data))
        places = {name: root / name for name in manifest.files} | {WHEELS + name: at for name, at in wheels.items()}
        sums = {**manifest.files, **{WHEELS + name: at for name, at in manifest.wheels.items()}}
        for name, place in sorted(places.items()):
            contents = place.read_bytes()
            if hashlib.sha256(contents).hexdigest() != sums[name].sha256:
                raise BundleError(f"{place}: has changed while the bundle was made; make it again")
            _add(archive, name, contents)
            on_file(name)
    payload = packed.getvalue()
    draft = path.with_name(f".{path.name}.part")
    draft.write_bytes(MAGIC + key.sign(MAGIC + hashlib.sha512(payload).digest()) + payload)
    draft.replace(path)


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))
