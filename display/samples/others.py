"""Sample views of the scenes around the tables: start, attract, lobby, cash-out, handpay, tilt, pages."""

from dataclasses import replace
from typing import Final

from display.samples.parts import NOON_MS, POKER_PAYS, button, common
from display.samples.poker import JACKPOT, WATERMARK
from display.samples.words import ACTIONS, BLURBS, GAMES, HANDS, LINES
from display.view_model import (
    ButtonView,
    CabinetButton,
    CabinetView,
    FaultView,
    LobbyTile,
    Money,
    Notice,
    PageRow,
    PageView,
    PayoutView,
    Text,
    View,
)

_FAMILIES: Final = {
    game: "blackjack" if "blackjack" in game else "baccarat" if game == "baccarat" else "poker" for game in GAMES
}
TILES: Final = tuple(
    LobbyTile(
        game,
        GAMES[game],
        BLURBS[game],
        _FAMILIES[game],
        500 if game == "baccarat" else 100,
        50_000 if game == "baccarat" else 10_000,
        JACKPOT if game == "oasis_jackpot" else None,
        selected=game == "oasis",
    )
    for game in GAMES
)


def _base(mode: str, **changes: object) -> View:
    view = View(mode=mode, language="en", wall_time_ms=NOON_MS, watermark=WATERMARK, terminal_id="T-042")
    return replace(view, **changes)  # type: ignore[arg-type]


_PAGE_BUTTONS: Final = (
    button("page_up", 1),
    button("page_down", 2),
    button("back", 9, tone="primary", attention=True),
    button("language", 10),
)


def starting() -> View:
    """The first picture."""
    return _base("starting")


def attract() -> View:
    """No credit, waiting for a player."""
    return _base("attract", lobby=TILES, buttons=(button("start", 9, tone="primary", attention=True), *common()))


def attract_moment() -> View:
    """The same while a note is on its way."""
    return replace(attract(), accepts_money=False, takes_money_soon=True)


def lobby() -> View:
    """All nine games."""
    buttons = (
        button("previous", 1),
        button("next", 2),
        button("open", 9, tone="primary", attention=True),
        *common(),
    )
    return _base("lobby", lobby=TILES, credit_minor=124_800, buttons=buttons)


def lobby_few() -> View:
    """Four games, money refused."""
    notice = Notice(Text("notice", "This note can't be taken now"), "warning")
    return _base(
        "lobby",
        lobby=TILES[:4],
        credit_minor=0,
        accepts_money=False,
        buttons=(
            button("language", 10),
            button("help", 11),
        ),
        notice=notice,
    )


def cash_out() -> View:
    """Coins fall."""
    return _base("cash_out", credit_minor=7200, payout=PayoutView(12_400, 5_200, 7_200, "hopper"))


def cash_out_done() -> View:
    """Everything paid."""
    return _base("cash_out", payout=PayoutView(12_400, 12_400, 0, "done"))


def handpay() -> View:
    """The hopper paid a part; the attendant pays the rest."""
    return _base(
        "handpay",
        credit_minor=4_419_250,
        payout=PayoutView(4_439_250, 20_000, 4_419_250, "handpay"),
        buttons=(button("language", 10),),
    )


def tilt() -> View:
    """Two faults."""
    faults = (
        FaultView(
            "H2",
            Text("fault", "Hopper jammed"),
            Text("fault remedy", "Clear the hopper, then turn the key"),
            NOON_MS - 312_000,
        ),
        FaultView("D1", Text("fault", "Main door open"), Text("fault remedy", "Close the main door"), NOON_MS - 61_000),
        FaultView(
            "B2",
            Text("fault", "Cash box full"),
            Text("fault remedy", "Empty the cash box"),
            NOON_MS - 7_200_000,
            blocks_play=False,
        ),
    )
    return _base("tilt", credit_minor=124_800, faults=faults, buttons=(button("language", 10),))


