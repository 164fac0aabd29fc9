"""The journal says once how a version came to run: who installed it, or that one was left for it."""

from pathlib import Path

import pytest

from firmware.entries.keeping import ProgramReplaced
from firmware.entries.types import Booted
from firmware.update.install import install
from firmware.update.note import replacements
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.update.releases import Site, bundle, site

NEW = ProgramReplaced("1.0.0-0", "1.1.0-1", "Ann", 1_796_000_000_000)


@pytest.fixture
def here(tmp_path: Path) -> Site:
    return site(tmp_path)


def installed(here: Site, version: str, counter: int) -> Path:
    from firmware.manifest.check import trusted_keys
    from firmware.update.bundle import open_bundle
    from firmware.update.versions import Disk

    note = {"from": "1.0.0", "from_counter": 0, "to": version, "to_counter": counter, "by": "Ann", "at_ms": NEW.at_ms}
    opened = open_bundle(bundle(here.folder, version, counter), trusted_keys(here.keys))
    return install(opened, here.place, Disk(), note=note, still_allowed=lambda: None)


def test_an_installed_version_says_who_installed_it(here: Site) -> None:
    assert replacements(installed(here, "1.1.0", 1), here.place) == (NEW,)


def test_a_version_that_was_gone_back_to_says_from_which(here: Site) -> None:
    installed(here, "1.1.0", 1)
    for _ in range(3):
        here.start()
    (found,) = replacements(here.place.running(), here.place)
    assert (found.old, found.new, found.by) == ("1.1.0-1", "factory", "croupier-start")
    before = found.at_ms
    here.start()
    assert replacements(here.place.running(), here.place)[0].at_ms == before


def test_a_program_of_which_nothing_is_known_says_nothing(here: Site) -> None:
    assert replacements(here.place.factory, here.place) == ()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"from": 1, "by": "x"}', "\0"])
def test_a_damaged_note_says_nothing(here: Site, text: str) -> None:
    version = installed(here, "1.1.0", 1)
    (version / "installed.json").write_text(text)
    assert replacements(version, here.place) == ()


def test_the_journal_has_it_once_right_behind_the_start(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path / "data"), seed=1, program_replaced=(NEW,))
    for _ in range(3):
        cabinet.boot()
        cabinet.cut_power()
    cabinet.boot()
    entries = [type(at.entry) for at in cabinet.records() if isinstance(at.entry, Booted | ProgramReplaced)]
    assert entries == [Booted, ProgramReplaced, Booted, Booted, Booted]
