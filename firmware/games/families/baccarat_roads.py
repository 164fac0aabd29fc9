"""Baccarat roads: the bead plate and the big road as pure functions of past results, oldest first.

Cells carry grid positions so that a display only has to draw them. Not responsible for where past results are kept
(round records) nor for drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from firmware.cards.card import rank_of
from firmware.games.contract import Outcome
from firmware.games.families.baccarat_tableau import NATURALS, total_of

Winner = Literal["player", "banker", "tie"]

ROWS: Final = 6
"""Roads are six cells high on every score board."""


@dataclass(frozen=True, slots=True)
class CoupResult:
    """One past coup: who won, which hands began with a pair, and whether the winner (or the tie) was a natural."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False


@dataclass(frozen=True, slots=True)
class BeadCell:
    """A cell of the bead plate: one per coup, ties included."""

    column: int
    row: int
    result: CoupResult


@dataclass(frozen=True, slots=True)
class BigRoadCell:
    """A cell of the big road. ``tie_count`` ties followed this coup; ``winner`` is None while only ties have been."""

    column: int
    row: int
    winner: Winner | None
    tie_count: int = 0
    player_pair: bool = False
    banker_pair: bool = False


def coup_result(outcome: Outcome) -> CoupResult:
    """Return what the roads need from a settled round of baccarat."""
    player, banker = outcome.boxes[0].hands[0].cards, outcome.dealer_cards
    player_total, banker_total = total_of(player), total_of(banker)
    winner: Winner = "tie"
    if player_total != banker_total:
        winner = "player" if player_total > banker_total else "banker"
    winning = banker if winner == "banker" else player
    return CoupResult(
        winner,
        player_pair=rank_of(player[0]) == rank_of(player[1]),
        banker_pair=rank_of(banker[0]) == rank_of(banker[1]),
        natural=len(winning) == 2 and max(player_total, banker_total) in NATURALS,
    )


def bead_plate(results: Sequence[CoupResult], columns: int) -> tuple[BeadCell, ...]:
    """Return the bead plate: columns filled downwards, the oldest column dropped when ``columns`` are full."""
    if columns < 1:
        raise ValueError(f"a road needs at least one column, got {columns}")
    used = -(-len(results) // ROWS)
    first = max(0, used - columns) * ROWS
    return tuple(BeadCell(index // ROWS, index % ROWS, result) for index, result in enumerate(results[first:]))


def big_road(results: Sequence[CoupResult], columns: int) -> tuple[BigRoadCell, ...]:
    """Return the big road: a new column whenever the winner changes, ties counted on the cell before them.

    A streak goes down and, where it meets the bottom or an older streak's tail, turns right (the dragon tail). Ties
    before the first win stay on the first cell. Columns that no longer fit drop out on the left.
    """
    if columns < 1:
        raise ValueError(f"a road needs at least one column, got {columns}")
    cells: dict[tuple[int, int], BigRoadCell] = {}
    place = (0, 0)
    streak_column, turned, winner = 0, False, None
    for result in results:
        last = cells.get(place)
        if result.winner == "tie":
            cells[place] = _with_tie(last, result)
            continue
        if winner is None:
            tie_count = last.tie_count if last else 0
        else:
            tie_count = 0
            if result.winner != winner:
                streak_column = _free_column(cells, streak_column + 1)
                place, turned = (streak_column, 0), False
            elif not turned and place[1] + 1 < ROWS and (place[0], place[1] + 1) not in cells:
                place = (place[0], place[1] + 1)
            else:
                place, turned = (place[0] + 1, place[1]), True
        winner = result.winner
        cells[place] = BigRoadCell(*place, winner, tie_count, result.player_pair, result.banker_pair)
    dropped = max((column for column, _ in cells), default=0) + 1 - columns
    if dropped > 0:
        return tuple(_moved(cell, dropped) for cell in cells.values() if cell.column >= dropped)
    return tuple(cells.values())


def _with_tie(cell: BigRoadCell | None, tie: CoupResult) -> BigRoadCell:
    """One more tie on a cell; pairs of a tied coup are marked there too."""
    if cell is None:
        return BigRoadCell(0, 0, None, 1, tie.player_pair, tie.banker_pair)
    return BigRoadCell(
        cell.column,
        cell.row,
        cell.winner,
        cell.tie_count + 1,
        cell.player_pair or tie.player_pair,
        cell.banker_pair or tie.banker_pair,
    )


def _free_column(cells: dict[tuple[int, int], BigRoadCell], column: int) -> int:
    """The first column from ``column`` on whose top cell no tail has taken."""
    while (column, 0) in cells:
        column += 1
    return column


def _moved(cell: BigRoadCell, left: int) -> BigRoadCell:
    return BigRoadCell(cell.column - left, cell.row, cell.winner, cell.tie_count, cell.player_pair, cell.banker_pair)
