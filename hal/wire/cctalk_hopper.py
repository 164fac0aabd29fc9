"""The host's dialogue with a ccTalk coin hopper.

The dispense command is sent once; whatever comes back, only the hopper's own memory tells what became of it, and it is
sent again only when that memory says that it never arrived. After a lost line or a power cut nothing is paid any more for
the same pay-out: it ends with what really left. Not responsible for judging that memory (``hal.wire.cctalk_payout``) or
for the line. Encrypted dispensing is not supported; the ciphers are their makers' secrets.
"""

from dataclasses import dataclass, replace

from hal.errors import LocalProtocolError
from hal.events import DeviceReady, HopperDone, HopperPaid, HopperReport
from hal.wire.cctalk import Checksum
from hal.wire.cctalk_messages import (
    CIPHER_KEY,
    COUNTER_SIZE,
    DISPENSE,
    DISPENSE_COUNT,
    EMERGENCY_STOP,
    ENABLE_HOPPER,
    HOPPER_COIN,
    HOPPER_STATUS,
    POWER_UP_BIT,
    RESET,
    SERIAL_NUMBER,
    TEST_HOPPER,
    TIMED_OUT_BIT,
    HopperStatus,
    coin_value_minor,
    parse_hopper_status,
    parse_hopper_test,
)
from hal.wire.cctalk_payout import Order, Result, Stage, faults_of, result_of, stage_of, why_short
from hal.wire.cctalk_station import Ask, NoReply, Pause, Refused, Restarted, Script, Station, WrongDevice
from hal.wire.session import Command, Halt, Pay

LARGEST_ORDER_COUNT = 20
"""Coins per dispense command, so that a hopper that can't be heard never pays more than these."""
PAYING_POLL_MS, IDLE_POLL_MS, AFTER_RESET_MS = 100, 500, 500
STALLED_MS = 15_000
"""A motor that brings no coin for so long is stopped; hoppers give up by themselves before."""
ABSURD_LIMIT_COUNT = 5
SEND_LIMIT_COUNT = 3
EMPTY_MS = 60_000
"""A hopper that was empty may have been refilled: after this time it may be tried again."""
REMEMBERED_COUNT = 64
FREE_BYTES_PRODUCT = "NOENCRYPT"
"""A product code that has this word takes any eight bytes in place of its serial number (source: SCH2 manual)."""
_ENABLE, _DISABLE = b"\xa5", b"\0"


@dataclass(slots=True)
class _Payout:
    payout_id: str
    requested_count: int
    paid_count: int = 0
    """Coins of orders that are over."""
    seen_count: int = 0
    """Coins of the order that runs."""
    reason: str = ""
    order: Order | None = None

    @property
    def total_count(self) -> int:
        return self.paid_count + self.seen_count


