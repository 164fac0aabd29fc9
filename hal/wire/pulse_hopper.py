"""A hopper on two lines: a motor that runs while its line is active, and a sensor at the coin exit.

Pure. The motor stops the moment the last coin appears at the sensor, not when it has passed, so that no further one
falls. Coins that fall while the motor brakes are counted and told. A sensor that is blocked, coins that pass while the
motor is off, and a motor that runs in vain each stop the motor and are faults. The hopper itself has no memory: after a
new start it can't tell what it paid.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hal.debounce import Anomaly, Pulse, PulseCounter, PulseEvent, PulseWindow
from hal.errors import LocalProtocolError
from hal.events import DeviceFault, DeviceInfo, DeviceReady, HopperDone, HopperPaid, HopperReport
from hal.wire.pins import PinCommand, PinOutput, SetLine
from hal.wire.pulse_line import CLEAR_MS
from hal.wire.session import Halt, Pay, Report, Start, Stop

NOISE_LIMIT = 3
"""So many signals too short for a coin end a pay-out: the sensor can't be trusted."""

REMEMBERED_COUNT = 64


@dataclass(frozen=True, slots=True)
class PulseHopperSpec:
    """A hopper. ``empty_ms``: the motor runs so long without a coin before it is called empty. ``brake_ms``: coins may
    still fall for so long after the motor was switched off."""

    motor: str
    sensor: str
    coin_value_minor: int
    window: PulseWindow
    empty_ms: int = 8_000
    brake_ms: int = 600
    device: str = "hopper"


@dataclass(slots=True)
class _Payout:
    payout_id: str
    requested_count: int
    paid_count: int = 0
    reason: str = ""
    noise_count: int = 0


State = Literal["idle", "paying", "braking"]


