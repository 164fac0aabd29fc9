"""The main thread: a window that shows a terminal's newest view, and takes what the player does to it.

Shared by the cabinet and the simulator. The terminal runs in a thread of its own, so a slow commit never costs a frame.
Not responsible for devices, nor for what a gesture means.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from display.cues import Ear, listen
from display.draw_list import DrawList
from display.motion import MotionState, advance, finished
from display.scenes import compose
from display.scenes.cabinet import compose_dark
from display.sound import SoundPlayer
from display.view_model import Gesture, Notice, Text, View
from display.window import Window
from firmware.terminal_thread import TerminalThread

Beside = Callable[[View | None, str, float], tuple[DrawList, ...]]
"""What stands beside the terminal's screen: from the view (None: no power), the language and the time."""


class TerminalScreen:
    """A window and, while there is power, the terminal's thread behind it."""

    def __init__(
        self,
        window: Window,
        *,
        language: str,
        venue: str,
        cache_dir: Path | None,
        beside: Beside,
    ) -> None:
        """Show nothing yet: ``attach`` a terminal, or ``say`` what there is to say."""
        self._window = window
        self._language = language
        self._beside = beside
        self._motion: MotionState | None = None
        self._thread: TerminalThread | None = None
        self._shown: tuple[DrawList, ...] = ()
        self._seen: View | None = None
        self._is_blank = True
        self._early: list[Gesture] = []
        self._ear = Ear()
        self._venue = venue
        self.has_shown = threading.Event()
        """Set once a terminal's first picture is on the screen; what is not needed for that waits."""
        self._sound = SoundPlayer(cache_dir)

    @property
    def view(self) -> View | None:
        """The newest view, None without power."""
        return self._thread.latest_view if self._thread is not None else None

    @property
    def frames(self) -> tuple[DrawList, ...]:
        """What was shown last: the terminal's screen and what stands beside it."""
        return self._shown

    @property
    def shown_view(self) -> View | None:
        """The view that these frames show; the newest one may be newer."""
        return self._seen

    def attach(
        self,
        thread: TerminalThread,
        while_waiting: Callable[[], None] = lambda: None,
        notice: Notice | None = None,
    ) -> None:
        """Start a terminal's thread and show it. If that takes a while: the starting picture, with ``notice`` or how far a
        long journal is read; mostly the first picture is the player's hand, and none is painted before it.

        ``while_waiting`` is called a few times a second. Raises what building the terminal and ``while_waiting`` raise.
        """
        shown: int | None = None
        has_said = False

        def waiting() -> None:
            nonlocal shown, has_said
            if not has_said:
                has_said = True
                self.say(notice)
            done, of_all = thread.read
            percent = 100 * done // of_all if of_all else None
            if percent is not None and percent != shown:
                shown = percent
                told = Text("start", "Reading the journal: {percent} %. Leave it switched on", (("percent", percent),))
                self.say(Notice(told, "warning"))
            # The terminal does not answer yet, but a desktop must not think that the program hangs.
            self._early += self._window.poll()
            while_waiting()

        thread.on_change = self._window.wake
        thread.start(waiting)
        self._thread = thread

    def detach(self, *, abandon: bool = False) -> bool:
        """End the terminal's thread, if there is one, and tell whether there was; ``abandon``: as a power cut does."""
        thread, self._thread, self._motion = self._thread, None, None
        self._shown = ()
        if thread is None:
            return False
        thread.stop(abandon=abandon)
        return True

    def frame(self, on_gesture: Callable[[Gesture], bool]) -> bool:
        """Take input and paint one frame; False when the window was closed.

        ``on_gesture`` is asked first and returns True for what is none of the terminal's business. Raises what ended
        the terminal's thread.
        """
        # What was done while the starting picture stood there was not meant for the terminal, but perhaps for what is beside it.
        early, self._early = self._early, []
        for gesture in early:
            if gesture.target == "window:close":
                return False
            on_gesture(gesture)
        # What is done before there is any picture waits for the first one: it was meant for that.
        for gesture in () if self._is_blank else self._window.poll():
            if gesture.target == "window:close":
                return False
            if not on_gesture(gesture):
                self._touch(gesture)
        if self._thread is not None and self._thread.error is not None:
            raise self._thread.error
        frames = self._frames()
        self._window.show(*frames)
        self._is_blank = False
        return True

    def wait(self) -> None:
        """Wait for the next frame, or for something to happen."""
        if self._seen is not None:
            self.has_shown.set()
        wakes = [frame.wake_ms for frame in self._shown if frame.wake_ms]
        animating = any(frame.animating for frame in self._shown)
        self._window.tick(animating=animating, wake_ms=min(wakes, default=0))

    def say(self, notice: Notice | None) -> None:
        """Show the starting picture with a message in place of the terminal."""
        starting = View(mode="starting", language=self._language, wall_time_ms=0, venue=self._venue, notice=notice)
        now_ms = _now_ms()
        picture = compose(starting, advance(None, starting, now_ms), now_ms)
        self._window.show(picture, *self._beside(None, self._language, now_ms))
        self._is_blank = False

    def close(self) -> None:
        """End everything in an orderly way."""
        self.detach()
        self._sound.close()
        self._window.close()

    def _touch(self, gesture: Gesture) -> None:
        if self._thread is None:
            return
        self._shown = ()
        if self._motion is not None and gesture.kind == "tap":
            self._motion = finished(self._motion, _now_ms())
        self._thread.post(gesture)

    def _frames(self) -> tuple[DrawList, ...]:
        """Return the frames of this moment; a picture that rests is the very same object as before."""
        now_ms = _now_ms()
        view = self.view
        if self._shown and view is self._seen and rests(self._shown[0], now_ms):
            screen = self._shown[0]
        elif view is None:
            screen = compose_dark(self._language, now_ms)
        else:
            self._language = view.language
            self._window.calibrate(view.touch_ppm)
            self._motion = advance(self._motion, view, now_ms)
            self._sound.set_volume(view.comfort.volume)
            self._ear, due = listen(self._ear, view, self._motion, now_ms)
            self._sound.play_all(due)
            screen = compose(view, self._motion, now_ms)
        self._seen = view
        self._shown = (screen, *self._beside(view, self._language, now_ms))
        return self._shown


def rests(frame: DrawList, now_ms: float) -> bool:
    """Tell whether a frame that was composed earlier is still right at a time, as long as the view stays."""
    return not frame.animating and (not frame.wake_ms or now_ms < frame.wake_ms)


def _now_ms() -> float:
    return time.monotonic() * 1000
