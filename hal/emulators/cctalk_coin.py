"""A ccTalk coin acceptor at byte level: euro coins, a sorter, and every error code as a verb. Written from the fact sheet."""

from typing import ClassVar

from hal.emulators.base import Faults, verb
from hal.emulators.cctalk_line import CctalkAcceptor

FALL_MS = 60
EURO_COINS: tuple[bytes, ...] = (b"EU005A", b"EU010A", b"EU020A", b"EU050A", b"EU100A", b"EU200A")
NOT_PROGRAMMED = b"......"


class CctalkCoinAcceptor(CctalkAcceptor):
    """``coins`` are identifiers by position; ``accepted`` keeps what ever went in: value and sorter path.

    Makers differ in what is let in after a reset: nothing, or with ``starts_open`` everything.
    """

    protocol: ClassVar[str] = "cctalk-coin"
    CATEGORY = b"Coin Acceptor"
    EVENTS_HEADER = 229

    def __init__(
        self,
        faults: Faults | None = None,
        address: int = 2,
        echo: bool = True,
        coins: tuple[bytes, ...] = EURO_COINS,
        has_accept_counter: bool = True,
        starts_open: bool = False,
    ) -> None:
        self._starts_open = starts_open
        super().__init__(faults, address, echo=echo, has_accept_counter=has_accept_counter)
        self.accepted: list[tuple[int, int]] = []
        self.fell_through: list[int] = []
        self._coins = coins
        self._falling: list[tuple[int, int]] = []  # when, minor units
        self._is_jammed = False
        self._answers |= {
            184: self._on_coin_id,
            210: self._on_sorter,
            189: lambda data: b"" if len(data) == 1 else None,
        }

    @verb
    def insert_coin(self, minor: int) -> None:
        """Drop a coin in."""
        self._falling.append((self.now_ms + FALL_MS, minor))
        self._plan()

    @verb
    def jam(self) -> None:
        """Block the credit sensor."""
        self._is_jammed = True
        self.happen(0, 14)

    @verb
    def clear_jam(self) -> None:
        """Free it."""
        self._is_jammed = False

    @verb
    def pull_string(self) -> None:
        """Pull a coin back on a string."""
        self.happen(0, 20)

    def self_check(self) -> bytes:
        return b"\x03" if self._is_jammed else b"\0"

    def _clear_volatile(self) -> None:
        super()._clear_volatile()
        self._paths = [1] * 16
        if self._starts_open:
            self._mask = b"\xff\xff"

    def on_due(self) -> None:
        due, self._falling = (
            [minor for at_ms, minor in self._falling if at_ms <= self.now_ms],
            [coin for coin in self._falling if coin[0] > self.now_ms],
        )
        for minor in due:
            self._pass(minor)
        self._plan()

    def _pass(self, minor: int) -> None:
        name = b"EU%03dA" % minor
        position = self._coins.index(name) + 1 if name in self._coins else 0
        if not self.powered or self._is_jammed or not position or not self.lets_in(position):
            self.fell_through.append(minor)
            if position:
                self.happen(0, 127 + position)
            else:
                self.happen(0, 1)
            return
        path = self._paths[position - 1]
        self.accepted.append((minor, path))
        self.accepted_count += 1
        self.happen(position, path)

    def _plan(self) -> None:
        self.due_ms = min((at_ms for at_ms, _ in self._falling), default=None)

    def _on_coin_id(self, data: bytes) -> bytes | None:
        if len(data) != 1 or not 1 <= data[0] <= 16:
            return None
        return self._coins[data[0] - 1] if data[0] <= len(self._coins) else NOT_PROGRAMMED

    def _on_sorter(self, data: bytes) -> bytes | None:
        if len(data) != 2 or not 1 <= data[0] <= 16 or not 1 <= data[1] <= 8:
            return None
        self._paths[data[0] - 1] = data[1]
        return b""
