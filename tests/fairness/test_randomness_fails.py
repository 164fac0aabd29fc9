"""A source of randomness that fails its health tests: nothing more is dealt, the fault stays, no money is lost."""

from pathlib import Path

import pytest

from firmware.entries.fairness import ShoePrepared
from firmware.entries.types import FaultRaised
from firmware.rng.health import START_UP_BYTES, HealthTested
from firmware.rng.seeded import SeededSource
from firmware.rng.source import ByteSource
from tests.support.cabinet import CabinetUnderTest, settings_for


class Failing:
    """A sound stream that is stuck at zero from some byte on."""

    def __init__(self, good_count: int) -> None:
        self._sound, self._left = SeededSource(1), good_count

    def take(self, count: int) -> bytes:
        taken = self._sound.take(count)
        good, self._left = taken[: self._left], max(self._left - count, 0)
        return good + bytes(count - len(good))


def cabinet_with(source: ByteSource, data: Path) -> CabinetUnderTest:
    cabinet = CabinetUnderTest(settings_for(data))
    cabinet._source = HealthTested(source)
    return cabinet


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_stuck_source_is_found_at_the_start_and_locks_the_terminal(data: Path) -> None:
    cabinet = cabinet_with(Failing(0), data)
    cabinet.boot()
    cabinet.expect_faults("R1")
    cabinet.expect_mode("tilt")
    assert cabinet.world.readings.note_state == "disabled"
    cabinet.kill()
    cabinet._source = HealthTested(Failing(0))
    cabinet.boot()
    raised = [record.entry for record in cabinet.records() if isinstance(record.entry, FaultRaised)]
    assert [(entry.code, entry.detail) for entry in raised] == [
        ("R1", "source of randomness: repetition count test of bytes")
    ]
    cabinet.close()


def test_fault_stays_after_a_restart_with_a_sound_source_until_it_is_cleared(data: Path) -> None:
    cabinet = cabinet_with(Failing(0), data)
    cabinet.boot()
    cabinet.kill()
    cabinet._source = HealthTested(SeededSource(2))
    cabinet.boot()
    cabinet.expect_faults("R1")
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.expect_faults("R1")
    cabinet.close()


def test_source_that_fails_in_mid_hand_lets_the_hand_end_and_prepares_no_other(data: Path) -> None:
    cabinet = cabinet_with(Failing(START_UP_BYTES + 100), data)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.expect_mode("table")
    cabinet.press("fold")
    cabinet.expect_credit(1_500)
    cabinet.expect_faults("R1")
    cabinet.expect_mode("tilt")
    assert cabinet.books.meter("games_played") == 1
    assert len([record for record in cabinet.records() if isinstance(record.entry, ShoePrepared)]) == 1
    cabinet.conserve()
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults("R1")
    cabinet.expect_credit(1_500)
    cabinet.close()


def test_seat_taken_with_a_failing_source_takes_no_stake(data: Path) -> None:
    cabinet = cabinet_with(Failing(START_UP_BYTES), data)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.expect_faults("R1")
    cabinet.expect_credit(2_000)
    cabinet.close()
