"""The subcommand ``rng test``: shuffles are made, put through the batteries, and a report is written.

Not responsible for the tests (``batteries``, ``tools``) or for the words of the report (``report``).
"""

import argparse
import json
import sys
from datetime import UTC, datetime

from tqdm import tqdm

from firmware import __version__
from firmware.errors import CheckFailed, UserError
from firmware.rng.lab.report import Examined, markdown, values
from firmware.rng.lab.result import Result, corrected
from firmware.rng.lab.sources import SUBJECTS, Subject, orders, shoe_orders
from firmware.rng.source import RandomnessError

MOST_SHUFFLES = 5_000_000
RAW_BYTES = 1_000_000
SHUFFLES_PER_SHOE = 10
"""A shoe takes longer to shuffle than a deck: so many decks are shuffled for one shoe of each size."""


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``rng``. Returns 0; raises UserError (status 2) or CheckFailed (status 1)."""
    subject = SUBJECTS.get(arguments.source)
    if subject is None:
        raise UserError(f"--source: found {arguments.source!r}, expected one of {', '.join(SUBJECTS)}")
    if arguments.report is not None and not arguments.report.parent.is_dir():
        raise UserError(f"--report: {arguments.report}: there is no folder {arguments.report.parent}")
    examined = examine(subject, arguments)
    if arguments.report is not None:
        try:
            arguments.report.write_text(markdown(examined), encoding="utf-8")
        except OSError as error:
            raise UserError(f"--report: {arguments.report}: {error.strerror}") from None
    if arguments.json:
        print(json.dumps(values(examined)))
    else:
        print(markdown(examined))
    if not examined.is_fair:
        names = ", ".join(result.name for result in examined.failed)
        raise CheckFailed(f"the shuffle is not fair: {examined.health_failure or names}")
    return 0


def examine(subject: Subject, arguments: argparse.Namespace) -> Examined:
    """Make the shuffles and run all tests. Raises UserError for a wrong number, or without scipy."""
    try:
        from firmware.rng.lab.batteries import LEAST_SHUFFLES, byte_frequency, run_batteries
        from firmware.rng.lab.shoe_batteries import LEAST_SHOES, SHOE_DECKS, run_shoe_batteries
        from firmware.rng.lab.tools import missing_tools, run_tools
    except ImportError as error:
        raise UserError(f"rng test needs {error.name}: pip install -r requirements-dev.lock") from None
    count = arguments.rounds
    if not LEAST_SHUFFLES <= count <= MOST_SHUFFLES:
        raise UserError(f"--rounds: found {count}, expected {LEAST_SHUFFLES} to {MOST_SHUFFLES}")
    hidden = arguments.json or not sys.stderr.isatty()
    found: list[Result] = []
    failure, shoe_count = "", 0
    try:
        with tqdm(total=count, unit=" shuffles", leave=False, delay=1, disable=hidden, file=sys.stderr) as bar:
            data = orders(subject, arguments.seed, count, bar.update)
        shoe_count = max(count // SHUFFLES_PER_SHOE, LEAST_SHOES)
        total = shoe_count * len(SHOE_DECKS)
        with tqdm(total=total, unit=" shoes", leave=False, delay=1, disable=hidden, file=sys.stderr) as bar:
            shoes = {decks: shoe_orders(subject, arguments.seed, shoe_count, bar.update, decks) for decks in SHOE_DECKS}
        with tqdm(unit=" tests", leave=False, delay=1, disable=hidden, file=sys.stderr) as bar:

            def tick(name: str) -> None:
                bar.set_description(name)
                bar.update()

            found += run_batteries(data, tick)
            for decks, piles in shoes.items():
                found += run_shoe_batteries(piles, decks, tick)
            found.append(byte_frequency(subject.raw(arguments.seed).take(RAW_BYTES)))
            if not arguments.no_tools:
                found += run_tools(lambda: subject.raw(arguments.seed), tick=tick)
    except RandomnessError as error:
        failure = str(error)
    return Examined(
        subject=subject.name,
        words=subject.words,
        seed=None if subject.name == "os" else arguments.seed,
        shuffle_count=count,
        shoe_count=shoe_count,
        shoe_decks=SHOE_DECKS,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        missing=() if arguments.no_tools else missing_tools(),
        health_failure=failure,
        results=corrected(found),
    )
