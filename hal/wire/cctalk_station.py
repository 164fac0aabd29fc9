"""One device on a ccTalk bus: what all kinds of dialogue have in common.

A dialogue is a generator that yields what it wants next, ``Ask`` or ``Pause``, and gets the reply; a reply that does not
come is thrown into it. So the order of a dialogue reads from top to bottom, while bytes, echo, repeats and time-outs stay
with the bus. No clock: the bus says what time it is. Not responsible for any one kind of device.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from hal.errors import HalError, RemoteProtocolError
from hal.events import DeviceEvent, DeviceInfo, DeviceLost
from hal.wire.cctalk import ACK, Checksum, Reply
from hal.wire.cctalk_messages import (
    CATEGORY,
    MANUFACTURER,
    PRODUCT_CODE,
    SERIAL_NUMBER,
    SIMPLE_POLL,
    SOFTWARE_REVISION,
    is_category,
    serial_number,
    text,
)
from hal.wire.fault_board import FaultBoard
from hal.wire.session import Command

REPLY_MS = 500
"""How long a device may take to begin its answer; good ones take 50 ms."""
LOST_AFTER_MS = 3_000
"""A device that never answered is reported lost after this time."""
FIND_INTERVAL_MS = 500
WRONG_DEVICE_PAUSE_MS = 5_000
DAMAGE_LIMIT_COUNT, DAMAGE_WINDOW_MS = 5, 30_000
"""So many damaged answers within the window are a fault of the wiring, although repeats heal each of them."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask:
    """One request and what a good reply looks like.

    ``least`` and ``most`` are the bytes of data in the reply. ``try_count`` is 1 for what must not be sent twice.
    """

    header: int
    data: bytes = b""
    least: int = 0
    most: int = 0
    try_count: int = 3
    reply_ms: int = REPLY_MS


@dataclass(frozen=True, slots=True)
class Pause:
    """Do nothing for a while; a command of the terminal ends it early."""

    ms: int


class NoReply(HalError):
    """Thrown into a dialogue: no usable reply after all tries."""


class Refused(HalError):
    """Thrown into a dialogue: the device answered with NAK."""


class WrongDevice(HalError):
    """Raised by a dialogue: something else answers at this address."""


class Restarted(HalError):
    """Raised by a dialogue: the device has lost its settings, so it was reset."""


Script = Generator[Ask | Pause, Reply, T]


