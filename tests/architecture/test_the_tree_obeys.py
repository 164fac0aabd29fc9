import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.architecture import rules
from tests.architecture.source_tree import PACKAGES, Module, load
from tests.architecture.table import ROWS

ROOT = Path(__file__).parents[2]
TEXT_SUFFIXES = (".py", ".pyi", ".md", ".toml", ".lock", ".service", ".rules", ".conf", ".sh", ".po", ".txt", ".json")


@cache
def modules() -> dict[str, Module]:
    return load(ROOT)


@cache
def committed_files() -> list[str]:
    """Files under version control, or, in an unpacked archive, all files that are not hidden."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True, text=True)
        return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    everything = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [
        str(path)
        for path in everything
        if not any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    ]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_rule_holds(rule: rules.Rule) -> None:
    problems = sorted(rule(modules()))
    assert not problems, "\n".join(["", *problems])


def test_top_of_the_repository_holds_only_known_names() -> None:
    assert list(rules.only_known_names_at_the_top([name.partition("/")[0] for name in committed_files()])) == []


def test_no_text_file_is_unfinished_or_tied_to_one_machine() -> None:
    found: list[str] = []
    for name in committed_files():
        if name.endswith(TEXT_SUFFIXES) or name in ("croupier", ".ci/run", ".gitignore"):
            found += rules.nothing_unfinished_or_private(name, (ROOT / name).read_text(encoding="utf-8"))
    assert not found, "\n".join(["", *found])


def test_all_packages_are_there_and_seen() -> None:
    assert set(PACKAGES) <= set(modules())
    assert len(modules()) > 10


def test_pure_rows_lean_only_on_pure_rows() -> None:
    by_name = {row.name: row for row in ROWS}
    exempt = {"display.locale", "firmware.games.profile_files"}  # they read catalogues and profiles, once
    leaks = [
        (row.name, name)
        for row in ROWS
        if row.pure
        for name in row.may_import
        if not by_name[name].pure and name not in exempt
    ]
    assert leaks == []


def test_table_names_each_row_once_and_knows_every_name_it_uses() -> None:
    names = [row.name for row in ROWS]
    assert len(names) == len(set(names))
    assert {name for row in ROWS for name in row.may_import} <= set(names)


def test_layers_of_the_firmware_have_no_circle() -> None:
    left = {row.name: set(row.may_import) - {row.name} for row in ROWS if row.name.startswith("firmware")}
    while True:
        free = [name for name, needs in left.items() if not needs & set(left)]
        if not free:
            break
        for name in free:
            del left[name]
    assert left == {}
