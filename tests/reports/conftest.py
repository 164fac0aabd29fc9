"""The operator and the cabinet of the menu's tests; tests that mount sticks are for root alone."""

import os

import pytest

from tests.operator_menu.conftest import busy, new_operator, operator

__all__ = ["busy", "new_operator", "operator"]
_MAY_MOUNT = os.geteuid() == 0
collect_ignore = [] if _MAY_MOUNT else ["test_sticks.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested; continuous integration, which is root, fails instead of leaving it out."""
    if _MAY_MOUNT:
        return
    if "CI" in os.environ:
        raise pytest.UsageError("not root: bad sticks can't be tested; continuous integration must run as root")
    terminalreporter.write_line(
        "NOT ROOT: bad sticks (tests/reports/test_sticks.py) were NOT TESTED", red=True, bold=True
    )
