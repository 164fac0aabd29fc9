"""The book of the menu: from where somebody is to the page that is there. Pure.

Not responsible for what stands on pages (``pages_*``), for moving about (``terminal.decide_menu``) or for drawing.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from display.view_model import PadKey, PageRow, PageView, Text
from firmware.audit.names import LEVEL_WORDS
from firmware.operator_menu.body import Body, Line, Reading, Words, to
from firmware.operator_menu.tree import NODES, ROOT_NODE, Node, below
from firmware.terminal.menu import LOCK_UP, PIN_PAGE, ROOT, Act, Ask, Menu, MenuPage, reaches
from firmware.terminal.menu_rights import level_to_prove
from firmware.terminal.state import State
from firmware.terminal.step import Environment

LINES_A_SHEET: Final = 15
FIRST_PAD_KEY: Final = 100
"""Rows from here on are the keys of the pad."""
_PAD: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "clear", "0", "enter")
_HELP_TO_CHOOSE: Final = Text("menu", "Up and down: buttons 1, 2. Choose: button 9. Back: button 8. Or touch")
_HELP_TO_TURN: Final = Text("menu", "Turn the sheet: buttons 1, 2. Back: button 8. Or touch")
DOORS_NEEDED: Final = {
    "main": Text("menu", "main door open"),
    "logic": Text("menu", "logic door open"),
}
_OF_MEMORY: Final = ("meters", "cash", "graphs", "recall", "reports")
"""Pages that tell of nothing but the memory."""
_LOST: Final = Body(
    (
        Line(Text("menu", "The memory can't be read: there are no figures here"), tone="error"),
        Line(Text("menu", "Mechanical meters and the counted money are what is left")),
        Line(Text("menu", "What to do stands on the page of the lock-up"), act=to(LOCK_UP)),
    )
)
_HELP_TO_READ: Final = Text("menu", "Back: button 8, or touch")


def menu_page(state: State, environment: Environment) -> MenuPage:
    """Return the page at which somebody is. Raises LookupError when the menu is not open."""
    menu = state.screen.menu
    if menu is None:
        raise LookupError("the menu is not open")
    node = NODES.get(menu.page, ROOT_NODE)
    reading = Reading(state, environment, menu)
    if menu.asked is not None:
        return _question(reading, node, menu.asked)
    body = body_of(node, reading)
    lines, sheets = _sheet(body, menu)
    acts: dict[int, Act | Ask] = {index: line.act for index, line in enumerate(lines) if line.act is not None}
    if body.enter is not None:
        acts |= {FIRST_PAD_KEY + index: _pad_act(name, body.enter) for index, name in enumerate(_PAD)}
    cursor = menu.cursor if menu.cursor in acts else next(iter(sorted(acts)), -1)
    pattern = body.patterns[menu.turn % len(body.patterns)] if body.patterns else ""
    if body.patterns:
        sheets = len(body.patterns)
    view = PageView(
        body.title or node.title,
        tuple(_row(line, index, is_chosen=index == cursor) for index, line in enumerate(lines)),
        path=_path(node),
        footer=body.footer or _help(acts, sheets),
        columns=body.columns,
        page_number=menu.turn % sheets + 1,
        page_count=sheets,
        pad=_pad_keys(cursor) if body.enter is not None else (),
        graph=body.graph,
        qr=qr_rows(body.qr_text) if body.qr_text else (),
        qr_caption=body.qr_caption,
        pattern=pattern,
        touched=menu.touched if pattern == "touch" else (),
    )
    return MenuPage(
        view,
        acts,
        level=node.level,
        door=node.door,
        above=node.above if body.above is None else body.above,
        sheet_count=sheets,
        step_count=body.step_count,
        test=node.test,
        recalls=body.recalls,
        takes_notes=node.takes_notes,
        takes_coins=node.takes_coins,
    )


class Book:
    """The menu of one terminal. It remembers the page that it gave last, because a page is asked for several times a
    tick; a page is made anew when anything that it tells of has changed, and once a second."""

    def __init__(self) -> None:
        """Begin with no page remembered."""
        self._seen: tuple[object, ...] = ()
        self._page: MenuPage | None = None

    def page(self, state: State, environment: Environment) -> MenuPage:
        """Return the page at which somebody is. Raises LookupError when the menu is not open."""
        screen = state.screen
        objects = (state.recorded, screen.menu, screen.ready, screen.conditions, screen.lock_up, environment.options)
        second = environment.now_ms // 1_000
        is_same = len(self._seen) == len(objects) + 1 and self._seen[-1] == second
        if self._page is None or not is_same or any(a is not b for a, b in zip(self._seen, objects, strict=False)):
            self._page, self._seen = menu_page(state, environment), (*objects, second)
        return self._page


def body_of(node: Node, reading: Reading) -> Body:
    """Return what stands on a page; for one that has only others below it, their list."""
    if reading.state.is_memory_lost and node.read is not None and node.id.partition(".")[0] in _OF_MEMORY:
        return _LOST
    return node.read(reading) if node.read is not None else _list(node, reading)


def _list(node: Node, reading: Reading) -> Body:
    """The pages below; those beyond somebody's rights are shown too, but dim, and say so when they are chosen."""
    menu, doors = reading.menu, reading.state.recorded.doors_open
    lines = [
        Line(
            each.title,
            _needs(each, menu.level, doors),
            act=to(each.id),
            tone="" if _is_open(each, menu.level, doors) else "muted",
        )
        for each in below(node.id)
        if each.id != PIN_PAGE or level_to_prove(menu, doors, reading.environment)
    ]
    return Body(tuple(lines))


