"""Amounts, times and texts as plain lines and JSON values, for the command line. Pure.

Texts are English unless a catalogue is given. Not responsible for catalogues (``display.locale``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from display.view_model import Money, Text
from firmware.entries.types import Commissioned


def english(text: Text) -> str:
    """Return a text's message as it stands in the program."""
    return text.plural if text.plural and text.count != 1 else text.message


@dataclass(frozen=True, slots=True)
class Wording:
    """How one store's amounts and texts are written; ``pattern`` gives a text's message in the language."""

    currency: str
    minor_digits: int
    decimal_mark: str = "."
    pattern: Callable[[Text], str] = english

    @classmethod
    def of(
        cls, commissioned: Commissioned, decimal_mark: str = ".", pattern: Callable[[Text], str] = english
    ) -> "Wording":
        """Return the wording of a store."""
        return cls(commissioned.currency, commissioned.minor_digits, decimal_mark, pattern)

    def money(self, minor: int) -> str:
        """Return an amount such as ``12.50 EUR``."""
        whole, part = divmod(abs(minor), 10**self.minor_digits)
        sign = "-" if minor < 0 else ""
        decimals = f"{self.decimal_mark}{part:0{self.minor_digits}d}" if self.minor_digits else ""
        return f"{sign}{whole}{decimals} {self.currency}"

    def plain(self, text: Text) -> str:
        """Return a text with its arguments put in."""
        message = self.pattern(text)
        values = {name: self._value(value) for name, value in text.args}
        return message.format(**{"count": text.count, **values})

    def _value(self, value: "str | int | Money | Text") -> str | int:
        if isinstance(value, Money):
            return self.money(value.minor)
        return self.plain(value) if isinstance(value, Text) else value


def iso(at_ms: int) -> str:
    """Return wall time in milliseconds as ISO 8601 in UTC, e.g. ``2026-01-01T00:00:00.250Z``."""
    seconds, milliseconds = divmod(at_ms, 1_000)
    return f"{datetime.fromtimestamp(seconds, tz=UTC):%Y-%m-%dT%H:%M:%S}.{milliseconds:03d}Z"
