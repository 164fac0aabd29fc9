"""One cabinet's share of the rounds, from switching on to the last closed period, and the sum of several cabinets.

Not responsible for what a visit is (``campaign``), nor for processes and printing (``__main__``).
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware.audit.source import JournalSource
from firmware.audit.verify import verify
from firmware.entries.types import FaultRaised
from firmware.journal.critical import Places
from tests.drop.cabinets import EmulatedCabinetUnderTest, Kind, cabinet_of
from tests.drop.campaign import Campaign
from tests.support.cabinet import CabinetUnderTest

ROUNDS_A_PERIOD: Final = 200
TOLD: Final = (
    "notes_in_minor", "coins_in_minor", "coins_to_hopper_minor", "drop_minor", "collected_minor", "hopper_paid_minor",
    "hopper_extra_minor", "handpaid_minor", "coin_in_minor", "coin_out_minor", "voided_minor", "notes_returned",
    "notes_rejected", "power_resets", "handpays", "cash_outs",
)  # fmt: skip


@dataclass(frozen=True)
class Share:
    """What one cabinet is to play."""

    kind: Kind
    seed: int
    rounds: int
    folder: Path
    diary: Path | None = None


@dataclass
class Outcome:
    """What came of it; outcomes of several cabinets can be added."""

    rounds: int = 0
    visits: int = 0
    periods: int = 0
    named: Counter[str] = field(default_factory=Counter)
    """Pieces that the terminals themselves named as uncounted, each with a fault and its numbers."""
    games: Counter[str] = field(default_factory=Counter)
    """Rounds of each game."""
    troubles: Counter[str] = field(default_factory=Counter)
    """How often each trouble was made."""
    line_faults: Counter[str] = field(default_factory=Counter)
    """Frames of byte-level devices that were lost, garbled or repeated."""
    faults: Counter[str] = field(default_factory=Counter)
    """Fault codes that the terminals raised, as their journals have them."""
    meters: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    """Where books and metal differ; empty: nowhere."""


def play(
    share: Share,
    on_rounds: Callable[[int], None] = lambda _: None,
    plant: Callable[[CabinetUnderTest], None] = lambda _: None,
) -> Outcome:
    """Play a share, closing a period now and then; ``on_rounds`` is told of rounds played since it was told last."""
    cabinet = cabinet_of(share.kind, share.folder, share.seed)
    with ExitStack() as stack:
        stack.callback(cabinet.close)
        diary = stack.enter_context(share.diary.open("w", encoding="utf-8")) if share.diary else None
        campaign = Campaign(cabinet, random.Random(share.seed), plant, diary)
        campaign.begin()
        closed_at = 0
        while campaign.rounds < share.rounds:
            before = campaign.rounds
            campaign.visit()
            on_rounds(campaign.rounds - before)
            if campaign.rounds - closed_at >= ROUNDS_A_PERIOD:
                campaign.close_period()
                closed_at = campaign.rounds
        campaign.close_period()
        campaign.compare_periods_with_master_meters()
        hardware = cabinet.hardware if isinstance(cabinet, EmulatedCabinetUnderTest) else None
        outcome = Outcome(
            campaign.rounds,
            campaign.visits,
            campaign.periods,
            campaign.named,
            campaign.games,
            campaign.troubles,
            hardware.line_faults if hardware else Counter(),
            Counter(r.entry.code for r in cabinet.records() if isinstance(r.entry, FaultRaised)),
            Counter({name: cabinet.books.meters.get(name, 0) for name in TOLD}),
        )
        problems = [*campaign.problems, *_verified(share.folder)]
        outcome.problems = [f"cabinet {share.seed} ({share.kind}): {problem}" for problem in problems]
        return outcome


def total(outcomes: Iterable[Outcome]) -> Outcome:
    """Add up what several cabinets did."""
    whole = Outcome()
    for one in outcomes:
        whole.rounds += one.rounds
        whole.visits += one.visits
        whole.periods += one.periods
        whole.named += one.named
        whole.games += one.games
        whole.troubles += one.troubles
        whole.line_faults += one.line_faults
        whole.faults += one.faults
        whole.meters += one.meters
        whole.problems += one.problems
    return whole


def _verified(folder: Path) -> tuple[str, ...]:
    """What is wrong with the journal itself: its chain, and the meters that an independent fold of it gives."""
    with JournalSource(folder) as source:
        return tuple(verify(source, Places(folder, None, None)).problems)
