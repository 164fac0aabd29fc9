"""The jackpot side bet: which box wins what, and the meter afterwards.

Every prize is worked out on the meter as it stood when the round began and paid in box order, never more than is there;
a share of the meter that is not whole is rounded up, in the player's favour. A prize of 100 % starts the meter again at
its seed. The round's own contributions are added afterwards, up to the cap.

Not responsible for the rest of the settlement; the side bet doesn't depend on it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from firmware.cards.poker_rank import class_of, rank_best
from firmware.games.families.dealer_poker.profile import JackpotProfile
from firmware.games.families.dealer_poker.state import BoxState, PokerRound
from firmware.money import times

_WHOLE_PERCENT = 100


@dataclass(frozen=True, slots=True)
class JackpotResult:
    """What each box's side bet pays back (by box position), how much of it came as prizes, and the meter after."""

    paid_minor: dict[int, int]
    won_minor: int
    meter_minor: int


def settle_jackpot(jackpot: JackpotProfile, state: PokerRound) -> JackpotResult:
    """Return the side bets' end for a round whose boxes are final."""
    start = jackpot.seed_minor if state.meter_minor is None else state.meter_minor
    paid: dict[int, int] = {}
    left, won, emptied = start, 0, False
    for box in _taking_part(jackpot, state):
        name = _judged(jackpot, box)
        percent = jackpot.percent_of_meter.get(name, 0)
        from_meter = min(_rounded_up(start * percent, _WHOLE_PERCENT), left)
        prize = from_meter + jackpot.fixed_units.get(name, 0) * jackpot.unit_minor
        left -= from_meter
        emptied = emptied or percent == _WHOLE_PERCENT
        won += prize
        returned = jackpot.unit_minor if prize and jackpot.stake_returned else 0
        paid[box.box] = prize + returned
    meter = jackpot.seed_minor if emptied else left
    return JackpotResult(paid, won, meter + _contributions(jackpot, state, meter))


def _taking_part(jackpot: JackpotProfile, state: PokerRound) -> Iterator[BoxState]:
    for box in state.boxes:
        if box.jackpot_minor and not (box.folded and jackpot.void_on_fold):
            yield box


def _judged(jackpot: JackpotProfile, box: BoxState) -> str:
    return class_of(rank_best(box.dealt if jackpot.judged_on == "dealt" else box.cards)).label


def _rounded_up(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def _contributions(jackpot: JackpotProfile, state: PokerRound, meter_minor: int) -> int:
    staked = sum(box.jackpot_minor for box in state.boxes)
    contribution = times(staked, jackpot.contribution.numerator, jackpot.contribution.denominator)
    return min(contribution, max(0, jackpot.cap_minor - meter_minor))
