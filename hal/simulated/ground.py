"""What the simulated devices stand on: the time, the power, one lock, and the order in which things happen.

Every action, of the world's hand or of the program, runs inside ``acting``. When the outermost action ends, the physical
state is saved first and only then are the events delivered, as a device writes its own memory before it reports. An
event that makes the program give a command is therefore never a recursion.
"""

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hal.errors import HalError
from hal.events import CoinReport, DeviceEvent, DeviceInfo, DeviceLost, DeviceReady, HopperReport, NoteReport
from hal.interfaces import EventSink

HOST_SILENCE_MS = 1_000
"""A device that hears nothing from its host for so long stops taking money."""

REPEAT_MS = 500
"""An unconfirmed money event is sent again after this time, for ever."""


class ImpossibleAction(HalError, RuntimeError):
    """The hand of the world tried what cannot be done, for example to open an open door."""


class Ground:
    """Time, power, lock, and the queue of events that wait for delivery."""

    def __init__(self, now_ms: int, powered: bool) -> None:
        self.now_ms = now_ms
        self.powered = powered
        self.save: Callable[[], None] = lambda: None
        self._lock = threading.RLock()
        self._depth = 0
        self._changed = False
        self._outbox: deque[tuple[SimulatedDevice, EventSink, DeviceEvent]] = deque()

    @contextmanager
    def acting(self) -> Iterator[None]:
        """One action, whole: nobody else acts meanwhile; afterwards the state is saved and the events delivered."""
        with self._lock:
            self._depth += 1
            try:
                yield
                if self._depth == 1:
                    self._settle()
            finally:
                self._depth -= 1

    def changed(self) -> None:
        """Note that the physical state is no longer what was saved."""
        self._changed = True

    def post(self, device: "SimulatedDevice", sink: EventSink, event: DeviceEvent) -> None:
        """Queue an event for delivery at the end of the outermost action."""
        self._outbox.append((device, sink, event))

    def forget(self, device: "SimulatedDevice") -> None:
        """Drop what waits for a program that is gone."""
        self._outbox = deque(waiting for waiting in self._outbox if waiting[0] is not device)

    def _settle(self) -> None:
        while self._changed or self._outbox:
            if self._changed:
                self._changed = False
                self.save()
            elif self._outbox:
                _, sink, event = self._outbox.popleft()
                sink(event)


class SimulatedDevice(ABC):
    """What all simulated money devices and the panel have in common: the link to the program and how it is lost."""

    def __init__(self, name: str, ground: Ground) -> None:
        self._name = name
        self._ground = ground
        self._sink: EventSink | None = None
        self._ready_sent = False
        self._plugged = True
        self._silent_since_ms: int | None = None

    @property
    def name(self) -> str:
        """The device's name in events and in the journal."""
        return self._name

    @property
    def plugged(self) -> bool:
        """Whether the device's cable is in."""
        return self._plugged

    # --- the program's side --------------------------------------------------------------------------------------

    def start(self, sink: EventSink, last_event: int) -> None:
        """Connect the program; ``DeviceReady`` follows as soon as the device is at rest."""
        with self._ground.acting():
            self._sink = sink
            self._ready_sent = False
            self._silent_since_ms = None
            self._on_start(last_event)
            self._announce()

    def stop(self) -> None:
        """Disable the device and disconnect the program."""
        with self._ground.acting():
            if self._sink is not None:
                self._on_silence()
                self.host_dies()

    # --- the world's side, called inside an action ----------------------------------------------------------------

    def host_dies(self) -> None:
        """The program is gone; the device notices only by its silence."""
        if self._sink is not None:
            self._sink = None
            self._ready_sent = False
            self._silent_since_ms = self._ground.now_ms
            self._ground.forget(self)

    def unplug(self) -> None:
        """Pull the device's cable; the device itself keeps its power."""
        if not self._plugged:
            raise ImpossibleAction(f"{self._name} is unplugged already")
        self._plugged = False
        self._silent_since_ms = self._ground.now_ms
        if self._ready_sent and self._sink is not None:
            self._ready_sent = False
            self._ground.post(self, self._sink, DeviceLost(self._name, self._ground.now_ms, "unplugged"))

    def plug(self) -> None:
        """Put the cable back."""
        if self._plugged:
            raise ImpossibleAction(f"{self._name} is plugged in already")
        self._plugged = True
        self._announce()

    def power_off(self, note: str | None = None) -> None:
        """The cabinet loses its power; ``note`` is for the note acceptor."""
        del note
        self.host_dies()
        self._silent_since_ms = None
        self._on_silence()

    def power_on(self) -> None:  # noqa: B027 - a kind may have nothing to do
        """The power is back."""

    def next_due_ms(self) -> int | None:
        """Return when something happens next by itself, or None."""
        if self._silent_since_ms is not None and self._ground.powered:
            return self._silent_since_ms + HOST_SILENCE_MS
        return None

    def step(self) -> None:
        """Let happen what is due now."""
        silent = self._silent_since_ms
        if silent is not None and self._ground.now_ms >= silent + HOST_SILENCE_MS:
            self._silent_since_ms = None
            self._on_silence()

    # --- for the kinds of device ----------------------------------------------------------------------------------

    def _linked(self) -> bool:
        """Whether the program and the device hear each other and the greeting is done."""
        return self._ready_sent and self._plugged and self._ground.powered

    def _emit(self, event: DeviceEvent) -> None:
        if self._sink is not None and self._linked():
            self._ground.post(self, self._sink, event)

    def _announce(self) -> None:
        """Send ``DeviceReady`` if the program is there, has not had it, and the device is at rest."""
        if (
            self._sink is None
            or self._ready_sent
            or not self._plugged
            or not self._ground.powered
            or not self._at_rest()
        ):
            return
        self._silent_since_ms = None
        self._on_silence()  # every greeting leaves the device disabled
        self._ready_sent = True
        self._emit(DeviceReady(self._name, self._ground.now_ms, self._info(), self._report()))
        self._after_ready()

    def _at_rest(self) -> bool:
        return True

    def _on_start(self, last_event: int) -> None:  # noqa: B027 - a kind may have nothing to do
        """The program connects; the journal knows of ``last_event``."""

    def _on_silence(self) -> None:  # noqa: B027 - a kind may have nothing to do
        """Nobody is there any more: refuse money."""

    def _after_ready(self) -> None:  # noqa: B027 - a kind may have nothing to do
        """Say again what was not confirmed."""

    @abstractmethod
    def _info(self) -> DeviceInfo:
        """Who the device says it is."""

    def _report(self) -> NoteReport | CoinReport | HopperReport | None:
        return None
