"""The simulator's window: the terminal's screen and the cabinet's panel beside it.

Pulling the plug takes the terminal's thread away without a word to the journal and the power from the hardware; plugging
in starts anew.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from display.canvas import Shelves
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, DrawList
from display.scenes.cabinet import PANEL_HEIGHT, PANEL_WIDTH, compose_cabinet
from display.view_model import CabinetView, Gesture, View
from display.window import Window
from firmware.app import Seams, build_terminal, byte_source, games_on_offer, house_of
from firmware.cards.card import Card
from firmware.clock import SystemClock
from firmware.coach import ask_in_a_process
from firmware.loop import Terminal
from firmware.screen import TerminalScreen, rests
from firmware.settings.sections import SerialProtocol, Settings
from firmware.simulator.cabinet import WORLD_FILE, world_config
from firmware.simulator.lock import HardwareLock
from firmware.simulator.panel import cabinet_view, touch_panel
from firmware.terminal_thread import TerminalThread
from hal.simulated.world import World


class SimulatorWindow:
    """The window, the hardware and, while the plug is in, the terminal."""

    def __init__(
        self,
        settings: Settings,
        *,
        size: tuple[int, int] | None,
        seed: int | None,
        cache_dir: Path | None,
        on_frame: Callable[["SimulatorWindow"], bool] = lambda _: True,
        laid_cards: Callable[[], tuple[Card, ...]] = tuple,
        protocol: SerialProtocol | None = None,
    ) -> None:
        """Open the window. ``on_frame`` is called after each frame and ends the loop by returning False.

        ``laid_cards`` is asked before each shuffle for the cards that are to come first. With a ``protocol`` the money
        devices are emulated at byte level, and the note acceptor speaks it.

        Raises:
            DisplayUnavailable: there is no screen.
            ImpossibleActionError: the settings ask for hardware that is not emulated.
            StoreUnavailableError: another simulator runs on the same data directory.
        """
        self._settings = settings
        self._on_frame = on_frame
        self._laid_cards = laid_cards
        self._clock = SystemClock()
        self._house = house_of(settings)
        window = Window(
            areas=((CANVAS_WIDTH, CANVAS_HEIGHT), (PANEL_WIDTH, PANEL_HEIGHT)),
            size=size,
            title="Croupier simulator",
            shelves=Shelves(cache_dir),
        )
        self._drawn: tuple[tuple[CabinetView, str], DrawList] | None = None
        self._lock = HardwareLock(settings.storage.data_dir)
        self._world = self._hardware(protocol)
        self._screen = TerminalScreen(
            window,
            language=settings.terminal.languages[0],
            venue=settings.terminal.venue,
            cache_dir=cache_dir,
            beside=self._panel,
        )
        self._games = games_on_offer(settings)
        self._source = byte_source(settings, seed)

    @property
    def frames(self) -> tuple[DrawList, ...]:
        """What the window shows: the terminal's screen and the panel."""
        return self._screen.frames

    @property
    def shown_view(self) -> View | None:
        """The view that the frames show, None without power."""
        return self._screen.shown_view

    @property
    def view(self) -> View | None:
        """The newest view, None without power."""
        return self._screen.view

    def run(self) -> None:
        """Run until the window is closed. Raises what ended the terminal's thread."""
        try:
            if not self._world.readings.powered:
                self._world.restore_power()
            self._switch_on()
            while self._screen.frame(self._on_gesture) and self._on_frame(self):
                self._screen.wait()
        finally:
            self._screen.close()
            self._world.close()
            self._lock.release()

    def _hardware(self, protocol: SerialProtocol | None) -> World:
        now_ms = self._clock.monotonic_ms()
        if protocol is not None:
            from firmware.simulator.emulated import emulated_world  # real drivers take long to load

            return emulated_world(self._settings, protocol, now_ms, paced=False)
        return World.open(self._settings.storage.data_dir / WORLD_FILE, world_config(self._settings), now_ms)

    def _on_gesture(self, gesture: Gesture) -> bool:
        if gesture.target == "cabinet:plug":
            self._pull_or_push_plug()
        elif gesture.target.startswith("cabinet:"):
            touch_panel(self._world, gesture.target)
        else:
            return False
        return True

    def _pull_or_push_plug(self) -> None:
        if self._screen.detach(abandon=True):
            self._world.cut_power()
        else:
            self._world.restore_power()
            self._switch_on()

    def _switch_on(self) -> None:
        ask_coach = partial(ask_in_a_process, after=self._screen.has_shown)
        seams = Seams(self._clock, self._source, self._world.devices, self._laid_cards, ask_coach=ask_coach)

        def build() -> Terminal:
            return build_terminal(self._settings, replace(seams, on_reading=thread.reading), self._games)

        thread = TerminalThread(build, before_tick=self._let_hardware_work)
        self._screen.attach(thread)

    def _let_hardware_work(self) -> None:
        self._world.advance(self._clock.monotonic_ms())

    def _panel(self, view: View | None, language: str, now_ms: float) -> tuple[DrawList, ...]:
        panel = (cabinet_view(self._world, view.buttons if view is not None else ()), language)
        if self._drawn is None or panel != self._drawn[0] or not rests(self._drawn[1], now_ms):
            self._drawn = (panel, compose_cabinet(panel[0], language, self._house.money, now_ms))
        return (self._drawn[1],)
