"""The subcommand ``audit``: meters, events, rounds, verification and export of a store, live or copied. Read-only.

Not responsible for what the figures mean (``report``) nor for how a store is checked (``verify``).
"""

import argparse
import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from tqdm import tqdm

from display.locale import catalogue
from display.view_model import Money, Text
from firmware.audit.events import CLASSES
from firmware.audit.redaction import secret_shoes
from firmware.audit.report import (
    Values,
    entry_values,
    event_values,
    head_values,
    meter_values,
    round_values,
)
from firmware.audit.rounds import UNKNOWN_SHOE, RoundReading, RoundsOnCards, is_usual, profiles_of, rounds_of
from firmware.audit.source import JournalSource
from firmware.audit.verify import verify
from firmware.audit.wording import Wording
from firmware.errors import CheckFailed, InvariantError, UserError
from firmware.games.profile_files import bundled_directory
from firmware.games.registry import register
from firmware.journal.critical import Places
from firmware.journal.errors import DamagedJournalError
from firmware.journal.record import Record
from firmware.memory import load_recorded
from firmware.settings.loader import load_settings

_GROUPS: Final = {
    "play": Text("audit", "play"),
    "notes": Text("audit", "notes"),
    "coins": Text("audit", "coins"),
    "hopper": Text("audit", "hopper"),
    "pay-out": Text("audit", "pay-outs"),
    "occurrences": Text("audit", "occurrences"),
    "games": Text("audit", "games"),
    "faults": Text("audit", "faults"),
    "service": Text("audit", "service"),
}
_STATES: Final = {
    "open": Text("audit", "open"),
    "void": Text("audit", "void"),
    "settled": Text("audit", "settled"),
}
_MARKS: Final = {
    "simulator": Text("audit", "Simulator, no value"),
    "demo": Text("audit", "Demonstration, no value"),
}
USUAL_LIMIT: Final = 100
ROWS_A_ROUND: Final = 24
"""How far back a round may lie for each round that is asked for; more is read if that is not enough."""


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``audit``. Returns 0; raises UserError (status 2) or CheckFailed (status 1)."""
    if arguments.limit is not None and arguments.limit < 1:
        raise UserError(f"--limit: found {arguments.limit}, expected a whole number from 1")
    copies = places_of(arguments)
    try:
        with JournalSource(copies.data_dir, copies.mirror_dir, arguments.epoch) as source:
            return _REPORTS[arguments.report](source, copies, arguments)
    except DamagedJournalError as error:
        if arguments.report != "verify":
            raise
        if arguments.json:
            print(json.dumps({"sound": False, "problems": [str(error)]}))
        raise CheckFailed(str(error)) from error


def places_of(arguments: argparse.Namespace) -> Places:
    """Return where the copies are that the arguments name: those of the settings, or a folder's journal alone."""
    if arguments.data is not None:
        return Places(arguments.data.absolute(), arguments.mirror, arguments.anchor)
    storage = load_settings(arguments.config or bundled_directory().parent / "simulator.toml").storage
    return Places(storage.data_dir, arguments.mirror or storage.mirror_dir, arguments.anchor or storage.anchor_file)


def _meters(source: JournalSource, _: Places, arguments: argparse.Namespace) -> int:
    wording = _wording(source, arguments)
    try:
        recorded = load_recorded(source)
    except InvariantError as error:
        raise CheckFailed(f"{source.data_dir}: {error}") from error
    values = {**head_values(source.commissioned, source.head), **meter_values(recorded, wording)}
    if arguments.json:
        print(json.dumps(values))
    else:
        _print_lines(_meter_text(values, wording))
    if not values["self_audit"]["holds"]:
        raise CheckFailed("self-audit: meters and credit disagree")
    return 0


def _meter_text(values: Values, wording: Wording) -> Iterator[str]:
    say = wording.plain
    yield _title(values, wording)
    period = values["period"]
    running = say(Text("audit", "period {number}", (("number", period["number"]),)))
    since = say(Text("audit", "since {time}", (("time", period["began"]),)))
    yield f"{'':52}{say(Text('audit', 'master')):>22}{running:>22}   {since}"
    group = ""
    for line in values["meters"]:
        if line["group"] != group:
            group = line["group"]
            yield (say(_GROUPS[group]) if group in _GROUPS else group).upper()
        amounts = [_amount(line[column], line["unit"], wording) for column in ("master", "period")]
        code = f"[{line['sas']}]" if line["sas"] else ""
        yield f"  {line['label']:<44.44}{code:>6}{amounts[0]:>22}{amounts[1]:>22}"
    yield say(Text("audit", "Owed")).upper()
    for text, key in (
        (Text("audit", "Credit"), "credit_minor"),
        (Text("audit", "Stakes of the open round"), "staked_minor"),
        (Text("audit", "Being paid by the hopper"), "payout_minor"),
        (Text("audit", "To be paid by hand"), "handpay_minor"),
    ):
        yield f"  {say(text):<50}{wording.money(values[key]):>22}"
    yield say(Text("audit", "Self-audit")).upper()
    for term in values["self_audit"]["terms"]:
        yield f"  {'+' if term['sign'] > 0 else '-'} {term['meter']:<48}{wording.money(term['minor']):>22}"
    metered = say(Text("audit", "what the meters say"))
    yield f"  = {metered:<48}{wording.money(values['self_audit']['metered_minor']):>22}"
    holds = Text("audit", "holds") if values["self_audit"]["holds"] else Text("audit", "DOES NOT HOLD")
    rolls = Text("audit", "meters roll over at {count}", (("count", values["roll_over"]),))
    yield f"  {say(holds)}; {say(rolls)}"


