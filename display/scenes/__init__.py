"""From a view and a time to a frame: one pure function per mode, chosen by ``compose``.

A scene draws only what the view says and where ``motion`` is; it has no state of its own and knows no rules.
"""

from collections.abc import Callable
from typing import Final

from display.draw_list import DrawList
from display.motion import MotionState, still
from display.scenes.attract import attract
from display.scenes.lobby import lobby
from display.scenes.money_out import cash_out, handpay
from display.scenes.page import page
from display.scenes.starting import starting
from display.scenes.table import table
from display.scenes.tilt import tilt
from display.view_model import View
from display.widgets.controls import toast
from display.widgets.pen import Pen

_SCENES: Final[dict[str, Callable[[Pen], None]]] = {
    "starting": starting,
    "attract": attract,
    "lobby": lobby,
    "table": table,
    "cash_out": cash_out,
    "handpay": handpay,
    "tilt": tilt,
    "page": page,
}
MODES: Final = tuple(_SCENES)


def compose(view: View, motion: MotionState, now_ms: float) -> DrawList:
    """Return the frame of a view at a time.

    ``motion`` is ``motion.advance(earlier, view, ...)``; one made for another view is replaced by a still one, so that
    a saved view can be drawn alone.

    Raises:
        KeyError: the view's mode is unknown.
    """
    if motion.view is not view and motion.view != view:
        motion = still(view, now_ms)
    pen = Pen(view, motion, now_ms)
    _SCENES[view.mode](pen)
    if view.notice is not None:
        toast(pen, view.notice.text, view.notice.tone)
    return pen.frame()
