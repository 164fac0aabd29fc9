"""How a wire protocol's host and the thread that owns its port speak with each other.

A session is sans-I/O: it is told what came in, what time it is and what the program wants, and answers with bytes to
send and events to report. It never looks at a clock, opens a port or sleeps, so a whole dialogue, its time-outs and the
power cuts in it are tested in one thread without waiting. ``hal.drivers.port_thread`` runs any session on a port.

A small session, for a device that answers ``P`` with ``A`` while it is well::

    class Ping:
        def __init__(self, device: str) -> None:
            self._device = device
            self._deadline_ms: int | None = None
            self._heard = False

        @property
        def deadline_ms(self) -> int | None:
            return self._deadline_ms

        def opened(self, now_ms: int) -> list[Output]:
            self._deadline_ms = now_ms + 200
            return [Send(b"P")]

        def closed(self, now_ms: int) -> list[Output]:
            self._deadline_ms, self._heard = None, False
            return []

        def receive(self, data: bytes, now_ms: int) -> list[Output]:
            if b"A" not in data or self._heard:
                return []
            self._heard = True
            return [Report(DeviceReady(self._device, now_ms, DeviceInfo(product="ping")))]

        def line_error(self, now_ms: int) -> list[Output]:
            return []

        def timeout(self, now_ms: int) -> list[Output]:  # called once now_ms >= deadline_ms
            self._deadline_ms = now_ms + 200
            return [Send(b"P")]

        def command(self, command: Command, now_ms: int) -> list[Output]:
            match command:
                case Start():
                    return []
                case Stop():
                    self._deadline_ms = None
                    return []
            raise LocalProtocolError(f"{self._device} can't {command}")

Rules for every session:

* Methods return at once; outputs are carried out in their order.
* Nothing that the other side sends raises: a frame that is wrong (``RemoteProtocolError`` of the codec) is counted,
  answered as the protocol says, and waited out. ``LocalProtocolError`` is for our own mistakes.
* ``DeviceReady`` only when the device is at rest (no note moving, no pay-out running), so that its report is the truth.
  After every ``DeviceReady`` the device is disabled until ``Enable`` comes again.
* A device acknowledgement that settles money is sent only on ``Confirm``.
* ``DeviceLost`` comes from the session when a device stops answering, from the thread when the port has gone.
* Several devices on one line are one session that looks at ``command.device``.
* After ``Stop`` for all its devices a session sends what makes them safe and then has no deadline any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from hal.events import DeviceEvent

NO_ANSWER: Final = "no answer"
NONSENSE: Final = "what comes makes no sense: another device, another protocol or another speed"
"""Reasons of a ``DeviceLost``: nothing came, or nothing that is of the protocol."""

# --- what a session wants ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Send:
    """Put these bytes on the line."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Report:
    """Hand this event to the program."""

    event: DeviceEvent


Output = Send | Report
Outputs = Sequence[Output]

# --- what the program wants ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """Begin to work with this device; ``last_event`` as in ``hal.interfaces.Device.start``."""

    device: str
    last_event: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """Make this device safe and leave it alone."""

    device: str


@dataclass(frozen=True, slots=True)
class Enable:
    """Take these notes or coins; a session keeps the set and refuses all others. The last ``Enable`` counts."""

    device: str
    values_minor: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Disable:
    """Take no money."""

    device: str


@dataclass(frozen=True, slots=True)
class StackNote:
    """Move the escrowed note to the cash box. An unknown ``escrow_id`` changes nothing."""

    device: str
    escrow_id: str


@dataclass(frozen=True, slots=True)
class ReturnNote:
    """Give the escrowed note back. An unknown ``escrow_id`` changes nothing."""

    device: str
    escrow_id: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """The credit with this key is committed."""

    device: str
    key: str


@dataclass(frozen=True, slots=True)
class Route:
    """Send further coins to ``hopper`` or ``cash_box``."""

    device: str
    to: str


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay coins out; a repeated ``payout_id`` never pays twice."""

    device: str
    payout_id: str
    coin_count: int


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop the motor at once."""

    device: str


@dataclass(frozen=True, slots=True)
class PrintSlip:
    """Print these lines; a repeated ``slip_id`` prints nothing."""

    device: str
    slip_id: str
    lines: tuple[str, ...]


Command = Start | Stop | Enable | Disable | StackNote | ReturnNote | Confirm | Route | Pay | Halt | PrintSlip


class Session(Protocol):
    """The host's side of one line. All times are milliseconds of one monotonic clock that is passed in."""

    @property
    def deadline_ms(self) -> int | None:
        """When ``timeout`` wants to be called; None while there is nothing to wait for. Asked again after every call."""

    def opened(self, now_ms: int) -> Outputs:
        """The port is open, for the first time or again. Devices that have had ``Start`` are to be looked for now."""

    def closed(self, now_ms: int) -> Outputs:
        """The port has gone: half a frame is void, no device is ready. The thread itself reports ``DeviceLost``."""

    def receive(self, data: bytes, now_ms: int) -> Outputs:
        """Bytes came in; ``now_ms`` is when the last of them was read."""

    def line_error(self, now_ms: int) -> Outputs:
        """A byte came with a wrong parity bit or as a break, and was dropped: the frame it was in is void."""

    def timeout(self, now_ms: int) -> Outputs:
        """The deadline has passed."""

    def command(self, command: Command, now_ms: int) -> Outputs:
        """The program wants something; it may come at any time, also while the port is closed or a reply is awaited.

        Raises ``LocalProtocolError`` for a command that this kind of device can never carry out.
        """
