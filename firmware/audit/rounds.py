"""Rounds as people ask for them: every step, every card, in the round record's format. Pure.

A settled round gives a record that ``croupier play`` replays anywhere. An open one tells only what its player sees. Not
responsible for reading the journal (``source``) or for the record's format (``firmware.games.record``).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from firmware.cards.card import parse_cards
from firmware.entries import fairness, keeping
from firmware.entries import types as entry
from firmware.errors import InvariantError, UserError
from firmware.games.contract import Action
from firmware.games.record_answer import Answer, decision_answer, settled_answer
from firmware.games.registry import RegisteredGame
from firmware.journal.record import Record
from firmware.rounds.live import LiveRound, RoundEntries, resume, stakes_of
from firmware.rounds.shoes import PreparedShoe, ShoeRecord
from firmware.terminal.state import Recorded

UNKNOWN_SHOE = ShoeRecord("", "", 0)
Register = Callable[[str, Mapping[str, object] | None], RegisteredGame]
"""Makes a game from its own profile, or with options in place of it."""
Profiles = Mapping[tuple[str, str], str]
"""(game, digest) to the profile's options as JSON text, as far as the journal tells them."""


@dataclass(frozen=True, slots=True)
class RoundReading:
    """A round as the journal tells it: where it is, when it was, and what came in before and while it was played.

    ``entries.shoe`` is ``UNKNOWN_SHOE`` when the shoe was opened before the records that were read.
    """

    seq: int
    opened_ms: int
    ended_ms: int | None
    entries: RoundEntries
    voided: entry.RoundVoided | None
    notes_before_minor: int
    coins_before_minor: int
    money_during_minor: int

    @property
    def is_open(self) -> bool:
        """Tell whether the round still waits for its player."""
        return self.entries.settled is None and self.voided is None


def rounds_of(records: Iterable[Record]) -> Iterator[RoundReading]:
    """Yield the rounds of records in order; the last may be open. A round opened before the first record is left out."""
    shoes: dict[str, ShoeRecord] = {}
    prepared: dict[str, PreparedShoe] = {}
    notes_minor = coins_minor = 0
    current: RoundReading | None = None
    for record in records:
        match record.entry:
            case entry.NoteCredited() as note:
                notes_minor += note.amount_minor
            case entry.CoinCredited() as coin:
                coins_minor += coin.amount_minor
            case fairness.ShoePrepared() as made:
                prepared[made.shoe_id] = PreparedShoe(made.shoe_id, made.order, made.salt, made.commitment)
            case fairness.ShoeCut() as cut if cut.shoe_id in prepared:
                prepared[cut.shoe_id] = replace(prepared[cut.shoe_id], cut=cut.position)
            case entry.RoundOpened() as opened:
                if opened.shoe:
                    known = prepared.pop(opened.shoe_id, None)
                    plain = ShoeRecord(opened.shoe_id, opened.shoe, opened.first_card)
                    shoes[opened.game] = plain if known is None else known.record(opened.first_card)
                shoe = shoes.get(opened.game, UNKNOWN_SHOE)
                entries = RoundEntries(opened, shoe if shoe.shoe_id == opened.shoe_id else UNKNOWN_SHOE)
                current = RoundReading(record.seq, record.at_ms, None, entries, None, notes_minor, coins_minor, 0)
                notes_minor = coins_minor = 0
            case entry.RoundActed() as acted if current is not None:
                current = replace(current, entries=replace(current.entries, acts=(*current.entries.acts, acted)))
            case entry.RoundSettled() | entry.RoundVoided() as ended if current is not None:
                yield _ended(current, ended, record.at_ms, notes_minor + coins_minor)
                current = None
            case _:
                pass
    if current is not None:
        yield replace(current, money_during_minor=notes_minor + coins_minor)


def profiles_of(records: Iterable[Record]) -> dict[tuple[str, str], str]:
    """Return the profiles that these records tell."""
    used = (record.entry for record in records)
    return {(each.game, each.digest): each.options for each in used if isinstance(each, keeping.ProfileUsed)}


