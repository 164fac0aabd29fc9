"""The benchmarks do their work and count it right; how fast they are is not tested."""

from itertools import count

from firmware.games.bench import bench_ranking, bench_rounds


def test_rates_are_what_the_clock_says() -> None:
    seconds = count(0, 10**9)
    assert bench_ranking(lambda: next(seconds))["croupier"] == 150_000


def test_rounds_of_every_family_are_played_and_played_again() -> None:
    seconds = count(0, 10**9)
    games = ["oasis_jackpot", "russian", "baccarat", "one_deck_blackjack"]
    rates = bench_rounds(lambda: next(seconds), games)
    assert rates == {game: {"engine": 2_000, "with_strategy": 2_000} for game in games}
