"""The drawing of a cabinet's header: every pin, what hangs on it, and the devices on serial lines. Pure."""

from typing import Final

from firmware.settings.sections import Settings
from firmware.wiring_guide.header import PIN_COUNT, POWER, Signal, serial_devices, signals_of
from firmware.wiring_guide.svg import FAINT, INK, Sheet

_WIDTH: Final = 900
_TOP: Final = 78
_ROW: Final = 30
_PIN: Final = 22
_LEFT: Final = 424
_RIGHT: Final = 454
_UNUSED: Final = "#dfe4ea"
_SUPPLY: Final = {"3.3 V": "#e8862a", "5 V": "#cf2f2f", "ground": "#22272e"}


def header_drawing(settings: Settings, title: str) -> str:
    """Return the drawing (SVG) for a cabinet."""
    signals = {signal.place: signal for signal in signals_of(settings)}
    lines = list(serial_devices(settings))
    height = _TOP + _ROW * PIN_COUNT // 2 + 40 + (30 + 22 * len(lines) if lines else 0)
    sheet = Sheet(_WIDTH, height, f"Header of {title}")
    sheet.text(_WIDTH // 2, 30, title, size=18, anchor="middle", bold=True)
    sheet.text(
        _WIDTH // 2, 52, "seen from above, USB sockets below; pins bear 3.3 V", size=12, anchor="middle", colour=FAINT
    )
    sheet.box(_LEFT - 18, _TOP - 12, _RIGHT - _LEFT + 36, _ROW * PIN_COUNT // 2 + 10, fill="#f3f5f7", stroke=FAINT)
    for place in range(1, PIN_COUNT + 1):
        _pin(sheet, place, signals.get(place))
    y = _TOP + _ROW * PIN_COUNT // 2 + 34
    if lines:
        sheet.text(30, y, "Serial lines, over USB adapters or the board's own UART", size=14, bold=True)
        for name, protocol, port, rest in lines:
            y += 22
            sheet.text(44, y, name)
            sheet.text(180, y, f"{protocol}{', ' + rest if rest else ''}")
            sheet.text(380, y, port, colour=FAINT)
    return sheet.svg()


def _pin(sheet: Sheet, place: int, signal: Signal | None) -> None:
    is_left = place % 2 == 1
    x, y = (_LEFT if is_left else _RIGHT), _TOP + _ROW * ((place - 1) // 2)
    supply = POWER.get(place)
    colour = signal.kind.colour if signal else _SUPPLY[supply] if supply else _UNUSED
    sheet.box(
        x - _PIN // 2,
        y - _PIN // 2 + 4,
        _PIN,
        _PIN,
        fill=colour,
        stroke=INK if signal or supply else "#b8c0c9",
        radius=3,
    )
    sheet.text(x, y + 8, str(place), size=11, anchor="middle", colour="#ffffff" if signal or supply else FAINT)
    edge, end = (x - 34, x - 18) if is_left else (x + 34, x + 18)
    anchor = "end" if is_left else "start"
    beside = edge - 4 if is_left else edge + 4
    if signal is not None:
        sheet.wire((edge, y + 4), (end, y + 4), colour=colour, width=3)
        words = f"{signal.name}  GPIO{signal.bcm}" if not is_left else f"GPIO{signal.bcm}  {signal.name}"
        sheet.text(beside, y + 2, words, anchor=anchor, bold=True)
        sheet.text(beside, y + 15, signal.kind.words, size=10, anchor=anchor, colour=FAINT)
    elif supply is not None:
        sheet.text(beside, y + 8, supply, size=11, anchor=anchor, colour=FAINT)
