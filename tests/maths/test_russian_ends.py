"""What draws of Russian Poker end in: the same sum as their values, whatever the suits are called."""

import random

import numpy as np
import pytest

from firmware.cards.card import parse_card, parse_cards
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.registry import register
from firmware.maths.russian_hand import SIXTH
from firmware.maths.russian_options import RussianTerms, ends_of, values_of
from firmware.maths.russian_outcomes import outcomes_of


def terms() -> RussianTerms:
    profile = register("russian").profile
    assert isinstance(profile, DealerPokerProfile)
    return RussianTerms.of(profile)


@pytest.mark.parametrize("hand", ["As Kd 9h 5c 2c", "9s 9h 7d 6s 2h", "Qs Qh 5d 5c 2s", "Ts 9s 8s 7h 2d"])
@pytest.mark.parametrize("option", [0, 0b1, 0b10010, 0b10110, 0b1111, SIXTH])
def test_ends_add_up_to_certainty_and_to_the_value(hand: str, option: int) -> None:
    table, cards, upcard = terms(), np.array(parse_cards(hand.split())), parse_card("Jd")
    given = [] if option == SIXTH else [card for index, card in enumerate(cards) if option >> index & 1]
    ends = ends_of(table, [card for card in cards if card not in given], option, upcard, given)
    assert ends.sum() == pytest.approx(1, abs=1e-9)
    value = sum(
        outcomes_of(table, option, hand_class, pay)[end].net * ends[hand_class, pay, end]
        for hand_class, pay, end in np.argwhere(ends).tolist()
    )
    # A bet is counted as what is better of bet and fold, as after a draw.
    counted = values_of(table, cards, upcard)[option]
    assert value == pytest.approx(max(counted, -1.0) if option == 0 else counted, abs=1e-9)


def test_ends_do_not_depend_on_the_names_of_suits() -> None:
    table, generator = terms(), random.Random(3)
    for _ in range(4):
        names = generator.sample(range(4), 4)
        kept, upcard, dead = generator.sample(range(52), 3), 0, [1]
        kept = [card for card in kept if card > 1]

        def renamed(card: int, names: list[int] = names) -> int:
            return card & ~3 | names[card & 3]

        option = (1 << 5 - len(kept)) - 1
        here = ends_of(table, kept, option, upcard, dead)
        there = ends_of(table, [renamed(card) for card in kept], option, renamed(upcard), [renamed(dead[0])])
        assert np.allclose(here, there, atol=1e-12)


def test_a_discard_that_is_not_dead_may_come_back() -> None:
    """Three Aces kept: with the fourth one dead there is no four of a kind."""
    table, kept, upcard = terms(), parse_cards(["As", "Ah", "Ad"]), parse_card("8h")
    quads = 8
    with_it = ends_of(table, kept, 0b11, upcard, ())
    without = ends_of(table, kept, 0b11, upcard, [parse_card("Ac")])
    assert with_it[quads].sum() == pytest.approx(47 / (48 * 47 / 2))
    assert without[quads].sum() == 0
