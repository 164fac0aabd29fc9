"""What all emulated devices have in common: bytes in and out by a clock that is passed in, a vocabulary, and faults.

An emulator is sans-I/O. ``hal.emulators.pty`` runs it on a pseudo-terminal with a thread of its own; a test calls
``receive``, ``advance`` and ``output`` itself and needs no waiting. Methods marked ``@verb`` are what a script or a
person may do to the device; their annotated parameters (int or str) are how the script's words are read.

A device derives from ``Emulator`` and writes ``on_bytes`` and ``on_due``, sends by ``reply`` and sets ``due_ms``::

    class Ping(Emulator):
        protocol = "ping"

        def on_bytes(self, data: bytes) -> None:
            for byte in data:
                if byte == ord("P"):
                    self.reply(b"A", after_ms=5)

Standard verbs, so that one script fits every protocol: ``insert_note minor``, ``insert_coin minor``,
``refill_hopper count``, ``jam``, ``clear_jam``, ``remove_cash_box``, ``insert_cash_box``, ``fill_stacker``; the base
adds ``power_cut``, ``power_on``, ``silence ms``, ``repeat_last``, ``corrupt_next``, ``drop_next``, ``noise``.
"""

import inspect
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from hal.errors import HalError

_Method = TypeVar("_Method", bound=Callable[..., Any])


class ScriptError(HalError, ValueError):
    """A script asks for what the device can't do; the text says what and what there is."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How often the line misbehaves: chances between 0 and 1 for each frame that the device sends."""

    corrupt: float = 0.0
    drop: float = 0.0
    repeat: float = 0.0
    noise: float = 0.0
    seed: int = 0


def verb(method: _Method) -> _Method:
    """Mark a method as something that a script or a person may do to the device."""
    method.is_verb = True  # type: ignore[attr-defined]
    return method


