"""What is not a journal, or can't be written, is refused in one clear line and left exactly as it was."""

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware.errors import UserError
from firmware.journal.critical import Places
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    ForeignFileError,
    NoJournalError,
    OtherVersionError,
    StoreUnavailableError,
)
from firmware.journal.recovery import open_memory
from firmware.journal.schema import FILE_NAME
from firmware.journal.store import open_store
from tests.journal.memories import AT_MS, fill, opened, places_in

ROOT = Path(__file__).resolve().parents[2]


def garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)


def text(path: Path) -> None:
    path.write_text("Dear diary\n")


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def zeros(path: Path) -> None:
    path.write_bytes(bytes(8_192))


def another_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE stamps (name TEXT)")
    connection.commit()
    connection.close()


def newer(path: Path) -> None:
    with opened(Places(path.parent)) as memory:
        fill(memory, 3)
    change(path, "PRAGMA user_version = 99")


def truncated(path: Path) -> None:
    with opened(Places(path.parent)) as memory:
        fill(memory, 30)
    path.write_bytes(path.read_bytes()[:9_000])


def torn_header(path: Path) -> None:
    with opened(Places(path.parent)) as memory:
        fill(memory, 30)
    data = path.read_bytes()
    path.write_bytes(b"\xff" * 16 + data[16:])


def without_tables(path: Path) -> None:
    with opened(Places(path.parent)) as memory:
        fill(memory, 3)
    change(path, "DROP TABLE entry")


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (garbage, ForeignFileError, "not a journal"),
        (text, ForeignFileError, "not a journal"),
        (torn_header, ForeignFileError, "not a journal"),
        (nothing, DamagedJournalError, "empty"),
        (zeros, ForeignFileError, "not a journal"),
        (another_database, ForeignFileError, "another program"),
        (newer, OtherVersionError, "another version"),
        (truncated, DamagedJournalError, "malformed"),
        (without_tables, DamagedJournalError, "no such table"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_file_that_is_no_sound_journal_is_refused_in_one_line_and_left_as_it_was(
    tmp_path: Path, make: Callable[[Path], None], error: type[UserError], words: str
) -> None:
    path = tmp_path / FILE_NAME
    make(path)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(error, match=words) as caught:
            open_memory(Places(tmp_path), AT_MS)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert path.read_bytes() == before
    with pytest.raises(error):
        open_store(tmp_path, read_only=True)
    assert path.read_bytes() == before


def test_missing_journal_is_made_for_a_terminal_but_not_for_a_reader(tmp_path: Path) -> None:
    with pytest.raises(NoJournalError, match="--data"):
        open_store(tmp_path, read_only=True)
    assert list(tmp_path.iterdir()) == []
    with opened(Places(tmp_path / "a" / "b")) as memory:
        assert memory.head.seq == 0


def test_log_without_its_database_is_a_lost_journal_and_no_new_one(tmp_path: Path) -> None:
    (tmp_path / f"{FILE_NAME}-wal").write_bytes(b"x" * 4_096)
    with pytest.raises(DamagedJournalError, match="missing, though parts"):
        open_memory(Places(tmp_path), AT_MS)
    assert not (tmp_path / FILE_NAME).exists()


def test_half_made_journal_of_a_first_start_without_power_is_made_again(tmp_path: Path) -> None:
    for suffix in ("", "-wal", "-journal"):
        (tmp_path / f"{FILE_NAME}.new{suffix}").write_bytes(b"half")
    with opened(Places(tmp_path)) as memory:
        fill(memory, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", FILE_NAME]


def test_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreUnavailableError, match="data"):
        open_memory(Places(tmp_path / "data"), AT_MS)


@pytest.mark.parametrize("name", [".lock", "anchor", "log-"])
def test_place_that_can_not_be_written_takes_no_money(tmp_path: Path, mocker: MockerFixture, name: str) -> None:
    real = os.open

    def read_only(path: os.PathLike[str] | str, flags: int, *rest: int) -> int:
        if name in Path(path).name and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(30, "Read-only file system", str(path))
        return real(path, flags, *rest)

    mocker.patch("firmware.journal.files.os.open", read_only)
    expected = CommitUnknownError if name == "log-" else StoreUnavailableError
    with pytest.raises(expected, match="Read-only file system"), opened(places_in(tmp_path)) as memory:
        fill(memory, 1)


def test_memory_has_one_user_at_a_time(tmp_path: Path) -> None:
    with opened(Places(tmp_path)), pytest.raises(StoreUnavailableError, match="another croupier uses this folder"):
        open_memory(Places(tmp_path), AT_MS)
    with opened(Places(tmp_path)) as memory:
        fill(memory, 1)


def test_memory_is_free_again_when_its_user_was_killed(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from firmware.journal.critical import Places\n"
        "from firmware.journal.recovery import open_memory\n"
        "memory = open_memory(Places(Path(sys.argv[1])), 1); os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -9
    with opened(Places(tmp_path)) as memory:
        fill(memory, 1)


def test_file_that_can_not_be_an_anchor_is_left_untouched(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    assert places.anchor_file is not None
    places.anchor_file.parent.mkdir(parents=True)
    places.anchor_file.write_text("a letter to my aunt")
    with pytest.raises(ForeignFileError, match="not an anchor"):
        open_memory(places, AT_MS)
    assert places.anchor_file.read_text() == "a letter to my aunt"


@pytest.mark.parametrize("limit_kib", [0, 4, 40, 60])
def test_full_disk_is_said_in_one_line_and_nothing_recorded_is_lost(tmp_path: Path, limit_kib: int) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.journal.memories import *\n"
        "from firmware.journal.errors import *\n"
        "try:\n"
        "    with opened(Places(Path(sys.argv[1])), Sizes()) as memory:\n"
        "        for number in range(1, 200):\n"
        "            fill(memory, 1, number)\n"
        "            print(number, flush=True)\n"
        "except (StoreUnavailableError, CommitUnknownError) as error:\n"
        "    print(type(error).__name__, error)\n"
    )

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_kib * 1024, limit_kib * 1024))

    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        preexec_fn=small_files,
        capture_output=True,
        text=True,
        check=True,
    )
    *done, last = ended.stdout.splitlines()
    assert last.startswith(("StoreUnavailableError", "CommitUnknownError")), ended.stdout + ended.stderr
    with opened(Places(tmp_path)) as memory:
        recorded = len({record.at_ms for record in memory.records()})
        assert len(done) <= recorded <= len(done) + 1
        fill(memory, 1, 500)
