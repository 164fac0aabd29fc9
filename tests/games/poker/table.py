"""A poker table for tests: hands written as text are laid into the shoe so that everybody gets exactly them."""

from collections.abc import Sequence

from firmware.cards.card import Card, card_text, parse_cards
from firmware.games.contract import (
    Action,
    BoxOutcome,
    Chance,
    Choice,
    Decision,
    Game,
    Node,
    Outcome,
    Settled,
    Stake,
    TableLayout,
)
from firmware.games.registry import load_game

ANTE = 1_000
PLENTY = 10_000_000


def dealt(boxes: Sequence[str], dealer: str, draws: str = "", *, dealer_first: bool = False) -> tuple[Card, ...]:
    """Return the cards in the order of the deal: boxes in seat order, dealer last, one at a time; then the draws."""
    hands = [parse_cards(hand.split()) for hand in boxes]
    dealer_hand = parse_cards(dealer.split())
    assert all(len(hand) == 5 for hand in (*hands, dealer_hand))
    in_turn = [dealer_hand, *hands] if dealer_first else [*hands, dealer_hand]
    cards = tuple(hand[index] for index in range(5) for hand in in_turn) + parse_cards(draws.split())
    assert len(set(cards)) == len(cards), "a card twice"
    return cards


class Table:
    """One round, played action by action; cards come by themselves."""

    def __init__(
        self,
        game: str | Game,
        boxes: Sequence[str],
        dealer: str,
        draws: str = "",
        *,
        antes: Sequence[int] | None = None,
        seats: Sequence[int] | None = None,
        jackpots: Sequence[int] | None = None,
        balance: int = PLENTY,
        meter: int | None = None,
        **overrides: object,
    ) -> None:
        """``seats``, ``antes`` and ``jackpots`` are in the order of purchase, ``boxes`` in seat order."""
        self.game = load_game(game, overrides) if isinstance(game, str) else game
        seats = seats or range(1, len(boxes) + 1)
        antes = antes or [ANTE] * len(boxes)
        jackpots = jackpots or [0] * len(boxes)
        stakes = [
            Stake(seat, {"ante": ante, "jackpot": jackpot})
            for seat, ante, jackpot in zip(seats, antes, jackpots, strict=True)
        ]
        self.balance_before = balance
        self.cards = dealt(boxes, dealer, draws, dealer_first=overrides.get("first_card") == "dealer")
        self.used = 0
        self.node: Node = self.game.open(stakes, balance, meter)
        self._deal()

    def _deal(self) -> None:
        while isinstance(self.node, Chance):
            count = self.node.card_count
            cards = self.cards[self.used : self.used + count]
            self.node = self.game.deal(self.node, cards)
            self.used += count

    @property
    def balance(self) -> int:
        return self.balance_before - self.node.state.staked_minor

    @property
    def decision(self) -> Decision:
        assert isinstance(self.node, Decision), self.node
        return self.node

    @property
    def outcome(self) -> Outcome:
        assert isinstance(self.node, Settled), self.node
        return self.node.outcome

    @property
    def layout(self) -> TableLayout:
        return self.game.layout(self.node)

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.game.choices(self.decision, self.balance)

    @property
    def legal(self) -> set[str]:
        """Legal actions; an exchange with its number of cards: ``exchange2``."""
        return {choice.name + (str(choice.card_count) if choice.card_count else "") for choice in self.choices}

    def act(self, name: str, cards: str = "", *, box: int | None = None, hand: int = 0) -> "Table":
        action = Action(box or self.decision.box, name, parse_cards(cards.split()), hand)
        self.node = self.game.act(self.decision, action, self.balance)
        self._deal()
        return self

    def box(self, position: int = 1) -> BoxOutcome:
        return next(box for box in self.outcome.boxes if box.box == position)

    def net(self, position: int = 1) -> int:
        """What a box won or lost, in minor units."""
        return self.box(position).paid_minor - self.box(position).staked_minor

    def paid(self, position: int = 1) -> dict[str, int]:
        return {line.line: line.paid_minor for line in self.box(position).lines}

    def staked(self, position: int = 1) -> dict[str, int]:
        return {line.line: line.staked_minor for line in self.box(position).lines}


def visible_cards(layout: TableLayout) -> set[str]:
    hands = [hand for box in layout.boxes for hand in box.hands] + [layout.dealer]
    hands += [layout.player] if layout.player is not None else []
    return {card_text(slot.card) for hand in hands for slot in hand.slots if slot.card is not None}