def cabinet(*, powered: bool = True) -> CabinetView:
    """The cabinet's panel in the middle of things."""
    names = (
        "chip",
        "spot",
        "bet",
        "undo",
        "clear",
        "rebet",
        "double_bets",
        "lobby",
        "deal",
        "language",
        "help",
        "cash_out",
    )
    lamps = {"deal": "blink", "bet": "on", "cash_out": "on", "chip": "on", "spot": "on", "language": "on", "help": "on"}
    return CabinetView(
        powered=powered,
        notes_minor=(500, 1000, 2000, 5000, 10_000),
        coins_minor=(10, 20, 50, 100, 200),
        buttons=tuple(
            CabinetButton(f"b{number}", ACTIONS[name], lamps.get(name, "off"), number)
            for number, name in enumerate(names, 1)
        ),
        doors=(("main", False), ("cash_box", True), ("logic", False)),
        keys=(("attendant", False), ("operator", True)),
        tower=(("white", "on"), ("red", "off")),
        note_state="escrow",
        coin_state="ready",
        hopper_state="paying",
        hopper_coin_count=187,
        hopper_coin_minor=100,
        cash_box_minor=23_500,
        cash_box_note_count=9,
        tray_minor=1300,
    )


def cabinet_jammed() -> CabinetView:
    """Everything is stuck."""
    return replace(cabinet(), note_state="jammed", coin_state="jammed", hopper_state="jammed", tray_minor=0)


def help_page() -> View:
    """The rules of Oasis with the paytable."""
    rows = (
        PageRow(Text("game blurb", "Exchange one or two cards, beat the dealer"), tone="heading"),
        PageRow(
            Text(
                "rules",
                "The dealer plays with Ace-King or better; else the ante pays 1 to 1 and the bet comes back",
            )
        ),
        PageRow(Text("rules", "Fold and lose the ante, or bet two antes to stay in")),
        PageRow(Text("help", "Paytable"), tone="heading"),
        *(PageRow(HANDS[name], pays) for name, pays in POKER_PAYS),
    )
    page = PageView(
        GAMES["oasis"],
        rows,
        path=(Text("help", "Rules"),),
        footer=Text("help", "Malfunction voids the round; stakes are returned"),
        page_count=3,
    )
    return _base("page", page=page, credit_minor=124_800, buttons=_PAGE_BUTTONS)


_TABS: Final = tuple(
    ButtonView(f"button:topic:{topic}", label, slot, tone="positive" if topic == "settings" else "neutral")
    for slot, (topic, label) in enumerate(
        (
            ("rules", Text("button", "Rules")),
            ("hands", Text("button", "Last hands")),
            ("settings", Text("button", "Settings")),
            ("session", Text("button", "Session")),
        ),
        5,
    )
)


def example_page() -> View:
    """A worked example: two hands as pictures, what was staked and paid."""
    rows = (
        PageRow(Text("example", "Your hand is higher"), tone="heading"),
        PageRow(HANDS["full_house"], cards=("Ks", "Kh", "Kd", "7c", "7s")),
        PageRow(HANDS["pair"], cards=("Ah", "As", "9d", "5c", "")),
        PageRow(LINES["ante"], Money(1_000), Money(2_000)),
        PageRow(LINES["bet"], Money(2_000), Money(16_000)),
        PageRow(Text("help", "Together"), Money(3_000), Money(18_000), tone="good"),
    )
    page = PageView(
        GAMES["oasis"],
        rows,
        path=(Text("help", "Rules"), Text("help", "Example {number}", (("number", 1),))),
        footer=Text("help", "Malfunction voids the round; stakes are returned"),
        columns=(Text("help", "Line"), Text("help", "Staked"), Text("help", "You receive")),
        page_number=4,
        page_count=6,
    )
    return _base("page", page=page, credit_minor=124_800, buttons=(*_PAGE_BUTTONS, *_TABS))


