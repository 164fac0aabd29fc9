"""An ESC/POS receipt printer at byte level, with a queue that stops when paper, cover or cutter stop it.

Real-time questions are answered at once; everything else waits in the queue and takes its time. What came out lies in
``slips``, one list of lines per cut, and the unfinished rest in ``paper``. Written from the published bytes (tests/vectors).
"""

from typing import ClassVar

from hal.emulators.base import Emulator, Faults, verb

BYTE_MS = 1
LINE_MS = 30
CUT_MS = 300
REPLY_AFTER_MS = 3

# Commands of the queue -> how many bytes follow them. A 1 at the end of ``1D 56 41/42`` is handled apart.
_ARGUMENTS = {
    b"\x1b\x40": 0,
    b"\x1b\x21": 1,
    b"\x1b\x2d": 1,
    b"\x1b\x32": 0,
    b"\x1b\x33": 1,
    b"\x1b\x45": 1,
    b"\x1b\x47": 1,
    b"\x1b\x4d": 1,
    b"\x1b\x52": 1,
    b"\x1b\x56": 1,
    b"\x1b\x61": 1,
    b"\x1b\x64": 1,
    b"\x1b\x4a": 1,
    b"\x1b\x70": 3,
    b"\x1b\x74": 1,
    b"\x1b\x7b": 1,
    b"\x1d\x21": 1,
    b"\x1d\x42": 1,
    b"\x1d\x56": 1,
    b"\x1d\x61": 1,
    b"\x1d\x62": 1,
    b"\x1d\x72": 1,
}

_CODE_PAGES = {0: "cp437", 17: "cp866"}
"""The numbers of ``1B 74`` that it knows; it keeps the page at any other."""


class EscposPrinter(Emulator):
    """Text is read in the code page that the host has chosen, CP437 until then, so a slip in a wrong one is garbage."""

    protocol: ClassVar[str] = "escpos"

    def __init__(self, faults: Faults | None = None) -> None:
        super().__init__(faults)
        self.slips: list[list[str]] = []
        self.paper: list[str] = []
        self.is_paper_low = False
        self.is_paper_out = False
        self.is_cover_open = False
        self.is_cutter_jammed = False
        self.is_broken = False
        self._lines_left: int | None = None
        self._stuck_answer: int | None = None
        self._begin()

    def _begin(self) -> None:
        self._queue = bytearray()
        self._real_time = bytearray()
        self._text = bytearray()
        self._codec = _CODE_PAGES[0]

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def paper_low(self) -> None:
        """The roll is nearly at its end."""
        self.is_paper_low = True

    @verb
    def paper_out(self, after_lines: int = 0) -> None:
        """The roll is at its end, now or after so many more lines."""
        if after_lines:
            self._lines_left = after_lines
        else:
            self.is_paper_out = True

    @verb
    def load_paper(self) -> None:
        """Put a new roll in; what waits is printed."""
        self.is_paper_out = self.is_paper_low = False
        self._lines_left = None
        self._plan(LINE_MS)

    @verb
    def open_cover(self) -> None:
        """Open the cover."""
        self.is_cover_open = True

    @verb
    def close_cover(self) -> None:
        """Close the cover; what waits is printed."""
        self.is_cover_open = False
        self._plan(LINE_MS)

    @verb
    def jam(self) -> None:
        """Jam the cutter."""
        self.is_cutter_jammed = True

    @verb
    def clear_jam(self) -> None:
        """Free the cutter; what waits is printed."""
        self.is_cutter_jammed = False
        self._plan(CUT_MS)

    @verb
    def break_down(self) -> None:
        """An error that only a repair ends."""
        self.is_broken = True

    @verb
    def stick(self, answer: int) -> None:
        """Answer this byte to every question, like a poor clone."""
        self._stuck_answer = answer

    # --- power, time, bytes -----------------------------------------------------------------------------------------

    def on_power(self, is_on: bool) -> None:
        """The queue is lost; what is on paper stays there."""
        self._begin()
        self.due_ms = None

    def on_bytes(self, data: bytes) -> None:
        """Answer real-time questions at once; queue the rest."""
        for byte in data:
            self._real_time.append(byte)
            if self._real_time[0] != 0x10 or (len(self._real_time) == 2 and self._real_time[1] != 0x04):
                self._queue += self._real_time
                self._real_time.clear()
            elif len(self._real_time) == 3:
                self._say(self._status(self._real_time[2]))
                self._real_time.clear()
        self._plan(BYTE_MS)

    def on_due(self) -> None:
        """Process the next command of the queue."""
        if self._is_stopped() or not self._queue:
            return
        took_ms = self._process()
        if took_ms:
            self._plan(took_ms)

    def _plan(self, in_ms: int) -> None:
        if self._queue and not self._is_stopped() and self.due_ms is None:
            self.due_ms = self.now_ms + in_ms

    def _is_stopped(self) -> bool:
        return self.is_paper_out or self.is_cover_open or self.is_cutter_jammed or self.is_broken

    def _process(self) -> int:
        """Take one command from the queue; return how long it takes in milliseconds, 0 if it can't be taken yet."""
        first = self._queue[0]
        if first not in (0x1B, 0x1D):
            del self._queue[0]
            return self._print(first)
        if len(self._queue) < 2:
            return 0
        code = bytes(self._queue[:2])
        count = _ARGUMENTS.get(code, 1)
        if code == b"\x1d\x56" and len(self._queue) > 2 and self._queue[2] in (0x41, 0x42):
            count = 2
        if len(self._queue) < 2 + count:
            return 0
        arguments = bytes(self._queue[2 : 2 + count])
        del self._queue[: 2 + count]
        return self._obey(code, arguments)

    def _obey(self, code: bytes, arguments: bytes) -> int:
        match code:
            case b"\x1b\x40":
                self._text.clear()
                self._codec = _CODE_PAGES[0]
            case b"\x1b\x74":
                self._codec = _CODE_PAGES.get(arguments[0], self._codec)
            case b"\x1b\x64":
                for _ in range(arguments[0]):
                    self._feed()
                return LINE_MS * arguments[0]
            case b"\x1d\x56":
                self.slips.append([line for line in self.paper if line])
                self.paper = []
                return CUT_MS
            case b"\x1d\x72":
                self._say((0x03 if self.is_paper_low else 0) | (0x0C if self.is_paper_out else 0))
        return BYTE_MS

    def _print(self, byte: int) -> int:
        if byte == 0x0A:
            self._feed()
            return LINE_MS
        if byte >= 0x20:
            self._text.append(byte)
        return BYTE_MS

    def _feed(self) -> None:
        self.paper.append(self._text.decode(self._codec, "replace"))
        self._text.clear()
        if self._lines_left is not None:
            self._lines_left -= 1
            if self._lines_left <= 0:
                self.is_paper_out = True
                self._lines_left = None

    def _say(self, answer: int) -> None:
        self.reply(bytes([answer if self._stuck_answer is None else self._stuck_answer]), REPLY_AFTER_MS)

    def _status(self, question: int) -> int:
        answer = 0x12
        if question == 1:
            answer |= self._is_stopped() << 3
        elif question == 2:
            answer |= self.is_cover_open << 2 | self.is_paper_out << 5
        elif question == 3:
            answer |= self.is_cutter_jammed << 3 | self.is_broken << 5
        elif question == 4:
            answer |= (0x0C if self.is_paper_low else 0) | (0x60 if self.is_paper_out else 0)
        return answer
