"""Pins through the kernel's GPIO character device and libgpiod 2, on any Pi.

The only importer of gpiod, and only when pins are opened. The kernel stamps every edge with the monotonic clock and keeps
it until it is read, so a program that is late loses nothing; an overflow of the kernel's buffer shows in the edges' own
numbers. The chip is found by its label, because its number changes from kernel to kernel.
"""

import contextlib
import errno
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hal.drivers.gpio_chip import Edge, Edges, InputPin, OutputPin, WaitReadable, monotonic_ns, wait_readable
from hal.errors import PortError

HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the chip behind the 40-pin header: Pi 1 to 3, Pi 4, Pi 5."""

CONSUMER = "croupier"
BUFFER_EVENTS = 1024
"""Edges that the kernel keeps for us; at ten pulses a second for fifty seconds."""


class GpiodChip:
    """See ``hal.drivers.gpio_chip.GpioChip``. ``chip`` is a device file, a label, or empty for the 40-pin header's."""

    def __init__(
        self, chip: str = "", clock_ns: Callable[[], int] = monotonic_ns, wait: WaitReadable = wait_readable
    ) -> None:
        self._chip_name = chip
        self._clock_ns = clock_ns
        self._wait = wait
        self._gpiod: Any = None
        self._chip: Any = None
        self._input_request: Any = None
        self._output_request: Any = None
        self._inputs: dict[int, InputPin] = {}
        self._outputs: dict[str, OutputPin] = {}
        self._line_numbers: dict[int, int] = {}

    @property
    def worst_gap_ms(self) -> int:
        """The kernel keeps edges until they are read: there is no gap."""
        return 0

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        """Request the lines. Raises ``PortError`` if the chip is not there or a line is taken, and says by whom."""
        gpiod = self._gpiod = _import()
        path = find_chip(self._chip_name)
        try:
            self._chip = gpiod.Chip(path)
            self._inputs = {pin.pin: pin for pin in inputs}
            self._outputs = {pin.line: pin for pin in outputs}
            self._line_numbers = {}
            if outputs:
                self._output_request = self._chip.request_lines(
                    consumer=CONSUMER, config={pin.pin: self._output_settings(pin) for pin in outputs}
                )
            if inputs:
                self._input_request = self._chip.request_lines(
                    consumer=CONSUMER,
                    config={pin.pin: self._input_settings(pin) for pin in inputs},
                    event_buffer_size=BUFFER_EVENTS,
                )
        except (OSError, ValueError) as error:  # ValueError: a pin beyond the chip's last
            text = self._remedy(path, error)
            self.close()
            raise PortError(text) from error

    def levels(self) -> dict[str, bool]:
        """Read the inputs."""
        if self._input_request is None:
            return {}
        pins = list(self._inputs)
        values = self._input_request.get_values(pins)
        active = self._gpiod.line.Value.ACTIVE
        return {self._inputs[pin].line: value == active for pin, value in zip(pins, values, strict=True)}

    def wait(self, duration_ms: int | None, wake_fd: int) -> Edges:
        """Wait, then take everything that the kernel has kept."""
        descriptors = [wake_fd] if self._input_request is None else [wake_fd, self._input_request.fd]
        self._wait(descriptors, duration_ms)
        until_ms = (
            self._clock_ns() // 1_000_000
        )  # edges after this moment may or may not be among those that are read now
        edges: list[Edge] = []
        lost: set[str] = set()
        try:
            while self._input_request is not None and self._input_request.wait_edge_events(0):
                for event in self._input_request.read_edge_events():
                    active = event.event_type == self._gpiod.EdgeEvent.Type.RISING_EDGE
                    line = self._inputs[event.line_offset].line
                    if self._is_gap(event):
                        lost.add(line)
                    edges.append(Edge(line, active, event.timestamp_ns // 1_000_000))
        except OSError as error:
            raise PortError(self._remedy(self._chip_name, error)) from error
        return Edges(tuple(edges), until_ms, frozenset(lost))

    def set(self, line: str, active: bool) -> None:
        """Set an output."""
        value = self._gpiod.line.Value
        self._output_request.set_value(self._outputs[line].pin, value.ACTIVE if active else value.INACTIVE)

    def close(self) -> None:
        """Make outputs inactive and give the lines back."""
        with contextlib.suppress(OSError):
            if self._output_request is not None:
                for line in self._outputs:
                    self.set(line, False)
        for holder in (self._input_request, self._output_request):
            if holder is not None:
                holder.release()
        self._input_request = self._output_request = None
        if self._chip is not None:
            self._chip.close()
            self._chip = None

    # --- inside -----------------------------------------------------------------------------------------------------

    def _input_settings(self, pin: InputPin) -> Any:
        line = self._gpiod.line
        bias = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "none": line.Bias.DISABLED}[pin.pull]
        return self._gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=bias,
            active_low=not pin.active_high,
            event_clock=line.Clock.MONOTONIC,
        )

    def _output_settings(self, pin: OutputPin) -> Any:
        line = self._gpiod.line
        return self._gpiod.LineSettings(
            direction=line.Direction.OUTPUT, active_low=not pin.active_high, output_value=line.Value.INACTIVE
        )

    def _is_gap(self, event: Any) -> bool:
        """Whether edges of this line are missing before this one; the kernel numbers them from 1.

        A level that follows on itself is no gap: edges closer together than the kernel's interrupts, which have no number,
        are bounce.
        """
        expected = self._line_numbers.get(event.line_offset, 0) + 1
        self._line_numbers[event.line_offset] = event.line_seqno
        return bool(event.line_seqno != expected)

    def _remedy(self, path: str, error: OSError | ValueError) -> str:
        if not isinstance(error, OSError):
            return f"{path}: {error}; correct the pins of the configuration"
        if error.errno in (errno.EACCES, errno.EPERM):
            return f"{path}: no permission; add the user to the group gpio and log in again"
        if error.errno == errno.EBUSY:
            return f"{path}: {self._holders() or 'a line is taken'}; stop that program or remove the overlay"
        if error.errno == errno.EINVAL:
            return f"{path}: the chip has not all the pins of the configuration, or no pull resistors; correct [gpio]"
        return f"{path}: {error.strerror or error}"

    def _holders(self) -> str:
        """Say who has the lines that we want."""
        taken = []
        for pin in sorted({*self._inputs, *(output.pin for output in self._outputs.values())}):
            with contextlib.suppress(OSError):
                info = self._chip.get_line_info(pin)
                if info.used:
                    taken.append(f"GPIO {pin} is used by {info.consumer or 'another program'}")
        return ", ".join(taken)


