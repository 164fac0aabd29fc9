"""The tree of the menu as a table: every page, what it is called, who may see it, and what makes it. Data.

The page above follows from the id: ``meters.games`` stands in ``meters``. A page without ``read`` lists those below it.
"""

from dataclasses import dataclass
from typing import Final

from display.view_model import Text
from firmware.operator_menu import (
    pages_diagnostics,
    pages_meters,
    pages_recall,
    pages_reports,
    pages_service,
    pages_settings,
    pages_setup,
    pages_status,
    pages_tests,
)
from firmware.operator_menu.body import Read
from firmware.terminal.menu import LOCK_UP, PIN_PAGE, ROOT, SET_UP


@dataclass(frozen=True, slots=True)
class Node:
    """A page. ``door``: it is there only while this door is open. ``is_listed``: the page above shows it in its list."""

    id: str
    title: Text
    read: Read | None = None
    level: str = "attendant"
    door: str = ""
    is_listed: bool = True
    test: str = ""
    takes_notes: bool = False
    takes_coins: bool = False

    @property
    def above(self) -> str:
        """The page above."""
        return self.id.rpartition(".")[0]


TREE: Final = (
    Node("status", Text("menu", "Status"), pages_status.status),
    Node(LOCK_UP, Text("menu", "Current lock-up"), pages_status.lock_up),
    Node(pages_status.ONE_FAULT, Text("menu", "Fault"), pages_status.one_fault, is_listed=False),
    Node("meters", Text("menu", "Meters")),
    Node("meters.play", Text("menu", "Play"), pages_meters.group_page("play")),
    Node("meters.notes", Text("menu", "Notes"), pages_meters.group_page("notes")),
    Node("meters.coins", Text("menu", "Coins"), pages_meters.group_page("coins")),
    Node("meters.paid", Text("menu", "Hopper and pay-outs"), pages_meters.group_page("hopper", "pay-out")),
    Node("meters.games", Text("menu", "Games and their return"), pages_meters.games),
    Node("meters.by_game", Text("menu", "Meters by game"), pages_meters.group_page("games")),
    Node("meters.jackpot", Text("menu", "Jackpot"), pages_meters.jackpot),
    Node("meters.occurrences", Text("menu", "Occurrences"), pages_meters.group_page("occurrences", "faults")),
    Node("meters.audit", Text("menu", "Self-audit"), pages_meters.self_audit),
    Node("cash", Text("menu", "Cash and periods")),
    Node("cash.refill", Text("menu", "Refill the hopper"), pages_meters.refill),
    Node("cash.collect", Text("menu", "Empty the cash box"), pages_meters.cash_box, "operator"),
    Node("cash.collected", Text("menu", "Last collection"), pages_meters.last_collection, is_listed=False),
    Node("cash.refilled", Text("menu", "Last refill"), pages_meters.last_refill, is_listed=False),
    Node("cash.period", Text("menu", "Close the period"), pages_meters.period, "operator"),
    Node("cash.periods", Text("menu", "Closed periods"), pages_meters.periods_before),
    Node("cash.closed", Text("menu", "Closed period"), pages_meters.closed_period, is_listed=False),
    Node("graphs", Text("menu", "Graphs")),
    Node("graphs.takings", Text("menu", "Takings per day"), pages_meters.takings),
    Node("graphs.return", Text("menu", "Return and theory"), pages_meters.return_over_time),
    Node("graphs.faults", Text("menu", "Faults per week"), pages_meters.faults_by_week),
    Node("recall", Text("menu", "Recall")),
    Node("recall.rounds", Text("menu", "Rounds"), pages_recall.rounds),
    Node("recall.number", Text("menu", "Find a round"), pages_recall.find_round, is_listed=False),
    Node("recall.round", Text("menu", "Round"), pages_recall.one_round, is_listed=False),
    Node("recall.handpays", Text("menu", "Handpays"), pages_recall.handpays),
    Node("recall.money", Text("menu", "Last notes and coins"), pages_recall.money),
    Node("recall.power", Text("menu", "Starts"), pages_recall.power),
    Node("recall.events", Text("menu", "Events"), pages_recall.event_filters),
    Node("recall.list", Text("menu", "Events"), pages_recall.events, is_listed=False),
    Node("recall.changes", Text("menu", "Changes of settings"), pages_recall.changes),
    Node("diagnostics", Text("menu", "Diagnostics")),
    Node("diagnostics.inputs", Text("menu", "Buttons, doors, keys"), pages_diagnostics.inputs),
    Node("diagnostics.picture", Text("menu", "Picture"), pages_diagnostics.picture, test="picture"),
    Node("diagnostics.touch", Text("menu", "Touch"), pages_diagnostics.touch, test="touch"),
    Node("diagnostics.sound", Text("menu", "Sound"), pages_diagnostics.sound, test="sound"),
    Node("diagnostics.devices", Text("menu", "Devices"), pages_diagnostics.devices),
    Node("diagnostics.memory", Text("menu", "Memory and storage"), pages_diagnostics.memory),
    Node("diagnostics.randomness", Text("menu", "Random numbers"), pages_diagnostics.randomness),
    Node("diagnostics.software", Text("menu", "Software"), pages_diagnostics.software),
    Node(
        "diagnostics.lamps",
        Text("menu", "Lamps and lights"),
        pages_diagnostics.lamps,
        "operator",
        "main",
        test="lamps",
    ),
    Node(
        "diagnostics.notes",
        Text("menu", "Note test"),
        pages_diagnostics.notes,
        "operator",
        "main",
        test="notes",
        takes_notes=True,
    ),
    Node(
        "diagnostics.coins",
        Text("menu", "Coin test"),
        pages_tests.coins,
        "technician",
        "main",
        test="coins",
        takes_coins=True,
    ),
    Node("diagnostics.hopper", Text("menu", "Hopper test"), pages_tests.hopper, "technician", "main", test="hopper"),
    Node("diagnostics.printer", Text("menu", "Printer test"), pages_tests.printer, "operator", test="printer"),
    Node(
        "diagnostics.meters", Text("menu", "Hard meters"), pages_tests.hard_meters, "technician", "main", test="meters"
    ),
    Node("diagnostics.calibrate", Text("menu", "Touch calibration"), pages_tests.calibration, test="calibration"),
    Node("diagnostics.games", Text("menu", "Test games"), pages_tests.trial_games, "operator", test="games"),
    Node("diagnostics.burn_in", Text("menu", "Burn-in"), pages_tests.burn_in, "operator", "main", test="burn_in"),
    Node("settings", Text("menu", "Settings")),
    *(
        Node(pages_settings.page_id(table), title, pages_settings.table_page(table))
        for table, title in pages_settings.SECTIONS.items()
    ),
    Node("settings.zone", Text("menu", "Time zone"), pages_setup.time_zone, "operator", is_listed=False),
    Node("settings.pin", Text("menu", "Choose a PIN"), pages_setup.choose_pin, "technician", is_listed=False),
    Node("settings.one", Text("menu", "Setting"), pages_settings.one, is_listed=False),
    Node("reports", Text("menu", "Reports"), pages_reports.reports, "operator"),
    Node("service", Text("menu", "Service")),
    Node("service.out", Text("menu", "Out of service"), pages_status.out_of_service),
    Node("service.clock", Text("menu", "Clock"), pages_service.clock, "operator"),
    Node("service.demo", Text("menu", "Demonstration"), pages_service.demonstration),
    Node("service.clear", Text("menu", "RAM clear"), pages_service.ram_clear, "technician", "logic"),
    Node(SET_UP, Text("menu", "First set-up"), pages_setup.start, is_listed=False),
    *(
        Node(f"{SET_UP}.{step}", pages_setup.TITLES[step], page, is_listed=False)
        for step, page in pages_setup.STEPS.items()
    ),
    Node(PIN_PAGE, Text("menu", "PIN"), pages_status.pin),
)
"""In the order of the lists."""

ROOT_NODE: Final = Node(ROOT, Text("menu", "Operator menu"))
NODES: Final = {node.id: node for node in (ROOT_NODE, *TREE)}


def below(page: str) -> tuple[Node, ...]:
    """Return the pages that a page lists."""
    return tuple(node for node in TREE if node.above == page and node.is_listed)
