"""The pages that a player opens: rules, settings, his session, the reality check, and past hands that can't be shown.

Not responsible for the sentences of the rules (``help``) or for a past hand's picture (``table``).
"""

from typing import Final

from display.view_model import Money, PageRow, PageView, Text
from firmware.presenter.fairness import fairness_page
from firmware.presenter.help import help_page
from firmware.presenter.vocabulary import GAMES, UNNAMED_GAME
from firmware.terminal.sessions import minutes_played, returned_minor, round_count, wagered_minor
from firmware.terminal.state import State
from firmware.terminal.step import Environment
from firmware.terminal.wishes import wishes

LANGUAGES: Final = {"en": "English", "ru": "Русский"}
"""Each language in its own words."""
_SETTINGS: Final = {
    "language": Text("settings", "Language"),
    "volume": Text("settings", "Volume"),
    "deal_speed": Text("settings", "Dealing"),
    "big_text": Text("settings", "Large letters"),
    "high_contrast": Text("settings", "High contrast"),
    "four_colour": Text("settings", "Four-colour deck"),
    "reduced_motion": Text("settings", "Little motion"),
    "left_handed": Text("settings", "Left-handed"),
    "back_design": Text("settings", "Card backs"),
    "in_credits": Text("settings", "Meters count in credits"),
    "coach": Text("settings", "Coach: what each button is worth"),
}
_SPEEDS: Final = {
    "slow": Text("settings", "slow"),
    "normal": Text("settings", "normal"),
    "fast": Text("settings", "fast"),
    "instant": Text("settings", "at once"),
}
_BACKS: Final = {"blue": Text("settings", "blue"), "red": Text("settings", "red")}
_SWITCH: Final = {True: Text("settings", "on"), False: Text("settings", "off")}


def page_view(state: State, environment: Environment) -> PageView | None:
    """Return the page that is open."""
    pages = state.screen.pages
    match pages.topic:
        case "settings":
            return _settings(state, environment)
        case "session":
            return _session(state, environment)
        case "check":
            return _check(state, environment)
        case "hands":
            return _no_hand(state)
        case "fairness":
            return fairness_page(state, environment)
        case _:
            offer = environment.games.get(pages.game)
            return help_page(pages, offer) if offer is not None else None


def _settings(state: State, environment: Environment) -> PageView:
    cursor = state.screen.pages.cursor
    rows = tuple(
        PageRow(
            _SETTINGS[name], _value(state, environment, name), target=f"page:row:{number}", selected=number == cursor
        )
        for number, name in enumerate(wishes(environment.options))
    )
    return PageView(
        Text("settings", "Settings"),
        rows,
        path=(Text("settings", "For you alone; the next player finds them as they were"),),
        footer=Text("settings", "Touch a row to change it, or choose with the buttons"),
    )


def _value(state: State, environment: Environment, name: str) -> Text | str:
    screen, comfort = state.screen, state.screen.comfort
    match name:
        case "language":
            return LANGUAGES.get(screen.language, screen.language)
        case "volume":
            step = (("step", comfort.volume),)
            return Text("settings", "{step} of 4", step) if comfort.volume else Text("settings", "silent")
        case "deal_speed":
            return _SPEEDS.get(comfort.deal_speed, comfort.deal_speed)
        case "back_design":
            return _BACKS.get(comfort.back_design, comfort.back_design)
        case "coach" if environment.options.coach == "missing":
            return Text("settings", "not installed")
        case "coach":
            return _SWITCH[screen.coached]
        case _:
            return _SWITCH[bool(getattr(comfort, name))]


def _session_rows(state: State, environment: Environment) -> tuple[PageRow, ...]:
    if state.screen.session is None:
        return (PageRow(Text("session", "Your session begins with the first note or coin")),)
    hours, minutes = divmod(minutes_played(state, environment), 60)
    time = (("hours", hours), ("minutes", minutes))
    wagered, returned = wagered_minor(state), returned_minor(state)
    rows = [
        PageRow(Text("session", "Time played"), Text("session", "{hours} h {minutes} min", time)),
        PageRow(Text("session", "Rounds"), str(round_count(state))),
        PageRow(Text("session", "Staked"), Money(wagered)),
        PageRow(Text("session", "Received from play"), Money(returned)),
        PageRow(Text("session", "Result"), Money(returned - wagered), tone="good" if returned > wagered else ""),
        PageRow(Text("session", "Credit now"), Money(state.recorded.credit_minor)),
    ]
    options = environment.options
    if options.session_limit_ms:
        limit = (("minutes", options.session_limit_ms // 60_000),)
        rows.append(PageRow(Text("session", "Limit of time"), Text("session", "{minutes} min", limit)))
    if options.loss_limit_minor:
        rows.append(PageRow(Text("session", "Limit of losses"), Money(options.loss_limit_minor)))
    return tuple(rows)


def _session(state: State, environment: Environment) -> PageView:
    return PageView(
        Text("session", "Your session"),
        _session_rows(state, environment),
        footer=Text("session", "Play for as long as it is fun"),
    )


def _check(state: State, environment: Environment) -> PageView:
    question = PageRow(Text("session", "You have been playing for a while. Do you want to go on?"), tone="heading")
    return PageView(
        Text("session", "A short break"),
        (question, *_session_rows(state, environment)),
        footer=Text("session", "Play for as long as it is fun"),
    )


def _no_hand(state: State) -> PageView:
    pages, history = state.screen.pages, state.recorded.own_history
    rows = [PageRow(Text("hands", "No hand has been played yet"))]
    if pages.hands_back < len(history):
        opened = history[-1 - pages.hands_back].opened
        game = (("game", GAMES.get(opened.game, UNNAMED_GAME)), ("number", opened.number))
        rows = [PageRow(Text("hands", "Round {number} of {game} was played by other rules and can't be shown", game))]
    return PageView(Text("hands", "Last hands"), tuple(rows))
