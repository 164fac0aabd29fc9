"""A store with something in it, and the read-only page of it in a process of its own."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.operator_menu.conftest import busy, new_operator, operator
from tests.operator_menu.operator import Operator
from tests.support.cabinet import ROOT

__all__ = ["busy", "new_operator", "operator"]
TOKEN = "a-token-of-the-tests-0123456789"


@dataclass(frozen=True)
class Page:
    """Where the page is, and whose store it shows."""

    port: int
    operator: Operator


@pytest.fixture
def page(busy: Operator, tmp_path: Path) -> Iterator[Page]:
    """The page of a terminal that goes on running beside it."""
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n")
    data = busy.cabinet.settings.storage.data_dir
    command = [sys.executable, "-m", "firmware", "audit", "serve", "--data", str(data), "--port", "0"]
    server = subprocess.Popen(
        [*command, "--token-file", str(token)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline()
    assert address.startswith("http://127.0.0.1:"), server.communicate()
    try:
        yield Page(int(address.split(":")[2].split("/")[0]), busy)
    finally:
        server.terminate()
        _, errors = server.communicate(timeout=20)
        assert "Traceback" not in errors
