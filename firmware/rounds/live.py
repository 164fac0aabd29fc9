"""The open round: a game's node on a shoe, and the entries that each step writes.

The journal's entries are the round: ``resume`` makes the same round from them, card for card, and the same functions
serve play, the restart after a power cut, and recall. Not responsible for shuffling, credit or the screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware.cards.card import Card, cards_text, parse_cards
from firmware.entries import types as entry
from firmware.errors import InvariantError
from firmware.games.contract import Action, Chance, Decision, Game, Node, Outcome, Settled, Stake
from firmware.money import MAX_AMOUNT_MINOR
from firmware.rounds.shoes import ShoeInPlay, ShoeRecord, check_order, order_text


@dataclass(frozen=True, slots=True)
class RoundEntries:
    """What the journal holds of one round. ``shoe`` is the shoe as it stood before the round's first card."""

    opened: entry.RoundOpened
    shoe: ShoeRecord
    acts: tuple[entry.RoundActed, ...] = ()
    settled: entry.RoundSettled | None = None


@dataclass(frozen=True, slots=True)
class LiveRound:
    """A round at a decision, or just settled. ``shoe`` is behind the cards dealt so far."""

    opened: entry.RoundOpened
    acts: tuple[entry.RoundActed, ...]
    game: Game
    node: Node
    shoe: ShoeInPlay
    dealt: tuple[Card, ...]

    @property
    def decision(self) -> Decision:
        """The decision that the round waits for. Raises InvariantError when it is settled."""
        if not isinstance(self.node, Decision):
            raise InvariantError(f"round {self.opened.round_id} waits for no decision")
        return self.node

    @property
    def outcome(self) -> Outcome | None:
        """The outcome once the round is settled."""
        return self.node.outcome if isinstance(self.node, Settled) else None

    @property
    def cost_minor(self) -> int:
        """All that the round has taken from the credit so far."""
        return self.opened.cost_minor + sum(act.cost_minor for act in self.acts)


@dataclass(frozen=True, slots=True)
class Opening:
    """What the caller decides about a new round besides the stakes."""

    round_id: str
    number: int
    profile: str
    shoe: ShoeInPlay
    is_fresh_shoe: bool
    credit_minor: int
    jackpot_meter_minor: int | None = None


def open_round(game: Game, stakes: Sequence[Stake], opening: Opening) -> tuple[LiveRound, tuple[entry.Entry, ...]]:
    """Open a round and deal to its first decision.

    Returns:
        The live round and its entries: opened, and settled when the cards leave nothing to decide.

    Raises:
        StakeRefusedError: the game refuses the stakes.
        InvariantError: the shoe is not whole.
    """
    if opening.is_fresh_shoe:
        check_order(opening.shoe.order, game.spec.deck_count)
    chance = game.open(stakes, opening.credit_minor, opening.jackpot_meter_minor)
    opened = entry.RoundOpened(
        round_id=opening.round_id,
        number=opening.number,
        game=game.id,
        profile=opening.profile,
        stakes=tuple(
            entry.StakeLine(stake.box, line, amount) for stake in stakes for line, amount in stake.lines.items()
        ),
        cost_minor=game.cost_minor(stakes),
        credit_before_minor=opening.credit_minor,
        shoe_id=opening.shoe.shoe_id,
        shoe=order_text(opening.shoe.order) if opening.is_fresh_shoe else "",
        first_card=opening.shoe.used_count,
        jackpot_meter_minor=opening.jackpot_meter_minor,
    )
    live = _deal(LiveRound(opened, (), game, chance, opening.shoe, ()))
    return live, (opened, *_ending(live))


def act(live: LiveRound, action: Action, balance_minor: int) -> tuple[LiveRound, tuple[entry.Entry, ...]]:
    """Apply a choice of the player and deal on to the next decision or the end.

    Returns:
        The live round and its entries: acted, and settled when that was the last decision.

    Raises:
        ActionRefusedError: the action is not legal here; nothing has changed.
    """
    before = live.decision
    node = live.game.act(before, action, balance_minor)
    acted = entry.RoundActed(
        round_id=live.opened.round_id,
        step=len(live.acts) + 1,
        box=action.box,
        hand=action.hand,
        action=action.name,
        cards=tuple(cards_text(action.cards)),
        cost_minor=node.state.staked_minor - before.state.staked_minor,
    )
    live = _deal(replace(live, node=node, acts=(*live.acts, acted)))
    return live, (acted, *_ending(live))


def resume(game: Game, recorded: RoundEntries) -> LiveRound:
    """Return the round that these entries record, card for card.

    Args:
        game: the game of the round, with the profile it was opened with.
        recorded: the round's entries.

    Raises:
        InvariantError: the entries contradict the rules or the shoe.
    """
    opened = recorded.opened
    try:
        shoe = replace(recorded.shoe.in_play(), used_count=opened.first_card)
        chance = game.open(stakes_of(opened), opened.credit_before_minor, opened.jackpot_meter_minor)
        live = _deal(LiveRound(opened, (), game, chance, shoe, ()))
        for acted in recorded.acts:
            action = Action(acted.box, acted.action, parse_cards(acted.cards), acted.hand)
            # The choice was affordable when it was recorded; money in during the round is not known here.
            node = game.act(live.decision, action, MAX_AMOUNT_MINOR)
            live = _deal(replace(live, node=node, acts=(*live.acts, acted)))
    except ValueError as error:
        raise InvariantError(f"round {opened.round_id} can't be replayed: {error}") from error
    settled, outcome = recorded.settled, live.outcome
    if settled is not None and (
        outcome is None or (outcome.staked_minor, outcome.paid_minor) != (settled.staked_minor, settled.paid_minor)
    ):
        raise InvariantError(f"round {opened.round_id}: the rules do not settle it as recorded")
    return live


def stakes_of(opened: entry.RoundOpened) -> tuple[Stake, ...]:
    """Return the stakes of an opening in the order of purchase."""
    boxes: dict[int, dict[str, int]] = {}
    for line in opened.stakes:
        boxes.setdefault(line.box, {})[line.line] = line.amount_minor
    return tuple(Stake(box, lines) for box, lines in boxes.items())


def _deal(live: LiveRound) -> LiveRound:
    node, shoe, dealt = live.node, live.shoe, live.dealt
    while isinstance(node, Chance):
        cards, shoe = shoe.take(node.card_count)
        dealt += cards
        node = live.game.deal(node, cards)
    return replace(live, node=node, shoe=shoe, dealt=dealt)


def _ending(live: LiveRound) -> tuple[entry.Entry, ...]:
    outcome = live.outcome
    if outcome is None:
        return ()
    if outcome.staked_minor != live.cost_minor:
        raise InvariantError(
            f"round {live.opened.round_id}: {live.cost_minor} was taken but {outcome.staked_minor} is settled"
        )
    return (
        entry.RoundSettled(
            round_id=live.opened.round_id,
            game=live.opened.game,
            staked_minor=outcome.staked_minor,
            paid_minor=outcome.paid_minor,
            card_count=len(live.dealt),
            lines=tuple(
                entry.PaidLine(box.box, line.line, line.staked_minor, line.paid_minor)
                for box in outcome.boxes
                for line in box.lines
            ),
            jackpot_meter_minor=outcome.jackpot_meter_minor,
            jackpot_won_minor=outcome.jackpot_won_minor,
        ),
    )
