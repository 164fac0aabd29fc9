"""What the line across the table says of a settled round."""

from pathlib import Path

from tests.support.cabinet import CabinetUnderTest, settings_for


def test_stakes_on_both_sides_that_come_to_nothing_are_no_push(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=3)
    cabinet.boot()
    try:
        cabinet.insert_note(10_000)
        cabinet.sit_down("baccarat")
        seen = set()
        for _ in range(20):
            cabinet.bet(1, "player", 1_000)
            cabinet.bet(1, "banker", 1_000)
            cabinet.press("deal")
            cabinet.wait(10_000)
            table = cabinet.view.table
            assert table is not None
            assert table.banner is not None
            if table.roads[-1] == "P":
                assert cabinet.view.win_minor == 2_000
                assert table.banner.message == "You receive {amount}"
            elif table.roads[-1] == "T":
                assert table.banner.message == "Push. Your stakes are returned"
            seen.add(table.roads[-1])
            cabinet.press("new_bets")
        assert {"P", "T"} <= seen
    finally:
        cabinet.close()
