"""Blackjack behind the contract of all games: one machine for every profile.

Not responsible for the order of play (``blackjack_flow``), legal actions (``blackjack_play``), payment
(``blackjack_settlement``) or what is visible (``blackjack_layout``); it only joins them and checks what comes in.
"""

from collections.abc import Sequence
from typing import Final

from firmware.cards.card import Card
from firmware.games.contract import (
    Action,
    ActionRefusedError,
    Chance,
    Choice,
    Decision,
    Node,
    PaytableRow,
    Stake,
    StakeRefusedError,
    TableLayout,
    TableSpec,
)
from firmware.games.families.blackjack_bound import most_cards_per_round
from firmware.games.families.blackjack_flow import deal_next, deal_opening, opening_card_count
from firmware.games.families.blackjack_layout import table_layout
from firmware.games.families.blackjack_options import (
    BlackjackProfile,
    bet_line,
    cut_after_count,
    paytable,
    rules_of,
)
from firmware.games.families.blackjack_play import act_on, choices_at
from firmware.games.families.blackjack_state import BlackjackState, Box
from firmware.games.families.table_bets import checked_stakes
from firmware.games.registry import Family

_PLENTY_MINOR: Final = 10**12


class Blackjack:
    """The game with one profile; see ``firmware.games.contract.Game``."""

    def __init__(self, game_id: str, profile: BlackjackProfile) -> None:
        """Make the game from a validated profile."""
        self.id = game_id
        self.rules = rules_of(profile)
        self.paytable: tuple[PaytableRow, ...] = paytable(self.rules)
        self.spec = TableSpec(
            family="blackjack",
            positions=tuple(range(1, profile.max_boxes + 1)),
            max_boxes=profile.max_boxes,
            blind_from=None,
            neighbours_only=False,
            lines=(bet_line(profile),),
            deck_count=profile.deck_count,
            shoe_carried=profile.shoe_carried,
            cut_after_count=cut_after_count(profile) if profile.shoe_carried else 0,
            most_cards_per_round=most_cards_per_round(profile.deck_count, profile.max_boxes, profile.max_hands),
        )

    def cost_minor(self, stakes: Sequence[Stake]) -> int:
        """Return the sum of the bets."""
        return sum(sum(stake.lines.values()) for stake in stakes)

    def most_paid_minor(self, stakes: Sequence[Stake], jackpot_meter_minor: int | None = None) -> int:
        """Return what comes back if every box is split and doubled as far as it goes and every hand wins.

        A natural (at most 2.5 bets) and insurance (1.5 bets beside a lost or returned bet) bring less than that.
        """
        del jackpot_meter_minor
        rules = self.rules
        wagers = max(2, rules.max_hands * (2 if rules.double_after_split else 1))
        return sum(2 * wagers * sum(stake.lines.values()) for stake in stakes)

    def open(self, stakes: Sequence[Stake], balance_minor: int, jackpot_meter_minor: int | None = None) -> Chance:
        """Take the bets and ask for the first deal."""
        if jackpot_meter_minor is not None:
            raise StakeRefusedError("jackpot_meter: this game has no jackpot")
        boxes = tuple(Box(stake.box, stake.lines["bet"]) for stake in checked_stakes(self.spec, stakes, balance_minor))
        return Chance(BlackjackState(boxes), opening_card_count(self.rules, len(boxes)))

    def deal(self, node: Chance, cards: Sequence[Card]) -> Node:
        """Deal the first cards, or one card to the hand in turn or to the dealer."""
        if len(cards) != node.card_count:
            raise ValueError(f"{len(cards)} cards given, {node.card_count} asked for")
        state = _state(node)
        if state.phase == "deal":
            return deal_opening(self.rules, state, cards)
        return deal_next(self.rules, state, cards[0])

    def choices(self, node: Decision, balance_minor: int) -> tuple[Choice, ...]:
        """Return what the hand in turn may do with this balance."""
        return choices_at(self.rules, _state(node), balance_minor)

    def act(self, node: Decision, action: Action, balance_minor: int) -> Node:
        """Apply an action of the box and hand in turn."""
        where = f"box {action.box}, hand {action.hand}"
        if (action.box, action.hand) != (node.box, node.hand):
            raise ActionRefusedError(f"{where}: it is the turn of box {node.box}, hand {node.hand}")
        if action.cards:
            raise ActionRefusedError(f"{where}: {action.name!r} names no cards")
        state = _state(node)
        legal = choices_at(self.rules, state, balance_minor)
        if all(choice.name != action.name for choice in legal):
            for choice in choices_at(self.rules, state, _PLENTY_MINOR):
                if choice.name == action.name:
                    raise ActionRefusedError(
                        f"{where}: {action.name} costs {choice.cost_minor}, the balance is {balance_minor}"
                    )
            names = ", ".join(choice.name for choice in legal)
            raise ActionRefusedError(f"{where}: {action.name!r} is not legal now, only {names}")
        return act_on(self.rules, state, action.name)

    def layout(self, node: Node) -> TableLayout:
        """Return what the player may see: not the hole card before the dealer's turn."""
        return table_layout(self.rules, _state(node), node)


def _state(node: Node) -> BlackjackState:
    if not isinstance(node.state, BlackjackState):
        raise TypeError(f"not a node of blackjack: {type(node.state).__name__}")
    return node.state


FAMILY: Final = Family("blackjack", 1, BlackjackProfile, Blackjack)
