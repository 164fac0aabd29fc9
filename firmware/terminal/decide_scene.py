"""Decisions that move the player between scenes: attract, lobby, table, language, sound. No money moves here."""

from dataclasses import replace

from firmware.terminal import wishes
from firmware.terminal.state import Pages, Screen, State
from firmware.terminal.step import Environment, Step


def to_lobby(state: State, environment: Environment) -> Step:
    """Show the lobby; chips on the table go back to the credit they never left."""
    game = state.screen.game or next(iter(environment.games))
    screen = replace(state.screen, scene="lobby", game=game, bets=(), undo=(), marked=(), shows_result=False)
    return Step(screen).with_sound("button")


def open_table(state: State, environment: Environment, game: str) -> Step:
    """Sit down at a table."""
    if game not in environment.games:
        return Step(state.screen)
    chip = state.screen.chip_minor or environment.options.chips_minor[0]
    screen = replace(
        state.screen,
        scene="table",
        game=game,
        bets=(),
        undo=(),
        marked=(),
        cut=0,
        spot=0,
        chip_minor=chip,
        shows_result=False,
    )
    return Step(screen).with_sound("button")


def select_tile(state: State, environment: Environment, step: int) -> Step:
    """Move the lobby's selection."""
    names = list(environment.games)
    index = names.index(state.screen.game) if state.screen.game in names else 0
    return Step(replace(state.screen, game=names[(index + step) % len(names)])).with_sound("button")


def next_language(state: State, environment: Environment) -> Step:
    """Switch to the next language."""
    return Step(wishes.next_language(state.screen, environment.options)).with_sound("button")


def next_volume(state: State, environment: Environment) -> Step:
    """Step the volume within the limits of the house."""
    return Step(wishes.next_volume(state.screen, environment.options)).with_sound("button")


def next_chip(state: State, environment: Environment) -> Step:
    """Select the next chip of the tray."""
    chips = environment.options.chips_minor
    index = chips.index(state.screen.chip_minor) if state.screen.chip_minor in chips else -1
    chip_minor = chips[(index + 1) % len(chips)]
    return Step(replace(state.screen, chip_minor=chip_minor, shows_result=False)).with_sound("chip")


def select_chip(state: State, environment: Environment, value_minor: int) -> Step:
    """Select a chip of the tray."""
    if value_minor not in environment.options.chips_minor:
        return Step(state.screen)
    return Step(replace(state.screen, chip_minor=value_minor, shows_result=False)).with_sound("chip")


def new_bets(state: State, _: Environment) -> Step:
    """Put the last result away, so that all boxes are free."""
    return Step(replace(state.screen, shows_result=False)).with_sound("button")


def when_idle(state: State, environment: Environment) -> Screen:
    """Return the screen after a while without anybody: with no credit back to attract, in the first language."""
    screen = state.screen
    idle = environment.now_ms - screen.active_at_ms >= environment.options.idle_ms
    if not idle or state.recorded.credit_minor or state.live is not None:
        return screen
    if screen.scene == "attract" and screen.session is None and wishes.defaults(screen, environment.options) == screen:
        return screen
    fresh = replace(
        screen,
        scene="attract",
        pages=Pages(),
        bets=(),
        undo=(),
        marked=(),
        shows_result=False,
        chip_minor=0,
        session=None,
    )
    return wishes.defaults(fresh, environment.options)
