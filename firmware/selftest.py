"""`croupier test`: lint, format, types and the test suite, each in its own process.

The tools are of the development group; they are run as modules of this interpreter and never imported.
"""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from firmware.ending import end_in_order_on_sigterm, run_to_its_end
from firmware.errors import UserError

ROOT = Path(__file__).resolve().parent.parent

CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lint", ("ruff", "check", "--quiet", ".")),
    ("format", ("ruff", "format", "--check", "--quiet", ".")),
    ("types", ("mypy",)),
)
SUITE: tuple[str, ...] = ("pytest", "-n", "auto")
PEERS: tuple[str, ...] = ("-m", "peers", "tests/peers")
"""They need npm, Node, a C compiler and the package registries, so the plain suite leaves them out."""
MACHINES: tuple[str, ...] = ("--pi", "--arm64", "--gpio-sim")
"""Emulated machines, see tests/pi/README.md. They need root and Debian packages, which they install."""


def command(arguments: argparse.Namespace) -> int:
    """Handler of the subcommand `test`. Returns 0 when everything passed, else 1 (or pytest's own status)."""
    if not (ROOT / "tests").is_dir():
        raise UserError("croupier test: the tests are not part of an installed package; run ./croupier test in a clone")
    missing = [name for name in ("pytest", "ruff", "mypy") if find_spec(name) is None]
    if missing:
        raise UserError(
            f"croupier test: {', '.join(missing)} not installed here; run ./croupier test, or pip install -r requirements-dev.lock"
        )
    end_in_order_on_sigterm()
    pytest_arguments: list[str] = arguments.pytest_arguments
    if pytest_arguments[:1] == ["--peers"]:
        print("croupier test: peers: other people's programs, installed now, against our emulated devices", flush=True)
        return _run("pytest", *PEERS, *pytest_arguments[1:])
    if pytest_arguments[:1] == ["--systemd"]:
        return _run("tests.systemd", *pytest_arguments[1:])
    if pytest_arguments and pytest_arguments[0] in MACHINES:
        return _run("tests.pi", *pytest_arguments)
    if pytest_arguments:
        print(
            "croupier test: pytest only, with the given arguments (without arguments: lint, format, types and the whole suite)",
            flush=True,
        )
        return _run("pytest", *pytest_arguments)
    failed = []
    for name, tool in CHECKS:
        print(f"croupier test: {name}: {' '.join(tool)}", flush=True)
        if _run(*tool) != 0:
            failed.append(name)
            print(f"croupier test: {name} failed, see above", flush=True)
    print("croupier test: suite: pytest", flush=True)
    status = _run(*SUITE)
    if failed:
        print(f"croupier test: {' and '.join(failed)} failed, see the top of this output", file=sys.stderr, flush=True)
    return status or (1 if failed else 0)


def _run(module: str, *arguments: str) -> int:
    return run_to_its_end([sys.executable, "-m", module, *arguments], ROOT)
