"""Baccarat with any cards and any bets: it ends, money is conserved, the two hands follow the tableau."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card
from firmware.games.contract import Chance, Game, Settled, Stake
from firmware.games.registry import load_game

GAMES = [load_game("baccarat", options) for options in ({}, {"commission": "none", "tie_pays": 9, "pair_bets": True})]
SHOES = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)


@given(
    shoe=SHOES,
    table=st.sampled_from(GAMES),
    units=st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(5, 500), min_size=1),
)
def test_every_coup_ends_and_pays_whole_amounts_within_the_declared_maximum(
    shoe: list[Card], table: Game, units: dict[str, int]
) -> None:
    stakes = [Stake(1, {line: 20 * count for line, count in units.items()})]
    node = table.deal(table.open(stakes, 10**6), shoe[:4])
    used = 4
    while isinstance(node, Chance):
        node = table.deal(node, shoe[used : used + node.card_count])
        used += 1
    assert isinstance(node, Settled)
    outcome = node.outcome
    assert outcome.staked_minor == table.cost_minor(stakes) == node.state.staked_minor
    assert 0 <= outcome.paid_minor <= table.most_paid_minor(stakes)
    assert used <= table.spec.most_cards_per_round
    assert len(outcome.boxes[0].hands[0].cards) + len(outcome.dealer_cards) == used
