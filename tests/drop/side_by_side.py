"""Several cabinets at once, each in a process of its own.

Not responsible for what a cabinet does (``count``).
"""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, wait
from typing import Any

from tqdm import tqdm

from tests.drop.count import Outcome, Share, play

_played: Any = None


def _begin(counter: Any) -> None:
    global _played
    _played = counter


def _work(share: Share) -> Outcome:
    def on_rounds(count: int) -> None:
        with _played.get_lock():
            _played.value += count

    return play(share, on_rounds)


def played_at_once(shares: list[Share]) -> list[Outcome]:
    """Play all shares, with a bar that tells how far they are. Raises what a cabinet raised."""
    context = multiprocessing.get_context("spawn")
    counter = context.Value("q", 0)
    with (
        ProcessPoolExecutor(len(shares), context, _begin, (counter,)) as pool,
        tqdm(total=sum(share.rounds for share in shares), unit="round", disable=None) as bar,
    ):
        waiting = {pool.submit(_work, share) for share in shares}
        played = list(waiting)
        while waiting:
            _, waiting = wait(waiting, timeout=1)
            bar.update(counter.value - bar.n)
        return [share.result() for share in played]
