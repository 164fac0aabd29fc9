"""Golden transcripts: rounds of every blackjack table written out as a player would see them, to be read by people.

``python -m tests.games.blackjack.transcripts`` writes them anew after a change that is meant.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.games.contract import Settled, TableLayout
from tests.games.blackjack.table import Table
from tests.games.poker.transcripts import hand_text

FOLDER = Path(__file__).parents[2] / "golden" / "blackjack"

Script = tuple[str, dict[str, Any], list[str]]
"""Title, arguments of the table, actions as words."""

SCRIPTS: dict[str, list[Script]] = {
    "one_deck_blackjack": [
        ("a natural at a bet of 2.50", {"boxes": "As Kd", "dealer": "7h 9c", "bets": [250], "balance": 1000}, []),
        (
            "eights are split; one hand busts, the other wins",
            {"boxes": "8s 8d", "dealer": "6h Tc", "draws": "6c Ts Td Kc", "balance": 5000},
            ["split", "hit", "stand"],
        ),
        (
            "three boxes against an ace: insured, not insured, natural",
            {"boxes": ["Ts 9d", "5s 6d", "Ah Kd"], "dealer": "As 8c", "draws": "Th"},
            ["insurance", "no_insurance", "no_insurance", "stand", "double"],
        ),
        (
            "the dealer has the natural that was insured against",
            {"boxes": ["Ts 9d", "5s 6d", "Ah Kd"], "dealer": "As Qc"},
            ["insurance", "no_insurance", "no_insurance"],
        ),
        (
            "money for the bet alone: no double, no split, no insurance",
            {"boxes": "5s 5d", "dealer": "As 9c", "draws": "8h", "balance": 1400},
            ["no_insurance", "hit", "stand"],
        ),
    ],
    "six_decks_blackjack": [
        (
            "fives are split and doubled afterwards",
            {"boxes": ["5s 5d"], "dealer": "6h Tc", "draws": "6c Kc 9c Kh"},
            ["split", "double", "stand"],
        ),
        (
            "aces are split: one card each, twenty-one is no natural",
            {"boxes": ["As Ad"], "dealer": "6h Tc", "draws": "Kc Ah 5c"},
            ["split"],
        ),
        (
            "five boxes: soft hands, a double on soft 17, a tie",
            {
                "boxes": ["As 6d", "Ts 9d", "As 7d", "9s 7d", "Ks Kd"],
                "dealer": "5h Tc",
                "draws": "4h 2c Jh 4s",
            },
            ["double", "stand", "hit", "stand", "hit", "stand"],
        ),
    ],
    "european_blackjack": [
        (
            "a natural drawn after the players takes the double too",
            {"boxes": ["5s 6d", "Ts 9d", "As Kd"], "dealer": "Th", "draws": "Kc Ad"},
            ["double", "stand"],
        ),
        (
            "everybody is bust: the dealer draws no second card",
            {"boxes": ["Ts 6d", "9s 7d"], "dealer": "Th", "draws": "Kc Qc"},
            ["hit", "hit"],
        ),
        (
            "insured, then bust: only the second card is drawn",
            {"boxes": ["Ts 6d"], "dealer": "Ah", "draws": "Kc 6h"},
            ["insurance", "hit"],
        ),
    ],
    "open_blackjack": [
        (
            "a hidden natural found after play: 21 in three cards loses, the double goes back",
            {"boxes": ["7s 7d", "5s 6d"], "dealer": "Th Ac", "draws": "7c Kc"},
            ["hit", "double"],
        ),
        (
            "both dealer cards up: a tie loses, a natural pays even money",
            {"boxes": ["Ts 9d", "As Kd", "Ts 8d"], "dealer": "Th 9c", "draws": "3c", "exposed": True},
            ["stand", "hit"],
        ),
    ],
}


def layout_lines(layout: TableLayout) -> Iterator[str]:
    yield f"    dealer           {hand_text(layout.dealer)}"
    for box in layout.boxes:
        state = box.state if box.result is None else box.result
        for number, hand in enumerate(box.hands):
            place = f"box {box.box} {state}" if number == 0 else ""
            mark = ">" if hand.active else " "
            result = f"  {hand.result}" if hand.result else ""
            yield f"    {place:<16}{mark}{hand_text(hand)}{result}"
        money = ", ".join(
            f"{line.line} {line.staked_minor}" + ("" if line.paid_minor is None else f" -> {line.paid_minor}")
            for line in box.lines
        )
        yield f"                     {money}"


def round_lines(game: str, script: Script) -> Iterator[str]:
    title, arguments, actions = script
    table = Table(game, **arguments)
    yield f"== {title}"
    yield f"  deal: credit {table.balance} -> {table.credit}"
    yield from layout_lines(table.layout)
    for action in actions:
        choices = ", ".join(f"{choice.name} for {choice.cost_minor}" for choice in table.choices)
        yield f"  box {table.decision.box}, hand {table.decision.hand} may: {choices}"
        table.act(action)
        yield f"  {action}: credit {table.credit}"
        yield from layout_lines(table.layout)
    assert isinstance(table.node, Settled), f"{title}: not settled"
    outcome = table.outcome
    yield f"  staked {outcome.staked_minor}, paid {outcome.paid_minor}, credit {table.credit + outcome.paid_minor}"
    yield ""


def transcript(game: str) -> str:
    return "".join(f"{line.rstrip()}\n" for script in SCRIPTS[game] for line in round_lines(game, script))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in SCRIPTS:
        (FOLDER / f"{game}.txt").write_text(transcript(game))


if __name__ == "__main__":
    main()
