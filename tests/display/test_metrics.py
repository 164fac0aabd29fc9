"""The widths that scenes reckon with are those of the fonts that the canvas draws with."""

import pytest

from display import metrics
from display.fonts import Fonts
from display.locale import LANGUAGES
from tests.display.frames import CASES, frame, inks

SAMPLES = (
    "Кредит 12 480,00 €",
    "Royal flush",
    "ОБМЕН 2 КАРТ",
    "ШЕСТАЯ КАРТА",
    "The dealer does not qualify",
    "1234567890",
)


@pytest.mark.parametrize("weight", ["regular", "bold", "mono"])
@pytest.mark.parametrize("text", SAMPLES)
def test_estimated_widths_are_close_and_on_the_safe_side(text: str, weight: str) -> None:
    real = Fonts().get(weight, 100).size(text)[0]
    estimated = metrics.width(text, 100, weight)
    assert real * 0.995 <= estimated <= real * 1.05


def test_the_tables_know_every_sign_that_the_screens_show() -> None:
    unknown = {
        sign
        for name, language in CASES
        for ink in inks(frame(name, language))
        for sign in ink.label.text
        if ink.label.weight != "mono" and not metrics.knows(sign, ink.label.weight)
    }
    assert unknown == set()
    assert len(LANGUAGES) == 2


def test_fitting_never_exceeds_the_room_while_it_may_shrink() -> None:
    for room in range(60, 600, 20):
        size = metrics.fit("Дилер не играет", room, 40, "bold")
        assert size <= 14 or metrics.width("Дилер не играет", size, "bold") <= room


def test_wrapping_keeps_every_word_in_order() -> None:
    text = "Сотрудник выдаст эту сумму\nи повернёт ключ"
    lines = metrics.wrap(text, 200, 30)
    assert " ".join(lines).split() == text.split()
    assert all(metrics.width(line, 30) <= 200 or " " not in line for line in lines)
