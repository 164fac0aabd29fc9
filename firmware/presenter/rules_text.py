"""The rules in plain sentences, by family; what depends on the profile is read from the profile.

Not responsible for numbers that the paytable has (``help``).
"""

from collections.abc import Callable, Mapping
from typing import Final

from display.view_model import Text
from firmware.terminal.state import GameOnOffer


def _poker(offer: GameOnOffer) -> tuple[Text, ...]:
    facts = offer.facts
    texts = [
        Text("rules", "Place an ante on one to three boxes; the third box is played blind with three antes"),
        Text("rules", "You and the dealer get five cards; one dealer card lies face up"),
        Text("rules", "Fold and lose the ante, or bet two antes to stay in"),
        Text("rules", "The dealer plays with Ace-King or better; else the ante pays 1 to 1 and the bet comes back"),
        Text("rules", "The higher hand wins: the bet pays by the table below"),
        Text("rules", "Equal hands: ante and bet come back"),
    ]
    tariff = facts.get("exchange_tariff")
    if isinstance(tariff, Mapping):
        for count, price in tariff.items():
            args = (("price", str(price)),)
            texts.append(
                Text(
                    "rules",
                    "Exchanging {count} card costs {price} antes",
                    args,
                    plural="Exchanging {count} cards costs {price} antes",
                    count=int(str(count)),
                )
            )
        texts.append(Text("rules", "The price of an exchange is never returned; one exchange per box"))
    return tuple(texts)


def _baccarat(_: GameOnOffer) -> tuple[Text, ...]:
    return (
        Text("rules", "Bet on the player, the banker or a tie; the hand nearest to nine wins"),
        Text("rules", "Ace is 1, tens and pictures are 0; only the last digit of a sum counts"),
        Text("rules", "Eight or nine with two cards ends the round"),
        Text("rules", "The player draws on 0 to 5; the banker follows the table of the third card"),
        Text("rules", "On a tie bets on player and banker come back"),
    )


def _blackjack(offer: GameOnOffer) -> tuple[Text, ...]:
    facts = offer.facts
    texts = [
        Text("rules", "Come nearer to 21 than the dealer without going over"),
        Text("rules", "Pictures count 10, an ace 1 or 11; an ace and a ten in the first two cards are a blackjack"),
    ]
    stands = facts.get("soft_17", "stand") == "stand"
    texts.append(
        Text("rules", "The dealer draws to 17 and stands on soft 17")
        if stands
        else Text("rules", "The dealer draws to 17 and hits soft 17")
    )
    if facts.get("double") == "any_two":
        texts.append(Text("rules", "Double down on any two cards: one more card for one more bet"))
    else:
        texts.append(Text("rules", "Double down on a hard 9, 10 or 11: one more card for one more bet"))
    texts.append(Text("rules", "A pair can be split into two hands; split aces get one card each"))
    if facts.get("insurance"):
        texts.append(Text("rules", "Insurance against a dealer's ace costs half the bet and pays 2 to 1"))
    return tuple(texts)


RULES: Final[dict[str, Callable[[GameOnOffer], tuple[Text, ...]]]] = {
    "poker": _poker,
    "baccarat": _baccarat,
    "blackjack": _blackjack,
}
