"""Simulated devices as objects with two vocabularies.

The program sees the interfaces of ``hal.interfaces``; the hand of the world (a test, a script, the simulator's cabinet
panel) puts in notes, presses buttons, opens doors and pulls the plug through ``World``. Nothing here sleeps or looks at
a clock: time is what ``World.advance`` says.
"""

from hal.simulated.coin_acceptor import SimulatedCoinAcceptor
from hal.simulated.ground import ImpossibleAction
from hal.simulated.hopper import SimulatedHopper
from hal.simulated.note_acceptor import SimulatedNoteAcceptor
from hal.simulated.panel import SimulatedPanel
from hal.simulated.state import WorldFileError
from hal.simulated.world import Readings, World, WorldConfig

__all__ = [
    "ImpossibleAction",
    "Readings",
    "SimulatedCoinAcceptor",
    "SimulatedHopper",
    "SimulatedNoteAcceptor",
    "SimulatedPanel",
    "World",
    "WorldConfig",
    "WorldFileError",
]
