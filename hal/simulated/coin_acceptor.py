"""The simulated coin acceptor: gate, sorter, and a memory of five coins whose credit was not confirmed.

Like a real one it refuses by itself while disabled, and when its memory is full. A coin past the gate is taken even if
the acceptor is disabled while it falls. A coin that is falling when the power goes drops into the return cup.
"""

from collections.abc import Iterable

from hal.events import CoinAccepted, CoinRejected, CoinReport, DeviceFault, DeviceInfo
from hal.simulated.ground import REPEAT_MS, Ground, ImpossibleAction, SimulatedDevice
from hal.simulated.hopper import SimulatedHopper
from hal.simulated.state import CoinState, FallingCoin, TakenCoin

FALL_MS = 100
MEMORY_COUNT = 5
ROUTES = ("hopper", "cash_box")


class SimulatedCoinAcceptor(SimulatedDevice):
    """See ``hal.interfaces.CoinAcceptor``. Only coins of the hopper's kind can go to the hopper, and only while it has room."""

    def __init__(
        self, ground: Ground, state: CoinState, values_minor: tuple[int, ...], hopper: SimulatedHopper
    ) -> None:
        super().__init__("coins", ground)
        self._state = state
        self._values = values_minor
        self._hopper = hopper
        self._enabled: frozenset[int] = frozenset()
        self._route = "cash_box"

    # --- the program's side --------------------------------------------------------------------------------------

    def enable(self, values_minor: Iterable[int]) -> None:
        """Take these coins."""
        wanted = frozenset(values_minor)
        with self._ground.acting():
            if self._linked():
                self._enabled = wanted & frozenset(self._values)

    def disable(self) -> None:
        """Take no more coins."""
        with self._ground.acting():
            self._enabled = frozenset()

    def route(self, to: str) -> None:
        """Send further coins to ``hopper`` or ``cash_box``."""
        if to not in ROUTES:
            raise ValueError(f"coins can go to {' or '.join(ROUTES)}, not to {to}")
        with self._ground.acting():
            if self._linked():
                self._route = to

    def confirm(self, key: str) -> None:
        """Stop repeating this ``CoinAccepted``."""
        with self._ground.acting():
            if self._linked() and any(coin.key == key for coin in self._state.unconfirmed):
                self._state.unconfirmed = [coin for coin in self._state.unconfirmed if coin.key != key]
                self._ground.changed()

    # --- the world's side ----------------------------------------------------------------------------------------

    def insert(self, value_minor: int) -> None:
        """Drop a coin into the slot."""
        state, now_ms = self._state, self._ground.now_ms
        self._ground.changed()
        reason = self._reason_to_reject(value_minor)
        if reason:
            state.cup.append(value_minor)
            self._emit(CoinRejected(self._name, now_ms, reason))
            return
        on_the_way = sum(coin.to == "hopper" for coin in state.falling)
        fits = value_minor == self._hopper.coin_value_minor and self._hopper.has_room(on_the_way)
        to = "hopper" if self._route == "hopper" and fits else "cash_box"
        last_ms = max((coin.due_ms for coin in state.falling), default=now_ms)
        state.falling.append(FallingCoin(value_minor, to, last_ms + FALL_MS))

    def jam(self) -> None:
        """A bent coin blocks the way."""
        if self._state.jammed:
            raise ImpossibleAction("coins is jammed already")
        self._state.jammed = True
        self._ground.changed()
        self._emit(DeviceFault(self._name, self._ground.now_ms, "jam"))

    def clear_jam(self) -> None:
        """Take the bent coin out."""
        if not self._state.jammed:
            raise ImpossibleAction("coins is not jammed")
        self._state.jammed = False
        self._ground.changed()
        self._emit(DeviceFault(self._name, self._ground.now_ms, "jam", is_up=False))

    def take_cup(self) -> tuple[int, ...]:
        """The player takes the coins that fell through, oldest first."""
        coins = tuple(self._state.cup)
        if coins:
            self._state.cup = []
            self._ground.changed()
        return coins

    def empty_box(self) -> dict[int, int]:
        """Take the coins out of the cash box; returns value -> count."""
        coins, self._state.box = self._state.box, {}
        self._ground.changed()
        return coins

    def power_off(self, note: str | None = None) -> None:
        """The gate falls shut."""
        super().power_off()
        self._state.cup.extend(coin.value_minor for coin in self._state.falling)
        self._state.falling = []
        self._ground.changed()

    @property
    def state_word(self) -> str:
        """What a person sees: ``disabled``, ``ready``, ``accepting``, ``jammed``."""
        if self._state.jammed:
            return "jammed"
        if not self._ground.powered:
            return "disabled"
        if self._state.falling:
            return "accepting"
        return "ready" if self._enabled else "disabled"

    def next_due_ms(self) -> int | None:
        """Return when the next coin arrives, when an event is repeated, or None."""
        due = [due_ms] if (due_ms := super().next_due_ms()) is not None else []
        if self._ground.powered:
            due.extend(coin.due_ms for coin in self._state.falling[:1])
            if self._state.unconfirmed and self._linked():
                due.append(self._state.repeat_ms)
        return min(due, default=None)

    def step(self) -> None:
        """Let coins arrive and repeat what was not confirmed."""
        super().step()
        state, now_ms = self._state, self._ground.now_ms
        while state.falling and state.falling[0].due_ms <= now_ms:
            self._take(state.falling.pop(0))
        if state.unconfirmed and self._linked() and now_ms >= state.repeat_ms:
            self._report_taken(state.unconfirmed)
        self._announce()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _reason_to_reject(self, value_minor: int) -> str:
        state = self._state
        if not self._ground.powered or state.jammed or not self._enabled:
            return "inhibited"
        if value_minor not in self._values:
            return "unknown"
        if value_minor not in self._enabled:
            return "inhibited"
        return "busy" if len(state.unconfirmed) + len(state.falling) >= MEMORY_COUNT else ""

    def _take(self, coin: FallingCoin) -> None:
        state = self._state
        state.event_count += 1
        state.accepted_count += 1
        if coin.to == "hopper":
            self._hopper.receive_coin()
        else:
            state.box[coin.value_minor] = state.box.get(coin.value_minor, 0) + 1
        taken = TakenCoin(f"{state.serial}:{state.epoch}:{state.event_count}", coin.value_minor, coin.to)
        state.unconfirmed.append(taken)
        self._ground.changed()
        self._report_taken([taken])

    def _report_taken(self, coins: list[TakenCoin]) -> None:
        now_ms = self._ground.now_ms
        self._state.repeat_ms = now_ms + REPEAT_MS
        for coin in coins:
            self._emit(CoinAccepted(self._name, now_ms, coin.key, coin.value_minor, coin.to))

    def _at_rest(self) -> bool:
        return not self._state.falling

    def _on_start(self, last_event: int) -> None:
        if last_event > self._state.event_count:  # a new world under an old journal: its keys must not come again
            self._state.event_count = last_event
            self._ground.changed()

    def _on_silence(self) -> None:
        self._enabled = frozenset()
        self._route = "cash_box"

    def _after_ready(self) -> None:
        if self._state.jammed:
            self._emit(DeviceFault(self._name, self._ground.now_ms, "jam"))
        self._report_taken(self._state.unconfirmed)

    def _info(self) -> DeviceInfo:
        return DeviceInfo("Croupier", "simulated coin acceptor", self._state.serial, "1", self._values)

    def _report(self) -> CoinReport:
        return CoinReport(
            accepted_count=self._state.accepted_count, unconfirmed=tuple(coin.key for coin in self._state.unconfirmed)
        )
