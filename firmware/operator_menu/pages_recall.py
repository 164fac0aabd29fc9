"""Pages about what was: rounds, handpays, notes and coins, starts, doors and keys, events, changes of settings. Pure.

Rounds come out of the whole journal, a list of some at a time. Events are the audit's words.
"""

from typing import Final

from display.view_model import Money, Text
from firmware.audit.events import Event, events_of
from firmware.audit.readings import handpays_of, money_of
from firmware.entries.keeping import SettingChanged
from firmware.entries.types import Booted
from firmware.ids import number_of_round
from firmware.operator_menu.body import CHOSEN, NONE, Body, Line, Reading, heading, to
from firmware.rounds.live import RoundEntries
from firmware.terminal.menu import Act
from firmware.terminal.titles import GAMES, UNNAMED_GAME

ROUNDS_LISTED: Final = 24
"""So many rounds at a time."""
NEWEST_MONEY: Final = 35
NEWEST_POWER: Final = 50
NEWEST_HANDPAYS: Final = 100
NEWEST_EVENTS: Final = 400

EVENT_CLASSES: Final = {
    "all": Text("menu", "all"),
    "power": Text("menu", "power"),
    "money": Text("menu", "money"),
    "pay-out": Text("menu", "pay-outs"),
    "fault": Text("menu", "faults"),
    "door": Text("menu", "doors"),
    "key": Text("menu", "keys"),
    "setting": Text("menu", "settings"),
    "memory": Text("menu", "memory"),
    "period": Text("menu", "periods"),
    "menu": Text("menu", "this menu"),
}
_DAYS: Final = {"all": Text("menu", "all days"), "today": Text("menu", "today"), "week": Text("menu", "seven days")}
_OUTCOMES: Final = {
    ("note", "credited"): Text("menu", "Note credited"),
    ("note", "returned"): Text("menu", "Note returned"),
    ("note", "unaccounted"): Text("menu", "Note unaccounted for"),
    ("note", "refused"): Text("menu", "Note refused"),
    ("coin", "credited"): Text("menu", "Coin credited"),
}
_NOTHING: Final = Line(Text("menu", "Nothing yet"))


def rounds(reading: Reading) -> Body:
    """Some rounds, newest first; choosing one draws it again. The item says with which one the list begins."""
    last = reading.state.recorded.count("rounds")
    newest = min(max(number_of_round(reading.menu.item) or last, 1), max(last, 1))
    found = reading.environment.past_rounds(newest, ROUNDS_LISTED)
    if not last:
        return Body((_NOTHING,))
    lines = [Line(Text("menu", "Find a round by its number"), act=to("recall.number"))]
    if newest < last:
        lines.append(
            Line(Text("menu", "Newer rounds"), act=to("recall.rounds", str(min(newest + ROUNDS_LISTED, last))))
        )
    lines += [_round(each) for each in reversed(found)]
    if not found:
        lines.append(Line(Text("menu", "These rounds were void or can't be read: verify the journal"), tone="warning"))
    if newest > ROUNDS_LISTED:
        lines.append(Line(Text("menu", "Older rounds"), act=to("recall.rounds", str(newest - ROUNDS_LISTED))))
    columns = (Text("menu", "Round"), Text("menu", "Staked"), Text("menu", "Paid"))
    args = (("first", max(newest - ROUNDS_LISTED + 1, 1)), ("newest", newest), ("count", last))
    return Body(tuple(lines), columns, Text("menu", "Rounds {first} to {newest} of {count}", args))


def find_round(reading: Reading) -> Body:
    """Any round by its number."""
    last = reading.state.recorded.count("rounds")
    return Body(
        (
            Line(Text("menu", "Rounds so far"), str(last)),
            Line(Text("menu", "Number of the round"), reading.menu.typed or NONE, tone="good"),
        ),
        enter=Act("recall"),
        footer=Text("menu", "Type a number from 1 on, then confirm"),
        above="recall.rounds",
    )


def _round(each: RoundEntries) -> Line:
    opened, settled = each.opened, each.settled
    args = (("number", opened.number), ("game", GAMES.get(opened.game, UNNAMED_GAME)))
    return Line(
        Text("menu", "{number} {game}", args),
        Money(settled.staked_minor if settled is not None else opened.cost_minor),
        Money(settled.paid_minor) if settled is not None else NONE,
        act=to("recall.round", opened.round_id),
    )


def one_round(reading: Reading) -> Body:
    """One round, drawn by the table itself, step by step."""
    found = reading.environment.past_rounds(number_of_round(reading.menu.item), 1)
    if not found:
        return Body((Line(Text("menu", "There is no such round, or it was void")),), above="recall.rounds")
    each = found[-1]
    settled = each.settled
    lines = [
        Line(Text("menu", "Round"), each.opened.round_id),
        Line(Text("menu", "Game"), GAMES.get(each.opened.game, UNNAMED_GAME)),
        Line(Text("menu", "Credit before it"), Money(each.opened.credit_before_minor)),
        Line(Text("menu", "Staked"), Money(settled.staked_minor if settled else each.opened.cost_minor)),
        Line(Text("menu", "Paid"), Money(settled.paid_minor if settled else 0)),
        Line(Text("menu", "It was played by rules that are not known here and can't be drawn"), tone="warning"),
    ]
    # A last step that changes nothing on the table still counts, so at least one is offered.
    steps = max(len(each.acts), 1)
    return Body(tuple(lines), step_count=steps, recalls=each.opened.round_id, above="recall.rounds")


