"""The coach on the screen shows the exact values, in every family; and his process answers as he does in our own."""

import queue
import threading
from multiprocessing import active_children
from pathlib import Path
from typing import cast

import pytest

from firmware.cards.card import Card
from firmware.coach import ask_at_once, ask_in_a_process
from firmware.games.coaching import Advice
from firmware.maths.advice import advise
from firmware.presenter.coach import worth
from firmware.terminal.coach import coaching
from firmware.terminal.state import Question
from firmware.terminal.step import AdviceGiven
from tests.support.cabinet import CabinetUnderTest, settings_for

POKER = "9s Th 8d As 7s 8c 2h 3h Qc 5c"
HANDS = {
    "caribbean": ("ante", POKER),
    "oasis": ("ante", POKER),
    "oasis_jackpot": ("ante", POKER),
    "russian": ("ante", POKER),
    "open_blackjack": ("bet", "8s 7h 8d 3c"),
    "six_decks_blackjack": ("bet", "8s 7h 8d 3c"),
    "european_blackjack": ("bet", "8s 7h 8d 3c"),
}


def deal(folder: Path, game: str) -> CabinetUnderTest:
    line, cards = HANDS[game]
    cabinet = CabinetUnderTest(settings_for(folder), seed=1, ask_coach=ask_at_once)
    cabinet.boot()
    cabinet.insert_note(10_000)
    cabinet.sit_down(game)
    cabinet.lay(cards)
    cabinet.bet(1, line, 1_000)
    cabinet.press("deal")
    return cabinet


def exact(cabinet: CabinetUnderTest) -> Advice:
    live = cabinet.terminal.state.live
    assert live is not None
    advice = advise(live.game, live.decision, cabinet.view.credit_minor)
    assert advice is not None
    return advice


def own_cards(cabinet: CabinetUnderTest) -> list[Card | None]:
    live = cabinet.terminal.state.live
    assert live is not None
    return [slot.card for slot in live.game.layout(live.node).boxes[0].hands[0].slots]


@pytest.mark.parametrize("game", HANDS)
def test_every_button_shows_the_exact_value_of_its_action(tmp_path: Path, game: str) -> None:
    cabinet = deal(tmp_path, game)
    advice = exact(cabinet)
    shown = {button.id: button for button in cabinet.view.buttons}
    for name in {value.action.name for value in advice.values}:
        best = next(value for value in advice.values if value.action.name == name)
        assert shown[f"button:{name}"].worth == worth(best.value_millionths)
        assert shown[f"button:{name}"].best == (best.value_millionths == advice.best.value_millionths)
    cabinet.close()


def test_marked_cards_show_the_value_of_exchanging_just_them(tmp_path: Path) -> None:
    cabinet = deal(tmp_path, "oasis")
    advice = exact(cabinet)
    for number, card in enumerate(own_cards(cabinet), 1):
        cabinet.press(f"b{number}")
        shown = next(button for button in cabinet.view.buttons if button.id == "button:exchange")
        value = next(one.value_millionths for one in (*advice.values, *advice.others) if one.action.cards == (card,))
        assert shown.worth == worth(value)
        cabinet.press(f"b{number}")
    cabinet.close()


def test_the_cost_of_a_wrong_exchange_is_the_exact_difference(tmp_path: Path) -> None:
    cabinet = deal(tmp_path, "oasis")
    advice = exact(cabinet)
    worst = min(
        (one for one in (*advice.values, *advice.others) if len(one.action.cards) == 2),
        key=lambda one: one.value_millionths,
    )
    for card in worst.action.cards:
        cabinet.press(f"b{own_cards(cabinet).index(card) + 1}")
    cabinet.press("exchange")
    mistake = cabinet.terminal.state.screen.mistake
    assert mistake is not None
    assert mistake.cost_millionths == advice.best.value_millionths - worst.value_millionths
    cabinet.close()


def test_the_process_of_his_own_gives_the_same_advice(tmp_path: Path) -> None:
    cabinet = deal(tmp_path, "caribbean")
    live = cabinet.terminal.state.live
    assert live is not None
    answers: queue.Queue[AdviceGiven] = queue.Queue()
    question = Question("a", 0, cabinet.view.credit_minor)
    has_shown = threading.Event()
    ask_in_a_process(question, live.game, live.decision, answers.put, after=has_shown)
    assert not active_children()
    has_shown.set()
    given = answers.get(timeout=120)
    now = coaching(cabinet.terminal.state, cabinet.terminal.environment().options)
    assert now is not None
    assert given == AdviceGiven(question, cast("Advice", now.advice))
    cabinet.close()
