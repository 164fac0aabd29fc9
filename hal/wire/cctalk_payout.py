"""What a hopper's own memory says of one order to pay coins. Pure; the money rule of the hopper's dialogue.

The hopper counts accepted orders (0 after its reset, then 1…255, 1…) and keeps the coins of the last one over a power cut;
most keep a lifetime counter besides. The 8-bit checksum does not see a value that moves from one field to another, so
nothing is believed that does not add up. Not responsible for asking (``hal.wire.cctalk_hopper``).
"""

from dataclasses import dataclass
from enum import Enum, auto

from hal.wire.cctalk_messages import (
    COUNTER_SIZE,
    DISABLED_BIT,
    HOPPER_FAULTS,
    JAM_BITS,
    POWER_LOST_WHILE_PAYING_BIT,
    POWER_UP_BIT,
    TIMED_OUT_BIT,
    HopperStatus,
)


@dataclass(frozen=True, slots=True)
class Order:
    """One dispense command: its coins, and what the hopper said before it. ``refused`` after a NAK."""

    coin_count: int
    before: HopperStatus
    lifetime_before: int | None
    refused: bool = False


class Stage(Enum):
    """How far an order is."""

    NOT_TAKEN = auto()
    """The hopper never got it: it may be sent again."""
    RUNNING = auto()
    ENDED = auto()
    POWER_LOST = auto()
    """The hopper was reset since the order was sent."""
    ABSURD = auto()
    """The answer can't be: read again."""


def stage_of(order: Order, status: HopperStatus, registers: int) -> Stage:
    """Return how far the order is. ``registers`` are those of TEST HOPPER read *after* the status.

    An equal counter proves nothing by itself: after a power cut it may stand at 0 again. But the hopper was enabled for
    this order, and only a reset disables it.
    """
    if registers & (POWER_UP_BIT | DISABLED_BIT | POWER_LOST_WHILE_PAYING_BIT):
        return Stage.POWER_LOST
    if status.counter == order.before.counter:
        same = (status.paid, status.unpaid) == (order.before.paid, order.before.unpaid)
        return Stage.NOT_TAKEN if same and not status.remaining else Stage.ABSURD
    if status.counter == 0:
        return Stage.POWER_LOST
    if status.counter != order.before.counter % 255 + 1:
        return Stage.ABSURD
    if order.refused:
        return Stage.ENDED  # some hoppers count an order that they refuse; its fields are those of the one before
    if status.remaining + status.paid + status.unpaid != order.coin_count:
        return Stage.ABSURD
    return Stage.RUNNING if status.remaining else Stage.ENDED


@dataclass(frozen=True, slots=True)
class Result:
    """Coins that left for an order; not ``certain`` if the hopper's memory can't tell, then the least it can be."""

    paid_count: int
    certain: bool = True


def result_of(order: Order, stage: Stage, status: HopperStatus, lifetime: int | None, least_count: int) -> Result:
    """Return what an order has paid that is over. ``least_count`` coins were seen to leave before."""
    fallen: int | None = None
    if lifetime is not None and order.lifetime_before is not None:
        fallen = (lifetime - order.lifetime_before) % COUNTER_SIZE
    told = _told_by_status(order, stage, status)
    if fallen is None:
        return Result(least_count, certain=False) if told is None or told < least_count else Result(told)
    if fallen > order.coin_count or fallen < least_count or (told is not None and told != fallen):
        return Result(max(least_count, min(fallen, order.coin_count if told is None else told)), certain=False)
    return Result(fallen)


def _told_by_status(order: Order, stage: Stage, status: HopperStatus) -> int | None:
    same = (status.paid, status.unpaid) == (order.before.paid, order.before.unpaid)
    if stage is Stage.NOT_TAKEN:
        return 0
    if order.refused:
        return 0 if same and not status.remaining else None
    if stage is Stage.ENDED:
        return status.paid
    # After a reset the fields are those of the last order the hopper took, which may be the one before.
    adds_up = status.remaining + status.paid + status.unpaid == order.coin_count
    return status.paid if stage is Stage.POWER_LOST and adds_up and not same else None


def why_short(registers: int) -> str:
    """Return why a pay-out ended early, in the words of ``HopperDone``."""
    if registers & JAM_BITS:
        return "jam"
    return "empty" if registers & TIMED_OUT_BIT else "fault"


def faults_of(registers: int) -> list[tuple[str, str]]:
    """Return the faults in the registers: code and text."""
    return [fault for bit, fault in HOPPER_FAULTS.items() if registers >> bit & 1]
