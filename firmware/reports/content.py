"""What a report says: pages of the operator's menu, read at one moment, with where the journal ended then. Pure.

The same figures as on the screen, made by the same pages. Not responsible for forms (``forms``) or files (``saving``).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from display.view_model import Money, Text
from firmware.operator_menu.body import Reading, Words, moment
from firmware.operator_menu.book import body_of
from firmware.operator_menu.pages_reports import REPORTS
from firmware.operator_menu.tree import NODES
from firmware.terminal.menu import Menu
from firmware.terminal.state import State
from firmware.terminal.step import Environment

Say = Callable[[Words], str]
"""Writes a text, an amount or a plain word in one language."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as people read it, and in minor units when it is an amount."""

    text: str
    minor: int | None = None


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row: label and up to two figures."""

    label: str
    cells: tuple[Cell, ...]
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A page of the menu in a report; ``columns`` are empty where the page has none."""

    page: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ReportRow, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A report. ``time`` is local; ``head_seq`` and ``head_link`` (hex) name the last entry that it knows."""

    name: str
    title: str
    terminal: str
    store: str
    epoch: int
    currency: str
    time: str
    head_seq: int
    head_link: str
    parts: tuple[ReportPart, ...]
    mark: str = ""
    """Says that the money is none; empty for real money."""
    language: str = "en"
    words: Mapping[str, str] = field(default_factory=dict)
    """What stands below the report, in its language: ``head``, ``digest``, ``signed``, ``unsigned``."""

    @property
    def file_name(self) -> str:
        """The report's name as a file, without an ending; no two reports of a terminal have the same."""
        return f"croupier-{self.terminal}-e{self.epoch}-{self.head_seq:08d}-{self.name.replace('_', '-')}"


def report_of(
    name: str,
    state: State,
    environment: Environment,
    say: Say,
    language: str = "en",
    step: Callable[[], None] = lambda: None,
) -> Report:
    """Return a report by its name in ``REPORTS``; ``step`` is told of each page. Raises KeyError for an unknown one."""
    spec, commissioned = REPORTS[name], state.recorded.commissioned
    menu = Menu("operator", "technician", language, environment.now_ms)
    history = state.recorded.periods.history
    machine = environment.machine()
    parts = []
    for page in spec.pages:
        item = str(history[-1].number) if page == "cash.closed" and history else ""
        reading = Reading(state, environment, replace(menu, page=page, item=item))
        parts.append(_part(page, reading, say))
        step()
    return Report(
        name=name,
        title=say(spec.title),
        terminal=commissioned.terminal if commissioned is not None else "",
        store=commissioned.store if commissioned is not None else "",
        epoch=commissioned.epoch if commissioned is not None else 0,
        currency=commissioned.currency if commissioned is not None else "",
        time=moment(environment.local_ms(environment.wall_ms)),
        head_seq=machine.head_seq,
        head_link=machine.head_link,
        parts=tuple(parts),
        mark=say(MARKS[commissioned.store]) if commissioned is not None and commissioned.store in MARKS else "",
        language=language,
        words={name: say(text) for name, text in _WORDS.items()},
    )


def _part(page: str, reading: Reading, say: Say) -> ReportPart:
    node = NODES[page]
    body = body_of(node, reading)
    rows = tuple(
        ReportRow(
            say(line.label), tuple(_cell(words, say) for words in (line.value, line.second) if words != ""), line.tone == "heading"
        )
        for line in body.lines
        if line.act is None or line.value != ""
    )  # fmt: skip
    return ReportPart(page, say(body.title or node.title), tuple(say(column) for column in body.columns), rows)


def _cell(words: Words, say: Say) -> Cell:
    return Cell(_plain(say(words)), words.minor if isinstance(words, Money) else None)


def _plain(text: str) -> str:
    """Files are read by other programs too: common spaces and signs in place of the typographer's."""
    return text.replace("\u00a0", " ").replace("−", "-")


_WORDS: Final = {
    "head": Text("report", "The journal ended with entry"),
    "digest": Text("report", "Digest (SHA-256)"),
    "signed": Text("report", "Signed by the terminal's key (Ed25519)"),
    "unsigned": Text("report", "Not signed: made beside the terminal"),
}
MARKS: Final = {
    "simulator": Text("watermark", "Simulator: no value"),
    "demo": Text("watermark", "Demonstration: no value"),
}
"""How a report of money that is none is marked."""
