"""Money that leaves: the cash-out under way, and the handpay that waits for an attendant."""

from typing import Final

from display import theme
from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import centred
from display.scenes.backdrop import felt
from display.view_model import Money, PayoutView, Text
from display.widgets import controls
from display.widgets.pen import Pen

_PLATE: Final = Box(CANVAS_WIDTH / 2 - 520, 200, 1040, 560)


def cash_out(pen: Pen) -> None:
    """Draw a cash-out: how much of it lies in the tray already."""
    _frame(pen, Text("cash_out", "Cash out"))
    payout = pen.view.payout
    if payout is not None and payout.kind == "done":
        _done(pen, payout)
    elif payout is not None and payout.kind == "handpay":
        _handpay_plate(pen, payout)
    elif payout is not None:
        _paying(pen, payout)
    _controls(pen)


def handpay(pen: Pen) -> None:
    """Draw a handpay: the amount an attendant has to pay, and what to do."""
    _frame(pen, Text("handpay", "Attendant pay"))
    if pen.view.payout is not None:
        _handpay_plate(pen, pen.view.payout)
    _controls(pen)


def _frame(pen: Pen, title: Text) -> None:
    felt(pen, "lobby")
    pen.static_ends_here()
    controls.top_bar(pen, title)
    controls.bottom_bar(pen)


def _controls(pen: Pen) -> None:
    controls.meters(pen)
    controls.buttons(pen)


def _plate(pen: Pen, icon: str, head: Text, amount: int) -> None:
    pen.glow(_PLATE.inset(16), (*pen.colours.glow[:3], 120), spread=16, radius=30)
    pen.panel(_PLATE, (28, 24, 22, 250), 30, fill_to=(8, 8, 10, 250), border=pen.colours.gold, width=4)
    pen.sprite(icon, centred(CANVAS_WIDTH / 2, _PLATE.y + 74, 92, 92))
    pen.text(
        head,
        Box(_PLATE.x + 50, _PLATE.y + 132, _PLATE.w - 100, 64),
        theme.HEADLINE - 8,
        pen.colours.gold,
        weight="bold",
        align="c",
    )
    pen.text(
        Money(amount),
        Box(_PLATE.x + 50, _PLATE.y + 204, _PLATE.w - 100, 130),
        116,
        pen.colours.ink,
        weight="bold",
        align="c",
        shadow=True,
    )


def _paying(pen: Pen, payout: PayoutView) -> None:
    _plate(pen, "icon:cash", Text("cash_out", "Paying out"), payout.total_minor)
    bar = Box(_PLATE.x + 90, _PLATE.y + 366, _PLATE.w - 180, 44)
    share = payout.paid_minor / payout.total_minor if payout.total_minor else 1.0
    pen.panel(bar, (0, 0, 0, 200), 22, border=pen.colours.panel_rim, width=2)
    if share > 0:
        pen.panel(
            Box(bar.x + 4, bar.y + 4, max((bar.w - 8) * share, 36), bar.h - 8),
            (120, 210, 130),
            18,
            fill_to=(40, 130, 70),
        )
    paid = Text("cash_out", "Paid {amount}", (("amount", Money(payout.paid_minor)),))
    rest = Text("cash_out", "To come {amount}", (("amount", Money(payout.rest_minor)),))
    pen.text(paid, Box(bar.x, bar.y + 58, bar.w / 2, 46), theme.STRONG, pen.colours.good, weight="bold")
    pen.text(rest, Box(bar.x + bar.w / 2, bar.y + 58, bar.w / 2, 46), theme.STRONG, pen.colours.muted, align="r")
    words = Text("cash_out", "Please take your coins from the tray")
    pen.text(words, Box(bar.x, bar.y + 118, bar.w, 44), theme.BODY, pen.colours.ink, align="c")


def _done(pen: Pen, payout: PayoutView) -> None:
    _plate(pen, "icon:check", Text("cash_out", "Paid out"), payout.paid_minor)
    lines = (Text("cash_out", "Please take your coins from the tray"), Text("cash_out", "Thank you for playing"))
    for number, words in enumerate(lines):
        pen.text(
            words,
            Box(_PLATE.x + 60, _PLATE.y + 370 + number * 66, _PLATE.w - 120, 56),
            theme.TITLE - 4,
            pen.colours.ink,
            align="c",
        )


def _handpay_plate(pen: Pen, payout: PayoutView) -> None:
    _plate(pen, "icon:attendant", Text("handpay", "Please call an attendant"), payout.rest_minor)
    if payout.paid_minor:
        paid = Text(
            "handpay",
            "{paid} of {total} has been paid in coins",
            (("paid", Money(payout.paid_minor)), ("total", Money(payout.total_minor))),
        )
        pen.text(paid, Box(_PLATE.x + 60, _PLATE.y + 362, _PLATE.w - 120, 46), theme.BODY, pen.colours.muted, align="c")
    words = Text(
        "handpay", "The attendant pays this amount by hand and turns the key. Your money is recorded and safe."
    )
    pen.paragraph(
        words,
        Box(_PLATE.x + 80, _PLATE.y + 416, _PLATE.w - 160, 110),
        theme.STRONG,
        pen.colours.ink,
        align="c",
        valign="m",
    )
