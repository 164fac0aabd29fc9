"""The simulated hopper: one coin each 120 ms into the tray, and a memory of its pay-outs.

Like a hopper with its own processor it goes on paying when only the program dies, and stops when the power goes; it
remembers what it paid for each ``payout_id`` and never pays one twice.
"""

from hal.events import DeviceFault, DeviceInfo, HopperDone, HopperPaid, HopperReport
from hal.simulated.ground import Ground, ImpossibleAction, SimulatedDevice
from hal.simulated.state import HopperState, Payout

COIN_MS = 120
GIVE_UP_MS = 1_000
"""No coin for so long while the motor runs: empty or jammed."""
REMEMBERED_COUNT = 64


class SimulatedHopper(SimulatedDevice):
    """See ``hal.interfaces.Hopper``."""

    def __init__(self, ground: Ground, state: HopperState, coin_value_minor: int, capacity_count: int) -> None:
        super().__init__("hopper", ground)
        self._state = state
        self._coin_value_minor = coin_value_minor
        self._capacity = capacity_count
        self._tray_count = 0

    # --- the program's side --------------------------------------------------------------------------------------

    @property
    def coin_value_minor(self) -> int:
        """What one coin is worth."""
        return self._coin_value_minor

    def pay(self, payout_id: str, coin_count: int) -> None:
        """Pay this many coins; a known ``payout_id`` only has its result told again. Raises ValueError for no coins."""
        if coin_count <= 0:
            raise ValueError(f"pay-out {payout_id} of {coin_count} coins; at least one is needed")
        with self._ground.acting():
            if not self._linked():
                return
            known = next((payout for payout in self._state.payouts if payout.payout_id == payout_id), None)
            if known is not None:
                if known.reason:
                    self._emit(self._done(known))
            elif self._running() is not None:
                self._emit(HopperDone(self._name, self._ground.now_ms, payout_id, coin_count, 0, "fault"))
            else:
                self._state.payouts = [*self._state.payouts[1 - REMEMBERED_COUNT :], Payout(payout_id, coin_count)]
                self._wait_for_coin()

    def halt(self) -> None:
        """Stop the motor at once."""
        with self._ground.acting():
            if self._linked():
                self._finish("stopped")

    # --- the world's side ----------------------------------------------------------------------------------------

    def has_room(self, coming_count: int) -> bool:
        """Return whether one more coin fits besides those already on their way."""
        return self._state.coin_count + coming_count < self._capacity

    def receive_coin(self) -> None:
        """A coin falls in from the coin acceptor."""
        self.fill_to(self._state.coin_count + 1)

    def fill_to(self, coin_count: int) -> None:
        """Make this many coins be in the hopper. Raises ``ImpossibleAction`` when they do not fit."""
        if not 0 <= coin_count <= self._capacity:
            raise ImpossibleAction(f"{coin_count} coins in a hopper for {self._capacity}")
        was_empty = self._state.coin_count == 0
        self._state.coin_count = coin_count
        self._ground.changed()
        if self._state.empty and coin_count:
            self._state.empty = False
            self._fault("empty", False)
        if was_empty and coin_count and self._running() is not None and not self._state.jammed:
            self._wait_for_coin()

    def jam(self) -> None:
        """A bent coin blocks the wheel."""
        if self._state.jammed:
            raise ImpossibleAction("hopper is jammed already")
        self._state.jammed = True
        if self._running() is not None:
            self._wait_for_coin()
        self._ground.changed()

    def clear_jam(self) -> None:
        """Take the bent coin out."""
        if not self._state.jammed:
            raise ImpossibleAction("hopper is not jammed")
        self._state.jammed = False
        self._ground.changed()
        self._fault("jam", False)
        if self._running() is not None:
            self._wait_for_coin()

    def collect_fallen(self) -> int:
        """Return the worth of the coins that fell into the tray since this was asked last."""
        fallen, self._tray_count = self._tray_count, 0
        return fallen * self._coin_value_minor

    def power_off(self, note: str | None = None) -> None:
        """The motor stops; what was paid is remembered."""
        super().power_off()
        self._finish("stopped")

    @property
    def state_word(self) -> str:
        """What a person sees: ``disabled``, ``ready``, ``paying``, ``empty``, ``jammed``."""
        if self._state.jammed:
            return "jammed"
        if not self._ground.powered:
            return "disabled"
        if self._running() is not None:
            return "paying"
        return "ready" if self._state.coin_count else "empty"

    def next_due_ms(self) -> int | None:
        """Return when the next coin falls or the hopper gives up, or None."""
        due = [due_ms] if (due_ms := super().next_due_ms()) is not None else []
        if self._ground.powered and self._running() is not None:
            due.append(self._state.due_ms)
        return min(due, default=None)

    def step(self) -> None:
        """Let a coin fall, or give up."""
        super().step()
        payout = self._running()
        if payout is not None and self._ground.now_ms >= self._state.due_ms:
            if self._state.jammed or not self._state.coin_count:
                self._give_up()
            else:
                self._drop_coin(payout)
        self._announce()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _running(self) -> Payout | None:
        last = self._state.payouts[-1] if self._state.payouts else None
        return last if last is not None and not last.reason else None

    def _wait_for_coin(self) -> None:
        moves = self._state.coin_count and not self._state.jammed
        self._state.due_ms = self._ground.now_ms + (COIN_MS if moves else GIVE_UP_MS)
        self._ground.changed()

    def _drop_coin(self, payout: Payout) -> None:
        payout.paid_count += 1
        self._state.coin_count -= 1
        self._state.dispensed_count += 1
        self._tray_count += 1
        self._wait_for_coin()
        self._emit(HopperPaid(self._name, self._ground.now_ms, payout.payout_id, payout.paid_count))
        if payout.paid_count == payout.requested_count:
            self._finish("complete")

    def _give_up(self) -> None:
        if self._state.jammed:
            self._fault("jam", True)
            self._finish("jam")
        else:
            self._state.empty = True
            self._fault("empty", True)
            self._finish("empty")

    def _finish(self, reason: str) -> None:
        payout = self._running()
        if payout is not None:
            payout.reason = reason
            self._ground.changed()
            self._emit(self._done(payout))

    def _done(self, payout: Payout) -> HopperDone:
        return HopperDone(
            self._name,
            self._ground.now_ms,
            payout.payout_id,
            payout.requested_count,
            payout.paid_count,
            payout.reason,
        )

    def _fault(self, code: str, is_up: bool) -> None:
        self._emit(DeviceFault(self._name, self._ground.now_ms, code, is_up=is_up))

    def _at_rest(self) -> bool:
        return self._running() is None

    def _after_ready(self) -> None:
        if self._state.jammed:
            self._fault("jam", True)
        if self._state.empty:
            self._fault("empty", True)

    def _info(self) -> DeviceInfo:
        return DeviceInfo("Croupier", "simulated hopper", self._state.serial, "1", (self._coin_value_minor,))

    def _report(self) -> HopperReport:
        last = self._state.payouts[-1] if self._state.payouts else None
        return HopperReport(
            dispensed_count=self._state.dispensed_count,
            last_payout_id=None if last is None else last.payout_id,
            last_paid_count=None if last is None else last.paid_count,
            is_empty=self._state.coin_count == 0,
        )
