"""Random stakes and random legal play for any game of the registry."""

import random
from dataclasses import dataclass, field

from firmware.cards.card import DECK, Card
from firmware.games.contract import Action, Chance, Choice, Decision, Game, LineSpec, Node, Settled, Stake, TableLayout
from firmware.games.record import record_of

PLENTY = 10**9


def random_amount(line: LineSpec, chance: random.Random) -> int:
    lowest = -(-line.minimum_minor // line.step_minor)
    return chance.randint(lowest, line.maximum_minor // line.step_minor) * line.step_minor


def random_stakes(game: Game, chance: random.Random) -> list[Stake]:
    spec = game.spec
    count = chance.randint(1, min(spec.max_boxes, len(spec.positions)))
    if spec.neighbours_only:
        first = chance.randint(0, len(spec.positions) - count)
        seats = list(spec.positions[first : first + count])
        chance.shuffle(seats)
    else:
        seats = chance.sample(spec.positions, count)
    stakes = []
    for seat in seats:
        chosen = [line for line in spec.lines if not line.optional or chance.random() < 0.5]
        chosen = chosen or [chance.choice(spec.lines)]
        stakes.append(Stake(seat, {line.line: random_amount(line, chance) for line in chosen}))
    return stakes


def random_shoe(game: Game, chance: random.Random, deck_count: int | None = None) -> tuple[Card, ...]:
    order = list(DECK) * (deck_count or game.spec.deck_count)
    chance.shuffle(order)
    return tuple(order)


def own_cards(layout: TableLayout, box: int, hand: int) -> list[Card]:
    slots = next(one for one in layout.boxes if one.box == box).hands[hand].slots
    return [slot.card for slot in slots if slot.card is not None]


def action_for(game: Game, node: Decision, choice: Choice, chance: random.Random) -> Action:
    cards: tuple[Card, ...] = ()
    if choice.card_count:
        cards = tuple(chance.sample(own_cards(game.layout(node), node.box, node.hand), choice.card_count))
    return Action(node.box, choice.name, cards, node.hand)


@dataclass
class Play:
    """A round under way with all that is needed to write it down."""

    game: Game
    stakes: list[Stake]
    shoe: tuple[Card, ...]
    balance_before: int
    node: Node
    used: int = 0
    actions: list[Action] = field(default_factory=list)

    @classmethod
    def opened(cls, game: Game, chance: random.Random, deck_count: int | None = None) -> "Play":
        """Open a round with a balance that is sometimes rich, sometimes too poor for everything."""
        stakes = random_stakes(game, chance)
        balance = game.cost_minor(stakes) + chance.choice([0, 500, 5_000, 30_000, PLENTY])
        shoe = random_shoe(game, chance, deck_count)
        return cls(game, stakes, shoe, balance, game.open(stakes, balance)).dealt()

    @property
    def balance(self) -> int:
        return self.balance_before - self.node.state.staked_minor

    def dealt(self) -> "Play":
        """Hand over cards until somebody must choose or the round is settled."""
        while isinstance(self.node, Chance):
            count = self.node.card_count
            assert count > 0
            self.node = self.game.deal(self.node, self.shoe[self.used : self.used + count])
            self.used += count
        return self

    def act(self, action: Action) -> "Play":
        assert isinstance(self.node, Decision)
        self.node = self.game.act(self.node, action, self.balance)
        self.actions.append(action)
        return self.dealt()

    def act_at_random(self, chance: random.Random) -> "Play":
        assert isinstance(self.node, Decision)
        choice = chance.choice(self.game.choices(self.node, self.balance))
        return self.act(action_for(self.game, self.node, choice, chance))

    def to_the_end(self, chance: random.Random) -> Settled:
        while not isinstance(self.node, Settled):
            self.act_at_random(chance)
        return self.node

    def record(self) -> dict[str, object]:
        return record_of(self.game.id, self.balance_before, self.stakes, self.shoe[: self.used], self.actions)
