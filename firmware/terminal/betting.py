"""Chips on the table before the deal: placing, taking back, clearing, repeating, doubling. Pure functions on bets.

Chips here are still the player's credit; they become stakes only when the round opens. Not responsible for the rules'
own refusals (``Game.open``), only for what a table would stop at once: limits, boxes, the credit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from display.view_model import Money, Text
from firmware.games.contract import Game, LineSpec, Stake
from firmware.terminal.state import Bet, Screen

UNDO_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Spot:
    """A betting spot of the table: position and line."""

    position: int
    line: str


class BetRefusedError(ValueError):
    """A chip can't lie there; ``text`` says why to the player."""

    def __init__(self, text: Text) -> None:
        """Carry the text."""
        super().__init__(text.message)
        self.text = text


def spots_of(game: Game) -> tuple[Spot, ...]:
    """Return all betting spots of a game: position by position, its lines in their order."""
    return tuple(Spot(position, line.line) for position in game.spec.positions for line in game.spec.lines)


def line_spec(game: Game, line: str) -> LineSpec:
    """Return a line's limits. Raises KeyError for an unknown line."""
    for spec in game.spec.lines:
        if spec.line == line:
            return spec
    raise KeyError(line)


def stakes_from(bets: Sequence[Bet]) -> tuple[Stake, ...]:
    """Return the bets as stakes, boxes in the order in which they were bought."""
    boxes: dict[int, dict[str, int]] = {}
    for bet in bets:
        boxes.setdefault(bet.position, {})[bet.line] = bet.amount_minor
    return tuple(Stake(position, lines) for position, lines in boxes.items())


def bets_from(stakes: Sequence[Stake]) -> tuple[Bet, ...]:
    """Return stakes as bets on the table."""
    return tuple(Bet(stake.box, line, amount) for stake in stakes for line, amount in stake.lines.items() if amount)


def cost_minor(game: Game, bets: Sequence[Bet]) -> int:
    """Return what opening a round with these bets would take; 0 without bets."""
    return game.cost_minor(stakes_from(bets)) if bets else 0


def place(game: Game, bets: tuple[Bet, ...], spot: Spot, amount_minor: int, credit_minor: int) -> tuple[Bet, ...]:
    """Return the bets with a chip more on a spot. The first chip of a line is raised to the line's minimum.

    Raises:
        BetRefusedError: limit, number of boxes, or credit.
    """
    spec = line_spec(game, spot.line)
    positions = {bet.position for bet in bets}
    if spot.position not in positions and len(positions) >= game.spec.max_boxes:
        raise BetRefusedError(Text("notice", "No more boxes: {most} is the most", (("most", game.spec.max_boxes),)))
    if game.spec.neighbours_only and positions and not _touches(spot.position, positions):
        raise BetRefusedError(Text("notice", "Boxes must be neighbours"))
    _check_foundation(game, bets, spot)
    present = next((bet for bet in bets if (bet.position, bet.line) == (spot.position, spot.line)), None)
    before_minor = present.amount_minor if present else 0
    after_minor = max(before_minor + amount_minor, spec.minimum_minor)
    if after_minor > spec.maximum_minor:
        if before_minor == spec.maximum_minor:
            raise BetRefusedError(Text("notice", "Table limit: {limit}", (("limit", Money(spec.maximum_minor)),)))
        after_minor = spec.maximum_minor
    if present:
        placed = tuple(replace(bet, amount_minor=after_minor) if bet is present else bet for bet in bets)
    else:
        placed = (*bets, Bet(spot.position, spot.line, after_minor))
    check_affordable(game, placed, credit_minor)
    return placed


def take_back(game: Game, bets: tuple[Bet, ...], spot: Spot) -> tuple[Bet, ...]:
    """Return the bets without what lies on a spot; a box that loses its main bet loses its side bets too."""
    goes = not line_spec(game, spot.line).optional
    return tuple(bet for bet in bets if bet.position != spot.position or (bet.line != spot.line and not goes))


def doubled(game: Game, bets: tuple[Bet, ...], credit_minor: int) -> tuple[Bet, ...]:
    """Return the bets doubled, each up to its line's limit. Raises BetRefusedError when the credit is too small."""
    twice = tuple(
        replace(bet, amount_minor=min(2 * bet.amount_minor, line_spec(game, bet.line).maximum_minor)) for bet in bets
    )
    check_affordable(game, twice, credit_minor)
    return twice


def check_affordable(game: Game, bets: Sequence[Bet], credit_minor: int) -> None:
    """Raise BetRefusedError when opening with these bets would cost more than the credit."""
    if cost_minor(game, bets) > credit_minor:
        raise BetRefusedError(Text("notice", "Not enough credit"))


def with_bets(screen: Screen, bets: tuple[Bet, ...]) -> Screen:
    """Return the screen with new bets, the old ones kept for undo, and the last result put away."""
    undo = (*screen.undo, screen.bets)[-UNDO_DEPTH:]
    return replace(screen, bets=bets, undo=undo, shows_result=False)


def _check_foundation(game: Game, bets: tuple[Bet, ...], spot: Spot) -> None:
    """A side bet needs the main bet of its box; where every line may stand alone there is none."""
    lying = {bet.line for bet in bets if bet.position == spot.position}
    for line in game.spec.lines:
        if not line.optional and line.line not in (*lying, spot.line):
            raise BetRefusedError(Text("notice", "Place the main bet of the box first"))


def _touches(position: int, positions: set[int]) -> bool:
    return position in positions or position - 1 in positions or position + 1 in positions
