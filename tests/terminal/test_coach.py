"""The coach: an answer is shown only at the decision that it is about, and only where it may be shown."""

from collections.abc import Callable
from pathlib import Path

from display.view_model import ButtonView, Text
from firmware.app import coach_of
from firmware.games.coaching import ActionValue, Advice
from firmware.games.contract import Action, Decision, Game
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.terminal.state import Question
from firmware.terminal.step import AdviceGiven
from tests.support.cabinet import ROOT, CabinetUnderTest, settings_for

CARDS = "9s Th Kd As 7s 8c 2h 3h 4d 5c"
"""Player: no hand; the dealer shows a five."""


class Desk:
    """A coach who answers when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, Callable[[AdviceGiven], None]]] = []

    def ask(self, question: Question, _: Game, __: Decision, sink: Callable[[AdviceGiven], None]) -> None:
        self.asked.append((question, sink))

    def answer(self, number: int = -1) -> None:
        question, sink = self.asked[number]
        fold = ActionValue(Action(1, "fold"), -1_000_000)
        sink(AdviceGiven(question, Advice((fold, ActionValue(Action(1, "raise"), -1_254_129)), exact=True)))


def at_the_table(folder: Path, desk: Desk, settings: Settings | None = None) -> CabinetUnderTest:
    cabinet = CabinetUnderTest(settings or settings_for(folder), seed=1, ask_coach=desk.ask)
    cabinet.boot()
    cabinet.insert_note(10_000)
    cabinet.sit_down("caribbean")
    deal(cabinet)
    return cabinet


def deal(cabinet: CabinetUnderTest) -> None:
    cabinet.lay(CARDS)
    cabinet.bet(1, "ante", 1_000)
    cabinet.press("deal")


def button(cabinet: CabinetUnderTest, name: str) -> ButtonView:
    return next(button for button in cabinet.view.buttons if button.id == f"button:{name}")


def number(text: Text | None) -> str:
    assert text is not None
    return "".join(str(value) for _, value in text.args)


def lines(cabinet: CabinetUnderTest) -> list[str]:
    assert cabinet.view.table is not None
    return [line.message for line in cabinet.view.table.coach]


def test_each_button_shows_its_value_and_the_mistake_its_cost(tmp_path: Path) -> None:
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    assert button(cabinet, "fold").worth is None
    assert lines(cabinet) == ["The coach is working it out"]
    desk.answer()
    cabinet.wait(100)
    assert (number(button(cabinet, "fold").worth), button(cabinet, "fold").best) == ("−1000", True)
    assert (number(button(cabinet, "raise").worth), button(cabinet, "raise").best) == ("−1254", False)
    assert lines(cabinet) == ["Best: {action}, worth {value} of your first bet"]
    assert len(desk.asked) == 1
    cabinet.press("raise")
    assert lines(cabinet) == ["Your last choice gave away {cost} of your first bet; better was: {action}"]
    mistake = cabinet.view.table.coach[0] if cabinet.view.table else Text("", "")
    assert number(dict(mistake.args)["cost"]) == "0254"  # type: ignore[arg-type]
    cabinet.close()


def test_the_best_choice_is_no_mistake(tmp_path: Path) -> None:
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    desk.answer()
    cabinet.wait(100)
    cabinet.press("fold")
    assert lines(cabinet) == []
    cabinet.close()


def test_an_answer_to_an_older_question_is_dropped(tmp_path: Path) -> None:
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    cabinet.press("fold")
    deal(cabinet)
    desk.answer(0)
    cabinet.wait(100)
    assert len(desk.asked) == 2
    assert lines(cabinet) == ["The coach is working it out"]
    cabinet.close()


def test_more_credit_is_another_question(tmp_path: Path) -> None:
    """With more money another button may be legal, so the old values are not shown beside it."""
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    desk.answer()
    cabinet.insert_note(1_000)
    assert len(desk.asked) == 2
    assert lines(cabinet) == ["The coach is working it out"]
    cabinet.close()


def test_the_player_can_do_without(tmp_path: Path) -> None:
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    desk.answer()
    cabinet.touch("help")
    cabinet.press("topic:settings")
    page = cabinet.view.page
    assert page is not None
    cabinet.touch(next(row.target for row in page.rows if row.label.message.startswith("Coach")))
    cabinet.press("back")
    assert lines(cabinet) == []
    assert button(cabinet, "fold").worth is None
    cabinet.close()


def test_a_question_without_an_answer_says_nothing(tmp_path: Path) -> None:
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    question, sink = desk.asked[0]
    sink(AdviceGiven(question, None))
    cabinet.wait(100)
    assert lines(cabinet) == []
    cabinet.close()


def test_money_play_has_no_coach_unless_the_operator_allows_it() -> None:
    cabinet = load_settings(ROOT / "config" / "cabinet.toml")
    assert cabinet.terminal.mode == "cabinet"
    assert coach_of(cabinet) == "off"
    assert coach_of(with_coach(cabinet, "always")) != "off"
    simulator = load_settings(ROOT / "config" / "simulator.toml")
    assert coach_of(simulator) != "off"
    assert coach_of(with_coach(simulator, "never")) == "off"


def test_without_the_coach_the_settings_page_does_not_speak_of_him(tmp_path: Path) -> None:
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk, with_coach(settings_for(tmp_path), "never"))
    assert not desk.asked
    cabinet.touch("help")
    cabinet.press("topic:settings")
    assert cabinet.view.page is not None
    assert not any(row.label.message.startswith("Coach") for row in cabinet.view.page.rows)
    cabinet.close()


def test_where_the_mathematics_are_missing_the_settings_page_says_so(tmp_path: Path, mocker: object) -> None:
    mocker.patch("firmware.app.is_installed", return_value=False)  # type: ignore[attr-defined]
    desk = Desk()
    cabinet = at_the_table(tmp_path, desk)
    assert not desk.asked
    assert lines(cabinet) == []
    cabinet.touch("help")
    cabinet.press("topic:settings")
    assert cabinet.view.page is not None
    row = next(row for row in cabinet.view.page.rows if row.label.message.startswith("Coach"))
    assert row.value == Text("settings", "not installed")
    cabinet.close()


def with_coach(settings: Settings, use: str) -> Settings:
    return settings.model_copy(update={"player": settings.player.model_copy(update={"coach": use})})
