"""An ID-003 bill acceptor (JCM) on a serial port: 9600 baud, 8 data bits, even parity."""

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialNoteAcceptor
from hal.drivers.serial_link import LineSettings, SerialLink
from hal.wire.id003_host import Id003Host
from hal.wire.id003_messages import Command

LINE = LineSettings(baud=9600, parity="even")


def id003_note_acceptor(
    name: str, path: str, currency: str, minor_per_unit: int = 100, credit_at_lever: bool = False
) -> SerialNoteAcceptor:
    """Return the acceptor ``name`` on the port ``path``, not yet started. It takes notes of ``currency`` only.

    It credits a note when it is in the cash box (STACK-2). ``credit_at_lever`` is for units that know only STACK-1, which
    credits a note when it has passed the lever that lets it no more back.

    When only the program ended, the unit still shows VEND VALID: the report then names the order that the note belongs to
    (``hal.events.FormerNote``) and the unit is acknowledged after its confirmation. When the unit lost power as well,
    the report is uncertain: what it shows after RESET differs from unit to unit.
    """
    stack = Command.STACK_1 if credit_at_lever else Command.STACK_2
    host = Id003Host(name, currency, minor_per_unit, stack)
    return SerialNoteAcceptor(name, PortThread(SerialLink(path, LINE), host))
