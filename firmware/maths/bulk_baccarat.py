"""Baccarat for simulation by arrays: one bet on one line, millions of coups a second.

Who draws is asked of the tableau that plays, once for every case. Not responsible for cards (``bulk_cards``) or for
counting results (``bulk``).
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.cards.card import DECK
from firmware.cards.point_value import baccarat_points
from firmware.games.families.baccarat import Baccarat
from firmware.games.families.baccarat_tableau import banker_draws, player_draws
from firmware.maths.bulk_cards import Words, draw
from firmware.maths.compiled import Ints, compiled

MOST_CARDS: Final = 6
PLAYER, BANKER, TIE, BANKER_SIX = range(4)
_STOOD: Final = 10


class BaccaratTables(NamedTuple):
    """All that a coup needs. Money in minor units."""

    points: Ints
    """By card."""
    player_draws: Ints
    """Player's two cards x banker's two cards."""
    banker_draws: Ints
    """Player's two cards x banker's two cards x player's third card, 10 if he stood."""
    paid: Ints
    """What comes back when the player's hand wins, the banker's, when they tie, when the banker's wins with six."""
    stake: int


def baccarat_tables(game: Baccarat, line: str, stake_minor: int) -> BaccaratTables:
    """Return the tables of a game for one bet on a line."""
    pays = {(row.line, row.name): row.pays for row in game.paytable if row.pays is not None}

    def paid(winner: str) -> int:
        if winner == "tie" and line in ("player", "banker"):
            return stake_minor
        row = pays.get((line, winner))
        return 0 if row is None else stake_minor + stake_minor * row[0] // row[1]

    six = "banker_6" if ("banker", "banker_6") in pays else "banker"
    banker = [
        [
            [int(banker_draws(player, other, None if third == _STOOD else third)) for third in range(_STOOD + 1)]
            for other in range(10)
        ]
        for player in range(10)
    ]
    return BaccaratTables(
        points=np.array([baccarat_points(card) for card in DECK], np.int64),
        player_draws=np.array([[int(player_draws(p, b)) for b in range(10)] for p in range(10)], np.int64),
        banker_draws=np.array(banker, np.int64),
        paid=np.array([paid("player"), paid("banker"), paid("tie"), paid(six)], np.int64),
        stake=stake_minor,
    )


@compiled
def play_baccarat(cards: Ints, tables: BaccaratTables, out: Ints) -> None:
    """Play one coup on a shoe whose first cards are dealt; ``out`` gets staked and paid."""
    points = tables.points
    player = (points[cards[0]] + points[cards[2]]) % 10
    banker = (points[cards[1]] + points[cards[3]]) % 10
    first_player, first_banker, third, used = player, banker, 10, 4
    if tables.player_draws[first_player, first_banker]:
        third = points[cards[used]]
        player = (player + third) % 10
        used += 1
    if tables.banker_draws[first_player, first_banker, third]:
        banker = (banker + points[cards[used]]) % 10
    winner = TIE
    if player > banker:
        winner = PLAYER
    elif banker > player:
        winner = BANKER_SIX if banker == 6 else BANKER
    out[0], out[1] = tables.stake, tables.paid[winner]


@compiled
def simulate_baccarat(shoe: Ints, state: Words, rounds: int, tables: BaccaratTables, least: int, counts: Ints) -> int:
    """Play coups, each from a fresh shoe; ``counts`` gets how many ended with each net result from ``least`` on.

    Returns all that was staked.
    """
    out = np.zeros(2, np.int64)
    staked = 0
    for _ in range(rounds):
        draw(shoe, 0, MOST_CARDS, state)
        play_baccarat(shoe, tables, out)
        staked += out[0]
        counts[out[1] - out[0] - least] += 1
    return staked
