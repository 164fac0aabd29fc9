"""Pages for trying money devices, printer, hard meters and the touch panel, for test games and for the burn-in. Pure.

Nothing here moves a player's money: coins of a test are counted as what they are. Not responsible for doing it
(``terminal.decide_hopper_test``, ``terminal.decide_checks``, ``terminal.decide_calibration``).
"""

import json
from typing import Final

from display.view_model import Money, Text
from firmware.entries.service import CoinTested, HopperTestFinished, PrinterTested
from firmware.operator_menu.body import CHOSEN, NO, NONE, YES, Body, Line, Reading, heading
from firmware.operator_menu.pages_diagnostics import PATTERNS
from firmware.terminal.decide_calibration import CROSSES, SETTING
from firmware.terminal.decide_menu import COINS_LET_IN
from firmware.terminal.menu import Act, Ask
from firmware.terminal.outputs import BURN_IN_STEP_MS

_COUNTS: Final = (1, 5, 10)
_MILLION: Final = 1_000_000
_ANSWERS: Final = Text("menu", "Answers")


def hopper(reading: Reading) -> Body:
    """Pay some coins in a test, and put them back as a refill."""
    state, books = reading.state, reading.state.recorded.books
    coin_minor = reading.environment.options.hopper_coin_minor
    test = state.recorded.hopper_test
    last = [r for r in state.recorded.chronicle.records("service") if isinstance(r.entry, HopperTestFinished)]
    lines = [
        Line(Text("menu", "Coins of a test are counted apart: nobody's credit pays for them")),
        Line(_ANSWERS, YES if "hopper" in state.screen.ready else NO),
        Line(Text("menu", "Coins of one kind"), Money(coin_minor)),
        Line(Text("menu", "Test coins so far"), str(books.meter("hopper_test_coins")), Money(books.meter("hopper_test_minor"))),
    ]  # fmt: skip
    if test is not None:
        counted = Text(
            "menu", "{count} of {asked} coins", (("count", test.paid_count), ("asked", test.started.coin_count))
        )
        return Body(
            (
                *lines,
                Line(Text("menu", "Paying now"), counted, tone="good"),
                Line(Text("menu", "Stop"), act=Act("stop_hopper")),
            )
        )
    if last:
        entry = last[-1].entry
        paid = getattr(entry, "paid_count", 0)
        lines.append(
            Line(Text("menu", "Last test"), f"{paid} ({getattr(entry, 'reason', '')})", reading.when(last[-1].at_ms))
        )
    for count in _COUNTS:
        label = Text("menu", "Pay {count} coin", plural="Pay {count} coins", count=count)
        lines.append(
            Line(label, act=Ask(Text("menu", "Pay test coins into the tray?"), Act("test_hopper", str(count))))
        )
    footer = Text("menu", "Take the coins from the tray; put back, they are a refill (Cash and periods)")
    return Body(tuple(lines), footer=footer)


def coins(reading: Reading) -> Body:
    """Coins fall through and are told; at will they are let in, and then stay in the machine as test coins."""
    state, menu, books = reading.state, reading.menu, reading.state.recorded.books
    is_let_in = menu.test == COINS_LET_IN
    fallen = {name.removeprefix("coin:"): count for name, count in menu.presses.items() if name.startswith("coin:")}
    last = [r.entry for r in state.recorded.chronicle.records("money") if isinstance(r.entry, CoinTested)]
    credit = state.recorded.credit_minor
    lines = [
        Line(Text("menu", "Throw coins in: while they are refused, each must fall through to the tray")),
        Line(_ANSWERS, YES if "coins" in state.screen.ready else NO),
        Line(Text("menu", "Fell through since the menu was opened"), str(sum(fallen.values())), tone="good"),
        *(Line(Text("menu", "Reports"), reason, str(count)) for reason, count in sorted(fallen.items())),
        Line(
            Text("menu", "Test coins let in"),
            str(books.meter("coins_tested")),
            Money(books.meter("coins_tested_minor")),
        ),
        Line(Text("menu", "Last one"), Money(last[-1].amount_minor) if last else NONE),
        heading(Text("menu", "Coins that are let in stay in the machine: no credit, but counted")),
    ]
    if credit:
        lines.append(Line(Text("menu", "Only without credit, an open hand or a pay-out"), tone="warning"))
    else:
        lines.append(Line(Text("menu", "Let coins in"), CHOSEN if is_let_in else "", act=Act("test", COINS_LET_IN)))
    is_diverted = menu.test == "diverter:cash_box"
    lines.append(
        Line(
            Text("menu", "Diverter to the cash box"),
            CHOSEN if is_diverted else "",
            act=Act("test", "diverter:cash_box"),
        )
    )
    return Body(tuple(lines), footer=Text("menu", "It ends by itself after half a minute"))


