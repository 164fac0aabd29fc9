"""A RAM clear and the set-up behind it on the terminal as a cabinet runs it: a thread of its own, in real time."""

import time
from collections.abc import Callable
from pathlib import Path

from display.view_model import Gesture, View
from firmware.app import Seams, build_terminal, byte_source, games_on_offer
from firmware.clock import SystemClock
from firmware.journal.store import open_store
from firmware.operator_menu.pages_setup import TITLES
from firmware.terminal.menu import SET_UP_STEPS
from firmware.terminal_thread import TerminalThread
from hal.simulated.world import World
from tests.support.cabinet import settings_for

PATIENCE_S = 60.0


class Cabinet:
    """A terminal's thread, and somebody who touches what the screen shows."""

    def __init__(self, data_dir: Path) -> None:
        settings, clock, self.world = settings_for(data_dir), SystemClock(), World(now_ms=SystemClock().monotonic_ms())
        games, source = games_on_offer(settings), byte_source(settings, 1)
        self.thread = TerminalThread(
            lambda: build_terminal(settings, Seams(clock, source, self.world.devices), games),
            before_tick=lambda: self.world.advance(clock.monotonic_ms()),
        )

    def see(self, what: Callable[[View], bool]) -> View:
        """Wait until the screen shows it."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            view = self.thread.latest_view
            if self.thread.error is not None:
                raise self.thread.error
            if view is not None and what(view):
                return view
            time.sleep(0.02)
        raise AssertionError(f"never seen; {self.thread.latest_view}")

    def touch(self, message: str) -> None:
        """Touch the row with this label, as soon as it is there."""

        def row(view: View) -> str:
            rows = view.page.rows if view.page is not None else ()
            return next((row.target for row in rows if row.label.message == message and row.target), "")

        target = row(self.see(lambda view: bool(row(view))))
        self.thread.post(Gesture(target))

    def title(self, message: str) -> View:
        return self.see(lambda view: view.page is not None and view.page.title.message == message)


def test_menu_clears_the_memory_of_a_running_cabinet_and_the_set_up_opens_it_again(tmp_path: Path) -> None:
    cabinet = Cabinet(tmp_path)
    cabinet.thread.start()
    try:
        cabinet.see(lambda view: view.mode == "attract")
        time.sleep(0.5)
        cabinet.world.open_door("logic")
        cabinet.see(lambda view: view.mode == "tilt")
        cabinet.world.turn_key("operator")
        cabinet.title("Current lock-up")
        cabinet.thread.post(Gesture("page:back"))
        for message in ("Service", "RAM clear", "End of a test or a demonstration", "Yes, do it"):
            cabinet.touch(message)
        view = cabinet.see(lambda view: view.page is not None and bool(view.page.pad))
        assert view.page is not None
        code = next(row.value for row in view.page.rows if row.label.message == "Second step: type this code")
        assert isinstance(code, str)
        for digit in code:
            cabinet.thread.post(Gesture(f"page:row:{100 + '1234567890'.index(digit) + (digit == '0')}"))
        cabinet.thread.post(Gesture("page:row:111"))
        cabinet.touch("Yes, do it")
        cabinet.title("First set-up")
        hint = "To change and confirm: turn the operator key and open the logic door"
        cabinet.see(lambda view: view.page is not None and all(row.label.message != hint for row in view.page.rows))
        cabinet.touch("Language")
        for step in SET_UP_STEPS:
            cabinet.title(TITLES[step].message)
            cabinet.touch("All of this is right: go on")
        for message in ("End the set-up", "Yes, do it"):
            cabinet.touch(message)
        cabinet.see(lambda view: view.mode == "tilt")
    finally:
        cabinet.thread.stop()
        cabinet.world.close()
    journal = open_store(tmp_path, read_only=True)
    try:
        kinds = [record.entry.KIND for record in journal.records()]
    finally:
        journal.close()
    assert kinds[:2] == ["commissioned", "ram_cleared"]
    assert "set_up_done" in kinds
