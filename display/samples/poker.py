"""Sample views of the poker tables: betting, dealing, deciding, settled; one box to three; Russian with two combinations."""

from dataclasses import replace
from typing import Final

from display.samples.parts import NOON_MS, bet_buttons, button, chips, hand, play_buttons, poker_paytable, spot
from display.samples.words import GAMES, HANDS, RESULTS, two_combinations
from display.view_model import BoxView, ButtonView, HandView, Money, PaytableLine, SpotView, TableView, Text, View

WATERMARK: Final = Text("watermark", "Simulator: no value")
_FELT: Final = {
    "oasis": (Text("felt", "Dealer plays with Ace-King or better"),),
    "caribbean": (Text("felt", "Dealer plays with Ace-King or better"),),
    "oasis_jackpot": (Text("felt", "Dealer plays with Ace-King or better"),),
    "russian": (Text("felt", "Dealer plays with Ace-King or better"),),
}
_DEALER_BACKS: Final = "?? ?? ?? ?? 8h"
JACKPOT: Final = Money(4_218_350)


def _open_positions(states: dict[int, str], bets: dict[int, int], jackpot: bool = False) -> tuple[BoxView, ...]:
    boxes = []
    for position in range(1, 7):
        state = states.get(position, "open")
        spots = [replace(spot("ante", bets.get(position, 0)), selected=position == 2)]
        if jackpot:
            spots.append(spot("jackpot", 100 if position in bets else 0, minimum=100, maximum=100))
        boxes.append(BoxView(position, state, (), tuple(spots)))
    return tuple(boxes)


def table_view(
    game: str,
    phase: str,
    boxes: tuple[BoxView, ...],
    dealer: HandView,
    *,
    buttons: tuple[ButtonView, ...],
    credit: int = 124_800,
    bet: int = 0,
    win: int = 0,
    lit: str = "",
    banner: Text | None = None,
    tone: str = "info",
) -> View:
    """Return a poker view."""
    jackpot_rows = (
        PaytableLine(HANDS["royal_flush"], "100 %"),
        PaytableLine(HANDS["straight_flush"], "10 %"),
        PaytableLine(HANDS["four_of_a_kind"], "", Money(50_000)),
        PaytableLine(HANDS["full_house"], "", Money(10_000)),
        PaytableLine(HANDS["flush"], "", Money(5_000)),
    )
    with_jackpot = game == "oasis_jackpot"
    return View(
        mode="table",
        language="en",
        wall_time_ms=NOON_MS,
        credit_minor=credit,
        bet_minor=bet,
        win_minor=win,
        buttons=buttons,
        chips=chips(),
        watermark=WATERMARK,
        terminal_id="T-042",
        table=TableView(
            game=game,
            title=GAMES[game],
            family="poker",
            phase=phase,
            round_number=18_423,
            boxes=boxes,
            dealer=dealer,
            felt_lines=_FELT[game],
            paytable=poker_paytable(lit) + (jackpot_rows if with_jackpot else ()),
            minimum_minor=100,
            maximum_minor=10_000,
            banner=banner,
            banner_tone=tone,
            jackpot=JACKPOT if with_jackpot else None,
        ),
    )


def _spots(ante: int, bet: int = 0, exchange: int = 0, paid: tuple[int, ...] | None = None) -> tuple[SpotView, ...]:
    amounts = [("ante", ante), ("bet", bet)]
    if exchange:
        amounts.append(("exchange", exchange))
    return tuple(
        spot(line, amount, None if paid is None else paid[index]) for index, (line, amount) in enumerate(amounts)
    )


_EXCHANGE_ONE: Final = replace(
    button("exchange", 7, price=1000, tone="primary", attention=True),
    label=Text("button", "Exchange {count} card", plural="Exchange {count} cards", count=1),
)
_DECIDE: Final = play_buttons(
    button("fold", 6, tone="negative"),
    _EXCHANGE_ONE,
    button(
        "raise", 9, tone="positive", enabled=False, reason=Text("notice", "Exchange the marked cards or unmark them")
    ),
    marks=5,
)


def betting(game: str = "oasis", *, placed: bool = True) -> View:
    """Positions open for bets; two of them taken when ``placed``."""
    bets = {2: 1000, 3: 500} if placed else {}
    states = {2: "bet", 3: "bet", 5: "closed", 6: "closed"} if placed else {}
    boxes = _open_positions(states, bets, jackpot=game == "oasis_jackpot")
    return table_view(game, "betting", boxes, hand("d"), buttons=bet_buttons(placed=placed), bet=sum(bets.values()))


