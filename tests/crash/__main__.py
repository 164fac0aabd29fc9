"""``python -m tests.crash``: the campaign of power-loss states, as ``croupier crashtest`` runs it."""

import argparse
import signal
import sys
import time
from collections.abc import Callable

from tqdm import tqdm

from firmware.errors import UserError
from tests.crash.campaign import Result, asked_to_end, run

_MOST_MINUTES = 10_000
INTERRUPTED = 130
"""Asked to end before there was anything to tell."""


def main() -> int:
    """Run the campaign of the command line; returns 0 when nothing was violated and every planted fault was found."""
    parser = argparse.ArgumentParser(prog="croupier crashtest")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not 0 < arguments.minutes <= _MOST_MINUTES:
        raise UserError(
            f"crashtest: --minutes: found {arguments.minutes}, expected more than 0 and up to {_MOST_MINUTES}"
        )
    if arguments.processes < 1:
        raise UserError(f"crashtest: --processes: found {arguments.processes}, expected at least 1")
    seed = time.time_ns() // 1_000_000 if arguments.seed is None else arguments.seed
    asked = asked_to_end(signal.SIGINT, signal.SIGTERM)
    result = _with_bar(arguments, seed, asked)
    if asked() and not result.states:
        return INTERRUPTED
    sys.stdout.write(result.as_json() + "\n" if arguments.json else _text(result, seed))
    return 0 if result.is_good else 1


def _with_bar(arguments: argparse.Namespace, seed: int, is_over: Callable[[], bool]) -> Result:
    began = time.monotonic()
    seconds = arguments.minutes * 60
    bar_format = "{l_bar}{bar}| {n:.0f}/{total:.0f} s, {postfix}"
    with tqdm(total=seconds, bar_format=bar_format, disable=None, leave=False, postfix="planted faults") as bar:

        def show(states: int) -> None:
            bar.set_postfix_str(f"{states} states", refresh=False)
            bar.update(min(time.monotonic() - began, seconds) - bar.n)

        return run(seconds, seed, process_count=arguments.processes, on_states=show, is_over=is_over)


def _text(result: Result, seed: int) -> str:
    found = sum(result.planted_found.values())
    lines = [
        f"{result.states} distinct states of {result.sessions} sessions ({result.second_crashes} after a second crash), "
        f"seed {seed}, {result.seconds:.0f} s",
        f"planted faults found: {found} of {len(result.planted_found)}",
        *(f"  not found: {name}" for name, is_found in result.planted_found.items() if not is_found),
        f"violations: {len(result.violations)}",
        *(f"  {violation}" for violation in result.violations),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_status)
