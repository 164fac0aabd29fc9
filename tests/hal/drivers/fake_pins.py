"""Stand-ins for the two GPIO libraries over one set of wires with a clock of its own.

Only the chip is missing on a PC; everything above it is real. ``Wires`` is the electricity: voltages of pins at a time.
"""

import errno
from collections.abc import Callable, Sequence
from enum import Enum
from types import SimpleNamespace
from typing import Any

PULLED = {"up": True, "down": False, "none": False}


class Wires:
    """The voltages on the pins (True is high), changes that will come, and the time, which passes only in ``wait``."""

    def __init__(self, now_ms: int = 1_000) -> None:
        self.now_ms = now_ms
        self.levels: dict[int, bool] = {}
        self.outputs: dict[int, bool] = {}
        self.history: list[tuple[int, int, bool]] = []
        self.edges: list[tuple[int, int, bool]] = []
        self.watched: set[int] = set()
        self.claimed: dict[int, str] = {}
        self.on_output: Callable[[int, bool], None] = lambda _pin, _high: None
        self.coming: list[tuple[int, int, bool]] = []

    def clock_ns(self) -> int:
        return self.now_ms * 1_000_000

    def drive(self, pin: int, high: bool, at_ms: int | None = None) -> None:
        """Put a voltage on an input, now or at a time."""
        if at_ms is not None and at_ms > self.now_ms:
            self.coming.append((at_ms, pin, high))
            self.coming.sort(key=lambda change: change[0])
        elif self.levels.get(pin) != high:
            self.levels[pin] = high
            if pin in self.watched:
                self.edges.append((self.now_ms, pin, high))

    def level(self, pin: int, pull: str) -> bool:
        return self.levels.setdefault(pin, PULLED[pull])

    def output(self, pin: int, high: bool) -> None:
        if self.outputs.get(pin) != high:
            self.outputs[pin] = high
            self.history.append((self.now_ms, pin, high))
            self.on_output(pin, high)

    def pass_to(self, end_ms: int) -> None:
        """Let time pass without anybody looking."""
        while self.coming and self.coming[0][0] <= end_ms:
            at_ms, pin, high = self.coming.pop(0)
            self.now_ms = max(self.now_ms, at_ms)
            self.drive(pin, high)
        self.now_ms = max(self.now_ms, end_ms)

    def wait(self, descriptors: Sequence[int], duration_ms: int | None) -> bool:
        """``WaitReadable``: time passes to the next edge of a watched pin or to the end of the time."""
        end_ms = self.now_ms + (duration_ms or 0)
        while not self.edges and self.coming and self.coming[0][0] <= end_ms:
            self.pass_to(self.coming[0][0])
        if not self.edges:
            self.now_ms = max(self.now_ms, end_ms)
        return bool(self.edges) and len(descriptors) > 1


def rpi_gpio(wires: Wires) -> Any:
    """The module RPi.GPIO, as far as it is used. Its edge detection is not there: whoever touches it fails."""
    pulls = {20: "none", 21: "down", 22: "up"}
    inputs: dict[int, str] = {}

    def setup(pin: int, direction: int, initial: int = -1, pull_up_down: int = 20) -> None:
        if pin in wires.claimed:
            raise RuntimeError(f"'GPIO busy' {wires.claimed[pin]}")
        if direction == 0:
            wires.output(pin, bool(initial))
        else:
            inputs[pin] = pulls[pull_up_down]
            wires.level(pin, pulls[pull_up_down])

    def cleanup(pins: list[int]) -> None:
        for pin in pins:
            if pin in wires.claimed:  # rpi-lgpio claims a pin in order to give it back
                raise RuntimeError(f"'GPIO busy' {wires.claimed[pin]}")
            inputs.pop(pin, None)

    return SimpleNamespace(
        BCM=11,
        OUT=0,
        IN=1,
        LOW=0,
        HIGH=1,
        PUD_OFF=20,
        PUD_DOWN=21,
        PUD_UP=22,
        setwarnings=lambda _on: None,
        setmode=lambda _mode: None,
        setup=setup,
        input=lambda pin: int(wires.level(pin, inputs[pin])),
        output=lambda pin, high: wires.output(pin, bool(high)),
        cleanup=cleanup,
    )


