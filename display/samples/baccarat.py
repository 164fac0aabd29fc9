"""Sample views of the baccarat table."""

from typing import Final

from display.samples.parts import NOON_MS, bet_buttons, chips, hand, spot
from display.samples.poker import WATERMARK
from display.samples.words import GAMES, HANDS
from display.view_model import BoxView, ButtonView, HandView, Money, PaytableLine, SpotView, TableView, Text, View

ROADS: Final = tuple("BPPBBTBPBBBBBBBTPPPBPBTTPPPPPPPPBBPBBBTPBP")
_PAYS: Final = (
    PaytableLine(HANDS["player"], "1 : 1"),
    PaytableLine(HANDS["banker"], "19 : 20"),
    PaytableLine(HANDS["tie"], "8 : 1"),
)


def view_of(
    phase: str,
    spots: tuple[SpotView, ...],
    player: HandView | None,
    banker: HandView,
    *,
    state: str = "bet",
    buttons: tuple[ButtonView, ...] = (),
    bet: int = 0,
    win: int = 0,
    banner: Text | None = None,
    tone: str = "info",
    lit: int = -1,
) -> View:
    """Return a baccarat view."""
    pays = tuple(PaytableLine(line.label, line.pays, lit=index == lit) for index, line in enumerate(_PAYS))
    return View(
        mode="table",
        language="en",
        wall_time_ms=NOON_MS,
        credit_minor=50_000,
        bet_minor=bet,
        win_minor=win,
        buttons=buttons,
        chips=chips(2500),
        watermark=WATERMARK,
        terminal_id="T-042",
        table=TableView(
            game="baccarat",
            title=GAMES["baccarat"],
            family="baccarat",
            phase=phase,
            round_number=18_425,
            boxes=(BoxView(1, state, (), spots),),
            dealer=banker,
            player=player,
            felt_lines=(Text("felt", "Third card by the fixed rules"),),
            paytable=pays,
            minimum_minor=500,
            maximum_minor=50_000,
            banner=banner,
            banner_tone=tone,
            roads=ROADS,
        ),
    )


def _spots(player: int, tie: int, banker: int, paid: tuple[int, int, int] | None = None) -> tuple[SpotView, ...]:
    amounts = (("player", player), ("tie", tie), ("banker", banker))
    return tuple(
        spot(line, amount, None if paid is None else paid[index], 500, 50_000)
        for index, (line, amount) in enumerate(amounts)
        if paid is None or amount
    )


def betting() -> View:
    """Chips on player and tie."""
    return view_of(
        "betting",
        _spots(5000, 500, 0),
        None,
        hand("d"),
        buttons=bet_buttons(placed=True),
        bet=5500,
    )


def pairs() -> View:
    """A table with pair bets."""
    line = (("player", 1000), ("player_pair", 500), ("tie", 0), ("banker", 0), ("banker_pair", 0))
    spots = tuple(spot(name, amount, None, 500, 50_000) for name, amount in line)
    return view_of("betting", spots, None, hand("d"), buttons=bet_buttons(placed=True), bet=1500)


def dealing() -> View:
    """Two cards each, no third yet."""
    return view_of(
        "dealing", _spots(5000, 500, 0), hand("p", "3s 2d", total="5"), hand("d", "Kd 6h", total="6"), bet=5500
    )


def settled() -> View:
    """The player's side wins with a third card."""
    player = hand("p", "3s 2d 4h", total="9", result="win")
    return view_of(
        "settled",
        _spots(5000, 500, 0, (10_000, 0, 0)),
        player,
        hand("d", "Kd 6h", total="6"),
        state="settled",
        buttons=bet_buttons(placed=False),
        bet=5500,
        win=10_000,
        banner=Text("banner", "You win {amount}", (("amount", Money(10_000)),)),
        tone="win",
        lit=0,
    )


def tie() -> View:
    """A tie with three cards each: bets on the sides come back."""
    return view_of(
        "settled",
        _spots(0, 1000, 5000, (0, 9000, 5000)),
        hand("p", "3s 2d Th", total="5", result="push"),
        hand("d", "Kd 3h 2c", total="5", result="push"),
        state="settled",
        buttons=bet_buttons(placed=False),
        bet=6000,
        win=14_000,
        banner=Text("banner", "You win {amount}", (("amount", Money(14_000)),)),
        tone="win",
        lit=2,
    )
