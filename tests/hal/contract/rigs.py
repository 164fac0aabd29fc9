"""The backends that the contract suite runs over: one line each."""

from collections.abc import Callable

from tests.hal.contract.rig import CoinRig, HopperRig, NoteRig, PanelRig
from tests.hal.contract.simulated_rigs import (
    SimulatedCoinRig,
    SimulatedHopperRig,
    SimulatedNoteRig,
    SimulatedPanelRig,
)

NOTE_RIGS: dict[str, Callable[[], NoteRig]] = {"simulated": SimulatedNoteRig}
COIN_RIGS: dict[str, Callable[[], CoinRig]] = {"simulated": SimulatedCoinRig}
HOPPER_RIGS: dict[str, Callable[[], HopperRig]] = {"simulated": SimulatedHopperRig}
PANEL_RIGS: dict[str, Callable[[], PanelRig]] = {"simulated": SimulatedPanelRig}