def settings_page() -> View:
    """What a player may set."""
    names: tuple[tuple[Text, Text | str], ...] = (
        (Text("settings", "Language"), "English"),
        (Text("settings", "Volume"), Text("settings", "{step} of 4", (("step", 3),))),
        (Text("settings", "Dealing"), Text("settings", "normal")),
        (Text("settings", "Large letters"), Text("settings", "off")),
        (Text("settings", "High contrast"), Text("settings", "off")),
        (Text("settings", "Four-colour deck"), Text("settings", "on")),
        (Text("settings", "Little motion"), Text("settings", "off")),
        (Text("settings", "Left-handed"), Text("settings", "off")),
        (Text("settings", "Card backs"), Text("settings", "blue")),
    )
    rows = tuple(
        PageRow(label, value, target=f"page:row:{number}", selected=number == 1)
        for number, (label, value) in enumerate(names)
    )
    page = PageView(
        Text("settings", "Settings"),
        rows,
        path=(Text("settings", "For you alone; the next player finds them as they were"),),
        footer=Text("settings", "Touch a row to change it, or choose with the buttons"),
    )
    select = ButtonView("button:select", Text("button", "Change"), 3)
    return _base("page", page=page, credit_minor=124_800, buttons=(*_PAGE_BUTTONS, select, *_TABS))


def reality_check() -> View:
    """The player is asked whether he wants to go on."""
    rows = (
        PageRow(Text("session", "You have been playing for a while. Do you want to go on?"), tone="heading"),
        PageRow(
            Text("session", "Time played"), Text("session", "{hours} h {minutes} min", (("hours", 1), ("minutes", 30)))
        ),
        PageRow(Text("session", "Rounds"), "112"),
        PageRow(Text("session", "Result"), Money(-4_250)),
    )
    page = PageView(Text("session", "A short break"), rows, footer=Text("session", "Play for as long as it is fun"))
    proceed = ButtonView("button:proceed", Text("button", "Play on"), 9, attention=True, tone="positive")
    return _base("page", page=page, credit_minor=124_800, buttons=(proceed, *common()))


def menu_page() -> View:
    """The operator's menu."""
    labels = (
        Text("menu", "Status"),
        Text("menu", "Current lock-up"),
        Text("menu", "Meters"),
        Text("menu", "Recall"),
        Text("menu", "Diagnostics"),
        Text("menu", "Settings"),
        Text("menu", "Utilities"),
    )
    rows = tuple(
        PageRow(label, "›", target=f"page:{number}", selected=number == 2) for number, label in enumerate(labels)
    )
    page = PageView(
        Text("menu", "Operator menu"),
        rows,
        path=(Text("menu", "Operator menu"),),
        footer=Text("menu", "Up and down move, select opens, back leaves"),
    )
    buttons = (
        button("page_up", 1),
        button("page_down", 2),
        button("back", 8),
        ButtonView("button:select", Text("button", "Choose"), 9, attention=True, tone="primary"),
        button("language", 10),
    )
    return _base("page", page=page, buttons=buttons)


def meters_page() -> View:
    """A page with columns and amounts."""
    names = (
        (Text("meters", "Coin in"), 1_284_500, 62_300),
        (Text("meters", "Coin out"), 1_201_900, 58_850),
        (Text("meters", "Notes in"), 940_000, 45_000),
        (Text("meters", "Coins in"), 121_400, 8_700),
        (Text("meters", "Attendant pay"), 420_000, 0),
        (Text("meters", "Coins paid out"), 508_200, 31_650),
    )
    rows = (
        *(PageRow(label, Money(master), Money(period)) for label, master, period in names),
        PageRow(Text("meters", "Self-audit"), Text("meters", "balances"), tone="good"),
        PageRow(Text("meters", "Cash box almost full"), tone="warning"),
    )
    page = PageView(
        Text("meters", "Master meters"),
        rows,
        path=(Text("menu", "Operator menu"), Text("menu", "Meters"), Text("meters", "Master meters")),
        columns=(Text("meters", "Meter"), Text("meters", "Master"), Text("meters", "Period")),
        page_number=1,
        page_count=2,
    )
    return _base("page", page=page, buttons=_PAGE_BUTTONS)
