"""The words of the table: hand classes, actions, betting lines, results, games, as texts of the catalogues.

One row a word. Not responsible for translating them (``display.locale``) or for when they are shown.
"""

from typing import Final

from display.view_model import Text
from firmware.terminal import titles

HANDS: Final[dict[str, Text]] = {
    "royal_flush": Text("hand", "Royal flush"),
    "straight_flush": Text("hand", "Straight flush"),
    "four_of_a_kind": Text("hand", "Four of a kind"),
    "full_house": Text("hand", "Full house"),
    "flush": Text("hand", "Flush"),
    "straight": Text("hand", "Straight"),
    "three_of_a_kind": Text("hand", "Three of a kind"),
    "two_pairs": Text("hand", "Two pairs"),
    "pair": Text("hand", "Pair"),
    "ace_king": Text("hand", "Ace-King"),
    "no_hand": Text("hand", "No hand"),
    "blackjack": Text("hand", "Blackjack"),
    "natural_8": Text("hand", "Natural 8"),
    "natural_9": Text("hand", "Natural 9"),
}

ACTIONS: Final[dict[str, Text]] = {
    "start": Text("button", "Play"),
    "previous": Text("button", "Previous"),
    "next": Text("button", "Next"),
    "open": Text("button", "Sit down"),
    "lobby": Text("button", "Games"),
    "language": Text("button", "Language"),
    "help": Text("button", "Help"),
    "back": Text("button", "Back"),
    "proceed": Text("button", "Play on"),
    "select": Text("button", "Change"),
    "other_rules": Text("button", "Next game"),
    "topic:rules": Text("button", "Rules"),
    "topic:hands": Text("button", "Last hands"),
    "topic:settings": Text("button", "Settings"),
    "topic:session": Text("button", "Session"),
    "topic:fairness": Text("button", "Fair shuffle"),
    "cut_less": Text("button", "Cut −1"),
    "cut_more": Text("button", "Cut +1"),
    "cut_deep": Text("button", "Cut +10"),
    "no_cut": Text("button", "No cut"),
    "type_number": Text("fairness", "Your number"),
    "digit:erase": Text("fairness", "Erase"),
    "digit:done": Text("fairness", "Done"),
    "older": Text("button", "Earlier hand"),
    "newer": Text("button", "Later hand"),
    "step_back": Text("button", "Step back"),
    "step_on": Text("button", "Step forward"),
    "page_up": Text("button", "Up"),
    "page_down": Text("button", "Down"),
    "chip": Text("button", "Chip"),
    "spot": Text("button", "Next spot"),
    "bet": Text("button", "Bet"),
    "new_bets": Text("button", "New bets"),
    "undo": Text("button", "Undo"),
    "clear": Text("button", "Clear"),
    "rebet": Text("button", "Rebet"),
    "double_bets": Text("button", "Double"),
    "deal": Text("button", "Deal"),
    "cash_out": Text("button", "Cash out"),
    "fold": Text("button", "Fold"),
    "raise": Text("button", "Bet ×2"),
    "exchange": Text("button", "Exchange"),
    "buy_card": Text("button", "Sixth card"),
    "buy_dealer_card": Text("button", "Buy dealer's game"),
    "take_ante": Text("button", "Take the ante"),
    "hit": Text("button", "Hit"),
    "stand": Text("button", "Stand"),
    "double": Text("button", "Double down"),
    "split": Text("button", "Split"),
    "surrender": Text("button", "Surrender"),
    "insurance": Text("button", "Insurance"),
    "no_insurance": Text("button", "No insurance"),
    "no_surrender": Text("button", "Play on"),
}

RESULTS: Final[dict[str, Text]] = {
    "win": Text("result", "Win"),
    "lose": Text("result", "Lost"),
    "push": Text("result", "Push"),
    "fold": Text("result", "Folded"),
    "no_qualify": Text("result", "Ante pays"),
    "surrender": Text("result", "Surrendered"),
    "bust": Text("result", "Bust"),
    "blackjack": Text("result", "Blackjack"),
}

LINES: Final[dict[str, Text]] = {
    "ante": Text("line", "Ante"),
    "bet": Text("line", "Bet"),
    "exchange": Text("line", "Exchange"),
    "buy_card": Text("line", "Sixth card"),
    "buy_dealer_card": Text("line", "Dealer's game"),
    "double": Text("line", "Double down"),
    "split": Text("line", "Split"),
    "jackpot": Text("line", "Jackpot"),
    "player": Text("line", "Player"),
    "banker": Text("line", "Banker"),
    "tie": Text("line", "Tie"),
    "player_pair": Text("line", "Player pair"),
    "banker_pair": Text("line", "Banker pair"),
    "insurance": Text("line", "Insurance"),
}

PAY_LABELS: Final[dict[tuple[str, str], Text]] = {
    ("ante", "win"): Text("pays", "Ante"),
    ("ante", "no_qualify"): Text("pays", "Ante, dealer without a hand"),
    ("bet", "win"): Text("pays", "Win"),
    ("insurance", "dealer_blackjack"): Text("pays", "Insurance"),
    ("player", "player"): Text("pays", "Player wins"),
    ("banker", "banker"): Text("pays", "Banker wins"),
    ("banker", "banker_6"): Text("pays", "Banker wins with 6"),
    ("tie", "tie"): Text("pays", "Tie"),
    ("player_pair", "pair"): Text("pays", "Player pair"),
    ("banker_pair", "pair"): Text("pays", "Banker pair"),
}
"""Rows of a paytable that are no hand class, by line and name."""

GAMES: Final = titles.GAMES
UNNAMED_GAME: Final = titles.UNNAMED_GAME

BLURBS: Final[dict[str, Text]] = {
    "oasis": Text("game blurb", "Exchange one or two cards, beat the dealer"),
    "oasis_jackpot": Text("game blurb", "Oasis with a jackpot on every hand"),
    "russian": Text("game blurb", "Sixth card, exchanges, two combinations paid"),
    "caribbean": Text("game blurb", "Five cards against the dealer"),
    "baccarat": Text("game blurb", "Player, banker or tie: nearest to nine"),
    "open_blackjack": Text("game blurb", "Six decks, no peek"),
    "open_blackjack_exposed": Text("game blurb", "Both dealer cards face up"),
    "one_deck_blackjack": Text("game blurb", "A single deck, shuffled every round"),
    "six_decks_blackjack": Text("game blurb", "Six decks, double any two, split"),
    "european_blackjack": Text("game blurb", "The dealer's second card comes last"),
}


def hand_text(name: str) -> Text | None:
    """Return the words for a hand's class, None for a bare total such as ``17``."""
    return HANDS.get(name)


def total_text(name: str) -> str:
    """Return a blackjack or baccarat total as it is written: ``soft_18`` is ``8/18``, ``natural_9`` and ``9`` are ``9``."""
    name = name.removeprefix("natural_")
    soft = name.removeprefix("soft_")
    if soft != name and soft.isdigit():
        return f"{int(soft) - 10}/{soft}"
    return name if name.isdigit() else ""
