"""The games by their titles, for the table and the operator's menu alike. Not responsible for translating them."""

from typing import Final

from display.view_model import Text

GAMES: Final[dict[str, Text]] = {
    "oasis": Text("game", "Oasis Poker"),
    "oasis_jackpot": Text("game", "Oasis Jackpot"),
    "russian": Text("game", "Russian Poker"),
    "caribbean": Text("game", "Caribbean Poker"),
    "baccarat": Text("game", "Baccarat"),
    "open_blackjack": Text("game", "Open Blackjack"),
    "open_blackjack_exposed": Text("game", "Exposed Blackjack"),
    "one_deck_blackjack": Text("game", "One Deck Blackjack"),
    "six_decks_blackjack": Text("game", "Six Decks Blackjack"),
    "european_blackjack": Text("game", "European Blackjack"),
}

UNNAMED_GAME: Final = Text("game", "Card game")
"""For a game that has no title here."""
