"""Simulation by arrays: whole blocks of rounds in compiled code, for the games that have it.

Not responsible for playing a round (``bulk_poker``, ``bulk_baccarat``, ``bulk_blackjack``) or for statistics.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from firmware.games.contract import Game
from firmware.games.families.baccarat import Baccarat
from firmware.games.families.blackjack import Blackjack
from firmware.games.families.dealer_poker.game import DealerPoker
from firmware.games.strategies import Strategy
from firmware.maths.bulk_baccarat import baccarat_tables, simulate_baccarat
from firmware.maths.bulk_blackjack import blackjack_tables, can_play, simulate_blackjack
from firmware.maths.bulk_cards import Words, seeded_words
from firmware.maths.bulk_poker import best_poker_tables, simulate_poker
from firmware.maths.compiled import Ints
from firmware.maths.optimal import NAME
from firmware.maths.progress import Progress

_DEALT: Final = 10
_MOST_REDRAWS: Final = 4
_MOST_STAKED: Final = 8
"""First stakes that one box of one round can take."""

Kernel = Callable[[Ints, Words, int, int, Ints], int]
"""(shoe, generator, rounds, least net result, counts by net result) -> all that was staked."""


class ArrayPlayer:
    """Plays one game by one strategy."""

    def __init__(self, kernel: Kernel, deck_count: int, stake_minor: int, most_minor: int) -> None:
        """``most_minor`` is the most that a round can pay back."""
        self._kernel = kernel
        self._deck_count = deck_count
        self._least = -_MOST_STAKED * stake_minor
        self._size = most_minor - self._least + 1

    def play(self, seed: int, rounds: int) -> tuple[int, dict[int, int]]:
        """Return all that was staked, and net result -> rounds, of so many rounds from a seed of their own."""
        shoe = np.tile(np.arange(52), self._deck_count)
        counts = np.zeros(self._size, np.int64)
        staked = self._kernel(shoe, seeded_words(seed), rounds, self._least, counts)
        found = np.flatnonzero(counts)
        return int(staked), {int(index) + self._least: int(counts[index]) for index in found}


def array_player(game: Game, strategy: Strategy, progress: Progress) -> ArrayPlayer | None:
    """Return who plays a game by arrays, None where nobody does."""
    stakes = strategy.stakes(game)
    (lines,) = (stake.lines for stake in stakes)
    ((line, stake_minor),) = lines.items()
    most_minor = game.most_paid_minor(stakes)
    if isinstance(game, Baccarat) and line in ("player", "banker", "tie"):
        coup = baccarat_tables(game, line, stake_minor)
        return ArrayPlayer(
            lambda shoe, words, rounds, least, counts: simulate_baccarat(shoe, words, rounds, coup, least, counts),
            game.spec.deck_count, stake_minor, most_minor,
        )  # fmt: skip
    if isinstance(game, DealerPoker) and strategy.name == NAME:
        tables = best_poker_tables(game, stake_minor, progress)
        profile = game.rules.profile
        most_cards = _DEALT + max((*profile.exchange_tariff, int(profile.sixth_card_price is not None)))
        if profile.dealer_game_price is not None:
            most_cards += _MOST_REDRAWS
        return ArrayPlayer(
            lambda shoe, words, rounds, least, counts: simulate_poker(
                shoe, words, rounds, most_cards, tables, least, counts
            ),
            1, stake_minor, most_minor,
        )  # fmt: skip
    if isinstance(game, Blackjack) and strategy.name == NAME and can_play(game.rules):
        table = blackjack_tables(game, stake_minor)
        cut_after = game.spec.cut_after_count if game.spec.shoe_carried else 0
        return ArrayPlayer(
            lambda shoe, words, rounds, least, counts: simulate_blackjack(
                shoe, words, rounds, cut_after, table, least, counts
            ),
            game.rules.deck_count, stake_minor, most_minor,
        )  # fmt: skip
    return None
