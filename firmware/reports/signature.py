"""The signature of a report: what is signed, and what became of a report since. Pure; keys are somebody else's.

Signed is a statement of digests: one of everything that the report says, and a short one of each row, by which a change
is not only told but found. The other forms (text, table, page) follow from the signed one, so they are compared with it
line by line. Not responsible for making or keeping keys (``firmware.signing``).
"""

import difflib
import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware.reports.content import Report
from firmware.reports.forms import Signature, all_forms, as_values, canonical, digest_of, report_from

FORMAT: Final = "croupier-report/1"
_SHORT: Final = 16
"""Hexadecimal digits of a row's digest: they find a change; that there is none says the digest of the whole."""
_HEADER: Final = (
    "report",
    "title",
    "terminal",
    "store",
    "epoch",
    "currency",
    "time",
    "head",
    "mark",
    "language",
    "words",
)
Check = Callable[[bytes, bytes, bytes], bool]
"""Public key, bytes and signature: tells whether they fit."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What an examination of a report found. ``key`` (hex) is the key that signed it; empty: nobody's signature fits."""

    key: str
    digest: str
    problems: tuple[str, ...]


def statement_of(report: Report) -> bytes:
    """Return the bytes that are signed."""
    return _statement(digest_of(report), _marks(as_values(report)))


def signed_json(report: Report, signature: Signature | None) -> bytes:
    """Return the report as JSON that carries its signature, with which it can be checked anywhere."""
    values = as_values(report)
    block: dict[str, Any] | None = None
    if signature is not None:
        block = {
            "algorithm": "Ed25519",
            "format": FORMAT,
            "key": signature.public.hex(),
            "fingerprint": signature.fingerprint,
            "digest": digest_of(report),
            "lines": _marks(values),
            "value": b64encode(signature.value).decode(),
        }
    return (json.dumps({**values, "signature": block}, ensure_ascii=False, indent=1) + "\n").encode()


def files_of(report: Report, signature: Signature | None) -> dict[str, bytes]:
    """Return all forms by the ending of their file names; JSON, which has the signature in full, comes last."""
    return {**all_forms(report, signature), "json": signed_json(report, signature)}


def examine(data: bytes, check: Check) -> Findings:
    """Examine a report's JSON form. Raises ValueError for bytes that are no report at all."""
    values = _read(data)
    block = values.pop("signature")
    digest = hashlib.sha256(canonical(values)).hexdigest()
    if block is None:
        return Findings(
            "", digest, ("it is not signed: it was made beside the terminal, or the signature was taken away",)
        )
    try:
        public, value = bytes.fromhex(block["key"]), b64decode(block["value"], validate=True)
        signed, marks = str(block["digest"]), [list(map(str, part)) for part in block["lines"]]
    except (KeyError, TypeError, ValueError):
        return Findings("", digest, ("its signature is damaged: nothing can be said about the rest",))
    if not check(public, _statement(signed, marks), value):
        return Findings("", digest, ("its signature is not by the key that it names: it was changed there",))
    if signed == digest:
        return Findings(block["key"], digest, ())
    changes = _changes(values, marks)
    return Findings(block["key"], digest, tuple(changes or ["something was changed that no row tells of"]))


def compare_form(data: bytes, ending: str, signed: bytes) -> tuple[str, ...]:
    """Return how a text, table or page differs from what the JSON form (which must be sound) makes of it."""
    values = _read(signed)
    report, block = report_from(values), values["signature"]
    signature = None
    if block is not None:
        signature = Signature(bytes.fromhex(block["key"]), b64decode(block["value"]), str(block["fingerprint"]))
    expected = all_forms(report, signature)[ending].decode().splitlines()
    found = data.decode("utf-8", "replace").splitlines()
    lines = difflib.unified_diff(expected, found, "signed", "found", lineterm="", n=0)
    changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    return tuple(f"{'is gone' if line[0] == '-' else 'was put in'}: {line[1:].strip()}" for line in changed)


def _read(data: bytes) -> dict[str, Any]:
    try:
        values = json.loads(data)
        if not isinstance(values, dict) or "signature" not in values:
            raise ValueError("it has no place for a signature")
        report_from(values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no report of Croupier in JSON: {error}") from None
    return values


def _statement(digest: str, marks: list[list[str]]) -> bytes:
    return canonical({"format": FORMAT, "digest": digest, "lines": marks})


def _marks(values: Mapping[str, Any]) -> list[list[str]]:
    """The short digests: first that of the header, then of each page its name, its own, and those of its rows."""
    parts = [
        [part["page"], _mark({key: part[key] for key in ("page", "title", "columns")}), *map(_mark, part["rows"])]
        for part in values["parts"]
    ]
    return [["", *(_mark({key: values.get(key)}) for key in _HEADER)], *parts]


def _mark(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:_SHORT]


def _changes(values: Mapping[str, Any], signed: list[list[str]]) -> list[str]:
    """Say in words where the marks of what is there differ from those that were signed."""
    found = _marks(values)
    said = [
        f"{name} was changed; now: {_short(values.get(name))}"
        for name, mark, other in zip(_HEADER, found[0][1:], signed[0][1:], strict=False)
        if mark != other
    ]
    there, then = {part[0]: part[1:] for part in found[1:]}, {part[0]: part[1:] for part in signed[1:]}
    said += [f"the page {page} is missing" for page in then if page not in there]
    for part in values["parts"]:
        page = part["page"]
        if page not in then:
            said.append(f"the page {page} was put in")
            continue
        if there[page][:1] != then[page][:1]:
            said.append(f"{page}: its title or columns were changed")
        said += _changed_rows(part, there[page][1:], then[page][1:])
    return said


def _changed_rows(part: Mapping[str, Any], found: list[str], signed: list[str]) -> list[str]:
    said = []
    matcher = difflib.SequenceMatcher(None, signed, found, autojunk=False)
    for what, first, end, here, until in matcher.get_opcodes():
        rows = [
            f"{row['label']}: {', '.join(cell['text'] for cell in row['values'])}" for row in part["rows"][here:until]
        ]
        if what == "delete":
            said.append(f"{part['page']}: {end - first} row(s) behind row {here} are missing")
        elif what == "insert":
            said += [f"{part['page']}, row {here + index}: was put in: {row}" for index, row in enumerate(rows, 1)]
        elif what == "replace":
            said += [
                f"{part['page']}, row {here + index}: was changed; now: {row}" for index, row in enumerate(rows, 1)
            ]
    return said


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."
