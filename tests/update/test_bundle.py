"""Bundles: whatever is not exactly what a trusted maker signed is refused before anything of it is used."""

import gzip
import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from firmware.manifest.check import trusted_keys
from firmware.manifest.command import release
from firmware.manifest.model import FileSum, Manifest
from firmware.signing.ed25519 import SIGNATURE_BYTES, new_key
from firmware.update.bundle import MAGIC, BundleError, open_bundle
from tests.manifest.programs import KEY, trust
from tests.update.releases import bundle, write_program


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, bytes]:
    return trusted_keys(trust(tmp_path / "keys"))


def whole(path: Path, keys: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, _, data in open_bundle(path, keys).files()}


def test_a_bundle_gives_back_its_files(tmp_path: Path, keys: dict[str, bytes]) -> None:
    path = bundle(tmp_path, "1.1.0", 2)
    root = tmp_path / "release-1.1.0-2"
    files = whole(path, keys)
    assert files == {name: (root / name).read_bytes() for name in files}
    assert set(files) == set(open_bundle(path, keys).manifest.files)


def test_the_same_release_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert bundle(tmp_path / "a", "1.1.0", 2).read_bytes() == bundle(tmp_path / "b", "1.1.0", 2).read_bytes()


def test_another_makers_bundle_is_refused(tmp_path: Path, keys: dict[str, bytes]) -> None:
    with pytest.raises(BundleError, match="not signed by a key that is trusted"):
        open_bundle(bundle(tmp_path, "1.1.0", 2, key=new_key()), keys)


def test_without_a_trusted_key_nothing_is_installed(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"no key is trusted here.*/etc/croupier/keys"):
        open_bundle(bundle(tmp_path, "1.1.0", 2), {})


def test_every_flipped_byte_is_refused(tmp_path: Path, keys: dict[str, bytes]) -> None:
    path = bundle(tmp_path, "1.1.0", 2)
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BundleError):
            open_bundle(path, keys)


def test_every_truncation_and_any_addition_is_refused(tmp_path: Path, keys: dict[str, bytes]) -> None:
    path = bundle(tmp_path, "1.1.0", 2)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(BundleError):
            open_bundle(path, keys)
    path.write_bytes(data + b"\0")
    with pytest.raises(BundleError):
        open_bundle(path, keys)


def test_what_is_no_file_is_named(tmp_path: Path, keys: dict[str, bytes]) -> None:
    with pytest.raises(BundleError, match="No such file"):
        open_bundle(tmp_path / "none", keys)
    with pytest.raises(BundleError, match="Is a directory"):
        open_bundle(tmp_path, keys)


def forged(tmp_path: Path, *members: tarfile.TarInfo, manifest: Manifest | None = None, cut: int = 0) -> Path:
    """A bundle that the maker's own key signed, but whose tar holds something else: the key alone does not make it safe."""
    root = write_program(tmp_path / "release", "1.1.0")
    manifest = manifest or release(root, counter=2, minimum_version="0.1.0", version="1.1.0")
    data, packed = manifest.encode(), io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, contents in (
            ("manifest.json", data),
            ("manifest.sig", KEY.sign(data)),
            *((name, (root / name).read_bytes()) for name in sorted(manifest.files)[: len(manifest.files) - cut]),
        ):
            info = tarfile.TarInfo(name)
            info.size = len(contents)
            archive.addfile(info, io.BytesIO(contents))
        for info in members:
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    payload = gzip.compress(packed.getvalue(), mtime=0)
    path = tmp_path / "forged.bundle"
    path.write_bytes(MAGIC + KEY.sign(MAGIC + hashlib.sha512(payload).digest()) + payload)
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def test_the_forger_of_these_tests_can_make_a_good_one(tmp_path: Path, keys: dict[str, bytes]) -> None:
    assert whole(forged(tmp_path), keys)


@pytest.mark.parametrize(
    "extra",
    [
        member("../../etc/passwd", size=1),
        member("/etc/passwd", size=1),
        member("firmware/../../x", size=1),
        member("extra.py", size=1),
        member("firmware/link.py", tarfile.SYMTYPE, "/etc/passwd"),
        member("firmware/money.py", tarfile.SYMTYPE, "/etc/passwd"),
        member("firmware/hard.py", tarfile.LNKTYPE, "croupier"),
        member("firmware/pipe", tarfile.FIFOTYPE),
        member("firmware/device", tarfile.CHRTYPE),
        member("firmware", tarfile.DIRTYPE),
        member("croupier", size=1),
    ],
    ids=lambda info: f"{info.name} {info.type.decode()}",
)
def test_a_member_that_the_manifest_does_not_name_is_refused(
    tmp_path: Path, keys: dict[str, bytes], extra: tarfile.TarInfo
) -> None:
    with pytest.raises(BundleError):
        whole(forged(tmp_path, extra), keys)


def test_a_manifest_that_names_a_path_outside_is_refused(tmp_path: Path, keys: dict[str, bytes]) -> None:
    evil = Manifest("1.1.0", 2, "0.1.0", {"../evil.py": FileSum(0, hashlib.sha256(b"").hexdigest())}, {})
    write_program(tmp_path / "release", "1.1.0")
    (tmp_path / "evil.py").write_bytes(b"")
    with pytest.raises(BundleError, match="not a path below"):
        open_bundle(forged(tmp_path, manifest=evil), keys)


def test_a_file_of_the_manifest_that_is_not_there_is_named(tmp_path: Path, keys: dict[str, bytes]) -> None:
    with pytest.raises(BundleError, match=r"lacks requirements\.lock and 1 more"):
        whole(forged(tmp_path, cut=2), keys)


def test_a_signed_file_that_is_no_tar_is_refused(tmp_path: Path, keys: dict[str, bytes]) -> None:
    path = tmp_path / "odd.bundle"
    for payload in (b"", b"no gzip", gzip.compress(b"no tar"), gzip.compress(b"")):
        path.write_bytes(MAGIC + KEY.sign(MAGIC + hashlib.sha512(payload).digest()) + payload)
        with pytest.raises(BundleError):
            open_bundle(path, keys)


def test_the_signature_is_where_the_format_says(tmp_path: Path) -> None:
    data = bundle(tmp_path, "1.1.0", 2).read_bytes()
    payload = data[len(MAGIC) + SIGNATURE_BYTES :]
    assert data[len(MAGIC) : len(MAGIC) + SIGNATURE_BYTES] == KEY.sign(MAGIC + hashlib.sha512(payload).digest())