class Station(ABC):
    """The dialogue with one device. The bus drives it; the driver's commands change what it wants."""

    def __init__(self, name: str, address: int, checksums: tuple[Checksum, ...]) -> None:
        self.name = name
        self.address = address
        self.checksum = checksums[0]
        self._checksums = checksums
        self.events: list[DeviceEvent] = []
        self.wanted: Ask | None = None
        self.due_ms = 0
        self.info = DeviceInfo()
        self._faults = FaultBoard(name, self.events.append)
        self._now_ms = 0
        self._reachable_ms = 0
        self._lost_reported = False
        self._damages_ms: list[int] = []
        self._script: Script[None] = self._live()
        self._is_over = True
        self._stopping = False

    # --- the bus's side -------------------------------------------------------------------------------------------

    def begin(self, now_ms: int) -> None:
        """The port is open: look for the device."""
        self._now_ms = self._reachable_ms = now_ms
        self._stopping = False
        self._script = self._live()
        self._is_over = False
        self._want(next(self._script))

    def cut(self) -> None:
        """The port has gone, and with it the dialogue; what is known of money stays known."""
        self._end()
        self._lost_reported = True  # by whoever noticed

    def answer(self, reply: Reply, now_ms: int) -> None:
        """Hand over the reply to what was wanted, or wake the dialogue after a pause."""
        self._now_ms = now_ms
        if self.wanted is not None:
            self._reachable_ms = now_ms
        self._advance(reply)

    def wake(self, now_ms: int) -> None:
        """A pause is over."""
        self.answer(Reply(ACK), now_ms)

    def fail(self, error: NoReply | Refused, now_ms: int) -> None:
        """Tell the dialogue that it gets no reply."""
        self._now_ms = now_ms
        self._advance(error)

    def note_damage(self, now_ms: int) -> None:
        """An answer of this device was damaged on the line."""
        self._now_ms = now_ms
        self._damages_ms = [at_ms for at_ms in self._damages_ms if at_ms > now_ms - DAMAGE_WINDOW_MS] + [now_ms]
        if len(self._damages_ms) >= DAMAGE_LIMIT_COUNT:
            detail = f"{len(self._damages_ms)} damaged answers within {DAMAGE_WINDOW_MS // 1000} s; check the wiring"
            self._faults.up("checksum", detail, now_ms)

    def command(self, command: Command, now_ms: int) -> None:
        """The program wants something. Raises LocalProtocolError for what this kind of device can't do."""
        self._now_ms = now_ms
        self._take_command(command)
        self._hurry()

    def shut_down(self) -> None:
        """Leave the device harmless and end the dialogue."""
        self._stopping = True
        self._hurry()

    @property
    def is_over(self) -> bool:
        """Whether there is no dialogue: not begun, cut, or ended after ``shut_down``."""
        return self._is_over

    # --- for the kinds of device ----------------------------------------------------------------------------------

    @abstractmethod
    def start(self, last_event: int) -> None:
        """The program begins to work with this device; see ``hal.interfaces.Device.start``."""

    @abstractmethod
    def _take_command(self, command: Command) -> None:
        """Note what the program wants; the dialogue does it at its next turn."""

    @abstractmethod
    def _connect(self) -> Script[None]:
        """Identify and set up the device that answers; ends with ``DeviceReady``."""

    @abstractmethod
    def _work(self) -> Script[None]:
        """One turn of the work with a device that is ready."""

    @abstractmethod
    def _make_safe(self) -> Script[None]:
        """Refuse money, stop motors."""

    def _emit(self, event: DeviceEvent) -> None:
        self.events.append(event)

    def _settle_faults(self) -> None:
        """Take down what is over: incidents, and a bad line that has been good for long enough."""
        self._faults.settle(self._now_ms)
        quiet_ms = self._faults.up_for_ms("checksum", self._now_ms)
        if quiet_ms is not None and quiet_ms >= DAMAGE_WINDOW_MS:
            self._faults.down(("checksum",), self._now_ms)

    def _hurry(self) -> None:
        """End a pause now."""
        if self.wanted is None:
            self.due_ms = self._now_ms

    def _try(self, ask: Ask) -> Script[bytes | None]:
        """Ask what not every device can answer: None if this one refuses, or is silent although it is there."""
        try:
            return (yield ask).data
        except Refused:
            return None
        except NoReply:
            yield Ask(SIMPLE_POLL)
            return None

    def _identify(self, category: str) -> Script[None]:
        """Read who answers. Raises WrongDevice if it is not a ``category``."""
        said = text((yield Ask(CATEGORY, most=255)).data)
        if not is_category(said, category):
            raise WrongDevice(f"a {said!r} answers at address {self.address} instead of a {category!r}")
        manufacturer = yield from self._try(Ask(MANUFACTURER, most=255))
        product = yield from self._try(Ask(PRODUCT_CODE, most=255))
        serial = yield from self._try(Ask(SERIAL_NUMBER, least=3, most=4))
        firmware = yield from self._try(Ask(SOFTWARE_REVISION, most=255))
        self.info = DeviceInfo(
            text(manufacturer or b""),
            text(product or b""),
            serial_number(serial) if serial else self.name,
            text(firmware or b""),
        )

    # --- inside ---------------------------------------------------------------------------------------------------

    def _advance(self, result: Reply | HalError) -> None:
        script = self._script
        try:
            self._want(script.send(result) if isinstance(result, Reply) else script.throw(result))
        except StopIteration:
            self._end()

    def _end(self) -> None:
        self._is_over = True
        self.wanted = None

    def _want(self, wanted: Ask | Pause) -> None:
        if isinstance(wanted, Ask):
            self.wanted, self.due_ms = wanted, self._now_ms
        else:
            self.wanted, self.due_ms = None, self._now_ms + wanted.ms

    def _live(self) -> Script[None]:
        while not self._stopping:
            try:
                yield from self._find()
                if not self._stopping:
                    yield from self._connect()
                self._lost_reported = False
                while not self._stopping:
                    yield from self._work()
            except WrongDevice as error:
                self._lost(str(error))
                yield Pause(WRONG_DEVICE_PAUSE_MS)
            except (NoReply, Refused, Restarted, RemoteProtocolError) as error:
                self._lost(str(error))
        with suppress(NoReply, Refused):  # nobody is there to be made safe
            yield from self._make_safe()

    def _find(self) -> Script[None]:
        """Poll until the device answers, in each form that it may speak."""
        form = 0
        while not self._stopping:
            self.checksum = self._checksums[form % len(self._checksums)]
            try:
                yield Ask(SIMPLE_POLL, try_count=1)
                return
            except (NoReply, Refused) as error:
                form += 1
                if self._now_ms - self._reachable_ms >= LOST_AFTER_MS:
                    self._lost(f"{error}")
            yield Pause(FIND_INTERVAL_MS)

    def _lost(self, reason: str) -> None:
        if not self._lost_reported:
            self._lost_reported = True
            self._emit(DeviceLost(self.name, self._now_ms, reason))
