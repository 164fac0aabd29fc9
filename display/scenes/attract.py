"""The attract loop: the emblem, sample hands that come and go, the games and the jackpot, an invitation to play.

Everything is a function of the time since the scene began; between the short movements the picture rests.
"""

from typing import Final

from display import theme
from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import CARD_RATIO, centred
from display.motion.tracks import ease
from display.scenes.backdrop import felt
from display.view_model import LobbyTile, Text
from display.widgets import cards, controls
from display.widgets.pen import Pen

_SLIDE_MS: Final = 7000
_MOVE_MS: Final = 900
_CARD: Final = 184.0
_HANDS: Final = (
    ("Ts", "Js", "Qs", "Ks", "As"),
    ("Ah", "Ad", "Ac", "As", "7d"),
    ("Kh", "Kd", "Kc", "Qs", "Qh"),
    ("9d", "Td", "Jd", "Qd", "Kd"),
    ("Ad", "Jh", "5c", "5s", "Tc"),
)
_HAND_NAMES: Final = (
    Text("hand", "Royal flush"),
    Text("hand", "Four of a kind"),
    Text("hand", "Full house"),
    Text("hand", "Straight flush"),
    Text("hand", "Pair"),
)


def attract(pen: Pen) -> None:
    """Draw the attract screen."""
    view = pen.view
    felt(pen, "lobby")
    pen.static_ends_here()
    controls.top_bar(pen, "")
    pen.sprite("logo", centred(CANVAS_WIDTH / 2, 214, 780, 208))
    elapsed = pen.now_ms - pen.motion.scene_ms
    slide, into = divmod(elapsed, _SLIDE_MS)
    _sample_hand(pen, int(slide), into)
    if view.lobby:
        _game(pen, view.lobby[int(slide) % len(view.lobby)], into)
    _invitation(pen)
    controls.bottom_bar(pen)
    controls.meters(pen)
    controls.buttons(pen)


def _sample_hand(pen: Pen, slide: int, into_ms: float) -> None:
    codes = _HANDS[slide % len(_HANDS)]
    moving = into_ms < _MOVE_MS and not pen.view.comfort.reduced_motion
    if moving:
        pen.moves()
    else:
        pen.changes_at(pen.now_ms - into_ms + _SLIDE_MS)
    height = _CARD * CARD_RATIO
    pitch = _CARD + 12
    left = CANVAS_WIDTH / 2 - pitch * 2
    for index, code in enumerate(codes):
        centre_x = left + index * pitch
        lift = abs(index - 2) ** 2 * 7
        share = ease((into_ms - index * 90) / (_MOVE_MS - 4 * 90)) if moving else 1.0
        y = 486 + lift + (1 - share) * 520
        face = code if share > 0.55 else ""
        pen.sprite(cards.face_name(pen, face), centred(centre_x, y, _CARD, height))
    if not moving:
        caption = centred(CANVAS_WIDTH / 2, 690, 700, 58)
        controls.pill(
            pen, caption, _HAND_NAMES[slide % len(_HANDS)], theme.TITLE - 2, pen.colours.win, rim=pen.colours.gold
        )


def _game(pen: Pen, tile: LobbyTile, into_ms: float) -> None:
    jackpot = next((each.jackpot for each in pen.view.lobby if each.jackpot is not None), None)
    if into_ms < 0:
        return
    left = Box(96, 376, 330, 210)
    pen.card_panel(left)
    pen.text(
        Text("attract", "Our games"),
        Box(left.x + 20, left.y + 14, left.w - 40, 34),
        theme.SMALL,
        pen.colours.muted,
        weight="bold",
        align="c",
        upper=True,
    )
    pen.paragraph(
        tile.title,
        Box(left.x + 20, left.y + 52, left.w - 40, 92),
        theme.TITLE,
        pen.colours.gold,
        weight="bold",
        align="c",
        valign="m",
    )
    limits = (
        ("minimum", pen.writer.amount(tile.minimum_minor, short=True)),
        ("maximum", pen.writer.money(tile.maximum_minor, short=True)),
    )
    pen.text(
        Text("lobby", "Bets {minimum} – {maximum}", limits),
        Box(left.x + 16, left.y + 156, left.w - 32, 38),
        theme.SMALL,
        pen.colours.ink,
        align="c",
    )
    if jackpot is not None:
        right = Box(CANVAS_WIDTH - 96 - 330, 376, 330, 210)
        pen.glow(right.inset(10), spread=14, radius=16)
        pen.panel(right, (74, 16, 18), 16, fill_to=(28, 4, 6), border=pen.colours.gold, width=4)
        pen.text(
            Text("meter", "Jackpot"),
            Box(right.x + 20, right.y + 20, right.w - 40, 48),
            theme.TITLE,
            pen.colours.gold,
            weight="bold",
            align="c",
            upper=True,
        )
        pen.text(
            jackpot,
            Box(right.x + 18, right.y + 76, right.w - 36, 100),
            theme.HEADLINE,
            pen.colours.win,
            weight="bold",
            align="c",
            shadow=True,
        )


def _invitation(pen: Pen) -> None:
    view = pen.view
    words = (
        Text("attract", "Insert a note or coins to play")
        if view.accepts_money
        else Text("attract", "One moment, please")
        if view.takes_money_soon
        else Text("attract", "Please call an attendant")
    )
    lit = pen.blink()
    colour = pen.colours.gold if lit else (*pen.colours.gold[:3], 150)
    box = Box(CANVAS_WIDTH / 2 - 560, 776, 1120, 84)
    pen.panel(box, (4, 6, 12, 190), 42, border=colour, width=3)
    pen.text(
        words, box.inset(48, 8), theme.TITLE + 4, pen.colours.ink if lit else pen.colours.gold, weight="bold", align="c"
    )