def dealing(game: str = "oasis") -> View:
    """One box, cards just dealt, still face down."""
    boxes = (BoxView(3, "waiting", (hand("b3.0", "?? ?? ?? ?? ??"),), _spots(1000)),)
    return table_view(game, "dealing", boxes, hand("d", "?? ?? ?? ?? ??"), buttons=(), bet=1000)


def deciding_one(game: str = "oasis") -> View:
    """One box with a pair; a card is chosen for the exchange."""
    mine = hand("b3.0", "Ah As Qd Tc 7h", "pair", best=(0, 1), selected=(4,), active=True)
    boxes = (BoxView(3, "active", (mine,), _spots(1000)),)
    return table_view(
        game,
        "deciding",
        boxes,
        hand("d", _DEALER_BACKS),
        buttons=_DECIDE,
        bet=1000,
        lit="pair",
    )


def deciding_two() -> View:
    """Two boxes: the second is active, the first is done."""
    first = hand("b2.0", "Kh Kd 9s 4c 2d", "pair", best=(0, 1))
    second = hand("b4.0", "Js Tc 9d 8h 2s", "no_hand", active=True, selected=(4,))
    boxes = (
        BoxView(2, "done", (first,), _spots(1000, 2000, 1000)),
        BoxView(4, "active", (second,), _spots(500)),
    )
    return table_view("oasis", "deciding", boxes, hand("d", _DEALER_BACKS), buttons=_DECIDE, bet=4500)


def deciding_three() -> View:
    """Three boxes: the first active, the second waiting, the third blind."""
    first = hand("b1.0", "Ah Kd 9s 4c 2d", "ace_king", best=(0, 1), active=True)
    boxes = (
        BoxView(1, "active", (first,), _spots(1000)),
        BoxView(3, "waiting", (hand("b3.0", "?? ?? ?? ?? ??"),), _spots(500)),
        BoxView(6, "blind", (hand("b6.0", "?? ?? ?? ?? ??"),), _spots(2500, 5000), blind=True),
    )
    poor = play_buttons(
        button("fold", 6, tone="negative"),
        button("exchange", 7, enabled=False, reason=Text("notice", "Mark the cards to exchange first")),
        button("raise", 9, price=2000, tone="positive"),
        marks=5,
    )
    return table_view("oasis", "deciding", boxes, hand("d", _DEALER_BACKS), buttons=poor, bet=9000, credit=2900)


def settled_win(game: str = "oasis") -> View:
    """One box wins with a flush; ante and bet are paid."""
    mine = hand("b3.0", "Kd Jd 9d 6d 2d", "flush", best=(0, 1, 2, 3, 4), result="win")
    boxes = (
        BoxView(
            3, "settled", (mine,), _spots(1000, 2000, 1000, (2000, 12_000, 0)), False, "win", RESULTS["win"], 14_000
        ),
    )
    dealer = hand("d", "Ks Kc 8h 5d 3s", "pair", best=(0, 1))
    return table_view(
        game,
        "settled",
        boxes,
        dealer,
        buttons=bet_buttons(placed=False),
        credit=134_800,
        bet=4000,
        win=14_000,
        lit="flush",
        banner=Text("banner", "You win {amount}", (("amount", Money(14_000)),)),
        tone="win",
    )


def settled_no_qualify() -> View:
    """The dealer does not qualify: the ante wins, the bet comes back."""
    mine = hand("b3.0", "Qs Qd 9d 6d 2c", "pair", best=(0, 1), result="no_qualify")
    boxes = (
        BoxView(
            3, "settled", (mine,), _spots(1000, 2000, 0, (2000, 2000)), False, "no_qualify", RESULTS["no_qualify"], 4000
        ),
    )
    dealer = hand("d", "Ks Jc 8h 5d 3s", "no_hand")
    return table_view(
        "caribbean",
        "settled",
        boxes,
        dealer,
        buttons=bet_buttons(placed=False),
        win=4000,
        bet=3000,
        banner=Text("banner", "Dealer does not qualify. You receive {amount}", (("amount", Money(4000)),)),
    )


