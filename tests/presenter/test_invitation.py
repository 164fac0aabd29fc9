"""Whether a terminal without credit asks for money, for a moment, or for an attendant."""

from pathlib import Path

from tests.support.cabinet import CabinetUnderTest, settings_for


def test_nobody_is_asked_to_call_an_attendant_while_a_note_is_on_its_way(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=3)
    cabinet.boot()
    try:
        assert cabinet.view.accepts_money
        cabinet.world.insert_note(2_000)
        moments = 0
        while not cabinet.view.credit_minor:
            cabinet.wait(10)
            view = cabinet.view
            assert view.accepts_money or view.takes_money_soon
            moments += view.takes_money_soon
        assert moments
        assert not cabinet.view.takes_money_soon
    finally:
        cabinet.close()


def test_where_notes_are_refused_for_a_fault_an_attendant_is_called(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=3)
    cabinet.boot()
    try:
        cabinet.act(lambda world: world.open_door("main"))
        assert not cabinet.view.accepts_money
        assert not cabinet.view.takes_money_soon
    finally:
        cabinet.close()
