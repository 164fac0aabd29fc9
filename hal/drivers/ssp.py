"""An SSP note validator (Innovative Technology) on a serial port."""

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialNoteAcceptor
from hal.drivers.serial_link import LineSettings, SerialLink
from hal.wire.ssp_host import SspHost
from hal.wire.ssp_link import Cipher

LINE = LineSettings(baud=9600, stop_bits=2)


def ssp_note_acceptor(
    name: str, path: str, currency: str, minor_per_unit: int = 100, address: int = 0, cipher: Cipher | None = None
) -> SerialNoteAcceptor:
    """Return the acceptor ``name`` on the port ``path``, not yet started. It takes notes of ``currency`` only."""
    host = SspHost(name, currency, minor_per_unit, address, cipher)
    return SerialNoteAcceptor(name, PortThread(SerialLink(path, LINE), host))
