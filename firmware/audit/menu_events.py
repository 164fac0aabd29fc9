"""What the entries of the operator's menu say as events. Pure."""

from collections.abc import Callable
from typing import Any, Final

from display.view_model import Money, Text
from firmware.entries import menu
from firmware.entries.types import Entry


def _by_level(e: Any) -> tuple[tuple[str, str], ...]:
    return (("level", e.level),)


def _pin(e: menu.PinEntered) -> Text:
    if e.is_right:
        return Text("event", "PIN of the {level} accepted", _by_level(e))
    return Text("event", "Wrong PIN for the {level}", _by_level(e))


def _saved(e: menu.ReportSaved) -> Text:
    if e.error == menu.REPORT_CUT_OFF:
        return Text("event", "Report {report} not saved: the terminal went off meanwhile", (("report", e.name),))
    if e.error:
        return Text("event", "Report {name} not saved: {error}", (("name", e.name), ("error", e.error)))
    return Text("event", "Report {name} saved, digest {digest}", (("name", e.name), ("digest", e.digest[:12])))


MENU_EVENTS: Final[dict[type[Entry], tuple[str, Callable[[Any], Text]]]] = {
    menu.MenuOpened: ("menu", lambda e: Text("event", "Menu opened by the {key} key, level {level}", (("key", e.key), ("level", e.level)))),
    menu.MenuClosed: ("menu", lambda e: Text("event", "Menu closed, level {level}: {reason}", (("level", e.level), ("reason", e.reason)))),
    menu.MenuLevelChanged: ("menu", lambda e: Text("event", "Menu at level {level}: {reason}", (("level", e.level), ("reason", e.reason)))),
    menu.MenuRefused: ("menu", lambda e: Text("event", "Refused to the {level}: {what}", (("level", e.level), ("what", e.what)))),
    menu.PinEntered: ("menu", _pin),
    menu.RecallShown: ("menu", lambda e: Text("event", "Round {round} recalled by the {level}", (("round", e.round_id), ("level", e.level)))),
    menu.TestStarted: ("menu", lambda e: Text("event", "Test of {test} by the {level}", (("test", e.test), ("level", e.level)))),
    menu.NoteTested: ("menu", lambda e: Text("event", "Note of {amount} recognised in the test and given back", (("amount", Money(e.amount_minor)),))),
    menu.ReportOrdered: ("menu", lambda e: Text("event", "Report {report} ordered by the {level}", (("report", e.report), ("level", e.level)))),
    menu.ReportSaved: ("menu", _saved),
}  # fmt: skip
"""Class and words of each kind."""
