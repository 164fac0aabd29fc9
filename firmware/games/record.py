"""The round record: the one format in which a round is recalled, replayed, disputed, verified and tested.

``play`` runs a record through the very rules that play and answers with the result, or with the decision at which the
record stops. Pure but for reading the game's profile. Not responsible for reading JSON text (``record_format``) or for
the journal's own form of a round (``firmware.rounds``).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from firmware.cards.card import Card, cards_text
from firmware.cards.shoe import Shoe, ShoeError
from firmware.errors import ConfigError, UserError
from firmware.games.contract import (
    Action,
    ActionRefusedError,
    BoxLayout,
    BoxOutcome,
    Chance,
    Decision,
    Game,
    HandLayout,
    Node,
    Outcome,
    Settled,
    Stake,
    StakeRefusedError,
)
from firmware.games.problems import path_text, shown
from firmware.games.record_format import Record, RecordRefusedError, StakeRow, parse_record
from firmware.games.registry import load_game

Answer = dict[str, object]


def play(record: object, directory: Path | None = None) -> Answer:
    """Run a round record through the rules.

    Args:
        record: the record as JSON gives it.
        directory: the folder of the profiles; None for the bundled ones.

    Returns:
        The answer as plain JSON values: ``state`` is ``settled``, or ``decision`` where the record stops early.

    Raises:
        RecordRefusedError: the record is malformed or impossible; one line names the item and the reason.
    """
    checked = parse_record(record)
    game = _game(checked, directory)
    answer = _Replay(game, checked).run()
    if checked.result is not None:
        difference = _difference(checked.result, answer)
        if difference is not None:
            raise RecordRefusedError(f"result: the replay differs at {difference}")
    return answer


def _game(record: Record, directory: Path | None) -> Game:
    try:
        return load_game(record.game, record.profile, directory)
    except ConfigError as error:
        raise RecordRefusedError("; ".join(error.problems)) from None
    except UserError as error:
        raise RecordRefusedError(f"game: {error}") from None


class _Replay:
    """One run of a record: the node it has come to, the shoe behind it, and how many actions are used."""

    def __init__(self, game: Game, record: Record) -> None:
        self._game = game
        self._record = record
        try:
            self._shoe = Shoe.of(record.cards, game.spec.deck_count)
        except ShoeError as error:
            raise RecordRefusedError(f"cards: {error}") from None
        stakes = [_stake(game, index, row) for index, row in enumerate(record.stakes)]
        try:
            self._node: Node = game.open(stakes, record.balance, record.jackpot_meter)
        except StakeRefusedError as error:
            raise RecordRefusedError(f"stakes: {str(error).removeprefix('stakes: ')}") from None
        self._used = 0

    def run(self) -> Answer:
        """Go on until the round is settled or the actions are used up."""
        while not isinstance(self._node, Settled):
            if isinstance(self._node, Chance):
                self._node = self._game.deal(self._node, self._draw(self._node.card_count))
            elif self._used < len(self._record.actions):
                self._node = self._act(self._node)
            else:
                return self._decision(self._node)
        if self._used < len(self._record.actions):
            raise RecordRefusedError(f"actions[{self._used}]: the round is settled before it")
        return settled_answer(self._game, self._node.outcome, self._record.balance, self._shoe.position)

    @property
    def _balance_minor(self) -> int:
        return self._record.balance - self._node.state.staked_minor

    def _draw(self, count: int) -> tuple[Card, ...]:
        if self._shoe.remaining_count < count:
            needed = self._shoe.position + count
            raise RecordRefusedError(f"cards: too few; {len(self._shoe.order)} given, {needed} needed")
        cards, self._shoe = self._shoe.draw(count)
        return cards

    def _act(self, node: Decision) -> Node:
        row = self._record.actions[self._used]
        action = Action(row.box, row.action, tuple(row.cards), row.hand)
        try:
            after = self._game.act(node, action, self._balance_minor)
        except ActionRefusedError as error:
            raise RecordRefusedError(f"actions[{self._used}]: {error}") from None
        self._used += 1
        return after

    def _decision(self, node: Decision) -> Answer:
        """Return the answer of a record that stops early: what is legal, and what the player may see."""
        choices = self._game.choices(node, self._balance_minor)
        seen = self._game.layout(node)
        answer: Answer = {
            "game": self._game.id,
            "state": "decision",
            "box": node.box,
            "hand": node.hand,
            "legal": list(dict.fromkeys(choice.name for choice in choices)),
            "choices": [
                {"action": choice.name, "cost": choice.cost_minor, "cards": choice.card_count} for choice in choices
            ],
            "staked": node.state.staked_minor,
            "balance": self._balance_minor,
            "boxes": [_seen_box(box) for box in seen.boxes],
            "dealer": {**_seen_hand(seen.dealer), "qualifies": seen.dealer_qualifies},
            "jackpot_meter": self._record.jackpot_meter,
            "cards_used": self._shoe.position,
        }
        return answer


def _stake(game: Game, index: int, row: StakeRow) -> Stake:
    positions = game.spec.positions
    if row.box is None and len(positions) > 1:
        raise RecordRefusedError(f"stakes[{index}].box: found nothing, expected a position from 1 to {positions[-1]}")
    for line in row.lines:
        if not line.isidentifier() or len(line) > 40:
            raise RecordRefusedError(f"stakes[{index}]: there is no line {shown(line)}")
    return Stake(positions[0] if row.box is None else row.box, row.lines)


def _seen_box(box: BoxLayout) -> Answer:
    """Return one box as the player sees it, in the shape of a settled one."""
    answer: Answer = {"box": box.box, "state": box.state, **_seen_hand(box.hands[0])}
    if len(box.hands) > 1:
        answer["hands"] = [_seen_hand(hand) for hand in box.hands]
    answer["lines"] = [{"line": line.line, "staked": line.staked_minor} for line in box.lines]
    return answer


def _seen_hand(hand: HandLayout) -> Answer:
    """Return the cards of a hand that lie face up, how many lie face down, and what may be said about it."""
    faces = [slot.card for slot in hand.slots if slot.card is not None and slot.mark != "dead"]
    hidden = sum(slot.card is None for slot in hand.slots)
    return {"cards": cards_text(faces), "face_down": hidden, "hand": hand.name}


def settled_answer(game: Game, outcome: Outcome, balance_minor: int, cards_used: int) -> Answer:
    """Return the answer for a settled round.

    Args:
        game: the game that was played.
        outcome: how it ended.
        balance_minor: the credit before the round opened.
        cards_used: how many cards of the shoe the round took.
    """
    net = outcome.paid_minor - outcome.staked_minor
    return {
        "game": game.id,
        "state": "settled",
        "staked": outcome.staked_minor,
        "paid": outcome.paid_minor,
        "net": net,
        "balance": balance_minor + net,
        "boxes": [_box_answer(game, box) for box in outcome.boxes],
        "dealer": {
            "cards": cards_text(outcome.dealer_cards),
            "hand": outcome.dealer_name or None,
            "qualifies": outcome.dealer_qualifies,
        },
        "jackpot_meter": outcome.jackpot_meter_minor,
        "cards_used": cards_used,
    }


def _box_answer(game: Game, box: BoxOutcome) -> Answer:
    """Return one box; a box that was split lists all its hands under ``hands`` besides."""
    first = box.hands[0]
    answer: Answer = {"box": box.box, "cards": cards_text(first.cards), "hand": first.name}
    if game.spec.second_combination:
        answer["second_hand"] = first.second_name
    answer |= {"result": box.result, "staked": box.staked_minor, "paid": box.paid_minor}
    if len(box.hands) > 1:
        answer["hands"] = [
            {"cards": cards_text(hand.cards), "hand": hand.name, "result": hand.result} for hand in box.hands
        ]
    answer["lines"] = [{"line": line.line, "staked": line.staked_minor, "paid": line.paid_minor} for line in box.lines]
    return answer


def record_of(
    game_id: str,
    balance_minor: int,
    stakes: Sequence[Stake],
    cards: Sequence[Card],
    actions: Sequence[Action],
    *,
    profile: Mapping[str, object] | None = None,
    jackpot_meter_minor: int | None = None,
) -> Answer:
    """Return the record that replays a round, as plain JSON values.

    Args:
        game_id: the game.
        balance_minor: the credit before the round opened.
        stakes: in the order of purchase.
        cards: the cards in the order in which the shoe gave them; more than the round used do no harm.
        actions: the player's actions in order.
        profile: options that differ from the game's own profile.
        jackpot_meter_minor: the meter when the round opened, for a game that has one.
    """
    record: Answer = {
        "game": game_id,
        "balance": balance_minor,
        "stakes": [{"box": stake.box, **stake.lines} for stake in stakes],
        "cards": cards_text(cards),
        "actions": [_action_row(action) for action in actions],
    }
    if profile:
        record["profile"] = dict(profile)
    if jackpot_meter_minor is not None:
        record["jackpot_meter"] = jackpot_meter_minor
    return record


def _action_row(action: Action) -> Answer:
    row: Answer = {"box": action.box, "action": action.name}
    if action.cards:
        row["cards"] = cards_text(action.cards)
    if action.hand:
        row["hand"] = action.hand
    return row


def _difference(recorded: object, replayed: object, path: tuple[str | int, ...] = ()) -> str | None:
    """Return where and how two answers differ first, or None."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for key in sorted({*recorded, *replayed}, key=str):
            found = _difference(recorded.get(key), replayed.get(key), (*path, str(key)))
            if found is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(replayed, list) and len(recorded) == len(replayed):
        for index, (one, other) in enumerate(zip(recorded, replayed, strict=True)):
            found = _difference(one, other, (*path, index))
            if found is not None:
                return found
        return None
    if type(recorded) is type(replayed) and recorded == replayed:
        return None
    return f"{path_text(path)}: recorded {shown(recorded)}, replayed {shown(replayed)}"
