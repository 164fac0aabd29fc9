"""The subcommands ``update`` (on a cabinet) and ``bundle`` (where releases are made)."""

import argparse
import fcntl
import getpass
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from firmware import __version__
from firmware.errors import CheckFailed, UserError
from firmware.manifest.check import TRUSTED_KEYS, trusted_keys
from firmware.manifest.command import release, signing_key
from firmware.manifest.model import Manifest, ManifestError, decode
from firmware.manifest.tree import PROGRAM, SEAL_NAME, sum_of
from firmware.settings.loader import load_settings
from firmware.signing.ed25519 import fingerprint
from firmware.update.bundle import Bundle, open_bundle, write_bundle
from firmware.update.gate import obstacles, version_obstacles
from firmware.update.install import Installed, install, installed
from firmware.update.versions import BOOT, CURRENT, FACTORY, PREVIOUS, VERSIONS, Disk, Place

DEFAULT_CONFIG: Final = Path("/etc/croupier/cabinet.toml")


def place_here() -> Place:
    """Return where versions lie on this machine; the same variables lead ``croupier-start``."""
    names = (("CROUPIER_VERSIONS", VERSIONS), ("CROUPIER_FACTORY", FACTORY), ("CROUPIER_BOOT", BOOT))
    return Place(*(Path(os.environ.get(name, usual)) for name, usual in names))


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``update``. Returns 0; raises UserError for a bundle that is refused, CheckFailed while it may not be."""
    place, keys = place_here(), trusted_keys(arguments.keys or TRUSTED_KEYS)
    here = installed(place.running(), keys, __version__)
    if arguments.bundle is None:
        return _status(place, here, arguments)
    data_dir = arguments.data or load_settings(arguments.config or DEFAULT_CONFIG).storage.data_dir
    bundle = open_bundle(arguments.bundle, keys)
    refused = version_obstacles(bundle.manifest, here.version, here.counter)
    if refused:
        raise UserError(f"update: {'; '.join(refused)}")

    def still_allowed() -> None:
        found = obstacles(data_dir)
        if found:
            raise CheckFailed(f"update: not now: {'; '.join(found)}")

    still_allowed()
    note = {
        "from": here.version,
        "from_counter": here.counter,
        "to": bundle.manifest.version,
        "to_counter": bundle.manifest.counter,
        "by": arguments.by or os.environ.get("SUDO_USER") or getpass.getuser(),
        "at_ms": time.time_ns() // 1_000_000,
        "key": fingerprint(bundle.key),
    }
    with _alone(place), _bar(bundle.manifest, "files") as bar:
        root = install(bundle, place, Disk(), note=note, still_allowed=still_allowed, on_file=lambda _: bar.update())
    if arguments.json:
        print(json.dumps({"installed": str(root), **note}))
    else:
        print(f"{root}: version {bundle.manifest.version} is installed; {here.version} is kept")
        print("It runs from the next start on: systemctl restart croupier")
    return 0


def _status(place: Place, here: Installed, arguments: argparse.Namespace) -> int:
    tried, state = place.boot_state()
    links = {name: str(place.version(name) or "") for name in (CURRENT, PREVIOUS)}
    values: dict[str, Any] = {
        "running": str(here.root),
        "version": here.version,
        "counter": here.counter,
        "signed": here.is_signed,
        **links,
        "tried": tried,
        "state": state,
    }
    if arguments.json:
        print(json.dumps(values))
        return 0
    print(
        f"runs from {here.root}: version {here.version}, counter {here.counter}{'' if here.is_signed else ', not signed'}"
    )
    for name, folder in links.items():
        print(f"{name:9} {folder or 'none'}")
    if tried:
        words = {"ok": "works", "failed": "did not become ready twice: the version before it runs"}
        print(f"{tried} {words.get(state, f'was started {state} times and has not become ready yet')}")
    return 0


def bundle_command(arguments: argparse.Namespace) -> int:
    """Handler of ``bundle``: make one, or show what is in one. Returns 0; raises UserError."""
    if arguments.what == "show":
        return _show(arguments)
    key = signing_key(arguments.key)
    root = arguments.root or PROGRAM
    wheels = {path.name: path for path in sorted(arguments.wheels.glob("*.whl"))} if arguments.wheels else {}
    if arguments.wheels and not wheels:
        raise UserError(f"{arguments.wheels}: no packages there; ./croupier bundle make --help says how to get them")
    try:
        listed = release(root, counter=arguments.counter, minimum_version=arguments.minimum_version)
        sums = {name: sum_of(path) for name, path in wheels.items()}
        manifest = Manifest(listed.version, listed.counter, listed.minimum_version, listed.files, sums)
        decode(manifest.encode())
        if (root / SEAL_NAME).exists():
            raise UserError(f"{root}: is an installed version; make bundles from a clean clone")
        out = arguments.file or Path(f"croupier-{manifest.version}-{manifest.counter}.bundle")
        with _bar(manifest, "files") as bar:
            write_bundle(out, root, manifest, key, wheels, lambda _: bar.update())
    except ManifestError as error:
        raise UserError(f"bundle: {error}") from None
    except OSError as error:
        raise UserError(f"{error.filename or root}: {error.strerror or error}") from None
    size_kib = out.stat().st_size >> 10
    print(
        f"{out}: version {manifest.version}, counter {manifest.counter}, {len(manifest.files)} files, {len(wheels)} packages, {size_kib} KiB"
    )
    print(f"signed by {fingerprint(key.public)}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    if arguments.file is None:
        raise UserError("bundle show: say which FILE")
    bundle = open_bundle(arguments.file, trusted_keys(arguments.keys or TRUSTED_KEYS))
    values = _values(bundle)
    if arguments.json:
        print(json.dumps(values))
    else:
        for name, value in values.items():
            print(f"{name:16} {value}")
    return 0


def _values(bundle: Bundle) -> dict[str, Any]:
    for _ in bundle.files():  # every file is there and is the manifest's
        pass
    manifest = bundle.manifest
    return {
        "version": manifest.version,
        "counter": manifest.counter,
        "minimum_version": manifest.minimum_version,
        "files": len(manifest.files),
        "packages": len(manifest.wheels),
        "fingerprint": fingerprint(bundle.key),
    }


def _bar(manifest: Manifest, unit: str) -> "tqdm[Any]":
    total = len(manifest.files) + len(manifest.wheels)
    return tqdm(total=total, unit=f" {unit}", disable=not sys.stderr.isatty(), leave=False)


@contextmanager
def _alone(place: Place) -> Iterator[None]:
    """One update at a time. Raises UserError."""
    try:
        place.versions.mkdir(parents=True, exist_ok=True)
        with (place.versions / ".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
    except BlockingIOError:
        raise UserError("update: another update is under way; wait for it") from None
    except OSError as error:
        raise UserError(
            f"update: {place.versions}: {error.strerror or error}; run it as root, and on a read-only root first: "
            "mount -o remount,rw /"
        ) from None
