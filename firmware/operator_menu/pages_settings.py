"""Pages of the settings, all from the one table of specs: each setting stands on exactly one page. Pure.

A change is an entry and stands before the file, which stays as it is. Not responsible for who may change what
(``terminal.decide_setting_acts``) or for what a value does (``firmware.app``).
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from display.view_model import Money, Text
from firmware.audit.names import LEVEL_WORDS
from firmware.operator_menu.body import CHOSEN, NO, NONE, YES, Body, Line, Reading, Words, heading, to
from firmware.operator_menu.setting_words import help_of, label_of
from firmware.settings.spec import SettingSpec
from firmware.terminal.availability import needs_set_up
from firmware.terminal.decide_setting_acts import setting_specs
from firmware.terminal.menu import Act, Ask, reaches
from firmware.terminal.menu_rights import may_change_money_settings

SECTIONS: Final = {
    "terminal": Text("menu", "Terminal"),
    "currency": Text("menu", "Currency"),
    "storage": Text("menu", "Storage"),
    "reports": Text("menu", "Reports"),
    "access": Text("menu", "Access"),
    "limits": Text("menu", "Limits"),
    "notes": Text("menu", "Notes"),
    "coins": Text("menu", "Coins"),
    "games": Text("menu", "Games"),
    "devices.note_acceptor": Text("menu", "Note acceptor"),
    "devices.coin_acceptor": Text("menu", "Coin acceptor"),
    "devices.hopper": Text("menu", "Hopper"),
    "devices.printer": Text("menu", "Printer"),
    "gpio": Text("menu", "GPIO panel"),
    "gpio.coin_acceptor": Text("menu", "GPIO coin acceptor"),
    "gpio.note_acceptor": Text("menu", "GPIO note acceptor"),
    "gpio.hopper": Text("menu", "GPIO hopper"),
    "display": Text("menu", "Screen"),
    "sound": Text("menu", "Sound"),
    "player": Text("menu", "Player"),
}
"""The tables of the file and what their pages are called, in the order of the menu."""


UNITS: Final = {
    "ms": Text("menu", "{value} ms"),
    "s": Text("menu", "{value} s"),
    "min": Text("menu", "{value} min"),
    "px": Text("menu", "{value} px"),
    "%": Text("menu", "{value} %"),
    "MiB": Text("menu", "{value} MiB"),
    "digits": Text("menu", "{value} digits"),
    "degrees": Text("menu", "{value} degrees"),
    "1/s": Text("menu", "{value} per second"),
    "baud": Text("menu", "{value} baud"),
}
"""How values with units are written; amounts are written as money."""


def page_id(table: str) -> str:
    """Return the page of a table of the file."""
    return f"settings.{table.replace('.', '_')}"


def table_of(key: str) -> str:
    """Return the table in which a setting stands."""
    return key.rpartition(".")[0]


def table_page(table: str) -> Callable[[Reading], Body]:
    """Return the page of a table of the file."""

    def read(reading: Reading) -> Body:
        lines = [setting_line(reading, key, is_link=True) for key in setting_specs() if table_of(key) == table]
        if table == "terminal":
            lines.append(Line(Text("menu", "Choose the time zone"), act=to("settings.zone")))
        if table == "access" and reaches(reading.menu.level, "technician"):
            lines += [
                Line(
                    Text("menu", "Choose the PIN of the {level}", (("level", LEVEL_WORDS[level]),)),
                    Text("menu", "there is one") if level in reading.environment.pin_levels else Text("menu", "none"),
                    act=to("settings.pin", level),
                )
                for level in ("operator", "technician")
            ]
        return Body(tuple(lines))

    return read


def setting_line(reading: Reading, key: str, *, is_link: bool = False) -> Line:
    """Return the line of a setting with its value; a link leads to its page."""
    spec = setting_specs()[key]
    value = shown(reading, spec, reading.state.recorded.settings.get(key, ""))
    return Line(label_of(spec.label), value, act=to("settings.one", key) if is_link else None)


def shown(reading: Reading, spec: SettingSpec, value: str) -> Words:
    """Return a value (JSON text) as people read it."""
    found = json.loads(value) if value else None
    match found:
        case None:
            return NONE
        case bool():
            return YES if found else NO
        case int() if spec.unit == "minor":
            return Money(found)
        case int() if spec.unit in UNITS:
            return replace(UNITS[spec.unit], args=(("value", str(found)),))
        case int():
            return str(found)
        case list() if spec.unit == "minor":
            return ", ".join(reading.amount(each) for each in found) or NONE
        case list():
            return ", ".join(str(each) for each in found) or NONE
        case dict():
            return ", ".join(f"{key}: {_inner(each)}" for key, each in found.items()) or NONE
        case _:
            return str(found) or NONE


def _inner(value: object) -> str:
    return str(value.get("pin", "")) if isinstance(value, dict) else str(value)


def one(reading: Reading) -> Body:
    """One setting: what it is, its value, default and range, who may change it, and the change itself."""
    specs = setting_specs()
    spec = specs.get(reading.menu.item) or next(iter(specs.values()))
    value = reading.state.recorded.settings.get(spec.key, "")
    default = json.dumps(spec.default, default=str) if not spec.required else ""
    lines = [
        Line(help_of(spec.help_text)),
        Line(Text("menu", "Now"), shown(reading, spec, value), tone="good"),
        Line(Text("menu", "Default"), shown(reading, spec, default)),
    ]
    if spec.minimum is not None and spec.maximum is not None:
        bounds = [shown(reading, spec, str(bound)) for bound in (spec.minimum, spec.maximum)]
        lines.append(Line(Text("menu", "Least and most"), bounds[0], bounds[1]))
    lines += [
        Line(Text("menu", "Changed by"), LEVEL_WORDS[spec.access]),
        Line(Text("menu", "In the file"), spec.key),
    ]
    if spec.key in reading.state.recorded.overrides:
        lines.append(Line(Text("menu", "Changed in this menu: it stands before the file"), tone="warning"))
    why_not = _why_fixed(reading, spec)
    if why_not is not None:
        return _body(spec, (*lines, Line(why_not, tone="warning")))
    if spec.key not in reading.environment.machine().live_keys:
        lines.append(Line(Text("menu", "It works from the next start"), tone="warning"))
    if spec.kind == "whole number":
        typed = reading.menu.typed
        lines.append(
            Line(Text("menu", "New value"), shown(reading, spec, str(int(typed))) if typed else NONE, tone="good")
        )
        question = Text("menu", "Change it now?")
        return _body(spec, tuple(lines), enter=Ask(question, Act("set_typed", spec.key)))
    lines.append(heading(Text("menu", "Choose")))
    return _body(spec, (*lines, *_options(reading, spec, value)))


def _body(spec: SettingSpec, lines: tuple[Line, ...], enter: Act | Ask | None = None) -> Body:
    return Body(lines, title=label_of(spec.label), enter=enter, above=page_id(table_of(spec.key)))


def _why_fixed(reading: Reading, spec: SettingSpec) -> Text | None:
    if spec.setup_only and not needs_set_up(reading.state.recorded):
        return Text("menu", "Fixed at set-up: only a RAM clear frees it")
    if spec.kind not in ("whole number", "yes or no", "choice") or spec.key.startswith("access."):
        return Text("menu", "It is changed in the file, while the program is stopped")
    if spec.access != "attendant" and not may_change_money_settings(reading.state):
        return Text("menu", "Only without credit, an open hand or a pay-out")
    return None


def _options(reading: Reading, spec: SettingSpec, value: str) -> list[Line]:
    options: tuple[str | int | bool, ...] = spec.choices if spec.kind == "choice" else (True, False)
    lines = []
    for option in options:
        text = json.dumps(option)
        label = Text("menu", "Choose {value}", (("value", _word(shown(reading, spec, text))),))
        act = None if text == value else Ask(Text("menu", "Change it now?"), Act("set", f"{spec.key}={text}"))
        lines.append(Line(label, CHOSEN if text == value else "", act=act))
    return lines


def _word(words: Words) -> "str | Text | Money":
    return words
