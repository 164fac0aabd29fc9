"""The host's side of a ccTalk line: one request at a time, echo, time-outs and repeats for all devices on it.

A session as ``hal.wire.session`` describes it. A broken exchange ends the same way whatever broke it: wait for
silence on the line, then repeat what may be repeated, else tell the dialogue. Not responsible for dialogues
(``hal.wire.cctalk_station`` and the kinds of device) or for the port.
"""

from collections.abc import Sequence

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire.cctalk import BUSY, NAK, Echo, Reply, ReplyReader, Request, encode
from hal.wire.cctalk_station import Ask, NoReply, Refused, Station
from hal.wire.session import Command, Output, Report, Send, Start, Stop

GAP_MS = 50
"""Silence that ends a frame, whole or not."""
TURN_MS = 5
"""Time between a reply and the next request."""
BUSY_PAUSE_MS, BUSY_COUNT = 200, 10


class _Exchange:
    """One request on its way, with what is left of its tries."""

    def __init__(self, station: Station, ask: Ask) -> None:
        self.station = station
        self.ask = ask
        self.request = Request(station.address, ask.header, ask.data, station.checksum)
        self.tries_left = ask.try_count
        self.busy_left = BUSY_COUNT
        self.reader: ReplyReader | None = None
        self.deadline_ms = 0


