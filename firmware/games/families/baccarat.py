"""Baccarat (Punto Banco): one seat, bets on Player, Banker or Tie, no decisions; two hands and the tableau.

The layout's ``player`` is the player hand, ``dealer`` the banker hand. Not responsible for who draws
(``baccarat_tableau``), what pays how much (``baccarat_options``) or score boards (``baccarat_roads``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from firmware import money
from firmware.cards.card import Card, rank_of
from firmware.cards.point_value import baccarat_points
from firmware.games.contract import (
    Action,
    ActionRefusedError,
    BoxLayout,
    BoxOutcome,
    CardSlot,
    Chance,
    Choice,
    Decision,
    HandLayout,
    HandOutcome,
    LineLayout,
    LineOutcome,
    Node,
    Outcome,
    PaytableRow,
    Settled,
    Stake,
    StakeRefusedError,
    TableLayout,
    TableSpec,
)
from firmware.games.families.baccarat_options import BaccaratProfile, betting_lines, paytable
from firmware.games.families.baccarat_tableau import NATURALS, banker_draws, player_draws, total_of
from firmware.games.families.table_bets import checked_stakes
from firmware.games.registry import Family

_OPENING_COUNT: Final = 4
_MOST_CARDS: Final = 6
_PUSHED_BY_A_TIE: Final = ("player", "banker")


@dataclass(frozen=True, slots=True)
class BaccaratState:
    """A coup: the money on the lines, in minor units, and both hands in the order dealt."""

    box: int
    lines: tuple[tuple[str, int], ...]
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @property
    def staked_minor(self) -> int:
        """All bets together; nothing is added after the deal."""
        return sum(amount_minor for _, amount_minor in self.lines)


class Baccarat:
    """The game with one profile; see ``firmware.games.contract.Game``."""

    def __init__(self, game_id: str, profile: BaccaratProfile) -> None:
        """Make the game from a validated profile."""
        self.id = game_id
        self.paytable: tuple[PaytableRow, ...] = paytable(profile)
        self._pays = {(row.line, row.name): row.pays for row in self.paytable if row.pays}
        self.spec = TableSpec(
            family="baccarat",
            positions=(1,),
            max_boxes=1,
            blind_from=None,
            neighbours_only=False,
            lines=betting_lines(profile),
            deck_count=profile.deck_count,
            shoe_carried=False,
            cut_after_count=0,
            most_cards_per_round=_MOST_CARDS,
        )

    def cost_minor(self, stakes: Sequence[Stake]) -> int:
        """Return the sum of the bets."""
        return sum(sum(stake.lines.values()) for stake in stakes)

    def most_paid_minor(self, stakes: Sequence[Stake], jackpot_meter_minor: int | None = None) -> int:
        """Return the most that these bets can bring back: the best winner together with both pairs."""
        del jackpot_meter_minor
        lines = {line: amount_minor for stake in stakes for line, amount_minor in stake.lines.items()}
        winners = ({"player": "player"}, {"banker": "banker"}, {"tie": "tie", "player": "push", "banker": "push"})
        pairs = {"player_pair": "pair", "banker_pair": "pair"}
        return max(
            sum(self._paid_minor(line, amount_minor, {**winning, **pairs}) for line, amount_minor in lines.items())
            for winning in winners
        )

    def open(self, stakes: Sequence[Stake], balance_minor: int, jackpot_meter_minor: int | None = None) -> Chance:
        """Take the bets and ask for the first four cards."""
        if jackpot_meter_minor is not None:
            raise StakeRefusedError("jackpot_meter: this game has no jackpot")
        (stake,) = checked_stakes(self.spec, stakes, balance_minor)
        lines = tuple((line.line, stake.lines[line.line]) for line in self.spec.lines if stake.lines.get(line.line))
        return Chance(BaccaratState(stake.box, lines), _OPENING_COUNT)

    def deal(self, node: Chance, cards: Sequence[Card]) -> Node:
        """Deal player, banker, player, banker; then a third card to the player, then to the banker, where due."""
        if len(cards) != node.card_count:
            raise ValueError(f"{len(cards)} cards given, {node.card_count} asked for")
        state = _state(node)
        if not state.player:
            first, second, third, fourth = cards
            return self._after(BaccaratState(state.box, state.lines, (first, third), (second, fourth)))
        if _player_is_next(state):
            return self._after(BaccaratState(state.box, state.lines, (*state.player, cards[0]), state.banker))
        return self._after(BaccaratState(state.box, state.lines, state.player, (*state.banker, cards[0])))

    def choices(self, node: Decision, balance_minor: int) -> tuple[Choice, ...]:
        """Return nothing: baccarat has no decisions after the bets."""
        del node, balance_minor
        return ()

    def act(self, node: Decision, action: Action, balance_minor: int) -> Node:
        """Refuse every action."""
        del node, balance_minor
        raise ActionRefusedError(f"box {action.box}: no {action.name!r} here, baccarat has no decisions")

    def layout(self, node: Node) -> TableLayout:
        """Return both hands face up, their points, and who won once it is over."""
        state = _state(node)
        outcome = node.outcome if isinstance(node, Settled) else None
        paid = {line.line: line.paid_minor for line in outcome.boxes[0].lines} if outcome else {}
        lines = tuple(LineLayout(line, staked_minor, paid.get(line)) for line, staked_minor in state.lines)
        result = outcome.boxes[0].result if outcome else None
        player_result, banker_result = _results(state) if outcome else (None, None)
        return TableLayout(
            boxes=(BoxLayout(state.box, "settled" if outcome else "done", (), lines, result),),
            dealer=_hand_layout(state.banker, banker_result),
            player=_hand_layout(state.player, player_result),
        )

    def _after(self, state: BaccaratState) -> Node:
        """Ask for the third card that is due next, or settle."""
        if _player_is_next(state) or _banker_is_next(state):
            return Chance(state, 1)
        return Settled(state, self._outcome(state))

    def _outcome(self, state: BaccaratState) -> Outcome:
        winning = self._winning_classes(state)
        lines = []
        net_minor = 0
        for line, staked_minor in state.lines:
            paid_minor = self._paid_minor(line, staked_minor, winning)
            lines.append(LineOutcome(line, staked_minor, paid_minor))
            net_minor += paid_minor - staked_minor
        result = "win" if net_minor > 0 else "lose" if net_minor < 0 else "push"
        hand = HandOutcome(state.player, hand_name(state.player), _results(state)[0])
        box = BoxOutcome(state.box, result, tuple(lines), (hand,))
        return Outcome((box,), state.banker, hand_name(state.banker))

    def _paid_minor(self, line: str, staked_minor: int, winning: Mapping[str, str]) -> int:
        """Return what one line brings back, its stake included."""
        name = winning.get(line)
        if name is None:
            return 0
        return staked_minor + (0 if name == "push" else money.times(staked_minor, *self._pays[line, name]))

    def _winning_classes(self, state: BaccaratState) -> dict[str, str]:
        """Return line -> class by which it wins, or ``push``; lines that lose are left out."""
        player, banker = total_of(state.player), total_of(state.banker)
        if player > banker:
            winning = {"player": "player"}
        elif banker > player:
            winning = {"banker": "banker_6" if banker == 6 and ("banker", "banker_6") in self._pays else "banker"}
        else:
            winning = {"tie": "tie", "player": "push", "banker": "push"}
        if _is_pair(state.player):
            winning["player_pair"] = "pair"
        if _is_pair(state.banker):
            winning["banker_pair"] = "pair"
        return winning


def hand_name(cards: Sequence[Card]) -> str:
    """Return the text of a hand: its points ``0`` to ``9``, or ``natural_8``, ``natural_9`` in two cards."""
    points = total_of(cards)
    return f"natural_{points}" if len(cards) == 2 and points in NATURALS else str(points)


def _state(node: Node) -> BaccaratState:
    if not isinstance(node.state, BaccaratState):
        raise TypeError(f"not a node of baccarat: {type(node.state).__name__}")
    return node.state


def _player_is_next(state: BaccaratState) -> bool:
    return (
        len(state.player) == 2
        and len(state.banker) == 2
        and player_draws(total_of(state.player), total_of(state.banker))
    )


def _banker_is_next(state: BaccaratState) -> bool:
    if len(state.banker) != 2:
        return False
    third = baccarat_points(state.player[2]) if len(state.player) == 3 else None
    return banker_draws(total_of(state.player[:2]), total_of(state.banker), third)


def _is_pair(cards: Sequence[Card]) -> bool:
    return rank_of(cards[0]) == rank_of(cards[1])


def _results(state: BaccaratState) -> tuple[str, str]:
    """Return how the player hand and the banker hand have ended."""
    difference = total_of(state.player) - total_of(state.banker)
    if difference == 0:
        return "push", "push"
    return ("win", "lose") if difference > 0 else ("lose", "win")


def _hand_layout(cards: Sequence[Card], result: str | None) -> HandLayout:
    slots = tuple(CardSlot(card) for card in cards)
    return HandLayout(slots, hand_name(cards) if cards else None, result=result)


FAMILY: Final = Family("baccarat", 1, BaccaratProfile, Baccarat)
