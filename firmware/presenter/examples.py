"""Worked examples for the rules pages: whole rounds, played by the game itself, so that they can't contradict it.

Each example names its cards and choices; what is staked and paid comes from the rules with the profile of the house.
Not responsible for the page (``help``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from display.view_model import Text
from firmware.cards.card import Card, parse_cards
from firmware.games.contract import Action, Chance, Decision, Game, LineOutcome, Node, Settled, Stake, TableLayout

_BALANCE_MINOR: Final = 10**9
_PASSIVE: Final = ("take_ante", "no_insurance", "no_surrender", "stand")
"""What the example's player says when the story does not say otherwise."""


@dataclass(frozen=True, slots=True)
class Story:
    """An example: its headline, what lies on which line (in tenths of the limit's unit), the hands, the choices.

    ``own`` and ``house`` are the first cards; ``later`` come afterwards. In baccarat ``own`` is the player's side.
    """

    title: Text
    bets: tuple[str, ...]
    own: str
    house: str
    choices: tuple[tuple[str, str], ...] = ()
    """(action, cards it names)."""
    later: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A story that was played: the table at its end and what each line brought."""

    title: Text
    layout: TableLayout
    lines: tuple[LineOutcome, ...]


_POKER: Final = (
    Story(
        Text("example", "Your hand is higher"),
        ("ante",),
        "Ks Kh Kd 7c 7s",
        "Ah As 9d 5c 2h",
        (("raise", ""),),
    ),
    Story(
        Text("example", "The dealer has no Ace-King"),
        ("ante",),
        "8h 8d Qc 5s 2d",
        "Qh Js 9d 6c 3h",
        (("raise", ""),),
    ),
)
_EXCHANGE: Final = Story(
    Text("example", "You exchange one card"),
    ("ante",),
    "Ah Kh 9h 6h 4c",
    "Qd Qs 8c 5d 2s",
    (("exchange", "4c"), ("raise", "")),
    "Jh",
)
_BLACKJACK: Final = (
    Story(Text("example", "A blackjack"), ("bet",), "As Kd", "9h 8c"),
    Story(Text("example", "You double on eleven"), ("bet",), "6s 5d", "9h 8c", (("double", ""),), "Tc"),
)
_BACCARAT: Final = (
    Story(Text("example", "The banker wins with a natural eight"), ("banker",), "3s 4d", "9h 9d"),
    Story(Text("example", "A tie at nine"), ("player", "tie"), "9s Kd", "4h 5c"),
)


def examples(game: Game, facts: Mapping[str, object]) -> tuple[Example, ...]:
    """Return the examples of a game, played by its rules."""
    return tuple(_played(game, facts, story) for story in _stories(game))


def _stories(game: Game) -> tuple[Story, ...]:
    match game.spec.family:
        case "poker":
            sells = any(fee.action == "exchange" and fee.card_count == 1 for fee in game.spec.fees)
            return (*_POKER, _EXCHANGE) if sells else _POKER
        case "blackjack":
            return _BLACKJACK
        case _:
            return _BACCARAT


def _played(game: Game, facts: Mapping[str, object], story: Story) -> Example:
    box = game.spec.positions[0]
    node: Node = game.open((Stake(box, {line: _amount(game, line) for line in story.bets}),), _BALANCE_MINOR)
    choices = iter(story.choices)
    shoe = _order(game, facts, story)
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            node = game.deal(node, tuple(next(shoe) for _ in range(node.card_count)))
        else:
            name, cards = _next_choice(game, node, choices)
            node = game.act(node, Action(box, name, parse_cards(cards.split()), node.hand), _BALANCE_MINOR)
    return Example(story.title, game.layout(node), node.outcome.boxes[0].lines)


def _next_choice(game: Game, node: Decision, choices: Iterator[tuple[str, str]]) -> tuple[str, str]:
    legal = [choice.name for choice in game.choices(node, _BALANCE_MINOR)]
    passive = next((name for name in _PASSIVE[:-1] if name in legal), "")
    return (passive, "") if passive else next(choices, (_PASSIVE[-1], ""))


def _amount(game: Game, line: str) -> int:
    """Ten times the table's minimum, or the minimum itself where the limit is lower."""
    spec = next(spec for spec in game.spec.lines if spec.line == line)
    ten = spec.minimum_minor * 10
    return ten if ten <= spec.maximum_minor and ten % spec.step_minor == 0 else spec.minimum_minor


def _order(game: Game, facts: Mapping[str, object], story: Story) -> Iterator[Card]:
    """Yield the story's cards in the order in which this table deals them."""
    own, house, later = (parse_cards(text.split()) for text in (story.own, story.house, story.later))
    house_first = facts.get("first_card") == "dealer"
    house_waits = facts.get("hole_card") == "none"
    for index, (mine, theirs) in enumerate(zip(own, house, strict=True)):
        if house_waits and index:
            yield mine
            yield from later
            yield theirs
        else:
            yield from (theirs, mine) if house_first else (mine, theirs)
    if not house_waits:
        yield from later
