"""The recorded state as bytes and back, so that a start need not read the whole journal; and its tally. Pure.

A snapshot is a cache: whoever can't read one folds the journal from its beginning. Not responsible for keeping it.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Final, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from firmware.journal.record import Tally
from firmware.terminal.state import Recorded

FOLD_VERSION: Final = 2
"""To be raised whenever the fold gives another state for the same entries: older snapshots are then not used.

A change of the state's own fields needs no raise: a digest of them is in every snapshot.
"""


def encode_recorded(recorded: Recorded) -> bytes:
    """Return the state as bytes; equal states may give different bytes."""
    return _mark() + to_json(recorded, fallback=dict)


def decode_recorded(data: bytes) -> Recorded | None:
    """Return the state, or None for bytes of another version of the fold or of the state."""
    if not data.startswith(_mark()):
        return None
    try:
        return _adapter().validate_json(data[len(_mark()) :], strict=True)
    except ValidationError:
        return None


def tally_of(recorded: Recorded) -> Tally:
    """Return what the books say, as the journal's anchor remembers it."""
    books = recorded.books
    return Tally(
        epoch=recorded.commissioned.epoch if recorded.commissioned is not None else 0,
        credit_minor=books.credit_minor,
        notes_in_minor=books.meter("notes_in_minor"),
        coins_in_minor=books.meter("coins_in_minor"),
        coin_in_minor=books.meter("coin_in_minor"),
        coin_out_minor=books.meter("coin_out_minor"),
        hopper_paid_minor=books.meter("hopper_paid_minor"),
        cancelled_credit_minor=books.meter("cancelled_credit_minor"),
        games_played=books.meter("games_played"),
    )


@cache
def _mark() -> bytes:
    text = "\n".join(sorted(_forms(Recorded)))
    return f"croupier-state/{FOLD_VERSION}/{hashlib.sha256(text.encode()).hexdigest()[:16]}\n".encode()


def _forms(kind: type) -> set[str]:
    """Return the names and types of the fields of a state's dataclass and of all that are in it."""
    found: set[str] = set()
    todo, seen = [kind], {kind}
    while todo:
        hints = get_type_hints(current := todo.pop())
        for known in fields(current):
            found.add(f"{current.__module__}.{current.__qualname__}.{known.name}: {hints[known.name]}")
            for part in _parts(hints[known.name]):
                if is_dataclass(part) and isinstance(part, type) and part not in seen:
                    seen.add(part)
                    todo.append(part)
    return found


def _parts(hint: object) -> Iterator[object]:
    """Yield a type and all that it is made of."""
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


@cache
def _adapter() -> TypeAdapter[Recorded]:
    return TypeAdapter(Recorded)
