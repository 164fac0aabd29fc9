"""Pages about the terminal as it stands: status, the current lock-up, the PIN, taking it out of service. Pure."""

from typing import Final

from display.view_model import Money, Text
from firmware.audit.names import DEVICE_WORDS, DOOR_WORDS, LEVEL_WORDS
from firmware.operator_menu.body import COMPUTED, NO, NONE, YES, Body, Line, Reading, heading, to
from firmware.terminal.availability import faults_up, is_stopped
from firmware.terminal.decide_cash_out import rest_minor
from firmware.terminal.decide_orders import clearing_entries
from firmware.terminal.faults import CASH_OUT, EVERYTHING, FAULTS, MONEY_IN, PLAY
from firmware.terminal.menu import LOCK_UP, Act, Ask
from firmware.terminal.menu_rights import level_to_prove, pin_wait_ms
from firmware.terminal.state import Fault

_CLOCKS: Final = {"ntp": Text("menu", "a time server"), "rtc": Text("menu", "a clock chip")}
_STOPS: Final = {
    PLAY: Text("menu", "stops play"),
    MONEY_IN: Text("menu", "stops notes and coins"),
    CASH_OUT: Text("menu", "stops cash-out"),
}
_CLEARS: Final = {
    "self": Text("menu", "It ends by itself when the cause is gone"),
    "attendant": Text("menu", "The attendant key ends it when the cause is gone"),
    "operator": Text("menu", "The operator key ends it when the cause is gone"),
    "technician": Text("menu", "The technician ends it when the cause is gone"),
    "restart": Text("menu", "Switching off and on ends it when the cause is gone"),
    "ram_clear": Text("menu", "Only a RAM clear by a technician ends it"),
}
ONE_FAULT: Final = "lockup.one"
_CLEAR_PAGE: Final = (Text("menu", "To the RAM clear"), "service.clear")
_MONEY_PAGE: Final = (Text("menu", "To the last notes and coins"), "recall.money")
_PAID_PAGE: Final = (Text("menu", "To the last pay-outs"), "recall.handpays")
_HELP: Final[dict[str, tuple[tuple[Text, str], ...]]] = {
    "M1": (_CLEAR_PAGE,),
    "M2": (_CLEAR_PAGE,),
    "M3": (_MONEY_PAGE,),
    "B4": (_MONEY_PAGE,),
    "B9": (_MONEY_PAGE,),
    "C3": (_MONEY_PAGE,),
    "C6": (_MONEY_PAGE,),
    "H4": (_PAID_PAGE,),
    "H7": (_PAID_PAGE,),
}
"""Pages of this menu that a remedy needs, by the fault's code."""


