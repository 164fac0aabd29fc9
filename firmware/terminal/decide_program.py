"""Decisions about the program's own files: nothing is taken in before they were checked, and an altered one locks up. Pure.

An alteration is a fault, so it stays over a power cycle; it may be cleared once a check found the program as it was
signed. Not responsible for checking (``manifest.watch``) or for what a signature is worth (``manifest.check``).
"""

from dataclasses import replace
from typing import Final

from firmware.entries import types as entry
from firmware.terminal.faults import PROGRAM_ALTERED, TERMINAL_ALTERED, TERMINAL_UNCHECKED, is_up
from firmware.terminal.state import Screen, State
from firmware.terminal.step import Environment, ProgramChecked, Step

_ABOUT_PROGRAM: Final = frozenset({TERMINAL_ALTERED, TERMINAL_UNCHECKED})


def unchecked(screen: Screen, environment: Environment) -> Screen:
    """At the start: where the program is watched, it counts as unchecked until the first verdict."""
    if not environment.is_program_watched:
        return screen
    return replace(screen, conditions=screen.conditions | {TERMINAL_UNCHECKED})


def checked(state: State, _: Environment, verdict: ProgramChecked) -> Step:
    """Take a verdict: it opens the terminal for money, or locks it up."""
    device, _condition = TERMINAL_ALTERED
    others = state.screen.conditions - _ABOUT_PROGRAM
    if verdict.state != "altered":
        return Step(replace(state.screen, conditions=others))
    screen = replace(state.screen, conditions=others | {TERMINAL_ALTERED})
    if is_up(state, PROGRAM_ALTERED, device):
        return Step(screen)
    return Step(screen, (entry.FaultRaised(PROGRAM_ALTERED, device, verdict.detail),)).with_sound("error")
