"""Snapshots in the journal's database: what the rows up to some number mean, so that a start need not read them all.

A snapshot is a cache: it is used only if its checksum fits and the chain has its link at its number. The last two are
kept, and those that lie ahead of a new one: another version of the program made them, and it may come back. Not
responsible for what a snapshot holds, nor for transactions (``store``).
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator

from firmware.journal.record import Head


def keep(connection: sqlite3.Connection, head: Head, body: bytes) -> None:
    """Put the snapshot of a journal up to ``head`` in its place, in the open transaction."""
    packed = zlib.compress(body)
    connection.execute(
        "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", (head.seq, head.link, _digest(head, packed), packed)
    )
    connection.execute(
        "DELETE FROM snapshot WHERE seq < (SELECT seq FROM snapshot WHERE seq < ?1 ORDER BY seq DESC LIMIT 1)",
        (head.seq,),
    )


def newest_first(connection: sqlite3.Connection, has: Callable[[Head], bool]) -> Iterator[tuple[int, bytes]]:
    """Yield the sound snapshots, each with the number of the row that it follows.

    ``has`` tells whether the journal once ended like this.
    """
    for seq, link, digest, body in connection.execute("SELECT * FROM snapshot ORDER BY seq DESC").fetchall():
        head = Head(seq, link)
        if isinstance(link, bytes) and isinstance(body, bytes) and digest == _digest(head, body) and has(head):
            yield seq, zlib.decompress(body)


def newest_seq(connection: sqlite3.Connection) -> int:
    """Return the number of the row that the newest snapshot follows, sound or not; 0 when there is none."""
    seq: int = connection.execute("SELECT coalesce(max(seq), 0) FROM snapshot").fetchone()[0]
    return seq


def _digest(head: Head, packed: bytes) -> bytes:
    return hashlib.sha256(head.seq.to_bytes(8, "big") + head.link + packed).digest()