def _amount(value: int | None, unit: str, wording: Wording) -> str:
    if value is None:
        return "-"
    return wording.money(value) if unit == "minor" else str(value)


def _events(source: JournalSource, _: Places, arguments: argparse.Namespace) -> int:
    groups = frozenset(arguments.classes or ())
    unknown = sorted(groups - set(CLASSES))
    if unknown:
        raise UserError(f"--class: found {unknown[0]!r}, expected one of {', '.join(CLASSES)}")
    limit, wording = arguments.limit or USUAL_LIMIT, _wording(source, arguments)
    first = 0 if groups else max(source.head.seq - limit, 0)
    records = _with_bar(source.records(first), source.head.seq - first, arguments)
    events = list(deque(event_values(records, groups, wording), limit))
    head = head_values(source.commissioned, source.head)
    if arguments.json:
        print(json.dumps({**head, "events": events}))
    else:
        _print_lines(
            [_title(head, wording), *(f"{e['seq']:>9}  {e['time']}  {e['class']:<8} {e['text']}" for e in events)]
        )
    return 0


def _rounds(source: JournalSource, _: Places, arguments: argparse.Namespace) -> int:
    limit = arguments.limit or USUAL_LIMIT
    readings = _last_rounds(source, limit, arguments)
    played = {(reading.entries.opened.game, reading.entries.opened.profile) for reading in readings}
    needs_profiles = any(not is_usual(register, game, digest) for game, digest in played)
    profiles = profiles_of(source.records()) if needs_profiles else {}
    on_cards = RoundsOnCards(register, profiles, load_recorded(source))
    head = head_values(source.commissioned, source.head)
    rounds = (round_values(reading, on_cards, source.name_of(reading.seq)) for reading in readings)
    if arguments.record is not None:
        return _one_record(list(rounds), arguments.record)
    if arguments.json:
        print(json.dumps({**head, "rounds": list(rounds)}))
        return 0
    wording = _wording(source, arguments)
    _print_lines([_title(head, wording)])
    for values in rounds:
        _print_lines(_round_text(values, wording))
    return 0


def _one_record(rounds: list[Values], number: int) -> int:
    found = [values for values in rounds if values["number"] == number]
    if not found:
        raise UserError(f"--record: round {number} is not among the last {len(rounds)}; raise --limit")
    if "problem" in found[0]:
        raise CheckFailed(found[0]["problem"])
    print(json.dumps(found[0]["record"]))
    return 0


def _last_rounds(source: JournalSource, limit: int, arguments: argparse.Namespace) -> list[RoundReading]:
    """Return the last rounds, reading as little of the journal as tells their shoes too."""
    span = limit * ROWS_A_ROUND + 2_000
    while True:
        first = max(source.head.seq - span, 0)
        records = _with_bar(source.records(first), source.head.seq - first, arguments)
        readings = list(deque(rounds_of(records), limit))
        whole = len(readings) == limit and all(reading.entries.shoe is not UNKNOWN_SHOE for reading in readings)
        if whole or first == 0:
            return readings
        span *= 4


def _round_text(values: Values, wording: Wording) -> Iterator[str]:
    record = values.get("record", {})
    staked, paid, say = values["staked_minor"], values["paid_minor"], wording.plain
    money = ""
    if staked is not None:
        args = (("staked", Money(staked)), ("paid", Money(paid)))
        money = "  " + say(Text("audit", "staked {staked}, paid {paid}", args))
    yield f"{values['number']:>7}  {values['opened']}  {values['game']:<22} {say(_STATES[values['state']]):<8}{money}"
    if "problem" in values:
        yield f"         {values['problem']}"
    result = record.get("result") or {}
    for box in result.get("boxes", ()):
        number = say(Text("audit", "box {number}", (("number", box["box"]),)))
        yield f"         {number}: {' '.join(box['cards'])}  {box.get('result') or ''}"
    if result:
        yield f"         {say(Text('audit', 'dealer'))}: {' '.join(result['dealer']['cards'])}"
    for action in record.get("actions", ()):
        cards = " ".join(action.get("cards", ()))
        number = say(Text("audit", "box {number}", (("number", action["box"]),)))
        yield f"         {number} {action['action']} {cards}".rstrip()


