"""The subcommand ``ramclear``: clears the memory of a stopped terminal in two steps.

The first call shows what will be gone and a code that is good for this very memory; the code has to be typed, here or
with a second call. On a cabinet the journal must have seen the logic door open last: a shell alone is not enough. Not
responsible for the procedure (``ram_clear``) or for files (``clearing``).
"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from tqdm import tqdm

from firmware import __version__
from firmware.audit.clearing import NewEpoch, clear, finish, look
from firmware.audit.command import places_of
from firmware.audit.ram_clear import Before, before_values, refusals
from firmware.audit.wording import Wording, iso
from firmware.clock import SystemClock
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.journal.critical import Places
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``ramclear``. Returns 0; raises UserError."""
    settings = load_settings(arguments.config or bundled_directory().parent / "simulator.toml")
    places = places_of(arguments)
    if finish(places):
        return _said(arguments, {"finished": True}, ["a RAM clear that was interrupted is finished; a new epoch began"])
    if not arguments.by.strip() or not arguments.reason.strip():
        raise UserError("ramclear: --by and --reason must say who and why; both are kept for ever")
    before = _looked(places, settings, arguments)
    _check(before, settings)
    now_ms = SystemClock().wall_ms()
    values = {**before_values(before, arguments.by, arguments.reason, iso(now_ms)), "code": before.code}
    typed = arguments.code
    if typed is None:
        _said(arguments, values, _will_be_gone(before, settings))
        if arguments.json or not sys.stdin.isatty():
            return 0
        typed = input("type the code to clear the memory, anything else to leave it: ")
    if typed.strip().lower() != before.code:
        raise UserError(f"ramclear: {typed.strip()!r} is not the code of this memory; nothing was changed")
    currency = settings.currency
    new = NewEpoch(settings.terminal.id, settings.terminal.mode, currency.code, currency.minor_digits, __version__)
    record = clear(places, new, before, by=arguments.by, reason=arguments.reason, at_ms=now_ms)
    done = {"cleared": True, "epoch": before.epoch + 1, "record": str(record)}
    return _said(arguments, done, [f"cleared; epoch {before.epoch + 1} began. What was before: {record}"])


def _looked(places: Places, settings: Settings, arguments: argparse.Namespace) -> Before:
    hidden = arguments.json or not sys.stderr.isatty()
    with tqdm(unit=" entries", leave=False, delay=1, disable=hidden, file=sys.stderr) as bar:
        return look(places, settings.terminal.id, lambda done: _advance(bar, done))


def _advance(bar: "tqdm[Any]", done: int) -> None:
    bar.update(done - bar.n)


def _check(before: Before, settings: Settings) -> None:
    known, terminal = before.recorded.commissioned, settings.terminal
    if known is not None and (known.terminal, known.store) != (terminal.id, terminal.mode):
        raise UserError(
            f"ramclear: the memory of terminal {known.terminal} ({known.store}), the settings are of {terminal.id} "
            f"({terminal.mode}); give its own settings with --config"
        )
    # Where the journal can't be read, nobody knows the door; the hand at the machine's own shell has to do.
    is_open = terminal.mode != "cabinet" or known is None or "logic" in before.recorded.doors_open
    why_not = refusals(before, is_logic_door_open=is_open)
    if why_not:
        currency = settings.currency
        said = Wording(currency.code, currency.minor_digits)
        raise UserError("ramclear: " + "; ".join(said.plain(text) for text in why_not))


def _will_be_gone(before: Before, settings: Settings) -> Iterator[str]:
    wording = Wording(settings.currency.code, settings.currency.minor_digits)
    books = before.recorded.books
    yield f"terminal {before.terminal}, epoch {before.epoch}, entry {before.head.seq}"
    for problem in before.problems:
        yield f"  can't be trusted: {problem}"
    yield f"  credit that is lost: {wording.money(before.credit_minor)}; handpay: {wording.money(before.handpay_minor)}"
    yield f"  coin in {wording.money(books.meter('coin_in_minor'))}, coin out {wording.money(books.meter('coin_out_minor'))}"
    yield f"  {books.meter('games_played')} games; all meters are written down before they begin at zero"
    yield f"code: {before.code}"
    yield f"to clear it: the same command with --code {before.code}"


def _said(arguments: argparse.Namespace, values: dict[str, Any], lines: "Iterator[str] | list[str]") -> int:
    if arguments.json:
        print(json.dumps(values))
    else:
        for line in lines:
            print(line)
    return 0