class CctalkBus:
    """All devices on one line; each has its own station."""

    def __init__(self, stations: Sequence[Station]) -> None:
        self._stations = {station.name: station for station in stations}
        self._order = tuple(stations)
        self._started: set[str] = set()
        self._is_open = False
        self._turn = 0
        self._echo = Echo.UNKNOWN
        self._exchange: _Exchange | None = None
        self._quiet_until_ms = 0
        self._output = bytearray()

    @property
    def echo(self) -> Echo:
        """Whether the adapter hands our own bytes back, as far as is known."""
        return self._echo

    @property
    def deadline_ms(self) -> int | None:
        """See ``hal.wire.session.Session``."""
        if self._exchange is not None and self._exchange.reader is not None:
            return self._exchange.deadline_ms
        if self._exchange is not None:
            return self._quiet_until_ms
        due = [station.due_ms for station in self._order if not station.is_over]
        return max(min(due), self._quiet_until_ms) if due else None

    def opened(self, now_ms: int) -> list[Output]:
        """The port is open: look for every device that was started."""
        self._is_open = True
        self._forget_line(now_ms)
        for station in self._order:
            if station.name in self._started:
                self._begin(station, now_ms)
        return self._outputs()

    def closed(self, now_ms: int) -> list[Output]:
        """The port has gone: half an exchange is void."""
        self._is_open = False
        self._forget_line(now_ms)
        for station in self._order:
            station.cut()
        return self._outputs()

    def command(self, command: Command, now_ms: int) -> list[Output]:
        """Hand a command to its device. Raises LocalProtocolError for a device or command that isn't here."""
        station = self._stations.get(command.device)
        if station is None:
            raise LocalProtocolError(f"no {command.device} on this ccTalk line")
        if isinstance(command, Start):
            self._started.add(station.name)
            station.start(command.last_event)
            if self._is_open:
                self._begin(station, now_ms)
        elif isinstance(command, Stop):
            self._started.discard(station.name)
            station.shut_down()
        else:
            station.command(command, now_ms)
        return self._outputs()

    def receive(self, data: bytes, now_ms: int) -> list[Output]:
        """Take bytes from the line."""
        exchange = self._exchange
        if exchange is None or exchange.reader is None:
            self._quiet_until_ms = now_ms + GAP_MS  # nobody was asked: noise, or an answer that comes far too late
            return []
        try:
            reply = exchange.reader.receive(data)
        except RemoteProtocolError as error:
            self._damaged(exchange, str(error), now_ms)
            return self._outputs()
        if exchange.reader.has_begun:
            exchange.deadline_ms = now_ms + GAP_MS
        if reply is not None:
            self._echo = exchange.reader.echo
            self._replied(exchange, reply, now_ms)
        return self._outputs()

    def line_error(self, now_ms: int) -> list[Output]:
        """A byte was damaged: what it was part of is void."""
        if self._exchange is not None and self._exchange.reader is not None:
            self._damaged(self._exchange, "a byte was damaged on the line", now_ms)
        return self._outputs()

    def timeout(self, now_ms: int) -> list[Output]:
        """Let happen what is due: a time-out, a repeat, the next request."""
        exchange = self._exchange
        if exchange is not None and exchange.reader is not None:
            if now_ms >= exchange.deadline_ms:
                if exchange.reader.has_begun:
                    self._damaged(exchange, "the answer broke off", now_ms)
                else:
                    self._failed(exchange, "no answer", now_ms)
        if now_ms >= self._quiet_until_ms:
            if self._exchange is None:
                self._choose(now_ms)
            if self._exchange is not None and self._exchange.reader is None:
                self._send(self._exchange, now_ms)
        return self._outputs()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _outputs(self) -> list[Output]:
        outputs: list[Output] = []
        for station in self._order:
            outputs.extend(Report(event) for event in station.events)
            station.events.clear()
        if self._output:
            outputs.append(Send(bytes(self._output)))
            self._output.clear()
        return outputs

    def _begin(self, station: Station, now_ms: int) -> None:
        if self._exchange is not None and self._exchange.station is station:
            self._exchange = None  # its answer would be taken for another one's
            self._quiet_until_ms = now_ms + GAP_MS
        station.begin(now_ms)

    def _forget_line(self, now_ms: int) -> None:
        self._exchange = None
        self._echo = Echo.UNKNOWN
        self._output.clear()
        self._quiet_until_ms = now_ms + GAP_MS

    def _choose(self, now_ms: int) -> None:
        """Give the next device that wants something its turn."""
        for offset in range(len(self._order)):
            place = (self._turn + offset) % len(self._order)
            station = self._order[place]
            if station.wanted is None and not station.is_over and station.due_ms <= now_ms:
                station.wake(now_ms)
            if station.wanted is not None:
                self._turn = place + 1
                self._exchange = _Exchange(station, station.wanted)
                return

    def _send(self, exchange: _Exchange, now_ms: int) -> None:
        exchange.tries_left -= 1
        exchange.reader = ReplyReader(exchange.request, self._echo)
        frame = encode(exchange.request)
        exchange.deadline_ms = now_ms + len(frame) * 2 + exchange.ask.reply_ms
        self._output += frame

    def _replied(self, exchange: _Exchange, reply: Reply, now_ms: int) -> None:
        ask, station = exchange.ask, exchange.station
        self._quiet_until_ms = now_ms + TURN_MS
        if reply.header == BUSY:
            if exchange.busy_left:
                exchange.busy_left -= 1
                exchange.tries_left += 1  # the device has heard and not done it, so that was no try
                exchange.reader = None
                self._quiet_until_ms = now_ms + BUSY_PAUSE_MS
            else:
                self._exchange = None
                station.fail(NoReply("stays busy"), now_ms)
        elif reply.header == NAK:
            self._exchange = None
            station.fail(Refused(f"refuses command {ask.header}"), now_ms)
        elif not ask.least <= len(reply.data) <= ask.most:
            self._damaged(exchange, f"answers command {ask.header} with {len(reply.data)} bytes", now_ms)
        else:
            self._exchange = None
            station.answer(reply, now_ms)

    def _damaged(self, exchange: _Exchange, reason: str, now_ms: int) -> None:
        exchange.station.note_damage(now_ms)
        self._failed(exchange, reason, now_ms)

    def _failed(self, exchange: _Exchange, reason: str, now_ms: int) -> None:
        exchange.reader = None
        self._quiet_until_ms = now_ms + GAP_MS
        if exchange.tries_left <= 0:
            self._exchange = None
            self._echo = Echo.UNKNOWN  # the adapter may have been changed
            exchange.station.fail(NoReply(reason), now_ms)
