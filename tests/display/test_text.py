"""Money, numbers, times and messages as each language writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.text import Writer
from display.view_model import Money, MoneyFormat, Text

EN, RU = Writer("en"), Writer("ru")


@pytest.mark.parametrize(
    ("minor", "english", "russian"),
    [
        (0, "0.00 €", "0,00 €"),
        (5, "0.05 €", "0,05 €"),
        (123_456, "1 234.56 €", "1 234,56 €"),
        (100_000_000, "1 000 000.00 €", "1 000 000,00 €"),
        (-1250, "−12.50 €", "−12,50 €"),
    ],
)
def test_money_in_both_languages(minor: int, english: str, russian: str) -> None:
    assert EN.money(minor) == english.replace(" ", "\u00a0")
    assert RU.money(minor) == russian.replace(" ", "\u00a0")


def test_symbol_in_front_and_currencies_without_minor_units() -> None:
    assert Writer("en", MoneyFormat(2, "$", symbol_first=True)).money(-1250) == "−$12.50"
    assert Writer("en", MoneyFormat(0, "¥", symbol_first=True)).money(1250) == "¥1\u00a0250"
    assert Writer("ru", MoneyFormat(3, "")).money(1250) == "1,250"


def test_a_short_amount_leaves_out_only_a_fraction_of_nothing() -> None:
    assert EN.amount(1500, short=True) == "15"
    assert EN.amount(1550, short=True) == "15.50"


@given(st.integers(-(10**12), 10**12), st.sampled_from(["en", "ru"]), st.integers(0, 3))
def test_a_written_amount_reads_back_exactly(minor: int, language: str, digits: int) -> None:
    written = Writer(language, MoneyFormat(digits, "")).amount(minor)
    plain = written.replace("\u00a0", "").replace("−", "-").replace(",", ".")
    whole, _, fraction = plain.partition(".")
    assert len(fraction) == digits
    assert int(whole + fraction) == minor


def test_arguments_are_written_in_the_language_too() -> None:
    inner = Text("hand", "Pair")
    text = Text("hand", "{first} + {second}", (("first", inner), ("second", Text("hand", "Ace-King"))))
    assert EN.say(text) == "Pair + Ace-King"
    assert RU.say(text) == "Пара + Туз-Король"
    assert RU.say(Text("notice", "{amount} credited", (("amount", Money(1250)),))) == "Зачислено 12,50\u00a0€"


def test_an_argument_that_is_called_count_is_written_as_it_was_given() -> None:
    said = Text("event", "Cash-out {payout}: {count} coins so far", (("payout", "p1-1"), ("count", 7)))
    assert EN.say(said) == "Cash-out p1-1: 7 coins so far"
    assert "7" in RU.say(said)


def test_plural_forms_are_chosen_by_count() -> None:
    def notes(count: int) -> Text:
        return Text("cabinet", "{count} note", plural="{count} notes", count=count)

    assert [EN.say(notes(count)) for count in (1, 2)] == ["1 note", "2 notes"]
    assert [RU.say(notes(count)) for count in (1, 2, 1005)] == ["1 купюра", "2 купюры", "1\u00a0005 купюр"]


def test_a_missing_argument_stays_visible_and_stops_nothing() -> None:
    assert EN.say(Text("notice", "{amount} credited", (("other", 1),))) == "{amount} credited"


def test_braces_in_an_argument_are_only_text() -> None:
    assert EN.say(Text("notice", "{amount} credited", (("amount", "{x}"),))) == "{x} credited"


def test_clock_and_date_follow_the_wall_clock_and_the_language() -> None:
    moment = 1_728_078_420_000
    assert EN.clock(moment) == RU.clock(moment) == "21:47"
    assert EN.date_time(moment) == "2024-10-04 21:47:00"
    assert RU.date_time(moment) == "04.10.2024 21:47:00"
