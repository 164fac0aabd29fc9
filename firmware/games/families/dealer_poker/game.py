"""The poker tables as games of the contract: how a round goes from node to node.

Not responsible for the single steps: opening, actions, dealing, settlement and layout are modules of their own.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware.cards.card import Card
from firmware.games.contract import (
    Action,
    Chance,
    Choice,
    Decision,
    Node,
    PaytableRow,
    Settled,
    Stake,
    StakeRefusedError,
    TableLayout,
    TableSpec,
)
from firmware.games.families.dealer_poker import actions, dealing, opening, table
from firmware.games.families.dealer_poker.layout import layout
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.families.dealer_poker.settlement import settle
from firmware.games.families.dealer_poker.state import PokerRound, Stage, poker_round, qualifies
from firmware.games.registry import Family

RULES_VERSION: Final = 1


class DealerPoker:
    """One poker table: a profile of the family, played node by node."""

    def __init__(self, game_id: str, profile: DealerPokerProfile) -> None:
        """Make the table ``game_id`` with a validated profile."""
        self._id = game_id
        self._rules = table.Rules.of(profile)
        self._spec = table.spec(profile)
        self._paytable = table.paytable(profile)

    @property
    def id(self) -> str:
        """The game's id, e.g. ``oasis``."""
        return self._id

    @property
    def rules(self) -> table.Rules:
        """The profile with its prices and pays."""
        return self._rules

    @property
    def spec(self) -> TableSpec:
        """What the table offers."""
        return self._spec

    @property
    def paytable(self) -> tuple[PaytableRow, ...]:
        """What is paid, row by row."""
        return self._paytable

    def cost_minor(self, stakes: Sequence[Stake]) -> int:
        """Return what opening takes from the balance: antes, side bets and a blind box's bet.

        Raises:
            StakeRefusedError: naming the box and the reason.
        """
        return opening.cost_minor(opening.open_boxes(self._rules, stakes))

    def most_paid_minor(self, stakes: Sequence[Stake], jackpot_meter_minor: int | None = None) -> int:
        """Return what a round with these stakes can pay back at most. Raises StakeRefusedError as ``cost_minor``."""
        return opening.most_paid_minor(self._rules, opening.open_boxes(self._rules, stakes), jackpot_meter_minor)

    def open(self, stakes: Sequence[Stake], balance_minor: int, jackpot_meter_minor: int | None = None) -> Chance:
        """Open a round; arguments and errors as in the contract. Without a meter the jackpot stands at its seed."""
        boxes = opening.open_boxes(self._rules, stakes)
        cost = opening.cost_minor(boxes)
        if cost > balance_minor:
            raise StakeRefusedError(f"balance: {balance_minor} does not cover the stakes {cost}")
        meter = opening.meter_minor(self._rules, jackpot_meter_minor)
        return self._chance(PokerRound(boxes, Stage.DEAL, meter))

    def deal(self, node: Chance, cards: Sequence[Card]) -> Node:
        """Hand over the cards that the node asks for. Raises ValueError for another number of cards."""
        if len(cards) != node.card_count:
            raise ValueError(f"{len(cards)} cards given, {node.card_count} asked for")
        state = dealing.give(self._rules, poker_round(node.state), tuple(cards))
        return self._after_dealer_draw(state) if state.stage is Stage.DEALER_DRAW else self._play_on(state)

    def choices(self, node: Decision, balance_minor: int) -> tuple[Choice, ...]:
        """Return the legal actions for the credit that is left."""
        return actions.choices(self._rules, poker_round(node.state), balance_minor)

    def act(self, node: Decision, action: Action, balance_minor: int) -> Node:
        """Apply an action. Raises ActionRefusedError naming the box and the reason."""
        state = actions.act(self._rules, poker_round(node.state), action, balance_minor)
        if state.stage is Stage.DRAW:
            return self._chance(state)
        return self._offer_on(state, state.turn + 1) if state.stage is Stage.OFFER else self._play_on(state)

    def layout(self, node: Node) -> TableLayout:
        """Return what the player may see."""
        outcome = node.outcome if isinstance(node, Settled) else None
        return layout(self._rules, poker_round(node.state), outcome)

    def _chance(self, state: PokerRound) -> Chance:
        return Chance(state, dealing.cards_needed(self._rules, state))

    def _play_on(self, state: PokerRound) -> Node:
        """Go to the next box that must choose, from ``turn`` on; after the last one the dealer shows his cards."""
        for index in range(state.turn, len(state.boxes)):
            box = state.boxes[index]
            if box.is_open and not box.folded and not box.bet_minor:
                here = state if index == state.turn else replace(state, turn=index)
                return Decision(here, box.box)
        if self._rules.dealer_game is None or qualifies(state.dealer):
            return self._settle(state)
        return self._offer_on(replace(state, stage=Stage.OFFER), 0)

    def _offer_on(self, state: PokerRound, start: int) -> Node:
        """Offer the dealer's game to the next box that plays, from ``start`` on; then deal what was bought."""
        for index in range(start, len(state.boxes)):
            if actions.is_offered(self._rules, state.boxes[index]):
                return Decision(replace(state, turn=index), state.boxes[index].box)
        return self._after_dealer_draw(replace(state, stage=Stage.DEALER_DRAW))

    def _after_dealer_draw(self, state: PokerRound) -> Node:
        node = self._chance(state)
        return node if node.card_count else self._settle(state)

    def _settle(self, state: PokerRound) -> Settled:
        final = replace(state, stage=Stage.SETTLED)
        return Settled(final, settle(self._rules, final))


FAMILY: Final = Family("poker", RULES_VERSION, DealerPokerProfile, DealerPoker)
"""Dealer poker for the registry."""
