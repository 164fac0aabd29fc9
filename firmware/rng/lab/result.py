"""A statistical test's result, and the correction for making many tests at once. Pure numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Result:
    """What a test found: its statistic, the chance of something as strange in a fair shuffle, and that chance corrected
    for the number of tests (0 before ``corrected``)."""

    name: str
    words: str
    statistic: str
    p_value: float
    corrected_p: float = 0.0


def corrected(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return the results with p-values corrected by Holm's method: all of them together stay below the level."""
    ranked = sorted(range(len(results)), key=lambda index: results[index].p_value)
    found: dict[int, Result] = {}
    largest = 0.0
    for rank, index in enumerate(ranked):
        largest = max(largest, min(1.0, results[index].p_value * (len(results) - rank)))
        found[index] = replace(results[index], corrected_p=largest)
    return tuple(found[index] for index in range(len(results)))
