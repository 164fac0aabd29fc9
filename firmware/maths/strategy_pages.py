"""Best play for people to read, as Markdown made from the computed tables: a chart for blackjack, rules for poker.

Not responsible for finding best play. Where a chart by totals simplifies, the page lists the exceptions.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from firmware.cards.card import RANKS, Card, card_text
from firmware.cards.poker_rank import HandClass, class_of
from firmware.games.families.baccarat_options import BaccaratProfile
from firmware.games.families.blackjack_hand import better_value
from firmware.games.families.blackjack_options import BlackjackProfile, rules_of
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.registry import RegisteredGame
from firmware.maths.baccarat_sheet import bet_sheets
from firmware.maths.blackjack_best import is_natural, pairs
from firmware.maths.blackjack_exact import Case, Play, best_play
from firmware.maths.compiled import Array
from firmware.maths.draw_choice import BET, FOLD, ONE, TWO
from firmware.maths.draw_poker import Solution
from firmware.maths.hand_codes import hand_list
from firmware.maths.optimal import choice_table
from firmware.maths.poker_sheet import solution, terms_of
from firmware.maths.progress import Progress
from firmware.maths.russian_best import is_russian
from firmware.maths.russian_hand import SIXTH

_LETTERS: Final = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
_POINT_NAMES: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_UPCARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


def strategy_page(registered: RegisteredGame, progress: Progress) -> str:
    """Return the page of a game."""
    profile = registered.profile
    head = [
        f"# Best play: {registered.game.id}",
        "",
        f"Made by `croupier par {registered.game.id} --write` for rules {registered.family.rules_version}, profile "
        f"`{registered.digest[:16]}`. Do not edit.",
        "",
    ]
    if isinstance(profile, BlackjackProfile):
        body = _blackjack(best_play(rules_of(profile)))
    elif isinstance(profile, BaccaratProfile):
        body = _baccarat(profile)
    elif isinstance(profile, DealerPokerProfile) and not is_russian(profile):
        body = _poker(profile, solution(terms_of(profile), progress, reuse=True))
    else:
        body = _russian(registered, progress)
    return "\n".join([*head, *body]) + "\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    first = list(head)
    return [f"| {' | '.join(row)} |" for row in (first, ["---"] * len(first), *rows)]


# --- Baccarat


def _baccarat(profile: BaccaratProfile) -> list[str]:
    rows = [
        (name, f"{float(100 * sheet.house_edge):.4f} %", f"{sheet.standard_deviation:.4f}")
        for name, sheet in sorted(bet_sheets(profile).items(), key=lambda item: item[1].house_edge)
    ]
    return ["There is nothing to decide but the bet.", "", *_table(("bet", "house edge", "standard deviation"), rows)]


# --- Blackjack


def _blackjack(play: Play) -> list[str]:
    if play.rules.exposed:
        return ["Both dealer cards are open; ask `croupier par` for the figures, or the coach for a hand."]
    cases = {(case.known[0], case.pair): case for case in play.cases}
    lines = [
        "S stand, H hit, D double, P split, R surrender. Rows: the first two cards; columns: the dealer's open card. Never "
        "insure." if not any(case.insured for case in play.cases) else "S stand, H hit, D double, P split, R surrender.",
        "",
    ]  # fmt: skip
    exceptions: list[str] = []
    for title, groups in _chart_rows().items():
        rows = []
        for name, members in groups.items():
            cells = []
            for upcard in _UPCARDS:
                action = _chart_action(play, [cases[upcard, pair] for pair in members if (upcard, pair) in cases])
                cells.append(_LETTERS[action])
                for pair in members:
                    case = cases.get((upcard, pair))
                    if case is not None and case.action != action:
                        cards = "-".join(_POINT_NAMES[one] for one in pair)
                        exceptions.append(f"{cards} against {_POINT_NAMES[upcard]}: {case.action}")
            rows.append((name, *cells))
        lines += [f"## {title}", "", *_table((title, *(_POINT_NAMES[one] for one in _UPCARDS)), rows), ""]
    lines += ["## Two-card hands that are better played otherwise", ""]
    lines += [f"- {text}" for text in exceptions] or ["None."]
    return lines


def _chart_rows() -> dict[str, dict[str, list[tuple[int, int]]]]:
    """Return the chart's parts: title -> row -> pairs of points."""
    found: dict[str, dict[str, list[tuple[int, int]]]] = {"Hard": {}, "Soft": {}, "Pair": {}}
    for pair in pairs():
        if is_natural(pair):
            continue
        total, soft = better_value(sum(pair), 1 in pair)
        if pair[0] == pair[1]:
            found["Pair"].setdefault(f"{_POINT_NAMES[pair[0]]}-{_POINT_NAMES[pair[1]]}", []).append(pair)
        else:
            found["Soft" if soft else "Hard"].setdefault(str(total), []).append(pair)
    for title in ("Hard", "Soft"):
        found[title] = dict(sorted(found[title].items(), key=lambda item: int(item[0])))
    return found


def _chart_action(play: Play, cases: list[Case]) -> str:
    """Return the action with the best mean over the hands of a row, each weighed by how often it is dealt."""
    sums: dict[str, float] = {}
    for case in cases:
        table = play.tables[case.known]
        first, second = case.pair
        weight = float(table.shoe[first] * (table.shoe[second] - (first == second))) * (1 if first == second else 2)
        for name, value in table.first_options(case.pair).items():
            sums[name] = sums.get(name, 0.0) + weight * value
    return max(sums, key=sums.__getitem__)


# --- Poker


