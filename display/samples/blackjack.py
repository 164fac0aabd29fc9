"""Sample views of the blackjack tables: bets, a hand in play, insurance, splits, five boxes, the end."""

from typing import Final

from display.samples.parts import NOON_MS, bet_buttons, button, chips, hand, play_buttons, spot
from display.samples.poker import WATERMARK
from display.samples.words import GAMES, HANDS, LINES, RESULTS
from display.view_model import BoxView, ButtonView, HandView, Money, PaytableLine, TableView, Text, View

_FELT: Final = (
    Text("felt", "Blackjack pays {numerator} to {denominator}", (("numerator", 3), ("denominator", 2))),
    Text("felt", "Dealer stands on all 17s"),
)
_PAYS: Final = (
    PaytableLine(HANDS["blackjack"], "3 : 2"),
    PaytableLine(HANDS["win"], "1 : 1"),
    PaytableLine(LINES["insurance"], "2 : 1"),
)
_PLAY: Final = play_buttons(
    button("surrender", 6, tone="negative"),
    button("split", 5, price=1000, tone="primary"),
    button("double", 7, price=1000, tone="primary"),
    button("stand", 8, tone="primary"),
    button("hit", 9, tone="positive"),
)


def view_of(
    phase: str,
    boxes: tuple[BoxView, ...],
    dealer: HandView,
    *,
    game: str = "six_decks_blackjack",
    buttons: tuple[ButtonView, ...] = _PLAY,
    bet: int = 1000,
    win: int = 0,
    banner: Text | None = None,
    tone: str = "info",
) -> View:
    """Return a blackjack view."""
    return View(
        mode="table",
        language="en",
        wall_time_ms=NOON_MS,
        credit_minor=86_250,
        bet_minor=bet,
        win_minor=win,
        buttons=buttons,
        chips=chips(1000),
        watermark=WATERMARK,
        terminal_id="T-042",
        table=TableView(
            game=game,
            title=GAMES[game],
            family="blackjack",
            phase=phase,
            round_number=18_424,
            boxes=boxes,
            dealer=dealer,
            felt_lines=_FELT,
            paytable=_PAYS,
            minimum_minor=100,
            maximum_minor=20_000,
            banner=banner,
            banner_tone=tone,
            shoe_left_count=211,
        ),
    )


def betting() -> View:
    """Five positions, two with bets."""
    boxes = tuple(
        BoxView(position, "bet" if amount else "open", (), (spot("bet", amount),))
        for position, amount in ((1, 0), (2, 1000), (3, 0), (4, 2500), (5, 0))
    )
    return view_of("betting", boxes, hand("d"), buttons=bet_buttons(placed=True), bet=3500)


def deciding_one() -> View:
    """One box, hard 12 against a six."""
    boxes = (BoxView(3, "active", (hand("b3.0", "Ts 2d", total="12", active=True),), (spot("bet", 1000),)),)
    return view_of("deciding", boxes, hand("d", "6h ??", total="6"), game="european_blackjack")


def insurance() -> View:
    """The dealer shows an ace."""
    boxes = (
        BoxView(2, "active", (hand("b2.0", "Ks 9d", total="19", active=True),), (spot("bet", 1000), spot("insurance"))),
        BoxView(4, "waiting", (hand("b4.0", "As 7c", total="8/18"),), (spot("bet", 2500), spot("insurance"))),
    )
    buttons = play_buttons(
        button("insurance", 7, price=500, tone="primary"),
        button("no_insurance", 9, tone="primary"),
    )
    return view_of(
        "deciding",
        boxes,
        hand("d", "Ah ??", total="11"),
        buttons=buttons,
        bet=3500,
    )


def split() -> View:
    """A split box of two hands between two others."""
    boxes = (
        BoxView(1, "done", (hand("b1.0", "Ks Qd", total="20"),), (spot("bet", 1000),)),
        BoxView(
            3,
            "active",
            (hand("b3.0", "8s 3d Th", total="21"), hand("b3.1", "8d 5c", total="13", active=True)),
            (spot("bet", 2000),),
        ),
        BoxView(5, "waiting", (hand("b5.0", "As 6c", total="7/17"),), (spot("bet", 2500),)),
    )
    return view_of("deciding", boxes, hand("d", "9h ??", total="9"), bet=5500)


def five_boxes() -> View:
    """Five boxes settled, all kinds of results."""
    data = (
        (1, "Ks Qd", "20", "win", 1000, 2000),
        (2, "As Kd", "21", "blackjack", 1000, 2500),
        (3, "8s 3d Th 5c", "26", "bust", 1000, 0),
        (4, "Ts 9c", "19", "push", 2500, 2500),
        (5, "2s 3c 4d 2h 3h 4c", "18", "lose", 500, 0),
    )
    boxes = tuple(
        BoxView(
            position,
            "settled",
            (hand(f"b{position}.0", codes, total=total, result=result),),
            (spot("bet", staked, paid),),
            False,
            result,
            RESULTS[result],
            paid,
        )
        for position, codes, total, result, staked, paid in data
    )
    return view_of(
        "settled",
        boxes,
        hand("d", "9h 4c 6d", total="19"),
        buttons=bet_buttons(placed=False),
        bet=6000,
        win=7000,
        banner=Text("banner", "You win {amount}", (("amount", Money(7000)),)),
        tone="win",
    )


def five_split() -> View:
    """The most that fits: five boxes, the third split."""
    boxes = tuple(
        BoxView(
            position,
            "active" if position == 3 else "waiting" if position > 3 else "done",
            (hand(f"b{position}.0", "8s 3d 5h", total="16"), hand("b3.1", "8d 5c 2h", total="15", active=True))
            if position == 3
            else (hand(f"b{position}.0", "Ts 6c", total="16"),),
            (spot("bet", 1000), spot("insurance", 500))
            if position != 3
            else (spot("bet", 1000), spot("split", 1000), spot("double", 1000), spot("insurance", 500)),
        )
        for position in range(1, 6)
    )
    return view_of("deciding", boxes, hand("d", "Ah ??", total="11"), bet=7500)
