"""Checks the stakes of a round against what the table offers: the same for every line of every box.

Used by families whose bets are independent of each other. Not responsible for conditions between lines or boxes, nor
for taking the money.
"""

from collections.abc import Sequence

from firmware.games.contract import LineSpec, Stake, StakeRefusedError, TableSpec


def checked_stakes(spec: TableSpec, stakes: Sequence[Stake], balance_minor: int) -> tuple[Stake, ...]:
    """Return the stakes in seat order.

    Args:
        spec: positions, lines and limits of the table.
        stakes: one per box, in any order.
        balance_minor: the credit from which all stakes are taken, in minor units.

    Raises:
        StakeRefusedError: naming the first item that is wrong.
    """
    if not 1 <= len(stakes) <= spec.max_boxes:
        raise StakeRefusedError(f"stakes: {len(stakes)} boxes, this table takes 1 to {spec.max_boxes}")
    lines = {line.line: line for line in spec.lines}
    seen = set()
    total_minor = 0
    for stake in stakes:
        if stake.box not in spec.positions:
            raise StakeRefusedError(f"box {stake.box}: this table has boxes 1 to {spec.positions[-1]}")
        if stake.box in seen:
            raise StakeRefusedError(f"box {stake.box}: named twice")
        seen.add(stake.box)
        total_minor += _checked_box(stake, lines)
    if total_minor > balance_minor:
        raise StakeRefusedError(f"balance: {balance_minor} is not enough for stakes of {total_minor}")
    return tuple(stakes) if len(stakes) == 1 else tuple(sorted(stakes, key=lambda stake: stake.box))


def _checked_box(stake: Stake, lines: dict[str, LineSpec]) -> int:
    """Check one box and return the sum of its lines; an amount of 0 is no bet."""
    total_minor = 0
    for name, amount_minor in stake.lines.items():
        line = lines.get(name)
        if line is None:
            raise StakeRefusedError(f"box {stake.box}: no line {name!r} here, only {', '.join(lines)}")
        if amount_minor == 0:
            continue
        if not line.minimum_minor <= amount_minor <= line.maximum_minor:
            raise StakeRefusedError(
                f"box {stake.box}: {name} {amount_minor} is outside {line.minimum_minor} to {line.maximum_minor}"
            )
        if amount_minor % line.step_minor:
            raise StakeRefusedError(
                f"box {stake.box}: {name} {amount_minor} is not a multiple of {line.step_minor}, "
                "so a win or a fee would not be a whole amount"
            )
        total_minor += amount_minor
    if not total_minor or any(not stake.lines.get(name) for name, line in lines.items() if not line.optional):
        wanted = [name for name, line in lines.items() if not line.optional] or list(lines)
        raise StakeRefusedError(f"box {stake.box}: nothing on {' or '.join(wanted)}")
    return total_minor
