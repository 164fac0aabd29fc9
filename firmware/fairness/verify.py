"""The verification of a round record with a shoe's proof: commitment, order, cut, the cards played, and the rules.

Everything is looked at, so that all that is wrong is told at once. Not responsible for reading files or printing
(``command``).
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.cards.card import DECK, card_text, cards_text
from firmware.fairness.commitment import SALT_BYTES, card_count, commitment_of, cut, cut_of_number
from firmware.fairness.proof import ShoeProof, proof_of_text, proof_of_values
from firmware.games.record import play
from firmware.games.record_format import Record, RecordRefusedError, parse_record
from firmware.games.registry import load_game

SHORTEST_NOTE: Final = 8
"""So many characters of a commitment must have been noted for a comparison to mean something."""
_DECK_TEXTS: Final = frozenset(map(card_text, DECK))


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: its name, whether it is right, and what was found."""

    name: str
    is_right: bool
    found: str


def verify_record(
    value: object, noted: str = "", directory: Path | None = None, number: int | None = None
) -> tuple[Check, ...]:
    """Check a round record with its proof.

    Args:
        value: the record as JSON gives it, with ``fairness``.
        noted: the commitment as the player noted it, or its beginning; empty: there is no note.
        number: what the player typed, None where he typed nothing or it is not to be checked.
        directory: the folder of the profiles; None for the bundled ones.

    Raises:
        RecordRefusedError: the record is malformed or has no proof.
    """
    record = parse_record(value)
    if record.fairness is None:
        raise RecordRefusedError(
            "fairness: is missing; a round has its proof when its shoe is finished and was committed to"
        )
    try:
        proof, first_card = proof_of_values(record.fairness)
    except ValueError as error:
        raise RecordRefusedError(str(error)) from None
    deck_count = load_game(record.game, record.profile, directory).spec.deck_count
    return (
        *_shoe_checks(proof, noted, number, deck_count),
        _cards(record, proof, first_card),
        _rules(record, value, directory),
    )


def verify_text(text: str, noted: str = "", number: int | None = None) -> tuple[Check, ...]:
    """Check the text of a QR code, which tells of the shoe alone. Raises RecordRefusedError for another text."""
    try:
        proof = proof_of_text(text)
    except ValueError as error:
        raise RecordRefusedError(f"neither a round record nor the text of a QR code: {error}") from None
    return _shoe_checks(proof, noted, number, None)


def _shoe_checks(proof: ShoeProof, noted: str, number: int | None, deck_count: int | None) -> tuple[Check, ...]:
    checks = [_commitment(proof), _order(proof, deck_count), _cut(proof)]
    if number is not None:
        checks.append(_number(proof, number))
    if noted:
        checks.insert(0, _noted(proof, noted))
    return tuple(checks)


def _noted(proof: ShoeProof, noted: str) -> Check:
    plain = "".join(noted.split()).lower()
    if len(plain) < SHORTEST_NOTE:
        raise RecordRefusedError(f"--commitment: at least {SHORTEST_NOTE} characters are needed to compare")
    is_right = proof.commitment.startswith(plain)
    return Check("noted", is_right, "as noted before the round" if is_right else f"noted {plain}, not this shoe's")


def _commitment(proof: ShoeProof) -> Check:
    if len(proof.salt) != 2 * SALT_BYTES or set(proof.salt) - set("0123456789abcdef"):
        return Check("commitment", False, f"the salt is not {2 * SALT_BYTES} hex characters")
    found = commitment_of(proof.shoe_id, proof.salt, proof.order)
    if found != proof.commitment:
        return Check("commitment", False, f"salt and order give {found}, not {proof.commitment[:64]}")
    return Check("commitment", True, f"salt and order give {found}")


def _order(proof: ShoeProof, deck_count: int | None) -> Check:
    cards = [proof.order[index : index + 2] for index in range(0, len(proof.order), 2)]
    unknown = next((card for card in cards if card not in _DECK_TEXTS), None)
    if unknown is not None:
        return Check("order", False, f"{unknown!r} is not a card")
    decks = deck_count or max(len(cards) // len(DECK), 1)
    counts = Counter(cards)
    wrong = next((card for card in sorted(_DECK_TEXTS) if counts[card] != decks), None)
    if wrong is not None:
        return Check("order", False, f"{wrong} is there {counts[wrong]} times in {decks} deck(s)")
    return Check("order", True, f"{len(cards)} cards, every card {decks} time(s)")


def _cut(proof: ShoeProof) -> Check:
    if not 0 <= proof.cut < max(card_count(proof.order), 1):
        return Check("cut", False, f"{proof.cut} lies outside the shoe")
    return Check("cut", True, f"{proof.cut} cards went under the others" if proof.cut else "the player did not cut")


def _number(proof: ShoeProof, number: int) -> Check:
    """Check that what the player typed, divided by the number of cards, leaves the cut."""
    count, left = card_count(proof.order), cut_of_number(proof.order, number)
    return Check("number", left == proof.cut, f"{number} divided by {count} leaves {left}, the cut was at {proof.cut}")


def _cards(record: Record, proof: ShoeProof, first_card: int) -> Check:
    played = cards_text(record.cards)
    if proof.cut >= max(card_count(proof.order), 1):
        return Check("cards", False, "there is no such cut")
    dealt = cut(proof.order, proof.cut)[2 * first_card :]
    if 2 * len(played) > len(dealt):
        return Check("cards", False, f"{len(played)} cards were played, {len(dealt) // 2} were left in the shoe")
    for number, card in enumerate(played):
        expected = dealt[2 * number : 2 * number + 2]
        if card != expected:
            return Check("cards", False, f"card {number + 1} is {card}, the shoe gives {expected}")
    return Check("cards", True, f"all {len(played)} cards played are those of the shoe from card {first_card + 1} on")


def _rules(record: Record, value: object, directory: Path | None) -> Check:
    try:
        answer = play(value, directory)
    except RecordRefusedError as error:
        return Check("rules", False, str(error))
    if answer.get("cards_used", len(record.cards)) != len(record.cards):
        return Check("rules", False, f"the rules take {answer['cards_used']} cards, {len(record.cards)} are recorded")
    if record.result is None:
        return Check("rules", True, f"the round can be played so; no result is recorded ({answer['state']})")
    return Check("rules", True, "the rules give the recorded result")
