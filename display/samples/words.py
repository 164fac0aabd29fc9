"""Words of the games as catalogue texts, for sample views. The firmware's presenter has its own, with the same messages."""

from typing import Final

from display.view_model import Text

GAMES: Final = {
    "oasis": Text("game", "Oasis Poker"),
    "oasis_jackpot": Text("game", "Oasis Jackpot"),
    "russian": Text("game", "Russian Poker"),
    "caribbean": Text("game", "Caribbean Poker"),
    "baccarat": Text("game", "Baccarat"),
    "open_blackjack": Text("game", "Open Blackjack"),
    "one_deck_blackjack": Text("game", "One Deck Blackjack"),
    "six_decks_blackjack": Text("game", "Six Decks Blackjack"),
    "european_blackjack": Text("game", "European Blackjack"),
}

BLURBS: Final = {
    "oasis": Text("game blurb", "Exchange one or two cards, beat the dealer"),
    "oasis_jackpot": Text("game blurb", "Oasis with a jackpot on every hand"),
    "russian": Text("game blurb", "Sixth card, exchanges, two combinations paid"),
    "caribbean": Text("game blurb", "Five cards against the dealer"),
    "baccarat": Text("game blurb", "Player, banker or tie: nearest to nine"),
    "open_blackjack": Text("game blurb", "Six decks, no peek"),
    "one_deck_blackjack": Text("game blurb", "A single deck, shuffled every round"),
    "six_decks_blackjack": Text("game blurb", "Six decks, double any two, split"),
    "european_blackjack": Text("game blurb", "The dealer's second card comes last"),
}

HANDS: Final = {
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
    "player": Text("hand", "Player"),
    "banker": Text("hand", "Banker"),
    "banker_6": Text("hand", "Banker wins with 6"),
    "tie": Text("hand", "Tie"),
    "win": Text("hand", "Win"),
    "no_qualify": Text("hand", "Dealer does not qualify"),
    "dealer_blackjack": Text("hand", "Dealer's blackjack"),
}

RESULTS: Final = {
    "win": Text("result", "Win"),
    "lose": Text("result", "Lost"),
    "push": Text("result", "Push"),
    "fold": Text("result", "Folded"),
    "no_qualify": Text("result", "Ante pays"),
    "surrender": Text("result", "Surrendered"),
    "bust": Text("result", "Bust"),
    "blackjack": Text("result", "Blackjack"),
}

LINES: Final = {
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

ACTIONS: Final = {
    "start": Text("button", "Play"),
    "previous": Text("button", "Previous"),
    "next": Text("button", "Next"),
    "open": Text("button", "Sit down"),
    "lobby": Text("button", "Games"),
    "language": Text("button", "Language"),
    "help": Text("button", "Help"),
    "back": Text("button", "Back"),
    "page_up": Text("button", "Up"),
    "page_down": Text("button", "Down"),
    "chip": Text("button", "Chip"),
    "spot": Text("button", "Next spot"),
    "bet": Text("button", "Bet"),
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
}


def two_combinations(first: str, second: str) -> Text:
    """Return the caption of a Russian poker hand with two paying combinations."""
    return Text("hand", "{first} + {second}", (("first", HANDS[first]), ("second", HANDS[second])))
