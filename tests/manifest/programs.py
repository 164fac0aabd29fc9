"""A small program in a folder, signed by a key of the test."""

from pathlib import Path

from firmware.manifest.command import release
from firmware.manifest.tree import MANIFEST_NAME, SIGNATURE_NAME
from firmware.signing.ed25519 import PrivateKey, new_key, public_pem

KEY = new_key()
FILES = {
    "croupier": b"#!/bin/sh\nexit 0\n",
    "firmware/__init__.py": b"",
    "firmware/money.py": b"CENT = 1\n",
    "config/games/oasis.toml": b"name = 'oasis'\n",
    "requirements.lock": b"nothing==1\n",
}


def trust(folder: Path, key: PrivateKey = KEY) -> Path:
    """Make a folder of trusted keys with one key."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "maker.pub").write_bytes(public_pem(key.public))
    return folder


def program(root: Path, version: str = "1.0.0") -> Path:
    """Write a small program."""
    for path, data in {**FILES, "firmware/version.py": f"VERSION = '{version}'\n".encode()}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    (root / "croupier").chmod(0o755)
    return root


def sign(root: Path, *, version: str = "1.0.0", counter: int = 1, key: PrivateKey = KEY) -> Path:
    """Sign a program as it is."""
    data = release(root, counter=counter, minimum_version="0.1.0", version=version).encode()
    (root / MANIFEST_NAME).write_bytes(data)
    (root / SIGNATURE_NAME).write_bytes(key.sign(data))
    return root
