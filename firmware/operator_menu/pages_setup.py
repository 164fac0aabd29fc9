"""Pages of the first set-up: what this machine is, step by step, each to be looked through and confirmed. Pure.

Every change is that of a setting (``pages_settings``). Not responsible for who may confirm (``terminal.set_up``).
"""

import json
from collections.abc import Callable
from typing import Any, Final

from display.view_model import Money, Text
from firmware.audit.names import LEVEL_WORDS
from firmware.operator_menu.body import CHOSEN, NO, NONE, YES, Body, Line, Reading, heading, to
from firmware.operator_menu.pages_diagnostics import device_lines
from firmware.operator_menu.pages_settings import setting_line
from firmware.terminal.menu import PIN_PAGE, ROOT, SET_UP, SET_UP_STEPS, Act, Ask, reaches
from firmware.terminal.menu_rights import level_to_prove
from firmware.terminal.set_up import open_steps
from firmware.terminal.titles import GAMES, UNNAMED_GAME

TITLES: Final = {
    "language": Text("menu", "Language"),
    "terminal": Text("menu", "This machine and its money"),
    "money": Text("menu", "Notes and coins taken"),
    "limits": Text("menu", "Limits and player protection"),
    "games": Text("menu", "Games offered"),
    "devices": Text("menu", "Devices found"),
    "pins": Text("menu", "PINs"),
    "clock": Text("menu", "Date and time"),
}
_LANGUAGES: Final = {"en": "English", "ru": "Русский"}
_LIMITS: Final = (
    "limits.credit_limit_minor",
    "limits.hopper_limit_minor",
    "limits.large_win_minor",
    "limits.excessive_notes_minor",
    "limits.excessive_coins_minor",
    "player.reality_check_min",
    "player.session_limit_min",
    "player.loss_limit_minor",
    "player.minimum_round_ms",
)
_NOT_ALLOWED: Final = Text("menu", "To change and confirm: turn the operator key and open the logic door")


def start(reading: Reading) -> Body:
    """All steps, what is confirmed of them, and the end of the set-up."""
    recorded, menu = reading.state.recorded, reading.menu
    lines: list[Line] = []
    if not recorded.set_up_wanted:
        return Body((Line(Text("menu", "The set-up is done: only a RAM clear frees it"), tone="good"),))
    if not reaches(menu.level, "technician"):
        lines.append(Line(_NOT_ALLOWED, tone="warning"))
    if level_to_prove(menu, recorded.doors_open, reading.environment):
        lines.append(Line(Text("menu", "Enter the PIN"), act=to(PIN_PAGE)))
    for step in SET_UP_STEPS:
        is_done = step in recorded.set_up_steps
        words = Text("menu", "confirmed") if is_done else Text("menu", "not confirmed")
        lines.append(Line(TITLES[step], words, act=to(f"{SET_UP}.{step}"), tone="good" if is_done else "warning"))
    left = len(open_steps(recorded))
    if left:
        lines.append(Line(Text("menu", "Still to confirm"), str(left)))
    else:
        question = Text("menu", "End the set-up and open the table for play?")
        lines.append(Line(Text("menu", "End the set-up"), act=Ask(question, Act("finish_set_up"))))
    lines.append(Line(Text("menu", "The whole operator menu"), act=to(ROOT)))
    footer = Text("menu", "Options marked as set-up are frozen afterwards, until the next RAM clear")
    return Body(tuple(lines), footer=footer)


def _step(name: str, lines: tuple[Line, ...], footer: Text | None = None) -> Body:
    confirm = Line(Text("menu", "All of this is right: go on"), act=Act("confirm_step", name), tone="good")
    return Body((*lines, confirm), footer=footer, above=SET_UP)


def language(reading: Reading) -> Body:
    """Which languages players are offered, and which one is first."""
    key = "terminal.languages"
    now = reading.state.recorded.settings.get(key, "")
    lines = [Line(Text("menu", "The first one stands on the screen when nobody plays"))]
    for names in (("en",), ("ru",), ("en", "ru"), ("ru", "en")):
        value = json.dumps(list(names), separators=(",", ":"))
        words = ", ".join(_LANGUAGES[name] for name in names)
        label = Text("menu", "Languages: {languages}", (("languages", words),))
        lines.append(
            Line(label, CHOSEN if value == now else "", act=None if value == now else Act("set", f"{key}={value}"))
        )
    return _step("language", tuple(lines), Text("menu", "This menu: button 10 changes its language"))


def terminal(reading: Reading) -> Body:
    """What the file says this machine is; its journal is made for exactly this."""
    commissioned = reading.state.recorded.commissioned
    lines = [
        Line(Text("menu", "Terminal"), commissioned.terminal if commissioned else NONE),
        Line(Text("menu", "Kind and epoch"), f"{commissioned.store} / {commissioned.epoch}" if commissioned else NONE),
        Line(Text("menu", "Currency"), commissioned.currency if commissioned else NONE),
        Line(Text("menu", "One hundred units are written"), Money(100 * _unit(reading))),
        setting_line(reading, "terminal.venue"),
        setting_line(reading, "devices.hopper.coin_minor"),
        Line(
            Text("menu", "Wrong? Switch off, change the file of settings, and begin with a new data folder"),
            tone="warning",
        ),
    ]
    return _step("terminal", tuple(lines))


def _unit(reading: Reading) -> int:
    commissioned = reading.state.recorded.commissioned
    digits = commissioned.minor_digits if commissioned is not None else 2
    return int(10**digits)