def status(reading: Reading) -> Body:
    """Who this terminal is and how it is doing."""
    state, environment = reading.state, reading.environment
    recorded, machine = state.recorded, environment.machine()
    commissioned = recorded.commissioned
    hours, minutes = divmod((environment.now_ms - state.screen.booted_at_ms) // 60_000, 60)
    faults, doors = faults_up(state), sorted(recorded.doors_open)
    low = machine.free_mib is not None and machine.free_mib < machine.floor_mib
    celsius = machine.temperature_millidegrees
    lines = [
        Line(Text("menu", "Terminal"), commissioned.terminal if commissioned else NONE),
        Line(Text("menu", "Kind and epoch"), f"{commissioned.store} / {commissioned.epoch}" if commissioned else NONE),
        Line(Text("menu", "Program"), environment.program_version or NONE),
        Line(Text("menu", "Digest of the program"), machine.program_digest[:16] or COMPUTED),
        Line(Text("menu", "Clock"), reading.when(environment.wall_ms)[:16]),
        Line(Text("menu", "Running since the start"), Text("menu", "{hours} h {minutes} min", (("hours", hours), ("minutes", minutes)))),
        Line(Text("menu", "Credit"), NONE if reading.state.is_memory_lost else Money(recorded.credit_minor)),
        Line(Text("menu", "Owed by hand"), NONE if reading.state.is_memory_lost else Money(recorded.books.handpay_minor)),
        Line(
            Text("menu", "Faults"),
            str(len(faults)) if faults else Text("menu", "none"),
            act=to(LOCK_UP),
            tone="error" if is_stopped(state, PLAY) else "warning" if faults else "",
        ),
        Line(Text("menu", "Doors"), _together([DOOR_WORDS[door] for door in doors]) if doors else Text("menu", "all closed"), tone="warning" if doors else ""),
        Line(Text("menu", "Clock kept by"), _CLOCKS.get(machine.clock_source, NONE)),
        Line(Text("menu", "Free storage"), NONE if machine.free_mib is None else f"{machine.free_mib} MiB", tone="error" if low else ""),
        Line(Text("menu", "Temperature"), NONE if celsius is None else f"{celsius // 1_000} °C"),
        Line(Text("menu", "Voltage too low since the start"), NONE if machine.under_voltage is None else YES if machine.under_voltage else NO, tone="error" if machine.under_voltage else ""),
        Line(Text("menu", "Journal ends with entry"), str(machine.head_seq)),
    ]  # fmt: skip
    return Body(tuple(lines))


def _together(words: list[Text]) -> Text:
    """Return several words as one."""
    first, *rest = words
    return Text("menu", "{first}, {rest}", (("first", first), ("rest", _together(rest)))) if rest else first


def lock_up(reading: Reading) -> Body:
    """What is wrong, what it stops, what to do, and the act that ends it; of several faults the most important first."""
    state, menu = reading.state, reading.menu
    lines: list[Line] = []
    payout = state.recorded.payout
    if payout is not None:
        lines += [
            heading(Text("menu", "Handpay: pay the player, then turn the attendant key")),
            Line(Text("menu", "To be paid by hand"), Money(rest_minor(payout)), tone="warning"),
            Line(Text("menu", "Paid by the hopper"), Money(payout.started.amount_minor - rest_minor(payout))),
            Line(Text("menu", "Cash-out"), payout.started.payout_id),
        ]
    faults = faults_up(state)
    if len(faults) == 1:
        lines += _fault(reading, faults[0])
    elif faults:
        lines += [heading(_title(faults[0])), Line(FAULTS[faults[0].code].remedy, tone="warning")]
        lines.append(heading(Text("menu", "All faults; choose one to read what to do")))
        lines += [Line(_title(each), _stops(each), act=to(ONE_FAULT, f"{each.code} {each.device}")) for each in faults]
    if not lines:
        return Body((Line(Text("menu", "Nothing is wrong: the terminal is in service"), tone="good"),))
    clearable = clearing_entries(state, menu.level)
    if clearable:
        count = len(clearable)
        label = Text("menu", "Clear {count} fault now", plural="Clear {count} faults now", count=count)
        lines.append(Line(label, act=Act("clear")))
    return Body(tuple(lines), footer=Text("menu", "Do what each fault asks for; what ends by itself needs no key"))


def one_fault(reading: Reading) -> Body:
    """One of several faults."""
    for fault in faults_up(reading.state):
        if f"{fault.code} {fault.device}" == reading.menu.item:
            return Body(tuple(_fault(reading, fault)))
    return Body((Line(Text("menu", "This fault is over"), tone="good"),))


def _title(fault: Fault) -> Text:
    return Text("menu", "{code}: {title}", (("code", fault.code), ("title", FAULTS[fault.code].title)))


def _stops(fault: Fault) -> Text:
    row = FAULTS[fault.code]
    stopped = [_STOPS[what] for what in (PLAY, MONEY_IN, CASH_OUT) if what in row.stops]
    if row.stops == EVERYTHING:
        return Text("menu", "stops everything")
    return stopped[0] if stopped else Text("menu", "stops nothing")


def _fault(reading: Reading, fault: Fault) -> list[Line]:
    """The whole of a fault: what to do is prose, because it has to be read and may be long."""
    row = FAULTS[fault.code]
    detail = (("device", DEVICE_WORDS.get(fault.device, fault.device)), ("detail", fault.detail))
    return [
        heading(_title(fault)),
        Line(row.remedy, tone="warning"),
        Line(_CLEARS[row.clears]),
        *(Line(words, act=to(page)) for words, page in _HELP.get(fault.code, ())),
        Line(Text("menu", "Effect"), _stops(fault)),
        Line(Text("menu", "Since"), reading.when(fault.since_ms)),
        Line(Text("menu", "Where: {device}. {detail}", detail), tone="muted"),
    ]


def pin(reading: Reading) -> Body:
    """The PIN of the next level."""
    menu, environment = reading.menu, reading.environment
    wanted = level_to_prove(menu, reading.state.recorded.doors_open, environment)
    if not wanted:
        return Body((Line(Text("menu", "No PIN is asked for at this level")),))
    wait_ms = pin_wait_ms(reading.state, environment)
    lines = [
        Line(Text("menu", "PIN of the {level}", (("level", LEVEL_WORDS[wanted]),)), "* " * len(menu.typed) or NONE),
        Line(Text("menu", "Wrong PINs in a row"), str(reading.state.recorded.wrong_pins)),
    ]
    if wait_ms:
        minutes = (("minutes", -(-wait_ms // 60_000)),)
        lines.append(Line(Text("menu", "Too many wrong PINs: wait {minutes} min", minutes), tone="error"))
    return Body(tuple(lines), enter=Act("pin"))


def out_of_service(_: Reading) -> Body:
    """Taking the table out of service, until an attendant's key."""
    question = Text("menu", "Take this table out of service?")
    return Body(
        (
            Line(Text("menu", "Nobody can play or pay in until the attendant key is turned again")),
            Line(Text("menu", "Take out of service"), act=Ask(question, Act("out_of_service"))),
        )
    )
