"""Each cabinet gets its own packages of the lock file, and keeps them over updates."""

import hashlib
import re
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware.errors import UserError
from firmware.update.locked import CABINET_LOCK, CABINET_STAMP, ROUTES, SUITES, choice_for, choice_of, locked, main
from tests.update.releases import Site, bundle, site

LOCK = (Path(__file__).parents[2] / CABINET_LOCK).read_text(encoding="ascii")
GAMES = {"pygame", "pygame-ce"}
PINS = {"gpiod", "rpi-lgpio", "lgpio", "adafruit-lgpio"}


def names(text: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("route", ROUTES)
def test_every_cabinet_has_one_pygame_at_the_most_and_all_that_is_no_pygame_and_no_pin(route: str, suite: str) -> None:
    for machine in ("aarch64", "x86_64"):
        found = names(locked(LOCK, choice_for(route, suite, machine)))
        assert len(found & GAMES) == (0 if (route, suite) == ("kmsdrm", "trixie") else 1)
        assert found - GAMES - PINS == names(LOCK) - GAMES - PINS
        assert {"starlette", "uvicorn", "gpiod"} <= found, "the audit page and the pins"


def test_a_bare_console_gets_a_pygame_that_can_draw_on_it() -> None:
    assert "pygame-ce" in names(locked(LOCK, choice_for("kmsdrm", "bookworm", "aarch64")))
    assert choice_for("kmsdrm", "trixie", "aarch64").system, "Debian's own"
    assert "pygame" in names(locked(LOCK, choice_for("fb", "trixie", "aarch64")))
    assert not choice_for("fb", "trixie", "aarch64").system


def test_a_pi_has_one_lgpio_for_its_python_whatever_the_python_that_asks() -> None:
    bookworm, trixie = (locked(LOCK, choice_for("fb", suite, "aarch64")) for suite in SUITES)
    assert names(bookworm) & PINS == {"gpiod", "rpi-lgpio", "lgpio"}
    assert names(trixie) & PINS == {"gpiod", "rpi-lgpio", "adafruit-lgpio"}
    assert "python_full_version" not in bookworm + trixie
    assert names(locked(LOCK, choice_for("fb", "bookworm", "x86_64"))) & PINS == {"gpiod"}


@pytest.mark.parametrize("route", ROUTES)
def test_what_was_installed_tells_the_choice(route: str) -> None:
    choice = choice_for(route, "trixie", "aarch64")
    assert choice_of(locked(LOCK, choice)) == choice


def test_every_package_keeps_its_hashes() -> None:
    text = locked(LOCK, choice_for("cage", "bookworm", "aarch64"))
    blocks = re.split(r"\n(?=\S)", text.strip())
    packages = [block for block in blocks if not block.startswith("#")]
    assert len(packages) == len(names(text))
    assert all("--hash=sha256:" in block for block in packages)


def test_unknown_words_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["wayland", "trixie", "aarch64"], ["fb", "sid", "aarch64"]):
        with pytest.raises(ValueError, match="expected one of"):
            main(words)
    assert main(["fb", "trixie", "aarch64"]) == 0
    assert capsys.readouterr().out == locked(LOCK, choice_for("fb", "trixie", "aarch64"))


@pytest.fixture
def here(tmp_path: Path) -> Site:
    return site(tmp_path)


def wheel(folder: Path, name: str) -> tuple[Path, str]:
    """A package of one module, and its lines of a lock file."""
    path = folder / f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        about = f"{name.replace('-', '_')}-1.0.dist-info"
        archive.writestr(f"{name.replace('-', '_')}.py", "SIZE = 1\n")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return path, f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def cabinet(here: Site, lock: str, *, system: bool = False) -> None:
    """The factory's packages are those of a cabinet without ``tiny-b``."""
    stamp = "# without tiny-b\n" + ("# with the system's packages\n" if system else "") + lock
    (here.place.factory / ".venv" / CABINET_STAMP).write_text(stamp, encoding="ascii")


def release(here: Site, version: str, counter: int, lock: str, wheels: Mapping[str, Path] | None = None) -> Path:
    (here.folder / f"release-{version}-{counter}").mkdir()
    (here.folder / f"release-{version}-{counter}" / CABINET_LOCK).write_text(lock, encoding="ascii")
    return bundle(here.folder, version, counter, wheels=wheels)


def imports(version: Path, name: str) -> bool:
    python = version / ".venv/bin/python"
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


def test_the_same_lock_shares_the_packages_of_a_cabinet_of_any_kind(here: Site) -> None:
    lock = "tiny-a==1.0 \\\n    --hash=sha256:00\n"
    cabinet(here, lock)
    both = lock + "tiny-b==1.0 \\\n    --hash=sha256:11\n"
    version = here.install(release(here, "1.1.0", 1, both))
    assert (version / ".venv").resolve() == here.place.factory / ".venv"


@pytest.mark.parametrize("system", [False, True])
def test_new_packages_leave_out_what_the_cabinet_leaves_out(here: Site, system: bool) -> None:
    (one, first), (other, second) = wheel(here.folder, "tiny-a"), wheel(here.folder, "tiny-b")
    cabinet(here, "tiny-a==0.9 \\\n    --hash=sha256:00\n", system=system)
    version = here.install(release(here, "1.1.0", 1, first + second, {each.name: each for each in (one, other)}))
    packages = (version / ".venv").resolve()
    assert packages.parent == here.place.versions
    assert imports(version, "tiny_a")
    assert not imports(version, "tiny_b")
    assert not list(packages.glob("lib/*/site-packages/pip")), "nothing is installed into it any more"
    assert ("include-system-site-packages = true" in (packages / "pyvenv.cfg").read_text()) is system
    here.start()
    here.ready()
    later = here.install(release(here, "1.2.0", 2, first + second))
    assert (later / ".venv").resolve() == packages
    assert here.verdict(later).state == "signed"


def test_packages_of_a_cabinet_that_a_bundle_does_not_bring_are_refused(here: Site) -> None:
    cabinet(here, "tiny-a==0.9 \\\n    --hash=sha256:00\n")
    with pytest.raises(UserError, match=r"needs other packages.*--wheels"):
        here.install(release(here, "1.1.0", 1, "tiny-a==1.0 \\\n    --hash=sha256:00\n"))
    assert here.start() == "1.0.0 run"
