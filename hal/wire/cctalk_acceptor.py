"""What coin acceptors and bill validators on ccTalk have in common: inhibits, the event buffer, and its money rule.

The buffer is read again before anything unusual is believed (a jump of the counter, a return to 0), and the inhibits are
read back before any event is taken: a device that has lost them was reset, so its counter started again. A reset is never
ordered by us, because it wipes events that nobody has seen. Not responsible for what an event means.
"""

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

from hal.events import CoinAccepted, CoinReport, DeviceReady, NoteReport, NoteStacked
from hal.wire.cctalk import Checksum
from hal.wire.cctalk_events import Event, EventNumbers, News, lap
from hal.wire.cctalk_messages import (
    ACCEPT_COUNTER,
    MODIFY_INHIBIT,
    MODIFY_MASTER_INHIBIT,
    POLL_PRIORITY,
    POSITION_COUNT,
    REQUEST_INHIBIT,
    SELF_CHECK,
    Buffer,
    inhibit_mask,
    parse_buffer,
    poll_interval_ms,
    self_check_fault,
)
from hal.wire.cctalk_station import Ask, Pause, Restarted, Script, Station
from hal.wire.session import Command, Confirm, Disable, Enable

READ_BACK_MS = 2_000
"""How often the inhibits are read back while nothing happens."""
SELF_CHECK_MS = 2_000
"""How often a device with a fault is asked whether it is well again."""
REPEAT_MS = 1_000
"""An unconfirmed money event is reported again after this time, for ever."""
SLOW_MS = 2_000
"""How long a self-check may take."""
ALL_CONDITIONS = ("jam", "sensor", "motor", "internal", "empty", "cash_box_removed", "stacker_full")


