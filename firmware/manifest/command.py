"""The subcommand ``manifest``: make and sign the list of the program's files, seal what was made here, verify."""

import argparse
import getpass
import json
import os
import sys
from pathlib import Path

from firmware import __version__
from firmware.errors import CheckFailed, UserError
from firmware.manifest.check import TRUSTED_KEYS, Verdict, check
from firmware.manifest.model import Manifest, ManifestError, decode, encode_sums
from firmware.manifest.tree import MANIFEST_NAME, PROGRAM, SEAL_NAME, SIGNATURE_NAME, local_paths, release_paths, sums
from firmware.signing.ed25519 import PrivateKey, fingerprint, new_key, private_key, public_pem
from firmware.signing.errors import SigningError


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``manifest``. Returns 0; raises UserError for bad use and CheckFailed for an altered program."""
    return {"make": _make, "seal": _seal, "verify": _verify, "key": _key}[arguments.what](arguments)


def release(root: Path, *, counter: int, minimum_version: str, version: str = __version__) -> Manifest:
    """Return the manifest of a folder as it is now. Raises UserError for a folder that can't be listed."""
    try:
        return Manifest(version, counter, minimum_version, dict(sums(root, release_paths(root))), {})
    except OSError as error:
        raise UserError(f"{error.filename or root}: {error.strerror or error}") from None


def signing_key(path: Path | None) -> PrivateKey:
    """Read the maker's private key; a passphrase is asked for on the terminal. Raises UserError."""
    if path is None:
        raise UserError("--key: say which private key signs; ./croupier manifest key FILE makes one")
    try:
        pem = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    passphrase = ""
    if b"ENCRYPTED" in pem:
        passphrase = getpass.getpass(f"passphrase of {path}: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    try:
        return private_key(pem, passphrase)
    except SigningError as error:
        raise UserError(f"{path}: {error}") from None


def _make(arguments: argparse.Namespace) -> int:
    root = arguments.root or PROGRAM
    key = signing_key(arguments.key)
    manifest = release(root, counter=arguments.counter, minimum_version=arguments.minimum_version)
    data = manifest.encode()
    try:
        decode(data)
        (root / MANIFEST_NAME).write_bytes(data)
        (root / SIGNATURE_NAME).write_bytes(key.sign(data))
    except ManifestError as error:
        raise UserError(f"manifest: {error}") from None
    except OSError as error:
        raise UserError(f"{root}: {error.strerror or error}") from None
    print(
        f"{root / MANIFEST_NAME}: {len(manifest.files)} files, version {manifest.version}, counter {manifest.counter}"
    )
    print(f"signed by {fingerprint(key.public)}")
    return 0


def _seal(arguments: argparse.Namespace) -> int:
    root = arguments.root or PROGRAM
    print(f"{root / SEAL_NAME}: {seal(root)} files made on this machine")
    return 0


def seal(root: Path) -> int:
    """List what was made on this machine, durably; returns the number of files. Raises UserError."""
    path = root / SEAL_NAME
    try:
        made = dict(sums(root, local_paths(root)))
        draft = path.with_suffix(".new")
        with draft.open("wb") as file:
            file.write(encode_sums(made))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise UserError(f"{error.filename or path}: {error.strerror or error}") from None
    return len(made)


def _verify(arguments: argparse.Namespace) -> int:
    verdict = check(arguments.root or PROGRAM, arguments.keys or TRUSTED_KEYS, require=arguments.require)
    if arguments.json:
        print(json.dumps(verdict.values()))
    else:
        print(describe(verdict))
    if verdict.state == "altered":
        raise CheckFailed("manifest: the program is not as it was signed: " + "; ".join(verdict.problems))
    return 0


def describe(verdict: Verdict) -> str:
    """Say a verdict in one line."""
    if verdict.state == "unsigned":
        return "not signed: no key is trusted here, so nothing was compared"
    packages = (
        "packages and compiled modules too" if verdict.sealed else "packages and compiled modules were not sealed"
    )
    return (
        f"{verdict.state}: version {verdict.version}, counter {verdict.counter}, {verdict.file_count} files compared "
        f"({packages}), signed by {verdict.fingerprint or 'nobody'}"
    )


def _key(arguments: argparse.Namespace) -> int:
    path: Path | None = arguments.file
    if path is None:
        raise UserError("manifest key: say where the key goes, e.g. ./croupier manifest key ~/release.pem")
    if PROGRAM in path.resolve().parents:
        raise UserError(f"{path}: a private key must not lie in the program's folder; choose another place")
    key, passphrase = new_key(), ""
    if arguments.passphrase:
        passphrase = getpass.getpass("passphrase: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
        if not passphrase or (sys.stdin.isatty() and getpass.getpass("again: ") != passphrase):
            raise UserError("manifest key: no passphrase, or the two are not the same; nothing was made")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(key.pem(passphrase))
        path.with_suffix(".pub").write_bytes(public_pem(key.public))
    except FileExistsError:
        raise UserError(f"{path}: there is a file already; a key is never overwritten") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    print(f"{path}: keep it off every cabinet. {path.with_suffix('.pub')}: goes to /etc/croupier/keys of each cabinet")
    print(f"fingerprint {fingerprint(key.public)}")
    return 0
