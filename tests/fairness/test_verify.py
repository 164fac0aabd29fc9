"""The verifier: whatever is tampered with in a record or its proof is found, and a true one passes."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.cli import run
from firmware.fairness.commitment import card_count, commitment_of, cut, uncut
from firmware.fairness.proof import ShoeProof, proof_of_text
from firmware.fairness.verify import verify_record, verify_text
from firmware.games.record_format import RecordRefusedError
from tests.fairness.records import SALT, order_of, record

GAMES = ("oasis", "caribbean", "baccarat", "six_decks_blackjack", "one_deck_blackjack")


def wrong(value: object, noted: str = "") -> set[str]:
    """The names of the checks that fail; a record that is refused fails as a whole."""
    try:
        return {check.name for check in verify_record(value, noted) if not check.is_right}
    except RecordRefusedError:
        return {"refused"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("position", [0, 1, 37])
@pytest.mark.parametrize("first_card", [0, 5])
def test_true_record_passes_every_check(game: str, position: int, first_card: int) -> None:
    value = record(game, position, first_card)
    checks = verify_record(value, value["fairness"]["commitment"])
    assert [check.name for check in checks] == ["noted", "commitment", "order", "cut", "cards", "rules"]
    assert all(check.is_right for check in checks), checks


@settings(deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 51), st.data())
def test_any_tampering_with_order_salt_cut_or_cards_is_found(game: str, position: int, data: st.DataObject) -> None:
    value = record(game, position, 3)
    proof = value["fairness"]
    match data.draw(st.sampled_from(("swap", "salt", "cut", "card", "commitment", "first_card", "shoe", "drop"))):
        case "swap":
            count = card_count(proof["order"])
            one, other = data.draw(st.integers(0, count - 1)), data.draw(st.integers(0, count - 1))
            cards = [proof["order"][2 * index : 2 * index + 2] for index in range(count)]
            if cards[one] == cards[other]:
                return
            cards[one], cards[other] = cards[other], cards[one]
            proof["order"] = "".join(cards)
            expected = "commitment"
        case "salt":
            place = data.draw(st.integers(0, len(SALT) - 1))
            digit = data.draw(st.sampled_from("0123456789abcdef").filter(lambda digit: digit != SALT[place]))
            proof["salt"] = SALT[:place] + digit + SALT[place + 1 :]
            expected = "commitment"
        case "cut":
            proof["cut"] = (position + data.draw(st.integers(1, 20))) % card_count(proof["order"])
            expected = "cards"
        case "card":
            place = data.draw(st.integers(0, len(value["cards"]) - 1))
            before = value["cards"][place]
            value["cards"][place] = data.draw(st.sampled_from(("2s", "7h", "Td", "Ac")).filter(lambda c: c != before))
            expected = "cards"
        case "commitment":
            proof["commitment"] = hashlib.sha256(data.draw(st.binary(max_size=8))).hexdigest()
            expected = "commitment"
        case "first_card":
            proof["first_card"] += data.draw(st.integers(1, 20))
            expected = "cards"
        case "shoe":
            proof["shoe"] = "shoe1-5"
            expected = "commitment"
        case _:
            value["cards"] = value["cards"][:-1]
            expected = "rules"
    assert expected in wrong(value)


def test_order_that_was_committed_to_but_is_no_whole_deck_is_found() -> None:
    value = record()
    order = value["fairness"]["order"]
    rigged = order.replace("2h", "As")
    value["fairness"] |= {"order": rigged, "commitment": commitment_of("shoe1-4", SALT, rigged)}
    assert "order" in wrong(value)


def test_second_deck_in_a_one_deck_game_is_found() -> None:
    value = record()
    doubled = value["fairness"]["order"] * 2
    value["fairness"] |= {"order": doubled, "commitment": commitment_of("shoe1-4", SALT, doubled)}
    assert wrong(value) == {"order"}


def test_another_result_than_the_rules_give_is_found() -> None:
    value = record()
    value["result"]["net"] += 100
    assert wrong(value) == {"rules"}


def test_note_of_the_commitment_is_compared_whatever_its_spaces_and_case() -> None:
    value = record()
    digest = value["fairness"]["commitment"]
    grouped = " ".join(digest[index : index + 4].upper() for index in range(0, 16, 4))
    assert wrong(value, grouped) == set()
    assert wrong(value, "0" * 16) == {"noted"}
    assert wrong(value, digest[:7]) == {"refused"}


@pytest.mark.parametrize(("number", "is_right"), [(4711, True), (31, True), (4712, False), (0, False)])
def test_number_that_was_typed_must_leave_the_cut(number: int, is_right: bool) -> None:
    found = {check.name: check.is_right for check in verify_record(record("oasis", 4711 % 52), number=number)}
    assert found["number"] is is_right
    assert all(right for name, right in found.items() if name != "number")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda value: value.pop("fairness"), "fairness"),
        (lambda value: value["fairness"].pop("salt"), "fairness.salt"),
        (lambda value: value["fairness"].update(cut="3"), "fairness.cut"),
        (lambda value: value["fairness"].update(cut=True), "fairness.cut"),
        (lambda value: value["fairness"].update(first_card=-1), "fairness.first_card"),
        (lambda value: value["fairness"].update(order="é"), "fairness.order"),
        (lambda value: value["fairness"].update(more=1), "fairness.more"),
        (lambda value: value.update(cards=["10d"]), "cards"),
    ],
)
def test_malformed_record_is_refused_with_the_item(change: Any, named: str) -> None:
    value = record()
    change(value)
    with pytest.raises(RecordRefusedError, match=named):
        verify_record(value)


@given(st.integers(1, 8), st.integers(0, 400), st.integers(0, 99))
def test_text_of_the_qr_code_gives_the_proof_back(decks: int, position: int, seed: int) -> None:
    order = order_of(decks, seed)
    position %= card_count(order)
    proof = ShoeProof("shoe2-17", commitment_of("shoe2-17", SALT, order), SALT, position, order)
    assert proof_of_text(proof.as_text()) == proof
    assert all(check.is_right for check in verify_text(proof.as_text()))
    assert set(proof.as_text()) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")  # a QR code's alphanumeric mode


@given(st.text(max_size=200))
def test_any_other_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(RecordRefusedError) as refused:
        verify_text(text)
    assert "\n" not in str(refused.value)


@given(st.integers(1, 8), st.integers(0, 415))
def test_cut_keeps_all_cards_and_is_undone(decks: int, position: int) -> None:
    order = order_of(decks, position)
    position %= card_count(order)
    assert uncut(cut(order, position), position) == order
    assert cut(order, position)[: 2 * (card_count(order) - position)] == order[2 * position :]


def test_cut_as_people_do_it() -> None:
    assert cut("AsKdQc2h", 1) == "KdQc2hAs"
    assert cut("AsKdQc2h", 3) == "2hAsKdQc"
    for outside in (-1, 4):
        with pytest.raises(ValueError, match="outside"):
            cut("AsKdQc2h", outside)


def test_cut_at_a_random_place_leaves_a_fair_shuffle_fair() -> None:
    """Every order of three cards comes equally often, whichever fixed cut the player chooses."""
    orders = ("AsKdQc", "AsQcKd", "KdAsQc", "KdQcAs", "QcAsKd", "QcKdAs")
    for position in range(3):
        assert sorted(cut(order, position) for order in orders) == sorted(orders)


class Answer:
    """What a command line did."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.status = run(list(arguments))
        captured = capsys.readouterr()
        self.out, self.err = captured.out, captured.err


