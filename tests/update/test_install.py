"""Installing: old or new and nothing between, whatever happens at whatever step; and the way back by itself."""

import hashlib
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from firmware.errors import UserError
from firmware.update.versions import Disk
from tests.update.releases import Site, bundle, site


class PowerCut(BaseException):
    """The power is gone: no handler of the program may catch it."""


class FailingDisk(Disk):
    """Fails at a moment: before a step (with half a file written, half a folder removed) or right after it."""

    def __init__(self, failing_moment: int, failure: BaseException) -> None:
        self._moment, self._failure = failing_moment, failure
        self.moments: list[str] = []

    @contextmanager
    def _step(self, what: str) -> Iterator[bool]:
        """Give whether the step is to be done half, before it fails."""
        self.moments.append(f"before {what}")
        is_last = len(self.moments) > self._moment
        if not is_last:
            yield False
            self.moments.append(f"after {what}")
            is_last = len(self.moments) > self._moment
        else:
            yield True
        if is_last:
            raise self._failure

    def make_folder(self, path: Path) -> None:
        with self._step(f"folder {path.name}") as half:
            if not half:
                super().make_folder(path)

    def write(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        with self._step(f"write {path.name}") as half:
            super().write(path, data[: len(data) // 2] if half else data, mode)

    def rename(self, old: Path, new: Path) -> None:
        with self._step(f"rename to {new.name}") as half:
            if not half:
                super().rename(old, new)

    def link(self, path: Path, target: str) -> None:
        with self._step(f"link {path.name}") as half:
            if not half:
                super().link(path, target)

    def remove(self, path: Path) -> None:
        with self._step(f"remove {path.name}") as half:
            for child in list(path.iterdir())[:3] if half and path.is_dir() and not path.is_symlink() else ():
                super().remove(child)
            if not half:
                super().remove(path)

    def settle(self) -> None:
        with self._step("settle"):
            pass


@pytest.fixture
def here(tmp_path: Path) -> Site:
    return site(tmp_path)


def updated(here: Site) -> Site:
    """A machine that already runs an update: 1.1.0, with the factory's version behind it."""
    here.install(bundle(here.folder, "1.1.0", 1))
    assert here.start() == "1.1.0 run"
    here.ready()
    return here


def test_factory_runs_until_there_is_an_update(here: Site) -> None:
    assert here.start("run", "--config", "a b.toml") == "1.0.0 run --config a b.toml"
    here.ready()
    assert here.start() == "1.0.0 run"


def test_an_update_runs_from_the_next_start_on_and_keeps_the_version_before(here: Site) -> None:
    version = here.install(bundle(here.folder, "1.1.0", 1))
    assert version.name == "1.1.0-1"
    assert here.start() == "1.1.0 run"
    here.ready()
    for _ in range(5):
        assert here.start() == "1.1.0 run"
    assert here.place.version("previous") == here.place.factory
    verdict = here.verdict(version)
    assert (verdict.state, verdict.sealed, verdict.version) == ("signed", True, "1.1.0")


def test_only_the_version_before_is_kept(here: Site) -> None:
    for number in (1, 2, 3):
        here.install(bundle(here.folder, f"1.{number}.0", number))
        here.start()
        here.ready()
    names = sorted(path.name for path in here.place.versions.iterdir())
    assert names == ["1.2.0-2", "1.3.0-3", "current", "previous"]


def test_what_the_file_system_keeps_in_a_partition_of_its_own_stays(here: Site) -> None:
    (here.place.versions / "lost+found").mkdir(parents=True)
    here.install(bundle(here.folder, "1.1.0", 1))
    assert (here.place.versions / "lost+found").is_dir()


def test_a_version_that_does_not_become_ready_twice_is_left_for_the_one_before(here: Site) -> None:
    updated(here).install(bundle(here.folder, "1.2.0", 2))
    assert here.start() == "1.2.0 run"
    assert here.start() == "1.2.0 run"
    for _ in range(3):
        assert here.start() == "1.1.0 run"
        here.ready()
    assert here.place.boot_state() == ("1.2.0-2", "failed")
    assert here.place.running().name == "1.1.0-1"


def test_a_version_that_becomes_ready_the_second_time_stays(here: Site) -> None:
    updated(here).install(bundle(here.folder, "1.2.0", 2))
    here.start()
    here.start()
    here.ready()
    assert here.start() == "1.2.0 run"
    assert here.place.boot_state() == ("1.2.0-2", "ok")


def test_after_going_back_another_update_and_even_the_same_may_be_tried(here: Site) -> None:
    updated(here).install(bundle(here.folder, "1.2.0", 2))
    for _ in range(3):
        here.start()
    assert here.start() == "1.1.0 run"
    here.install(here.folder / "1.2.0-2.bundle")
    assert here.place.version("previous") == here.place.versions / "1.1.0-1"
    assert here.start() == "1.2.0 run"
    here.start()
    assert here.start() == "1.1.0 run"
    here.install(bundle(here.folder, "1.3.0", 3))
    assert here.start() == "1.3.0 run"
    here.ready()
    assert here.place.version("previous") == here.place.versions / "1.1.0-1"


def test_a_note_that_is_garbage_or_cannot_be_written_starts_the_version_all_the_same(here: Site) -> None:
    updated(here)
    for garbage in ("", "x", "1.1.0-1", "1.1.0-1 99", "1.1.0-1 -1", "1.1.0-1 ok extra", "\0\0\0", "$(reboot) 2"):
        here.place.boot.write_text(garbage)
        assert here.start() == "1.1.0 run", repr(garbage)
    here.place.boot.unlink()
    here.place.boot.mkdir()
    assert here.start() == "1.1.0 run"
    Disk().remove(here.place.boot.parent)
    assert here.start() == "1.1.0 run"


def test_a_version_whose_folder_is_lost_gives_way_to_the_one_before_and_that_to_the_factory(here: Site) -> None:
    updated(here).install(bundle(here.folder, "1.2.0", 2))
    Disk().remove(here.place.versions / "1.2.0-2")
    assert here.start() == "1.1.0 run"
    Disk().remove(here.place.versions / "1.1.0-1")
    assert here.start() == "1.0.0 run"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A machine that has had two updates, its copy to begin anew from, and a third bundle."""
    folder = tmp_path_factory.mktemp("machine")
    here = updated(site(folder / "site"))
    here.install(bundle(folder, "1.2.0", 2))
    here.start()
    here.ready()
    bundle(folder, "1.3.0", 3)
    shutil.copytree(here.folder, folder / "copy", symlinks=True)
    return here


def third(pristine: Site) -> Path:
    return pristine.folder.parent / "1.3.0-3.bundle"


def restored(pristine: Site) -> Site:
    shutil.rmtree(pristine.folder)
    shutil.copytree(pristine.folder.parent / "copy", pristine.folder, symlinks=True)
    return pristine


@pytest.fixture(scope="module")
def moments(pristine: Site) -> list[str]:
    disk = FailingDisk(10**6, PowerCut())
    restored(pristine).install(third(pristine), disk)
    return disk.moments


def interrupted(pristine: Site, moments: list[str], failure: BaseException) -> Iterator[tuple[str, Site]]:
    for number, moment in enumerate(moments):
        here = restored(pristine)
        with suppress(PowerCut, UserError):
            here.install(third(here), FailingDisk(number, failure))
        yield moment, here


def test_the_moments_are_those_of_a_whole_update(moments: list[str]) -> None:
    assert len(moments) > 50
    order = [
        moments.index(f"after {what}")
        for what in ("settle", "rename to 1.3.0-3", "rename to previous", "rename to current", "remove 1.1.0-1")
    ]
    assert order == sorted(order)


def test_a_power_cut_at_any_moment_leaves_a_whole_version_that_starts(pristine: Site, moments: list[str]) -> None:
    seen = set()
    for moment, here in interrupted(pristine, moments, PowerCut()):
        started = here.start()
        seen.add(started)
        verdict = here.verdict(here.place.running())
        assert (verdict.state, verdict.problems) == ("signed", ()), moment
        assert started == f"{verdict.version} run", moment
        here.ready()
        assert here.start() == started, moment
        if started == "1.2.0 run":  # and the update can be done again
            here.install(third(here))
            assert here.start() == "1.3.0 run", moment
    assert seen == {"1.2.0 run", "1.3.0 run"}


def test_a_power_cut_never_leads_to_the_new_version_without_a_way_back(pristine: Site, moments: list[str]) -> None:
    for moment, here in interrupted(pristine, moments, PowerCut()):
        here.start()
        here.start()
        assert here.start() == "1.2.0 run", moment


def test_a_full_disk_at_any_moment_leaves_the_version_in_use_until_the_switch(
    pristine: Site, moments: list[str]
) -> None:
    switched = moments.index("after rename to current")
    for moment, here in interrupted(pristine, moments[:switched], OSError(28, "No space left on device")):
        assert here.start() == "1.2.0 run", moment
        assert here.verdict(here.place.running()).state == "signed", moment


def test_the_disks_error_is_one_line_with_what_stays(here: Site) -> None:
    with pytest.raises(UserError, match="No space left on device; nothing has changed, the version in use stays"):
        here.install(bundle(here.folder, "1.1.0", 1), FailingDisk(8, OSError(28, "No space left on device")))


def test_a_medium_that_gives_back_other_bytes_is_noticed(here: Site) -> None:
    class LyingDisk(Disk):
        def write(self, path: Path, data: bytes, mode: int = 0o644) -> None:
            super().write(path, data.replace(b"CENT", b"DIME") if path.name == "money.py" else data, mode)

    with pytest.raises(UserError, match="gives back other bytes"):
        here.install(bundle(here.folder, "1.1.0", 1), LyingDisk())
    assert here.start() == "1.0.0 run"


def test_the_installed_version_in_use_is_not_installed_again(here: Site) -> None:
    updated(here)
    with pytest.raises(UserError, match=r"1\.1\.0-1 is installed and in use"):
        here.install(here.folder / "1.1.0-1.bundle")


def test_other_packages_without_wheels_are_refused_and_nothing_changes(here: Site) -> None:
    with pytest.raises(UserError, match=r"needs other packages.*--wheels"):
        here.install(bundle(here.folder, "1.1.0", 1, lock=b"other==2\n"))
    assert here.start() == "1.0.0 run"


def wheel(folder: Path) -> tuple[Path, bytes]:
    """A package of one module, and the lock file that names it by its hash."""
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny.py", "SIZE = 1\n")
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("tiny-1.0.dist-info/RECORD", "tiny.py,,\n")
    return path, f"tiny==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()


def test_packages_that_a_bundle_brings_are_installed_sealed_and_shared(here: Site) -> None:
    path, lock = wheel(here.folder)
    version = here.install(bundle(here.folder, "1.1.0", 1, lock=lock, wheels={path.name: path}))
    packages = (version / ".venv").resolve()
    assert packages.parent == here.place.versions
    code = "import tiny; print(tiny.SIZE)"
    done = subprocess.run([version / ".venv/bin/python", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
    assert (version / ".venv/installed-requirements.lock").read_bytes() == lock
    here.start()
    here.ready()
    later = here.install(bundle(here.folder, "1.2.0", 2, lock=lock))
    assert (later / ".venv").resolve() == packages
    assert here.verdict(later).state == "signed"
    next(packages.rglob("tiny.py")).write_text("SIZE = 2\n")
    assert here.verdict(later).state == "altered"


def test_a_package_that_is_not_the_locked_one_is_refused(here: Site) -> None:
    path, lock = wheel(here.folder)
    other = lock.replace(b"sha256:", b"sha256:0")[:-2] + b"\n"
    with pytest.raises(UserError, match="could not install the packages"):
        here.install(bundle(here.folder, "1.1.0", 1, lock=other, wheels={path.name: path}))
    assert here.start() == "1.0.0 run"