def settled_three() -> View:
    """Three boxes end differently: won, folded, pushed."""
    won = hand("b1.0", "Jh Jd 9s 9c 2d", "two_pairs", best=(0, 1, 2, 3), result="win")
    folded = hand("b3.0", "Qh 9d 7s 4c 2d", "no_hand", result="fold")
    pushed = hand("b6.0", "Ks Kd 9d 6d 2c", "pair", best=(0, 1), result="push")
    boxes = (
        BoxView(1, "settled", (won,), _spots(1000, 2000, 0, (2000, 6000)), False, "win", RESULTS["win"], 8000),
        BoxView(3, "settled", (folded,), _spots(500, 0, 0, (0, 0)), False, "fold", RESULTS["fold"]),
        BoxView(6, "settled", (pushed,), _spots(500, 1000, 0, (500, 1000)), True, "push", RESULTS["push"], 1500),
    )
    dealer = hand("d", "Kh Kc 9h 6c 2s", "pair", best=(0, 1))
    return table_view(
        "oasis",
        "settled",
        boxes,
        dealer,
        buttons=bet_buttons(placed=False),
        win=9500,
        bet=5000,
        lit="two_pairs",
        banner=Text("banner", "You win {amount}", (("amount", Money(9500)),)),
        tone="win",
    )


def big_win() -> View:
    """A royal flush."""
    mine = hand("b3.0", "As Ks Qs Js Ts", "royal_flush", best=(0, 1, 2, 3, 4), result="win")
    spots = (*_spots(1000, 2000, 0, (2000, 202_000)), spot("jackpot", 100, JACKPOT.minor))
    boxes = (BoxView(3, "settled", (mine,), spots, False, "win", RESULTS["win"], 4_422_350),)
    dealer = hand("d", "Ad Kc 8h 5d 3s", "ace_king", best=(0, 1))
    return table_view(
        "oasis_jackpot",
        "settled",
        boxes,
        dealer,
        buttons=(button("deal", 9, tone="primary", attention=True),),
        credit=4_547_150,
        win=4_422_350,
        bet=3100,
        lit="royal_flush",
        banner=HANDS["royal_flush"],
        tone="big_win",
    )


def russian_deciding() -> View:
    """Russian poker, six cards bought, two combinations shown."""
    mine = hand(
        "b3.0",
        "Ac Kd Qh Jc Ts 9s",
        best=(0, 1, 2, 3, 4, 5),
        active=True,
        caption=two_combinations("straight", "straight"),
    )
    spots = (spot("ante", 1000), spot("bet"), spot("buy_card", 1000))
    boxes = (BoxView(3, "active", (mine,), spots),)
    buttons = play_buttons(button("fold", 6, tone="negative"), button("raise", 9, price=2000, tone="positive"))
    return table_view(
        "russian", "deciding", boxes, hand("d", "8h ?? ?? ?? ??"), buttons=buttons, bet=2000, lit="straight"
    )


def russian_offer() -> View:
    """Russian poker: the dealer does not qualify, his game can be bought."""
    mine = hand("b3.0", "9c 9d 9h 9s Ks", best=(0, 1, 2, 3, 4), caption=HANDS["four_of_a_kind"], active=True)
    boxes = (BoxView(3, "active", (mine,), (spot("ante", 1000), spot("bet", 2000), spot("buy_dealer_card"))),)
    buttons = play_buttons(
        button("take_ante", 6, tone="positive"),
        button("buy_dealer_card", 8, price=1000, tone="primary", attention=True),
    )
    return table_view(
        "russian",
        "deciding",
        boxes,
        hand("d", "8h Qd Jc 6s 2d", "no_hand"),
        buttons=buttons,
        bet=3000,
        lit="four_of_a_kind",
        banner=Text("hand", "Dealer does not qualify"),
    )


def russian_draw() -> View:
    """Russian poker's first choice: bet, exchange, buy a card, fold."""
    mine = hand("b3.0", "Ac Ad Kh 8c 5s", best=(0, 1, 2), active=True, caption=two_combinations("pair", "ace_king"))
    boxes = (BoxView(3, "active", (mine,), (spot("ante", 1000), spot("bet"))),)
    buttons = play_buttons(
        button("fold", 6, tone="negative"),
        button("exchange", 7, enabled=False, reason=Text("notice", "Mark the cards to exchange first")),
        button("buy_card", 8, price=1000, tone="primary"),
        button("raise", 9, price=2000, tone="positive"),
        marks=5,
    )
    return table_view("russian", "deciding", boxes, hand("d", "8h ?? ?? ?? ??"), buttons=buttons, bet=1000, lit="pair")
