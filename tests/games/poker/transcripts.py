"""Golden transcripts: rounds of every poker table written out as a player would see them, to be read by people.

``python -m tests.games.poker.transcripts`` writes them anew after a change that is meant.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.cards.card import card_text
from firmware.games.contract import HandLayout, Settled, TableLayout
from tests.games.poker.table import Table

FOLDER = Path(__file__).parents[2] / "golden" / "poker"
QUALIFIED = "Ad Kd 4h 3c 2d"
NOT_QUALIFIED = "Qd Th 4h 3c 2d"

Script = tuple[str, dict[str, Any], list[str]]
"""Title, arguments of the table, actions as words: ``exchange Qs 9d``."""

THREE_BOXES: Script = (
    "three boxes, the third bought blind",
    {
        "boxes": ["As Kh 9d 6c 5s", "Js 9h 7d 6d 2s", "8s 8h 8d Tc 2h"],
        "dealer": "4d 4h Kc Qs 9s",
        "seats": [2, 4, 6],
        "antes": [1_000, 500, 2_000],
    },
    ["raise", "fold"],
)

SCRIPTS: dict[str, list[Script]] = {
    "caribbean": [
        ("a full house wins", {"boxes": ["6s 6h 6d Ks Kc"], "dealer": QUALIFIED}, ["raise"]),
        ("the dealer does not qualify", {"boxes": ["Js 9h 7d 6c 5s"], "dealer": NOT_QUALIFIED}, ["raise"]),
        ("equal hands", {"boxes": ["8s 8h Kd 4c 2s"], "dealer": "8d 8c Kh 4s 2h"}, ["raise"]),
        THREE_BOXES,
    ],
    "oasis": [
        (
            "one card changed for a straight",
            {"boxes": ["Qs 9h 8d 7c 6s"], "dealer": QUALIFIED, "draws": "Td"},
            ["exchange Qs", "raise"],
        ),
        (
            "two cards changed in vain",
            {"boxes": ["9s 9h Kd 7c 2s"], "dealer": "Th Td Kc 4h 3d", "draws": "Js 5d"},
            ["exchange 7c 2s", "raise"],
        ),
        (
            "money for one change only, then for a fold",
            {
                "boxes": ["Qs 9h 8d 7c 6s", "8s 8h Kd 4c 2s"],
                "dealer": QUALIFIED.replace("Kd", "Kc"),
                "draws": "2h",
                "balance": 5_400,
            },
            ["exchange Qs", "raise", "fold"],
        ),
        THREE_BOXES,
    ],
    "oasis_jackpot": [
        (
            "a flush is given up after the deal and pays its side bet",
            {"boxes": ["Js 9s 7s 5s 3s"], "dealer": QUALIFIED, "draws": "Jh", "jackpots": [100], "meter": 5_000_000},
            ["exchange 9s", "fold"],
        ),
        (
            "straight flush and royal flush share one meter",
            {
                "boxes": ["9s 8s 7s 6s 5s", "Ah Kh Qh Jh Th"],
                "dealer": "Ad Kd 4h 3c 2d",
                "jackpots": [100, 100],
                "meter": 5_000_000,
                "seats": [3, 4],
            },
            ["raise", "raise"],
        ),
        (
            "equal straights: hearts before clubs",
            {"boxes": ["9h 8h 7d 6c 5s"], "dealer": "9c 8d 7h 6s 5d", "meter": 5_000_000},
            ["raise"],
        ),
    ],
    "russian": [
        (
            "a sixth card makes quads and a full house",
            {"boxes": ["Qs Qh Qd Qc 8s"], "dealer": "Kd Kh 4h 3c 2d", "draws": "8h"},
            ["buy_card", "raise"],
        ),
        (
            "five cards changed, then surrender",
            {"boxes": ["Js 9h 7d 6c 3s"], "dealer": QUALIFIED.replace("3c", "5c"), "draws": "Ts 8h 4s 3d 2c"},
            ["exchange Js 9h 7d 6c 3s", "fold"],
        ),
        (
            "the dealer's game is bought and won",
            {"boxes": ["9s 9h 9d As Kc"], "dealer": NOT_QUALIFIED, "draws": "Td"},
            ["raise", "buy_dealer_card"],
        ),
        (
            "one box takes its ante, one buys and fails, the blind one has no choice",
            {
                "boxes": ["9s 9h 7d 6c 5s", "8s 8h 8d 6h 5h", "Js Jh 7s 6s 2h"],
                "dealer": NOT_QUALIFIED,
                "draws": "Kc",
            },
            ["raise", "raise", "take_ante", "buy_dealer_card"],
        ),
    ],
}


def hand_text(hand: HandLayout) -> str:
    cards = " ".join(
        ("??" if slot.card is None else card_text(slot.card)) + {"up": "^", "dead": "x", "": ""}[slot.mark]
        for slot in hand.slots
    )
    names = " + ".join(name for name in (hand.name, hand.second_name) if name)
    best = " ".join(str(index + 1) for index in hand.best)
    return cards + (f"  {names}" if names else "") + (f"  (cards {best})" if best else "")


def layout_lines(layout: TableLayout) -> Iterator[str]:
    qualifies = {None: "", True: "  qualifies", False: "  does not qualify"}[layout.dealer_qualifies]
    yield f"    dealer           {hand_text(layout.dealer)}{qualifies}"
    for box in layout.boxes:
        money = ", ".join(
            f"{line.line} {line.staked_minor}" + ("" if line.paid_minor is None else f" -> {line.paid_minor}")
            for line in box.lines
        )
        state = box.state if box.result is None else box.result
        yield f"    box {box.box} {state:<11}{hand_text(box.hands[0])}"
        yield f"                     {money}"


def round_lines(game: str, script: Script) -> Iterator[str]:
    title, arguments, actions = script
    table = Table(game, **arguments)
    yield f"== {title}"
    yield f"  deal: credit {table.balance_before} -> {table.balance}"
    yield from layout_lines(table.layout)
    for action in actions:
        choices = [
            choice.name + (f" {choice.card_count}" if choice.card_count else "") + f" for {choice.cost_minor}"
            for choice in table.choices
        ]
        yield f"  box {table.decision.box} may: {', '.join(choices)}"
        name, *cards = action.split()
        table.act(name, " ".join(cards))
        yield f"  {action}: credit {table.balance}"
        yield from layout_lines(table.layout)
    assert isinstance(table.node, Settled), f"{title}: not settled"
    outcome = table.outcome
    yield f"  staked {outcome.staked_minor}, paid {outcome.paid_minor}, credit {table.balance + outcome.paid_minor}"
    if outcome.jackpot_meter_minor is not None:
        yield f"  jackpot won {outcome.jackpot_won_minor}, meter {outcome.jackpot_meter_minor}"
    yield ""


def transcript(game: str) -> str:
    return "".join(f"{line.rstrip()}\n" for script in SCRIPTS[game] for line in round_lines(game, script))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in SCRIPTS:
        (FOLDER / f"{game}.txt").write_text(transcript(game))


if __name__ == "__main__":
    main()
