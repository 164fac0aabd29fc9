"""Golden transcripts of baccarat, to be read by people.

``python -m tests.games.baccarat.transcripts`` writes them anew after a change that is meant.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.cards.card import parse_cards
from firmware.games.contract import Chance, Settled, Stake, TableLayout
from firmware.games.registry import load_game
from tests.games.poker.transcripts import hand_text

FOLDER = Path(__file__).parents[2] / "golden" / "baccarat"

SCRIPTS: list[tuple[str, str, dict[str, int], dict[str, Any]]] = [
    ("a natural ends the coup; a bet on each line", "9s 2h Kd 5h", {"player": 1000, "banker": 1000, "tie": 1000}, {}),
    ("the player draws a ten, a third card of no points; banker 4 stands", "2s 4h 3d Kh Tc", {"banker": 1020}, {}),
    ("the player stands, so banker 5 draws", "2s 3h 4d 2d 4s", {"player": 1000, "banker": 120}, {}),
    ("banker 3 stands against a drawn eight only; a tie pushes", "2s 3h 3d Kh 8c", {"player": 500, "tie": 100}, {}),
    ("no commission: Banker with six pays half", "5s 2h Kd 4h 9c", {"banker": 1000}, {"commission": "none"}),
    (
        "pairs count in the first two cards",
        "4s 2h 4d 5h",
        {"player": 100, "player_pair": 100, "banker_pair": 100},
        {"pair_bets": True},
    ),
]


def layout_lines(layout: TableLayout) -> Iterator[str]:
    for name, hand in (("player", layout.player), ("banker", layout.dealer)):
        assert hand is not None
        result = f"  {hand.result}" if hand.result else ""
        yield f"    {name:<8} {hand_text(hand)}{result}"
    for line in layout.boxes[0].lines:
        paid = "" if line.paid_minor is None else f" -> {line.paid_minor}"
        yield f"    bet on {line.line} {line.staked_minor}{paid}"


def transcript() -> str:
    lines: list[str] = []
    for title, cards, bets, options in SCRIPTS:
        game = load_game("baccarat", options)
        shoe = list(parse_cards(cards.split()))
        node = game.deal(opened := game.open([Stake(1, bets)], 10_000), shoe[: opened.card_count])
        del shoe[:4]
        lines += [f"== {title}", "  deal", *layout_lines(game.layout(node))]
        while isinstance(node, Chance):
            node = game.deal(node, [shoe.pop(0)])
            lines += ["  third card", *layout_lines(game.layout(node))]
        assert isinstance(node, Settled)
        assert not shoe
        lines += [f"  staked {node.outcome.staked_minor}, paid {node.outcome.paid_minor}", ""]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "baccarat.txt").write_text(transcript())


if __name__ == "__main__":
    main()
