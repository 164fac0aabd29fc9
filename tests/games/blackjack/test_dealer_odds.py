"""The dealer's outcomes before any peek, by exact composition, against the published table to all its digits."""

import pytest

from firmware.games.families.blackjack_hand import better_value, dealer_draws

# upcard: 17 18 19 20 21 natural bust, in millionths
ONE_DECK = """
2 138976 131762 131815 123948 120526 0 352973
3 130313 130946 123761 123345 116047 0 375588
4 130973 114163 120679 116286 115096 0 402803
5 119687 123483 116909 104694 106321 0 428905
6 166948 106454 107192 100705 097878 0 420823
7 372345 138583 077334 078897 072987 0 259854
8 130857 362989 129445 068290 069791 0 238627
9 121886 103921 357391 122250 061109 0 233442
10 114418 112879 114662 328879 036466 078431 214264
1 126128 131003 129486 131553 051565 313725 116540
"""
SIX_DECKS = """
2 139656 134389 130020 124019 118413 0 353504
3 134296 130539 125226 120817 114928 0 374194
4 130556 124062 121272 116441 111866 0 395805
5 121843 122437 117575 111793 107945 0 418406
6 165707 106194 106431 101551 097276 0 422842
7 369208 137931 078428 078682 073816 0 261936
8 128940 359955 128723 069219 069470 0 243693
9 120310 117348 351854 120368 060877 0 229242
10 111914 111669 111945 340014 034817 077170 212471
1 130017 130822 130594 130910 053504 308682 115473
"""
ROWS = [
    (decks, *map(int, row.split()))
    for decks, table in ((1, ONE_DECK), (6, SIX_DECKS))
    for row in table.strip().splitlines()
]


def dealer_odds(deck_count: int, upcard: int) -> list[float]:
    """Odds of 17, 18, 19, 20, 21, natural and bust for a dealer who shows this card and stands on soft 17."""
    counts = [0] + [4 * deck_count] * 9 + [16 * deck_count]
    counts[upcard] -= 1
    odds = [0.0] * 7
    walk(counts, sum(counts), upcard, upcard == 1, 1, 1.0, odds)
    return odds


def walk(counts: list[int], size: int, hard: int, ace: bool, cards: int, chance: float, odds: list[float]) -> None:
    total, soft = better_value(hard, ace)
    if cards == 2 and total == 21:
        odds[5] += chance
        return
    if cards >= 2 and not dealer_draws(total, soft, False):
        odds[6 if total > 21 else total - 17] += chance
        return
    for points in range(1, 11):
        if counts[points]:
            share = chance * counts[points] / size
            counts[points] -= 1
            walk(counts, size - 1, hard + points, ace or points == 1, cards + 1, share, odds)
            counts[points] += 1


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}_decks_{row[1]}_up" for row in ROWS])
def test_dealer_outcomes_are_the_published_ones(row: tuple[int, ...]) -> None:
    decks, upcard, *published = row
    assert [round(1_000_000 * share) for share in dealer_odds(decks, upcard)] == published