class Emulator(ABC):
    """A device as its line sees it. Subclasses write ``on_bytes``, ``on_due`` and, where it matters, ``on_power``."""

    protocol: ClassVar[str] = ""

    def __init__(self, faults: Faults | None = None) -> None:
        self.now_ms = 0
        self.powered = True
        self.due_ms: int | None = None
        """When ``on_due`` is to be called; None for never. A subclass sets it."""
        self.log: Callable[[str], None] = lambda _text: None
        """Takes one line for people at everything notable."""
        self.line_faults: Counter[str] = Counter()
        """How many frames were ``dropped``, ``corrupted``, ``noise`` before them, or ``repeated``."""
        self._faults = Faults() if faults is None else faults
        self._random = random.Random(self._faults.seed)
        self._outbox: list[tuple[int, bytes]] = []
        self._last_frame = b""
        self._corrupt_next = False
        self._drop_next = False
        self._silent_until_ms = 0

    # --- for subclasses ---------------------------------------------------------------------------------------------

    @abstractmethod
    def on_bytes(self, data: bytes) -> None:
        """Bytes came from the host at ``now_ms``."""

    def on_due(self) -> None:  # noqa: B027 - a kind may have nothing to do
        """``due_ms`` has come (and has been reset to None)."""

    def on_power(self, is_on: bool) -> None:  # noqa: B027 - a kind may have nothing to do
        """The power went or came back: forget what is not kept in the device's lasting memory."""

    def reply(self, frame: bytes, after_ms: int = 0) -> None:
        """Send a frame to the host after a time; faults that were asked for or thrown happen to it."""
        if not self.powered or self.now_ms < self._silent_until_ms:
            return
        faults, chance = self._faults, self._random.random
        self._last_frame = frame
        if self._drop_next or chance() < faults.drop:
            self._drop_next = False
            self.line_faults["dropped"] += 1
            self.log(f"dropped {frame.hex(' ')}")
            return
        if self._corrupt_next or chance() < faults.corrupt:
            self._corrupt_next = False
            self.line_faults["corrupted"] += 1
            position = self._random.randrange(len(frame))
            frame = (
                frame[:position] + bytes([frame[position] ^ (1 << self._random.randrange(8))]) + frame[position + 1 :]
            )
        if chance() < faults.noise:
            self.line_faults["noise"] += 1
            self.raw(bytes([self._random.randrange(256)]), after_ms)
        self.raw(frame, after_ms)
        if chance() < faults.repeat:
            self.line_faults["repeated"] += 1
            self.raw(frame, after_ms)

    def raw(self, data: bytes, after_ms: int = 0) -> None:
        """Put bytes on the line as they are (an echo, noise), without faults."""
        self._outbox.append((self.now_ms + after_ms, data))
        self._outbox.sort(key=lambda waiting: waiting[0])

    # --- for whoever runs it ----------------------------------------------------------------------------------------

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host; a device without power hears nothing."""
        self.advance(now_ms)
        if self.powered:
            self.on_bytes(data)

    def advance(self, now_ms: int) -> None:
        """Let everything happen that is due until ``now_ms``, in order."""
        while self.due_ms is not None and self.due_ms <= now_ms:
            self.now_ms, self.due_ms = max(self.now_ms, self.due_ms), None
            self.on_due()
        self.now_ms = max(self.now_ms, now_ms)

    def output(self, now_ms: int) -> bytes:
        """Return the bytes that have left until now, once."""
        self.advance(now_ms)
        left = b"".join(data for at_ms, data in self._outbox if at_ms <= now_ms)
        self._outbox = [(at_ms, data) for at_ms, data in self._outbox if at_ms > now_ms]
        return left

    def next_due_ms(self) -> int | None:
        """Return when ``output`` or ``advance`` has something to do next, or None."""
        due = [at_ms for at_ms, _ in self._outbox[:1]]
        if self.due_ms is not None:
            due.append(self.due_ms)
        return min(due, default=None)

    # --- verbs of every device --------------------------------------------------------------------------------------

    @verb
    def power_cut(self) -> None:
        """Take the device's power away; what waits to be sent is lost."""
        if self.powered:
            self.powered = False
            self._outbox = []
            self.on_power(False)

    @verb
    def power_on(self) -> None:
        """Give the power back."""
        if not self.powered:
            self.powered = True
            self.on_power(True)

    @verb
    def silence(self, duration_ms: int) -> None:
        """Answer nothing for a while, though everything is heard and done."""
        self._silent_until_ms = self.now_ms + duration_ms

    @verb
    def repeat_last(self) -> None:
        """Send the last frame once more, unasked."""
        if self._last_frame and self.powered:
            self.line_faults["repeated"] += 1
            self.raw(self._last_frame)

    @verb
    def corrupt_next(self) -> None:
        """Flip one bit of the next frame."""
        self._corrupt_next = True

    @verb
    def drop_next(self) -> None:
        """Lose the next frame on its way to the host; the device believes it sent."""
        self._drop_next = True

    @verb
    def noise(self, byte_count: int) -> None:
        """Put random bytes on the line."""
        self.raw(self._random.randbytes(byte_count))

    # --- scripts ----------------------------------------------------------------------------------------------------

    @classmethod
    def verbs(cls) -> dict[str, inspect.Signature]:
        """Return the verbs of this device and how each is called."""
        methods = inspect.getmembers(cls, lambda member: getattr(member, "is_verb", False))
        return {name: inspect.signature(method) for name, method in methods}

    def do(self, words: list[str], now_ms: int) -> None:
        """Carry out one line of a script, split into words. Raises ``ScriptError``."""
        self.advance(now_ms)
        arguments = check_words(type(self), words)
        getattr(self, words[0])(*arguments)


def check_words(device: type[Emulator], words: list[str]) -> list[int | str]:
    """Return the arguments of a script line after its verb. Raises ``ScriptError`` for what the device doesn't have."""
    verbs = device.verbs()
    if words[0] not in verbs:
        raise ScriptError(f"{device.protocol} can't {words[0]}; it can {', '.join(verbs)}")
    parameters = list(verbs[words[0]].parameters.values())[1:]
    needed = sum(parameter.default is inspect.Parameter.empty for parameter in parameters)
    if not needed <= len(words) - 1 <= len(parameters):
        wanted = " ".join(parameter.name for parameter in parameters) or "nothing"
        raise ScriptError(f"{words[0]} takes {wanted}, not {' '.join(words[1:]) or 'nothing'}")
    arguments: list[int | str] = []
    for parameter, word in zip(parameters, words[1:], strict=False):
        if parameter.annotation is int:
            try:
                arguments.append(int(word))
            except ValueError:
                raise ScriptError(f"{words[0]}: {parameter.name} is {word}, expected a whole number") from None
        else:
            arguments.append(word)
    return arguments
