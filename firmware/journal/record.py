"""A journal record: an entry with its place in the order, its time and its link in the hash chain."""

import hashlib
from dataclasses import dataclass

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
class Head:
    """The end of a journal: the last record's number and link."""

    seq: int
    link: bytes


def chain_link(previous: bytes, seq: int, at_ms: int, kind: str, body: str) -> bytes:
    """Return the SHA-256 link of a record; it depends on everything recorded before."""
    digest = hashlib.sha256(previous)
    digest.update(f"{seq}|{at_ms}|{kind}|{body}".encode())
    return digest.digest()
