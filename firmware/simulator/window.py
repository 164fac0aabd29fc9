"""The simulator's window: the terminal's screen and the cabinet's panel beside it, on a terminal thread of its own.

The main thread only reads input and paints the newest view; a slow commit never costs a frame. Pulling the plug takes
the terminal thread away without a word to the journal and the power from the hardware; plugging in starts anew.
"""

import time
from collections.abc import Callable
from pathlib import Path

from display.canvas import Shelves
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, DrawList
from display.motion import MotionState, advance, finished
from display.scenes import compose
from display.scenes.cabinet import PANEL_HEIGHT, PANEL_WIDTH, compose_cabinet, compose_dark
from display.sound import SoundPlayer
from display.view_model import Gesture, View
from display.window import Window
from firmware.app import Seams, build_terminal, byte_source, games_on_offer, house_of
from firmware.clock import SystemClock
from firmware.loop import Terminal, TerminalThread
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import WORLD_FILE, world_config
from firmware.simulator.lock import HardwareLock
from firmware.simulator.panel import cabinet_view, touch_panel
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
    ) -> None:
        """Open the window. ``on_frame`` is called after each frame and ends the loop by returning False.

        Raises:
            DisplayUnavailable: there is no screen.
            StoreUnavailableError: another terminal runs on the same data directory.
        """
        self._settings = settings
        self._on_frame = on_frame
        self.window = Window(
            areas=((CANVAS_WIDTH, CANVAS_HEIGHT), (PANEL_WIDTH, PANEL_HEIGHT)),
            size=size,
            title="Croupier simulator",
            shelves=Shelves(cache_dir),
        )
        self._language = settings.terminal.languages[0]
        self._house = house_of(settings)
        self._motion: MotionState | None = None
        self._clock = SystemClock()
        self.window.show(*self._starting())
        self._sound = SoundPlayer(cache_dir)
        self._lock = HardwareLock(settings.storage.data_dir)
        world_file = settings.storage.data_dir / WORLD_FILE
        self._world = World.open(world_file, world_config(settings), self._clock.monotonic_ms())
        self._games = games_on_offer(settings)
        self._source = byte_source(settings, seed)
        self._thread: TerminalThread | None = None

    @property
    def view(self) -> View | None:
        """The newest view, None without power."""
        return self._thread.latest_view if self._thread is not None else None

    def run(self) -> None:
        """Run until the window is closed. Raises what ended the terminal thread."""
        if not self._world.readings.powered:
            self._world.restore_power()
        self._switch_on()
        try:
            while self._frame():
                pass
        finally:
            if self._thread is not None:
                self._thread.stop()
            self._sound.close()
            self.window.close()
            self._lock.release()

    def _frame(self) -> bool:
        for gesture in self.window.poll():
            if gesture.target == "window:close":
                return False
            self._handle(gesture)
        if self._thread is not None and self._thread.error is not None:
            raise self._thread.error
        frames = self._frames()
        self.window.show(*frames)
        if not self._on_frame(self):
            return False
        self.window.tick(animating=any(frame.animating for frame in frames))
        return True

    def _handle(self, gesture: Gesture) -> None:
        if gesture.target == "cabinet:plug":
            self._pull_or_push_plug()
        elif gesture.target.startswith("cabinet:"):
            touch_panel(self._world, gesture.target)
        elif self._thread is not None:
            if self._motion is not None and gesture.kind == "tap":
                self._motion = finished(self._motion, self._now_ms())
            self._thread.post(gesture)

    def _pull_or_push_plug(self) -> None:
        if self._thread is not None:
            thread, self._thread = self._thread, None
            thread.stop(abandon=True)
            self._world.cut_power()
            self._motion = None
        else:
            self._world.restore_power()
            self._switch_on()

    def _switch_on(self) -> None:
        thread = TerminalThread(self._build, before_tick=self._let_hardware_work)
        thread.on_change = self.window.wake
        thread.start()
        self._thread = thread

    def _build(self) -> Terminal:
        return build_terminal(self._settings, Seams(self._clock, self._source, self._world.devices), self._games)

    def _let_hardware_work(self) -> None:
        self._world.advance(self._clock.monotonic_ms())

    def _frames(self) -> tuple[DrawList, DrawList]:
        now_ms = self._now_ms()
        view = self.view
        panel = cabinet_view(self._world, view.buttons if view is not None else ())
        language = view.language if view is not None else self._language
        if view is None:
            screen = compose_dark(language, now_ms)
        else:
            self._motion = advance(self._motion, view, now_ms)
            self._sound.set_volume(view.comfort.volume)
            self._sound.play_new(view.sounds)
            screen = compose(view, self._motion, now_ms)
        return screen, compose_cabinet(panel, language, self._house.money, now_ms)

    def _starting(self) -> tuple[DrawList, DrawList]:
        now_ms = self._now_ms()
        view = View(mode="starting", language=self._language, wall_time_ms=0, venue=self._house.venue)
        empty = DrawList(())
        return compose(view, advance(None, view, now_ms), now_ms), empty

    def _now_ms(self) -> float:
        return time.monotonic() * 1000
