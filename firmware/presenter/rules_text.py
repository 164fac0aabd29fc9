"""The rules in plain sentences, by family; what depends on the profile is read from the profile.

Not responsible for numbers that the paytable or the prices have (``help``).
"""

from collections.abc import Callable, Mapping
from typing import Final

from display.view_model import Text
from firmware.terminal.state import GameOnOffer


def _poker(offer: GameOnOffer) -> tuple[Text, ...]:
    facts, spec = offer.facts, offer.game.spec
    sold = {fee.action for fee in spec.fees}
    boxes = (("most", spec.max_boxes),)
    texts = [
        Text("rules", "Place an ante on up to {most} boxes", boxes)
        if spec.max_boxes > 1
        else Text("rules", "Place an ante on a box")
    ]
    if spec.blind_from is not None and spec.blind_from <= spec.max_boxes:
        texts.append(
            Text(
                "rules",
                "Box {number} that you buy is blind: it costs three antes and is played as it is dealt",
                (("number", spec.blind_from),),
            )
        )
    texts.append(Text("rules", "You and the dealer get five cards each; one dealer card lies face up"))
    if "exchange" in sold:
        texts.append(
            Text("rules", "Before you decide you may exchange cards once per box for the price shown on the button")
        )
    if "buy_card" in sold:
        texts.append(Text("rules", "Instead of an exchange you may buy a sixth card; the best five of six count"))
    texts += [
        Text("rules", "Fold and lose the ante, or bet two antes to stay in"),
        Text(
            "rules", "The dealer plays with Ace-King or better. Without it your ante pays 1 to 1 and the bet comes back"
        ),
        Text("rules", "The higher hand wins: the bet pays by the table"),
    ]
    if not facts.get("ante_paid_when_dealer_qualifies"):
        texts.append(Text("rules", "When the dealer plays, the ante itself pays nothing and comes back"))
    if spec.second_combination:
        texts.append(Text("rules", "A second combination in your hand is paid as well if it uses another card"))
    if "buy_dealer_card" in sold:
        texts.append(
            Text(
                "rules",
                "If the dealer has no Ace-King you may buy him a new card for his highest one, hoping that he plays",
            )
        )
    equal = facts.get("equal_hands") == "push"
    texts.append(
        Text("rules", "Equal hands: ante and bet come back") if equal else Text("rules", "Equal hands: the house wins")
    )
    if isinstance(facts.get("jackpot"), Mapping):
        texts.append(Text("rules", "A jackpot stake wins with the five cards dealt to you, whatever the dealer has"))
    return tuple(texts)


def _baccarat(offer: GameOnOffer) -> tuple[Text, ...]:
    pays_less = any(row.name == "banker_6" for row in offer.game.paytable)
    texts = [
        Text("rules", "Bet on the player, the banker or a tie; the hand nearest to nine wins"),
        Text("rules", "Ace is 1, tens and pictures are 0; only the last digit of a sum counts"),
        Text("rules", "Eight or nine with two cards ends the round"),
        Text("rules", "The player draws on 0 to 5; the banker follows the table of the third card"),
        Text("rules", "On a tie bets on player and banker come back"),
    ]
    if pays_less:
        texts.append(Text("rules", "The banker's win with six pays half"))
    else:
        texts.append(Text("rules", "The banker's win pays 19 to 20: five percent stay with the house"))
    return tuple(texts)


def _blackjack(offer: GameOnOffer) -> tuple[Text, ...]:
    facts = offer.facts
    texts = [
        Text("rules", "Come nearer to 21 than the dealer without going over"),
        Text("rules", "Pictures count 10, an ace 1 or 11; an ace and a ten in the first two cards are a blackjack"),
        _HOLE_CARD.get(str(facts.get("hole_card")), _HOLE_CARD["peek"])
        if not facts.get("exposed")
        else Text("rules", "Both dealer cards lie face up"),
        Text("rules", "The dealer draws to 17 and stands on soft 17")
        if facts.get("soft_17") == "stand"
        else Text("rules", "The dealer draws to 17 and hits soft 17"),
        Text("rules", "Double down on any two cards: one more card for one more bet")
        if facts.get("double") == "any_two"
        else Text("rules", "Double down on a hard 9, 10 or 11: one more card for one more bet"),
        Text("rules", "A pair can be split into two hands; split aces get one card each"),
    ]
    if not facts.get("double_after_split"):
        texts.append(Text("rules", "After a split there is no doubling down"))
    if facts.get("insurance"):
        texts.append(Text("rules", "Insurance against a dealer's ace costs half the bet and pays 2 to 1"))
    if facts.get("surrender") not in (None, "off"):
        texts.append(Text("rules", "You may surrender the first two cards and get half of the bet back"))
    texts.append(
        Text("rules", "Equal totals: the bet comes back")
        if facts.get("ties") == "push"
        else Text("rules", "Equal totals: the house wins")
    )
    texts.append(
        Text("rules", "A dealer's blackjack takes all bets, doubled and split ones too")
        if facts.get("dealer_natural_takes") == "all_bets"
        else Text("rules", "A dealer's blackjack takes only the first bet of a box")
    )
    return tuple(texts)


_HOLE_CARD: Final = {
    "peek": Text("rules", "With an ace or a ten the dealer looks at his second card before you play"),
    "no_peek": Text("rules", "The dealer looks at his second card only after you have played"),
    "none": Text("rules", "The dealer takes his second card only after you have played"),
}

RULES: Final[dict[str, Callable[[GameOnOffer], tuple[Text, ...]]]] = {
    "poker": _poker,
    "baccarat": _baccarat,
    "blackjack": _blackjack,
}
