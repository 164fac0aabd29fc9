"""The terminal's own key: made once, kept to its owner, kept over a RAM clear."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware.signing import terminal_key as module
from firmware.signing.ed25519 import new_key, public_key, verify
from firmware.signing.errors import SigningError
from firmware.signing.terminal_key import terminal_key


def test_the_key_is_made_once_and_stays(tmp_path: Path) -> None:
    first = terminal_key(tmp_path / "data")
    assert verify(terminal_key(tmp_path / "data").public, b"x", first.sign(b"x"))
    assert public_key((tmp_path / "data/keys/terminal.pub").read_bytes()) == first.public
    assert sorted(path.name for path in (tmp_path / "data/keys").iterdir()) == ["terminal.pem", "terminal.pub"]


def test_only_the_owner_may_read_it_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        terminal_key(tmp_path)
    finally:
        os.umask(old)
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "keys/terminal.pem").stat().st_mode & 0o777 == 0o600


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    terminal_key(tmp_path)
    (tmp_path / "keys/terminal.pem").chmod(0o640)
    with pytest.raises(SigningError, match="chmod 600"):
        terminal_key(tmp_path)


def test_a_damaged_key_is_named_with_the_remedy(tmp_path: Path) -> None:
    terminal_key(tmp_path)
    (tmp_path / "keys/terminal.pem").write_bytes(b"-----BEGIN")
    with pytest.raises(SigningError, match=r"terminal\.pem: not a private key.*remove it"):
        terminal_key(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(SigningError, match=r"terminal\.pem: .*can't be read or made"):
        terminal_key(tmp_path / "data")


def test_a_disk_that_is_full_leaves_no_half_key(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch("os.fsync", side_effect=OSError(28, "No space left on device"))
    with pytest.raises(SigningError, match="No space left"):
        terminal_key(tmp_path)
    mocker.stopall()
    assert not (tmp_path / "keys/terminal.pem").exists()
    terminal_key(tmp_path)


def test_who_comes_second_gets_the_key_of_the_first(tmp_path: Path, mocker: MockerFixture) -> None:
    faster = new_key()

    def while_another_makes_one() -> object:
        (tmp_path / "keys/terminal.pem").write_bytes(faster.pem())
        (tmp_path / "keys/terminal.pem").chmod(0o600)
        return new_key()

    mocker.patch.object(module, "new_key", while_another_makes_one)
    assert terminal_key(tmp_path).public == faster.public


def test_many_processes_at_once_agree_on_one_key(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from firmware.signing.terminal_key import terminal_key\n"
        "print(terminal_key(pathlib.Path(sys.argv[1])).public.hex())"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    answers = {child.communicate()[0] for child in children}
    assert len(answers) == 1
    assert answers == {terminal_key(tmp_path).public.hex() + "\n"}


def test_a_lost_public_half_is_written_again(tmp_path: Path) -> None:
    key = terminal_key(tmp_path)
    (tmp_path / "keys/terminal.pub").write_text("something else")
    terminal_key(tmp_path)
    assert public_key((tmp_path / "keys/terminal.pub").read_bytes()) == key.public