def _verify(source: JournalSource, copies: Places, arguments: argparse.Namespace) -> int:
    with _bar(source.head.seq, arguments) as bar:
        found = verify(source, copies, lambda done: _advance(bar, done))
    identity = found.recorded.books.identity()
    values = {
        **head_values(source.commissioned, source.head),
        "sound": not found.problems,
        "entries": found.entry_count,
        "segments": found.segment_count,
        "rounds": found.recorded.count("rounds"),
        "self_audit": {"holds": identity.holds, "metered_minor": identity.metered_minor},
        "copies": list(found.copies),
        "problems": list(found.problems),
    }
    wording = _wording(source, arguments)
    say, counts = (
        wording.plain,
        (("entries", found.entry_count), ("segments", found.segment_count), ("rounds", values["rounds"])),
    )
    read = Text(
        "audit",
        "{entries} entries in the chain, {segments} sealed segments, {rounds} rounds; folded again from the first entry",
        counts,
    )
    if arguments.json:
        print(json.dumps(values))
    else:
        _print_lines(
            [
                _title(values, wording),
                say(read),
                *(say(Text("audit", "{copy}: compared", (("copy", name),))) for name in found.copies),
                *(say(Text("audit", "WRONG: {problem}", (("problem", problem),))) for problem in found.problems),
            ]
        )
    if found.problems:
        raise CheckFailed(f"{source.data_dir}: {len(found.problems)} problem(s); the first: {found.problems[0]}")
    if not arguments.json:
        print(say(Text("audit", "everything agrees")))
    return 0


def _export(source: JournalSource, _: Places, arguments: argparse.Namespace) -> int:
    """Write entry by entry, so that a journal of any length needs no more memory than one."""
    shoes = secret_shoes(load_recorded(source))
    first = max(source.head.seq - arguments.limit, 0) if arguments.limit else 0
    records = _with_bar(source.records(first), source.head.seq - first, arguments)
    entries = entry_values(records, shoes, source.commissioned)
    head = head_values(source.commissioned, source.head)
    if not arguments.json:
        _print_lines([_title(head, _wording(source, arguments))])
        _print_lines(f"{e['id']}  {e['time']}  {e['kind']}  {json.dumps(e['body'])}" for e in entries)
        return 0
    sys.stdout.write(json.dumps({"format": "croupier-export/1", **head})[:-1] + ', "entries": [')
    for number, values in enumerate(entries):
        sys.stdout.write((",\n" if number else "\n") + json.dumps(values))
    sys.stdout.write("\n]}\n")
    return 0


def _title(values: Values, wording: Wording) -> str:
    args = (("terminal", values["terminal"]), ("epoch", values["epoch"]), ("seq", values["head"]["seq"]))
    known = _MARKS.get(values["store"])
    mark = (
        f"  *** {wording.plain(known).upper() if known is not None else values['mark']} ***" if values["mark"] else ""
    )
    return wording.plain(Text("audit", "terminal {terminal}, epoch {epoch}, up to entry {seq}", args)) + mark


def _wording(source: JournalSource, arguments: argparse.Namespace) -> Wording:
    """Return how the store's amounts and texts are written in the language that was asked for; JSON, which programs
    read, is the same in every language."""
    if arguments.lang == "en" or arguments.json:
        return Wording.of(source.commissioned)
    messages = catalogue(arguments.lang)

    def pattern(text: Text) -> str:
        if text.plural:
            return messages.npgettext(text.context, text.message, text.plural, text.count)
        return messages.pgettext(text.context, text.message)

    return Wording.of(source.commissioned, ",", pattern)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _bar(total: int, arguments: argparse.Namespace) -> "tqdm[Any]":
    hidden = arguments.json or not sys.stderr.isatty()
    return tqdm(total=total, unit=" entries", leave=False, delay=1, disable=hidden, file=sys.stderr)


def _advance(bar: "tqdm[Any]", done: int) -> None:
    bar.update(done - bar.n)


def _with_bar(items: Iterable[Record], total: int, arguments: argparse.Namespace) -> Iterator[Record]:
    with _bar(total, arguments) as bar:
        for item in items:
            yield item
            bar.update()


_REPORTS: Final[dict[str, Callable[[JournalSource, Places, argparse.Namespace], int]]] = {
    "meters": _meters,
    "events": _events,
    "rounds": _rounds,
    "verify": _verify,
    "export": _export,
}
