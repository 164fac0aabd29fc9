"""What the screen is told: one immutable view, free of rules, pixels and languages; and what the player did.

The firmware's presenter fills a ``View``; scenes turn it into a draw list. A view can be saved and drawn again later,
so everything that is on the screen, except the passing of time, stands here. Amounts are integer minor units.
Not responsible for layout, for translating (``display.locale``) or for deciding what is allowed.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Money:
    """An amount to be written in the player's language and the cabinet's currency."""

    minor: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be looked up in the catalogue: gettext context, English message, named arguments ``{name}``.

    With ``plural`` the catalogue chooses the form by ``count`` (which is also available as ``{count}``).
    """

    context: str
    message: str
    args: tuple[tuple[str, "str | int | Money | Text"], ...] = ()
    plural: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class CardView:
    """A card on the table. ``code`` is ``Qs`` or empty for a face-down card.

    ``key`` names the place (``b1.0.3``: box 1, hand 0, slot 3; ``d.0``: dealer) and lets motion follow the card:
    a card that appears flies from the shoe, one that changes from face down to a face turns over.
    """

    key: str
    code: str
    selected: bool = False
    best: bool = False
    dead: bool = False


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand: its cards, what the player holds (``caption``), a running total, its result word when decided."""

    key: str
    cards: tuple[CardView, ...]
    caption: Text | None = None
    total: str = ""
    active: bool = False
    result: str = ""
    """``win``, ``lose``, ``push``, ``fold``, ``bust``, ``blackjack``, ``no_qualify``, ``surrender`` or empty."""
    result_text: Text | None = None


@dataclass(frozen=True, slots=True)
class SpotView:
    """A betting line of a box: printed label, money lying there, what it paid (None before settlement)."""

    line: str
    label: Text
    staked_minor: int
    paid_minor: int | None = None
    minimum_minor: int = 0
    maximum_minor: int = 0
    selected: bool = False
    """The spot on which the physical Bet button puts the selected chip."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """A position on the table. ``state``: ``closed`` (can't be bought now), ``open`` (can), ``bet`` (stake lies there
    before the deal), ``waiting``, ``active``, ``done``, ``blind``, ``folded``, ``settled``."""

    position: int
    state: str
    hands: tuple[HandView, ...] = ()
    spots: tuple[SpotView, ...] = ()
    blind: bool = False
    result: str = ""
    result_text: Text | None = None
    won_minor: int = 0


@dataclass(frozen=True, slots=True)
class PaytableLine:
    """A printed row of the paytable: label, odds as text (``100 : 1``) or an amount, lit when it was hit."""

    label: Text
    pays: str
    amount: Money | None = None
    lit: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A card table. ``phase``: ``betting``, ``dealing``, ``deciding``, ``settled``."""

    game: str
    title: Text
    family: str
    """``poker``, ``baccarat`` or ``blackjack``."""
    phase: str
    round_number: int
    boxes: tuple[BoxView, ...]
    dealer: HandView
    player: HandView | None = None
    """Baccarat's player hand; the dealer hand is then the banker's."""
    felt_lines: tuple[Text, ...] = ()
    paytable: tuple[PaytableLine, ...] = ()
    minimum_minor: int = 0
    maximum_minor: int = 0
    banner: Text | None = None
    banner_tone: str = "info"
    """``info``, ``win``, ``big_win``, ``lose``."""
    jackpot: Money | None = None
    roads: tuple[str, ...] = ()
    """Baccarat: past results, oldest first: ``B``, ``P``, ``T``."""
    shoe_left_count: int | None = None
    commitment: str = ""
    """Digest of the shoe's order, fixed before the bets; empty when there is none."""
    coach: tuple[Text, ...] = ()
    """What the coach says: at most two lines."""
    demo: bool = False
    recall: bool = False


