"""One serial port: opened for us alone, read with time stamps, and lost and found again without harm.

The only importer of pyserial. Not responsible for threads or protocols. Damaged bytes (wrong parity, break) are marked
by the kernel (PARMRK) and reported apart. pyserial clears that mark whenever a setting of the port changes, so every
setting is made once, at opening, and reading goes past pyserial.
"""

import contextlib
import errno
import fcntl
import os
import select
import termios
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import serial
from serial.tools import list_ports as pyserial_ports

from hal.errors import PortError

READ_BYTES = 4096
WRITE_TIMEOUT_S = 1.0

_MARK = 0xFF


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How bytes travel on the line. ``dtr`` and ``rts`` are the levels of the port's control lines; many devices and
    adapters take their power from them."""

    baud: int = 9600
    data_bits: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop_bits: Literal[1, 2] = 1
    dtr: bool = True
    rts: bool = True


@dataclass(frozen=True, slots=True)
class Incoming:
    """What one read brought: good bytes in runs, with a damaged byte (or several) between each run and the next."""

    runs: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A serial port of this machine. ``path`` is the stable name if there is one."""

    path: str
    device: str
    manufacturer: str = ""
    product: str = ""
    serial_number: str = ""


class SerialLink:
    """A serial port by its name, preferably one of ``/dev/serial/by-id``."""

    def __init__(self, path: str, settings: LineSettings | None = None) -> None:
        self._path = path
        self._settings = LineSettings() if settings is None else settings
        self._port: serial.Serial | None = None
        self._unmark = _Unmarker()

    @property
    def path(self) -> str:
        """The port's name as configured."""
        return self._path

    @property
    def is_open(self) -> bool:
        """Whether the port is open."""
        return self._port is not None

    def open(self) -> None:
        """Open the port for us alone and forget what lay in its buffer. Raises ``PortError`` with the remedy."""
        self.close()
        settings = self._settings
        port = serial.Serial()
        port.port = self._path
        port.baudrate = settings.baud
        port.bytesize = settings.data_bits
        port.parity = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}[
            settings.parity
        ]
        port.stopbits = settings.stop_bits
        port.timeout = 0
        port.write_timeout = WRITE_TIMEOUT_S
        port.exclusive = True
        port.dtr = settings.dtr
        port.rts = settings.rts
        try:
            port.open()  # forgets what lay in the buffer
            _claim(port.fileno())
            if settings.parity != "none":
                _mark_damaged_bytes(port.fileno())
        except (OSError, ValueError, termios.error) as error:
            port.close()
            raise PortError(f"{self._path}: {_remedy(error)}") from error
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # only USB adapters know it
            port.set_low_latency_mode(True)
            if settings.parity != "none":
                _mark_damaged_bytes(port.fileno())
        self._unmark = _Unmarker(marked=settings.parity != "none")
        self._port = port

    def read(self, timeout_ms: int | None, wake_fd: int) -> Incoming:
        """Wait for bytes, for the time-out, or for ``wake_fd`` to become readable; whatever comes first.

        ``timeout_ms`` None waits without end. Raises ``PortError`` when the port has gone.
        """
        port = self._opened()
        poll = select.poll()
        poll.register(port.fileno(), select.POLLIN)
        poll.register(wake_fd, select.POLLIN)
        ready = dict(poll.poll(timeout_ms))
        if not ready.get(port.fileno()):
            return Incoming()
        try:
            data = os.read(port.fileno(), READ_BYTES)
        except BlockingIOError:
            return Incoming()
        except OSError as error:
            raise PortError(f"{self._path}: {_remedy(error)}") from error
        if not data:
            raise PortError(f"{self._path}: the port has gone; plug its cable in again")
        return Incoming(self._unmark.feed(data))

    def write(self, data: bytes) -> None:
        """Send bytes. Raises ``PortError`` when the port has gone or takes nothing for a second."""
        port = self._opened()
        try:
            port.write(data)
        except (OSError, termios.error) as error:
            raise PortError(f"{self._path}: {_remedy(error)}") from error

    def drain(self) -> None:
        """Wait until the last byte has left. Raises ``PortError`` when the port has gone."""
        port = self._opened()
        try:
            port.flush()
        except (OSError, termios.error) as error:
            raise PortError(f"{self._path}: {_remedy(error)}") from error

    def close(self) -> None:
        """Close the port; may be called twice."""
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(OSError, termios.error):
                port.close()

    def _opened(self) -> serial.Serial:
        if self._port is None:
            raise PortError(f"{self._path}: not open")
        return self._port


