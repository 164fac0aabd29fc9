"""Rounds from the journal: each can be replayed anywhere, and none tells a card that its player has not seen."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.audit.redaction import secret_shoes
from firmware.audit.report import entry_values
from firmware.audit.rounds import UNKNOWN_SHOE, RoundReading, RoundsOnCards, profiles_of, rounds_of
from firmware.audit.source import JournalSource
from firmware.errors import InvariantError
from firmware.games.record import play
from firmware.games.registry import RegisteredGame, game_ids, register
from firmware.memory import load_recorded
from firmware.terminal.state import GameOnOffer
from tests.audit.play import play_rounds, sit
from tests.support.cabinet import CabinetUnderTest


def read(cabinet: CabinetUnderTest) -> tuple[list[RoundReading], RoundsOnCards]:
    with JournalSource(cabinet.settings.storage.data_dir) as source:
        profiles, recorded = profiles_of(source.records()), load_recorded(source)
        return list(rounds_of(source.records())), RoundsOnCards(register, profiles, recorded)


@pytest.mark.parametrize("game", game_ids())
def test_every_round_ever_played_is_replayed_from_its_record_alone(cabinet: CabinetUnderTest, game: str) -> None:
    play_rounds(cabinet, game, 6)
    readings, on_cards = read(cabinet)
    assert len(readings) == 6
    for reading in readings:
        record = json.loads(json.dumps(on_cards.answer(reading)))
        settled = reading.entries.settled
        assert settled is not None
        assert (record["result"]["staked"], record["result"]["paid"]) == (settled.staked_minor, settled.paid_minor)
        assert len(record["cards"]) == settled.card_count
        assert play(record) == record["result"]
    balances = [on_cards.answer(reading)["result"] for reading in readings]
    assert balances[-1]["balance"] == cabinet.view.credit_minor  # type: ignore[index]


def test_money_before_and_during_a_round_is_told_apart(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.insert_coin(100)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.insert_note(1_000)
    cabinet.press("fold")
    ((reading,), on_cards) = read(cabinet)
    assert (reading.notes_before_minor, reading.coins_before_minor, reading.money_during_minor) == (2_000, 100, 1_000)
    record: dict[str, Any] = on_cards.answer(reading)
    assert record["balance"] == 3_100
    assert record["result"]["balance"] == cabinet.view.credit_minor


def test_round_of_a_profile_that_is_no_longer_there_carries_its_options(cabinet: CabinetUnderTest) -> None:
    changed = _some_other_profile()
    cabinet.cut_power()
    facts = changed.profile.model_dump()
    offer = GameOnOffer(changed.game, changed.digest, facts)
    cabinet._games = {**cabinet._games, "oasis": offer}
    cabinet.boot()
    play_rounds(cabinet, "oasis", 3)
    readings, on_cards = read(cabinet)
    for reading in readings:
        record: dict[str, Any] = on_cards.answer(reading)
        assert record["profile"] == changed.profile.options()
        assert play(json.loads(json.dumps(record))) == record["result"]


def _some_other_profile() -> RegisteredGame:
    """The bundled game with some limit of its own, whatever the options are called."""
    options = register("oasis").profile.options()
    for key, value in options.items():
        if type(value) is int and value >= 100:
            try:
                made = register("oasis", {key: value * 2})
            except Exception:
                continue
            if made.digest != register("oasis").digest:
                return made
    raise AssertionError("no option of oasis can be changed")


def test_round_by_rules_that_nobody_knows_is_named_and_not_guessed(cabinet: CabinetUnderTest) -> None:
    play_rounds(cabinet, "oasis", 1)
    ((reading,), _) = read(cabinet)
    recorded = cabinet.terminal.state.recorded
    stranger = replace(reading.entries, opened=replace(reading.entries.opened, profile="0" * 64))
    with pytest.raises(InvariantError, match="the journal does not tell"):
        RoundsOnCards(register, {}, recorded).answer(replace(reading, entries=stranger))
    foreign = replace(reading.entries, opened=replace(reading.entries.opened, game="craps"))
    with pytest.raises(InvariantError, match="craps is not one of this program's"):
        RoundsOnCards(register, {}, recorded).answer(replace(reading, entries=foreign))
    options = json.dumps(register("oasis").profile.options())
    with pytest.raises(InvariantError, match="other rules than this program's"):
        RoundsOnCards(register, {("oasis", "0" * 64): options}, recorded).answer(replace(reading, entries=stranger))


@pytest.mark.parametrize("game", ["oasis", "russian", "six_decks_blackjack", "open_blackjack"])
def test_open_round_tells_only_what_its_player_sees(cabinet: CabinetUnderTest, game: str) -> None:
    for _ in range(20):
        cabinet.insert_note(10_000)
        sit(cabinet, game)
        cabinet.press("bet")
        cabinet.press("deal")
        if cabinet.terminal.state.live is not None:
            break
    live = cabinet.terminal.state.live
    assert live is not None
    readings, on_cards = read(cabinet)
    answer = on_cards.answer(readings[-1])
    assert readings[-1].is_open
    assert "cards" not in answer
    seen = set(_cards_in(answer))
    shown = {card for box in live.opened.stakes for card in cabinet.cards(box.box)} | set(cabinet.dealer())
    assert seen == shown - {""}


def _cards_in(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [card for key, inner in value.items() if key != "stakes" for card in _cards_in(inner)]
    if isinstance(value, list):
        return [card for inner in value for card in _cards_in(inner)]
    return [value] if isinstance(value, str) and len(value) == 2 and value[1] in "shdc" else []


def test_round_whose_shoe_was_opened_before_says_so(cabinet: CabinetUnderTest) -> None:
    play_rounds(cabinet, "six_decks_blackjack", 3)
    readings, _ = read(cabinet)
    later = [reading for reading in readings if not reading.entries.opened.shoe]
    assert later
    with JournalSource(cabinet.settings.storage.data_dir) as source:
        cut = list(rounds_of(source.records(later[0].seq - 1)))
        on_cards = RoundsOnCards(register, {}, cabinet.terminal.state.recorded)
    assert cut[0].entries.shoe is UNKNOWN_SHOE
    with pytest.raises(InvariantError, match="is not among the records"):
        on_cards.answer(cut[0])


# --- secrets ------------------------------------------------------------------------------------------------------


def exported(data_dir: Path) -> list[dict[str, Any]]:
    with JournalSource(data_dir) as source:
        shoes = secret_shoes(load_recorded(source))
        return list(entry_values(source.records(), shoes, source.commissioned))


@pytest.mark.parametrize("game", game_ids())
def test_export_never_tells_a_card_that_may_still_be_dealt(
    new_cabinet: Callable[..., CabinetUnderTest], game: str
) -> None:
    cabinet = new_cabinet()
    play_rounds(cabinet, game, 3)
    for is_open in (False, True):
        if is_open:
            for _ in range(20):
                sit(cabinet, game)
                cabinet.press("bet")
                cabinet.press("deal")
                if cabinet.terminal.state.live is not None:
                    break
        _check_that_only_seen_cards_are_told(cabinet, game)


def _check_that_only_seen_cards_are_told(cabinet: CabinetUnderTest, game: str) -> None:
    recorded, entries = cabinet.terminal.state.recorded, exported(cabinet.settings.storage.data_dir)
    shoe = recorded.shoes[game]
    orders = [
        body[key]
        for kind, key in (("round_opened/1", "shoe"), ("shoe_prepared/1", "order"))
        for body in (each["body"] for each in entries if each["kind"] == kind)
        if body["shoe_id"] == shoe.shoe_id and body[key]
    ]
    is_finished = recorded.is_finished(game, shoe.shoe_id)
    used = recorded.round.opened.first_card if recorded.round is not None else shoe.used_count
    assert orders
    for told in orders:
        assert ("?" in told) == (not is_finished)
        assert len(told) == len(shoe.order)
    if not is_finished:
        assert all(set(told[2 * used :]) == {"?"} for told in orders)
    for prepared in recorded.prepared.values():
        text = json.dumps(entries)
        assert prepared.order not in text
        assert prepared.salt not in text
        assert prepared.commitment in text


def test_spent_shoe_is_told_whole_so_that_a_dispute_can_be_settled(cabinet: CabinetUnderTest) -> None:
    play_rounds(cabinet, "oasis", 2)
    opened = [entry for entry in exported(cabinet.settings.storage.data_dir) if entry["kind"] == "round_opened/1"]
    assert "?" not in opened[0]["body"]["shoe"]
    assert "redacted" not in opened[0]
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    opened = [entry for entry in exported(cabinet.settings.storage.data_dir) if entry["kind"] == "round_opened/1"]
    if cabinet.terminal.state.live is not None:
        assert opened[-1]["redacted"] == ["shoe"]


def test_every_exported_entry_has_its_name_in_the_venue(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    names = [entry["id"] for entry in exported(cabinet.settings.storage.data_dir)]
    assert names == [f"SIM-1/1/{seq}" for seq in range(1, len(names) + 1)]