@dataclass(frozen=True, slots=True)
class ButtonView:
    """An action now: the on-screen button and the physical button with its lamp say the same.

    ``id`` is the target that comes back when it is pressed (``button:deal``); ``slot`` 1-12 is the physical button,
    0 for none; ``price_minor`` stands on the button before it is pressed; ``reason`` says why it is disabled.
    ``tone``: ``primary``, ``positive``, ``negative``, ``neutral``.
    """

    id: str
    label: Text
    slot: int = 0
    price_minor: int | None = None
    enabled: bool = True
    attention: bool = False
    tone: str = "neutral"
    reason: Text | None = None
    worth: Text | None = None
    """What the coach says this is worth; ``best``: nothing else is worth more."""
    best: bool = False


@dataclass(frozen=True, slots=True)
class ChipView:
    """A chip of the tray. Target ``chip:<value_minor>``."""

    value_minor: int
    selected: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class LobbyTile:
    """A game in the lobby. Target ``lobby:<game>``."""

    game: str
    title: Text
    blurb: Text
    family: str
    minimum_minor: int
    maximum_minor: int
    jackpot: Money | None = None
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A short message on top of the scene. ``tone``: ``info``, ``warning``, ``error``.

    ``number`` differs when the same message is given again, so that it moves again.
    """

    text: Text
    tone: str = "info"
    number: int = 0


@dataclass(frozen=True, slots=True)
class FaultView:
    """A fault that is up: its code, what it tells the attendant and how to end it, since when, and what it tells the
    player (None: to call an attendant)."""

    code: str
    title: Text
    remedy: Text
    since_ms: int
    blocks_play: bool = True
    player: Text | None = None


@dataclass(frozen=True, slots=True)
class PayoutView:
    """A cash-out under way or a handpay that waits for the attendant."""

    total_minor: int
    paid_minor: int
    rest_minor: int
    kind: str
    """``hopper``, ``handpay``, ``done``."""


@dataclass(frozen=True, slots=True)
class MoneyFormat:
    """How amounts are written: digits after the point, symbol, and where the symbol stands."""

    minor_digits: int = 2
    symbol: str = "€"
    symbol_first: bool = False


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row of a page: label, value, whether the cursor is on it, and a target if it can be chosen.

    ``cards`` are shown as pictures after the label (``Qs``; empty: a back).
    """

    label: Text
    value: "Text | Money | str" = ""
    second: "Text | Money | str" = ""
    target: str = ""
    selected: bool = False
    tone: str = ""
    """Empty, ``heading``, ``warning``, ``error``, ``good``."""
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PadKey:
    """A key of a pad of digits beside the rows of a page."""

    label: "Text | str"
    target: str
    selected: bool = False


@dataclass(frozen=True, slots=True)
class GraphLine:
    """A line of a graph: its name and one value for each label of the graph, None where there is none.

    ``tone``: empty for the figure itself, ``good`` for what it should be, ``muted`` for the edges of a band.
    """

    label: Text
    points: tuple[int | None, ...]
    tone: str = ""