def _is_open(node: Node, level: str, doors_open: frozenset[str]) -> bool:
    return reaches(level, node.level) and (not node.door or node.door in doors_open)


def _needs(node: Node, level: str, doors_open: frozenset[str]) -> Words:
    """What is missing before a page opens."""
    if not reaches(level, node.level):
        return LEVEL_WORDS[node.level]
    return DOORS_NEEDED[node.door] if node.door and node.door not in doors_open else ""


def _question(reading: Reading, node: Node, asked: Ask) -> MenuPage:
    acts: dict[int, Act | Ask] = {1: Act("no"), 2: asked.act}
    cursor = reading.menu.cursor if reading.menu.cursor in acts else 1
    lines = (Line(asked.question, tone="warning"), Line(Text("menu", "No, go back")), Line(Text("menu", "Yes, do it")))
    rows = tuple(
        replace(_row(line, index, is_chosen=index == cursor), target=f"page:row:{index}" if index in acts else "")
        for index, line in enumerate(lines)
    )
    body = body_of(node, reading)
    view = PageView(body.title or node.title, rows, path=_path(node), footer=_HELP_TO_CHOOSE)
    return MenuPage(view, acts, level=node.level, door=node.door, above=node.above)


def _sheet(body: Body, menu: Menu) -> tuple[tuple[Line, ...], int]:
    """Return the lines of the sheet that is shown, and how many sheets there are; lines to choose from stay together."""
    if any(line.act is not None for line in body.lines) or len(body.lines) <= LINES_A_SHEET:
        return body.lines, 1
    count = -(-len(body.lines) // LINES_A_SHEET)
    first = (menu.turn % count) * LINES_A_SHEET
    return body.lines[first : first + LINES_A_SHEET], count


def _row(line: Line, index: int, *, is_chosen: bool) -> PageRow:
    target = f"page:row:{index}" if line.act is not None else ""
    return PageRow(line.label, line.value, line.second, target, selected=is_chosen and bool(target), tone=line.tone)


def _path(node: Node) -> tuple[Text, ...]:
    above: list[Text] = []
    at = node
    while at.id != ROOT:
        at = NODES.get(at.above, ROOT_NODE)
        above.append(at.title)
    return tuple(reversed(above))


def _help(acts: dict[int, Act | Ask], sheets: int) -> Text:
    if acts:
        return _HELP_TO_CHOOSE
    return _HELP_TO_TURN if sheets > 1 else _HELP_TO_READ


def _pad_act(name: str, enter: Act | Ask) -> Act | Ask:
    return enter if name == "enter" else Act("type", name)


def _pad_keys(cursor: int) -> tuple[PadKey, ...]:
    words = {"clear": Text("menu", "Clear"), "enter": Text("menu", "Enter")}
    return tuple(
        PadKey(words.get(name, name), f"page:row:{FIRST_PAD_KEY + index}", cursor == FIRST_PAD_KEY + index)
        for index, name in enumerate(_PAD)
    )


@lru_cache(maxsize=8)
def qr_rows(text: str) -> tuple[str, ...]:
    """Return a QR code of a text, row by row, ``1`` for dark, without its quiet border."""
    # It brings half a web client along, which no start should wait for.
    import segno

    return tuple(
        "".join("1" if cell else "0" for cell in row) for row in segno.make(text, error="m", micro=False).matrix
    )
