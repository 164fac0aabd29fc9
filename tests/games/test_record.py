"""The round record: the documented answers, and one line for whatever is malformed or impossible."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import cards_text
from firmware.games.record import play
from firmware.games.record_format import LARGEST_RECORD_BYTES, RecordRefusedError, read_json
from firmware.games.registry import game_ids
from tests.games.poker.table import dealt

RECORD: dict[str, Any] = {
    "game": "oasis",
    "balance": 100_000,
    "stakes": [{"box": 1, "ante": 1_000, "jackpot": 0}],
    "cards": cards_text(dealt(["Qs 9d 8h 7c 6s"], "2c 3c Ac Kc 2h", "Td")),
    "actions": [{"box": 1, "action": "exchange", "cards": ["Qs"]}, {"box": 1, "action": "raise"}],
}


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    """The record with one item replaced; a list index at its end appends."""
    record = copy.deepcopy(RECORD)
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    if isinstance(place, list) and path[-1] == len(place):
        place.append(to)
    else:
        place[path[-1]] = to
    return record


def refusal(record: object) -> str:
    with pytest.raises(RecordRefusedError) as caught:
        play(record)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 500
    return text


def test_settled_record_answers_in_the_documented_shape() -> None:
    assert play(RECORD) == {
        "game": "oasis",
        "state": "settled",
        "staked": 4_000,
        "paid": 12_000,
        "net": 8_000,
        "balance": 108_000,
        "boxes": [
            {
                "box": 1,
                "cards": ["Td", "9d", "8h", "7c", "6s"],
                "hand": "straight",
                "result": "win",
                "staked": 4_000,
                "paid": 12_000,
                "lines": [
                    {"line": "ante", "staked": 1_000, "paid": 2_000},
                    {"line": "bet", "staked": 2_000, "paid": 10_000},
                    {"line": "exchange", "staked": 1_000, "paid": 0},
                ],
            }
        ],
        "dealer": {"cards": ["2c", "3c", "Ac", "Kc", "2h"], "hand": "pair", "qualifies": True},
        "jackpot_meter": None,
        "cards_used": 11,
    }


def test_record_that_stops_early_answers_with_what_is_legal_and_may_be_seen() -> None:
    record = {
        **RECORD,
        "stakes": [{"box": 2, "ante": 1_000}, {"box": 5, "ante": 500}],
        "cards": cards_text(dealt(["Qs 9d 8h 7c 6s", "Qh 9c 8d 7s 6h"], "2c 3c Ac Kc 2h")),
        "actions": [],
    }
    answer = play(record)
    assert answer["state"] == "decision"
    assert (answer["box"], answer["hand"]) == (2, 0)
    assert answer["legal"] == ["raise", "exchange", "fold"]
    assert answer["choices"] == [
        {"action": "raise", "cost": 2_000, "cards": 0},
        {"action": "exchange", "cost": 1_000, "cards": 1},
        {"action": "exchange", "cost": 1_500, "cards": 2},
        {"action": "fold", "cost": 0, "cards": 0},
    ]
    assert (answer["staked"], answer["balance"], answer["cards_used"]) == (1_500, 98_500, 15)
    assert answer["boxes"] == [
        {
            "box": 2,
            "state": "active",
            "cards": ["Qs", "9d", "8h", "7c", "6s"],
            "face_down": 0,
            "hand": "no_hand",
            "lines": [{"line": "ante", "staked": 1_000}],
        },
        {
            "box": 5,
            "state": "waiting",
            "cards": [],
            "face_down": 5,
            "hand": None,
            "lines": [{"line": "ante", "staked": 500}],
        },
    ]
    assert answer["dealer"] == {"cards": ["2h"], "face_down": 4, "hand": None, "qualifies": None}
    text = json.dumps(answer)
    assert not any(card in text for card in ("Qh", "9c", "8d", "7s", "6h", "2c", "3c", "Ac", "Kc"))


def test_russian_record_names_the_second_hand() -> None:
    record = {
        **RECORD,
        "game": "russian",
        "cards": cards_text(dealt(["As Ah Kd 8c 9s"], "5s 5h 4d 3c 2h")),
        "actions": [{"box": 1, "action": "raise"}],
    }
    boxes = play(record)["boxes"]
    assert isinstance(boxes, list)
    assert (boxes[0]["hand"], boxes[0]["second_hand"], boxes[0]["paid"]) == ("pair", "ace_king", 7_000)
    assert "second_hand" not in json.dumps(play(RECORD))


def test_jackpot_record_reads_and_answers_the_meter() -> None:
    record = {
        **RECORD,
        "game": "oasis_jackpot",
        "stakes": [{"box": 1, "ante": 1_000, "jackpot": 100}],
        "cards": cards_text(dealt(["9s 8s 7s 6s 5s"], "2c 3c Ac Kc 2h")),
        "actions": [{"box": 1, "action": "raise"}],
        "jackpot_meter": 3_000_000,
    }
    answer = play(record)
    assert answer["jackpot_meter"] == 2_700_040
    assert answer["paid"] == 300_000 + 2_000 + 102_000


def test_profile_overrides_change_the_rules_of_one_record() -> None:
    tariff = {"exchange_tariff": {"1": "1/2"}, "acknowledge_player_edge": ["one_card_exchange_at_1/2_antes"]}
    assert play({**RECORD, "profile": tariff})["staked"] == 3_500


def test_more_cards_than_needed_do_no_harm() -> None:
    whole = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
    rest = [card for card in whole if card not in RECORD["cards"]]
    assert play({**RECORD, "cards": RECORD["cards"] + rest})["cards_used"] == 11


def test_box_may_be_left_out_where_there_is_only_one_seat() -> None:
    record = {"game": "baccarat", "balance": 1_000, "stakes": [{"player": 100}], "cards": ["9s", "2h", "Ts", "3h"]}
    assert play(record)["net"] == 100


def test_split_hands_are_listed_and_addressed_by_number() -> None:
    record = {
        "game": "six_decks_blackjack",
        "balance": 10_000,
        "stakes": [{"box": 1, "bet": 1_000}],
        "cards": ["8s", "6h", "8h", "Td", "Tc", "3s", "Th", "9c"],
        "actions": [
            {"box": 1, "action": "split"},
            {"box": 1, "action": "stand"},
            {"box": 1, "action": "double", "hand": 1},
        ],
    }
    answer = play(record)
    boxes = answer["boxes"]
    assert isinstance(boxes, list)
    assert [hand["hand"] for hand in boxes[0]["hands"]] == ["18", "21"]
    assert answer["net"] == 3_000


def test_recorded_result_that_agrees_is_accepted_and_one_that_differs_is_named() -> None:
    answer = json.loads(json.dumps(play(RECORD)))
    assert play({**RECORD, "result": answer}) == answer
    answer["boxes"][0]["lines"][1]["paid"] = 9_000
    assert refusal({**RECORD, "result": answer}) == (
        "result: the replay differs at boxes[0].lines[1].paid: recorded 9000, replayed 10000"
    )


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (None, "(whole): found None, expected a table"),
        ([], "(whole): found a list of 0, expected a table"),
        ({}, "game: found nothing, expected a value (and 3 more)"),
        (changed("game", to="chess"), "game: there is no game 'chess'; choose one of oasis"),
        (changed("game", to=7), "game: found 7, expected a text"),
        (changed("balance", to=1_000.5), "balance: found 1000.5, expected a whole number"),
        (changed("balance", to=100_000.0), "balance: found 100000.0, expected a whole number"),
        (changed("balance", to="100000"), "balance: found '100000', expected a whole number"),
        (changed("balance", to=True), "balance: found True, expected a whole number"),
        (changed("balance", to=-1), "balance: found -1, expected at least 0"),
        (changed("balance", to=10**400), "balance: found a number of more than 18 digits, expected at most"),
        (changed("balance", to=None), "balance: found None, expected a whole number"),
        (changed("balance", to=999), "stakes: balance: 999 does not cover the stakes 1000"),
        (changed("balance", to=3_999), "actions[0]: box 1 exchange: balance 2999 does not cover the fee 1000 and then"),
        (changed("tip", to=1), "tip: found 1, expected no such option"),
        (changed("actoins", to=1), "actoins: found 1, expected no such option; did you mean 'actions'?"),
        (changed("stakes", to=[]), "stakes: none; put an ante on at least one box"),
        (changed("stakes", 0, "ante", to=50), "stakes: box 1 ante: 50 is below the table's minimum 100"),
        (changed("stakes", 0, "ante", to=20_000), "stakes: box 1 ante: 20000 is above the table's maximum 10000"),
        (changed("stakes", 0, "ante", to=1_001), "stakes: box 1 ante: 1001 is not a multiple of 2"),
        (changed("stakes", 0, "ante", to=-5), "stakes[0].ante: found -5, expected at least 0"),
        (changed("stakes", 0, "ante", to=1e3), "stakes[0].ante: found 1000.0, expected a whole number"),
        (changed("stakes", 0, "jackpot", to=100), "stakes: box 1 jackpot: this table has no jackpot bet"),
        (changed("stakes", 0, "tip", to=100), "stakes: box 1: there is no line 'tip'"),
        (changed("stakes", 0, "a b\n", to=100), "stakes[0]: there is no line 'a b\\n'"),
        (changed("stakes", 0, "box", to=0), "stakes[0].box: found 0, expected at least 1"),
        (changed("stakes", 0, "box", to=7), "stakes: box 7: the table has boxes 1 to 6"),
        (changed("stakes", 0, to={"ante": 1_000}), "stakes[0].box: found nothing, expected a position from 1 to 6"),
        (changed("stakes", 1, to={"box": 1, "ante": 100}), "stakes: box 1: bought twice"),
        (changed("cards", 3, to="10d"), "cards[3]: found '10d', expected a card such as 'Td'"),
        (changed("cards", 3, to="td"), "cards[3]: found 'td', expected a card such as 'Td'"),
        (changed("cards", 3, to=5), "cards[3]: found 5, expected a card such as 'Td'"),
        (changed("cards", 3, to="Qs"), "cards: Qs is there 2 times in 1 deck(s)"),
        (changed("cards", to=RECORD["cards"][:10]), "cards: too few; 10 given, 11 needed"),
        (changed("cards", to=RECORD["cards"][:9]), "cards: too few; 9 given, 10 needed"),
        (changed("cards", to="Qs9d"), "cards: found 'Qs9d', expected a list"),
        (changed("actions", 0, "box", to=2), "actions[0]: box 2 exchange: it is box 1's turn"),
        (changed("actions", 0, "hand", to=1), "actions[0]: box 1 exchange: there is no hand 1"),
        (changed("actions", 0, "action", to="hit"), "actions[0]: box 1 hit: it takes no cards"),
        (changed("actions", 1, "action", to="hit"), "actions[1]: box 1 hit: there is no 'hit' at this table"),
        (changed("actions", 1, "action", to="Raise!"), "actions[1].action: found 'Raise!', expected"),
        (changed("actions", 0, "cards", to=["Ad"]), "actions[0]: box 1 exchange: it does not hold all of these cards"),
        (changed("actions", 0, "cards", to=["Qs", "Qs"]), "actions[0].cards: found a list of 2, expected every card"),
        (changed("actions", 0, "cards", to=[]), "actions[0]: box 1 exchange: 0 cards can't be exchanged here"),
        (changed("actions", 0, "card", to="Qs"), "actions[0].card: found 'Qs', expected no such option"),
        (changed("actions", 2, to={"box": 1, "action": "fold"}), "actions[2]: the round is settled before it"),
        (changed("jackpot_meter", to=5), "stakes: jackpot_meter: this table has no jackpot"),
        (changed("profile", to={"upcard": "middle"}), "profile: upcard: found 'middle', expected 'first' or 'last'"),
        (
            changed("profile", to={"up": 1, "positions": 9}),
            "profile: positions: found 9, expected at most 6; profile: up",
        ),
        (
            changed("profile", to={"exchange_tariff": {"2": 1}}),
            "profile: acknowledge_player_edge: found nothing, expected 'two_card_exchange_at_1_ante'",
        ),
        (changed("profile", to=[]), "profile: found a list of 0, expected a table"),
    ],
)
def test_record_that_is_malformed_or_impossible_is_refused_by_item_and_reason(record: object, message: str) -> None:
    assert message in refusal(record)


# --- JSON text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON: line 1, column 1"),
        (b"{", "not JSON: line 1"),
        (b"\xff\xfe{}", "not UTF-8 text (byte 0)"),
        (b'{"game": NaN}', "NaN is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b'{"game": 1, "game": 2}', "key 'game' is there twice"),
        (b'{"stakes": [{"box": 1, "box": 1}]}', "key 'box' is there twice"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"1" * 10_000, "a number that is too large"),
        (b" " * (LARGEST_RECORD_BYTES + 1), "larger than 1000000 bytes"),
        (b'{"game": "\\ud800"} x', "not JSON: line 1, column 20"),
    ],
)
def test_text_that_holds_no_record_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(RecordRefusedError) as caught:
        read_json(content)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", [("profile",), ("result",), ("cards",), ("stakes", 0, "ante")])
def test_deep_nesting_is_refused_wherever_it_is(path: tuple[str | int, ...]) -> None:
    nested: dict[str, Any] = {}
    for _ in range(5_000):
        nested = {"a": nested}
    assert refusal(changed(*path, to=nested)) == "the record is nested too deeply"


def test_byte_order_mark_is_no_obstacle() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["As", "raise", "oasis", 100]),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.sampled_from([*RECORD, "box", "ante", "action", "cards", "hand"]) | st.text(), inner)
    ),
    max_leaves=12,
)


def answer_or_refusal(record: object) -> str:
    """What a record leads to: the state of its answer, or the refusal after checking that it is one line."""
    try:
        answer = play(record if not isinstance(record, bytes) else read_json(record))
    except RecordRefusedError as error:
        text = str(error)
    else:
        text = str(answer["state"])
    if "\n" in text or not text:
        pytest.fail(f"not one line: {text!r}")
    return text


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all items in a record."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += paths(inner, (*path, key))
    return found


@given(path=st.sampled_from(paths(RECORD)), value=json_values)
def test_record_with_anything_in_any_place_is_played_or_refused_in_one_line(
    path: tuple[str | int, ...], value: object
) -> None:
    assert answer_or_refusal(changed(*path, to=value))


@given(value=json_values)
def test_any_value_is_refused_in_one_line(value: object) -> None:
    assert refusal(value)


@given(content=st.binary(max_size=200) | st.text(alphabet='{}[]":,0123456789eE.-+ntrufalsN\\\u00e9', max_size=80))
def test_any_bytes_are_read_or_refused_in_one_line(content: bytes | str) -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    assert answer_or_refusal(raw) not in ("settled", "decision"), "no record can be that short"


@given(
    data=st.data(),
    game=st.sampled_from(game_ids()),
    order=st.permutations([rank + suit for rank in "23456789TJQKA" for suit in "shdc"]),
)
def test_any_sequence_of_actions_is_played_or_refused(data: st.DataObject, game: str, order: list[str]) -> None:
    lines = {"baccarat": {"banker": 1_000}, "blackjack": {"bet": 1_000}}
    line = next((line for name, line in lines.items() if name in game), {"ante": 1_000})
    names = ["raise", "fold", "exchange", "buy_card", "take_ante", "buy_dealer_card", "hit", "stand", "double", "split"]
    action = st.fixed_dictionaries(
        {"box": st.just(1), "action": st.sampled_from(names)},
        optional={"cards": st.lists(st.sampled_from(order[:10]), max_size=3), "hand": st.integers(0, 2)},
    )
    actions = data.draw(st.lists(action, max_size=4))
    record = {"game": game, "balance": 9_000, "stakes": [{"box": 1, **line}], "cards": order, "actions": actions}
    assert answer_or_refusal(record).startswith(("settled", "decision", "actions["))
