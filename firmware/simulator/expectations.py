"""What a script can expect: readings of the terminal, its books and the simulated hardware, each as a short text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from display.view_model import BoxView, HandView
from firmware.simulator.cabinet import ImpossibleActionError, SimulatedCabinet


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading: how it is written, how many arguments come before the value, and the function."""

    usage: str
    help: str
    arguments: int
    read: Callable[[SimulatedCabinet, tuple[str, ...]], str]


def _box(cabinet: SimulatedCabinet, position: str) -> BoxView:
    table = cabinet.view.table
    for box in table.boxes if table is not None else ():
        if str(box.position) == position:
            return box
    raise ImpossibleActionError(f"there is no box {position} on the screen")


def _cards(cabinet: SimulatedCabinet, arguments: tuple[str, ...]) -> str:
    table = cabinet.view.table
    if table is None:
        return ""
    if arguments[0] == "dealer":
        hands: tuple[HandView, ...] = (table.dealer,)
    elif arguments[0] == "player" and table.player is not None:
        hands = (table.player,)
    else:
        hands = _box(cabinet, arguments[0]).hands
    return " / ".join(" ".join(card.code or "??" for card in hand.cards) for hand in hands)


def _enabled(cabinet: SimulatedCabinet, _: tuple[str, ...]) -> str:
    names = (button.id.removeprefix("button:") for button in cabinet.view.buttons if button.enabled)
    return " ".join(name for name in names if not name.startswith("mark:"))


def _notice(cabinet: SimulatedCabinet, _: tuple[str, ...]) -> str:
    notice = cabinet.view.notice
    return notice.text.message if notice is not None else ""


def _phase(cabinet: SimulatedCabinet, _: tuple[str, ...]) -> str:
    table = cabinet.view.table
    return table.phase if table is not None else ""


def _handpay(cabinet: SimulatedCabinet, _: tuple[str, ...]) -> str:
    return str(cabinet.terminal.state.recorded.books.handpay_minor)


def _faults(cabinet: SimulatedCabinet, _: tuple[str, ...]) -> str:
    return " ".join(fault.code for fault in cabinet.view.faults) or "none"


def _lamp(cabinet: SimulatedCabinet, arguments: tuple[str, ...]) -> str:
    return dict(cabinet.world.readings.lamps).get(arguments[0], "")


def _banner(cabinet: SimulatedCabinet, _: tuple[str, ...]) -> str:
    table = cabinet.view.table
    return table.banner.message if table is not None and table.banner is not None else ""


EXPECTATIONS: Final[dict[str, Reading]] = {
    reading.usage.split()[0]: reading
    for reading in (
        Reading("credit MINOR", "the credit meter", 0, lambda cabinet, _: str(cabinet.view.credit_minor)),
        Reading("bet MINOR", "what lies on the table", 0, lambda cabinet, _: str(cabinet.view.bet_minor)),
        Reading("win MINOR", "what the last round paid", 0, lambda cabinet, _: str(cabinet.view.win_minor)),
        Reading("handpay MINOR", "what an attendant owes", 0, _handpay),
        Reading("mode NAME", "attract, lobby, table, page, cash_out, handpay, tilt", 0, lambda c, _: c.view.mode),
        Reading("phase NAME", "betting, deciding, settled", 0, _phase),
        Reading("language CODE", "en or ru", 0, lambda cabinet, _: cabinet.view.language),
        Reading("cards BOX|dealer|player CARDS", "the cards on the screen, ?? face down", 1, _cards),
        Reading("result BOX WORD", "win, lose, push, fold, no_qualify, ...", 1, lambda c, a: _box(c, a[0]).result),
        Reading("banner TEXT", "the banner's English message", 0, _banner),
        Reading("notice TEXT", "the notice's English message", 0, _notice),
        Reading("enabled NAMES", "the buttons that can be pressed, without card marks", 0, _enabled),
        Reading("faults CODES", "the fault codes that are up, or none", 0, _faults),
        Reading("lamp BUTTON STATE", "off, on or blink", 1, _lamp),
        Reading("meter NAME VALUE", "a master meter", 1, lambda c, a: str(c.terminal.state.recorded.books.meter(a[0]))),
        Reading("tray MINOR", "coins lying in the tray", 0, lambda c, _: str(c.world.readings.tray_minor)),
        Reading(
            "cash_box MINOR", "what is really in the cash box", 0, lambda c, _: str(c.world.readings.cash_box_minor)
        ),
        Reading("hopper COUNT", "coins really in the hopper", 0, lambda c, _: str(c.world.readings.hopper_coin_count)),
        Reading(
            "returned MINOR", "notes in the mouth", 0, lambda c, _: " ".join(map(str, c.world.readings.mouth_minor))
        ),
    )
}