class PulseHopperUnit:
    """See ``hal.wire.pins.PinUnit``."""

    def __init__(self, spec: PulseHopperSpec) -> None:
        self._spec = spec
        self._counter = PulseCounter(spec.window, False, 0)
        self._state: State = "idle"
        self._deadline_ms: int | None = None
        self._payouts: dict[str, _Payout] = {}
        self._current: _Payout | None = None
        self._held = False  # the motor is off because what may be the last coin is at the sensor
        self._started = False
        self._faults: dict[str, int | None] = {}

    @property
    def device(self) -> str:
        """The hopper's name."""
        return self._spec.device

    @property
    def inputs(self) -> tuple[str, ...]:
        """The coin sensor."""
        return (self._spec.sensor,)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The motor."""
        return (self._spec.motor,)

    @property
    def deadline_ms(self) -> int | None:
        """When the sensor has something to say, the motor ran in vain or has braked, or a fault goes away."""
        due = [self._deadline_ms, self._counter.due_ms, *self._faults.values()]
        return min((due_ms for due_ms in due if due_ms is not None), default=None)

    def begin(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Watch the sensor."""
        self._counter = PulseCounter(self._spec.window, levels[self._spec.sensor], now_ms)
        return []

    def edge(self, line: str, active: bool, at_ms: int) -> list[PinOutput]:
        """The sensor changed."""
        outputs = self._heard(self._counter.edge(at_ms, active), at_ms)
        payout = self._current
        last = payout is not None and payout.paid_count + 1 >= payout.requested_count
        if active and last and self._state == "paying" and not self._held:
            self._held = True
            outputs.append(SetLine(self._spec.motor, False))
        return outputs

    def edges_lost(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Coins may have passed uncounted: stop and say that the count is only the least."""
        self.begin(levels, now_ms)
        outputs = self._fault("lost_events", "edges of the coin sensor were lost", now_ms, now_ms + CLEAR_MS)
        return [*outputs, *self._switch_off("unknown", now_ms)]

    def timeout(self, now_ms: int) -> list[PinOutput]:
        """Time has passed."""
        outputs = self._heard(self._counter.settle(now_ms), now_ms)
        for code in [code for code, clears_ms in self._faults.items() if clears_ms is not None and now_ms >= clears_ms]:
            outputs += self._clear(code, now_ms)
        if self._deadline_ms is None or now_ms < self._deadline_ms:
            return outputs
        if self._state == "paying":
            outputs += self._fault("empty", "no coin came while the motor ran", now_ms, None)
            outputs += self._switch_off("empty", now_ms)
        elif self._state == "braking" and (not self._counter.active or "sensor" in self._faults):
            outputs += self._finish(now_ms)
        elif self._state == "braking":
            self._deadline_ms = now_ms + self._spec.window.stuck_ms  # a coin is at the sensor: wait for it
        return outputs

    def command(self, command: PinCommand, now_ms: int) -> list[PinOutput]:
        """Carry out what a hopper can."""
        match command:
            case Start():
                self._started = True
                info = DeviceInfo(product="pulse hopper", denominations_minor=(self._spec.coin_value_minor,))
                faults = [DeviceFault(self.device, now_ms, code) for code in self._faults]
                ready = DeviceReady(self.device, now_ms, info, HopperReport())
                return [Report(ready), *(Report(fault) for fault in faults)]
            case Pay():
                return self._pay(command, now_ms)
            case Halt():
                return self._switch_off("stopped", now_ms)
            case Stop():
                outputs = self._switch_off("stopped", now_ms)
                self._started = False
                return [*outputs, SetLine(self._spec.motor, False)]
            case _:
                raise LocalProtocolError(f"a pulse hopper can't {command}")

    # --- inside -----------------------------------------------------------------------------------------------------

    def _pay(self, order: Pay, now_ms: int) -> list[PinOutput]:
        if not self._started:
            return []
        known = self._payouts.get(order.payout_id)
        if known is not None:
            return [self._done(known, now_ms)] if known.reason and known is not self._current else []
        payout = _Payout(order.payout_id, order.coin_count)
        if self._current is not None or "sensor" in self._faults or self._counter.active:
            payout.reason = "fault"
            self._remember(payout)
            return [self._done(payout, now_ms)]
        self._remember(payout)
        self._current, self._state, self._held = payout, "paying", False
        self._deadline_ms = now_ms + self._spec.empty_ms
        return [SetLine(self._spec.motor, True)]

    def _remember(self, payout: _Payout) -> None:
        self._payouts[payout.payout_id] = payout
        while len(self._payouts) > REMEMBERED_COUNT:
            del self._payouts[next(iter(self._payouts))]

    def _heard(self, events: Sequence[PulseEvent], now_ms: int) -> list[PinOutput]:
        outputs: list[PinOutput] = []
        for event in events:
            if isinstance(event, Pulse):
                outputs += self._coin(event.at_ms)
            elif isinstance(event, Anomaly):
                outputs += self._anomaly(event, now_ms)
        if self._faults.get("sensor", 0) is None and not self._counter.active:
            self._faults["sensor"] = now_ms + CLEAR_MS
        return outputs

    def _anomaly(self, anomaly: Anomaly, now_ms: int) -> list[PinOutput]:
        match anomaly.kind:
            case "long" | "close" | "many":
                return self._coin(anomaly.at_ms)  # a slow coin, or two together: they have left all the same
            case "stuck":
                outputs = self._fault("sensor", "the coin sensor stays blocked", now_ms, None)
                return [*outputs, *self._switch_off("jam", now_ms)]
            case "short":
                return self._noise(now_ms)

    def _noise(self, now_ms: int) -> list[PinOutput]:
        payout = self._current
        if payout is None:
            return []
        payout.noise_count += 1
        if payout.noise_count >= NOISE_LIMIT:
            outputs = self._fault("sensor", "signals too short for a coin", now_ms, now_ms + CLEAR_MS)
            return [*outputs, *self._switch_off("unknown", now_ms)]
        if self._held and self._state == "paying":  # it was not the last coin: go on
            self._held = False
            return [SetLine(self._spec.motor, True)]
        return []

    def _coin(self, at_ms: int) -> list[PinOutput]:
        payout = self._current
        if payout is None:
            return self._fault("runaway", "a coin passed while the motor was off", at_ms, at_ms + CLEAR_MS)
        payout.paid_count += 1
        outputs = self._clear("empty", at_ms)
        outputs.append(Report(HopperPaid(self.device, at_ms, payout.payout_id, payout.paid_count)))
        if self._state == "paying":
            self._deadline_ms = at_ms + self._spec.empty_ms
            if payout.paid_count >= payout.requested_count:
                outputs += self._switch_off("complete", at_ms)
        return outputs

    def _switch_off(self, reason: str, now_ms: int) -> list[PinOutput]:
        payout = self._current
        if payout is None or self._state != "paying":
            return []
        payout.reason = reason
        self._state, self._deadline_ms = "braking", now_ms + self._spec.brake_ms
        return [SetLine(self._spec.motor, False)]

    def _finish(self, now_ms: int) -> list[PinOutput]:
        payout, self._current = self._current, None
        self._state, self._deadline_ms = "idle", None
        if payout is None:
            return []
        outputs: list[PinOutput] = []
        if payout.paid_count > payout.requested_count:
            detail = f"{payout.paid_count - payout.requested_count} more than asked fell while the motor braked"
            outputs += self._fault("runaway", detail, now_ms, now_ms + CLEAR_MS)
        if payout.reason == "stopped" and payout.paid_count >= payout.requested_count:
            payout.reason = "complete"
        return [*outputs, self._done(payout, now_ms)]

    def _done(self, payout: _Payout, now_ms: int) -> Report:
        return Report(
            HopperDone(self.device, now_ms, payout.payout_id, payout.requested_count, payout.paid_count, payout.reason)
        )

    def _fault(self, code: str, detail: str, now_ms: int, clears_ms: int | None) -> list[PinOutput]:
        is_new = code not in self._faults
        self._faults[code] = clears_ms
        return [Report(DeviceFault(self.device, now_ms, code, detail))] if is_new and self._started else []

    def _clear(self, code: str, now_ms: int) -> list[PinOutput]:
        if code not in self._faults:
            return []
        del self._faults[code]
        return [Report(DeviceFault(self.device, now_ms, code, is_up=False))] if self._started else []
