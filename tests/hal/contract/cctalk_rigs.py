"""Emulated ccTalk and ID-003 devices as rigs of the contract suite."""

from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.emulators.cctalk_note import CctalkBillValidator
from hal.emulators.id003 import Id003Acceptor
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation
from hal.wire.id003_host import Id003Host
from tests.hal.contract.loop_rigs import LoopCoinRig, LoopHopperRig, LoopNoteRig


class CctalkNoteRig(LoopNoteRig[CctalkBillValidator]):
    """A bill validator."""

    def __init__(self) -> None:
        super().__init__(CctalkBillValidator(), lambda: CctalkBus([NoteStation("notes", "EU")]))


class CctalkCoinRig(LoopCoinRig[CctalkCoinAcceptor]):
    """A coin acceptor."""

    def __init__(self) -> None:
        super().__init__(CctalkCoinAcceptor(), lambda: CctalkBus([CoinStation("coins", "EU")]))


class CctalkHopperRig(LoopHopperRig[CctalkHopper]):
    """A hopper."""

    def __init__(self) -> None:
        super().__init__(CctalkHopper(), lambda: CctalkBus([HopperStation("hopper", "EU", 100)]))


class Id003NoteRig(LoopNoteRig[Id003Acceptor]):
    """A bill acceptor."""

    def __init__(self) -> None:
        super().__init__(Id003Acceptor(), lambda: Id003Host("notes", "EUR"))