class AcceptorStation(Station):
    """A device that takes money and remembers its last five events."""

    CATEGORY: ClassVar[str]
    EVENTS_HEADER: ClassVar[int]
    POLL_MS: ClassVar[int]
    SELF_CHECK_CLEARS: ClassVar[tuple[str, ...]]

    def __init__(self, name: str, address: int, checksums: tuple[Checksum, ...], country: str) -> None:
        super().__init__(name, address, checksums)
        self._country = country
        self._numbers = EventNumbers(0)
        self._is_first = True
        self._is_without_journal = False
        self._values: dict[int, int] = {}
        self._enabled: frozenset[int] = frozenset()
        self._masks: frozenset[bytes] = frozenset()
        """What the device's inhibits can be: what it acknowledged last, and whatever was sent since; nothing: unknown."""
        self._is_open = False
        self._bears_our_mask = False
        self._reads_back = True
        self._has_counter = True
        self._interval_ms = self.POLL_MS
        self._read_back_ms = 0
        self._check_ms = 0
        self._accepted_count: int | None = None
        self._money_count = 0
        """Money events taken since the lifetime counter was read."""
        self._unconfirmed: dict[str, CoinAccepted | NoteStacked] = {}
        self._repeat_ms = 0

    # --- what the program wants -----------------------------------------------------------------------------------

    def start(self, last_event: int) -> None:
        """Number events after ``last_event``."""
        self._numbers = EventNumbers(last_event)
        self._is_first = True
        self._masks = frozenset()
        self._accepted_count = None
        self._unconfirmed.clear()

    def _take_command(self, command: Command) -> None:
        match command:
            case Enable():
                self._enabled = frozenset(command.values_minor)
            case Disable():
                self._enabled = frozenset()
            case Confirm():
                self._unconfirmed.pop(command.key, None)
            case _:
                self._take_other_command(command)

    # --- for the kinds of device ----------------------------------------------------------------------------------

    @abstractmethod
    def _take_other_command(self, command: Command) -> None:
        """Note a command that only this kind knows. Raises LocalProtocolError for any other."""

    @abstractmethod
    def _load(self) -> Script[None]:
        """Read what each position is worth and set up what this kind needs."""

    @abstractmethod
    def _is_money(self, first: int, second: int) -> bool:
        """Whether a pair of the buffer is money that went in for good."""

    @abstractmethod
    def _happened(self, event: Event) -> None:
        """Report one event."""

    @abstractmethod
    def _report(self, buffer: Buffer, news: News) -> CoinReport | NoteReport:
        """What the device itself remembers, after a (re)connection."""

    def _missing_count(self, news: News, more: int) -> int:
        """Return how much money went in unseen before a reset, if the lifetime counter has grown by ``more``."""
        return 0

    def _after_ready(self) -> None:
        """Report what else follows a (re)connection."""

    @abstractmethod
    def _extra(self) -> Script[None]:
        """Do what else this kind wants in each turn."""

    def _key(self, number: int) -> str:
        return f"{self.info.serial}:{lap(number)}:{number}"

    def _money(self, event: CoinAccepted | NoteStacked) -> None:
        """Report money now, and again until it is confirmed."""
        self._unconfirmed[event.key] = event
        self._repeat_ms = self._now_ms + REPEAT_MS
        self._emit(event)

    def _count_accepted(self) -> Script[int | None]:
        """Read the device's lifetime counter; None if it has none, which is found out once per connection."""
        if not self._has_counter:
            return None
        data = yield from self._try(Ask(ACCEPT_COUNTER, least=3, most=3))
        self._has_counter = data is not None
        return None if data is None else int.from_bytes(data, "little")

    # --- the dialogue ---------------------------------------------------------------------------------------------

    def _connect(self) -> Script[None]:
        serial_before = self.info.serial
        yield from self._identify(self.CATEGORY)
        was_exchanged = serial_before not in ("", self.info.serial)
        self._has_counter = True
        mask_found = yield from self._read_mask()
        self._reads_back = mask_found is not None
        was_reset = bool(self._masks) and mask_found is not None and mask_found not in self._masks
        yield from self._refuse()
        yield from self._load()
        # A device that a host let in notes or coins still shows that host's mask; after a reset it shows none or all.
        programmed = inhibit_mask(frozenset(at for at, value in self._values.items() if value))
        self._bears_our_mask = mask_found is not None and _is_part(mask_found, programmed)
        values = tuple(sorted(value for value in set(self._values.values()) if value))
        self.info = replace(self.info, denominations_minor=values)
        priority = yield from self._try(Ask(POLL_PRIORITY, least=2, most=2))
        wanted_ms = poll_interval_ms(priority) if priority is not None else None
        self._interval_ms = min(self.POLL_MS, wanted_ms or self.POLL_MS)
        buffer, news = yield from self._catch_up()
        if was_reset and not news.restarted:
            self._numbers.restart()
            news = replace(self._numbers.news(buffer), restarted=True)
        self._is_without_journal = was_exchanged or (self._is_first and not self._numbers.last)
        if self._is_without_journal:
            # Nothing says which of the events in the buffer are ours: begin here, and tell how much money is in it.
            self._numbers.begin(buffer)
            news = News(lost_count=sum(self._is_money(*pair) for pair in buffer.pairs[: buffer.counter]))
        expected = self._accepted_count + self._money_count if self._accepted_count is not None else None
        self._accepted_count, self._money_count = (yield from self._count_accepted()), 0
        if news.restarted and expected is not None and self._accepted_count is not None:
            more = self._accepted_count - expected
            news = replace(news, lost_count=news.lost_count + self._missing_count(news, more))
        check = yield from self._ask_self_check()
        self._enabled = frozenset()
        self._emit(DeviceReady(self.name, self._now_ms, self.info, self._report(buffer, news)))
        for event in self._unconfirmed.values():
            self._emit(event)
        self._take(news)
        self._after_ready()
        self._is_first = False
        self._show_self_check(check, ALL_CONDITIONS)
        self._read_back_ms = self._check_ms = self._now_ms

    def _work(self) -> Script[None]:
        yield from self._apply()
        is_time = self._now_ms >= self._read_back_ms + READ_BACK_MS
        # Read before the buffer: what goes in between the two shows as an event and makes the count void.
        accepted_count = (yield from self._count_accepted()) if is_time else None
        _, news = yield from self._catch_up()
        if news.restarted:
            raise Restarted("the device was reset")
        if news.events or is_time:
            self._read_back_ms = self._now_ms
            if (yield from self._has_lost_inhibits()):
                raise Restarted("the device has lost its settings, so it was reset")
        if accepted_count is not None and not news.events:
            self._accepted_count, self._money_count = accepted_count, 0
        self._take(news)
        yield from self._extra()
        if self._faults.any_condition and self._now_ms >= self._check_ms + SELF_CHECK_MS:
            self._check_ms = self._now_ms
            self._show_self_check((yield from self._ask_self_check()), self.SELF_CHECK_CLEARS)
        if self._unconfirmed and self._now_ms >= self._repeat_ms:
            self._repeat_ms = self._now_ms + REPEAT_MS
            for event in self._unconfirmed.values():
                self._emit(event)
        self._settle_faults()
        yield Pause(self._interval_ms)

    def _make_safe(self) -> Script[None]:
        yield Ask(MODIFY_MASTER_INHIBIT, b"\0", try_count=2, reply_ms=100)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _read_buffer(self) -> Script[Buffer]:
        return parse_buffer((yield Ask(self.EVENTS_HEADER, least=11, most=11)).data)

    def _catch_up(self) -> Script[tuple[Buffer, News]]:
        """Read the buffer; what is unusual must be read twice alike."""
        buffer = yield from self._read_buffer()
        while True:
            news = self._numbers.news(buffer)
            if not (news.restarted or news.lost_count):
                return buffer, news
            again = yield from self._read_buffer()
            if again == buffer:
                return buffer, news
            buffer = again

    def _take(self, news: News) -> None:
        self._numbers.take(news)
        if news.lost_count:
            detail = f"{news.lost_count} events were not seen; compare the counters"
            self._faults.up("lost_events", detail, self._now_ms)
        for event in news.events:
            self._money_count += self._is_money(event.first, event.second)
            self._happened(event)

    def _has_lost_inhibits(self) -> Script[bool]:
        if not self._reads_back:
            return False
        mask = yield from self._read_mask()
        self._reads_back = mask is not None
        return mask is not None and mask not in self._masks

    def _read_mask(self) -> Script[bytes | None]:
        """Read the inhibits back; None if the device does not tell them. What is unusual must be read twice alike."""
        mask = yield from self._try(Ask(REQUEST_INHIBIT, least=2, most=2))
        while mask is not None and self._masks and mask not in self._masks:
            again = yield from self._try(Ask(REQUEST_INHIBIT, least=2, most=2))
            if again == mask:
                break
            mask = again
        return mask

    def _refuse(self) -> Script[None]:
        yield Ask(MODIFY_MASTER_INHIBIT, b"\0")
        yield from self._set_mask(b"\0\0")
        self._is_open = False

    def _set_mask(self, mask: bytes) -> Script[None]:
        """Set the inhibits. Until the device has said so they may be the old ones or these: an answer that was lost must
        not make it look like a device that was reset, whose events would be taken for new ones."""
        if self._masks:
            self._masks |= {mask}
        yield Ask(MODIFY_INHIBIT, mask)
        self._masks = frozenset((mask,))

    def _apply(self) -> Script[None]:
        """Bring the device's inhibits to what is wanted; while they change it takes nothing that it should not."""
        mask = inhibit_mask(frozenset(at for at, value in self._values.items() if value and value in self._enabled))
        should_open = mask != b"\0\0"
        if self._is_open and not should_open:
            yield Ask(MODIFY_MASTER_INHIBIT, b"\0")
            self._is_open = False
        if self._masks != {mask}:
            yield from self._set_mask(mask)
        if should_open and not self._is_open:
            yield Ask(MODIFY_MASTER_INHIBIT, b"\1")
            self._is_open = True

    def _ask_self_check(self) -> Script[tuple[str, str] | None]:
        """Ask how the device is; None if it is well or can't say."""
        data = yield from self._try(Ask(SELF_CHECK, least=1, most=3, reply_ms=SLOW_MS))
        return self_check_fault(data) if data is not None else None

    def _show_self_check(self, fault: tuple[str, str] | None, clears: tuple[str, ...]) -> None:
        if fault is not None:
            self._faults.up(*fault, self._now_ms)
        else:
            self._faults.down(clears, self._now_ms)

    def _identifiers(self, header: int, length: int) -> Script[dict[int, bytes]]:
        """Read the identifier of every position; a device that knows fewer positions refuses the others."""
        found: dict[int, bytes] = {}
        for position in range(1, POSITION_COUNT + 1):
            data = yield from self._try(Ask(header, bytes((position,)), most=length))
            if data is not None and len(data) == length:
                found[position] = data
        return found


def _is_part(mask: bytes, whole: bytes) -> bool:
    """Whether a mask lets in something, and nothing but what ``whole`` lets in."""
    let_in = int.from_bytes(mask, "little")
    return let_in != 0 and not let_in & ~int.from_bytes(whole, "little")
