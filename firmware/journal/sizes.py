"""How much of the journal is kept where: the numbers that decide between speed, wear and the size of files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of rows, commits and bytes. The tests make them small to see everything happen soon."""

    tail_rows: int = 64
    """The newest rows, checked before every append; 0.2 ms."""
    snapshot_rows: int = 500
    """After so many rows the state is kept, so that a start folds no more than these."""
    live_rows: int = 8_000
    """So many rows always stay in the database, more than a thousand rounds; all are checked at every opening."""
    segment_rows: int = 4_000
    """Older rows are sealed so many at a time."""
    checkpoint_commits: int = 250
    """A commit writes about four pages: the write-ahead log stays near 4 MiB, where it costs least."""
    log_rows: int = 2_000
    """A log of the mirror with so many rows is followed by a new one."""
    log_fill_bytes: int = 128 * 1024
    """A log is filled with zeros so far in advance: an append then changes no file's size, which saves a flush."""
    scrub_calls: int = 20
    """One tidying in so many looks at an old part: about one a second when nobody plays."""


USUAL = Sizes()
