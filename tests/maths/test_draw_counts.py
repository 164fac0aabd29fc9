"""The counts by inclusion and exclusion against the same hand counted deal by deal, and the bookkeeping of kept cards."""

from pathlib import Path

import numpy as np
import pytest

from firmware.cards.card import parse_card, parse_cards
from firmware.cards.poker_rank import class_of, rank_five
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.registry import register
from firmware.maths.checkpoint import Checkpoint
from firmware.maths.draw_choice import one_code, two_code
from firmware.maths.draw_passes import ONE_CARD_DEALS, TWO_CARD_DEALS, triple_counts, worth_of
from firmware.maths.kept_cards import patterns, set_place
from firmware.maths.poker_sheet import terms_of
from firmware.maths.russian_options import RussianTerms, values_of
from firmware.maths.sweep import Sweep, dead_counts


def profile_of(game_id: str) -> DealerPokerProfile:
    profile = register(game_id).profile
    assert isinstance(profile, DealerPokerProfile)
    return profile


def test_draws_counted_by_the_sweep_are_worth_what_they_are_deal_by_deal() -> None:
    hand, upcard = sorted(parse_cards("As Kd Qs Js 2h".split())), parse_card("5d")
    terms = terms_of(profile_of("oasis"))
    exact = values_of(RussianTerms.of(profile_of("oasis")), np.array(hand, np.int64), upcard)
    given = {1: [0], 2: [0, 3]}  # the deuce; the deuce and the king
    rest = [card for card in range(52) if card not in hand and card != upcard]
    finals = []
    for count, places in given.items():
        kept = [card for index, card in enumerate(hand) if index not in places]
        new_cards = [(a,) for a in rest] if count == 1 else [(a, b) for a in rest for b in rest if a < b]
        for new in new_cards:
            final = sorted([*kept, *new])
            finals.append((rank_five(final), count, final))
    sums = {1: 0, 2: 0}
    sweep = Sweep()
    found = np.zeros((52, 52), np.int64)
    for key, count, final in sorted(finals):
        sweep.move_to(key)
        cards = np.array(final, np.int64)
        dead_counts(cards, sweep.tables, found)
        dead = [hand[index] for index in given[count]]
        counts = found[upcard, upcard] - sum(found[upcard, card] for card in dead)
        if count == 2:
            pair_of, _, triples, quads, fives, codes, worth = sweep.tables
            counts += triple_counts(cards, upcard, dead[0], dead[1], pair_of, triples, quads, fives, codes, worth)
        deals = ONE_CARD_DEALS if count == 1 else TWO_CARD_DEALS
        pays = np.array(terms.results(class_of(key)), np.int64)
        sums[count] += max(-2 * deals, worth_of(int(counts), deals, pays))
    assert sums[1] / (2 * 46 * ONE_CARD_DEALS) - 1 == pytest.approx(exact[0b1], abs=1e-12)
    assert sums[2] / (2 * 1035 * TWO_CARD_DEALS) - 1.5 == pytest.approx(exact[0b1001], abs=1e-12)


def test_patterns_stand_for_all_sets_of_cards() -> None:
    for size, sets, count in ((1, 52, 13), (2, 1326, 169), (3, 22_100, 1755), (4, 270_725, 16_432)):
        found = patterns(size)
        assert (len(found.weights), int(found.weights.sum())) == (count, sets)
        assert sorted(found.number[found.number >= 0].tolist()) == list(range(count))


def test_renaming_suits_leads_to_the_same_cells() -> None:
    new_suits = str.maketrans("shdc", "cdsh")
    cards, upcard = "Qs Qh 9s 5d 2d".split(), "9h"
    names, codes = np.zeros((24, 4), np.int64), np.zeros(24, np.int64)
    for given in (1, 2):
        found = []
        for texts, up in (
            (cards, upcard),
            ([text.translate(new_suits) for text in cards], upcard.translate(new_suits)),
        ):
            hand = np.array(sorted(parse_cards(texts)), np.int64)
            place, other = (hand.tolist().index(parse_card(text)) for text in texts[1:3])
            first, second = min(place, other), max(place, other)
            if given == 1:
                ways = one_code(hand, place, parse_card(up), patterns(4).number, names, np.zeros(4, np.int64), codes)
            else:
                number, kept = patterns(3).number, np.zeros(3, np.int64)
                ways = two_code(hand, first, second, parse_card(up), number, names, kept, codes)
            found.append(set(codes[:ways].tolist()))
        assert found[0] == found[1]


def test_a_stage_that_cannot_be_read_is_no_stage(tmp_path: Path) -> None:
    kept = Checkpoint("something", tmp_path)
    assert kept.load("first") is None
    kept.save("first", numbers=np.arange(5))
    loaded = Checkpoint("something", tmp_path).load("first")
    assert loaded is not None
    assert loaded["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert Checkpoint("something else", tmp_path).load("first") is None
    (path,) = tmp_path.glob("*/first.npz")
    path.write_bytes(path.read_bytes()[:60])
    assert kept.load("first") is None
    kept.forget("first")
    assert not path.exists()


def test_a_set_has_its_own_place() -> None:
    places = {set_place(np.array([a, b], np.int64)) for a in range(52) for b in range(a)}
    assert places == set(range(1326))
