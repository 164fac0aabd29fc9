"""The laboratory: planted faults are found, a fair shuffle is left alone, and the chances it states are true."""

import json
import shutil
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from firmware.cli import run
from firmware.games.registry import game_ids, load_game
from firmware.rng.lab.batteries import LEAST_SHUFFLES, byte_frequency, run_batteries
from firmware.rng.lab.report import LEVEL
from firmware.rng.lab.result import Result, corrected
from firmware.rng.lab.shoe_batteries import LEAST_SHOES, SHOE_DECKS, run_shoe_batteries
from firmware.rng.lab.sources import SUBJECTS, orders, shoe_orders
from firmware.rng.lab.tools import missing_tools, run_tools
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.seeded import SeededSource


def failed(data: bytes) -> set[str]:
    return {result.name for result in corrected(run_batteries(data)) if result.corrected_p < LEVEL}


def shuffles(name: str, count: int) -> bytes:
    return orders(SUBJECTS[name], 1, count, lambda: None)


@pytest.mark.parametrize(
    ("name", "count", "found_by"),
    [
        ("planted-modulo", 12_000, {"card × position", "each position"}),
        ("planted-off-by-one", 3_000, {"cards that stay", "parity", "card × position"}),
        ("planted-swap-any", 3_000, {"card × position", "each position", "each card"}),
        ("planted-stuck-bit", 3_000, {"card × position", "pairs", "permutations of 5", "runs"}),
    ],
)
def test_planted_fault_is_found(name: str, count: int, found_by: set[str]) -> None:
    assert failed(shuffles(name, count)) >= found_by


def test_every_planted_fault_is_tested_here() -> None:
    assert {name for name in SUBJECTS if name.startswith("planted")} == {
        "planted-modulo",
        "planted-off-by-one",
        "planted-swap-any",
        "planted-stuck-bit",
    }


def test_fair_shuffles_are_left_alone() -> None:
    assert failed(shuffles("seeded", 5_000)) == set()
    assert failed(shuffles("os", LEAST_SHUFFLES)) == set() or failed(shuffles("os", 4_000)) == set()


def test_stated_chances_are_true_for_fair_shuffles() -> None:
    """Over many fair piles every p-value is spread evenly: its mean is 1/2 (0.09 is three standard errors of 100)."""
    generator = np.random.default_rng(3)
    chances: dict[str, list[float]] = defaultdict(list)
    for _ in range(100):
        piles = generator.permuted(np.tile(np.arange(52, dtype=np.uint8), (LEAST_SHUFFLES, 1)), axis=1)
        for result in run_batteries(piles.tobytes()):
            chances[result.name].append(result.p_value)
    del chances["repeats"]  # 1 for ever
    means = {name: float(np.mean(values)) for name, values in chances.items()}
    assert {name: mean for name, mean in means.items() if abs(mean - 0.5) > 0.09} == {}


def test_one_order_that_comes_twice_is_found() -> None:
    data = shuffles("seeded", LEAST_SHUFFLES)
    assert failed(data[:52] + data[:-52]) == {"repeats"}


def test_next_shuffle_that_depends_on_the_last_is_found() -> None:
    """Every second pile is the one before with each card one higher: each by itself is fair."""
    fair = np.frombuffer(shuffles("seeded", LEAST_SHUFFLES), dtype=np.uint8).reshape(-1, 52)
    shifted = np.repeat(fair, 2, axis=0)
    shifted[1::2] = (shifted[1::2] + 1) % 52
    assert "correlation of shuffles" in failed(shifted.tobytes())


def test_first_cards_that_are_arranged_are_found() -> None:
    fair = np.frombuffer(shuffles("seeded", 4_000), dtype=np.uint8).reshape(-1, 52).copy()
    for pile in fair[::20]:  # one hand in twenty begins with four aces
        rest = [card for card in pile.tolist() if card < 48]
        pile[:] = [48, 49, 50, 51, *rest]
    assert {"poker", "card × position"} <= failed(fair.tobytes())


def failed_shoes(name: str, decks: int, count: int) -> set[str]:
    data = shoe_orders(SUBJECTS[name], 1, count, lambda: None, decks)
    return {result.name for result in corrected(run_shoe_batteries(data, decks)) if result.corrected_p < LEVEL}


