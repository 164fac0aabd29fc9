"""Who may do what in the operator's menu: levels from key, PIN and logic door; when it may open; how long a PIN waits.

Pure. Not responsible for what follows from a refusal (``decide_menu``).
"""

from collections.abc import Collection
from typing import Final

from firmware.terminal.availability import is_stopped
from firmware.terminal.faults import PLAY
from firmware.terminal.menu import SET_UP, Menu, MenuPage, reaches
from firmware.terminal.state import State
from firmware.terminal.step import Environment

PIN_TRIES: Final = 3
PIN_WAIT_MS: Final = 60_000
PIN_LONGEST_WAIT_MS: Final = 3_600_000
IDLE_MS: Final = 120_000
"""After so long without anybody the menu closes."""


def may_open(state: State) -> bool:
    """Tell whether the menu may open: not during play, a moving note or a running pay-out, unless a fault stops all."""
    recorded = state.recorded
    pays = recorded.payout is not None and not recorded.payout.hopper_done
    return is_stopped(state, PLAY) or (state.live is None and recorded.note is None and not pays)


def granted(key: str, proven: Collection[str], doors_open: Collection[str], environment: Environment) -> str:
    """Return the level of somebody with this key who has proven these levels by PIN, with these doors open."""
    if key != "operator" or is_pin_missing("operator", proven, environment):
        return "attendant"
    is_technician = "logic" in doors_open and not is_pin_missing("technician", proven, environment)
    return "technician" if is_technician else "operator"


def level_to_prove(menu: Menu, doors_open: Collection[str], environment: Environment) -> str:
    """Return the level whose PIN would raise the rights now, empty for none."""
    if menu.key not in ("operator", SET_UP):
        return ""
    if is_pin_missing("operator", menu.proven, environment):
        return "operator"
    return "technician" if "logic" in doors_open and is_pin_missing("technician", menu.proven, environment) else ""


def is_pin_missing(level: str, proven: Collection[str], environment: Environment) -> bool:
    """Tell whether a level needs a PIN that was not entered."""
    return level in environment.pin_levels and level not in proven


def pin_wait_ms(state: State, environment: Environment) -> int:
    """Return how long the next PIN has to wait: from the third wrong one on, longer each time, also over a power cut."""
    wrong = state.recorded.wrong_pins
    if wrong < PIN_TRIES:
        return 0
    wait_ms = min(PIN_WAIT_MS << (wrong - PIN_TRIES), PIN_LONGEST_WAIT_MS)
    elapsed_ms = max(environment.wall_ms - state.recorded.wrong_pin_ms, 0)  # a clock set back does not shorten it
    return max(wait_ms - elapsed_ms, 0)


def may_see(page: MenuPage, level: str, doors_open: Collection[str]) -> bool:
    """Tell whether a page may be seen."""
    return reaches(level, page.level) and (not page.door or page.door in doors_open)


def may_change_money_settings(state: State) -> bool:
    """Tell whether settings that touch money or odds may change: no credit, no open round, nothing owed."""
    recorded = state.recorded
    is_paying = recorded.payout is not None or recorded.hopper_test is not None
    return not recorded.credit_minor and recorded.round is None and recorded.note is None and not is_paying
