"""Pages about what changes the terminal as a whole: its clock, and the clearing of its memory. Pure."""

from typing import Final

from display.view_model import Money, Text
from firmware.entries.service import ClockSet
from firmware.operator_menu.body import NONE, Body, Line, Reading, heading, to
from firmware.terminal.decide_checks import typed_wall_ms
from firmware.terminal.decide_ram_clear import REASONS
from firmware.terminal.menu import Act, Ask

_SOURCES: Final = {
    "ntp": Text("menu", "a time server"),
    "rtc": Text("menu", "a clock chip"),
}
_SHIFTS: Final = (
    (-3_600, Text("menu", "One hour back")),
    (3_600, Text("menu", "One hour on")),
    (-60, Text("menu", "One minute back")),
    (60, Text("menu", "One minute on")),
)


def clock(reading: Reading) -> Body:
    """The clock, who keeps it, and setting it: by steps, or typed."""
    environment, typed = reading.environment, reading.menu.typed
    wall_ms = typed_wall_ms(typed, environment)
    source = environment.machine().clock_source
    set_before = [r.entry for r in reading.state.recorded.chronicle.records("service") if isinstance(r.entry, ClockSet)]
    meant = reading.when(wall_ms)[:16] if wall_ms is not None else typed or NONE
    question = Text("menu", "Set the clock now?")
    lines = [
        Line(Text("menu", "Now, on the clock of the house"), reading.when(environment.wall_ms), tone="good"),
        Line(Text("menu", "Kept by"), _SOURCES.get(source, Text("menu", "nobody: look at it often"))),
        Line(Text("menu", "Times set in this menu"), str(sum(not each.error for each in set_before))),
        Line(Text("menu", "New date and time"), meant, tone="good" if wall_ms is not None else ""),
        *(Line(words, act=Ask(question, Act("shift_clock", str(seconds)))) for seconds, words in _SHIFTS),
    ]
    footer = Text("menu", "Type year, month, day, hour, minute: 202612312359")
    return Body(tuple(lines), enter=Ask(question, Act("set_clock")), footer=footer)


def ram_clear(reading: Reading) -> Body:
    """The two steps of a RAM clear: a reason, then the code. What is wrong before either is said first."""
    menu, environment = reading.menu, reading.environment
    if menu.clear_code:
        return _code(reading)
    recorded = reading.state.recorded
    lines = [
        Line(Text("menu", "A RAM clear seals this journal and begins a new epoch with empty meters")),
        Line(Text("menu", "Mechanical meters stay as they are; set-up options can then be chosen anew")),
    ]
    if reading.state.is_memory_lost:
        lines += [
            Line(Text("menu", "This memory can't be read: note the mechanical meters first"), tone="warning"),
            Line(Text("menu", "What can still be read is written down beside it, in the folder ram-clears")),
        ]
    else:
        lines += [
            Line(Text("menu", "Period"), str(recorded.periods.number)),
            Line(Text("menu", "In the cash box, by the books"), Money(recorded.books.balance("cash.box"))),
            Line(Text("menu", "Reports before it go to"), environment.machine().report_folder or NONE),
        ]
    why_not = environment.clear_refusals(reading.state)
    if why_not:
        lines += [heading(Text("menu", "Not possible now")), *(Line(text, tone="error") for text in why_not)]
        return Body(tuple(lines))
    lines.append(heading(Text("menu", "First step: choose why")))
    question = Text("menu", "Prepare the RAM clear? Nothing is cleared yet")
    lines += [Line(words, act=Ask(question, Act("arm_clear", name))) for name, words in REASONS.items()]
    return Body(tuple(lines))


def _code(reading: Reading) -> Body:
    menu, environment = reading.menu, reading.environment
    left_s = max(menu.clear_until_ms - environment.now_ms, 0) // 1_000
    lines = (
        Line(Text("menu", "Second step: type this code"), menu.clear_code, tone="error"),
        Line(Text("menu", "Typed"), menu.typed or NONE),
        Line(Text("menu", "Good for"), Text("menu", "{value} s", (("value", str(left_s)),))),
        Line(REASONS[menu.clear_reason]),
        Line(Text("menu", "Everything in this memory will be gone from the terminal: credit, meters, rounds, settings of the menu"), tone="error"),
        Line(Text("menu", "To leave it: go back, or turn the key back")),
    )  # fmt: skip
    question = Text("menu", "Clear the memory now? The table starts anew with its set-up")
    return Body(lines, enter=Ask(question, Act("confirm_clear")), footer=Text("menu", "Pad: the code, then Enter"))


def demonstration(reading: Reading) -> Body:
    """What a demonstration is, and how it begins and ends."""
    commissioned = reading.state.recorded.commissioned
    is_on = commissioned is not None and commissioned.store == "demo"
    state = Text("menu", "on: no money is taken") if is_on else Text("menu", "off")
    return Body(
        (
            Line(Text("menu", "Demonstration"), state, tone="warning" if is_on else ""),
            Line(Text("menu", "It begins and ends only with a RAM clear and another terminal.mode in the file")),
            Line(
                Text(
                    "menu",
                    "Each kind of machine has a journal of its own, so that its money never mixes with another's",
                )
            ),
            Line(Text("menu", "To try the games on this machine without money"), act=to("diagnostics.games")),
        )
    )
