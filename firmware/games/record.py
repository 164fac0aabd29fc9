"""The round record: the one format in which a round is recalled, replayed, disputed, verified and tested.

``play`` runs a record through the very rules that play and answers with the result, or with the decision at which the
record stops. Pure but for reading the game's profile. Not responsible for reading JSON text (``record_format``), for
the shape of the answer (``record_answer``), or for the journal's own form of a round (``firmware.rounds``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.cards.card import Card, cards_text
from firmware.cards.shoe import Shoe, ShoeError
from firmware.errors import ConfigError, UserError
from firmware.games.contract import (
    Action,
    ActionRefusedError,
    Chance,
    Decision,
    Game,
    Node,
    Settled,
    Stake,
    StakeRefusedError,
)
from firmware.games.problems import path_text, shown
from firmware.games.record_answer import Answer, decision_answer, settled_answer
from firmware.games.record_format import Record, RecordRefusedError, StakeRow, parse_record
from firmware.games.registry import load_game


@dataclass(frozen=True, slots=True)
class Replayed:
    """Where a record leads to: a decision or the settled end, and how many of its cards that took."""

    game: Game
    node: Decision | Settled
    cards_used: int


def play(record: object, directory: Path | None = None) -> Answer:
    """Run a round record through the rules and describe where it leads.

    Args:
        record: the record as JSON gives it.
        directory: the folder of the profiles; None for the bundled ones.

    Returns:
        The answer as plain JSON values: ``state`` is ``settled``, or ``decision`` where the record stops early.

    Raises:
        RecordRefusedError: the record is malformed or impossible; one line names the item and the reason.
    """
    checked = parse_record(record)
    replayed = replay(checked, directory)
    node = replayed.node
    if isinstance(node, Settled):
        answer = settled_answer(replayed.game, node.outcome, checked.balance, replayed.cards_used)
    else:
        answer = decision_answer(replayed.game, node, checked.balance, checked.jackpot_meter, replayed.cards_used)
    if checked.result is not None:
        difference = _difference(checked.result, answer)
        if difference is not None:
            raise RecordRefusedError(f"result: the replay differs at {difference}")
    return answer


def replay(record: Record, directory: Path | None = None) -> Replayed:
    """Run a checked record through the rules. Arguments and errors as in ``play``."""
    game = _game(record, directory)
    try:
        shoe = Shoe.of(record.cards, game.spec.deck_count)
    except ShoeError as error:
        raise RecordRefusedError(f"cards: {error}") from None
    node = _opened(game, record)
    used = 0
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            cards, shoe = _drawn(shoe, node.card_count)
            node = game.deal(node, cards)
        elif used < len(record.actions):
            node = _acted(game, node, record, used)
            used += 1
        else:
            return Replayed(game, node, shoe.position)
    if used < len(record.actions):
        raise RecordRefusedError(f"actions[{used}]: the round is settled before it")
    return Replayed(game, node, shoe.position)


def _game(record: Record, directory: Path | None) -> Game:
    try:
        return load_game(record.game, record.profile, directory)
    except ConfigError as error:
        raise RecordRefusedError("; ".join(error.problems)) from None
    except UserError as error:
        raise RecordRefusedError(f"game: {error}") from None


def _opened(game: Game, record: Record) -> Node:
    stakes = [_stake(game, index, row) for index, row in enumerate(record.stakes)]
    try:
        return game.open(stakes, record.balance, record.jackpot_meter)
    except StakeRefusedError as error:
        raise RecordRefusedError(f"stakes: {str(error).removeprefix('stakes: ')}") from None


def _stake(game: Game, index: int, row: StakeRow) -> Stake:
    positions = game.spec.positions
    if row.box is None and len(positions) > 1:
        raise RecordRefusedError(f"stakes[{index}].box: found nothing, expected a position from 1 to {positions[-1]}")
    for line in row.lines:
        if not line.isidentifier() or len(line) > 40:
            raise RecordRefusedError(f"stakes[{index}]: there is no line {shown(line)}")
    return Stake(positions[0] if row.box is None else row.box, row.lines)


def _drawn(shoe: Shoe, count: int) -> tuple[tuple[Card, ...], Shoe]:
    if shoe.remaining_count < count:
        raise RecordRefusedError(f"cards: too few; {len(shoe.order)} given, {shoe.position + count} needed")
    return shoe.draw(count)


def _acted(game: Game, node: Decision, record: Record, index: int) -> Node:
    row = record.actions[index]
    action = Action(row.box, row.action, tuple(row.cards), row.hand)
    try:
        return game.act(node, action, record.balance - node.state.staked_minor)
    except ActionRefusedError as error:
        raise RecordRefusedError(f"actions[{index}]: {error}") from None


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
