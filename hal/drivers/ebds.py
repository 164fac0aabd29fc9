"""An EBDS bill acceptor (MEI, CPI, Pyramid) on a serial port."""

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialNoteAcceptor
from hal.drivers.serial_link import LineSettings, SerialLink
from hal.wire.ebds_host import DOLLARS_MINOR, EbdsHost

LINE = LineSettings(baud=9600, data_bits=7, parity="even")


def ebds_note_acceptor(
    name: str,
    path: str,
    currency: str = "",
    minor_per_unit: int = 100,
    bills_minor: tuple[int, ...] = DOLLARS_MINOR,
    extended: bool = False,
) -> SerialNoteAcceptor:
    """Return the acceptor ``name`` on the port ``path``, not yet started.

    With ``extended`` it says itself what a note is worth, and only notes of ``currency`` are taken; else bills 1 to 7
    are worth ``bills_minor``, which must be what its firmware was made for.
    """
    host = EbdsHost(name, currency, minor_per_unit, bills_minor, extended)
    return SerialNoteAcceptor(name, PortThread(SerialLink(path, LINE), host))