@pytest.mark.parametrize("decks", SHOE_DECKS)
@pytest.mark.parametrize(
    ("name", "found_by"),
    [
        ("planted-modulo", "card × position"),
        ("planted-off-by-one", "cards that stay"),
        ("planted-swap-any", "card × position"),
        ("planted-stuck-bit", "card × position"),
    ],
)
def test_planted_fault_is_found_in_shoes_too(name: str, found_by: str, decks: int) -> None:
    assert f"{decks} decks: {found_by}" in failed_shoes(name, decks, 600)


@pytest.mark.parametrize("decks", SHOE_DECKS)
def test_fair_shoes_are_left_alone(decks: int) -> None:
    assert failed_shoes("seeded", decks, 600) == set()


def test_stated_chances_are_true_for_fair_shoes() -> None:
    generator = np.random.default_rng(4)
    chances: dict[str, list[float]] = defaultdict(list)
    shoe = np.arange(312, dtype="<u2")
    for _ in range(100):
        piles = generator.permuted(np.tile(shoe, (LEAST_SHOES, 1)), axis=1)
        for result in run_shoe_batteries(piles.tobytes(), 6):
            chances[result.name].append(result.p_value)
    means = {name: float(np.mean(values)) for name, values in chances.items()}
    assert {name: mean for name, mean in means.items() if abs(mean - 0.5) > 0.09} == {}


def test_shoes_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="all cards of 6 decks"):
        run_shoe_batteries(bytes(624) * LEAST_SHOES, 6)
    with pytest.raises(ValueError, match="shoes"):
        run_shoe_batteries(bytes(624), 6)


def test_the_shoes_examined_are_those_of_the_tables() -> None:
    decks = {load_game(game).spec.deck_count for game in game_ids()} - {1}
    assert decks == set(SHOE_DECKS)


def test_uneven_bytes_are_found() -> None:
    even = SeededSource(2).take(200_000)
    assert byte_frequency(even).p_value > LEVEL
    assert byte_frequency(even.replace(b"\x00", b"\x01")).p_value < LEVEL


def test_holm_correction_by_hand() -> None:
    results = [Result(str(p), "", "", p) for p in (0.01, 0.04, 0.03, 0.005)]
    assert [round(result.corrected_p, 6) for result in corrected(results)] == [0.03, 0.06, 0.06, 0.02]


@pytest.mark.parametrize("data", [b"", bytes(range(52)) * 10, bytes(52) * LEAST_SHUFFLES])
def test_too_few_shuffles_and_piles_that_are_no_decks_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"shuffles|order"):
        run_batteries(data)


@pytest.mark.parametrize("tool", [name for name in ("ent", "dieharder") if shutil.which(name)])
def test_installed_tools_are_fed_and_find_a_stuck_bit(tool: str) -> None:
    assert tool not in missing_tools()
    fair = [result for result in run_tools(OsEntropy, {100: "monobit"}) if result.name.startswith(tool)]
    assert fair
    assert all(result.p_value > 0.00001 for result in fair)
    stuck = run_tools(lambda: SUBJECTS["planted-stuck-bit"].raw(4), {100: "monobit"})
    assert min(result.p_value for result in stuck if result.name.startswith(tool)) < 0.00001


def test_command_writes_a_report_and_ends_with_1_for_an_unfair_shuffle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.md"
    arguments = ["rng", "test", "--rounds", "2000", "--no-tools", "--json"]
    assert run([*arguments, "--source", "seeded", "--report", str(report)]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["fair"]
    assert values["shuffles"] == 2_000
    assert all(test["passed"] for test in values["tests"])
    assert all(test["name"] in report.read_text(encoding="utf-8") for test in values["tests"])
    assert run([*arguments, "--source", "planted-off-by-one"]) == 1
    assert not json.loads(capsys.readouterr().out)["fair"]


@pytest.mark.parametrize("wrong", [["--source", "magic"], ["--rounds", "10"], ["--report", "/no/where.md"]])
def test_wrong_use_is_one_line_and_status_2(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status = run(["rng", "test", "--rounds", "2000", "--no-tools", "--source", "seeded", *wrong])
    captured = capsys.readouterr()
    assert status == 2
    assert captured.err.count("\n") == 1
