"""A journal record: an entry with its place in the order, its time and its link in the hash chain.

``Row`` is a record as it lies on storage, as text; ``Record`` is a row whose entry has been read. ``Tally`` is what the
books said after a record; it is kept beside the journal's end, so that another medium remembers it. Not responsible for
where rows lie.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware.entries.codec import UnknownEntryError, decode, encode, kind_of
from firmware.entries.types import Entry

GENESIS_LINK = bytes(32)
"""What the first record's link is chained to."""


@dataclass(frozen=True, slots=True)
class Record:
    """An entry as recorded: ``seq`` from 1 without gaps, wall time in milliseconds, ``link`` of the chain."""

    seq: int
    at_ms: int
    entry: Entry
    link: bytes


@dataclass(frozen=True, slots=True)
class Row:
    """A record as it is stored: the entry as its kind and canonical text."""

    seq: int
    at_ms: int
    kind: str
    body: str
    link: bytes

    def record(self) -> Record:
        """Return the record. Raises ChainError for an entry that can't be read."""
        try:
            return Record(self.seq, self.at_ms, decode(self.kind, self.body), self.link)
        except UnknownEntryError as error:
            raise ChainError(f"entry {self.seq}: {error}") from error


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a journal: the last record's number and link."""

    seq: int = 0
    link: bytes = GENESIS_LINK


@dataclass(frozen=True, slots=True)
class Tally:
    """What the books say: the credit and the master meters by which a lost journal is audited. Minor units, counts.

    Epochs begin at 1; epoch 0 means that the books were not told.
    """

    epoch: int = 0
    credit_minor: int = 0
    notes_in_minor: int = 0
    coins_in_minor: int = 0
    coin_in_minor: int = 0
    coin_out_minor: int = 0
    hopper_paid_minor: int = 0
    cancelled_credit_minor: int = 0
    games_played: int = 0


class ChainError(ValueError):
    """Rows do not follow from each other; the text names the first one that does not."""


def chain_link(previous: bytes, seq: int, at_ms: int, kind: str, body: str) -> bytes:
    """Return the SHA-256 link of a record; it depends on everything recorded before."""
    digest = hashlib.sha256(previous)
    digest.update(f"{seq}|{at_ms}|{kind}|{body}".encode())
    return digest.digest()


def rows_for(entries: Iterable[Entry], at_ms: int, head: Head) -> tuple[Row, ...]:
    """Return the rows that record these entries behind a journal's end."""
    rows = []
    for entry in entries:
        kind, body, seq = kind_of(entry), encode(entry), head.seq + 1
        head = Head(seq, chain_link(head.link, seq, at_ms, kind, body))
        rows.append(Row(seq, at_ms, kind, body, head.link))
    return tuple(rows)


def chained(rows: Iterable[Row], head: Head) -> Iterator[Row]:
    """Yield rows while each follows from the one before, beginning behind ``head``.

    Raises:
        ChainError: a row is missing or was changed.
    """
    seq, link = head.seq, head.link
    for row in rows:
        seq += 1
        if row.seq != seq:
            raise ChainError(f"entry {seq} is missing")
        link = chain_link(link, seq, row.at_ms, row.kind, row.body)
        if row.link != link:
            raise ChainError(f"entry {seq} does not fit the chain; it was changed")
        yield row
