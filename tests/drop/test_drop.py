"""The drop matches after rounds with trouble, and what was taken or added behind the program's back is found.

Ten thousand rounds of the same: ``python -m tests.drop``.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.drop.campaign import Campaign
from tests.support.cabinet import CabinetUnderTest, settings_for

Plant = Callable[[CabinetUnderTest], None]


def _played(tmp_path: Path, rounds: int, seed: int, plant: Plant = lambda _: None) -> Campaign:
    cabinet = CabinetUnderTest(settings_for(tmp_path, large_win_minor=10**9), seed=seed)
    campaign = Campaign(cabinet, random.Random(seed), plant)
    campaign.begin()
    while campaign.rounds < rounds:
        campaign.visit()
    campaign.close_period()
    cabinet.close()
    return campaign


def test_drop_hopper_and_handpays_match_the_metal_after_rounds_with_trouble(tmp_path: Path) -> None:
    campaign = _played(tmp_path, 120, seed=3)
    assert campaign.problems == []
    assert campaign.periods == 1
    assert sum(campaign.troubles.values()) >= 5
    assert campaign.meters["handpays"] > 0
    assert campaign.meters["hopper_paid_minor"] > 0


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
    once: list[bool] = []

    def plant_once(cabinet: CabinetUnderTest) -> None:
        before = cabinet.world.readings
        if not once:
            plant(cabinet)
            once.extend([True] * (cabinet.world.readings != before))

    campaign = _played(tmp_path, 25, seed=5, plant=plant_once)
    assert once
    assert any(found in problem for problem in campaign.problems), campaign.problems


def test_wrong_counting_by_the_program_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware.entries import types as entry
    from firmware.ledger import meters

    rules = dict(meters._RULES)
    counted = rules[entry.NoteCredited]

    def forgetful(count: meters.MeterCount, note: entry.NoteCredited) -> None:
        counted(count, note)
        if note.amount_minor == 500:
            count.add("drop_minor", -500)

    rules[entry.NoteCredited] = forgetful
    monkeypatch.setattr(meters, "_RULES", rules)
    campaign = _played(tmp_path, 25, seed=3)
    assert any("drop of the period" in problem for problem in campaign.problems)
