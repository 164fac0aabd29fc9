"""The stakes before the deal: which are refused and why, what they cost, and the most they can ever win.

Not responsible for money during the round (``actions``) or after it (``settlement``).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from firmware.cards.poker_rank import HandClass
from firmware.games.contract import Stake, StakeRefusedError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile, JackpotProfile
from firmware.games.families.dealer_poker.state import BoxState
from firmware.games.families.dealer_poker.table import BET_ANTES, BLIND_FROM, Rules, stake_step_minor

_LINES: Final = ("ante", "jackpot")
_WITH_ACE_KING: Final = (HandClass.PAIR, HandClass.TWO_PAIRS, HandClass.THREE_OF_A_KIND, HandClass.FOUR_OF_A_KIND)
"""The classes beside which five cards can also hold Ace-King."""


def open_boxes(rules: Rules, stakes: Sequence[Stake]) -> tuple[BoxState, ...]:
    """Return the boxes in seat order.

    Raises:
        StakeRefusedError: naming the box and the reason.
    """
    profile = rules.profile
    _check_places(profile, [stake.box for stake in stakes])
    blind = _blind_seat(profile, [stake.box for stake in stakes])
    step = stake_step_minor(profile)
    return tuple(_box(profile, stake, step, stake.box == blind) for stake in sorted(stakes, key=lambda one: one.box))


def cost_minor(boxes: Sequence[BoxState]) -> int:
    """Return what the boxes take from the balance when the round opens."""
    return sum(box.staked_minor for box in boxes)


def _check_places(profile: DealerPokerProfile, seats: Sequence[int]) -> None:
    if not seats:
        raise StakeRefusedError("stakes: none; put an ante on at least one box")
    for index, seat in enumerate(seats):
        if not 1 <= seat <= profile.positions:
            raise StakeRefusedError(f"box {seat}: the table has boxes 1 to {profile.positions}")
        if seat in seats[:index]:
            raise StakeRefusedError(f"box {seat}: bought twice")
    if len(seats) > profile.max_boxes:
        raise StakeRefusedError(f"stakes: {len(seats)} boxes; at most {profile.max_boxes} can be bought")
    if profile.neighbours_only and max(seats) - min(seats) >= len(seats):
        places = ", ".join(str(seat) for seat in sorted(seats))
        raise StakeRefusedError(f"stakes: boxes {places} do not lie side by side")


def _blind_seat(profile: DealerPokerProfile, seats: Sequence[int]) -> int | None:
    if profile.blind_box == "none" or len(seats) < BLIND_FROM:
        return None
    return (seats if profile.blind_box == "third_bought" else sorted(seats))[BLIND_FROM - 1]


def _box(profile: DealerPokerProfile, stake: Stake, step: int, blind: bool) -> BoxState:
    for line, amount in stake.lines.items():
        if line not in _LINES:
            raise StakeRefusedError(f"box {stake.box}: there is no line {line!r}; the lines are {', '.join(_LINES)}")
        if amount < 0:
            raise StakeRefusedError(f"box {stake.box} {line}: {amount} is negative")
    ante = stake.lines.get("ante", 0)
    _check_ante(profile, stake.box, ante, step)
    return BoxState(
        box=stake.box,
        ante_minor=ante,
        jackpot_minor=_jackpot_minor(profile.jackpot, stake.box, stake.lines),
        blind=blind,
        bet_minor=BET_ANTES * ante if blind else 0,
    )


def _check_ante(profile: DealerPokerProfile, seat: int, ante: int, step: int) -> None:
    if ante == 0:
        raise StakeRefusedError(f"box {seat} ante: none; a box needs an ante")
    if ante < profile.ante_minimum_minor:
        raise StakeRefusedError(f"box {seat} ante: {ante} is below the table's minimum {profile.ante_minimum_minor}")
    if ante > profile.ante_maximum_minor:
        raise StakeRefusedError(f"box {seat} ante: {ante} is above the table's maximum {profile.ante_maximum_minor}")
    if ante % step:
        raise StakeRefusedError(f"box {seat} ante: {ante} is not a multiple of {step}, so that every fee is whole")


def _jackpot_minor(jackpot: JackpotProfile | None, seat: int, lines: Mapping[str, int]) -> int:
    amount = lines.get("jackpot", 0)
    if amount == 0:
        return 0
    if jackpot is None:
        raise StakeRefusedError(f"box {seat} jackpot: this table has no jackpot bet")
    if amount != jackpot.unit_minor:
        raise StakeRefusedError(f"box {seat} jackpot: {amount} is not the jackpot bet's price {jackpot.unit_minor}")
    return amount


def most_paid_minor(rules: Rules, boxes: Sequence[BoxState], meter_minor: int | None) -> int:
    """Return the declared maximum: no round with these boxes pays back more, stakes included."""
    profile = rules.profile
    total = 0
    for box in boxes:
        win = box.ante_minor * BET_ANTES * _highest_pays(rules, box)
        win += box.ante_minor if profile.ante_paid_when_dealer_qualifies else 0
        if profile.max_win_minor is not None:
            win = min(win, profile.max_win_minor)
        total += box.ante_minor * (1 + BET_ANTES) + win
    return total + _most_jackpot_minor(profile.jackpot, [box for box in boxes if box.jackpot_minor], meter_minor)


def _highest_pays(rules: Rules, box: BoxState) -> int:
    """Return the most that a hand in this box can pay to one, both combinations together."""
    pays = rules.pays
    if not rules.profile.second_combination:
        return max(pays)
    if box.is_open and rules.sixth_card is not None:
        return max(pays) + max(pays[: HandClass.ROYAL_FLUSH])  # six cards hold one royal flush at most
    return max(*pays, *(pays[hand_class] + pays[HandClass.ACE_KING] for hand_class in _WITH_ACE_KING))


def _most_jackpot_minor(jackpot: JackpotProfile | None, boxes: Sequence[BoxState], meter_minor: int | None) -> int:
    if jackpot is None or not boxes:
        return 0
    fixed = max(jackpot.fixed_units.values(), default=0) * jackpot.unit_minor
    meter = jackpot.seed_minor if meter_minor is None else meter_minor
    returned = len(boxes) * jackpot.unit_minor if jackpot.stake_returned else 0
    return max(len(boxes) * fixed, meter + (len(boxes) - 1) * fixed) + returned


def meter_minor(rules: Rules, given_minor: int | None) -> int | None:
    """Return the jackpot meter of a round that opens: as given, else the seed; None without a jackpot.

    Raises:
        StakeRefusedError: a meter for a table that has none, or a negative one.
    """
    jackpot = rules.profile.jackpot
    if jackpot is None:
        if given_minor is not None:
            raise StakeRefusedError("jackpot_meter: this table has no jackpot")
        return None
    if given_minor is None:
        return jackpot.seed_minor
    if given_minor < 0:
        raise StakeRefusedError(f"jackpot_meter: {given_minor} is negative")
    return given_minor
