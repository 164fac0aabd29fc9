"""A signed program: whatever is changed in it is seen, and what a terminal does without a key is a policy with a test."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.manifest.check import Verdict, check
from firmware.manifest.command import seal
from firmware.manifest.tree import MANIFEST_NAME, SEAL_NAME, SIGNATURE_NAME
from firmware.signing.ed25519 import fingerprint, new_key
from tests.manifest.programs import FILES, KEY, program, sign, trust


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return sign(program(tmp_path / "program"))


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return trust(tmp_path / "keys")


def problems(root: Path, keys: Path) -> tuple[str, ...]:
    verdict = check(root, keys)
    assert (verdict.state == "altered") == bool(verdict.problems)
    return verdict.problems


def test_a_program_as_it_was_signed_is_signed(root: Path, keys: Path) -> None:
    assert check(root, keys) == Verdict(
        "signed", version="1.0.0", counter=1, fingerprint=fingerprint(KEY.public), file_count=len(FILES) + 1
    )


def test_every_flipped_bit_of_every_file_is_seen(root: Path, keys: Path) -> None:
    for path in (*FILES, MANIFEST_NAME, SIGNATURE_NAME):
        data = (root / path).read_bytes()
        for bit in range(0, len(data) * 8, 13):
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            (root / path).write_bytes(bytes(changed))
            assert problems(root, keys), f"bit {bit} of {path}"
        (root / path).write_bytes(data)
    assert not problems(root, keys)


@pytest.mark.parametrize("path", ["firmware/extra.py", "random.py", "config/games/x.toml", "firmware/new/__init__.py"])
def test_an_extra_file_is_seen(root: Path, keys: Path, path: str) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_bytes(b"")
    assert problems(root, keys) == (f"extra {path}",)


def test_an_extra_byte_a_missing_file_and_a_lost_right_are_seen(root: Path, keys: Path) -> None:
    with (root / "firmware/money.py").open("ab") as file:
        file.write(b"\n")
    (root / "requirements.lock").unlink()
    (root / "croupier").chmod(0o644)
    assert problems(root, keys) == ("changed croupier", "changed firmware/money.py", "missing requirements.lock")


def test_a_link_to_the_same_bytes_is_not_the_file(root: Path, keys: Path, tmp_path: Path) -> None:
    (root / "firmware/money.py").rename(tmp_path / "money.py")
    (root / "firmware/money.py").symlink_to(tmp_path / "money.py")
    assert problems(root, keys) == ("changed firmware/money.py",)


def test_a_linked_folder_and_a_pipe_are_seen_and_never_read(root: Path, keys: Path, tmp_path: Path) -> None:
    (root / "firmware/loop").symlink_to(root)
    os.mkfifo(root / "firmware/pipe.py")
    assert problems(root, keys) == ("extra firmware/loop", "extra firmware/pipe.py")


def test_a_file_that_cannot_be_read_is_a_problem_and_no_crash(root: Path, keys: Path) -> None:
    (root / MANIFEST_NAME).unlink()
    (root / MANIFEST_NAME).mkdir()
    assert "Is a directory" in problems(root, keys)[0]


def test_another_makers_signature_is_not_good(root: Path, keys: Path) -> None:
    sign(root, key=new_key())
    assert problems(root, keys) == ("manifest.json is not signed by a key that is trusted here",)


def test_one_of_several_trusted_keys_is_enough(root: Path, keys: Path) -> None:
    other = new_key()
    (trust(keys.parent / "others", other) / "maker.pub").rename(keys / "another.pub")
    sign(root, key=other)
    assert check(root, keys).fingerprint == fingerprint(other.public)


def test_with_a_trusted_key_a_missing_manifest_is_an_alteration(root: Path, keys: Path) -> None:
    (root / MANIFEST_NAME).unlink()
    assert problems(root, keys) == ("manifest.json: No such file or directory",)


def test_without_a_trusted_key_nothing_is_compared_and_that_is_said(root: Path, tmp_path: Path) -> None:
    (root / "firmware/money.py").write_bytes(b"CENT = 2\n")
    assert check(root, tmp_path / "no-keys") == Verdict("unsigned")


def test_where_a_signature_is_required_no_trusted_key_will_not_do(root: Path, tmp_path: Path) -> None:
    verdict = check(root, tmp_path / "no-keys", require=True)
    assert (verdict.state, verdict.problems) == ("altered", ("no key is trusted",))


def test_a_damaged_trusted_key_is_an_alteration_and_not_no_key(root: Path, keys: Path) -> None:
    (keys / "maker.pub").write_bytes(b"-----BEGIN")
    assert "maker.pub: not a public key" in problems(root, keys)[0]


def test_compiled_modules_and_packages_count_once_they_are_sealed(root: Path, keys: Path) -> None:
    (root / "firmware/__pycache__").mkdir()
    compiled = root / "firmware/__pycache__/money.cpython-311.pyc"
    compiled.write_bytes(b"compiled")
    (root / ".venv/lib").mkdir(parents=True)
    (root / ".venv/lib/package.py").write_bytes(b"package")
    (root / ".venv/python").symlink_to("/usr/bin/python3")
    assert not check(root, keys).sealed
    assert seal(root) == 3
    assert check(root, keys).sealed
    compiled.write_bytes(b"Compiled")
    (root / ".venv/lib/package.pth").write_bytes(b"import evil")
    (root / ".venv/python").unlink()
    (root / ".venv/python").symlink_to("/tmp/python3")
    (root / ".venv/lib64").symlink_to("lib")
    assert set(problems(root, keys)) == {
        "changed firmware/__pycache__/money.cpython-311.pyc",
        "changed .venv/python",
        "extra .venv/lib/package.pth",
        "extra .venv/lib64",
    }


def test_packages_are_followed_to_where_versions_share_them(root: Path, keys: Path) -> None:
    (root.parent / "packages").mkdir()
    (root.parent / "packages/package.py").write_bytes(b"package")
    (root / ".venv").symlink_to("../packages")
    assert seal(root) == 1
    (root.parent / "packages/package.py").write_bytes(b"Package")
    assert problems(root, keys) == ("changed .venv/package.py",)


def test_a_damaged_seal_is_an_alteration(root: Path, keys: Path) -> None:
    seal(root)
    (root / SEAL_NAME).write_bytes(b"{}")
    assert problems(root, keys)[0].startswith("sealed.json: not a list of files")


def test_a_program_that_differs_everywhere_does_not_fill_a_journal(root: Path, keys: Path) -> None:
    for number in range(100):
        (root / f"extra-{number:03}").write_bytes(b"")
    assert len(problems(root, keys)) == 20


def test_names_with_a_dot_at_the_top_are_not_the_program(root: Path, keys: Path) -> None:
    (root / ".git").mkdir()
    (root / ".git/config").write_bytes(b"x")
    (root / ".gitignore").write_bytes(b"x")
    assert not problems(root, keys)
    (root / "firmware/.hidden.py").write_bytes(b"x")
    assert problems(root, keys) == ("extra firmware/.hidden.py",)


@given(st.binary(max_size=300))
def test_garbage_is_no_manifest(data: bytes) -> None:
    from firmware.manifest.model import ManifestError, decode, decode_sums

    for read in (decode, decode_sums):
        with pytest.raises(ManifestError):
            read(data)
