"""The circuits between the header and a cabinet's parts, one drawing each. Pure.

Values are those of systemd/wiring.md. Not responsible for which circuit a pin needs (``header``).
"""

from collections.abc import Callable
from typing import Final

from firmware.settings.sections import Settings
from firmware.wiring_guide.header import serial_devices
from firmware.wiring_guide.svg import FAINT, PAPER, Sheet

_RED: Final = "#cf2f2f"


def button() -> str:
    """A button or key: the pin is pulled up inside the Pi and closed to ground."""
    sheet = Sheet(490, 190, "Button or key switch")
    sheet.text(20, 24, "Button, key switch", size=15, bold=True)
    _input(sheet, "GPIO", closed=False)
    sheet.text(330, 100, "closed while pressed", size=12)
    sheet.text(330, 116, "or turned", size=12)
    return sheet.svg()


def door() -> str:
    """A door switch: closed while the door is closed, so that a cut wire reads as an open door."""
    sheet = Sheet(490, 190, "Door switch")
    sheet.text(20, 24, "Door switch", size=15, bold=True)
    _input(sheet, "GPIO", closed=True)
    sheet.text(330, 92, "closed while the", size=12)
    sheet.text(330, 108, "door is closed:", size=12)
    sheet.text(330, 124, "a cut wire = open", size=12)
    return sheet.svg()


def _input(sheet: Sheet, pin: str, *, closed: bool) -> None:
    sheet.pi(20, 50, 110, pin)
    sheet.wire((112, 105), (300, 105))
    sheet.resistor(180, 105, "1 kΩ")
    sheet.text(180, 128, "protects the pin", size=10, anchor="middle", colour=FAINT)
    sheet.wire((300, 105), (300, 106))
    sheet.switch(300, 123, closed=closed)
    sheet.ground(300, 140)
    sheet.text(40, 176, "pulled up inside the Pi; twist the wire with its ground", size=10, colour=FAINT)


def driver() -> str:
    """A lamp, tower light, meter, relay or motor behind a MOSFET."""
    sheet = Sheet(560, 300, "Driver of a lamp, meter or coil")
    sheet.text(20, 24, "Lamp, tower light, meter, relay, motor", size=15, bold=True)
    sheet.pi(20, 130, 90, "GPIO")
    sheet.wire((112, 180), (300, 180))
    sheet.resistor(170, 180, "1 kΩ")
    sheet.dot(230, 180)
    sheet.wire((230, 180), (230, 240))
    sheet.resistor(230, 216, "10 kΩ", upright=True)
    sheet.ground(230, 240)
    # An n-channel MOSFET: gate on the left, drain above, source below.
    sheet.circle(316, 180, 26, fill=PAPER)
    sheet.wire((300, 164), (300, 196))
    sheet.wire((308, 164), (308, 196))
    sheet.wire((308, 170), (330, 170), (330, 120))
    sheet.wire((308, 190), (330, 190), (330, 240))
    sheet.text(350, 186, "logic-level", size=11, colour=FAINT)
    sheet.text(350, 200, "n-MOSFET", size=11, colour=FAINT)
    sheet.ground(330, 240, "ground of the 12 V")
    sheet.dot(330, 120)
    sheet.wire((330, 120), (330, 56))
    sheet.box(308, 76, 44, 28, fill=PAPER)
    sheet.text(330, 95, "load", size=12, anchor="middle")
    sheet.wire((330, 120), (420, 120), (420, 60), (330, 60))
    sheet.diode(420, 90, up=True)
    sheet.text(438, 86, "1N4007, for", size=12)
    sheet.text(438, 102, "coils and motors", size=12)
    sheet.dot(330, 60)
    sheet.supply(330, 56, "12 V, fused")
    sheet.text(
        20,
        290,
        "10 kΩ keeps it off while the Pi starts. Use GPIO 9 to 27: pins 0 to 8 are pulled up then.",
        size=10,
        colour=FAINT,
    )
    return sheet.svg()


