"""The reports that can be saved, as a table, and the page that offers them. Pure.

A report is some pages of this menu one after another. Not responsible for forms and files (``firmware.reports``).
"""

from dataclasses import dataclass
from typing import Final

from display.view_model import Text
from firmware.operator_menu.body import NONE, Body, Line, Reading
from firmware.terminal.menu import Act


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """A report: its title and the pages in it. ``is_offered``: it can be asked for; others are slips of an action."""

    title: Text
    pages: tuple[str, ...]
    is_offered: bool = True


_METERS: Final = (
    "meters.play",
    "meters.notes",
    "meters.coins",
    "meters.paid",
    "meters.games",
    "meters.by_game",
    "meters.jackpot",
    "meters.occurrences",
    "meters.audit",
)
REPORTS: Final = {
    "period": ReportSpec(Text("menu", "Running period"), ("status", "cash.period", *_METERS)),
    "last_period": ReportSpec(Text("menu", "Last closed period"), ("status", "cash.closed")),
    "cash": ReportSpec(Text("menu", "Cash box and hopper"), ("status", "cash.collect", "cash.refill", "cash.collected", "cash.refilled")),
    "handpays": ReportSpec(Text("menu", "Handpays, notes and coins"), ("status", "recall.handpays", "recall.money")),
    "events": ReportSpec(Text("menu", "Events, starts and settings"), ("status", "recall.list", "recall.power", "recall.changes")),
    "all": ReportSpec(
        Text("menu", "Everything"),
        ("status", "lockup", "cash.period", *_METERS, "cash.closed", "cash.collect", "cash.refill", "cash.collected", "cash.refilled", "recall.handpays", "recall.money", "recall.power", "recall.changes", "recall.list", "diagnostics.devices", "diagnostics.memory", "diagnostics.software"),
    ),
    "collection": ReportSpec(Text("menu", "Slip of a collection"), ("cash.collected",), is_offered=False),
    "refill": ReportSpec(Text("menu", "Slip of a refill"), ("cash.refilled",), is_offered=False),
}  # fmt: skip

_ON_PAPER: Final = ("last_period", "cash", "collection", "refill")
"""Reports that are short enough for the narrow paper of a slip."""


def reports(reading: Reading) -> Body:
    """What can be saved, and where to."""
    folder = reading.environment.machine().report_folder
    lines = [
        Line(Text("menu", "Folder (a stick)"), folder or NONE, tone="" if folder else "warning"),
        *(
            Line(Text("menu", "Save: {title}", (("title", spec.title),)), act=Act("report", name))
            for name, spec in REPORTS.items()
            if spec.is_offered
        ),
    ]
    if "printer" in reading.state.screen.ready:
        lines += [
            Line(Text("menu", "Print: {title}", (("title", REPORTS[name].title),)), act=Act("print", name))
            for name in _ON_PAPER
        ]
    footer = Text("menu", "Each is saved as text, table (CSV), JSON and a page to print")
    work = reading.environment.machine().saving
    if work is not None:
        # The row is the last one, so that none moves away under somebody's finger; the footer is seen on every sheet.
        args = (("title", REPORTS[work.name].title), ("percent", 100 * work.done // work.total))
        footer = Text("menu", "Being saved: {title}, {percent} % done. To stop it: the last row", args)
        lines.append(Line(Text("menu", "Stop saving"), act=Act("stop_report")))
    return Body(tuple(lines), footer=footer)
