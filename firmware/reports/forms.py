"""The forms of a report: text, table (CSV), plain values and a page to print (HTML). Pure; all say the same.

The digest of the values stands in the journal. Not responsible for what is signed, or for the JSON form, which carries
the signature in full (``signature``).
"""

import csv
import hashlib
import json
from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from firmware.paper import COLUMNS, RULE, wrapped
from firmware.paper import row as paper_row
from firmware.reports.content import Cell, Report, ReportPart, ReportRow

_LABEL_WIDTH: Final = 46
_CELL_WIDTH: Final = 22
STYLE: Final = (
    "body{font:12pt sans-serif;margin:2cm;color:#000}h1{font-size:18pt}h2{font-size:13pt;margin:1.2em 0 .3em}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.15em .4em;border-bottom:1px solid #bbb;text-align:right}"
    "td:first-child,th:first-child{text-align:left}tr.head td{font-weight:bold;border-bottom:2px solid #000}"
    "p.mark{font-weight:bold;font-size:14pt}code{font-size:9pt;word-break:break-all}@media print{body{margin:0}}"
)


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature: the key's public half (32 bytes), its 64 bytes, and what people compare of the key."""

    public: bytes
    value: bytes
    fingerprint: str


def as_values(report: Report) -> dict[str, Any]:
    """Return all that the report says as plain JSON values; amounts have their minor units beside the text."""
    return {
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
        "mark": report.mark,
        "language": report.language,
        "words": dict(report.words),
    }


def report_from(values: dict[str, Any]) -> Report:
    """Return the report for values of ``as_values``. Raises KeyError, TypeError or ValueError for others."""
    parts = tuple(
        ReportPart(part["page"], part["title"], tuple(part["columns"]), tuple(map(_row_from, part["rows"])))
        for part in values["parts"]
    )
    return Report(
        name=values["report"],
        title=values["title"],
        terminal=values["terminal"],
        store=values["store"],
        epoch=values["epoch"],
        currency=values["currency"],
        time=values["time"],
        head_seq=values["head"]["seq"],
        head_link=values["head"]["link"],
        parts=parts,
        mark=values["mark"],
        language=values["language"],
        words=dict(values["words"]),
    )


def _row_from(row: dict[str, Any]) -> ReportRow:
    cells = tuple(Cell(cell["text"], cell.get("minor")) for cell in row["values"])
    return ReportRow(row["label"], cells, bool(row.get("heading", False)))


def canonical(value: object) -> bytes:
    """Return plain JSON values as the one text that digests and signatures are made of."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _row_values(row: ReportRow) -> dict[str, Any]:
    cells = [{"text": cell.text} | ({} if cell.minor is None else {"minor": cell.minor}) for cell in row.cells]
    return {"label": row.label, "values": cells} | ({"heading": True} if row.is_heading else {})


def digest_of(report: Report) -> str:
    """Return the digest (SHA-256, hex) of all that the report says."""
    return hashlib.sha256(canonical(as_values(report))).hexdigest()


def as_text(report: Report, signature: Signature | None = None) -> bytes:
    """Return the report as plain text."""
    lines = [*_head(report), ""]
    for part in report.parts:
        lines += [part.title.upper(), "-" * (_LABEL_WIDTH + 2 * _CELL_WIDTH)]
        if part.columns:
            lines.append(_text_row(part.columns[0], part.columns[1:]))
        for row in part.rows:
            lines.append(_text_row(row.label, tuple(cell.text for cell in row.cells)))
        lines.append("")
    return "\n".join([*lines, *_foot(report, signature), ""]).encode()


def _text_row(label: str, cells: tuple[str, ...]) -> str:
    return (label.ljust(_LABEL_WIDTH) + "".join(f" {cell.rjust(_CELL_WIDTH - 1)}" for cell in cells)).rstrip()


def _head(report: Report) -> list[str]:
    first = f"{report.terminal}  {report.title}  {report.time}"
    return [report.mark, first] if report.mark else [first]


def _foot(report: Report, signature: Signature | None) -> list[str]:
    words = report.words
    lines = [
        f"{words.get('head', 'head')} {report.head_seq}: {report.head_link}",
        f"{words.get('digest', 'digest')}: {digest_of(report)}",
    ]
    if signature is None:
        return [*lines, words.get("unsigned", "unsigned")]
    signed = b64encode(signature.value).decode()
    return [*lines, f"{words.get('signed', 'signed')}: {signature.fingerprint}", signed]


class _Lines:
    """Takes what a writer writes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> None:
        """Take a piece."""
        self.written.append(text)


def as_csv(report: Report, signature: Signature | None = None) -> bytes:
    """Return the report as a table: page, label, value, second value, and both in minor units where they are amounts.

    The last rows are what stands below the report; their page is empty.
    """
    lines = _Lines()
    table = csv.writer(lines)
    table.writerow(("page", "label", "value", "second", "value_minor", "second_minor"))
    for part in report.parts:
        for row in part.rows:
            cells = [*row.cells, None, None][:2]
            texts = [_harmless(cell.text) if cell is not None else "" for cell in cells]
            minors = ["" if cell is None or cell.minor is None else str(cell.minor) for cell in cells]
            table.writerow((part.page, _harmless(row.label), *texts, *minors))
    table.writerows(("", _harmless(line), "", "", "", "") for line in _foot(report, signature))
    return "".join(lines.written).encode()


def _harmless(text: str) -> str:
    """A spreadsheet must not take a text for a formula; negative figures stay figures."""
    return f"'{text}" if text[:1] in ("=", "+", "@", "\t") else text


def as_html(report: Report, signature: Signature | None = None) -> bytes:
    """Return the report as a page to print; it needs nothing from elsewhere."""
    body = [f"<h1>{escape(report.terminal)} · {escape(report.title)}</h1>"]
    if report.mark:
        body.append(f'<p class="mark">{escape(report.mark)}</p>')
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
    body += [f"<p><code>{escape(line)}</code></p>" for line in _foot(report, signature)]
    title = escape(f"{report.terminal} {report.title}")
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(report.language)}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    ).encode()


_MOST_PAPER_LINES: Final = 190


def as_paper(report: Report) -> tuple[str, ...]:
    """Return the report as the lines of a slip; one that is too long for paper ends with how much is missing."""
    head = [report.mark, report.title.upper(), RULE, report.terminal, report.time]
    lines = [line for text in head if text for line in wrapped(text)]
    for part in report.parts:
        lines += [RULE, *wrapped(part.title)]
        for row in part.rows:
            lines += paper_row(row.label, *(cell.text for cell in row.cells))
    foot = [RULE, *(line for text in _foot(report, None)[:2] for line in wrapped(text))]
    foot += ["", "", "_" * COLUMNS]
    if len(lines) + len(foot) > _MOST_PAPER_LINES:
        kept = _MOST_PAPER_LINES - len(foot) - 1
        lines = [*lines[:kept], f"... + {len(lines) - kept}"]
    return (*lines, *foot)


def all_forms(report: Report, signature: Signature | None = None) -> dict[str, bytes]:
    """Return the forms for people by the ending of their file names."""
    return {
        "txt": as_text(report, signature),
        "csv": as_csv(report, signature),
        "html": as_html(report, signature),
    }
