import argparse
from pathlib import Path

import pytest

from firmware import cli, selftest
from firmware.errors import UserError


class Tools:
    """Stands in for the tools: notes what would run and gives the status that a test wants of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[list[str]] = []
        self.status: dict[str, int] = {}
        monkeypatch.setattr(selftest, "run_to_its_end", self.run)
        monkeypatch.setattr(selftest, "end_in_order_on_sigterm", lambda: None)

    def run(self, command: list[str], cwd: Path) -> int:
        assert cwd == selftest.ROOT
        _, dash_m, *call = command
        assert dash_m == "-m"
        self.calls.append(call)
        return self.status.get(" ".join(call[:2]), 0)


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    return Tools(monkeypatch)


def test_whole_test_runs_lint_format_types_and_the_suite_on_all_cores(tools: Tools) -> None:
    assert cli.run(["test"]) == 0
    assert tools.calls == [
        ["ruff", "check", "--quiet", "."],
        ["ruff", "format", "--check", "--quiet", "."],
        ["mypy"],
        ["pytest", "-n", "auto"],
    ]


@pytest.mark.parametrize(("tool", "name"), [("ruff check", "lint"), ("ruff format", "format"), ("mypy", "types")])
def test_failed_check_fails_the_command_and_is_named_but_the_suite_still_runs(
    tools: Tools, capsys: pytest.CaptureFixture[str], tool: str, name: str
) -> None:
    tools.status[tool] = 1
    assert cli.run(["test"]) == 1
    assert tools.calls[-1][0] == "pytest"
    assert capsys.readouterr().err == f"croupier test: {name} failed, see the top of this output\n"


def test_failed_suite_gives_its_own_status(tools: Tools) -> None:
    tools.status["pytest -n"] = 5
    assert cli.run(["test"]) == 5


def test_arguments_go_to_pytest_alone_as_they_are(tools: Tools, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["test", "-k", "pin or note", "--lf"]) == 0
    assert tools.calls == [["pytest", "-k", "pin or note", "--lf"]]
    assert capsys.readouterr().out.startswith("croupier test: pytest only, with the given arguments")


def test_peers_are_a_tier_of_their_own(tools: Tools) -> None:
    assert cli.run(["test", "--peers", "-x"]) == 0
    assert tools.calls == [["pytest", "-m", "peers", "tests/peers", "-x"]]


@pytest.mark.parametrize("tier", ["--pi", "--arm64", "--gpio-sim"])
def test_emulated_machines_are_tiers_of_their_own(tools: Tools, tier: str) -> None:
    assert cli.run(["test", tier, "--cache", "/tmp/x"]) == 0
    assert tools.calls == [["tests.pi", tier, "--cache", "/tmp/x"]]


def test_installed_package_without_tests_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(selftest, "ROOT", tmp_path)
    with pytest.raises(UserError, match="tests are not part of an installed package"):
        selftest.command(argparse.Namespace(pytest_arguments=[]))


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "find_spec", lambda name: None if name == "mypy" else name)
    with pytest.raises(UserError, match="mypy not installed here"):
        selftest.command(argparse.Namespace(pytest_arguments=[]))