def find_chip(name: str) -> str:
    """Return the device file of a chip given by file, by label, or empty for the 40-pin header's.

    Raises ``PortError`` if it is not there; the text lists what is.
    """
    gpiod = _import()
    if name.startswith("/"):
        if not gpiod.is_gpiochip_device(name):
            raise PortError(f"{name}: not a GPIO chip; give a chip of this machine: {_chips_text(gpiod)}")
        return name
    wanted = (name,) if name else HEADER_LABELS
    for path, label in _chips(gpiod):
        if label in wanted:
            return path
    raise PortError(f"no GPIO chip labelled {' or '.join(wanted)}; the chips here: {_chips_text(gpiod)}")


def _chips(gpiod: Any) -> list[tuple[str, str]]:
    """Return path and label of every GPIO chip that may be opened."""
    found = []
    for path in sorted(str(device) for device in Path("/dev").glob("gpiochip*")):
        with contextlib.suppress(OSError):
            if gpiod.is_gpiochip_device(path):
                with gpiod.Chip(path) as chip:
                    found.append((path, chip.get_info().label))
    return found


def _chips_text(gpiod: Any) -> str:
    return ", ".join(f"{path} ({label})" for path, label in _chips(gpiod)) or "none"


def _import() -> Any:
    try:
        return importlib.import_module("gpiod")
    except ImportError as error:
        raise PortError("GPIO: the module gpiod is not installed; install the extra `pi`") from error
