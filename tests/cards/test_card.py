import pytest

from firmware.cards.card import DECK, card_text, cards_text, parse_card, parse_cards, rank_of, suit_of


def test_every_card_survives_the_way_to_text_and_back() -> None:
    assert [parse_card(card_text(card)) for card in DECK] == list(DECK)
    assert len(set(cards_text(DECK))) == 52


@pytest.mark.parametrize("text", ["10d", "1d", "td", "TD", "Tx", "T", "", "T d", "Tds", "\u2660A"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


def test_rank_and_suit_come_apart() -> None:
    assert [(rank_of(card), suit_of(card)) for card in parse_cards(["2s", "Th", "Ad", "Kc"])] == [
        (0, 0),
        (8, 1),
        (12, 2),
        (11, 3),
    ]