class _Unmarker:
    """Undoes the kernel's marking: ``FF FF`` is a good byte FF, ``FF 00 x`` a damaged x (``FF 00 00`` also a break)."""

    def __init__(self, marked: bool = False) -> None:
        self._marked = marked
        self._held = b""

    def feed(self, data: bytes) -> tuple[bytes, ...]:
        """Return runs of good bytes, split where damaged bytes were."""
        if not self._marked:
            return (data,)
        data = self._held + data
        runs = [bytearray()]
        index = 0
        while index < len(data):
            if data[index] != _MARK:
                runs[-1].append(data[index])
                index += 1
            elif len(data) - index < 2 or (data[index + 1] == 0 and len(data) - index < 3):
                break  # the rest of the mark comes with the next read
            elif data[index + 1] == 0:
                runs.append(bytearray())
                index += 3
            else:
                runs[-1].append(_MARK)
                index += 2
        self._held = data[index:]
        return tuple(bytes(run) for run in runs)


def list_ports() -> list[PortInfo]:
    """Return the serial ports of this machine, each with its stable name and what its adapter says of itself."""
    stable = _stable_names()
    found = [
        PortInfo(
            path=stable.get(str(Path(port.device).resolve()), port.device),
            device=port.device,
            manufacturer=port.manufacturer or "",
            product=port.product or "",
            serial_number=port.serial_number or "",
        )
        for port in pyserial_ports.comports()
    ]
    return sorted(found, key=lambda port: port.path)


def _stable_names() -> dict[str, str]:
    """Return device file -> its name under ``/dev/serial``; by-id wins over by-path."""
    names: dict[str, str] = {}
    for folder in ("/dev/serial/by-path", "/dev/serial/by-id"):
        if Path(folder).is_dir():
            names.update({str(link.resolve()): str(link) for link in sorted(Path(folder).iterdir())})
    return names


def _claim(descriptor: int) -> None:
    """Keep other programs out, also those that don't look at pyserial's lock."""
    with contextlib.suppress(OSError):
        fcntl.ioctl(descriptor, termios.TIOCEXCL)


def _mark_damaged_bytes(descriptor: int) -> None:
    attributes = termios.tcgetattr(descriptor)
    attributes[0] |= termios.INPCK | termios.PARMRK
    attributes[0] &= ~(termios.IGNPAR | termios.IGNBRK | termios.BRKINT | termios.ISTRIP)
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)


def _remedy(error: BaseException) -> str:
    number = _error_number(error)
    if number == errno.ENOENT:
        others = _names(port.path for port in list_ports())
        return f"no such port; plug the device in or correct the configuration (ports here: {others})"
    if number in (errno.EACCES, errno.EPERM):
        return "no permission; add the user to the group dialout and log in again"
    if number in (errno.EBUSY, errno.EAGAIN):
        return "another program uses the port; stop it"
    if number in (errno.EIO, errno.ENXIO, errno.ENODEV, errno.EBADF):
        return "the port has gone; plug its cable in again"
    if number == errno.ENOTTY or isinstance(error, termios.error):
        return "not a serial port; correct the configuration"
    return f"{error}" or type(error).__name__


def _error_number(error: BaseException) -> int | None:
    """Return the errno of an error; pyserial wraps a failed lock without one."""
    if isinstance(error, termios.error):
        return int(error.args[0]) if error.args and isinstance(error.args[0], int) else None
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    inner = error.__context__
    return _error_number(inner) if inner is not None else None


def _names(paths: Iterable[str]) -> str:
    return ", ".join(paths) or "none"
