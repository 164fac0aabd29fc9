"""The electromechanical meters turn with the books, by whichever way money comes and goes."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware.ledger.books import Books
from firmware.settings.sections import Settings
from firmware.terminal.hard_meters import hard_meter_steps
from tests.support.cabinet import CabinetUnderTest, settings_for


def with_step(settings: Settings, step_minor: int) -> Settings:
    return settings.model_copy(update={"gpio": settings.gpio.model_copy(update={"meter_step_minor": step_minor})})


def test_notes_and_coins_turn_the_meter_in_and_what_is_less_than_a_step_waits(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path))
    cabinet.boot()
    cabinet.insert_note(2_000)
    assert cabinet.world.readings.meters == {"in": 20}
    cabinet.insert_coin(50)
    assert cabinet.world.readings.meters == {"in": 20}
    cabinet.kill()
    cabinet.boot()
    cabinet.insert_coin(50)
    assert cabinet.world.readings.meters == {"in": 21}
    cabinet.close()


def test_hopper_and_attendant_turn_the_meter_out_once(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(with_step(settings_for(tmp_path, hopper_limit_minor=1_000), 500))
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(5_000)
    assert cabinet.world.readings.meters == {"in": 4, "out": 2}
    cabinet.act(lambda world: world.turn_key("attendant"), wait_ms=500)
    cabinet.expect_credit(0)
    assert cabinet.world.readings.meters == {"in": 4, "out": 4}
    cabinet.close()


@given(st.lists(st.integers(1, 5_000), max_size=20), st.integers(1, 1_000))
def test_steps_add_up_to_the_whole_steps_of_the_sum(amounts_minor: list[int], step_minor: int) -> None:
    books, turned = Books(), 0
    for amount in amounts_minor:
        meters = dict(books.meters)
        meters["coins_in_minor"] = meters.get("coins_in_minor", 0) + amount
        after = replace(books, meters=meters)
        turned += sum(pulse.step_count for pulse in hard_meter_steps(books, after, step_minor))
        books = after
    assert turned == sum(amounts_minor) // step_minor
