"""The terminal's own key pair, made at its first use: it says which machine a report, a ticket or a proof came from.

It lies in the data folder as ``keys/terminal.pem`` (readable by the terminal's user alone) and ``keys/terminal.pub``. A
RAM clear keeps it: the key is the machine's identity and not a part of its accounts, and what was signed before a clear,
the meters before the clear among it, must stay checkable. Whoever copies the card copies the key; an operator who loses
one removes the folder ``keys``, and the terminal makes a new pair at the next use, with another fingerprint.

Not responsible for what is signed, or for whether anybody trusts the key.
"""

import os
import stat
from pathlib import Path
from typing import Final

from firmware.signing.ed25519 import PrivateKey, new_key, private_key, public_pem
from firmware.signing.errors import SigningError

FOLDER: Final = "keys"
PRIVATE_NAME: Final = "terminal.pem"
PUBLIC_NAME: Final = "terminal.pub"


def terminal_key(data_dir: Path) -> PrivateKey:
    """Return the key of the terminal whose data folder this is; it is made if there is none.

    Two that make it at the same time get the same key.

    Raises:
        SigningError: the key is damaged or others may read it, or the folder can't be written.
    """
    folder = data_dir / FOLDER
    path = folder / PRIVATE_NAME
    try:
        if not path.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make(folder, path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SigningError(f"{path}: others may read this key; keep it to its owner: chmod 600 {path}")
        key = private_key(path.read_bytes())
        _keep_public(folder, key)
    except OSError as error:
        raise SigningError(f"{path}: {error.strerror or error}; the terminal's key can't be read or made") from error
    except SigningError as error:
        if str(path) in str(error):
            raise
        raise SigningError(f"{path}: {error}; remove it and the terminal makes a new key") from None
    return key


def _make(folder: Path, path: Path) -> None:
    """Write a new key under a name of its own, then give it its name unless another process was faster."""
    draft = folder / f".{PRIVATE_NAME}.{os.getpid()}"
    draft.unlink(missing_ok=True)
    _write(draft, new_key().pem(), 0o600)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    _sync_folder(folder)


def _keep_public(folder: Path, key: PrivateKey) -> None:
    path = folder / PUBLIC_NAME
    pem = public_pem(key.public)
    if not path.exists() or path.read_bytes() != pem:
        draft = folder / f".{PUBLIC_NAME}.{os.getpid()}"
        draft.unlink(missing_ok=True)
        _write(draft, pem, 0o644)
        draft.replace(path)
        _sync_folder(folder)


def _write(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
