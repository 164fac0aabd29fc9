"""The command line: which subcommands there are and what their arguments mean.

Handlers live elsewhere and are imported only when their subcommand runs, so that `--help` is instant. A handler takes the
parsed arguments and returns the exit status. Errors of `firmware.errors` become one line on standard error.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from firmware import __version__
from firmware.errors import UserError


@dataclass(frozen=True)
class Command:
    """One subcommand: `handler` is "module:function", imported when the subcommand runs."""

    name: str
    help: str
    handler: str
    add_arguments: Callable[[argparse.ArgumentParser], None]


def _test_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pytest_arguments", nargs=argparse.REMAINDER, metavar="...", help="passed to pytest as they are"
    )


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD.json", help="the round record; - reads standard input")


def _simulate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, e.g. baccarat")
    parser.add_argument("--rounds", type=int, default=100_000, metavar="N", help="how many rounds (default 100000)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="of the shuffle; equal seeds repeat (default 1)"
    )
    parser.add_argument("--strategy", metavar="NAME", help="how to play; a wrong name lists the right ones")
    parser.add_argument(
        "--engine",
        choices=("auto", "rules", "arrays"),
        default="auto",
        help="rules: those that play a table. arrays: compiled, for millions of rounds (default: arrays for best play)",
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep what is counted, and go on from there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _sim_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="without a screen: run a script and end")
    parser.add_argument("--script", type=Path, metavar="FILE", help="cabinet verbs, one a line (with --headless)")
    parser.add_argument("--seed", type=int, metavar="N", help="repeatable shuffles; for the simulator alone")
    parser.add_argument(
        "--devices",
        choices=("simulated", "emulated"),
        help="emulated: real drivers on byte-level devices, in real time",
    )
    parser.add_argument(
        "--protocol",
        choices=("ssp", "id003", "ccnet", "ebds", "cctalk"),
        help="of the emulated note acceptor (default ssp, or what the settings emulate)",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where journal and simulated hardware are kept")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: the bundled simulator.toml)")
    parser.add_argument("--size", metavar="WxH", help="size of the window or of screenshots in pixels")
    parser.add_argument("--lang", choices=("en", "ru"), help="the language at the start")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="where a script's pictures go")
    parser.add_argument("--json", action="store_true", help="print the summary as one JSON object (with --headless)")


def _screenshots_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the pictures go; made if it is not there")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="only pictures whose name begins so, e.g. oasis"
    )
    parser.add_argument("--lang", choices=("en", "ru"), default="en", help="language (default en)")
    parser.add_argument("--size", metavar="WxH", help="size of a picture in pixels (default 1920x1080)")
    parser.add_argument(
        "--jpeg", action="store_true", help="JPEG instead of PNG: smaller files, not exact to the pixel"
    )
    parser.add_argument("--thumbnails", action="store_true", help="small JPEG pictures and a page that shows them all")


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: /etc/croupier/cabinet.toml)")


def _splash_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="where the picture goes, as the frame buffer has it")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: /etc/croupier/cabinet.toml)")


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="settings (default: /etc/croupier/cabinet.toml, else the simulator's)",
    )
    parser.add_argument(
        "--identify", action="store_true", help="ask a port that stays silent in all other protocols too"
    )
    parser.add_argument(
        "--patience", type=float, default=8.0, metavar="S", help="seconds that a device may take to answer (default 8)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="only these; a wrong name lists them")
    parser.add_argument("--rounds", type=int, metavar="N", help="journal: rounds in the store (default 20000)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="journal: the store stays there, or is there already")
    parser.add_argument(
        "--minutes", type=float, metavar="N", help="devices: how late each driver polls in N minutes of animation"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _emulate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "protocol", metavar="PROTOCOL", help="e.g. ssp, id003, cctalk; a wrong one lists the right ones"
    )
    parser.add_argument("--script", type=Path, metavar="FILE", help="what happens to the device, one verb a line")
    parser.add_argument("--faults", default="", metavar="LIST", help="e.g. corrupt=0.01,drop=0.02,repeat=0.01,seed=7")
    parser.add_argument("--link", type=Path, metavar="PATH", help="a symbolic link to the pty, as a name that stays")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of words")


def _crashtest_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=1.0, metavar="N", help="how long (default 1)")
    parser.add_argument("--seed", type=int, metavar="N", help="of the first session; equal seeds repeat")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="at once (default: one a core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", choices=("meters", "events", "rounds", "verify", "export"), help="what to read")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a data folder, live or copied, in place of the settings'"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: the bundled simulator.toml)")
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="the mirror's folder")
    parser.add_argument("--anchor", type=Path, metavar="FILE", help="the anchor's file")
    parser.add_argument("--epoch", type=int, metavar="N", help="refuse a journal of another epoch")
    parser.add_argument("--limit", type=int, metavar="N", help="the newest N (events and rounds: 100; export: all)")
    parser.add_argument("--class", dest="classes", action="append", metavar="NAME", help="events of this class alone")
    parser.add_argument("--lang", choices=("en", "ru"), default="en", help="language of what people read (default en)")
    parser.add_argument("--record", type=int, metavar="N", help="rounds: the bare record of round N, for `play -`")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _ramclear_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--by", required=True, metavar="NAME", help="who clears the memory")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why")
    parser.add_argument("--code", metavar="CODE", help="the code that the first step has shown")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data folder in place of the settings'")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: the bundled simulator.toml)")
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="the mirror's folder")
    parser.add_argument("--anchor", type=Path, metavar="FILE", help="the anchor's file")
    parser.add_argument("--json", action="store_true", help="print one JSON object; asks nothing")


def _par_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, e.g. caribbean")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="options in place of the game's own (TOML)")
    parser.add_argument(
        "--set", action="append", metavar="NAME=VALUE", help="one such option, e.g. deck_count=6; may be repeated"
    )
    parser.add_argument("--compute", action="store_true", help="compute anew even where a committed sheet fits")
    parser.add_argument(
        "--check", action="store_true", help="compute anew; compare with the committed sheet and published figures"
    )
    parser.add_argument("--write", action="store_true", help="compute anew and write the committed sheet")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _fairness_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("verify", "page"), help="verify a record, or write the offline page that does")
    parser.add_argument(
        "record", nargs="?", metavar="FILE", help="verify: a round record or a QR code's text, - reads standard input"
    )
    parser.add_argument("--commitment", metavar="HEX", help="what was noted before the round, or its beginning")
    parser.add_argument("--number", metavar="N", help="the number that the player typed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _rng_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("test",), help="statistical tests of shuffles")
    parser.add_argument("--rounds", type=int, default=50_000, metavar="N", help="how many shuffles (default 50000)")
    parser.add_argument(
        "--source", default="os", metavar="NAME", help="os, seeded, or a planted fault; a wrong one lists them"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the seeded source (default 1)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="also write the report for an inspector (Markdown)")
    parser.add_argument("--no-tools", action="store_true", help="do not feed ent and dieharder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="e.g. period, last_period, events, all (a wrong name lists them); or verify"
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="verify: a saved report, whatever its form")
    parser.add_argument("--key", type=Path, metavar="FILE", help="verify: the public key that must have signed (PEM)")
    parser.add_argument("--sign", action="store_true", help="sign with the terminal's key in the data folder")
    parser.add_argument("--json", action="store_true", help="verify: print one JSON object")
    parser.add_argument("--form", choices=("txt", "csv", "json", "html"), default="txt", help="default txt")
    parser.add_argument("--lang", choices=("en", "ru"), default="en", help="language (default en)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data folder, live or copied")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: the bundled simulator.toml)")
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="the mirror's folder")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there in place of standard output")


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data folder, live or copied")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: the bundled simulator.toml)")
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="the mirror's folder")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="default 127.0.0.1: this machine alone")
    parser.add_argument("--port", type=int, default=8321, metavar="N", help="default 8321; 0 takes any that is free")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="a token of your own (default: a new one)")


def _release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=Path, metavar="DIR", help="the program's folder (default: that of this program)")
    parser.add_argument("--key", type=Path, metavar="FILE", help="make: the private key that signs (PEM)")
    parser.add_argument(
        "--counter", type=int, default=1, metavar="N", help="make: rises with every release; updates only go up"
    )
    parser.add_argument(
        "--minimum-version",
        default="0.0",
        metavar="V",
        help="make: the oldest version that may be updated (default any)",
    )
    parser.add_argument("--keys", type=Path, metavar="DIR", help="the trusted public keys (default /etc/croupier/keys)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _manifest_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=("verify", "make", "seal", "key"),
        help="verify the program's files; make and sign their list; seal what was made on this machine; make a key pair",
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="key: where the private key goes")
    parser.add_argument("--passphrase", action="store_true", help="key: encrypt it with a passphrase that is asked for")
    parser.add_argument("--require", action="store_true", help="verify: unsigned is a failure too, as for money")
    _release_arguments(parser)


def _bundle_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("make", "show"), help="make a bundle of the program, or check and show one")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the bundle")
    parser.add_argument(
        "--wheels",
        type=Path,
        metavar="DIR",
        help="make: packages to bring along, as pip download -r requirements.lock -d DIR gets them on such a machine",
    )
    _release_arguments(parser)


def _update_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bundle", type=Path, nargs="?", metavar="FILE", help="the bundle; without it: what is installed"
    )
    parser.add_argument("--by", metavar="NAME", help="who updates, for the journal (default: the user)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data folder in place of the settings'")
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (default: /etc/croupier/cabinet.toml)")
    parser.add_argument("--keys", type=Path, metavar="DIR", help="the trusted public keys (default /etc/croupier/keys)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _wiring_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of the cabinet that is drawn")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there in place of standard output (SVG)")
    parser.add_argument("--write", action="store_true", help="in a clone: make the tables and drawings of the guide")
    parser.add_argument("--check", action="store_true", help="in a clone: fail if the committed guide is another")


def _pin_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("level", choices=("operator", "technician"), help="whose PIN")


COMMANDS: tuple[Command, ...] = (
    Command(
        "bench",
        "measure start, recovery, commits, frames and rules",
        "firmware.bench.command:command",
        _bench_arguments,
    ),
    Command(
        "test",
        "lint, types and the whole test suite; with arguments only pytest, given them",
        "firmware.selftest:command",
        _test_arguments,
    ),
    Command(
        "sim",
        "the simulator: the terminal and its cabinet in a window, or headless driven by a script",
        "firmware.simulator.command:command",
        _sim_arguments,
    ),
    Command(
        "screenshots",
        "every scene and every state of every game as pictures",
        "firmware.simulator.screenshots:command",
        _screenshots_arguments,
    ),
    Command("run", "the cabinet: real devices, the whole screen", "firmware.run_command:command", _run_arguments),
    Command(
        "splash",
        "write the first picture for the frame buffer, shown early in the boot",
        "firmware.splash:command",
        _splash_arguments,
    ),
    Command(
        "doctor",
        "check configuration, ports, devices, pins, permissions, clock, storage and screen; says what to do",
        "firmware.doctor.command:command",
        _doctor_arguments,
    ),
    Command(
        "play",
        "run a round record through the rules and print the result as JSON",
        "firmware.games.commands:play_command",
        _play_arguments,
    ),
    Command(
        "audit",
        "read a store, live or copied: meters, events, rounds, a full verification, an export",
        "firmware.audit.command:command",
        _audit_arguments,
    ),
    Command(
        "ramclear",
        "clear the memory of a stopped terminal in two steps; the old one is sealed in an archive",
        "firmware.audit.clear_command:command",
        _ramclear_arguments,
    ),
    Command(
        "par",
        "the PAR sheet: exact return, hit frequency and variance, line by line",
        "firmware.maths.command:command",
        _par_arguments,
    ),
    Command(
        "fairness",
        "check that a shoe was fixed before the bets and that a round was dealt from it",
        "firmware.fairness.command:command",
        _fairness_arguments,
    ),
    Command(
        "rng",
        "statistical tests of the shuffles, with a report for an inspector",
        "firmware.rng.lab.command:command",
        _rng_arguments,
    ),
    Command(
        "simulate",
        "play many rounds by a named strategy with a seeded shuffle and print the statistics",
        "firmware.simulate.command:command",
        _simulate_arguments,
    ),
    Command(
        "crashtest",
        "power-loss states tried on the real program, and planted faults that must be found",
        "firmware.crashtest:command",
        _crashtest_arguments,
    ),
    Command(
        "settings",
        "every setting of the configuration with range, default and who may change it, as Markdown",
        "firmware.settings_command:command",
        lambda _: None,
    ),
    Command(
        "report",
        "a report of a store, live or copied, as the operator's menu saves it; or verify a saved one",
        "firmware.remote.report_command:command",
        _report_arguments,
    ),
    Command(
        "serve",
        "a read-only page of a store for a browser; also as croupier audit serve",
        "firmware.remote.serve_command:command",
        _serve_arguments,
    ),
    Command(
        "update",
        "install a signed bundle beside the running version, or tell what is installed",
        "firmware.update.command:command",
        _update_arguments,
    ),
    Command(
        "bundle",
        "make a signed bundle of this program for updates, or check and show one",
        "firmware.update.command:bundle_command",
        _bundle_arguments,
    ),
    Command(
        "manifest",
        "the signed list of the program's files: verify, make, seal; and the keys that sign",
        "firmware.manifest.command:command",
        _manifest_arguments,
    ),
    Command(
        "wiring",
        "a drawing of a cabinet's header from its settings; the wiring guide's tables and drawings",
        "firmware.wiring_guide.command:command",
        _wiring_arguments,
    ),
    Command(
        "pin",
        "ask for a PIN of the operator's menu and print its line for the configuration",
        "firmware.pin_command:command",
        _pin_arguments,
    ),
    Command(
        "emulate",
        "a money device on a pseudo-terminal that any program can open; prints its name",
        "firmware.emulate:command",
        _emulate_arguments,
    ),
)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line that says what to do."""

    def error(self, message: str) -> NoReturn:
        """Print one line and end with exit status 2."""
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        sys.exit(2)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all subcommands, made from `COMMANDS`."""
    parser = _Parser(prog="croupier", description="A casino card-table terminal and its simulator.")
    parser.add_argument("--version", action="version", version=f"croupier {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(subparser)
        subparser.set_defaults(handler=command.handler)
    return parser


def run(arguments: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit status: 0, 1 failed check, 2 bad use or input."""
    if arguments[:1] == ["test"]:  # everything after it is pytest's, options too, which argparse would claim
        namespace = argparse.Namespace(handler="firmware.selftest:command", pytest_arguments=list(arguments[1:]))
    else:
        if list(arguments[:2]) == ["audit", "serve"]:
            arguments = arguments[1:]
        namespace = build_parser().parse_args(arguments)
    module_name, function_name = namespace.handler.split(":")
    try:
        handler: Callable[[argparse.Namespace], int] = getattr(importlib.import_module(module_name), function_name)
        return handler(namespace)
    except UserError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    except (
        BrokenPipeError
    ):  # the reader of our output has gone, as `head` does; closing it at exit must not complain either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
