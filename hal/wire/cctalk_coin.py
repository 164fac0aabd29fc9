"""The host's dialogue with a ccTalk coin acceptor.

Not responsible for inhibits and the buffer's arithmetic (``hal.wire.cctalk_acceptor``) or for the line.
"""

from dataclasses import dataclass

from hal.errors import LocalProtocolError
from hal.events import CoinAccepted, CoinRejected, CoinReport
from hal.wire.cctalk import Checksum
from hal.wire.cctalk_acceptor import AcceptorStation
from hal.wire.cctalk_events import Event, News
from hal.wire.cctalk_messages import (
    COIN_FAULTS,
    COIN_ID,
    COIN_REJECTIONS,
    COUNTER_SIZE,
    FIRST_INHIBITED,
    LAST_INHIBITED,
    MODIFY_DEFAULT_PATH,
    MODIFY_SORTER_PATH,
    READ_COIN_EVENTS,
    Buffer,
    coin_value_minor,
)
from hal.wire.cctalk_station import Ask, Script
from hal.wire.session import Command, Route


@dataclass(frozen=True, slots=True)
class Sorter:
    """Where the acceptor's sorter paths (1–8) lead, and which coins the hopper takes."""

    hopper_path: int
    cash_box_path: int
    hopper_values_minor: frozenset[int]


class CoinStation(AcceptorStation):
    """A coin acceptor. Without a ``sorter`` all coins are taken to fall into the cash box."""

    CATEGORY = "Coin Acceptor"
    EVENTS_HEADER = READ_COIN_EVENTS
    POLL_MS = 100
    SELF_CHECK_CLEARS = ("jam", "sensor", "motor", "internal")

    def __init__(
        self,
        name: str,
        country: str,
        address: int = 2,
        sorter: Sorter | None = None,
        checksums: tuple[Checksum, ...] = (Checksum.SUM8,),
    ) -> None:
        super().__init__(name, address, checksums, country)
        self._sorter = sorter
        self._route = "cash_box"
        self._paths: dict[int, int] = {}

    def _take_other_command(self, command: Command) -> None:
        if not isinstance(command, Route):
            raise LocalProtocolError(f"the coin acceptor {self.name} can't {command}")
        self._route = command.to

    def _load(self) -> Script[None]:
        found = yield from self._identifiers(COIN_ID, 6)
        self._values = {at: coin_value_minor(data, self._country) for at, data in found.items()}
        self._paths = {}
        self._route = "cash_box"
        if self._sorter is not None:
            yield Ask(MODIFY_DEFAULT_PATH, bytes((self._sorter.cash_box_path,)))
            yield from self._sort()

    def _extra(self) -> Script[None]:
        yield from self._sort()

    def _sort(self) -> Script[None]:
        """Set the sorter path of each coin that has another one than wanted."""
        if self._sorter is None:
            return
        for position, value in self._values.items():
            to_hopper = self._route == "hopper" and value in self._sorter.hopper_values_minor
            path = self._sorter.hopper_path if to_hopper else self._sorter.cash_box_path
            if value and self._paths.get(position) != path:
                yield Ask(MODIFY_SORTER_PATH, bytes((position, path)))
                self._paths[position] = path

    def _is_money(self, first: int, second: int) -> bool:
        return first > 0

    def _happened(self, event: Event) -> None:
        if event.first:
            self._accepted(event)
        elif event.second in COIN_FAULTS:
            self._faults.up(*COIN_FAULTS[event.second], self._now_ms)
        elif FIRST_INHIBITED <= event.second <= LAST_INHIBITED:
            self._emit(CoinRejected(self.name, self._now_ms, "inhibited"))
        elif event.second:
            self._emit(CoinRejected(self.name, self._now_ms, COIN_REJECTIONS.get(event.second, "unknown")))

    def _accepted(self, event: Event) -> None:
        value = self._values.get(event.first, 0)
        if not value:
            detail = f"a coin of position {event.first}, which has no value, was accepted as event {event.number}"
            self._faults.up("unknown_money", detail, self._now_ms)
            return
        path = event.second or self._paths.get(event.first, 0)
        to = "hopper" if self._sorter is not None and path == self._sorter.hopper_path else "cash_box"
        self._money(CoinAccepted(self.name, self._now_ms, self._key(event.number), value, to))

    def _missing_count(self, news: News, more: int) -> int:
        """A coin that fell just before a reset took its event away is still counted; a count that ran back tells nothing."""
        unseen = more - sum(self._is_money(event.first, event.second) for event in news.events)
        return unseen if 0 < unseen < COUNTER_SIZE // 2 else 0

    def _report(self, buffer: Buffer, news: News) -> CoinReport:
        told = tuple(self._key(event.number) for event in news.events if self._values.get(event.first))
        return CoinReport(self._accepted_count, news.lost_count, (*self._unconfirmed, *told))
