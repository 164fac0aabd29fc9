"""Performing the effects of a decision on devices and on the world behind the menu.

Only what is committed comes here. Not responsible for ending the program (``loop``) or for what became of an effect:
that comes as an event or stimulus.
"""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.clock import Clock
from firmware.errors import InvariantError
from firmware.menu_service import MenuService
from firmware.presenter.present import House
from firmware.presenter.slip import handpay_slip, void_slip
from firmware.terminal.state import State
from firmware.terminal.step import (
    CheckMemory,
    CheckRandom,
    ClearMemory,
    ConfirmCoin,
    ConfirmNote,
    Effect,
    Environment,
    HaltHopper,
    PayHopper,
    PrintReport,
    PrintSlip,
    PrintTest,
    PulseMeter,
    ReturnNote,
    SaveReport,
    SetClock,
    StackNote,
    Stimulus,
    StopReport,
)
from hal.interfaces import Devices


@dataclass(frozen=True, slots=True)
class Hands:
    """What effects act on. ``sink`` takes what a slow effect has to tell, from any thread."""

    devices: Devices
    service: MenuService
    house: House
    clock: Clock
    sink: Callable[[Stimulus], None]

    def perform(self, effect: Effect, state: State, environment: Environment) -> None:
        """Perform one effect. Raises InvariantError for one that needs a device which is not there."""
        notes, coins, hopper = self.devices.notes, self.devices.coins, self.devices.hopper
        match effect:
            case StackNote(escrow_id) if notes is not None:
                notes.stack(escrow_id)
            case ReturnNote(escrow_id) if notes is not None:
                notes.return_note(escrow_id)
            case ConfirmNote(key) if notes is not None:
                notes.confirm(key)
            case ConfirmCoin(key) if coins is not None:
                coins.confirm(key)
            case PayHopper(payout_id, coin_count) if hopper is not None:
                hopper.pay(payout_id, coin_count)
            case HaltHopper() if hopper is not None:
                hopper.halt()
            case PrintReport(slip_id, report, language) if self.devices.printer is not None:
                self.devices.printer.print_slip(slip_id, self.service.paper(report, language, state, environment))
            case SaveReport():
                self.service.save(effect, state, environment, self.sink)
            case StopReport(level):
                self.service.desk.stop(level)
            case ClearMemory():
                self.service.clear(effect, self.sink)
            case _:
                self._try(effect, state, environment)

    def _try(self, effect: Effect, state: State, environment: Environment) -> None:
        """Perform what is printed, and what the menu tries."""
        printer, language = self.devices.printer, environment.options.languages[0]
        match effect:
            case PrintSlip(slip_id, amount_minor) if printer is not None:
                commissioned = state.recorded.commissioned
                currency = commissioned.currency if commissioned is not None else ""
                say, wall_ms = self.service.say(language, currency), self.clock.wall_ms()
                printer.print_slip(slip_id, handpay_slip(self.house, say, slip_id, amount_minor, wall_ms))
            case PrintTest(slip_id) if printer is not None:
                say = self.service.say(language, "")
                printer.print_slip(slip_id, void_slip(self.house, say, slip_id, self.clock.wall_ms()))
            case PulseMeter(meter, step_count):
                self.devices.panel.pulse_meter(meter, step_count)
            case CheckMemory():
                self.service.check_memory(self.sink)
            case CheckRandom():
                self.service.check_random(self.sink)
            case SetClock():
                self.service.change_clock(effect, self.clock.wall_ms(), self.sink)
            case _:
                raise InvariantError(f"no device for {effect}")
