"""A blackjack table for tests: hands written as text, actions as words, everything else checked on the way."""

from collections.abc import Sequence

from firmware.cards.card import Card, parse_cards
from firmware.games.contract import (
    Action,
    BoxOutcome,
    Chance,
    Choice,
    Decision,
    LineOutcome,
    Node,
    Outcome,
    Settled,
    Stake,
    TableLayout,
)
from firmware.games.families.blackjack import Blackjack
from firmware.games.registry import load_game

BET = 1000
PLENTY = 10_000_000


def blackjack(game_id: str, **overrides: object) -> Blackjack:
    """Return a game of the family."""
    game = load_game(game_id, overrides)
    assert isinstance(game, Blackjack)
    return game


class Table:
    """One round. Boxes get exactly the cards written; ``draws`` come later, in order."""

    def __init__(
        self,
        game: str | Blackjack,
        boxes: Sequence[str] | str,
        dealer: str,
        draws: str = "",
        *,
        bets: Sequence[int] = (),
        balance: int = PLENTY,
        **overrides: object,
    ) -> None:
        """``dealer`` is the upcard and, where there is a hole card, that one."""
        self.game = blackjack(game, **overrides) if isinstance(game, str) else game
        hands = [parse_cards(text.split()) for text in ([boxes] if isinstance(boxes, str) else boxes)]
        dealer_cards = parse_cards(dealer.split())
        assert all(len(hand) == 2 for hand in hands)
        first = [hand[0] for hand in hands] + [dealer_cards[0]]
        second = [hand[1] for hand in hands] + list(dealer_cards[1:])
        self.shoe: list[Card] = [*first, *second, *parse_cards(draws.split())]
        stakes = [Stake(box, {"bet": bet}) for box, bet in enumerate(bets or [BET] * len(hands), start=1)]
        self.balance = balance
        self.node: Node = self.game.open(stakes, balance)
        self._deal()

    def _deal(self) -> None:
        while isinstance(self.node, Chance):
            count = self.node.card_count
            assert len(self.shoe) >= count, "the test gives too few cards"
            cards, self.shoe = self.shoe[:count], self.shoe[count:]
            self.node = self.game.deal(self.node, cards)

    @property
    def credit(self) -> int:
        """What is left of the balance."""
        return self.balance - self.node.state.staked_minor

    @property
    def decision(self) -> Decision:
        assert isinstance(self.node, Decision)
        return self.node

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.game.choices(self.decision, self.credit)

    @property
    def legal(self) -> list[str]:
        return [choice.name for choice in self.choices]

    @property
    def layout(self) -> TableLayout:
        return self.game.layout(self.node)

    def act(self, *names: str) -> "Table":
        """Play these actions, each for the hand in turn."""
        for name in names:
            node = self.decision
            self.node = self.game.act(node, Action(node.box, name, hand=node.hand), self.credit)
            self._deal()
        return self

    @property
    def outcome(self) -> Outcome:
        """The outcome; fails when the round goes on or cards are left over."""
        assert isinstance(self.node, Settled), f"asked {self.legal}"
        assert not self.shoe, f"{len(self.shoe)} cards left over"
        return self.node.outcome

    @property
    def box(self) -> BoxOutcome:
        return self.outcome.boxes[0]

    @property
    def net(self) -> int:
        return self.outcome.paid_minor - self.outcome.staked_minor

    @property
    def results(self) -> list[str]:
        """The results of the first box's hands."""
        return [hand.result for hand in self.box.hands]

    def line(self, name: str) -> LineOutcome:
        return next(line for line in self.box.lines if line.line == name)
