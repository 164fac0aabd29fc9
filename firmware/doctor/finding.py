"""What the doctor found about one thing, and what to do about it."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "warning", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. ``subject`` is what was looked at, ``found`` what is so, ``remedy`` what to do; empty when all is well."""

    area: str
    subject: str
    verdict: Verdict
    found: str
    remedy: str = ""


def ok(area: str, subject: str, found: str) -> Finding:
    """All is well."""
    return Finding(area, subject, "ok", found)


def warning(area: str, subject: str, found: str, remedy: str) -> Finding:
    """The terminal works, but something is not as it should be."""
    return Finding(area, subject, "warning", found, remedy)


def failed(area: str, subject: str, found: str, remedy: str) -> Finding:
    """The terminal will not work so."""
    return Finding(area, subject, "failed", found, remedy)


def skipped(area: str, subject: str, found: str, remedy: str = "") -> Finding:
    """Could not be looked at, and why."""
    return Finding(area, subject, "skipped", found, remedy)
