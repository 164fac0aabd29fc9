"""Snapshots: a start reads little and finds the same; a snapshot that can't be trusted is as if it were not there."""

import random
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware import memory as reading
from firmware.entries.types import RoundActed, Stopped
from firmware.errors import InvariantError
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.errors import StoreUnavailableError
from firmware.journal.record import Head, Record
from firmware.journal.schema import FILE_NAME
from firmware.memory import load_recorded, take_up
from firmware.terminal.snapshot import decode_recorded, encode_recorded, tally_of
from firmware.terminal.state import Recorded
from tests.crash.session import play, simulator_settings
from tests.journal.memories import AT_MS, FIRST, fill, opened, places_in
from tests.support.cabinet import CabinetUnderTest
from tests.support.journal import JournalProxy


@pytest.fixture
def played(tmp_path: Path) -> Recorded:
    """A state after a session of several games, with a history, carried shoes, and faults."""
    settings = simulator_settings()
    storage = settings.storage.model_copy(update={"data_dir": tmp_path / "played"})
    cabinet = CabinetUnderTest(settings.model_copy(update={"storage": storage}), seed=5)
    cabinet.boot()
    play(cabinet, random.Random(5), 60)
    cabinet.shut_down()
    cabinet.boot()
    cabinet.insert_coin(100)
    recorded = cabinet.terminal.state.recorded
    cabinet.close()
    assert recorded.history
    return recorded


def test_state_of_a_long_session_comes_back_from_its_snapshot(played: Recorded) -> None:
    assert decode_recorded(encode_recorded(played)) == played


def test_state_folds_on_from_its_snapshot_as_it_would_have_without(tmp_path: Path, played: Recorded) -> None:
    places = Places(tmp_path / "played")
    with opened(places) as memory:
        found = next(memory.snapshots(), None)
        assert found is not None
        assert 0 < found[0] < memory.head.seq
        assert load_recorded(memory) == played
    forget_snapshots(places)
    with opened(places) as memory:
        assert next(memory.snapshots(), None) is None
        assert load_recorded(memory) == played


def test_snapshot_of_another_version_of_the_fold_or_the_state_is_not_used(played: Recorded) -> None:
    data = encode_recorded(played)
    head, _, body = data.partition(b"\n")
    name, version, fields = head.split(b"/")
    assert decode_recorded(b"/".join((name, str(int(version) + 1).encode(), fields)) + b"\n" + body) is None
    assert decode_recorded(b"/".join((name, version, fields[::-1])) + b"\n" + body) is None
    assert decode_recorded(data[:-1]) is None
    assert decode_recorded(b"") is None


class CountedReading(JournalProxy):
    """A real journal that counts how many records were read of it."""

    read_count = 0

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        for record in super().records(after_seq):
            self.read_count += 1
            yield record


class PowerCutError(Exception):
    pass


@pytest.fixture
def of_another_version(tmp_path: Path, played: Recorded, monkeypatch: pytest.MonkeyPatch) -> Places:
    """The journal of ``played``, whose snapshots another version made; the reading goes in small steps."""
    assert played.history
    monkeypatch.setattr(reading, "FOLD_CHUNK", 5)
    monkeypatch.setattr(reading, "KEEP_EVERY", 10)
    places = Places(tmp_path / "played")
    with opened(places) as memory:
        for seq, body in list(memory.snapshots()):
            link = next(memory.records(seq - 1)).link
            memory.keep_snapshot(b"croupier-state/0/another\n" + body, Head(seq, link))
    return places


def cut_in_the_middle(done: int, of_all: int) -> None:
    if done > 2 * of_all // 3:
        raise PowerCutError


def test_long_reading_after_an_update_goes_on_where_a_power_cut_ended_it(
    of_another_version: Places, played: Recorded
) -> None:
    with opened(of_another_version) as memory:
        length = memory.head.seq
        with pytest.raises(PowerCutError):
            take_up(memory, cut_in_the_middle)
    told: list[tuple[int, int]] = []
    with opened(of_another_version) as memory:
        counted = CountedReading(memory)
        assert take_up(counted, lambda done, of_all: told.append((done, of_all))) == played
    assert counted.read_count < 0.6 * length
    assert told == [(done, length) for done, _ in told]
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert told[-1][0] > length - 5


