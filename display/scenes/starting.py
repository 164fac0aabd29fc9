"""The first picture: the program's name while it wakes. Drawn before anything is loaded, so it needs little."""

from display import theme
from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import centred
from display.scenes.backdrop import felt
from display.view_model import Text
from display.widgets.pen import Pen


def starting(pen: Pen) -> None:
    """Draw the start screen."""
    felt(pen, "lobby")
    pen.static_ends_here()
    pen.sprite("logo", centred(CANVAS_WIDTH / 2, 460, 900, 240))
    words = Text("start", "Starting")
    pen.text(words, Box(0, 640, CANVAS_WIDTH, 60), theme.TITLE, pen.colours.gold, align="c")
    if pen.view.watermark is not None:
        pen.text(
            pen.view.watermark,
            Box(0, 720, CANVAS_WIDTH, 44),
            theme.BODY,
            pen.colours.warning,
            weight="bold",
            align="c",
            upper=True,
        )
