"""Writing for the player: messages of the catalogue with their arguments, money, numbers, times, in one language.

A no-break space divides thousands in every language, so that switching the language never turns a thousands mark into
a decimal mark; the decimal mark follows the language. Not responsible for the catalogues (``display.locale``).
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from display.locale import catalogue
from display.view_model import Money, MoneyFormat, Text

NO_BREAK_SPACE: Final = "\u00a0"
MINUS: Final = "−"
_DECIMAL_MARK: Final = {"en": ".", "ru": ","}
_DATE_FORMAT: Final = {"en": "%Y-%m-%d", "ru": "%d.%m.%Y"}


class _Lenient(dict[str, str]):
    """Arguments of a message; one that is missing stays visible as ``{name}`` instead of stopping the screen."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def grouped(number: int) -> str:
    """Return a whole number with a no-break space between thousands and a true minus sign."""
    sign = MINUS if number < 0 else ""
    return sign + f"{abs(number):,}".replace(",", NO_BREAK_SPACE)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes texts, money and times in one language and one currency."""

    language: str
    format: MoneyFormat = MoneyFormat()

    def say(self, text: "Text | Money | str") -> str:
        """Return a text in the language, with its arguments filled in; money and plain strings are taken as well."""
        if isinstance(text, str):
            return text
        if isinstance(text, Money):
            return self.money(text.minor)
        messages = catalogue(self.language)
        if text.plural:
            pattern = messages.npgettext(text.context, text.message, text.plural, text.count)
        else:
            pattern = messages.pgettext(text.context, text.message)
        if not text.args and not text.plural:
            return pattern
        values = _Lenient({name: self._argument(value) for name, value in text.args})
        values.setdefault("count", grouped(text.count))
        return pattern.format_map(values)

    def _argument(self, value: "str | int | Money | Text") -> str:
        return grouped(value) if isinstance(value, int) else self.say(value)

    def amount(self, minor: int, short: bool = False) -> str:
        """Return an amount without its symbol; ``short`` leaves out a fraction of nothing."""
        digits = self.format.minor_digits
        unit = 10**digits
        whole, fraction = divmod(abs(minor), unit)
        sign = MINUS if minor < 0 else ""
        number = sign + grouped(whole)
        if not digits or (short and not fraction):
            return number
        return f"{number}{_DECIMAL_MARK.get(self.language, '.')}{fraction:0{digits}d}"

    def money(self, minor: int, short: bool = False) -> str:
        """Return an amount with its symbol where the currency wants it."""
        number = self.amount(minor, short)
        symbol = self.format.symbol
        if not symbol:
            return number
        if not self.format.symbol_first:
            return f"{number}{NO_BREAK_SPACE}{symbol}"
        if number.startswith(MINUS):
            return f"{MINUS}{symbol}{number[1:]}"
        return f"{symbol}{number}"

    def clock(self, wall_time_ms: int) -> str:
        """Return hours and minutes of the cabinet's wall clock."""
        return self._moment(wall_time_ms).strftime("%H:%M")

    def date_time(self, wall_time_ms: int) -> str:
        """Return date, hours, minutes and seconds of the cabinet's wall clock."""
        return self._moment(wall_time_ms).strftime(f"{_DATE_FORMAT.get(self.language, '%Y-%m-%d')} %H:%M:%S")

    @staticmethod
    def _moment(wall_time_ms: int) -> datetime:
        """Wall time counts from 1970 on the wall clock itself, so no time zone is applied here."""
        return datetime.fromtimestamp(wall_time_ms // 1000, tz=UTC)
