"""Profiles: every mistake at once with its place, dangerous combinations only when acknowledged, a stable digest."""

from pathlib import Path

import pytest

from firmware.errors import ConfigError, UserError
from firmware.games.contract import StakeRefusedError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.profile_files import LARGEST_FILE_BYTES
from firmware.games.registry import game_ids, load_game, register

NINE = (
    "oasis",
    "oasis_jackpot",
    "russian",
    "caribbean",
    "baccarat",
    "open_blackjack",
    "one_deck_blackjack",
    "six_decks_blackjack",
    "european_blackjack",
)


def problems(overrides: dict[str, object], game: str = "oasis") -> list[str]:
    with pytest.raises(ConfigError) as caught:
        register(game, overrides)
    return list(caught.value.problems)


def test_there_are_the_nine_games_in_the_order_of_the_lobby() -> None:
    assert game_ids() == NINE


@pytest.mark.parametrize("game", NINE)
def test_bundled_profile_loads_and_needs_no_acknowledgement(game: str) -> None:
    registered = register(game)
    assert registered.game.id == game
    assert registered.profile.acknowledge_player_edge == ()
    assert registered.profile.player_edges() == {}


def test_a_new_game_is_a_new_file(tmp_path: Path) -> None:
    for name in ("zebra", "caribbean", "my_oasis"):
        (tmp_path / f"{name}.toml").write_text('family = "poker"\nmax_boxes = 1\n')
    assert game_ids(tmp_path) == ("caribbean", "my_oasis", "zebra")
    game = load_game("my_oasis", directory=tmp_path)
    assert (game.id, game.spec.max_boxes) == ("my_oasis", 1)


def test_profile_without_options_is_the_house_default() -> None:
    bundled = register("caribbean").profile.options()
    default = DealerPokerProfile.parse({"family": "poker"}, "test").options()
    del bundled["button_names"], default["button_names"]
    assert bundled == default


def test_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="there is no game 'poker'; choose one of oasis, oasis_jackpot"):
        load_game("poker")


