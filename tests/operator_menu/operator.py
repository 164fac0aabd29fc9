"""An operator in front of the cabinet: opens the menu, and goes to any page by buttons alone or by touch alone."""

from collections.abc import Iterator

from display.view_model import View
from firmware.entries.types import Entry
from firmware.operator_menu.tree import NODES, TREE, Node
from firmware.terminal.menu import ROOT, SET_UP, Ask, Menu, MenuPage
from firmware.terminal.step import ClosePeriod
from firmware.terminal.trial import PAGE as TRIAL_PAGE
from tests.support.cabinet import CabinetUnderTest

DEEP = {
    "lockup.one": ("lockup", "go"),
    "recall.round": ("recall.rounds", "go"),
    "recall.number": ("recall.rounds", "go"),
    "cash.collected": ("cash.collect", "go"),
    "cash.refilled": ("cash.refill", "go"),
    "recall.list": ("recall.events", "go"),
    "cash.closed": ("cash.periods", "go"),
    "settings.one": ("settings.sound", "go"),
    "settings.pin": ("settings.access", "go"),
    "settings.zone": ("settings.terminal", "go"),
}
"""Pages that no list shows, and the page with a row that leads there."""


class Operator:
    """Somebody with keys."""

    def __init__(self, cabinet: CabinetUnderTest) -> None:
        self.cabinet = cabinet

    # --- keys and doors

    def open(self, level: str = "operator") -> None:
        """Open the menu with the rights of a level, main door open where tests need it."""
        if level == "technician":
            self.cabinet.act(lambda world: world.open_door("logic"))
        key = "attendant" if level == "attendant" else "operator"
        self.cabinet.act(lambda world: world.turn_key(key))

    def close(self) -> None:
        """Turn the keys back and close the doors."""
        for key, is_on in self.cabinet.world.readings.keys:
            if is_on:
                self.cabinet.act(lambda world, key=key: world.turn_back_key(key))  # type: ignore[misc]
        for door, is_open in self.cabinet.world.readings.doors:
            if is_open:
                self.cabinet.act(lambda world, door=door: world.close_door(door))  # type: ignore[misc]

    # --- what there is

    @property
    def view(self) -> View:
        return self.cabinet.view

    @property
    def menu(self) -> Menu:
        menu = self.cabinet.terminal.state.screen.menu
        assert menu is not None, "the menu is not open"
        return menu

    @property
    def is_open(self) -> bool:
        return self.cabinet.terminal.state.screen.menu is not None

    @property
    def page(self) -> MenuPage:
        environment = self.cabinet.terminal.environment()
        return environment.menu_page(self.cabinet.terminal.state, environment)

    def entries(self, kind: str) -> list[Entry]:
        """All entries of a kind in the journal."""
        return [record.entry for record in self.cabinet.records() if kind == record.entry.KIND]

    # --- moving

    def home(self, by: str) -> None:
        """Go to the first page."""
        while self.menu.page != ROOT or self.menu.trail or self.menu.asked:
            self.step("back", by)

    def step(self, what: str, by: str) -> None:
        """One of up, down, select, back; a test game is left by the button that would pay out."""
        if self.menu.page == TRIAL_PAGE and what == "back" and by == "buttons":
            self.cabinet.press("b12")
            return
        if by == "touch":
            self.cabinet.touch(f"page:{what}")
        else:
            self.cabinet.press({"up": "b1", "down": "b2", "select": "b9", "back": "b8"}[what])

    def choose(self, row: int, by: str) -> None:
        """Choose a row."""
        assert row in self.page.acts
        if by == "touch":
            self.cabinet.touch(f"page:row:{row}")
            return
        for _ in range(len(self.page.choices)):
            if self.cursor == row:
                break
            self.step("down", by)
        assert self.cursor == row
        self.step("select", by)

    @property
    def cursor(self) -> int:
        return self.menu.cursor if self.menu.cursor in self.page.acts else next(iter(self.page.choices), -1)

    def choose_act(self, name: str, argument: str | None, by: str = "touch") -> None:
        """Choose the first row that does this."""
        for row, act in sorted(self.page.acts.items()):
            found = act.act if isinstance(act, Ask) else act
            if found.name == name and (argument is None or found.argument.partition("|")[0] == argument):
                self.choose(row, by)
                return
        raise AssertionError(f"no row of {self.menu.page!r} does {name} {argument}: {self.page.acts}")

    def go(self, page: str, by: str = "touch") -> None:
        """Go to a page from the first one."""
        self.home(by)
        via, _ = DEEP.get(page, (page, ""))
        way = [via]
        while NODES[way[0]].above:
            way.insert(0, NODES[way[0]].above)
        for each in way:
            self.choose_act("go", each, by)
        if page in DEEP:
            self.choose_act("go", page, by)
        assert self.menu.page == page

    def type(self, digits: str) -> None:
        """Type on the pad and press its last key."""
        for digit in digits:
            self.choose_act("type", digit)
        self.cabinet.touch("page:row:111")

    def confirm(self) -> None:
        """Answer a question with yes."""
        assert self.menu.asked is not None
        self.cabinet.touch("page:row:2")


def pages_for(level: str) -> Iterator[Node]:
    """Every page that a level may see with all doors open; the PIN has tests of its own."""
    rank = {"attendant": 0, "operator": 1, "technician": 2}
    return (
        node for node in TREE if rank[node.level] <= rank[level] and node.id != "pin" and not node.id.startswith(SET_UP)
    )


def played(cabinet: CabinetUnderTest) -> CabinetUnderTest:
    """A cabinet with something in its books: notes, coins, rounds, a cash-out with handpay, a closed period, a fault."""
    cabinet.insert_note(10_000)
    cabinet.insert_note(5_000)
    cabinet.insert_coin(100)
    cabinet.sit_down("oasis")
    for _ in range(2):
        cabinet.bet(1, "ante", 500)
        cabinet.press("deal")
        cabinet.wait(3_000)
        cabinet.press_if_there("fold")
        cabinet.wait(3_000)
    cabinet.act(lambda world: world.set_hopper(20))
    cabinet.press("cash_out")
    cabinet.wait(30_000)
    for turn in ("turn_key", "turn_back_key"):
        cabinet.act(lambda world, turn=turn: getattr(world, turn)("attendant"))  # type: ignore[misc]
    cabinet.act(lambda world: world.refill_hopper(200))
    cabinet.terminal.handle(ClosePeriod("operator"))
    cabinet.wait(500)
    return cabinet