def printer(reading: Reading) -> Body:
    """Print a slip that says that it is void."""
    ready = "printer" in reading.state.screen.ready
    conditions = sorted(what for name, what in reading.state.screen.conditions if name == "printer")
    done = [r for r in reading.state.recorded.chronicle.records("service") if isinstance(r.entry, PrinterTested)]
    lines = [
        Line(_ANSWERS, YES if ready else NO, tone="" if ready else "warning"),
        *(Line(Text("menu", "Reports"), what, tone="warning") for what in conditions),
        Line(Text("menu", "Test slips so far"), str(reading.state.recorded.count("printer_tests"))),
        Line(Text("menu", "Last one"), reading.when(done[-1].at_ms) if done else NONE),
    ]
    if ready:
        lines.append(Line(Text("menu", "Print a test slip, marked as void"), act=Act("test_printer")))
    return Body(tuple(lines), footer=Text("menu", "Whether it was printed is among the events"))


def hard_meters(reading: Reading) -> Body:
    """Advance an electromechanical meter by one step; the meters of the journal count it apart."""
    books = reading.state.recorded.books
    names = {"in": Text("menu", "Meter of money in"), "out": Text("menu", "Meter of money out")}
    question = Text("menu", "Advance the meter by one? It can't be turned back")
    lines = [Line(Text("menu", "A test step stays on the meter for ever: write it down"), tone="warning")]
    for name, words in names.items():
        count = str(books.meter(f"hard_meter_{name}_tests"))
        lines.append(
            Line(
                words,
                Text("menu", "{count} test steps", (("count", count),)),
                act=Ask(question, Act("pulse_meter", name)),
            )
        )
    return Body(tuple(lines))


def calibration(reading: Reading) -> Body:
    """Crosses one after another; then what follows from the touches, to be kept or measured again."""
    points = reading.menu.points
    if len(points) < len(CROSSES):
        x, y = CROSSES[len(points)]
        args = (("number", len(points) + 1), ("count", len(CROSSES)))
        return Body(
            patterns=(f"cross:{x}.{y}",), title=Text("menu", "Touch the middle of cross {number} of {count}", args)
        )
    found = reading.environment.calibration(points)
    lines = [
        Line(
            Text("menu", "Farthest touch from its cross, as the panel says"),
            _share(max(_off(point) for point in points)),
        )
    ]
    if found is None:
        lines.append(Line(Text("menu", "These touches give no calibration: touch each cross"), tone="error"))
    else:
        rest = max(_off(_put_right(point, found)) for point in points)
        tone = "good" if rest < _MILLION // 100 else "warning"
        lines += [
            Line(Text("menu", "The same with the new calibration"), _share(rest), tone=tone),
            Line(Text("menu", "Keep this calibration"), act=Act("keep_calibration")),
        ]
    lines.append(Line(Text("menu", "Measure again"), act=Act("calibrate_again")))
    if json.loads(reading.state.recorded.settings.get(SETTING) or "[]"):
        lines.append(
            Line(
                Text("menu", "No calibration: as the panel says"),
                act=Ask(Text("menu", "Change it now?"), Act("no_calibration")),
            )
        )
    return Body(tuple(lines), footer=Text("menu", "Below one percent a finger hits every button"))


def _off(point: tuple[int, int, int, int]) -> int:
    x, y, wanted_x, wanted_y = point
    return max(abs(x - wanted_x), abs(y - wanted_y))


def _put_right(point: tuple[int, int, int, int], found: tuple[int, ...]) -> tuple[int, int, int, int]:
    (x, y, wanted_x, wanted_y), (a, b, c, d, e, f) = point, found
    return (a * x + b * y) // _MILLION + c, (d * x + e * y) // _MILLION + f, wanted_x, wanted_y


def _share(ppm: int) -> str:
    return f"{ppm // 10_000}.{ppm // 100 % 100:02d} %"


def trial_games(_: Reading) -> Body:
    """What is seen only if a test game can't be played."""
    return Body(
        (
            Line(
                Text("menu", "Test games need a game on offer and a working source of random numbers"), tone="warning"
            ),
            Line(Text("menu", "They take no money, move no meter and are forgotten when they end")),
        )
    )


def burn_in(reading: Reading) -> Body:
    """Pictures by turns, with every lamp and light, for hours; the way back ends it."""
    number = reading.environment.now_ms // BURN_IN_STEP_MS % len(PATTERNS)
    return Body(patterns=(PATTERNS[number],))
