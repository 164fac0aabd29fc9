import pytest
from pytest_mock import MockerFixture

from display import fonts
from display.fonts import MOST_OPEN, WEIGHTS, Fonts, font_file


@pytest.mark.parametrize("weight", WEIGHTS)
def test_font_has_both_alphabets_and_the_signs_of_money(weight: str) -> None:
    file = font_file(weight)
    assert file is not None
    font = Fonts().get(weight, 40)
    missing = font.render("\U0010ffff", True, (255, 255, 255)).get_buffer().raw
    for sign in "AZazАЯЁаяё0123456789€₽×·—…«»№":
        if weight == "mono" and sign == "₽":
            continue
        assert font.render(sign, True, (255, 255, 255)).get_buffer().raw != missing


def test_installed_packages_leave_nothing_to_warn_about() -> None:
    assert Fonts().warning is None


def test_missing_fonts_are_reported_and_done_without(mocker: MockerFixture) -> None:
    mocker.patch.object(fonts, "font_file", return_value=None)
    bare = Fonts()
    assert bare.warning is not None
    assert "requirements.lock" in bare.warning
    assert bare.get("bold", 30).size("Croupier")[0] > 40


def test_same_font_is_opened_once_and_few_are_kept() -> None:
    opened = Fonts()
    first = opened.get("regular", 20)
    assert opened.get("regular", 20) is first
    for pixels in range(21, 21 + MOST_OPEN):
        opened.get("regular", pixels)
    assert opened.get("regular", 20) is not first


def test_unknown_weight_is_refused() -> None:
    with pytest.raises(KeyError, match="heavy"):
        Fonts().get("heavy", 20)