class HopperStation(Station):
    """A hopper with coins of one value."""

    def __init__(
        self,
        name: str,
        country: str,
        coin_value_minor: int,
        address: int = 3,
        checksums: tuple[Checksum, ...] = (Checksum.SUM8,),
    ) -> None:
        super().__init__(name, address, checksums)
        self._country = country
        self.coin_value_minor = coin_value_minor
        self._payouts: dict[str, _Payout] = {}
        self._current: _Payout | None = None
        self._halt = False
        self._is_ready = False
        self._has_counter = True
        self._counter = 0
        self._lifetime: int | None = None
        self._serial = b""
        self._empty_ms: int | None = None

    # --- what the program wants -----------------------------------------------------------------------------------

    def start(self, last_event: int) -> None:
        """A hopper's pay-outs have names, so it needs no event number."""

    def _take_command(self, command: Command) -> None:
        match command:
            case Pay():
                self._order_payout(command)
            case Halt():
                self._halt = self._current is not None
            case _:
                raise LocalProtocolError(f"the hopper {self.name} can't {command}")

    def _order_payout(self, command: Pay) -> None:
        known = self._payouts.get(command.payout_id)
        if known is not None:
            if known.reason:
                self._emit_done(known)
            return
        payout = _Payout(command.payout_id, command.coin_count)
        self._payouts[payout.payout_id] = payout
        while len(self._payouts) > REMEMBERED_COUNT:
            del self._payouts[next(iter(self._payouts))]
        if self._current is not None or not self._is_ready:
            self._finish(payout, "fault")  # not one coin was asked for
        else:
            self._current, self._halt = payout, False

    # --- connection -----------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """The port has gone."""
        super().cut()
        self._is_ready = False

    def shut_down(self) -> None:
        """Stop the motor and end the dialogue."""
        self._halt = self._current is not None
        super().shut_down()

    def _connect(self) -> Script[None]:
        self._is_ready = False
        self._has_counter = True
        yield from self._identify("Payout")
        self._serial = (yield Ask(SERIAL_NUMBER, least=3, most=4)).data
        yield from self._check_coin()
        status = yield from self._come_to_rest()
        registers = yield from self._test()
        self._lifetime = yield from self._count_dispensed()
        payout, reason = self._current, ""
        if payout is not None and payout.order is not None:
            reason = self._close_order(payout, payout.order, status, registers)
        yield from self._clear(registers)
        yield Ask(ENABLE_HOPPER, _DISABLE)
        self._counter = (yield from self._status()).counter
        self.info = replace(self.info, denominations_minor=(self.coin_value_minor,))
        last = next(reversed(self._payouts.values()), None)
        # A count that is only the least it can be would be read as the truth: then nothing is said of the pay-out.
        is_known = last is not None and "unknown" not in (last.reason, reason)
        report = HopperReport(
            dispensed_count=self._lifetime,
            last_payout_id=last.payout_id if last is not None and is_known else None,
            last_paid_count=last.total_count if last is not None and is_known else None,
            is_empty=self._empty_ms is not None,
        )
        self._emit(DeviceReady(self.name, self._now_ms, self.info, report))
        self._is_ready = True
        self._empty_ms = None
        self._faults.down(("empty",), self._now_ms)
        if payout is not None:
            self._current = None
            self._emit(HopperPaid(self.name, self._now_ms, payout.payout_id, payout.total_count))
            complete = payout.total_count == payout.requested_count and not reason
            self._finish(payout, "complete" if complete else reason or "fault")

    def _check_coin(self) -> Script[None]:
        data = yield from self._try(Ask(HOPPER_COIN, most=255))
        value = coin_value_minor(data, self._country) if data is not None and len(data) == 6 else 0
        if value and value != self.coin_value_minor:
            raise WrongDevice(f"the hopper holds coins of {value} minor units instead of {self.coin_value_minor}")

    def _come_to_rest(self) -> Script[HopperStatus]:
        """Wait for our own pay-out to end; stop any other: nobody can say whose it is."""
        since_ms = self._now_ms
        stopped = False
        while (status := (yield from self._status())).remaining:
            is_ours = self._current is not None and self._current.order is not None
            if not stopped and (not is_ours or self._halt or self._now_ms >= since_ms + STALLED_MS):
                yield Ask(EMERGENCY_STOP, most=1)
                stopped = True
            yield Pause(PAYING_POLL_MS)
        return status

    def _clear(self, registers: int) -> Script[None]:
        """Clear latched flags. Only a reset does, and only after everything that it wipes has been read."""
        if registers & (POWER_UP_BIT | TIMED_OUT_BIT) or faults_of(registers):
            yield Ask(RESET, try_count=1, reply_ms=2_000)
            yield Pause(AFTER_RESET_MS)
            registers = yield from self._test()
        self._show_faults(registers)

    def _show_faults(self, registers: int) -> None:
        up = faults_of(registers)
        for code, detail in up:
            self._faults.up(code, detail, self._now_ms)
        gone = {"jam", "motor", "internal"} - {code for code, _ in up}
        self._faults.down(sorted(gone), self._now_ms)

    # --- work -----------------------------------------------------------------------------------------------------

    def _work(self) -> Script[None]:
        if self._current is not None:
            yield from self._pay(self._current)
            return
        status = yield from self._status()
        if status.remaining:
            self._faults.up("runaway", "the hopper pays without an order", self._now_ms)
            yield Ask(EMERGENCY_STOP, most=1)
        elif status.counter != self._counter:
            raise Restarted("the hopper was reset")
        lifetime = yield from self._count_dispensed()
        if lifetime is not None and self._lifetime is not None and lifetime != self._lifetime:
            detail = f"{(lifetime - self._lifetime) % COUNTER_SIZE} coins left without an order"
            self._faults.up("runaway", detail, self._now_ms)
        self._lifetime = lifetime
        if self._empty_ms is not None and self._now_ms >= self._empty_ms + EMPTY_MS:
            self._empty_ms = None
            self._faults.down(("empty",), self._now_ms)
        self._settle_faults()
        if self._current is None:  # else the order to pay came while we looked around
            yield Pause(IDLE_POLL_MS)

    def _pay(self, payout: _Payout) -> Script[None]:
        reason = ""
        while not reason and payout.paid_count < payout.requested_count:
            reason = yield from self._pay_order(payout)
        yield Ask(ENABLE_HOPPER, _DISABLE)
        self._current = None
        self._finish(payout, reason or "complete")

    def _pay_order(self, payout: _Payout) -> Script[str]:
        """Pay the next coins of a pay-out; return why it can't go on, or nothing."""
        coin_count = min(LARGEST_ORDER_COUNT, payout.requested_count - payout.paid_count)
        before = yield from self._status()
        if before.counter != self._counter:
            raise Restarted("the hopper was reset")
        yield from self._clear((yield from self._test()))
        before = yield from self._status()
        self._counter = before.counter
        self._lifetime = yield from self._count_dispensed()
        yield Ask(ENABLE_HOPPER, _ENABLE)
        data = yield from self._dispense_data(coin_count)
        if self._halt:
            return "stopped"
        payout.order = Order(coin_count, before, self._lifetime)
        for _ in range(SEND_LIMIT_COUNT):
            try:
                yield Ask(DISPENSE, data, most=1, try_count=1)
            except NoReply:
                yield Pause(PAYING_POLL_MS)
            except Refused:
                payout.order = replace(payout.order, refused=True)
            status, stage = yield from self._follow(payout, payout.order)
            if stage is not Stage.NOT_TAKEN or payout.order.refused or self._halt:
                break
        registers = yield from self._test()
        self._lifetime = yield from self._count_dispensed()
        return self._close_order(payout, payout.order, status, registers)

    def _dispense_data(self, coin_count: int) -> Script[bytes]:
        """Return what the dispense command carries: the serial number, or eight bytes for a hopper that ignores them."""
        if FREE_BYTES_PRODUCT not in self.info.product.upper():
            return self._serial + bytes((coin_count,))
        yield Ask(CIPHER_KEY, most=255)  # it pays only after it was asked for its key, though it needs none
        return bytes(8) + bytes((coin_count,))

    def _follow(self, payout: _Payout, order: Order) -> Script[tuple[HopperStatus, Stage]]:
        """Watch an order until it is over or makes no sense; return the last answer of the hopper."""
        absurd_count = 0
        moved_ms = self._now_ms
        previous: HopperStatus | None = None
        while True:
            status = yield from self._status()
            stage = stage_of(order, status, (yield from self._test()))
            if stage is Stage.ABSURD:
                absurd_count += 1
                if absurd_count >= ABSURD_LIMIT_COUNT:
                    yield Ask(EMERGENCY_STOP, most=1)
                    return (yield from self._status()), Stage.ABSURD
            elif stage is not Stage.RUNNING and status == previous:
                return status, stage  # told twice alike
            elif stage is Stage.RUNNING:
                if status.paid > payout.seen_count:
                    payout.seen_count, moved_ms = status.paid, self._now_ms
                    self._emit(HopperPaid(self.name, self._now_ms, payout.payout_id, payout.total_count))
                if self._halt or self._now_ms >= moved_ms + STALLED_MS:
                    yield Ask(EMERGENCY_STOP, most=1)
            previous = status
            yield Pause(PAYING_POLL_MS if stage is Stage.RUNNING else 0)

    def _close_order(self, payout: _Payout, order: Order, status: HopperStatus, registers: int) -> str:
        """Take an order's coins into the pay-out; return why the pay-out can't go on, or nothing."""
        stage = stage_of(order, status, registers)
        result: Result = result_of(order, stage, status, self._lifetime, payout.seen_count)
        payout.order = None
        payout.paid_count += result.paid_count
        payout.seen_count = 0
        self._counter = status.counter
        if not result.certain:
            detail = f"{payout.payout_id}: at least {payout.paid_count} of {payout.requested_count} coins have left"
            self._faults.up("unknown_money", detail, self._now_ms)
            return "unknown"
        self._emit(HopperPaid(self.name, self._now_ms, payout.payout_id, payout.paid_count))
        if stage is Stage.POWER_LOST and payout.paid_count < payout.requested_count:
            self._faults.up("internal", f"{payout.payout_id}: the hopper lost its power while it paid", self._now_ms)
            return "fault"
        if self._halt:
            return "stopped"
        if result.paid_count == order.coin_count:
            return ""
        reason = why_short(registers)
        if reason == "empty":
            self._empty_ms = self._now_ms
            self._faults.up("empty", "no coin came", self._now_ms)
        self._show_faults(registers)
        return reason

    def _finish(self, payout: _Payout, reason: str) -> None:
        payout.reason = reason
        self._emit_done(payout)

    def _emit_done(self, payout: _Payout) -> None:
        done = (payout.payout_id, payout.requested_count, payout.total_count, payout.reason)
        self._emit(HopperDone(self.name, self._now_ms, *done))

    # --- small questions ------------------------------------------------------------------------------------------

    def _status(self) -> Script[HopperStatus]:
        return parse_hopper_status((yield Ask(HOPPER_STATUS, least=4, most=4)).data)

    def _test(self) -> Script[int]:
        return parse_hopper_test((yield Ask(TEST_HOPPER, least=1, most=3, reply_ms=2_000)).data)

    def _count_dispensed(self) -> Script[int | None]:
        if not self._has_counter:
            return None
        data = yield from self._try(Ask(DISPENSE_COUNT, least=3, most=3))
        self._has_counter = data is not None
        return None if data is None else int.from_bytes(data, "little")

    def _make_safe(self) -> Script[None]:
        yield Ask(EMERGENCY_STOP, most=1, try_count=2, reply_ms=100)
        yield Ask(ENABLE_HOPPER, _DISABLE, try_count=2, reply_ms=100)
