"""What a player may set about picture and sound, one row each: what the next value is. Pure.

Not responsible for the words (``presenter``) or for showing it (``display``).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware.terminal.state import Screen
from firmware.terminal.step import Options

DEAL_SPEEDS: Final = ("slow", "normal", "fast", "instant")
BACK_DESIGNS: Final = ("blue", "red")

Change = Callable[[Screen, Options], Screen]


def next_language(screen: Screen, options: Options) -> Screen:
    """Return the screen in the next language that is offered."""
    return replace(screen, language=_after(options.languages, screen.language))


def next_volume(screen: Screen, options: Options) -> Screen:
    """Return the screen one step louder; after the loudest comes the softest that the house allows."""
    volume = screen.comfort.volume + 1
    return _with(screen, volume=volume if volume <= options.loudest else options.softest)


def defaults(screen: Screen, options: Options) -> Screen:
    """Return the screen as it is for a new player."""
    return replace(screen, language=options.languages[0], comfort=options.comfort, coached=True)


def _after(values: tuple[str, ...], value: str) -> str:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


def _with(screen: Screen, **choices: object) -> Screen:
    return replace(screen, comfort=replace(screen.comfort, **choices))  # type: ignore[arg-type]


def _switched(name: str) -> Change:
    return lambda screen, _: _with(screen, **{name: not getattr(screen.comfort, name)})


WISHES: Final[dict[str, Change]] = {
    "language": next_language,
    "volume": next_volume,
    "deal_speed": lambda screen, _: _with(screen, deal_speed=_after(DEAL_SPEEDS, screen.comfort.deal_speed)),
    "big_text": _switched("big_text"),
    "high_contrast": _switched("high_contrast"),
    "four_colour": _switched("four_colour"),
    "reduced_motion": _switched("reduced_motion"),
    "left_handed": _switched("left_handed"),
    "back_design": lambda screen, _: _with(screen, back_design=_after(BACK_DESIGNS, screen.comfort.back_design)),
    "in_credits": _switched("in_credits"),
    "coach": lambda screen, _: replace(screen, coached=not screen.coached),
}
"""In the order of the page."""


def wishes(options: Options) -> dict[str, Change]:
    """Return what a player may set at this terminal."""
    offered = {"coach": options.coach != "off", "in_credits": options.comfort.credit_value_minor > 0}
    return {name: change for name, change in WISHES.items() if offered.get(name, True)}
