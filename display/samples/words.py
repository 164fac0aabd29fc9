"""Words of the games as catalogue texts, for sample views. The firmware's presenter has its own, with the same messages."""

from typing import Final

from display.view_model import Text

GAMES: Final = {
    "oasis": Text("game", "Oasis Poker"),
    "oasis_jackpot": Text("game", "Oasis Poker Jackpot"),
    "russian": Text("game", "Russian Poker"),
    "caribbean": Text("game", "Caribbean Poker"),
    "baccarat": Text("game", "Baccarat"),
    "open_blackjack": Text("game", "Open Blackjack"),
    "one_deck_blackjack": Text("game", "One Deck Blackjack"),
    "six_decks_blackjack": Text("game", "Six Decks Blackjack"),
    "european_blackjack": Text("game", "European Blackjack"),
}

BLURBS: Final = {
    "oasis": Text("blurb", "Five cards against the dealer; exchange one or two of yours before you bet."),
    "oasis_jackpot": Text("blurb", "Oasis with a side bet: a royal flush takes the whole jackpot."),
    "russian": Text("blurb", "Buy a sixth card, exchange up to five, be paid for two combinations."),
    "caribbean": Text("blurb", "The classic: five cards against the dealer, bet or fold."),
    "baccarat": Text("blurb", "Player, banker or tie: the hand closest to nine wins."),
    "open_blackjack": Text("blurb", "Six decks, one dealer card open. Beat the dealer, but not beyond 21."),
    "one_deck_blackjack": Text("blurb", "A single deck, shuffled before every round. Natural pays 3 to 2."),
    "six_decks_blackjack": Text("blurb", "Up to five boxes; double any two cards, also after a split."),
    "european_blackjack": Text("blurb", "One deck; the dealer takes the second card when you are done."),
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
}

RESULTS: Final = {
    "win": Text("result", "Win"),
    "lose": Text("result", "Lost"),
    "push": Text("result", "Push"),
    "fold": Text("result", "Folded"),
    "bust": Text("result", "Bust"),
    "blackjack": Text("result", "Blackjack"),
    "no_qualify": Text("result", "Ante wins"),
    "surrender": Text("result", "Surrendered"),
}

LINES: Final = {
    "ante": Text("line", "Ante"),
    "bet": Text("line", "Bet"),
    "exchange": Text("line", "Exchange"),
    "sixth_card": Text("line", "Sixth card"),
    "dealer_card": Text("line", "Dealer's card"),
    "jackpot": Text("line", "Jackpot"),
    "insurance": Text("line", "Insurance"),
    "player": Text("line", "Player"),
    "banker": Text("line", "Banker"),
    "tie": Text("line", "Tie"),
}

ACTIONS: Final = {
    "deal": Text("action", "Deal"),
    "fold": Text("action", "Fold"),
    "raise": Text("action", "Bet ×2"),
    "exchange": Text("action", "Exchange"),
    "buy_card": Text("action", "Buy a card"),
    "buy_dealer_card": Text("action", "Buy dealer's card"),
    "take_ante": Text("action", "Take ante"),
    "hit": Text("action", "Hit"),
    "stand": Text("action", "Stand"),
    "double": Text("action", "Double"),
    "split": Text("action", "Split"),
    "surrender": Text("action", "Surrender"),
    "insurance": Text("action", "Insurance"),
    "no_insurance": Text("action", "No insurance"),
    "clear": Text("action", "Clear"),
    "undo": Text("action", "Undo"),
    "rebet": Text("action", "Same bet"),
    "double_bets": Text("action", "Double bets"),
    "cash_out": Text("action", "Cash out"),
    "lobby": Text("action", "Games"),
    "collect": Text("action", "Collect"),
    "open": Text("action", "Play"),
    "previous": Text("action", "Previous"),
    "next": Text("action", "Next"),
    "help": Text("action", "Help"),
    "back": Text("action", "Back"),
    "call": Text("action", "Attendant"),
}

def two_combinations(first: str, second: str) -> Text:
    """Return the caption of a Russian poker hand with two paying combinations."""
    return Text("hand", "{first} + {second}", (("first", HANDS[first]), ("second", HANDS[second])))