def test_all_mistakes_are_reported_at_once_with_file_key_found_and_expected(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(
        """family = "poker"
max_boxs = 2
positions = "six"
max_boxes = 0
upcard = "middle"
neighbours_only = 1
exchange_tariff = { 1 = 1.5, 6 = 1 }
ante_minimum_minor = 1.0
suit_order = "hhdc"
[pays]
royal_flush = 100
[jackpot]
seed_minor = -1
colour = "gold"
"""
    )
    with pytest.raises(ConfigError) as caught:
        load_game("bad", directory=tmp_path)
    lines = "\n".join(caught.value.problems)
    assert len(caught.value.problems) == 12
    for expected in (
        "max_boxs: found 2, expected no such option; did you mean 'max_boxes'?",
        "positions: found 'six', expected a whole number",
        "max_boxes: found 0, expected at least 1",
        "upcard: found 'middle', expected 'first' or 'last'",
        "neighbours_only: found 1, expected true or false",
        "exchange_tariff.1: found 1.5, expected a whole number or a text such as '3/2'",
        "exchange_tariff.6: found '6', expected at most 5",
        "ante_minimum_minor: found 1.0, expected a whole number",
        "suit_order: found 'hhdc', expected the four suits s, h, d, c, each once",
        "pays: found a table, expected exactly the classes royal_flush",
        "jackpot.seed_minor: found -1, expected at least 0",
        "jackpot.colour: found 'gold', expected no such option",
    ):
        assert f"{file}: {expected}" in lines


def test_options_that_contradict_each_other_are_reported_at_once() -> None:
    jackpot = {
        "seed_minor": 10,
        "cap_minor": 5,
        "contribution": "1/3",
        "percent_of_meter": {"royal_flush": 101},
        "fixed_units": {"royal_flush": 1},
    }
    found = problems({"positions": 2, "ante_maximum_minor": 50, "max_win_minor": 1, "jackpot": jackpot})
    assert [line.split(": ")[1] for line in found] == [
        "max_boxes",
        "ante_maximum_minor",
        "max_win_minor",
        "jackpot.percent_of_meter.royal_flush",
        "jackpot.fixed_units.royal_flush",
        "jackpot.cap_minor",
        "jackpot.contribution",
    ]


def test_boxes_and_draws_for_which_a_deck_is_too_small_are_refused() -> None:
    found = problems({"max_boxes": 5, "blind_box": "none"}, "russian")
    assert found == ["profile: max_boxes: found 5, expected fewer boxes or draws, as a round could take 56 of 52 cards"]


@pytest.mark.parametrize(
    ("game", "options", "cards"),
    [
        ("caribbean", {}, 20),
        ("oasis", {}, 24),
        ("oasis", {"blind_box": "none"}, 26),
        ("russian", {}, 31),
        ("russian", {"dealer_redraws_same_rank": True}, 34),
        ("russian", {"dealer_redraws_same_rank": True, "dealer_game_draw": "per_box"}, 35),
    ],
)
def test_a_round_needs_at_most_as_many_cards_as_the_table_says(
    game: str, options: dict[str, object], cards: int
) -> None:
    assert load_game(game, options).spec.most_cards_per_round == cards


# --- Player edges --------------------------------------------------------------------------------------------------


def test_two_cards_for_one_ante_favour_the_player_and_need_to_be_acknowledged() -> None:
    tariff: dict[str, object] = {"exchange_tariff": {"1": 1, "2": 1}}
    name = "two_card_exchange_at_1_ante"
    assert problems(tariff) == [
        f"profile: acknowledge_player_edge: found nothing, expected '{name}': the player gains almost 3 %"
    ]
    load_game("oasis", {**tariff, "acknowledge_player_edge": [name]})


def test_tariff_of_the_house_is_one_and_one_and_a_half() -> None:
    fees = {fee.card_count: fee.antes for fee in load_game("oasis").spec.fees}
    assert fees == {1: (1, 1), 2: (3, 2)}


def test_acknowledgement_of_an_edge_that_is_not_there_is_refused() -> None:
    found = problems({"acknowledge_player_edge": ["two_card_exchange_at_1_ante"]})
    assert found == [
        "profile: acknowledge_player_edge: found 'two_card_exchange_at_1_ante', expected no such name here"
    ]


@pytest.mark.parametrize(
    ("game", "options", "names"),
    [
        ("oasis", {"exchange_tariff": {"1": "1/2"}}, ["one_card_exchange_at_1/2_antes"]),
        ("oasis", {"exchange_tariff": {"3": 1}}, ["three_card_exchange_at_1_ante"]),
        ("oasis", {"second_combination": True}, ["second_combination_with_ante_paid"]),
        ("caribbean", {"sixth_card_price": 1}, ["sixth_card_with_ante_paid"]),
        ("caribbean", {"dealer_game_price": 1}, ["dealer_game_with_ante_paid"]),
        ("russian", {"sixth_card_price": "1/2"}, ["sixth_card_at_1/2_antes"]),
        ("russian", {"dealer_game_price": 0}, ["dealer_game_at_0_antes"]),
        ("russian", {"exchange_tariff": {"5": "9/10"}}, ["five_card_exchange_at_9/10_antes"]),
    ],
)
def test_whatever_is_more_generous_than_the_house_needs_its_name(
    game: str, options: dict[str, object], names: list[str]
) -> None:
    lines = problems(options, game)
    assert [line.split("'")[1] for line in lines] == names
    load_game(game, {**options, "acknowledge_player_edge": names})


def test_higher_pays_and_richer_jackpots_need_their_names() -> None:
    pays = dict(register("oasis").profile.options()["pays"])
    assert "'flush_pays_6'" in problems({"pays": {**pays, "flush": 6}})[0]
    load_game("oasis", {"pays": {**pays, "flush": 4}})
    jackpot = dict(register("oasis_jackpot").profile.options()["jackpot"])
    lines = problems({"jackpot": {**jackpot, "cap_minor": 21_804_800}}, "oasis_jackpot")
    assert "'jackpot_returns_over_100_percent'" in lines[0]
    load_game("oasis_jackpot", {"jackpot": {**jackpot, "cap_minor": 21_804_700}})


# --- Files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "expected TOML"),
        (b"family = ", "expected TOML"),
        (b"", "family: found None, expected one of poker, baccarat, blackjack"),
        (b"family = 'chess'", "family: found 'chess'"),
        (b"family = 1", "family: found 1"),
        (b"family = 'poker'\nupcard = 1979-05-27", "upcard: found '1979-05-27', expected 'first' or 'last'"),
        (b"family = 'poker'\npositions = nan", "positions: found"),
        (b"family = 'poker'\npositions = 9" + b"9" * 400, "positions: found"),
        (b"a = " + b"[" * 5_000, "expected TOML"),
        (b"#" * (LARGEST_FILE_BYTES + 1), "found more than 100000 bytes"),
    ],
)
def test_file_that_is_no_profile_is_refused_by_name(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_game("bad", directory=tmp_path)
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


def test_mistake_in_the_file_is_not_blamed_on_the_overrides(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('family = "poker"\nupcard = "middle"\n')
    with pytest.raises(ConfigError, match=str(file)):
        load_game("bad", {"upcard": "first"}, tmp_path)


# --- Digest --------------------------------------------------------------------------------------------------------


def test_digest_follows_the_rules_not_the_way_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "oasis.toml").write_text(
        'exchange_tariff = { 2 = "3/2", 1 = "1" }\nfamily = "poker"\n'
        '[button_names]\nfold = "fold"\nexchange = "change"\nraise = "bet_x2"\n'
    )
    assert register("oasis", directory=tmp_path).digest == register("oasis").digest


def test_digest_differs_between_games_and_with_every_option() -> None:
    digests = [register(game).digest for game in NINE]
    digests += [register("oasis", {"upcard": "first"}).digest, register("oasis", {"ante_step_minor": 2}).digest]
    assert len(set(digests)) == len(digests)
    assert all(len(digest) == 64 for digest in digests)


def test_override_replaces_one_option_and_leaves_the_others() -> None:
    game = load_game("oasis", {"ante_maximum_minor": 2_000})
    assert game.spec.fees == load_game("oasis").spec.fees
    assert game.spec.lines[0].maximum_minor == 2_000


def test_family_cannot_be_overridden() -> None:
    assert problems({"family": "baccarat"}) == ["profile: family: found 'baccarat', expected 'poker'"]


def test_refused_stake_is_an_error_of_the_contract() -> None:
    with pytest.raises(StakeRefusedError):
        load_game("oasis").open([], 0)
