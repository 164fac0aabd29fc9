"""Bead plate and big road."""

import pytest

from firmware.games.families.baccarat_roads import BigRoadCell, CoupResult, Winner, bead_plate, big_road, coup_result
from tests.games.baccarat.coups import play_coup

WINNERS: dict[str, Winner] = {"P": "player", "B": "banker", "T": "tie"}


def results(letters: str) -> list[CoupResult]:
    return [CoupResult(WINNERS[letter]) for letter in letters]


def drawn(cells: tuple[BigRoadCell, ...]) -> list[str]:
    """The road as rows of text: the winner's letter, lower case with ties on it, `.` empty."""
    width = max(cell.column for cell in cells) + 1
    rows = [["."] * width for _ in range(max(cell.row for cell in cells) + 1)]
    for cell in cells:
        letter = {"player": "P", "banker": "B", None: "?"}[cell.winner if cell.winner != "tie" else None]
        rows[cell.row][cell.column] = letter.lower() if cell.tie_count else letter
    return ["".join(row) for row in rows]


def test_the_bead_plate_fills_columns_downwards_with_every_coup() -> None:
    cells = bead_plate(results("PBTPPBB"), columns=10)
    assert [(cell.column, cell.row, cell.result.winner) for cell in cells] == [
        (0, 0, "player"),
        (0, 1, "banker"),
        (0, 2, "tie"),
        (0, 3, "player"),
        (0, 4, "player"),
        (0, 5, "banker"),
        (1, 0, "banker"),
    ]


def test_the_bead_plate_drops_its_oldest_column_when_full() -> None:
    cells = bead_plate(results("P" * 6 + "B" * 6 + "T"), columns=2)
    assert [cell.result.winner for cell in cells] == ["banker"] * 6 + ["tie"]
    assert [cell.column for cell in cells] == [0] * 6 + [1]


def test_the_big_road_begins_a_column_when_the_winner_changes() -> None:
    assert drawn(big_road(results("PPBPBB"), columns=20)) == ["PBPB", "P..B"]


def test_ties_are_counted_on_the_coup_before_them() -> None:
    cells = big_road(results("PTTB"), columns=20)
    assert [(cell.winner, cell.tie_count) for cell in cells] == [("player", 2), ("banker", 0)]


def test_ties_before_the_first_win_stay_on_the_first_cell() -> None:
    assert big_road(results("TT"), columns=5) == (BigRoadCell(0, 0, None, 2),)
    assert big_road(results("TTBB"), columns=5) == (BigRoadCell(0, 0, "banker", 2), BigRoadCell(0, 1, "banker"))


def test_a_streak_longer_than_six_turns_right_at_the_bottom() -> None:
    assert drawn(big_road(results("B" * 8 + "P"), columns=20)) == ["BP.", "B..", "B..", "B..", "B..", "BBB"]


def test_a_streak_turns_above_the_tail_of_an_older_one() -> None:
    assert drawn(big_road(results("B" * 8 + "P" * 6), columns=20)) == ["BP.", "BP.", "BP.", "BP.", "BPP", "BBB"]


def test_columns_that_do_not_fit_drop_out_on_the_left() -> None:
    assert drawn(big_road(results("PPBPBB"), columns=3)) == ["BPB", "..B"]


def test_no_coups_make_empty_roads_and_no_columns_are_refused() -> None:
    assert bead_plate([], columns=3) == ()
    assert big_road([], columns=3) == ()
    with pytest.raises(ValueError):
        bead_plate([], columns=0)
    with pytest.raises(ValueError):
        big_road([], columns=0)


def test_a_settled_round_tells_winner_pairs_and_natural() -> None:
    assert coup_result(play_coup("9s 4h Kd 4d", player=100)) == CoupResult("player", banker_pair=True, natural=True)
    assert coup_result(play_coup("2s 9h 5d Kh", player=100)) == CoupResult("banker", natural=True)
    assert coup_result(play_coup("6s 3h Kd 3d", player=100)) == CoupResult("tie", banker_pair=True)
    assert coup_result(play_coup("8s 4h Kd 4d", player=100)) == CoupResult("tie", banker_pair=True, natural=True)