def handpays(reading: Reading) -> Body:
    """What was paid by hand, newest first."""
    found = list(handpays_of(reading.state.recorded.chronicle.records("payout")))[-NEWEST_HANDPAYS:]
    lines = [
        Line(
            Text("menu", "{time} {payout}", (("time", reading.when(each.started_ms)), ("payout", each.payout_id))),
            Money(each.handpay_minor),
            reading.when(each.cleared_ms)[5:16] if each.cleared_ms is not None else Text("menu", "waits"),
            tone="" if each.cleared_ms is not None else "warning",
        )
        for each in reversed(found)
    ]
    columns = (Text("menu", "Begun, cash-out"), Text("menu", "By hand"), Text("menu", "Paid at"))
    return Body(tuple(lines) or (_NOTHING,), columns if lines else ())


def money(reading: Reading) -> Body:
    """The last notes and coins and what became of them, newest first."""
    found = list(money_of(reading.state.recorded.chronicle.records("money")))[-NEWEST_MONEY:]
    lines = [
        Line(
            _OUTCOMES[each.kind, each.outcome],
            Money(each.amount_minor) if each.amount_minor else each.key,
            reading.when(each.at_ms),
        )
        for each in reversed(found)
    ]
    return Body(tuple(lines) or (_NOTHING,))


def power(reading: Reading) -> Body:
    """The last starts: when, and how the time before ended."""
    found = [
        record
        for record in reading.state.recorded.chronicle.records("power")
        if isinstance(record.entry, Booted)
    ][-NEWEST_POWER:]  # fmt: skip
    lines = []
    for record in reversed(found):
        boot = record.entry
        if not isinstance(boot, Booted):
            continue
        how = Text("menu", "in order") if boot.after_clean_stop else Text("menu", "after a power loss")
        tone = "" if boot.after_clean_stop else "warning"
        label = Text(
            "menu", "Start {number}, version {version}", (("number", boot.number), ("version", boot.program_version))
        )
        lines.append(Line(label, how, reading.when(record.at_ms), tone=tone))  # fmt: skip
    return Body(tuple(lines) or (_NOTHING,))


def _group(reading: Reading) -> str:
    group = reading.menu.picks.get("group", "all")
    return group if group in EVENT_CLASSES else "all"


def _days(reading: Reading) -> str:
    days = reading.menu.picks.get("days", "all")
    return days if days in _DAYS else "all"


def event_filters(reading: Reading) -> Body:
    """What the list of events shows: the class and the days, chosen here."""
    group, days = _group(reading), _days(reading)
    count = len(_events(reading))
    shown = Text("menu", "Show {count} event", plural="Show {count} events", count=count)
    return Body(
        (
            Line(shown, act=to("recall.list")),
            heading(Text("menu", "Days")),
            *(
                Line(words, CHOSEN if key == days else "", act=Act("pick", f"days={key}"))
                for key, words in _DAYS.items()
            ),
            heading(Text("menu", "Class")),
            *(
                Line(words, CHOSEN if key == group else "", act=Act("pick", f"group={key}"))
                for key, words in EVENT_CLASSES.items()
            ),
        )
    )


def _events(reading: Reading) -> list[Event]:
    group, days = _group(reading), _days(reading)
    found = events_of(reading.state.recorded.chronicle.records(), frozenset() if group == "all" else frozenset({group}))
    now_ms = reading.environment.wall_ms
    today = reading.day(now_ms)
    week_ms = 7 * 24 * 3_600_000
    kept = [
        event
        for event in found
        if days == "all"
        or (days == "today" and reading.day(event.at_ms) == today)
        or (days == "week" and now_ms - event.at_ms < week_ms)
    ]
    return kept[-NEWEST_EVENTS:]


def events(reading: Reading) -> Body:
    """The events, newest first, as they were filtered."""
    lines = [
        Line(Text("menu", "{seq} {time}", (("seq", str(event.seq)), ("time", reading.when(event.at_ms)))), event.text)
        for event in reversed(_events(reading))
    ]
    return Body(tuple(lines) or (_NOTHING,), above="recall.events")


def changes(reading: Reading) -> Body:
    """Settings that changed: old, new, by whom, newest first."""
    lines = []
    for record in reversed(reading.state.recorded.chronicle.records("setting")):
        changed = record.entry
        if isinstance(changed, SettingChanged):
            args = (("time", reading.when(record.at_ms)[:16]), ("key", changed.key), ("by", changed.by))
            label = Text("menu", "{time} {key}, by {by}", args)
            lines.append(Line(label, changed.old or NONE, changed.new or NONE))
    columns = (Text("menu", "Setting"), Text("menu", "Old"), Text("menu", "New"))
    return Body(tuple(lines) or (_NOTHING,), columns if lines else ())