def pulse() -> str:
    """A pulse output (open collector, 12 V) through an optocoupler."""
    sheet = Sheet(660, 280, "Pulse input through an optocoupler")
    sheet.text(20, 24, "Pulses of a coin or note acceptor", size=15, bold=True)
    sheet.pi(20, 90, 110, "GPIO")
    sheet.wire((112, 145), (226, 145), (226, 120), (250, 120))
    sheet.text(130, 138, "pulled up to 3.3 V", size=10, colour=FAINT)
    sheet.box(250, 84, 130, 100, fill="#f3f5f7")
    sheet.text(315, 78, "PC817", size=12, anchor="middle", bold=True)
    # The transistor's side: collector above, emitter below.
    sheet.wire((274, 112), (274, 156))
    sheet.wire((250, 120), (262, 120), (274, 128))
    sheet.wire((274, 142), (262, 152), (250, 158))
    sheet.area(((261, 153), (271, 150), (265, 142)))
    sheet.wire((250, 158), (226, 158), (226, 196))
    sheet.ground(226, 196, "ground of the Pi")
    # The diode's side: anode above.
    sheet.wire((380, 104), (346, 104), (346, 166), (380, 166))
    sheet.diode(346, 135, up=False)
    for y in (126, 138):
        sheet.wire((330, y), (304, y), width=1.5)
        sheet.area(((300, y), (308, y - 4), (308, y + 4)))
    sheet.wire((380, 104), (520, 104), (520, 76))
    sheet.resistor(440, 104, "2.2 kΩ")
    sheet.supply(520, 76, "12 V of the acceptor")
    sheet.wire((380, 166), (540, 166))
    sheet.box(540, 146, 100, 60, fill="#fdf3e3")
    sheet.text(590, 172, "COIN", size=12, anchor="middle", bold=True)
    sheet.text(590, 190, "open collector", size=10, anchor="middle", colour=FAINT)
    sheet.ground(590, 206, "ground of the 12 V")
    sheet.text(
        20,
        268,
        "The optocoupler keeps the acceptor's noise out of the Pi; for it the two grounds need not be joined.",
        size=10,
        colour=FAINT,
    )
    return sheet.svg()


def cctalk(settings: Settings) -> str:
    """The one wire of ccTalk: the adapter, and the devices of these settings with their addresses."""
    found = [(name, rest) for name, protocol, _, rest in serial_devices(settings) if protocol == "cctalk"]
    sheet = Sheet(760, 400, "ccTalk on one wire")
    sheet.text(20, 24, "ccTalk: one wire for all", size=15, bold=True)
    sheet.box(20, 60, 300, 270, fill="#f3f5f7")
    sheet.text(36, 82, "Adapter: USB, or at the board's UART", size=12, bold=True)
    sheet.text(34, 176, "TXD", size=12, bold=True)
    sheet.wire((66, 172), (110, 172))
    sheet.area(((110, 156), (110, 188), (140, 172)), fill="#c9d4e0")
    sheet.text(108, 148, "open drain,", size=10, colour=FAINT)
    sheet.text(108, 206, "74LVC1G07", size=11)
    sheet.wire((140, 172), (290, 172))
    sheet.dot(200, 172)
    sheet.wire((200, 172), (200, 118))
    sheet.resistor(200, 142, "10 kΩ", upright=True)
    sheet.supply(200, 118, "5 V")
    sheet.dot(262, 172)
    sheet.wire((262, 172), (262, 252))
    sheet.resistor(262, 206, "", upright=True)
    sheet.text(250, 210, "10 kΩ", size=12, anchor="end")
    sheet.dot(262, 240)
    sheet.wire((262, 240), (262, 300))
    sheet.resistor(262, 272, "", upright=True)
    sheet.text(250, 284, "18 kΩ", size=12, anchor="end")
    sheet.ground(262, 296)
    sheet.wire((262, 240), (66, 240))
    sheet.text(34, 244, "RXD", size=12, bold=True)
    sheet.text(72, 258, "3.2 V at the most", size=10, colour=FAINT)
    sheet.wire((290, 172), (740, 172), width=3, colour="#2f6fb3")
    sheet.text(330, 164, "DATA, 5 V", size=12, colour="#2f6fb3", bold=True)
    sheet.wire((350, 120), (740, 120), width=3, colour=_RED)
    sheet.text(356, 112, "supply 12 V or 24 V, a fuse for each", size=12, colour=_RED, bold=True)
    sheet.wire((290, 330), (740, 330), width=3)
    sheet.wire((290, 330), (290, 316))
    sheet.text(740, 350, "ground", size=12, anchor="end", bold=True)
    for number, (name, address) in enumerate(found):
        x = 360 + number * 130
        sheet.box(x, 210, 112, 66, fill="#fdf3e3")
        sheet.text(x + 56, 240, name, size=12, anchor="middle", bold=True)
        sheet.text(x + 56, 260, address, size=11, anchor="middle", colour=FAINT)
        sheet.dot(x + 40, 172)
        sheet.wire((x + 40, 172), (x + 40, 210), colour="#2f6fb3")
        sheet.dot(x + 80, 120)
        sheet.wire((x + 80, 120), (x + 80, 164), colour=_RED)
        sheet.wire((x + 80, 180), (x + 80, 210), colour=_RED)
        sheet.dot(x + 56, 330)
        sheet.wire((x + 56, 276), (x + 56, 330))
    sheet.text(
        20,
        380,
        "The adapter hears its own bytes; two devices with one address are both not understood.",
        size=10,
        colour=FAINT,
    )
    return sheet.svg()


