import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(name: str) -> dict[str, set[str]]:
    """Package -> pinned versions (one per Python at most); each block must carry hashes."""
    found: dict[str, set[str]] = {}
    blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip())
    for block in blocks:
        match = re.match(r"([a-z0-9._-]+)==(\S+)", block)
        assert match, f"{name}: not a pinned package: {block[:60]}"
        assert "--hash=sha256:" in block, f"{name}: {match.group(1)} has no hash"
        found.setdefault(match.group(1), set()).add(match.group(2))
    return found


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=~!;\s\[]", requirement)[0].lower().replace("_", "-") for requirement in requirements}


def test_every_dependency_is_locked() -> None:
    assert names(PROJECT["project"]["dependencies"]) <= set(pins("requirements.lock"))
    assert names(PROJECT["dependency-groups"]["dev"]) <= set(pins("requirements-dev.lock"))


def test_lock_file_of_the_tests_holds_the_program_with_the_same_versions() -> None:
    development = pins("requirements-dev.lock")
    assert {name: development.get(name) for name in pins("requirements.lock")} == pins("requirements.lock")


def test_lock_file_of_a_cabinet_holds_the_program_the_page_and_the_pins_with_the_versions_that_are_tested() -> None:
    cabinet, development = pins("requirements-cabinet.lock"), pins("requirements-dev.lock")
    wanted = [*PROJECT["dependency-groups"]["cabinet"], *PROJECT["project"]["optional-dependencies"]["remote"]]
    assert names(wanted) | set(pins("requirements.lock")) <= set(cabinet)
    both = set(cabinet) & set(development)
    assert {name: cabinet[name] for name in both} == {name: development[name] for name in both}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-cabinet.lock"])
def test_lock_file_names_no_place_to_download_from(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "index" not in text


def test_setuptools_stays_out_because_pygame_would_import_it() -> None:
    assert "setuptools" not in pins("requirements-dev.lock")


def test_packages_of_the_wheel_are_those_of_the_program() -> None:
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["firmware", "hal", "display"]