def test_version_that_comes_back_finds_its_own_snapshots(of_another_version: Places) -> None:
    with opened(of_another_version) as memory:
        others = list(memory.snapshots())
        take_up(memory, lambda *_: None)
        kept_now = list(memory.snapshots())
    assert all(other in kept_now for other in others)
    assert len(kept_now) <= len(others) + 2


def test_disk_that_is_too_full_for_a_snapshot_does_not_stop_a_long_reading(
    of_another_version: Places, played: Recorded
) -> None:
    class Full(JournalProxy):
        def keep_snapshot(self, body: bytes, after: Head | None = None) -> None:
            raise StoreUnavailableError("the disk is full")

    with opened(of_another_version) as memory:
        assert take_up(Full(memory), lambda *_: None) == played


def kept(memory: CriticalMemory) -> tuple[int, bytes] | None:
    fill(memory, 6)
    memory.keep_snapshot(b"the first")
    fill(memory, 6, 7)
    memory.keep_snapshot(b"the second")
    return next(memory.snapshots(), None)


def test_newest_of_the_last_two_snapshots_is_given(tmp_path: Path) -> None:
    with opened(Places(tmp_path)) as memory:
        found = kept(memory)
        assert found == (memory.head.seq, b"the second")
        for number in range(20, 40):
            fill(memory, 1, number)
            memory.keep_snapshot(b"x")
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    assert connection.execute("SELECT count(*) FROM snapshot").fetchone() == (2,)
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[:-1],
        lambda packed: bytes([packed[0] ^ 1]) + packed[1:],
        lambda _: zlib.compress(b"a credit of a million"),
        lambda _: b"",
    ],
)
def test_damaged_snapshot_gives_way_to_the_one_before_it(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    with opened(Places(tmp_path)) as memory:
        found = kept(memory)
        assert found is not None
        second = found[0]
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    (packed,) = connection.execute("SELECT body FROM snapshot WHERE seq = ?", (second,)).fetchone()
    connection.execute("UPDATE snapshot SET body = ? WHERE seq = ?", (damage(packed), second))
    connection.commit()
    connection.close()
    with opened(Places(tmp_path)) as memory:
        found = next(memory.snapshots(), None)
        assert found is not None
        assert found[1] == b"the first"


def test_snapshot_whose_place_in_the_chain_is_another_is_not_used(tmp_path: Path) -> None:
    with opened(Places(tmp_path)) as memory:
        kept(memory)
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("UPDATE snapshot SET seq = seq - 1, link = zeroblob(32)")
    connection.commit()
    connection.close()
    with opened(Places(tmp_path)) as memory:
        assert next(memory.snapshots(), None) is None


def test_snapshot_is_due_after_so_many_rows_and_not_again_at_once(tmp_path: Path) -> None:
    with opened(Places(tmp_path)) as memory:
        due = [memory.snapshot_is_due]
        fill(memory, 5)
        due.append(memory.snapshot_is_due)
        memory.keep_snapshot(b"x")
        due.append(memory.snapshot_is_due)
    assert due == [False, True, False]


def test_wrong_snapshot_is_found_out_by_the_entries_after_it(tmp_path: Path) -> None:
    with opened(Places(tmp_path)) as memory:
        memory.append((FIRST,), AT_MS)
        fill(memory, 2)
        right = load_recorded(memory)
        poor = replace(right, round=None)
        memory.keep_snapshot(encode_recorded(poor))
        memory.append((RoundActed("r1-2", 1, 1, 0, "exchange", (), 500),), AT_MS)
        assert load_recorded(memory).credit_minor == right.credit_minor - 500


def test_books_that_are_not_those_of_the_anchor_are_a_contradiction(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    with opened(places) as memory:
        memory.append((FIRST,), AT_MS)
        fill(memory, 1)
        right = tally_of(load_recorded(memory))
    with opened(places) as memory, pytest.raises(InvariantError, match="the anchor remembers"):
        load_recorded(memory)
    with opened(places) as memory:
        memory.append((Stopped(),), AT_MS, right)
    with opened(places) as memory:
        assert load_recorded(memory).credit_minor == 1_000


def forget_snapshots(places: Places) -> None:
    connection = sqlite3.connect(places.data_dir / FILE_NAME)
    connection.execute("DELETE FROM snapshot")
    connection.commit()
    connection.close()