def test_command_ends_with_0_1_or_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = record("six_decks_blackjack", 20, 40)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(value))
    good = Answer(capsys, "fairness", "verify", str(path), "--json")
    assert (good.status, json.loads(good.out)["verified"]) == (0, True)
    value["fairness"]["cut"] = 21
    path.write_text(json.dumps(value))
    bad = Answer(capsys, "fairness", "verify", str(path))
    assert bad.status == 1
    assert "WRONG cards" in bad.out
    assert bad.err.count("\n") == 1
    path.write_text("{")
    assert Answer(capsys, "fairness", "verify", str(path)).status == 2
    path.write_text("hello")
    assert Answer(capsys, "fairness", "verify", str(path)).status == 2
    assert Answer(capsys, "fairness", "verify", str(tmp_path / "none")).status == 2
    assert Answer(capsys, "fairness", "verify").status == 2
    path.write_text(json.dumps(record("oasis", 31)))
    assert Answer(capsys, "fairness", "verify", str(path), "--number", "4711").status == 0
    assert "WRONG number" in Answer(capsys, "fairness", "verify", str(path), "--number", "4712").out
    assert Answer(capsys, "fairness", "verify", str(path), "--number", "-1").status == 2


def test_command_takes_the_text_of_a_qr_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = order_of(1, 5)
    text = ShoeProof("shoe1-1", commitment_of("shoe1-1", SALT, order), SALT, 7, order).as_text()
    path = tmp_path / "qr.txt"
    path.write_text(text + "\n")
    assert Answer(capsys, "fairness", "verify", str(path)).status == 0
    cards = [order[index : index + 2] for index in range(0, len(order), 2)]
    random.Random(2).shuffle(cards)
    path.write_text(text.replace(order.upper(), "".join(cards).upper()))
    assert Answer(capsys, "fairness", "verify", str(path)).status == 1


def test_play_takes_a_record_with_its_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record()))
    assert Answer(capsys, "play", str(path)).status == 0
