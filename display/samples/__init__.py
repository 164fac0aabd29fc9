"""Sample views of every scene and state, for pictures and for tests. Nothing here is part of the running program."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from display.samples import baccarat, blackjack, coach, others, poker
from display.view_model import CabinetView, Comfort, Money, Notice, Text, View


def _refused() -> View:
    notice = Notice(Text("notice", "Table limit: {limit}", (("limit", Money(10_000)),)), "warning")
    return replace(poker.betting(), notice=notice)


def _comfort(**choices: object) -> Comfort:
    return replace(Comfort(), **choices)  # type: ignore[arg-type]


SAMPLES: Final[dict[str, Callable[[], View]]] = {
    "starting": others.starting,
    "attract": others.attract,
    "attract_moment": others.attract_moment,
    "lobby": others.lobby,
    "lobby_few": others.lobby_few,
    "cash_out": others.cash_out,
    "cash_out_done": others.cash_out_done,
    "handpay": others.handpay,
    "tilt": others.tilt,
    "help_page": others.help_page,
    "example_page": others.example_page,
    "settings_page": others.settings_page,
    "reality_check": others.reality_check,
    "menu_page": others.menu_page,
    "meters_page": others.meters_page,
    "poker_betting_empty": lambda: poker.betting(placed=False),
    "poker_betting": poker.betting,
    "poker_betting_jackpot": lambda: poker.betting("oasis_jackpot"),
    "poker_refused": _refused,
    "poker_dealing": poker.dealing,
    "poker_deciding_one": poker.deciding_one,
    "poker_deciding_two": poker.deciding_two,
    "poker_deciding_three": poker.deciding_three,
    "poker_settled_win": poker.settled_win,
    "poker_settled_no_qualify": poker.settled_no_qualify,
    "poker_settled_three": poker.settled_three,
    "poker_big_win": poker.big_win,
    "poker_recall": lambda: _table_flag(poker.settled_win(), "recall"),
    "poker_demo": lambda: _table_flag(poker.deciding_one(), "demo"),
    "russian_draw": poker.russian_draw,
    "russian_deciding": poker.russian_deciding,
    "russian_offer": poker.russian_offer,
    "blackjack_betting": blackjack.betting,
    "blackjack_deciding_one": blackjack.deciding_one,
    "blackjack_insurance": blackjack.insurance,
    "blackjack_split": blackjack.split,
    "blackjack_five": blackjack.five_boxes,
    "blackjack_five_split": blackjack.five_split,
    "blackjack_coach": coach.split,
    "poker_coach": coach.deciding,
    "poker_coach_settled": coach.settled,
    "baccarat_betting": baccarat.betting,
    "baccarat_pairs": baccarat.pairs,
    "baccarat_dealing": baccarat.dealing,
    "baccarat_settled": baccarat.settled,
    "baccarat_tie": baccarat.tie,
    "comfort_big_text": lambda: replace(poker.deciding_one(), comfort=_comfort(big_text=True)),
    "comfort_high_contrast": lambda: replace(poker.settled_win(), comfort=_comfort(high_contrast=True)),
    "comfort_four_colour": lambda: replace(poker.settled_win(), comfort=_comfort(four_colour=True, back_design="red")),
    "comfort_credits": lambda: replace(poker.settled_win(), comfort=_comfort(in_credits=True, credit_value_minor=2500)),
    "comfort_left_handed": lambda: replace(poker.deciding_one(), comfort=_comfort(left_handed=True, volume=0)),
}


CABINETS: Final[dict[str, Callable[[], CabinetView]]] = {
    "cabinet": others.cabinet,
    "cabinet_dark": lambda: others.cabinet(powered=False),
    "cabinet_jammed": others.cabinet_jammed,
}


def _table_flag(view: View, flag: str) -> View:
    if view.table is None:
        raise ValueError("only a table can be marked")
    table = replace(view.table, recall=flag == "recall", demo=flag == "demo")
    return replace(view, table=table)