def money(reading: Reading) -> Body:
    """Which notes and coins are taken, of those that the file or the acceptors know."""
    lines: list[Line] = []
    for name, title in (("notes", Text("menu", "Notes")), ("coins", Text("menu", "Coins"))):
        key = f"{name}.accepted_minor"
        taken = _listed(reading, key)
        known = {*taken, *_known(reading, name)}
        lines.append(heading(title))
        lines += [
            Line(
                Text("menu", "Take {amount}", (("amount", Money(value)),)),
                YES if value in taken else NO,
                act=_toggle(key, value),
            )
            for value in sorted(known)
        ]
        if not known:
            lines.append(Line(Text("menu", "None are known")))
    return _step("money", tuple(lines))


def _known(reading: Reading, name: str) -> tuple[int, ...]:
    """What the file knows, and what the device itself names."""
    machine = reading.environment.machine()
    named = (device.denominations_minor for device in machine.devices if device.name == name)
    return (*machine.known_minor.get(name, ()), *next(named, ()))


def _listed(reading: Reading, key: str) -> list[Any]:
    found: list[Any] = json.loads(reading.state.recorded.settings.get(key) or "[]")
    return found


def _toggle(key: str, value: object) -> Act:
    return Act("toggle", f"{key}={json.dumps(value)}")


def limits(reading: Reading) -> Body:
    """What a house or its law limits; each leads to its setting."""
    lines = [setting_line(reading, key, is_link=True) for key in _LIMITS]
    return _step("limits", tuple(lines))


def games(reading: Reading) -> Body:
    """Which games are offered, of all that have a profile."""
    key = "games.enabled"
    on = _listed(reading, key)
    lines = [
        Line(
            GAMES.get(name, UNNAMED_GAME),
            YES if name in on else NO,
            act=_toggle(key, name),
            tone="good" if name in on else "",
        )
        for name in reading.environment.machine().every_game
    ]
    return _step("games", tuple(lines), Text("menu", "Games are frozen after the set-up"))


def devices(reading: Reading) -> Body:
    """Who answered; a device that does not is looked for under its cable and its setting."""
    missing = [device for device in reading.environment.machine().devices if not device.is_ready]
    lines = list(device_lines(reading))
    if missing:
        lines.append(Line(Text("menu", "Something does not answer: check its cable, power and setting"), tone="error"))
    lines.append(Line(Text("menu", "Diagnostics"), act=to("diagnostics")))
    return _step("devices", tuple(lines))


def pins(reading: Reading) -> Body:
    """Whether operator and technician need a PIN beside their key."""
    levels = reading.environment.pin_levels
    lines = [
        Line(
            Text("menu", "Choose the PIN of the {level}", (("level", LEVEL_WORDS[level]),)),
            Text("menu", "there is one") if level in levels else Text("menu", "none"),
            act=to("settings.pin", level),
            tone="" if level in levels else "warning",
        )
        for level in ("operator", "technician")
    ]
    return _step("pins", (Line(Text("menu", "Without a PIN the keys alone give these rights")), *lines))


def clock(reading: Reading) -> Body:
    """Whether date and time are right."""
    environment = reading.environment
    lines = (
        Line(Text("menu", "Now, on the clock of the house"), reading.when(environment.wall_ms)[:16], tone="good"),
        Line(Text("menu", "Time zone"), _zone(reading), act=to("settings.zone")),
        Line(Text("menu", "Set the clock"), act=to("service.clock")),
    )
    return _step("clock", lines)


def _zone(reading: Reading) -> str:
    return str(json.loads(reading.state.recorded.settings.get("terminal.time_zone") or '""'))


def time_zone(reading: Reading) -> Body:
    """The zone of the clock: first the part of the world, then the place."""
    zones, region, now = reading.environment.machine().time_zones, reading.menu.item, _zone(reading)
    title = Text("menu", "Time zone")
    if not region:
        regions = dict.fromkeys(zone.partition("/")[0] for zone in zones)
        lines = [Line(Text("menu", "Now"), now, tone="good")]
        lines += [
            Line(Text("menu", "Region {name}", (("name", name),)), act=to("settings.zone", name))
            if name != "UTC"
            else Line(Text("menu", "Choose {value}", (("value", name),)), act=_to_zone(name, now))
            for name in regions
        ]
        return Body(tuple(lines), title=title, above="settings.terminal")
    lines = [
        Line(Text("menu", "Choose {value}", (("value", zone),)), CHOSEN if zone == now else "", act=_to_zone(zone, now))
        for zone in zones
        if zone.startswith(f"{region}/")
    ]
    return Body(tuple(lines), title=title, above="settings.terminal")


def _to_zone(zone: str, now: str) -> Ask | None:
    act = Act("set", f"terminal.time_zone={json.dumps(zone)}")
    return None if zone == now else Ask(Text("menu", "Change it now?"), act)


def choose_pin(reading: Reading) -> Body:
    """A new PIN, typed twice."""
    menu = reading.menu
    level = menu.item if menu.item in LEVEL_WORDS else "operator"
    again = bool(menu.first_typed)
    title = Text("menu", "Choose the PIN of the {level}", (("level", LEVEL_WORDS[level]),))
    lines = (
        Line(
            Text("menu", "The same once more") if again else Text("menu", "New PIN, 4 to 12 digits"),
            "* " * len(menu.typed) or NONE,
        ),
        Line(Text("menu", "It works at once, and stands before one in the file; a RAM clear forgets it")),
    )
    return Body(lines, title=title, enter=Act("choose_pin", level), above="settings.access")


STEPS: Final[dict[str, Callable[[Reading], Body]]] = {
    "language": language,
    "terminal": terminal,
    "money": money,
    "limits": limits,
    "games": games,
    "devices": devices,
    "pins": pins,
    "clock": clock,
}
"""The page of each step, in the order of ``SET_UP_STEPS``."""
