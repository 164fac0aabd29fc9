"""The page that a browser shows: status, what is wrong, the period, graphs, events, and the reports to take away. Pure."""

import base64
import hashlib
from functools import partial
from html import escape
from typing import Final

from display.text import Writer
from display.view_model import GraphView, MoneyFormat, Text
from firmware.operator_menu.body import Reading
from firmware.operator_menu.book import body_of
from firmware.operator_menu.pages_reports import REPORTS
from firmware.operator_menu.tree import NODES
from firmware.remote.reading import StoreReading
from firmware.remote.svg import svg_of
from firmware.reports.content import MARKS
from firmware.reports.forms import STYLE as PRINTED_STYLE
from firmware.terminal.menu import Menu

FORMS: Final = ("html", "txt", "csv", "json")
_PAGES: Final = ("status", "lockup", "cash.period")
_GRAPHS: Final = ("graphs.takings", "graphs.return", "graphs.faults")
_NEWEST_EVENTS: Final = 40
STYLE: Final = (
    "body{font:15px sans-serif;margin:0 auto;max-width:62em;padding:1em;color:#111}h1{font-size:1.5em}"
    "h2{font-size:1.15em;margin:1.4em 0 .3em}table{border-collapse:collapse;width:100%}"
    "td{padding:.2em .4em;border-bottom:1px solid #ddd}td+td{text-align:right}"
    ".head td{font-weight:bold}.error td,.warning td{color:#b00020}.mark{font-weight:bold;color:#b00020}"
    "svg{width:100%;height:auto}nav a{margin-right:1em}"
)


def style_sources() -> str:
    """Return the styles of this page and of printed reports as sources for a content security policy."""
    digests = (hashlib.sha256(style.encode()).digest() for style in (STYLE, PRINTED_STYLE))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def page_html(reading: StoreReading, symbol: str, language: str) -> str:
    """Return the page in a language."""
    writer = Writer(language, MoneyFormat(reading.commissioned.minor_digits, symbol, symbol_first=False))
    mark, terminal = MARKS.get(reading.mark), reading.commissioned.terminal
    body = [f"<h1>Croupier {escape(terminal)}</h1>"]
    if mark is not None:
        body.append(f'<p class="mark">{escape(writer.say(mark))}</p>')
    other = "ru" if language == "en" else "en"
    body.append(f'<nav><a href="/?lang={language}">&#8635;</a><a href="/?lang={other}">{other.upper()}</a></nav>')
    for page in (*_PAGES, "recall.list"):
        body += _table(page, reading, writer, _NEWEST_EVENTS)
    for page in _GRAPHS:
        graph = body_of(NODES[page], _at(page, reading)).graph
        drawn = svg_of(graph, writer.say, partial(_figure, graph, writer)) if graph else ""
        if drawn:
            body += [f"<h2>{escape(writer.say(NODES[page].title))}</h2>", drawn]
    body.append(f"<h2>{escape(writer.say(Text('menu', 'Reports')))}</h2>")
    for name, spec in REPORTS.items():
        if spec.is_offered:
            links = " ".join(f'<a href="/report/{name}.{form}?lang={language}">{form}</a>' for form in FORMS)
            body.append(f"<nav>{escape(writer.say(spec.title))}: {links}</nav>")
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"><title>Croupier {escape(terminal)}'
        f"</title><style>{STYLE}</style></head><body>" + "\n".join(body) + "</body></html>\n"
    )


def _at(page: str, reading: StoreReading) -> Reading:
    return Reading(reading.state, reading.environment, Menu("operator", "operator", "en", 0, page))


def _table(page: str, reading: StoreReading, writer: Writer, most: int) -> list[str]:
    node = NODES[page]
    rows = []
    for line in body_of(node, _at(page, reading)).lines[:most]:
        if line.act is not None and line.value == "":
            continue
        cells = "".join(f"<td>{escape(writer.say(words))}</td>" for words in (line.value, line.second) if words != "")
        kind = "head" if line.tone == "heading" else line.tone
        rows.append(f'<tr class="{kind}"><td>{escape(writer.say(line.label))}</td>{cells}</tr>')
    title = REPORTS["period"].title if page == "cash.period" else node.title
    return [f"<h2>{escape(writer.say(title))}</h2>", "<table>", *rows, "</table>"]


def _figure(graph: GraphView, writer: Writer, value: int) -> str:
    if graph.unit == "minor":
        return writer.money(value, short=True)
    return f"{value // 10}.{value % 10} %" if graph.unit == "permille" else str(value)
