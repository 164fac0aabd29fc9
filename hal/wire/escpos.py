"""Bytes of ESC/POS printers: a slip as commands, the questions for their status, and what the answers mean.

Pure functions. Not responsible for when something is printed and what counts as proof (``hal.wire.escpos_host``).
"""

import contextlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hal.errors import LocalProtocolError, RemoteProtocolError

QUESTIONS: Final = (1, 2, 3, 4)
"""Printer, cause of being offline, error, paper."""
FENCE: Final = b"\x1d\x72\x01"
"""GS r 1 waits in the printer's queue: its answer says that everything sent before it has been processed."""
QUIET: Final = b"\x1d\x61\x00"
"""GS a 0: no status of its own accord, so that every byte from the printer answers a question."""

_INITIALISE: Final = b"\x1b\x40"
_SELECT_CODE_PAGE: Final = b"\x1b\x74"
_FEED_AND_CUT: Final = b"\x1d\x56\x42\x00"
_FEED_LINES: Final = b"\x1b\x64"
_FEED_COUNT: Final = 3
MOST_LINES: Final = 200
MOST_COLUMNS: Final = 64


@dataclass(frozen=True, slots=True)
class CodePage:
    """A character set: the printer's number for it and the codec's name."""

    number: int
    codec: str


CP437: Final = CodePage(0, "cp437")
CP866: Final = CodePage(17, "cp866")
"""Cyrillic."""

_NEAREST: Final = str.maketrans(
    dict.fromkeys("\u00a0\u2009\u202f", " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("«»„“”", '"')
    | dict.fromkeys("\u2018\u2019", "'")
    | {"…": ".", "€": "E", "₽": "R", "\u00d7": "x", "•": "*"}
)
"""What stands for a typographer's signs, in every code page alike."""

# Question -> (mask, what it means); bit 1 and bit 4 are always set, bits 0 and 7 never.
_MEANINGS: Final = {
    1: ((0x08, "offline"),),
    2: ((0x04, "cover_open"), (0x20, "paper_out")),
    3: ((0x08, "cutter"), (0x20, "internal"), (0x40, "overheated")),
    4: ((0x60, "paper_out"), (0x0C, "paper_low")),
}


def status_request(question: int) -> bytes:
    """Return DLE EOT n, which is answered at once even while the printer is offline."""
    if question not in QUESTIONS:
        raise LocalProtocolError(f"there is no printer status {question}")
    return bytes((0x10, 0x04, question))


def is_status(answer: int) -> bool:
    """Whether a byte can be the answer to a status request."""
    return answer & 0x93 == 0x12


def is_fence(answer: int) -> bool:
    """Whether a byte can be the answer to FENCE: paper there (00), low (03), out (0C) or both."""
    return answer in (0x00, 0x03, 0x0C, 0x0F)


def parse_status(question: int, answer: int) -> frozenset[str]:
    """Return what is wrong. Raises RemoteProtocolError for a byte that is no answer to a status request."""
    if not is_status(answer):
        raise RemoteProtocolError(f"printer status {answer:02X} is none")
    wrong = {code for mask, code in _MEANINGS[question] if answer & mask}
    if "paper_out" in wrong:
        wrong.discard("paper_low")
    return frozenset(wrong)


def slip(lines: Iterable[str], page: CodePage) -> bytes:
    """Return the bytes of a slip, cut at its end.

    A letter that the page does not have is written as its nearest: without its accent, a plain dash, a plain quotation
    mark. What has none, and control characters, which would be commands to the printer, become ``?``.
    Raises LocalProtocolError for a slip that is too long or too wide.
    """
    rows = tuple(lines)
    if len(rows) > MOST_LINES or any(len(row) > MOST_COLUMNS for row in rows):
        raise LocalProtocolError(f"a slip has at most {MOST_LINES} lines of {MOST_COLUMNS} characters")
    text = b"".join(_encoded(row, page) + b"\n" for row in rows)
    head = _INITIALISE + _SELECT_CODE_PAGE + bytes((page.number,))
    return head + text + _FEED_LINES + bytes((_FEED_COUNT,)) + _FEED_AND_CUT


def _encoded(row: str, page: CodePage) -> bytes:
    return b"".join(_letter(letter, page.codec) for letter in unicodedata.normalize("NFC", row))


def _letter(letter: str, codec: str) -> bytes:
    """Return one byte for one letter, so that columns hold."""
    plain = letter.translate(_NEAREST)
    for near in (plain, unicodedata.normalize("NFKD", plain)[0]):
        if near.isprintable():
            with contextlib.suppress(UnicodeEncodeError):
                return near.encode(codec)
    return b"?"
