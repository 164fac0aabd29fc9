"""The forms of a report: text, table (CSV), JSON and a page to print (HTML). Pure; all say the same.

The digest of the JSON form stands in the journal, so a report that was changed later is told.
"""

import csv
import hashlib
import json
from html import escape
from typing import Any, Final

from firmware.reports.content import Report, ReportRow

_LABEL_WIDTH: Final = 46
_CELL_WIDTH: Final = 22
STYLE: Final = (
    "body{font:12pt sans-serif;margin:2cm;color:#000}h1{font-size:18pt}h2{font-size:13pt;margin:1.2em 0 .3em}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.15em .4em;border-bottom:1px solid #bbb;text-align:right}"
    "td:first-child,th:first-child{text-align:left}tr.head td{font-weight:bold;border-bottom:2px solid #000}"
    "p.mark{font-weight:bold;font-size:14pt}code{font-size:9pt;word-break:break-all}@media print{body{margin:0}}"
)


def as_json(report: Report) -> bytes:
    """Return the report as JSON; amounts have their minor units beside the text."""
    values: dict[str, Any] = {
        "report": report.name,
        "title": report.title,
        "terminal": report.terminal,
        "store": report.store,
        "epoch": report.epoch,
        "currency": report.currency,
        "time": report.time,
        "head": {"seq": report.head_seq, "link": report.head_link},
        "parts": [
            {
                "page": part.page,
                "title": part.title,
                "columns": list(part.columns),
                "rows": [_row_values(row) for row in part.rows],
            }
            for part in report.parts
        ],
    }
    return (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode()


def _row_values(row: ReportRow) -> dict[str, Any]:
    cells = [{"text": cell.text} | ({} if cell.minor is None else {"minor": cell.minor}) for cell in row.cells]
    return {"label": row.label, "values": cells}


def digest_of(report: Report) -> str:
    """Return the digest (SHA-256, hex) of the JSON form."""
    return hashlib.sha256(as_json(report)).hexdigest()


def as_text(report: Report, mark: str) -> bytes:
    """Return the report as plain text; ``mark`` says that the money is none, empty for real money."""
    lines = [*_head(report, mark), ""]
    for part in report.parts:
        lines += [part.title.upper(), "-" * (_LABEL_WIDTH + 2 * _CELL_WIDTH)]
        if part.columns:
            lines.append(_text_row(part.columns[0], part.columns[1:]))
        for row in part.rows:
            lines.append(_text_row(row.label, tuple(cell.text for cell in row.cells)))
        lines.append("")
    return "\n".join([*lines, *_foot(report), ""]).encode()


def _text_row(label: str, cells: tuple[str, ...]) -> str:
    return (label.ljust(_LABEL_WIDTH) + "".join(f" {cell.rjust(_CELL_WIDTH - 1)}" for cell in cells)).rstrip()


def _head(report: Report, mark: str) -> list[str]:
    first = f"{report.terminal}  {report.title}  {report.time}"
    return [mark, first] if mark else [first]


def _foot(report: Report) -> list[str]:
    return [f"Journal: entry {report.head_seq}, link {report.head_link}", f"SHA-256 (JSON): {digest_of(report)}"]


class _Lines:
    """Takes what a writer writes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> None:
        """Take a piece."""
        self.written.append(text)


def as_csv(report: Report) -> bytes:
    """Return the report as a table: page, label, value, second value, and both in minor units where they are amounts."""
    lines = _Lines()
    table = csv.writer(lines)
    table.writerow(("page", "label", "value", "second", "value_minor", "second_minor"))
    for part in report.parts:
        for row in part.rows:
            cells = [*row.cells, None, None][:2]
            texts = [_harmless(cell.text) if cell is not None else "" for cell in cells]
            minors = ["" if cell is None or cell.minor is None else str(cell.minor) for cell in cells]
            table.writerow((part.page, _harmless(row.label), *texts, *minors))
    return "".join(lines.written).encode()


def _harmless(text: str) -> str:
    """A spreadsheet must not take a text for a formula; negative figures stay figures."""
    return f"'{text}" if text[:1] in ("=", "+", "@", "\t") else text


def as_html(report: Report, mark: str, language: str) -> bytes:
    """Return the report as a page to print; it needs nothing from elsewhere."""
    body = [f"<h1>{escape(report.terminal)} · {escape(report.title)}</h1>"]
    if mark:
        body.append(f'<p class="mark">{escape(mark)}</p>')
    body.append(f"<p>{escape(report.time)}</p>")
    for part in report.parts:
        body.append(f"<h2>{escape(part.title)}</h2><table>")
        if part.columns:
            body.append("<tr>" + "".join(f"<th>{escape(column)}</th>" for column in part.columns) + "</tr>")
        for row in part.rows:
            cells = "".join(f"<td>{escape(cell.text)}</td>" for cell in row.cells)
            span = f' colspan="{4 - len(row.cells) - 1}"' if len(row.cells) < 2 else ""
            kind = ' class="head"' if row.is_heading else ""
            body.append(f"<tr{kind}><td{span}>{escape(row.label)}</td>{cells}</tr>")
        body.append("</table>")
    body += [f"<p><code>{escape(line)}</code></p>" for line in _foot(report)]
    title = escape(f"{report.terminal} {report.title}")
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    ).encode()


def all_forms(report: Report, mark: str, language: str) -> dict[str, bytes]:
    """Return all forms by the ending of their file names; JSON, whose digest is in the journal, comes last."""
    return {
        "txt": as_text(report, mark),
        "csv": as_csv(report),
        "html": as_html(report, mark, language),
        "json": as_json(report),
    }
