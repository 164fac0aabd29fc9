"""The loop when storage fails: an error from a commit is unknown, devices stop, and the journal alone says what is so."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.entries.types import Entry, NoteCredited, RoundOpened
from firmware.journal.critical import Places
from firmware.journal.errors import CommitUnknownError, StoreUnavailableError
from firmware.journal.record import Record, Tally
from firmware.journal.recovery import open_memory
from firmware.memory import Journal
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.support.journal import JournalProxy


class FailingJournal(JournalProxy):
    """A real journal whose next commit of some entry ends with an error, after or before it is really written."""

    def __init__(self, real: Journal, plan: "Plan") -> None:
        super().__init__(real)
        self.plan = plan

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        if self.plan.kind is not None and any(isinstance(entry, self.plan.kind) for entry in entries):
            self.plan.kind = None
            if self.plan.is_written:
                self.real.append(entries, at_ms, tally)
            self.real.close()
            raise self.plan.error
        return self.real.append(entries, at_ms, tally)


class Plan:
    """What goes wrong, once."""

    kind: type[Entry] | None = None
    is_written = False
    error: Exception = CommitUnknownError("disk I/O error")


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[tuple[CabinetUnderTest, Plan]]:
    plan = Plan()

    def open_journal(places: Places, now_ms: int) -> FailingJournal:
        return FailingJournal(open_memory(places, now_ms), plan)

    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=1, open_journal=open_journal)
    cabinet.boot()
    yield cabinet, plan
    cabinet.close()


@pytest.mark.parametrize("is_written", [True, False])
def test_failed_commit_of_a_note_is_credited_exactly_once_whatever_really_happened(
    failing: tuple[CabinetUnderTest, Plan], is_written: bool
) -> None:
    cabinet, plan = failing
    plan.kind, plan.is_written = NoteCredited, is_written
    cabinet.insert_note(2_000)
    cabinet.wait(3_000)
    cabinet.expect_credit(2_000)
    assert cabinet.world.readings.cash_box_minor == 2_000
    assert cabinet.books.meter("power_resets") == 2


@pytest.mark.parametrize("is_written", [True, False])
def test_failed_commit_of_a_deal_takes_the_stake_exactly_if_the_round_is_open(
    failing: tuple[CabinetUnderTest, Plan], is_written: bool
) -> None:
    cabinet, plan = failing
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    plan.kind, plan.is_written = RoundOpened, is_written
    cabinet.press("deal")
    cabinet.wait(1_000)
    cabinet.expect_credit(1_500 if is_written else 2_000)
    assert (cabinet.terminal.state.live is not None) == is_written


def test_storage_that_refuses_before_the_commit_takes_no_money(failing: tuple[CabinetUnderTest, Plan]) -> None:
    cabinet, plan = failing
    plan.kind, plan.error = NoteCredited, StoreUnavailableError("disk full")
    cabinet.insert_note(2_000)
    cabinet.wait(3_000)
    cabinet.expect_credit(2_000)  # the acceptor never got the acknowledgement and reported again after the restart


def test_contradiction_found_by_the_program_locks_it_and_money_is_refused(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    forged = cabinet.terminal.state.recorded
    books = forged.books
    broken = replace(books, meters={**books.meters, "notes_in_minor": 9_999})
    cabinet.terminal._state = replace(cabinet.terminal.state, recorded=replace(forged, books=broken))
    cabinet.insert_note(1_000)
    cabinet.expect_mode("tilt")
    cabinet.expect_faults("M2")
    cabinet.wait(15_000)  # the note in escrow is given back when nobody decides
    assert cabinet.world.readings.note_state == "disabled"
    assert cabinet.world.readings.mouth_minor == (1_000,)
    assert cabinet.world.readings.cash_box_minor == 2_000


def test_effects_follow_the_commit_and_never_precede_it(tmp_path: Path) -> None:
    order: list[str] = []

    class Watching(FailingJournal):
        def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
            records = self.real.append(entries, at_ms, tally)
            order.extend(f"commit {entry.KIND}" for entry in entries)
            return records

    def open_journal(places: Places, now_ms: int) -> Journal:
        return Watching(open_memory(places, now_ms), Plan())

    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=1, open_journal=open_journal)
    _watch(cabinet, order)
    cabinet.boot()
    order.clear()
    cabinet.insert_note(2_000)
    assert order == ["commit note_intended", "stack", "commit note_credited", "confirm"]
    order.clear()
    cabinet.press("cash_out")
    assert order[:2] == ["commit cash_out_started", "pay"]
    cabinet.close()


def _watch(cabinet: CabinetUnderTest, order: list[str]) -> None:
    for device, name in (
        (cabinet.world.notes, "stack"),
        (cabinet.world.notes, "confirm"),
        (cabinet.world.hopper, "pay"),
    ):
        setattr(device, name, _noting(getattr(device, name), name, order))


def _noting(call: Callable[..., None], name: str, order: list[str]) -> Callable[..., None]:
    def noted(*arguments: object) -> None:
        order.append(name)
        call(*arguments)

    return noted
