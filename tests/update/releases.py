"""Releases of a small program for updates: bundles, a place to install them, and the start as systemd would do it."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware.manifest.check import Verdict, check, trusted_keys
from firmware.manifest.command import release
from firmware.manifest.model import FileSum, Manifest
from firmware.manifest.tree import sum_of
from firmware.signing.ed25519 import PrivateKey
from firmware.update.bundle import write_bundle
from firmware.update.install import install
from firmware.update.versions import Disk, Place
from tests.manifest.programs import KEY, program, trust

START = Path(__file__).parents[2] / "systemd" / "croupier-start"
SCRIPT = '#!/bin/sh\necho "$(cat "$(dirname "$0")/version") $*"\n'


@dataclass(frozen=True)
class Site:
    """A machine with a factory version 1.0.0 and a folder of trusted keys."""

    folder: Path
    place: Place
    keys: Path

    def start(self, *words: str) -> str:
        """Start as the service does; returns what the version that was chosen says of itself."""
        environment = {
            **os.environ,
            "CROUPIER_VERSIONS": str(self.place.versions),
            "CROUPIER_FACTORY": str(self.place.factory),
            "CROUPIER_BOOT": str(self.place.boot),
        }
        done = subprocess.run(
            [START, *(words or ("run",))], env=environment, capture_output=True, text=True, timeout=30, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def ready(self) -> None:
        """Tell that the version that was started is ready."""
        assert self.start("ready") == ""

    def install(self, bundle: Path, disk: Disk | None = None) -> Path:
        """Install a bundle without asking a journal."""
        from firmware.update.bundle import open_bundle

        opened = open_bundle(bundle, trusted_keys(self.keys))
        return install(opened, self.place, disk or Disk(), note={"by": "test"}, still_allowed=lambda: None)

    def verdict(self, version: Path) -> Verdict:
        """Check an installed version against its manifest and seal."""
        return check(version, self.keys)


def write_program(root: Path, version: str) -> Path:
    """Write a program that says its version when it is started."""
    program(root, version)
    (root / "version").write_text(version)
    (root / "croupier").write_text(SCRIPT)
    return root


def site(folder: Path) -> Site:
    """Make a machine with a factory version and its packages."""
    factory = write_program(folder / "factory", "1.0.0")
    (factory / ".venv").mkdir()
    (factory / ".venv/installed-requirements.lock").write_bytes((factory / "requirements.lock").read_bytes())
    (folder / "state").mkdir()
    place = Place(folder / "versions", factory, folder / "state" / "boot")
    return Site(folder, place, trust(folder / "keys"))


def bundle(
    folder: Path,
    version: str,
    counter: int,
    *,
    key: PrivateKey = KEY,
    minimum_version: str = "0.1.0",
    wheels: Mapping[str, Path] | None = None,
    lock: bytes | None = None,
) -> Path:
    """Make a bundle of the small program."""
    root = write_program(folder / f"release-{version}-{counter}", version)
    if lock is not None:
        (root / "requirements.lock").write_bytes(lock)
    listed = release(root, counter=counter, minimum_version=minimum_version, version=version)
    sums: dict[str, FileSum] = {name: sum_of(path) for name, path in (wheels or {}).items()}
    manifest = Manifest(version, counter, minimum_version, listed.files, sums)
    path = folder / f"{version}-{counter}.bundle"
    write_bundle(path, root, manifest, key, wheels or {})
    return path