def _possible() -> Array:
    found: Array = ~(hand_list().cards[:, :, None] == np.arange(52)).any(axis=1)
    return found


def _shown(row: int) -> str:
    return "".join(card_text(Card(int(card)))[0] for card in hand_list().cards[row][::-1])


def draw_kinds() -> list[str]:
    """Return, for every hand of the list, what it is or what it could become with one card."""
    found = []
    for cards, key in zip(hand_list().cards, hand_list().keys, strict=True):
        hand_class = class_of(int(key))
        if hand_class > HandClass.PAIR:
            found.append(hand_class.label)
            continue
        suits = np.bincount(cards & 3, minlength=4).max()
        ranks = {int(card) >> 2 for card in cards}
        ranks |= {-1} if 12 in ranks else set()
        outs = sum(1 for low in range(-1, 9) if len(ranks & set(range(low, low + 5))) == 4)
        draw = " with four to a flush" if suits == 4 else ""
        draw += " with four to a straight, two ways" if outs >= 2 else " with four to a straight" if outs else ""
        found.append(hand_class.label + draw)
    return found


def _share_rows(masks: dict[str, Array]) -> list[list[str]]:
    """Return rows: kind of hand, share of all hands, and how often each action is best."""
    kinds = np.array(draw_kinds())
    weights = hand_list().weights[:, None] * _possible()
    total = float(weights.sum())
    rows = []
    for kind in sorted(set(kinds.tolist()), key=lambda name: -float(weights[kinds == name].sum())):
        chosen = weights[kinds == kind]
        whole = float(chosen.sum())
        shares = [100 * float((chosen * mask[kinds == kind]).sum()) / whole for mask in masks.values()]
        rows.append([kind, f"{100 * whole / total:.3f} %", *(f"{share:.2f} %" if share else "-" for share in shares)])
    return rows


def _poker(profile: DealerPokerProfile, found: Solution) -> list[str]:
    chosen = found.choices
    masks = {"fold": chosen == FOLD, "bet": chosen == BET}
    if profile.exchange_tariff:
        masks |= {"exchange 1": (chosen >= ONE) & (chosen < TWO), "exchange 2": chosen >= TWO}
    lines = ["## What is best, by hand", "", *_table(("hand", "of all", *masks), _share_rows(masks)), ""]
    lines += ["## Betting, by the dealer's open card", ""]
    possible, weights = _possible(), hand_list().weights[:, None]
    rows = []
    for rank in reversed(range(13)):
        upcards = np.arange(52) >> 2 == rank
        here = possible & upcards
        bets = (here & (chosen == BET)).any(axis=1)
        others = (here & (chosen != BET)).any(axis=1)
        lowest = int(np.flatnonzero(bets)[0])
        always = int(np.flatnonzero(others)[-1]) + 1
        share = 100 * float((weights * (here & (chosen == BET))).sum() / (weights * here).sum())
        always_text = (
            f"{_shown(always)} ({class_of(int(hand_list().keys[always])).label})" if always < len(bets) else "none"
        )
        rows.append((RANKS[rank], f"{share:.2f} %", _shown(lowest), always_text))
    lines += _table(("open card", "bets", "lowest hand ever bet", "every hand is bet from"), rows)
    if not profile.exchange_tariff:
        lines += ["", *_caribbean_rules(found)]
    return lines


def _caribbean_rules(found: Solution) -> list[str]:
    """State the known three rules for Ace-King, and how often they are right."""
    hands = hand_list()
    rows = np.flatnonzero(np.array([class_of(int(key)) is HandClass.ACE_KING for key in hands.keys]))
    right = total = 0
    for row in rows:
        ranks = sorted((int(card) >> 2 for card in hands.cards[row]), reverse=True)
        for upcard in range(52):
            if upcard in hands.cards[row]:
                continue
            rank = upcard >> 2
            bet = (rank <= 10 and rank in ranks) or (rank >= 11 and (10 in ranks or 9 in ranks))
            bet = bet or (rank not in ranks and 10 in ranks and rank < ranks[3])
            total += int(hands.weights[row])
            right += int(hands.weights[row]) * (bet == (found.choices[row, upcard] == BET))
    return [
        "## Rules to remember",
        "",
        "Bet every pair and better, fold everything below Ace-King. With Ace-King bet if",
        "",
        "1. the dealer's card is a queen or lower and matches one of yours, or",
        "2. the dealer's card is an ace or a king and you hold a queen or a jack, or",
        "3. the dealer's card matches none of yours, you hold a queen, and it is lower than your fourth card.",
        "",
        f"These rules are right for {100 * right / total:.3f} % of the deals with Ace-King.",
    ]


def _russian(registered: RegisteredGame, progress: Progress) -> list[str]:
    if not isinstance(registered.profile, DealerPokerProfile):
        raise TypeError(f"no page for {registered.game.id}")
    chosen = choice_table(registered.profile, progress)
    counts = np.array([int(mask).bit_count() for mask in range(SIXTH)])
    drawn = np.where((chosen > 0) & (chosen < SIXTH), counts[np.clip(chosen, 0, SIXTH - 1)], 0)
    masks = {"surrender": chosen < 0, "bet": chosen == 0, "sixth card": chosen == SIXTH}
    masks |= {f"exchange {count}": drawn == count for count in range(1, 6)}
    return [
        "By the nearly exact table (see the sheet for what is not exact).",
        "",
        "## What is best, by hand",
        "",
        *_table(("hand", "of all", *masks), _share_rows(masks)),
        "",
        "Buy the dealer's game only with a hand that pays at least 4 to 1.",
    ]
