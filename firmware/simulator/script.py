"""Scripts for the cabinet: one verb a line, read and checked as a whole before anything happens.

``#`` begins a comment. A line that can't be understood or done, or an expectation that fails, is named by its number.
The verbs are a table; the reference in ``config/examples/README.md`` is checked against it. Not responsible for what
the verbs do to a cabinet beyond calling it.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from display.view_model import View
from firmware.cards.card import parse_card
from firmware.errors import CheckFailed, InvariantError, UserError
from firmware.simulator.cabinet import ImpossibleActionError, SimulatedCabinet
from firmware.simulator.expectations import EXPECTATIONS
from firmware.terminal.availability import faults_up
from hal.simulated.ground import ImpossibleAction

LARGEST_SCRIPT_BYTES: Final = 1_000_000
LONGEST_WAIT_MS: Final = 3_600_000
LOOK_AGAIN_MS: Final = 100
"""In real time an expectation is looked at so often, as long as the cabinet has patience."""


class ScriptError(UserError):
    """A line of a script is not understood or can't be done; the text names file and line."""


class ExpectationFailed(CheckFailed):
    """An expectation of a script did not hold; the text names file, line, found and expected."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a script: where it stands, its verb and arguments."""

    place: str
    verb: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: how it is written, what it does, and the function; ``least`` and ``most`` arguments."""

    usage: str
    help: str
    run: Callable[["ScriptRunner", tuple[str, ...]], None]
    least: int
    most: int


def read_script(path: Path) -> list[Line]:
    """Read a script and check every line's verb and number of arguments.

    Raises:
        ScriptError: the file can't be read, or a line is not understood.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ScriptError(f"{path}: {error.strerror or error}") from None
    if len(data) > LARGEST_SCRIPT_BYTES:
        raise ScriptError(f"{path}: larger than {LARGEST_SCRIPT_BYTES} bytes; this is no script")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ScriptError(f"{path}: not a text file in UTF-8") from None
    return parse_script(text, str(path))


def parse_script(text: str, name: str) -> list[Line]:
    """Return the lines of a script text; ``name`` is what errors call the file. Raises ScriptError."""
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        place = f"{name}:{number}"
        try:
            words = shlex.split(raw, comments=True)
        except ValueError as error:
            raise ScriptError(f"{place}: {error}") from None
        if not words:
            continue
        verb = VERBS.get(words[0])
        if verb is None:
            raise ScriptError(f"{place}: {words[0]!r} is no verb; there are {', '.join(VERBS)}")
        if not verb.least <= len(words) - 1 <= verb.most:
            raise ScriptError(f"{place}: write {verb.usage}")
        lines.append(Line(place, words[0], tuple(words[1:])))
    return lines


class ScriptRunner:
    """Runs lines on a cabinet. ``screenshot`` gets a name and a view and says where the picture went."""

    def __init__(self, cabinet: SimulatedCabinet, screenshot: Callable[[str, View], str]) -> None:
        """Keep the cabinet; it may be off."""
        self.cabinet = cabinet
        self.screenshot = screenshot
        self.pictures: list[str] = []
        self.expectations = 0

    def run(self, lines: list[Line], on_line: Callable[[Line], None] = lambda _: None) -> None:
        """Run the lines in order.

        Raises:
            ScriptError: an impossible action.
            ExpectationFailed: a failed expectation.
        """
        for line in lines:
            on_line(line)
            try:
                VERBS[line.verb].run(self, line.arguments)
            except (ImpossibleActionError, ImpossibleAction) as error:
                raise ScriptError(f"{line.place}: {line.verb}: {error}") from None
            except _BadArgumentError as error:
                raise ScriptError(f"{line.place}: {error}; write {VERBS[line.verb].usage}") from None
            except _UnmetError as error:
                raise ExpectationFailed(f"{line.place}: {error}") from None
            except InvariantError as error:
                raise ExpectationFailed(
                    f"{line.place}: {line.verb}: the terminal contradicts itself: {error}"
                ) from None


class _BadArgumentError(ValueError):
    pass


class _UnmetError(ValueError):
    pass


