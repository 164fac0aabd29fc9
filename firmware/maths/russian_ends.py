"""What betting a final hand of Russian Poker is worth, and what it ends in, from the counts of dealer's hands it meets.

Not responsible for counting, or for what the dealer's bought card gains (``russian_bought``).
"""

from typing import Final

from firmware.maths.compiled import Floats, compiled
from firmware.maths.russian_bought import ENDS as BOUGHT_ENDS
from firmware.maths.sweep import FIELD, FIELD_BITS

UNQUALIFIED, WIN, TIE, LOSE, FOLDED, BOUGHT_WIN, BOUGHT_TIE, BOUGHT_LOSE, BOUGHT_IN_VAIN = range(9)
"""``UNQUALIFIED``: the dealer has no game, and the ante is taken."""
ENDS: Final = 9
MOST_PAY: Final = 256
"""No hand pays so much, whatever its second combination."""


@compiled
def tie_value(pay: int, results: Floats) -> float:
    """Return the result of a bet on a hand equal to the dealer's."""
    return results[2] + results[5] * (results[1] + 2.0 * pay - results[2])  # type: ignore[no-any-return]


@compiled
def bet_value(counts: int, pay: int, gain: float, results: Floats, met: int) -> float:
    """Return the value of a bet from the counts of dealer's hands it meets, and what buying gains over all of them.

    ``results``: of a bet where the dealer has no game, added to a win's pay on the bet, of a tie, of a loss; then of a fold; the share
    of the ties that win.
    """
    unqualified = counts & FIELD
    win = (counts >> FIELD_BITS) & FIELD
    tie = (counts >> 2 * FIELD_BITS) & FIELD
    value = unqualified * results[0] + gain
    value += win * (results[1] + 2.0 * pay) + tie * tie_value(pay, results)
    value += (met - unqualified - win - tie) * results[3]
    return value / met  # type: ignore[no-any-return]


@compiled
def add_end(
    counts: int, met: int, pay: int, gain: float, bought: Floats, share: float, results: Floats, ends: Floats
) -> None:
    """Add a share of one drawn hand against one open card to the end that is chosen: fold, or what the bet meets.

    ``bought``: how bought games end, as counts of dealer's hands (``russian_bought.ENDS``). Where suits decide ties this is not said.
    """
    if share == 0.0:
        return
    if bet_value(counts, pay, gain, results, met) <= results[4]:
        ends[FOLDED] += share
        return
    part = share / met
    unqualified, win, tie = counts & FIELD, (counts >> FIELD_BITS) & FIELD, (counts >> 2 * FIELD_BITS) & FIELD
    ends[UNQUALIFIED] += part * (unqualified - bought[0])
    ends[WIN] += part * win
    ends[TIE] += part * tie
    ends[LOSE] += part * (met - unqualified - win - tie)
    for index in range(1, BOUGHT_ENDS):
        ends[FOLDED + index] += part * bought[index]
