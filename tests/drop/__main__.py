"""The drop count of many rounds: ``python -m tests.drop --rounds 10000 --seed 1``. Exit status 1: something differs."""

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

from tests.drop.campaign import Campaign
from tests.support.cabinet import CabinetUnderTest, settings_for

_ROUNDS_A_PERIOD = 1_000


def main() -> int:
    """Play, count, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.drop", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000, metavar="N", help="default 10000")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="equal seeds repeat")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cabinet = CabinetUnderTest(settings_for(Path(folder), large_win_minor=10**9), seed=arguments.seed)
        campaign = Campaign(cabinet, random.Random(arguments.seed))
        campaign.begin()
        closed_at = 0
        with tqdm(total=arguments.rounds, unit="round", disable=None) as bar:
            while campaign.rounds < arguments.rounds:
                campaign.visit()
                bar.update(campaign.rounds - bar.n)
                if campaign.rounds - closed_at >= _ROUNDS_A_PERIOD:
                    campaign.close_period()
                    closed_at = campaign.rounds
        campaign.close_period()
        rounds, meters = campaign.rounds, dict(cabinet.books.meters)
        cabinet.close()
    told = ("notes_in_minor", "coins_in_minor", "drop_minor", "hopper_paid_minor", "hopper_extra_minor", "handpaid_minor",
            "notes_returned", "notes_rejected", "power_resets", "handpays", "cash_outs")  # fmt: skip
    print(json.dumps({
        "rounds": rounds,
        "periods": campaign.periods,
        "troubles": campaign.troubles,
        "meters": {name: meters.get(name, 0) for name in told},
        "problems": campaign.problems,
    }, indent=1))  # fmt: skip
    return 1 if campaign.problems else 0


if __name__ == "__main__":
    sys.exit(main())