class RoundsOnCards:
    """Puts rounds back on their cards with the very profile by which they were played."""

    def __init__(
        self,
        register: Register,
        profiles: Profiles,
        recorded: Recorded,
    ) -> None:
        """``register`` makes a game from its own profile or with options in place of it; see ``games.registry``.

        ``recorded`` is the state at the journal's end: it tells which shoes are finished, so that they may be proved.
        """
        self._register, self._profiles, self._recorded = register, profiles, recorded
        self._known: dict[tuple[str, str], tuple[RegisteredGame, Mapping[str, object] | None]] = {}

    def answer(self, reading: RoundReading) -> Answer:
        """Return the round as plain JSON values: its record, or for an open round what its player sees.

        Raises:
            InvariantError: the round can't be replayed: its shoe or its profile is not known, or the rules have changed.
        """
        opened = reading.entries.opened
        registered, options = self._game(opened)
        if reading.entries.shoe is UNKNOWN_SHOE:
            raise InvariantError(f"round {opened.round_id}: its shoe {opened.shoe_id} is not among the records")
        live = resume(registered.game, reading.entries)
        balance_minor = opened.credit_before_minor + reading.money_during_minor
        if reading.is_open:
            return _open_answer(live, balance_minor)
        actions = [Action(act.box, act.action, parse_cards(act.cards), act.hand) for act in live.acts]
        # Reading records needs much that a start should not wait for.
        from firmware.games.record import record_of

        record = record_of(
            opened.game,
            balance_minor,
            stakes_of(opened),
            live.dealt,
            actions,
            profile=options,
            jackpot_meter_minor=opened.jackpot_meter_minor,
        )
        proof = reading.entries.shoe.proof
        if proof is not None and self._recorded.is_finished(opened.game, opened.shoe_id):
            record["fairness"] = proof.as_values(opened.first_card)
        if live.outcome is not None:
            record["result"] = settled_answer(live.game, live.outcome, balance_minor, len(live.dealt))
        return record

    def _game(self, opened: entry.RoundOpened) -> tuple[RegisteredGame, Mapping[str, object] | None]:
        key = (opened.game, opened.profile)
        if key not in self._known:
            self._known[key] = self._made(*key)
        return self._known[key]

    def _made(self, game: str, digest: str) -> tuple[RegisteredGame, Mapping[str, object] | None]:
        try:
            usual = self._register(game, None)
        except UserError as error:
            raise InvariantError(f"game {game} is not one of this program's: {error}") from error
        if usual.digest == digest:
            return usual, None
        text = self._profiles.get((game, digest))
        if text is None:
            raise InvariantError(f"game {game} was played by profile {digest[:12]}, which the journal does not tell")
        options: Mapping[str, object] = json.loads(text)
        made = self._register(game, options)
        if made.digest != digest:
            raise InvariantError(
                f"game {game} was played by other rules than this program's; use the one that dealt it"
            )
        return made, options


def is_usual(register: Register, game: str, digest: str) -> bool:
    """Tell whether a game's own profile of today is the one with this digest."""
    try:
        return register(game, None).digest == digest
    except UserError:
        return False


def _ended(
    current: RoundReading, ended: entry.RoundSettled | entry.RoundVoided, at_ms: int, money_minor: int
) -> RoundReading:
    if isinstance(ended, entry.RoundVoided):
        return replace(current, ended_ms=at_ms, voided=ended, money_during_minor=money_minor)
    settled = replace(current.entries, settled=ended)
    return replace(current, ended_ms=at_ms, entries=settled, money_during_minor=money_minor)


def _open_answer(live: LiveRound, balance_minor: int) -> Answer:
    opened = live.opened
    stakes: list[Answer] = [{"box": stake.box, **stake.lines} for stake in stakes_of(opened)]
    return {
        "game": opened.game,
        "balance": balance_minor,
        "stakes": stakes,
        "result": decision_answer(live.game, live.decision, balance_minor, opened.jackpot_meter_minor, len(live.dealt)),
    }
