"""An ESC/POS printer on a serial port."""

from collections.abc import Iterable

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialDevice
from hal.drivers.serial_link import LineSettings, SerialLink
from hal.wire.escpos import CP866, MOST_COLUMNS, MOST_LINES, CodePage
from hal.wire.escpos_host import EscposHost
from hal.wire.session import PrintSlip


class SerialPrinter(SerialDevice):
    """See ``hal.interfaces.Printer``."""

    def print_slip(self, slip_id: str, lines: Iterable[str]) -> None:
        """Print a slip. Raises ValueError for one that is too long or too wide for a printer."""
        rows = tuple(lines)
        if len(rows) > MOST_LINES or any(len(row) > MOST_COLUMNS for row in rows):
            raise ValueError(f"slip {slip_id}: at most {MOST_LINES} lines of {MOST_COLUMNS} characters")
        self._orders.command(PrintSlip(self._name, slip_id, rows))


def escpos_printer(name: str, path: str, baud: int = 19_200, page: CodePage = CP866) -> SerialPrinter:
    """Return the printer ``name`` on the port ``path``, not yet started. Its code page has Latin and Cyrillic letters."""
    return SerialPrinter(name, PortThread(SerialLink(path, LineSettings(baud=baud)), EscposHost(name, page)))
