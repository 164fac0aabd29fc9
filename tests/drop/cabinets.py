"""The cabinets whose drop is counted: simulated devices on a clock of their own, or byte-level ones in real time.

Byte-level devices answer the program's real drivers over ptys, from threads of their own, and any frame that they send may
be lost, garbled or repeated. Not responsible for who plays and what is counted (``campaign``) or for faults (``troubles``).
"""

from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from display.view_model import Gesture
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import STEP_MS, SimulatedCabinet, world_config
from firmware.simulator.emulated import EmulatedCabinet
from hal.emulated_world import EmulatedWorld
from hal.emulators.base import Faults
from tests.support.cabinet import CabinetUnderTest, settings_for

Kind = Literal["simulated", "ssp", "id003", "ccnet", "ebds", "cctalk"]
"""Simulated hardware, or which protocol the byte-level note acceptor speaks; coins and hopper are then ccTalk."""
EMULATED: Final[tuple[Kind, ...]] = ("ssp", "id003", "ccnet", "ebds", "cctalk")
LINE: Final = Faults(corrupt=0.0005, drop=0.002, repeat=0.001, noise=0.0005)
"""How often a frame of a byte-level device suffers."""


class EmulatedCabinetUnderTest(EmulatedCabinet, CabinetUnderTest):
    """Byte-level devices on bad lines, in real time: nobody waits longer than for what was begun."""

    def __init__(self, settings: Settings, protocol: Kind, seed: int) -> None:
        """Start the devices; the program starts with ``boot``."""
        if protocol == "simulated":
            raise ValueError("simulated devices have no protocol")
        faults = replace(LINE, seed=seed)
        self.hardware = EmulatedWorld(protocol, world_config(settings), faults=faults, paced=True)
        SimulatedCabinet.__init__(self, settings, seed=seed, world=self.hardware)
        self._heard_ms = 0

    def press(self, name: str) -> None:
        """Press a button just long enough."""
        button = self._button_of(name)
        self.act(lambda world: world.press(button), wait_ms=STEP_MS)
        self.act(lambda world: world.release(button), wait_ms=STEP_MS)

    def touch(self, target: str, kind: str = "tap", onto: str = "") -> None:
        """Touch a place; what comes of it comes at once."""
        self._inbox.append(Gesture(target, kind, onto))
        self.wait(STEP_MS)


def cabinet_of(kind: Kind, folder: Path, seed: int) -> CabinetUnderTest:
    """Build a cabinet whose store lies in a folder; equal seeds deal equal cards."""
    settings = settings_for(folder, large_win_minor=10**9)
    if kind == "simulated":
        return CabinetUnderTest(settings, seed=seed)
    return EmulatedCabinetUnderTest(settings, kind, seed)
