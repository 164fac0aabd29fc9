"""The same cabinet with byte-level devices: real drivers on ports that are ptys, in real time.

The verbs are the simulated cabinet's. The devices work in threads of their own, so a verb that moves money, and a start,
end when all is at rest, not after a fixed time. What lies in the devices ends with the process; the journal does not.
Not responsible for the devices (``hal.emulated_world``).
"""

from typing import Final

from firmware.clock import ManualClock
from firmware.settings.sections import SerialProtocol, Settings
from firmware.simulator.cabinet import PAUSE_MS, ImpossibleActionError, SimulatedCabinet, world_config
from firmware.terminal.step import Stimulus
from hal.emulated_world import EmulatedWorld
from hal.simulated.ground import ImpossibleAction

DEFAULT_PROTOCOL: Final[SerialProtocol] = "ssp"
QUIET_MS: Final = 1_000
"""All is at rest when the devices have reported nothing for so long; a driver asks each device more often than that."""
PATIENCE_MS: Final = 30_000
"""A device that has not come to rest after so long is left to the script's expectations."""
_MOVING: Final = ("accepting", "escrow", "stacking", "returning")


def emulated_protocol(settings: Settings, wanted: SerialProtocol | None) -> SerialProtocol:
    """Return the protocol of the emulated note acceptor: the one asked for, else the settings', else the usual one."""
    return wanted or settings.devices.note_acceptor.emulates or DEFAULT_PROTOCOL


def emulated_world(settings: Settings, protocol: SerialProtocol, now_ms: int = 0, *, paced: bool) -> EmulatedWorld:
    """Start the emulated devices of a cabinet with these settings.

    Raises:
        ImpossibleActionError: the settings ask for hardware that is not emulated.
    """
    try:
        return EmulatedWorld(protocol, world_config(settings), now_ms, paced=paced)
    except ImpossibleAction as error:
        raise ImpossibleActionError(f"sim: --devices emulated: {error}") from None


class EmulatedCabinet(SimulatedCabinet):
    """See ``SimulatedCabinet``; ``protocol`` is the note acceptor's. Coins and hopper are ccTalk."""

    patience_ms = 10_000

    def __init__(
        self,
        settings: Settings,
        protocol: SerialProtocol,
        *,
        seed: int | None = None,
        clock: ManualClock | None = None,
    ) -> None:
        """Start the devices; the program starts with ``boot``."""
        super().__init__(settings, seed=seed, clock=clock, world=emulated_world(settings, protocol, paced=True))
        self._heard_ms = 0

    def settle(self, milliseconds: int) -> None:
        """Wait until every device has answered or is lost, nothing moves, and all have been quiet for a while."""
        self.wait(PAUSE_MS)
        end_ms = self.clock.monotonic_ms() + PATIENCE_MS
        while self.clock.monotonic_ms() < end_ms and not self._is_at_rest():
            self.wait(PAUSE_MS // 2)

    def _is_at_rest(self) -> bool:
        if self.clock.monotonic_ms() - self._heard_ms < QUIET_MS:
            return False
        if not self.is_running:
            return True
        state = self.terminal.state
        known = state.screen.ready | {fault.device for fault in state.recorded.faults}
        if any(device.name not in known for device in self.world.devices.all()):
            return False
        return state.recorded.note is None and self.world.readings.note_state not in _MOVING

    def _hear(self, stimulus: Stimulus) -> None:
        self._heard_ms = self.clock.monotonic_ms()
        super()._hear(stimulus)
