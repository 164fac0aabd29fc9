"""The round record as it comes from outside: JSON text to a checked object, or a refusal in one line.

Strict: no conversions, no unknown or doubled keys, no floats for money, bounded sizes. Whether the round is possible is
not decided here (``record``).
"""

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, NoReturn

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from firmware.cards.card import RANKS, SUITS, Card, parse_card
from firmware.errors import UserError
from firmware.games.problems import problem_lines, shown
from firmware.money import MAX_AMOUNT_MINOR

LARGEST_RECORD_BYTES: Final = 1_000_000
DEEPEST_NESTING: Final = 20


class RecordRefusedError(UserError):
    """The record is malformed or impossible; the text is one line that names the item and the reason."""


def _card(value: object) -> Card:
    if not isinstance(value, str):
        raise ValueError("a card such as 'Td'")  # noqa: TRY004 - pydantic reports ValueError
    try:
        return parse_card(value)
    except ValueError:
        raise ValueError(f"a card such as 'Td': rank {RANKS} and suit {SUITS}") from None


Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT_MINOR)]
CardText = Annotated[Card, PlainValidator(_card)]
Name = Annotated[str, Field(max_length=40, pattern="^[a-z_]+$")]


def _unique(cards: list[Card]) -> list[Card]:
    if len(set(cards)) != len(cards):
        raise ValueError("every card once")
    return cards


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class StakeRow(_Part):
    """The stakes of one box: ``box`` and, beside it, line -> amount in minor units."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Amount]

    box: Annotated[int, Field(ge=1, le=99)] | None = None
    """The position; may be left out where the table has only one."""

    @property
    def lines(self) -> Mapping[str, int]:
        """Line -> amount, as given."""
        return self.__pydantic_extra__


class ActionRow(_Part):
    """One action of the player."""

    box: Annotated[int, Field(ge=1, le=99)]
    action: Name
    cards: Annotated[list[CardText], Field(max_length=10), AfterValidator(_unique)] = []
    hand: Annotated[int, Field(ge=0, le=99)] = 0


class Record(_Part):
    """A round record. Amounts are minor units; a card is rank ``23456789TJQKA`` and suit ``shdc``."""

    game: Annotated[str, Field(max_length=60)]
    """The game's id, e.g. ``oasis``."""
    balance: Amount
    """The player's credit before the stakes are taken."""
    stakes: Annotated[list[StakeRow], Field(max_length=20)]
    """One row per box, in the order of purchase."""
    cards: Annotated[list[CardText], Field(max_length=1_000)]
    """The cards as the shoe gives them; those after the last one used are not looked at but for doubles."""
    actions: Annotated[list[ActionRow], Field(max_length=1_000)] = []
    """What the player did, in order; the record may stop before the round is settled."""
    profile: dict[str, object] | None = None
    """Options that replace those of the game's profile, one by one."""
    jackpot_meter: Amount | None = None
    """The jackpot meter when the round opened, for a game that has one; the meter's seed if it is left out."""
    fairness: dict[str, object] | None = None
    """The shoe's proof, once it is finished; ``croupier fairness verify`` checks it, the rules do not look at it."""
    result: dict[str, object] | None = None
    """The answer as it was when the round was played; a replay that differs is refused."""


def parse_record(record: object) -> Record:
    """Return a checked record.

    Raises:
        RecordRefusedError: it is not one; names the first wrong item.
    """
    _check_depth(record)
    try:
        return Record.model_validate(record)
    except ValidationError as errors:
        lines = problem_lines(errors, tuple(Record.model_fields))
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        raise RecordRefusedError(f"{lines[0]}{more}") from None


def _check_depth(record: object) -> None:
    """Refuse what nests deeper than any record does, before anything walks through it by recursion."""
    level = [record]
    for _ in range(DEEPEST_NESTING):
        level = [inner for item in level for inner in _inner(item)]
        if not level:
            return
    raise RecordRefusedError("the record is nested too deeply")


def _inner(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def read_json(content: bytes) -> object:
    """Return the JSON value in ``content``.

    Raises:
        RecordRefusedError: too large, not UTF-8, not JSON, a key twice, NaN or Infinity, or nested too deeply.
    """
    if len(content) > LARGEST_RECORD_BYTES:
        raise RecordRefusedError(f"the record is larger than {LARGEST_RECORD_BYTES} bytes")
    try:
        value: object = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise RecordRefusedError(f"the record is not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise RecordRefusedError(
            f"the record is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise RecordRefusedError("the record is nested too deeply") from None
    except ValueError:  # a number of more digits than Python converts
        raise RecordRefusedError("the record holds a number that is too large") from None
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        names = [name for name, _ in pairs]
        doubled = next(name for name in names if names.count(name) > 1)
        raise RecordRefusedError(f"key {shown(doubled)} is there twice")
    return table


def _no_constant(text: str) -> NoReturn:
    raise RecordRefusedError(f"{text} is not a number that a record can hold")