class _Value(Enum):
    INACTIVE = 0
    ACTIVE = 1


class _EdgeType(Enum):
    RISING_EDGE = 1
    FALLING_EDGE = 2


class _Request:
    """A request of lines; its edges are those of its pins."""

    fd = 7

    def __init__(self, wires: Wires, config: dict[int, Any]) -> None:
        self._wires, self._config = wires, config
        self._numbers: dict[int, int] = {}
        self.drop_next = False
        for pin, settings in config.items():
            if pin in wires.claimed:
                raise OSError(errno.EBUSY, "Device or resource busy")
            if settings.direction == "output":
                wires.output(pin, settings.active_low)
            else:
                wires.level(pin, settings.bias)
                wires.watched.add(pin)

    def get_values(self, pins: list[int]) -> list[_Value]:
        return [
            _Value.ACTIVE if self._wires.levels[pin] != self._config[pin].active_low else _Value.INACTIVE
            for pin in pins
        ]

    def set_value(self, pin: int, value: _Value) -> None:
        self._wires.output(pin, (value is _Value.ACTIVE) != self._config[pin].active_low)

    def wait_edge_events(self, _timeout: float) -> bool:
        return bool(self._wires.edges)

    def read_edge_events(self) -> list[Any]:
        events = []
        for at_ms, pin, high in self._wires.edges:
            self._numbers[pin] = self._numbers.get(pin, 0) + 1
            active = high != self._config[pin].active_low
            event_type = _EdgeType.RISING_EDGE if active else _EdgeType.FALLING_EDGE
            events.append(
                SimpleNamespace(
                    line_offset=pin,
                    event_type=event_type,
                    timestamp_ns=at_ms * 1_000_000,
                    line_seqno=self._numbers[pin],
                )
            )
        self._wires.edges = []
        if self.drop_next:
            self.drop_next = False
            events = events[1:]
        return events

    def release(self) -> None:
        self._wires.watched.difference_update(self._config)


def gpiod(wires: Wires, path: str = "/dev/gpiochip0", label: str = "pinctrl-bcm2711") -> Any:
    """The module gpiod, as far as it is used, with one chip. ``requests`` are those that were made."""
    requests: list[_Request] = []

    class Chip:
        def __init__(self, name: str) -> None:
            if name != path:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory")

        def __enter__(self) -> "Chip":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

        def get_info(self) -> Any:
            return SimpleNamespace(label=label)

        def get_line_info(self, pin: int) -> Any:
            return SimpleNamespace(used=pin in wires.claimed, consumer=wires.claimed.get(pin, ""))

        def request_lines(self, config: dict[int, Any], consumer: str, event_buffer_size: int = 0) -> _Request:
            if any(pin > 27 for pin in config):
                raise ValueError("line offset of out range")
            requests.append(_Request(wires, config))
            return requests[-1]

        def close(self) -> None:
            pass

    line = SimpleNamespace(
        Value=_Value,
        Bias=SimpleNamespace(PULL_UP="up", PULL_DOWN="down", DISABLED="none"),
        Direction=SimpleNamespace(INPUT="input", OUTPUT="output"),
        Edge=SimpleNamespace(BOTH="both"),
        Clock=SimpleNamespace(MONOTONIC="monotonic"),
    )

    def line_settings(direction: str, active_low: bool, bias: str = "none", **_: object) -> Any:
        return SimpleNamespace(direction=direction, active_low=active_low, bias=bias)

    return SimpleNamespace(
        Chip=Chip,
        LineSettings=line_settings,
        EdgeEvent=SimpleNamespace(Type=_EdgeType),
        line=line,
        is_gpiochip_device=lambda name: name == path,
        requests=requests,
    )