def power() -> str:
    """Supplies, fuses and the one point of ground."""
    sheet = Sheet(760, 360, "Power and ground")
    sheet.text(20, 24, "Power: two supplies, one point of ground", size=15, bold=True)
    sheet.box(20, 130, 96, 80, fill="#fbeaea", stroke=_RED)
    sheet.text(68, 164, "mains", size=13, anchor="middle", bold=True)
    sheet.text(68, 182, "electrician's", size=10, anchor="middle", colour=FAINT)
    sheet.text(68, 196, "work", size=10, anchor="middle", colour=FAINT)
    sheet.wire((116, 150), (150, 150), (150, 86), (180, 86), colour=_RED)
    sheet.wire((116, 190), (150, 190), (150, 236), (180, 236), colour=_RED)
    sheet.box(180, 56, 120, 60)
    sheet.text(240, 82, "5 V supply", size=13, anchor="middle", bold=True)
    sheet.text(240, 100, "3 A, Pi 5: 5 A", size=11, anchor="middle", colour=FAINT)
    sheet.box(180, 206, 120, 60)
    sheet.text(240, 232, "12 V or 24 V", size=13, anchor="middle", bold=True)
    sheet.text(240, 250, "by the plates", size=11, anchor="middle", colour=FAINT)
    sheet.wire((300, 76), (560, 76), colour=_RED)
    sheet.box(560, 56, 180, 60, fill="#e9f4ec", stroke="#2e8b57")
    sheet.text(650, 92, "Raspberry Pi", size=13, anchor="middle", bold=True)
    for number, words in enumerate(("acceptors: 1 A each", "hopper: several A at its start", "lamps, tower, meters")):
        y = 170 + number * 44
        sheet.wire((300, 226), (350, 226), (350, y), (380, y), colour=_RED)
        sheet.box(380, y - 10, 50, 20, fill=PAPER, radius=8)
        sheet.text(405, y + 4, "fuse", size=11, anchor="middle")
        sheet.wire((430, y), (520, y), colour=_RED)
        sheet.box(520, y - 16, 220, 32, fill="#fdf3e3")
        sheet.text(630, y + 4, words, size=12, anchor="middle")
    sheet.wire((240, 116), (240, 146), (320, 146), (320, 310), width=3)
    sheet.wire((240, 266), (240, 310), width=3)
    sheet.wire((200, 310), (480, 310), width=3)
    sheet.dot(240, 310)
    sheet.dot(320, 310)
    sheet.ground(320, 310)
    sheet.text(344, 330, "one terminal block: here the grounds of both", size=11)
    sheet.text(344, 346, "supplies meet, and nowhere else", size=11)
    return sheet.svg()


def circuit_drawings(awp: Settings) -> dict[str, str]:
    """Return all drawings by name; ``awp`` is the cabinet whose ccTalk devices are drawn."""
    plain: dict[str, Callable[[], str]] = {
        "button": button,
        "door": door,
        "driver": driver,
        "pulse": pulse,
        "power": power,
    }
    return {name: draw() for name, draw in plain.items()} | {"cctalk": cctalk(awp)}
