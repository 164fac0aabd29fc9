"""Decisions about settings: those that differ from what the journal knows are recorded, old and new. Pure.

A change is found at the start, because the file of settings is read only then. Not responsible for which changes are
allowed.
"""

from typing import Final

from firmware.entries import types as entry
from firmware.entries.keeping import ConfigurationRecorded, SettingChanged, SettingValue
from firmware.terminal.state import State
from firmware.terminal.step import Environment

MOST_AT_ONCE: Final = 40
"""Changes recorded in one step; what is left follows with the next ticks."""


def setting_entries(state: State, environment: Environment) -> tuple[entry.Entry, ...]:
    """Return the entries that tell of settings which are not as recorded; all of them as one when none are recorded."""
    known, now = state.recorded.settings, environment.settings
    if known == now or not now:
        return ()
    if not known:
        return (ConfigurationRecorded(tuple(SettingValue(key, now[key]) for key in sorted(now))),)
    keys = [key for key in sorted({*known, *now}) if known.get(key) != now.get(key)]
    return tuple(SettingChanged(key, known.get(key, ""), now.get(key, ""), "file") for key in keys[:MOST_AT_ONCE])
