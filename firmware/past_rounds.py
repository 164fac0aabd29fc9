"""Past rounds out of the whole journal, sealed parts too: as many as are asked for, with the cards and rules of then.

Reads only what is asked for, so a journal of a million rounds gives any of them at once. What can't be read any more is
left out: the journal's own checks tell of the damage. Not responsible for drawing (``presenter``).
"""

import json
from dataclasses import replace
from typing import Final

from firmware.audit.rounds import UNKNOWN_SHOE, rounds_of
from firmware.entries.fairness import ShoePrepared
from firmware.entries.keeping import ProfileUsed, profile_key
from firmware.entries.types import Commissioned, RoundOpened
from firmware.errors import InvariantError, UserError
from firmware.games.registry import register
from firmware.ids import round_id
from firmware.journal.errors import JournalError
from firmware.journal.search import Search
from firmware.rounds.live import RoundEntries
from firmware.rounds.shoes import ShoeRecord
from firmware.terminal.state import GameOnOffer, Games

_OPENED: Final = f"{RoundOpened.KIND}/{RoundOpened.VERSION}"
_PREPARED: Final = f"{ShoePrepared.KIND}/{ShoePrepared.VERSION}"
_STEP: Final = 400
"""So many entries at a time are looked at for a shoe's first round, which follows its preparation closely."""
_ANSWERS_KEPT: Final = 8
_SHOES_KEPT: Final = 32


class PastRounds:
    """The past rounds of one journal. A page asks for the same ones several times a second, so answers are kept."""

    def __init__(self, search: Search | None, commissioned: Commissioned | None) -> None:
        """``search`` None: there is no journal, and so no rounds. ``commissioned`` tells its epoch."""
        self._search = search
        self._epoch = commissioned.epoch if commissioned is not None else 1
        self._answers: dict[tuple[int, int, int], tuple[RoundEntries, ...]] = {}
        self._shoes: dict[str, ShoeRecord] = {}
        self._offers: dict[tuple[str, str], GameOnOffer | None] = {}

    def up_to(self, number: int, count: int) -> tuple[RoundEntries, ...]:
        """Return the settled rounds among the last ``count`` up to a number, oldest first."""
        if self._search is None or number < 1 or count < 1:
            return ()
        key = (number, count, self._search.last_seq)
        if key not in self._answers:
            if len(self._answers) >= _ANSWERS_KEPT:
                self._answers.clear()
            try:
                self._answers[key] = self._read(self._search, number, count)
            except JournalError:
                self._answers[key] = ()
        return self._answers[key]

    def offer(self, opened: RoundOpened, games: Games) -> GameOnOffer | None:
        """Return the game by whose rules a round was played: one on offer now, or as the journal keeps its profile."""
        now = games.get(opened.game)
        if now is not None and now.digest == opened.profile:
            return now
        key = (opened.game, opened.profile)
        if key not in self._offers:
            self._offers[key] = self._as_played(*key)
        return self._offers[key]

    def _read(self, search: Search, number: int, count: int) -> tuple[RoundEntries, ...]:
        first_seq = self._opened_at(search, max(number - count + 1, 1))
        if first_seq is None:
            return ()
        next_seq = self._opened_at(search, number + 1)
        records = search.records(first_seq, search.last_seq if next_seq is None else next_seq - 1)
        settled = (reading.entries for reading in rounds_of(records) if reading.entries.settled is not None)
        found = [self._with_shoe(search, entries) for entries in settled if entries.opened.number <= number]
        return tuple(entries for entries in found if entries is not None)

    def _opened_at(self, search: Search, number: int) -> int | None:
        return search.seq_of(_OPENED, number, f"round:{round_id(self._epoch, number)}:open")

    def _with_shoe(self, search: Search, entries: RoundEntries) -> RoundEntries | None:
        opened = entries.opened
        if entries.shoe is UNKNOWN_SHOE:
            if opened.shoe_id not in self._shoes:
                shoe = self._first_of(search, opened)
                if shoe is None:
                    return None
                if len(self._shoes) >= _SHOES_KEPT:
                    self._shoes.clear()
                self._shoes[opened.shoe_id] = shoe
            entries = replace(entries, shoe=self._shoes[opened.shoe_id])
        return replace(entries, shoe=replace(entries.shoe, used_count=opened.first_card))

    def _first_of(self, search: Search, opened: RoundOpened) -> ShoeRecord | None:
        """Find the opening that holds the order of a shoe that goes on."""
        serial = opened.shoe_id.rpartition("-")[2]
        prepared_seq = search.seq_of(_PREPARED, int(serial), f"shoe:{opened.shoe_id}") if serial.isdigit() else None
        if prepared_seq is None:
            return None
        for seq in range(prepared_seq, search.last_seq + 1, _STEP):
            for record in search.records(seq, min(seq + _STEP - 1, search.last_seq)):
                entry = record.entry
                if isinstance(entry, RoundOpened):
                    if entry.shoe_id == opened.shoe_id and entry.shoe:
                        return ShoeRecord(entry.shoe_id, entry.shoe, entry.first_card)
                    if entry.number >= opened.number:
                        return None
        return None

    def _as_played(self, game: str, digest: str) -> GameOnOffer | None:
        try:
            record = self._search.record_of(profile_key(game, digest)) if self._search is not None else None
            if record is None or not isinstance(record.entry, ProfileUsed):
                return None
            made = register(game, json.loads(record.entry.options))
        except (JournalError, UserError, InvariantError, ValueError):
            return None
        return GameOnOffer(made.game, made.digest, made.profile.model_dump()) if made.digest == digest else None
