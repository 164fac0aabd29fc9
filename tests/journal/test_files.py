"""The real files: data and names are on the medium when a call returns, in the order the simulator takes for granted."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from firmware.journal.files import OsFiles
from tests.crash.disk import DiskFiles, Name, RecordingDisk, Rename, Sync, SyncFolder, Write

FILES = OsFiles()


class Watch:
    """Notes what is asked of the operating system, and lets it happen."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.seen: list[str] = []
        self._names: dict[int, str] = {}
        for name in ("open", "pwrite", "fsync", "fdatasync"):
            mocker.patch(f"firmware.journal.files.os.{name}", self._noting(name, getattr(os, name)))
        for name in ("replace", "unlink", "mkdir"):
            mocker.patch.object(Path, name, self._noting_path(name, getattr(Path, name)))

    def _noting(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def noted(first: Any, *others: Any) -> Any:
            if name != "open":
                self.seen.append(f"{name} {self._names[first]}")
            result = real(first, *others)
            if name == "open":
                self._names[result] = Path(first).name
            return result

        return noted

    def _noting_path(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def noted(path: Path, *others: Any, **options: Any) -> Any:
            self.seen.append(f"{name} {path.name}")
            return real(path, *others, **options)

        return noted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


def test_write_is_synced_before_it_returns(folder: Path, mocker: MockerFixture) -> None:
    (folder / "a").write_bytes(b"12345")
    watch = Watch(mocker)
    FILES.write(folder / "a", 2, b"xyz!")
    assert watch.seen == ["pwrite a", "fdatasync a"]
    assert (folder / "a").read_bytes() == b"12xyz!"


def test_replaced_file_is_synced_before_it_gets_its_name_and_its_folder_afterwards(
    folder: Path, mocker: MockerFixture
) -> None:
    (folder / "a").write_bytes(b"a longer old content")
    watch = Watch(mocker)
    FILES.replace(folder / "a", b"new")
    assert watch.seen == ["pwrite a.new", "fsync a.new", "replace a.new", "fsync folder"]
    assert (folder / "a").read_bytes() == b"new"
    assert FILES.names(folder) == ["a"]


def test_names_are_synced_when_files_are_renamed_removed_and_folders_made(folder: Path, mocker: MockerFixture) -> None:
    (folder / "a").write_bytes(b"1")
    watch = Watch(mocker)
    FILES.rename(folder / "a", folder / "b")
    FILES.remove(folder / "b")
    FILES.remove(folder / "b")
    FILES.make_folder(folder / "x" / "y")
    FILES.make_folder(folder / "x" / "y")
    assert watch.seen == [
        "replace a",
        "fsync folder",
        "unlink b",
        "fsync folder",
        "unlink b",
        "mkdir x",
        "fsync folder",
        "mkdir y",
        "fsync x",
    ]


def test_write_that_the_system_cuts_short_goes_on(folder: Path, mocker: MockerFixture) -> None:
    (folder / "a").write_bytes(bytes(20))
    real = os.pwrite
    mocker.patch("firmware.journal.files.os.pwrite", lambda fd, data, offset: real(fd, bytes(data[:3]), offset))
    FILES.write(folder / "a", 1, b"0123456789")
    assert (folder / "a").read_bytes() == bytes(1) + b"0123456789" + bytes(9)


def test_write_into_a_file_that_is_not_there_is_an_error(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FILES.write(folder / "a", 0, b"x")
    assert FILES.names(folder) == []


def test_error_of_a_sync_is_not_swallowed(folder: Path, mocker: MockerFixture) -> None:
    (folder / "a").write_bytes(b"1")
    mocker.patch("firmware.journal.files.os.fdatasync", side_effect=OSError(5, "Input/output error"))
    with pytest.raises(OSError, match="Input/output error"):
        FILES.write(folder / "a", 0, b"2")


def test_disk_of_the_simulator_does_the_same_in_the_same_order() -> None:
    disk = RecordingDisk({"/d/a": b"old"})
    files = DiskFiles(disk)
    files.write(Path("/d/a"), 1, b"x")
    files.replace(Path("/d/a"), b"new")
    files.rename(Path("/d/a"), Path("/d/b"))
    files.remove(Path("/d/b"))
    assert [type(operation) for operation in disk.log] == [
        Write,
        Sync,
        Name,
        Write,
        Sync,
        Rename,
        SyncFolder,
        Rename,
        SyncFolder,
        Name,
        SyncFolder,
    ]


@pytest.mark.parametrize("make", [lambda path: (OsFiles(), path), lambda _: (DiskFiles(RecordingDisk()), Path("/d"))])
def test_both_kinds_of_files_read_and_list_alike(tmp_path: Path, make: Callable[[Path], tuple[Any, Path]]) -> None:
    files, folder = make(tmp_path)
    assert files.names(folder / "none") == []
    for name in ("b", "a"):
        files.replace(folder / name, name.encode() * 4)
    assert files.names(folder) == ["a", "b"]
    assert files.size(folder / "a") == 4
    assert (files.read(folder / "a"), files.read(folder / "b", 1, 2)) == (b"aaaa", b"bb")
    assert files.exists(folder / "a")
    assert not files.exists(folder / "c")
    with pytest.raises(FileNotFoundError):
        files.read(folder / "c")