def _number(text: str, most: int = 10**12) -> int:
    digits = text.replace("_", "")
    if not digits.isascii() or not digits.isdigit() or int(digits) > most:
        raise _BadArgumentError(f"{text!r} is not a whole number up to {most}")
    return int(digits)


def _expect(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    what, wanted = arguments[0], arguments[1:]
    reading = EXPECTATIONS.get(what)
    if reading is None:
        raise _BadArgumentError(f"{what!r} can't be expected; there are {', '.join(EXPECTATIONS)}")
    if len(wanted) < reading.arguments + 1:
        raise _BadArgumentError(f"expect {what} needs {reading.usage}")
    runner.expectations += 1
    expected = " ".join(wanted[reading.arguments :])
    found = reading.read(runner.cabinet, wanted[: reading.arguments])
    left_ms = runner.cabinet.patience_ms
    while found not in (expected.replace("_", ""), expected) and left_ms > 0:
        runner.cabinet.wait(LOOK_AGAIN_MS)
        left_ms -= LOOK_AGAIN_MS
        found = reading.read(runner.cabinet, wanted[: reading.arguments])
    if found not in (expected.replace("_", ""), expected):
        raise _UnmetError(f"expected {what} {' '.join(wanted)}, found {found or 'nothing'}{_faults_up(runner)}")


def _faults_up(runner: ScriptRunner) -> str:
    """The faults that may explain an unmet expectation, in brackets; empty when there are none."""
    up = faults_up(runner.cabinet.terminal.state) if runner.cabinet.is_running else ()
    return f" ({'; '.join(f'{fault.code} {fault.detail}'.strip() for fault in up)})" if up else ""


def _insert_note(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.insert_note(_number(arguments[0]))


def _insert_coin(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.insert_coin(_number(arguments[0]))


def _press(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.press(arguments[0])


def _hold(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    for number in arguments:
        runner.cabinet.press(f"mark:{_number(number, 5) - 1}")


def _touch(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.touch(arguments[0])


def _long_press(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.touch(arguments[0], "long_press")


def _drag(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.touch(arguments[0], "drag", arguments[1])


def _sit_down(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    view = runner.cabinet.view
    if arguments[0] not in [tile.game for tile in view.lobby]:
        raise ImpossibleActionError(f"there is no game {arguments[0]!r} in the lobby")
    if view.mode == "attract":
        runner.cabinet.press("start")
    if runner.cabinet.view.mode == "table":
        runner.cabinet.press("lobby")
    runner.cabinet.touch(f"lobby:{arguments[0]}")


def _bet(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    position, line, amount = _number(arguments[0], 99), arguments[1], _number(arguments[2])
    cabinet = runner.cabinet
    table = cabinet.view.table
    if table is None or cabinet.view.mode != "table" or table.phase == "deciding":
        raise ImpossibleActionError("no bets are taken now")
    before = _lying(cabinet, position, line)
    left = amount
    for chip in sorted((chip.value_minor for chip in cabinet.view.chips), reverse=True):
        while left >= chip:
            cabinet.touch(f"chip:{chip}")
            cabinet.touch(f"box:{position}:{line}")
            left -= chip
    if left or _lying(cabinet, position, line) != before + amount:
        notice = cabinet.view.notice
        why = f": {notice.text.message}" if notice is not None else ""
        raise ImpossibleActionError(f"{amount} can't be put on box {position} {line} with the chips there are{why}")


def _lying(cabinet: SimulatedCabinet, position: int, line: str) -> int:
    table = cabinet.view.table
    if table is None or table.phase != "betting":
        return 0
    return sum(
        spot.staked_minor for box in table.boxes if box.position == position for spot in box.spots if spot.line == line
    )


def _lay_cards(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    try:
        cards = tuple(parse_card(text) for text in arguments)
    except ValueError as error:
        raise _BadArgumentError(str(error)) from None
    runner.cabinet.lay_cards(cards)


def _cut_power(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.cut_power(arguments[0] if arguments else None)


def _wait(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.wait(_number(arguments[0], LONGEST_WAIT_MS))


def _screenshot(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    name = arguments[0]
    if not name.replace("-", "").replace("_", "").isalnum():
        raise _BadArgumentError(f"{name!r} is not a plain name")
    runner.pictures.append(runner.screenshot(name, runner.cabinet.view))


def _clock_back(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    runner.cabinet.clock.set_wall(runner.cabinet.clock.wall_ms() - _number(arguments[0]))
    runner.cabinet.wait(200)


VERBS: Final[dict[str, Verb]] = {
    verb.usage.split()[0]: verb
    for verb in (
        Verb("boot", "switch the cabinet on", lambda runner, _: runner.cabinet.boot(), 0, 0),
        Verb("cut_power [returned|stacked|lost]", "pull the plug; where a moving note ends", _cut_power, 0, 1),
        Verb("kill", "only the program dies", lambda runner, _: runner.cabinet.kill(), 0, 0),
        Verb("shut_down", "end the program in an orderly way", lambda runner, _: runner.cabinet.shut_down(), 0, 0),
        Verb(
            "set_up", "confirm the first set-up, as after a RAM clear", lambda runner, _: runner.cabinet.set_up(), 0, 0
        ),
        Verb("wait MS", "let time pass", _wait, 1, 1),
        Verb("insert_note MINOR", "push a note into the acceptor", _insert_note, 1, 1),
        Verb("insert_coin MINOR", "drop a coin into the slot", _insert_coin, 1, 1),
        Verb("press NAME", "press a button: b1 to b12, or what it does now", _press, 1, 1),
        Verb("hold N [N ...]", "mark or unmark cards of the active hand (1 to 5)", _hold, 1, 5),
        Verb("touch TARGET", "tap a place of the screen", _touch, 1, 1),
        Verb("long_press TARGET", "hold a finger on a place of the screen", _long_press, 1, 1),
        Verb("drag TARGET ONTO", "drag from one place of the screen to another", _drag, 2, 2),
        Verb("sit_down GAME", "open a table from the lobby", _sit_down, 1, 1),
        Verb("bet BOX LINE MINOR", "put chips on a betting line", _bet, 3, 3),
        Verb("lay_cards CARD [CARD ...]", "lay down the first cards of the next shuffle", _lay_cards, 1, 312),
        Verb("open_door NAME", "open main, cash_box or logic", lambda r, a: _hand(r, "open_door", a), 1, 1),
        Verb("close_door NAME", "close a door", lambda r, a: _hand(r, "close_door", a), 1, 1),
        Verb("turn_key NAME", "turn the attendant or operator key", lambda r, a: _hand(r, "turn_key", a), 1, 1),
        Verb("turn_back_key NAME", "turn a key back", lambda r, a: _hand(r, "turn_back_key", a), 1, 1),
        Verb("jam DEVICE", "jam notes, coins or hopper", lambda r, a: _hand(r, "jam", a), 1, 1),
        Verb("clear_jam DEVICE", "free a jammed device", lambda r, a: _hand(r, "clear_jam", a), 1, 1),
        Verb("unplug DEVICE", "pull a device's data cable", lambda r, a: _hand(r, "unplug", a), 1, 1),
        Verb("plug DEVICE", "put a data cable back", lambda r, a: _hand(r, "plug", a), 1, 1),
        Verb("remove_cash_box", "take the cash box out", lambda r, a: _hand(r, "remove_cash_box", a), 0, 0),
        Verb("insert_cash_box", "put an empty cash box in", lambda r, a: _hand(r, "insert_cash_box", a), 0, 0),
        Verb("set_hopper COUNT", "make so many coins be in the hopper", lambda r, a: _set_hopper(r, a), 1, 1),
        Verb("take_tray", "take the coins from the tray", lambda r, a: _hand(r, "take_tray", a), 0, 0),
        Verb("clock_back MS", "set the wall clock back", _clock_back, 1, 1),
        Verb("expect WHAT [VALUE ...]", "check something; see the list of readings", _expect, 1, 12),
        Verb("screenshot NAME", "write a picture of the screen", _screenshot, 1, 1),
    )
}


def _hand(runner: ScriptRunner, verb: str, arguments: tuple[str, ...]) -> None:
    runner.cabinet.act(lambda world: getattr(world, verb)(*arguments), wait_ms=500)


def _set_hopper(runner: ScriptRunner, arguments: tuple[str, ...]) -> None:
    count = _number(arguments[0], 100_000)
    runner.cabinet.act(lambda world: world.set_hopper(count))
