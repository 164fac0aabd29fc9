"""The simulation's shoe: whole decks, fair draws, repeatable."""

from collections import Counter

import pytest
from scipy.stats import chisquare

from firmware.cards.card import DECK
from firmware.games.registry import load_game
from firmware.games.strategies import strategies_for
from firmware.simulate.runner import play_round
from firmware.simulate.seeded_shoe import SeededShoe


def test_a_shoe_gives_every_card_as_often_as_it_has_decks() -> None:
    shoe = SeededShoe(6, seed=1)
    assert Counter(shoe.draw(312)) == dict.fromkeys(DECK, 6)
    with pytest.raises(ValueError, match="0 cards left, 1 are needed"):
        shoe.draw(1)
    shoe.shuffle()
    assert Counter(shoe.draw(312)) == dict.fromkeys(DECK, 6)


def test_equal_seeds_repeat_and_draws_may_come_in_any_portions() -> None:
    one, other = SeededShoe(1, seed=9), SeededShoe(1, seed=9)
    assert one.draw(20) == [card for _ in range(4) for card in other.draw(5)]
    assert SeededShoe(1, seed=10).draw(20) != SeededShoe(1, seed=9).draw(20)


@pytest.mark.parametrize("position", [0, 1, 51])
def test_every_card_is_as_likely_in_every_place(position: int) -> None:
    shoe = SeededShoe(1, seed=3)
    counts = [0] * 52
    for _ in range(5200):
        shoe.shuffle()
        counts[shoe.draw(position + 1)[-1]] += 1
    assert chisquare(counts).pvalue > 0.001


def test_a_carried_shoe_is_shuffled_at_the_cut_card_and_others_before_every_round() -> None:
    for game_id, carried in (("six_decks_blackjack", True), ("one_deck_blackjack", False)):
        game = load_game(game_id)
        strategy = strategies_for(game)["basic"]
        shoe = SeededShoe(game.spec.deck_count, seed=2)
        starts = []
        for _ in range(200):
            before = shoe.drawn_count
            play_round(game, strategy, strategy.stakes(game), shoe)
            starts.append(0 if shoe.drawn_count < before or before == 0 else before)
        if carried:
            assert 190 < max(starts) < game.spec.cut_after_count == 208
            assert starts.count(0) > 3
        else:
            assert shoe.drawn_count <= game.spec.most_cards_per_round
