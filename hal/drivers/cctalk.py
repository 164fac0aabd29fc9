"""ccTalk devices on a serial port: coin acceptor, hopper and bill validator, alone or together on one wire."""

from collections.abc import Iterable

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialCoinAcceptor, SerialHopper, SerialNoteAcceptor
from hal.drivers.serial_link import LineSettings, SerialLink
from hal.errors import WiringError
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation
from hal.wire.cctalk_station import Station

LINE = LineSettings(baud=9600)


class CctalkLine:
    """All ccTalk devices of one port. Everything here raises ``WiringError`` for what the line does not have."""

    def __init__(self, path: str, stations: Iterable[Station]) -> None:
        everything = tuple(stations)
        self._stations: dict[str, Station] = {station.name: station for station in everything}
        addresses = {station.address: station.name for station in everything}
        if not everything or len(self._stations) < len(everything) or len(addresses) < len(everything):
            names = ", ".join(f"{station.name} at {station.address}" for station in everything) or "none"
            raise WiringError(f"{path}: the devices of a ccTalk line need different names and addresses, here: {names}")
        self._port = PortThread(SerialLink(path, LINE), CctalkBus(everything))

    def coin_acceptor(self, name: str) -> SerialCoinAcceptor:
        """Return the coin acceptor ``name``, not yet started."""
        if not isinstance(self._station(name), CoinStation):
            raise WiringError(f"{name} on this ccTalk line is no coin acceptor")
        return SerialCoinAcceptor(name, self._port)

    def note_acceptor(self, name: str) -> SerialNoteAcceptor:
        """Return the bill validator ``name``, not yet started."""
        if not isinstance(self._station(name), NoteStation):
            raise WiringError(f"{name} on this ccTalk line is no bill validator")
        return SerialNoteAcceptor(name, self._port)

    def hopper(self, name: str) -> SerialHopper:
        """Return the hopper ``name``, not yet started."""
        station = self._station(name)
        if not isinstance(station, HopperStation):
            raise WiringError(f"{name} on this ccTalk line is no hopper")
        return SerialHopper(name, self._port, station.coin_value_minor)

    def _station(self, name: str) -> Station:
        if name not in self._stations:
            raise WiringError(f"there is no {name} on this ccTalk line")
        return self._stations[name]
