"""The drop matches after rounds with trouble, and what was taken or added behind the program's back is found.

Ten thousand rounds of the same on byte-level devices: ``python -m tests.drop``.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.entries import types as entry
from firmware.entries.types import Entry, FaultRaised
from firmware.ledger import meters
from tests.drop.cabinets import EmulatedCabinetUnderTest, Kind
from tests.drop.count import Outcome, Share, play, total
from tests.drop.named import Named, Span, named_in
from tests.drop.troubles import ANYWHERE
from tests.support.cabinet import CabinetUnderTest

Plant = Callable[[CabinetUnderTest], None]


def _played(tmp_path: Path, rounds: int, seed: int, plant: Plant = lambda _: None, kind: Kind = "simulated") -> Outcome:
    return play(Share(kind, seed, rounds, tmp_path), plant=plant)


def test_drop_hopper_and_handpays_match_the_metal_after_rounds_with_trouble(tmp_path: Path) -> None:
    outcome = _played(tmp_path, 250, seed=3)
    assert outcome.problems == []
    assert outcome.periods >= 1
    assert len(outcome.games) == 9, "every game has its rounds"
    assert sum(outcome.games.values()) <= outcome.rounds
    assert sum(outcome.troubles.values()) >= 10
    assert set(outcome.troubles) <= {trouble.__name__ for trouble in ANYWHERE}
    assert outcome.meters["handpays"] > 0
    assert outcome.meters["hopper_paid_minor"] > 0
    assert outcome.meters["power_resets"] > 0


def test_drop_matches_what_byte_level_devices_hold_after_trouble_on_their_lines(tmp_path: Path) -> None:
    outcome = _played(tmp_path, 15, seed=7, kind="ssp")
    assert outcome.problems == []
    assert outcome.meters["collected_minor"] > 0
    assert outcome.troubles


def _steal_a_note(cabinet: CabinetUnderTest) -> None:
    box = cabinet.world._state.notes.box
    minor = next((minor for minor, count in box.items() if count), None)
    if minor is not None:
        box[minor] -= 1


def _swap_notes_of_equal_worth(cabinet: CabinetUnderTest) -> None:
    box = cabinet.world._state.notes.box
    if box.get(1_000):
        box[1_000] -= 1
        box[500] = box.get(500, 0) + 2


def _steal_a_coin(cabinet: CabinetUnderTest) -> None:
    cabinet.world._state.hopper.coin_count -= 1


def _pay_a_coin_unseen(cabinet: CabinetUnderTest) -> None:
    cabinet.world._state.hopper.coin_count -= 1
    cabinet.world._state.tray_minor += 100


class _Once:
    """Does something wrong until it has worked once."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self.is_done = False

    def __call__(self, cabinet: CabinetUnderTest) -> None:
        before = cabinet.world.readings
        if not self.is_done:
            self._plant(cabinet)
            self.is_done = cabinet.world.readings != before


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_steal_a_note, "cash box: the books say"),
        (_swap_notes_of_equal_worth, "cash box, piece by piece"),
        (_steal_a_coin, "coins in the hopper"),
        (_pay_a_coin_unseen, "coins that left the hopper"),
    ],
)
def test_planted_loss_is_found_and_named(tmp_path: Path, plant: Plant, found: str) -> None:
    once = _Once(plant)
    outcome = _played(tmp_path, 60, seed=5, plant=once)
    assert once.is_done
    assert any(found in problem for problem in outcome.problems), outcome.problems


def test_loss_in_byte_level_devices_is_found(tmp_path: Path) -> None:
    def steal(cabinet: CabinetUnderTest) -> None:
        assert isinstance(cabinet, EmulatedCabinetUnderTest)
        with cabinet.hardware._note_port.device():
            del cabinet.hardware._note_path.cash_box[:1]

    once = _Once(steal)
    outcome = _played(tmp_path, 8, seed=1, plant=once, kind="cctalk")
    assert once.is_done
    assert any("cash box: the books say" in problem for problem in outcome.problems), outcome.problems


def test_wrong_counting_by_the_program_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = dict(meters._RULES)
    counted = rules[entry.NoteCredited]

    def forgetful(count: meters.MeterCount, note: entry.NoteCredited) -> None:
        counted(count, note)
        if note.amount_minor == 500:
            count.add("drop_minor", -500)

    rules[entry.NoteCredited] = forgetful
    monkeypatch.setattr(meters, "_RULES", rules)
    outcome = _played(tmp_path, 25, seed=3)
    assert any("drop of the period" in problem for problem in outcome.problems)


def _fault(code: str, detail: str) -> Entry:
    return FaultRaised(code, "device", detail)


@pytest.mark.parametrize(
    ("faults", "named"),
    [
        ([], Named()),
        ([_fault("D1", "")], Named()),
        ([_fault("C6", "314: the device counted 7, the journal 5")], Named(coins=Span(2, 2))),
        (
            [_fault("C6", "314: the device counted 7, the journal 6"), _fault("C3", "1 events were not seen")],
            Named(coins=Span(1, 1)),
        ),
        ([_fault("C3", "3 events were not seen; compare the counters")], Named(coins=Span(0, 3))),
        (
            [_fault("C3", "3 events were not seen"), _fault("C6", "314: the device counted 7, the journal 6")],
            Named(coins=Span(1, 4)),
        ),
        ([_fault("H4", "p1-4: asked 7, at least 1 coins left")], Named(hopper=Span(0, 6))),
        ([_fault("H7", "9: the device counted 4, the journal 9")], Named(hopper=Span(-5, -5))),
        ([_fault("B4", "intended 1 1000, the acceptor can't say")] * 2, Named(notes=Span(0, 2))),
    ],
)
def test_only_what_a_fault_says_in_numbers_explains_a_difference(faults: list[Entry], named: Named) -> None:
    assert named_in(faults) == named


def test_sums_of_several_cabinets_keep_every_problem(tmp_path: Path) -> None:
    outcomes = [_played(tmp_path / str(seed), 6, seed, plant=_steal_a_coin) for seed in (1, 2)]
    whole = total(outcomes)
    assert whole.rounds == sum(one.rounds for one in outcomes)
    assert whole.problems == [*outcomes[0].problems, *outcomes[1].problems]
    assert {problem.partition(" (")[0] for problem in whole.problems} == {"cabinet 1", "cabinet 2"}
