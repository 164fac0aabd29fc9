"""Scripts for emulated devices: one verb with its arguments per line, ``#`` begins a comment.

Besides the device's own verbs there are ``wait MS``, ``wait_for_host`` (until the host has sent something) and ``quit``.
A script is checked as a whole before its first line runs.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

from hal.emulators.base import Emulator, Faults, ScriptError, check_words
from hal.emulators.pty import PtyPort

WAIT_FOR_HOST_STEP_MS = 20


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a script: where it stands and its words."""

    place: str
    words: tuple[str, ...]


def parse(text: str, name: str, device: type[Emulator]) -> list[Line]:
    """Return the lines that do something. Raises ``ScriptError`` with one line for every mistake."""
    lines, mistakes = [], []
    for number, raw in enumerate(text.splitlines(), start=1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        place = f"{name}:{number}"
        try:
            _check(words, device)
        except ScriptError as error:
            mistakes.append(f"{place}: {error}")
        lines.append(Line(place, tuple(words)))
    if mistakes:
        raise ScriptError("\n".join(mistakes))
    return lines


def run(lines: list[Line], port: PtyPort, sleep_ms: Callable[[int], None]) -> bool:
    """Carry a script out; returns whether it ended with ``quit``. Raises ``ScriptError`` for what can't be done now."""
    for line in lines:
        match line.words:
            case ("quit",):
                return True
            case ("wait", duration_ms):
                sleep_ms(int(duration_ms))
            case ("wait_for_host",):
                while not port.heard_host:
                    sleep_ms(WAIT_FOR_HOST_STEP_MS)
            case _:
                try:
                    port.do(" ".join(line.words))
                except ScriptError as error:
                    raise ScriptError(f"{line.place}: {error}") from error
    return False


def parse_faults(text: str) -> Faults:
    """Read ``corrupt=0.01,drop=0.02,seed=7``. Raises ``ScriptError``."""
    known = {field.name: field.type for field in fields(Faults)}
    values: dict[str, float | int] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise ScriptError(f"there is no fault {key}; there are {', '.join(known)}")
        try:
            values[key] = int(value) if key == "seed" else float(value)
        except ValueError:
            raise ScriptError(f"fault {key} is {value or 'nothing'}, expected a number") from None
        if key != "seed" and not 0 <= values[key] <= 1:
            raise ScriptError(f"fault {key} is {value}, expected a chance from 0 to 1")
    return Faults(**values)  # type: ignore[arg-type]


def _check(words: list[str], device: type[Emulator]) -> None:
    match words:
        case ["quit"] | ["wait_for_host"]:
            return
        case ["wait", duration_ms] if duration_ms.isdigit():
            return
        case ["wait" | "quit" | "wait_for_host", *_]:
            raise ScriptError(f"{words[0]} takes {'milliseconds' if words[0] == 'wait' else 'nothing'}")
        case _:
            check_words(device, words)
