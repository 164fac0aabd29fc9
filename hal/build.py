"""The one place that chooses backends: from a wiring to devices that are not yet started.

The choice is what the wiring says. A device that is not there, a library that is not installed, a world that was not
given are errors or lost devices, never a reason to take another backend.
"""

from collections import defaultdict

from hal.build_pins import gpio_setup
from hal.drivers.ccnet import ccnet_note_acceptor
from hal.drivers.cctalk import CctalkLine
from hal.drivers.ebds import ebds_note_acceptor
from hal.drivers.escpos import escpos_printer
from hal.drivers.gpio_panel import GpioPanel, PulseCoinAcceptor, PulseHopper, PulseNoteAcceptor
from hal.drivers.gpio_process import GpioProcess
from hal.drivers.id003 import id003_note_acceptor
from hal.drivers.ssp import ssp_note_acceptor
from hal.errors import WiringError
from hal.interfaces import CoinAcceptor, Devices, Hopper, NoteAcceptor, Panel
from hal.simulated import World
from hal.wire.cctalk_coin import CoinStation, Sorter
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation
from hal.wire.cctalk_station import Station
from hal.wiring import (
    Gpio,
    PulseCoins,
    PulseNotes,
    SerialCoins,
    SerialHopper,
    SerialNotes,
    Simulated,
    Wiring,
    address_of,
    check,
)
from hal.wiring import PulseHopper as PulseHopperWiring


def build_devices(wiring: Wiring, world: World | None = None) -> Devices:
    """Return the devices, not yet started; no port or chip is touched before ``start``.

    Raises ``WiringError`` for a wiring that contradicts itself, or that names simulated devices when there is no world.
    """
    check(wiring)
    if wiring.needs_world and world is None:
        raise WiringError("the wiring names simulated devices, but there is no simulated world")
    lines = _cctalk_lines(wiring)
    pins = GpioProcess(gpio_setup(wiring, wiring.panel)) if isinstance(wiring.panel, Gpio) else None
    return Devices(
        panel=_panel(pins, world),
        notes=_notes(wiring, lines, pins, world),
        coins=_coins(wiring, lines, pins, world),
        hopper=_hopper(wiring, lines, pins, world),
        printer=None if wiring.printer is None else escpos_printer("printer", wiring.printer.port, wiring.printer.baud),
    )


def _cctalk_lines(wiring: Wiring) -> dict[str, CctalkLine]:
    """Return port -> its ccTalk line with all the stations on it."""
    stations: dict[str, list[Station]] = defaultdict(list)
    notes, coins, hopper = wiring.notes, wiring.coins, wiring.hopper
    if isinstance(notes, SerialNotes) and notes.protocol == "cctalk":
        stations[notes.port].append(NoteStation("notes", wiring.country, address_of("notes", notes.address)))
    if isinstance(coins, SerialCoins):
        address = address_of("coins", coins.address)
        stations[coins.port].append(CoinStation("coins", wiring.country, address, _sorter(coins, hopper)))
    if isinstance(hopper, SerialHopper):
        address = address_of("hopper", hopper.address)
        stations[hopper.port].append(HopperStation("hopper", wiring.country, hopper.coin_minor, address))
    return {port: CctalkLine(port, on_port) for port, on_port in stations.items()}


def _sorter(coins: SerialCoins, hopper: object) -> Sorter | None:
    if coins.hopper_path is None or coins.cash_box_path is None:
        return None
    if not isinstance(hopper, SerialHopper | PulseHopperWiring):
        return None
    return Sorter(coins.hopper_path, coins.cash_box_path, frozenset({hopper.coin_minor}))


def _panel(pins: GpioProcess | None, world: World | None) -> Panel:
    if pins is not None:
        return GpioPanel("panel", pins)
    return _world(world).panel


def _notes(
    wiring: Wiring, lines: dict[str, CctalkLine], pins: GpioProcess | None, world: World | None
) -> NoteAcceptor | None:
    match wiring.notes:
        case None:
            return None
        case Simulated():
            return _world(world).notes
        case PulseNotes():
            return PulseNoteAcceptor("notes", _pins(pins))
        case SerialNotes(protocol="cctalk", port=port):
            return lines[port].note_acceptor("notes")
        case SerialNotes(protocol="ssp", port=port, address=address):
            return ssp_note_acceptor("notes", port, wiring.currency, wiring.minor_per_unit, address or 0)
        case SerialNotes(protocol="id003", port=port, credit_at_lever=at_lever):
            return id003_note_acceptor("notes", port, wiring.currency, wiring.minor_per_unit, at_lever)
        case SerialNotes(protocol="ccnet", port=port):
            return ccnet_note_acceptor("notes", port, wiring.currency, wiring.minor_per_unit)
        case SerialNotes(protocol="ebds", port=port, bills_minor=()):
            return ebds_note_acceptor("notes", port, wiring.currency, wiring.minor_per_unit, extended=True)
        case SerialNotes(protocol="ebds", port=port, bills_minor=bills):
            return ebds_note_acceptor("notes", port, wiring.currency, wiring.minor_per_unit, bills)
        case other:
            raise WiringError(f"notes: there is no protocol {other.protocol}")


def _coins(
    wiring: Wiring, lines: dict[str, CctalkLine], pins: GpioProcess | None, world: World | None
) -> CoinAcceptor | None:
    match wiring.coins:
        case None:
            return None
        case Simulated():
            return _world(world).coins
        case PulseCoins():
            return PulseCoinAcceptor("coins", _pins(pins))
        case SerialCoins(port=port):
            return lines[port].coin_acceptor("coins")


def _hopper(
    wiring: Wiring, lines: dict[str, CctalkLine], pins: GpioProcess | None, world: World | None
) -> Hopper | None:
    match wiring.hopper:
        case None:
            return None
        case Simulated():
            return _world(world).hopper
        case PulseHopperWiring(coin_minor=coin_minor):
            return PulseHopper("hopper", _pins(pins), coin_minor)
        case SerialHopper(port=port):
            return lines[port].hopper("hopper")


def _world(world: World | None) -> World:
    if world is None:
        raise WiringError("a simulated device without a simulated world")
    return world


def _pins(pins: GpioProcess | None) -> GpioProcess:
    if pins is None:
        raise WiringError("a pulse device without pins")
    return pins
