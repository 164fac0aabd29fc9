"""A CCNET bill validator (CashCode) on a serial port."""

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialNoteAcceptor
from hal.drivers.serial_link import LineSettings, SerialLink
from hal.wire.ccnet_host import CcnetHost

LINE = LineSettings(baud=9600)


def ccnet_note_acceptor(name: str, path: str, currency: str, minor_per_unit: int = 100) -> SerialNoteAcceptor:
    """Return the acceptor ``name`` on the port ``path``, not yet started. It takes notes of ``currency`` only."""
    return SerialNoteAcceptor(name, PortThread(SerialLink(path, LINE), CcnetHost(name, currency, minor_per_unit)))
