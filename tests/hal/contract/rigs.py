"""The backends that the contract suite runs over: one line each."""

from collections.abc import Callable

from tests.hal.contract.cctalk_rigs import CctalkCoinRig, CctalkHopperRig, CctalkNoteRig, Id003NoteRig
from tests.hal.contract.gpio_rigs import CoinPinRig, HopperPinRig, PanelPinRig
from tests.hal.contract.note_line_rigs import NOTE_LINES, note_line_rig
from tests.hal.contract.rig import CoinRig, HopperRig, NoteRig, PanelRig
from tests.hal.contract.simulated_rigs import (
    SimulatedCoinRig,
    SimulatedHopperRig,
    SimulatedNoteRig,
    SimulatedPanelRig,
)

NOTE_RIGS: dict[str, Callable[[], NoteRig]] = {
    "simulated": SimulatedNoteRig,
    "cctalk": CctalkNoteRig,
    "id003": Id003NoteRig,
    **{name: note_line_rig(name) for name in NOTE_LINES},
}
COIN_RIGS: dict[str, Callable[[], CoinRig]] = {
    "simulated": SimulatedCoinRig,
    "cctalk": CctalkCoinRig,
    "pulse-rpi_gpio": lambda: CoinPinRig("rpi_gpio"),
    "pulse-gpiod": lambda: CoinPinRig("gpiod"),
}
HOPPER_RIGS: dict[str, Callable[[], HopperRig]] = {
    "simulated": SimulatedHopperRig,
    "cctalk": CctalkHopperRig,
    "pulse-rpi_gpio": lambda: HopperPinRig("rpi_gpio"),
    "pulse-gpiod": lambda: HopperPinRig("gpiod"),
}
PANEL_RIGS: dict[str, Callable[[], PanelRig]] = {
    "simulated": SimulatedPanelRig,
    "rpi_gpio": lambda: PanelPinRig("rpi_gpio"),
    "gpiod": lambda: PanelPinRig("gpiod"),
}