@dataclass(frozen=True, slots=True)
class GraphView:
    """A graph: lines over the labels of the x axis. ``unit`` is ``minor`` for money, ``permille`` or ``count``."""

    labels: tuple[str, ...]
    lines: tuple[GraphLine, ...]
    unit: str = "minor"


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of text and rows: help, rules, history, the operator's menu. Works by touch and by four buttons."""

    title: Text
    rows: tuple[PageRow, ...]
    path: tuple[Text, ...] = ()
    footer: Text | None = None
    columns: tuple[Text, ...] = ()
    page_number: int = 1
    page_count: int = 1
    pad: tuple[PadKey, ...] = ()
    graph: GraphView | None = None
    qr: tuple[str, ...] = ()
    """A QR code, row by row: ``1`` is dark. ``qr_caption`` says what it holds."""
    qr_caption: Text | None = None
    pattern: str = ""
    """A picture for testing the screen in place of the page: ``red``, ``green``, ``blue``, ``white``, ``black``,
    ``grid``, ``ramp``, ``touch`` with targets ``touch:<column>.<row>``, or ``cross:<x>.<y>`` with a cross at that place of
    the picture; the whole screen is then its target, and a touch gives ``touch:cross:`` with where the panel says it was
    and where the cross is, in millionths of the panel's sides."""
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comfort:
    """The player's and operator's choices about how things are shown."""

    big_text: bool = False
    high_contrast: bool = False
    four_colour: bool = False
    reduced_motion: bool = False
    left_handed: bool = False
    deal_speed: str = "normal"
    """``slow``, ``normal``, ``fast``, ``instant``."""
    deal_card_ms: int = 220
    """Time that one card takes at the speed ``normal``: the house's pace."""
    volume: int = 3
    """0 (mute) to 4."""
    back_design: str = "blue"
    credit_value_minor: int = 0
    """What one credit is worth where meters may count in credits; 0 where they show money only."""
    in_credits: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Everything that is on the player's screen. ``mode`` picks the scene: ``attract``, ``lobby``, ``table``,
    ``cash_out``, ``handpay``, ``tilt``, ``page``, ``starting``."""

    mode: str
    language: str
    wall_time_ms: int
    """The cabinet's wall clock: milliseconds since 1970-01-01 00:00 by that clock, so that no time zone is needed."""
    money: MoneyFormat = MoneyFormat()
    credit_minor: int = 0
    bet_minor: int = 0
    win_minor: int = 0
    is_money_known: bool = True
    """False: the memory can't be read, so no amount is shown."""
    buttons: tuple[ButtonView, ...] = ()
    chips: tuple[ChipView, ...] = ()
    table: TableView | None = None
    lobby: tuple[LobbyTile, ...] = ()
    page: PageView | None = None
    payout: PayoutView | None = None
    faults: tuple[FaultView, ...] = ()
    notice: Notice | None = None
    watermark: Text | None = None
    venue: str = ""
    terminal_id: str = ""
    accepts_money: bool = True
    takes_money_soon: bool = False
    """Money is refused only for the moment, so nobody need be called."""
    sounds: tuple[tuple[int, str], ...] = ()
    """Sounds asked for: (running number, name); the window plays those whose number it has not played yet."""
    comfort: Comfort = field(default_factory=Comfort)
    touch_ppm: tuple[int, ...] = ()
    """How a touch is put where the finger is: the six numbers of ``display.pointer.Calibration`` in millionths; empty: as
    the panel says."""


# --- The simulator's cabinet panel -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CabinetButton:
    """A physical button of the simulated cabinet. Target ``cabinet:press:<id>``; ``lamp``: off, on, blink."""

    id: str
    label: Text | None
    lamp: str = "off"
    slot: int = 0


@dataclass(frozen=True, slots=True)
class CabinetView:
    """The simulated hardware as a person in front of the cabinet sees it.

    Targets: ``cabinet:note:<minor>``, ``cabinet:coin:<minor>``, ``cabinet:press:<button>``,
    ``cabinet:door:<name>``, ``cabinet:key:<name>``, ``cabinet:plug``, ``cabinet:refill``, ``cabinet:tray`` (take the
    coins), ``cabinet:jam:<device>`` (``notes``, ``coins``, ``hopper``; jams it, or frees it when it is jammed).
    """

    powered: bool
    notes_minor: tuple[int, ...]
    coins_minor: tuple[int, ...]
    buttons: tuple[CabinetButton, ...]
    doors: tuple[tuple[str, bool], ...]
    """(name, is open)."""
    keys: tuple[tuple[str, bool], ...]
    """(name, is turned)."""
    tower: tuple[tuple[str, str], ...]
    """(colour, lamp)."""
    note_state: str
    """``disabled``, ``ready``, ``accepting``, ``escrow``, ``stacking``, ``returning``, ``jammed``."""
    coin_state: str
    hopper_state: str
    hopper_coin_count: int
    hopper_coin_minor: int
    cash_box_minor: int
    cash_box_note_count: int
    tray_minor: int
    """Coins lying in the pay-out tray: what the cabinet has physically paid."""


# --- What the player did -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gesture:
    """An input that is free of pixels: ``kind`` is ``tap``, ``long_press`` or ``drag`` (from ``target`` to ``onto``)."""

    target: str
    kind: str = "tap"
    onto: str = ""
