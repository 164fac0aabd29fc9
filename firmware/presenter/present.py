"""The view of a moment: which scene, which numbers, which buttons. One function, no decisions.

The screen shows the ledger's values and nothing else; a chip that lies on the table before the deal is still credit.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from display.view_model import (
    ChipView,
    FaultView,
    LobbyTile,
    Money,
    MoneyFormat,
    Notice,
    PayoutView,
    Text,
    View,
)
from firmware.presenter.buttons import button_views
from firmware.presenter.coach import button_worths, coach_lines
from firmware.presenter.operator_page import menu_view
from firmware.presenter.pages import page_view
from firmware.presenter.table import bet_minor, past_table, table_view, win_minor
from firmware.presenter.vocabulary import BLURBS, GAMES, UNNAMED_GAME
from firmware.terminal.availability import accepted_coins, accepted_notes, faults_up, mode, takes_money_soon
from firmware.terminal.controls import controls
from firmware.terminal.decide_cash_out import rest_minor
from firmware.terminal.decide_play import jackpot_meter
from firmware.terminal.faults import FAULTS, PLAY
from firmware.terminal.state import State
from firmware.terminal.step import Environment


@dataclass(frozen=True, slots=True)
class House:
    """What every view says of the terminal itself."""

    terminal_id: str
    venue: str
    money: MoneyFormat
    watermark: Text | None = None
    local_ms: Callable[[int], int] = int
    """From wall-clock milliseconds in UTC to local ones."""
    touch_ppm: tuple[int, ...] = ()
    """The calibration of the touch panel, in millionths; empty for none."""


WATERMARKS = {
    "simulator": Text("watermark", "Simulator: no value"),
    "demo": Text("watermark", "Demonstration: no value"),
}


def present(state: State, environment: Environment, house: House) -> View:
    """Return the view of this moment."""
    now = mode(state)
    screen, recorded = state.screen, state.recorded
    seat = state.live.opened.game if state.live is not None else screen.game
    offer = environment.games.get(seat)
    seated = now in ("table", "help") and offer is not None
    at_table = now in ("table", "tilt") and offer is not None and (state.live is not None or screen.scene == "table")
    past = past_table(state, environment) if now == "help" and screen.pages.topic == "hands" else None
    available = controls(state, environment)
    house_names = offer.game.spec.button_names if offer is not None else {}
    scene = now
    if now == "help":
        scene = "page" if past is None else "table"
    notice = screen.notice
    view = View(
        mode=scene,
        language=screen.language,
        wall_time_ms=_local_minute_ms(environment, house),
        money=house.money,
        credit_minor=recorded.credit_minor,
        is_money_known=not state.is_memory_lost,
        bet_minor=bet_minor(state, environment) if seated or at_table else 0,
        win_minor=win_minor(state) if seated or at_table else 0,
        buttons=button_views(
            available,
            house_names,
            rebets=not screen.bets and seat in recorded.rebets,
            worths=button_worths(state, environment, available) if now == "table" else None,
        ),
        chips=tuple(
            ChipView(value, value == screen.chip_minor, state.live is None) for value in environment.options.chips_minor
        )
        if now == "table"
        else (),
        table=replace(table_view(state, environment), coach=coach_lines(state, environment, house_names))
        if at_table
        else past,
        lobby=_lobby(state, environment),
        page=page_view(state, environment) if scene == "page" else None,
        payout=_payout(state),
        faults=tuple(
            FaultView(
                fault.code,
                FAULTS[fault.code].title,
                FAULTS[fault.code].remedy,
                fault.since_ms,
                PLAY in FAULTS[fault.code].stops,
                FAULTS[fault.code].player,
            )
            for fault in faults_up(state)
        ),
        notice=None if notice is None else Notice(notice.text, notice.tone, notice.until_ms),
        watermark=house.watermark,
        venue=house.venue,
        terminal_id=house.terminal_id,
        accepts_money=bool(accepted_notes(state, environment.options) or accepted_coins(state, environment.options)),
        takes_money_soon=takes_money_soon(state, environment.options),
        sounds=screen.sounds,
        comfort=screen.comfort,
        touch_ppm=house.touch_ppm,
    )
    return menu_view(state, environment, view) if screen.menu is not None else view


def _local_minute_ms(environment: Environment, house: House) -> int:
    """The clock shows minutes: within one the view stays the same."""
    local_ms = house.local_ms(environment.wall_ms)
    return local_ms - local_ms % 60_000


def _lobby(state: State, environment: Environment) -> tuple[LobbyTile, ...]:
    tiles = []
    for name, offer in environment.games.items():
        meter = jackpot_meter(state, offer)
        main = offer.game.spec.lines[0]
        tiles.append(
            LobbyTile(
                game=name,
                title=GAMES.get(name, UNNAMED_GAME),
                blurb=BLURBS.get(name, UNNAMED_GAME),
                family=offer.game.spec.family,
                minimum_minor=main.minimum_minor,
                maximum_minor=main.maximum_minor,
                jackpot=None if meter is None else Money(meter),
                selected=name == state.screen.game,
            )
        )
    return tuple(tiles)


def _payout(state: State) -> PayoutView | None:
    payout = state.recorded.payout
    if payout is None:
        return None
    rest = rest_minor(payout)
    kind = "handpay" if payout.hopper_done else "hopper"
    return PayoutView(payout.started.amount_minor, payout.started.amount_minor - rest, rest, kind)
