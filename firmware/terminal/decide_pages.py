"""Decisions about the pages a player can open: rules, past hands, settings, the session, the reality check. Pure.

No money moves here. Not responsible for what stands on the pages (``presenter``).
"""

from dataclasses import replace
from typing import Final

from firmware.fairness.commitment import MOST_DIGITS, card_count, cut_of_number
from firmware.terminal.decide_shoe import may_cut, shoe_in_front
from firmware.terminal.sessions import check_is_due, checked
from firmware.terminal.state import Pages, Screen, State
from firmware.terminal.step import Environment, Step
from firmware.terminal.wishes import wishes

NUMBER: Final = "number"
"""The row of the page of the fair shuffle on which the player's number stands."""


def open_pages(state: State, environment: Environment) -> Step:
    """Show the rules of the game at hand."""
    screen = state.screen
    game = state.live.opened.game if state.live is not None else screen.game
    pages = Pages(back_to=_beneath(screen), game=game or next(iter(environment.games)))
    return Step(replace(screen, scene="help", pages=pages)).with_sound("button")


def open_topic(state: State, environment: Environment, topic: str) -> Step:
    """Turn to another topic, or open it from outside the pages."""
    step, before = open_pages(state, environment), state.screen.pages
    is_open = state.screen.scene == "help"
    game = before.game if is_open else step.screen.pages.game
    back = before.hands_back if is_open and topic == "fairness" else 0
    pages = replace(step.screen.pages, topic=topic, game=game, hands_back=back)
    return replace(step, screen=replace(step.screen, pages=pages))


def close_pages(state: State, environment: Environment) -> Step:
    """Go back to where the pages were opened."""
    screen = state.screen
    if screen.pages.topic == "check":
        screen = checked(screen, environment)
    return Step(replace(screen, scene=screen.pages.back_to, pages=Pages())).with_sound("button")


def move(state: State, environment: Environment, step: int) -> Step:
    """Turn the page of the rules, or move the cursor of the settings."""
    pages = state.screen.pages
    if pages.topic == "settings":
        pages = replace(pages, cursor=(pages.cursor + step) % len(wishes(environment.options)))
    else:
        count = max(environment.help_page_count(pages.game), 1)
        pages = replace(pages, page=min(max(pages.page + step, 0), count - 1))
    return _turned(state, pages)


def change_setting(state: State, environment: Environment) -> Step:
    """Give the setting under the cursor its next value."""
    offered = wishes(environment.options)
    name = list(offered)[state.screen.pages.cursor % len(offered)]
    return Step(offered[name](state.screen, environment.options)).with_sound("button")


def touch_row(state: State, environment: Environment, row: str) -> Step:
    """A row of the settings was touched: the cursor goes there and the setting changes."""
    if row == NUMBER:
        return type_number(state, environment)
    if state.screen.pages.topic != "settings" or not row.isdigit() or int(row) >= len(wishes(environment.options)):
        return Step(state.screen)
    screen = replace(state.screen, pages=replace(state.screen.pages, cursor=int(row)))
    return change_setting(replace(state, screen=screen), environment)


def other_rules(state: State, environment: Environment, step: int) -> Step:
    """Show the rules of the next game."""
    names, pages = list(environment.games), state.screen.pages
    index = names.index(pages.game) if pages.game in names else 0
    return _turned(state, replace(pages, game=names[(index + step) % len(names)], page=0))


def other_hand(state: State, _: Environment, step: int) -> Step:
    """Show an older or a newer hand, its end first."""
    pages = state.screen.pages
    most = max(len(state.recorded.own_history) - 1, 0)
    return _turned(state, replace(pages, hands_back=min(max(pages.hands_back + step, 0), most), steps_back=0))


def other_moment(state: State, _: Environment, step: int) -> Step:
    """Show an earlier or a later moment of the past hand."""
    pages, history = state.screen.pages, state.recorded.own_history
    most = len(history[-1 - pages.hands_back].acts) if pages.hands_back < len(history) else 0
    return _turned(state, replace(pages, steps_back=min(max(pages.steps_back + step, 0), most)))


def move_cut(state: State, environment: Environment, step: int) -> Step:
    """Cut the next shoe so many cards deeper; beyond its end the count begins anew."""
    offer = environment.games[state.screen.game]
    prepared = shoe_in_front(state, offer)
    if prepared is None or not may_cut(state, environment):
        return Step(state.screen)
    cut = (state.screen.cut + step) % card_count(prepared.order)
    return Step(replace(state.screen, cut=cut)).with_sound("button")


def type_number(state: State, environment: Environment) -> Step:
    """Begin to type the player's number, or end it: meanwhile the physical buttons are a keypad."""
    pages = state.screen.pages
    if pages.topic != "fairness" or not may_cut(state, environment):
        return Step(state.screen)
    return _turned(state, replace(pages, typed="" if pages.typed is None else None))


def type_digit(state: State, environment: Environment, key: str) -> Step:
    """Take a digit of the player's number (or ``erase``, ``done``): its remainder by the number of cards is the cut."""
    pages, offer = state.screen.pages, environment.games.get(state.screen.game)
    prepared = shoe_in_front(state, offer) if offer is not None else None
    if pages.topic != "fairness" or pages.typed is None or prepared is None or not may_cut(state, environment):
        return Step(state.screen)
    if key == "done":
        return _turned(state, replace(pages, typed=None))
    typed = pages.typed[:-1] if key == "erase" else (pages.typed + key)[:MOST_DIGITS]
    if not (typed + "0").isdecimal() or not typed.isascii():
        return Step(state.screen)
    cut = cut_of_number(prepared.order, int(typed or "0"))
    return Step(replace(state.screen, cut=cut, pages=replace(pages, typed=typed))).with_sound("button")


def with_check(state: State, environment: Environment) -> Screen:
    """Return the screen with the reality check up when it is due and no hand is open."""
    screen = state.screen
    waits = state.live is None and state.recorded.payout is None and state.recorded.credit_minor > 0
    is_up = screen.scene == "help" and screen.pages.topic == "check"
    if not waits or is_up or not check_is_due(state, environment):
        return screen
    return replace(screen, scene="help", pages=Pages("check", _beneath(screen), screen.game))


def _beneath(screen: Screen) -> str:
    return screen.scene if screen.scene != "help" else screen.pages.back_to


def _turned(state: State, pages: Pages) -> Step:
    return Step(replace(state.screen, pages=pages)).with_sound("button")
