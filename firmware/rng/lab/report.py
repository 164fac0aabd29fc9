"""The laboratory's report: for a person who decides whether the shuffle is fair, and as plain JSON values. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from firmware.rng.lab.result import Result

LEVEL: Final = 0.01
"""99 % confidence, for all tests together."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What was examined, when, by which version; ``missing`` names programs that were not installed."""

    subject: str
    words: str
    seed: int | None
    shuffle_count: int
    shoe_count: int
    """Shoes of each number of decks in ``shoe_decks``."""
    shoe_decks: tuple[int, ...]
    at: str
    version: str
    missing: tuple[str, ...]
    health_failure: str
    results: tuple[Result, ...]

    @property
    def failed(self) -> tuple[Result, ...]:
        """The tests that a fair shuffle would fail with a chance of less than 1 %, all of them taken together."""
        return tuple(result for result in self.results if result.corrected_p < LEVEL)

    @property
    def is_fair(self) -> bool:
        """Tell whether nothing was found."""
        return not self.failed and not self.health_failure


def values(examined: Examined) -> dict[str, Any]:
    """Return the report as plain JSON values."""
    return {
        "fair": examined.is_fair,
        "source": examined.subject,
        "seed": examined.seed,
        "shuffles": examined.shuffle_count,
        "shoes": {str(decks): examined.shoe_count for decks in examined.shoe_decks},
        "at": examined.at,
        "version": examined.version,
        "confidence_percent": 99,
        "correction": "holm",
        "health_failure": examined.health_failure or None,
        "not_installed": list(examined.missing),
        "tests": [
            {
                "name": result.name,
                "statistic": result.statistic,
                "p": result.p_value,
                "corrected_p": result.corrected_p,
                "passed": result.corrected_p >= LEVEL,
            }
            for result in examined.results
        ],
    }


def markdown(examined: Examined) -> str:
    """Return the report as a document."""
    verdict = "**Nothing was found against the shuffle.**" if examined.is_fair else "**The shuffle is NOT fair.**"
    seed = "" if examined.seed is None else f", seed {examined.seed}"
    option = "" if examined.seed is None else f" --seed {examined.seed}"
    lines = [
        "# Statistical tests of the shuffle",
        "",
        f"- Source: `{examined.subject}`{seed}: {examined.words}",
        f"- Examined: {examined.shuffle_count} shuffles of 52 cards, as they would be dealt; and {examined.shoe_count} shoes of "
        f"each number of decks that a table uses ({', '.join(map(str, examined.shoe_decks))})",
        f"- Made by: `./croupier rng test --source {examined.subject}{option} --rounds {examined.shuffle_count}`",
        f"- When: {examined.at}, Croupier {examined.version}",
        f"- Tests: {len(examined.results)}, at 99 % confidence for all of them together (Holm's correction)",
        *([f"- Not installed, so not used: {', '.join(examined.missing)}"] if examined.missing else []),
        "",
        verdict,
        "",
        *([f"The health tests stopped the source: {examined.health_failure}.", ""] if examined.health_failure else []),
        *_table(examined.results),
        "",
        "## How to read this",
        "",
        "Each test asks how often a fair shuffle would give something at least as strange as what was seen: that is *p*. "
        "Among so many tests a small *p* is bound to turn up by chance, so the next column corrects it for their number. "
        "A test fails when the corrected figure is below 0.01. A fair shuffle fails one report in a hundred; then the tests "
        "are made again with more shuffles, and a second failure is real. What is too regular counts as strange as well.",
        "",
        "Every expected figure is exact for random orders of 52 cards. The tests say nothing about who can predict the "
        "generator; that rests on the operating system's cryptographic generator, and on the commitment that is shown before "
        "the bets. That every index is equally likely is not tested but proven, by counting every case.",
        "",
    ]
    return "\n".join(lines)


def _table(results: Sequence[Result]) -> list[str]:
    if not results:
        return []
    rows = [
        f"| {result.name} | {result.words} | {result.statistic} | {_figure(result.p_value)} | {_figure(result.corrected_p)} "
        f"| {'passed' if result.corrected_p >= LEVEL else '**FAILED**'} |"
        for result in results
    ]
    return ["| Test | What it asks | Found | p | corrected | |", "|---|---|---|---|---|---|", *rows]


def _figure(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
