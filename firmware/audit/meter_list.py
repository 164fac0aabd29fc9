"""The list of meters: which there are, in what order, under what name, with the code that slot protocols give them.

Master and period stand side by side. Not responsible for counting (``firmware.ledger.meters``).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from display.view_model import Money, Text
from firmware.ledger.meters import SINCE_METERS
from firmware.terminal.faults import FAULTS
from firmware.terminal.state import Recorded
from firmware.terminal.titles import GAMES


@dataclass(frozen=True, slots=True)
class MeterSpec:
    """A meter of the list. ``unit`` is ``minor`` or ``count``; ``sas`` its code in the SAS protocol, empty for none."""

    name: str
    label: Text
    group: str
    unit: str
    sas: str = ""


@dataclass(frozen=True, slots=True)
class MeterLine:
    """A meter as it stands. ``period`` is None for a meter that no period has."""

    name: str
    label: Text
    group: str
    unit: str
    sas: str
    master: int
    period: int | None


def _money(group: str, name: str, label: str, sas: str = "") -> MeterSpec:
    return MeterSpec(name, Text("meter", label), group, "minor", sas)


def _count(group: str, name: str, label: str, sas: str = "") -> MeterSpec:
    return MeterSpec(name, Text("meter", label), group, "count", sas)


GROUPS: Final = ("play", "notes", "coins", "hopper", "pay-out", "occurrences", "games", "faults")

METERS: Final = (
    _money("play", "coin_in_minor", "Coin in (all stakes)", "00"),
    _money("play", "coin_out_minor", "Coin out (paid by play)", "01"),
    _money("play", "voided_minor", "Stakes of void rounds"),
    _money("play", "jackpot_won_minor", "Jackpots won"),
    _count("play", "jackpot_hits", "Jackpot hits"),
    _count("play", "games_played", "Games played", "05"),
    _count("play", "games_won", "Games won", "06"),
    _count("play", "games_lost", "Games lost", "07"),
    _count("play", "games_pushed", "Games pushed"),
    _count("play", "games_voided", "Games void"),
    _count("play", "games_since_power_up", "Games since power-up", "25"),
    _count("play", "games_since_door", "Games since the main door closed", "26"),
    _money("notes", "notes_in_minor", "Notes in", "0B"),
    _count("notes", "notes_in", "Notes taken"),
    _count("notes", "notes_returned", "Notes returned"),
    _count("notes", "notes_rejected", "Notes refused"),
    _money("notes", "notes_unresolved_minor", "Notes unaccounted for"),
    _money("notes", "notes_since_play_minor", "Notes since the last round"),
    _money("coins", "coins_in_minor", "Coins in", "08"),
    _count("coins", "coins_in", "Coins taken"),
    _money("coins", "coins_to_hopper_minor", "Coins to the hopper"),
    _money("coins", "coins_to_box_minor", "Coins to the cash box", "0A"),
    _money("coins", "coins_since_play_minor", "Coins since the last round"),
    _count("coins", "coins_tested", "Test coins let in"),
    _money("coins", "coins_tested_minor", "Test coins let in, amount"),
    _money("coins", "drop_minor", "Drop (into the cash box)", "24"),
    _count("coins", "collections", "Cash box collections"),
    _money("coins", "collected_minor", "Collected from the cash box"),
    _money("hopper", "hopper_paid_minor", "Paid by the hopper", "09"),
    _count("hopper", "hopper_coins", "Coins from the hopper"),
    _money("hopper", "hopper_extra_minor", "Extra coins from the hopper"),
    _count("hopper", "hopper_refills", "Hopper refills"),
    _count("hopper", "hopper_refilled_coins", "Coins refilled"),
    _money("hopper", "hopper_refilled_minor", "Refilled into the hopper"),
    _count("hopper", "hopper_test_coins", "Test coins from the hopper"),
    _money("hopper", "hopper_test_minor", "Test coins from the hopper, amount"),
    _count("pay-out", "cash_outs", "Cash-outs"),
    _money("pay-out", "cashed_out_minor", "Cashed out"),
    _money("pay-out", "cancelled_credit_minor", "Cancelled credits (to be paid by hand)", "04"),
    _count("pay-out", "handpays", "Handpays"),
    _money("pay-out", "handpaid_minor", "Paid by hand", "03"),
    _count("occurrences", "power_resets", "Starts"),
    _count("occurrences", "power_losses", "Power losses"),
    _count("occurrences", "door.main.opened", "Main door opened"),
    _count("occurrences", "door.cash_box.opened", "Cash box door opened"),
    _count("occurrences", "door.logic.opened", "Logic door opened"),
    _count("occurrences", "memory_rebuilds", "Copies of the memory made anew"),
    _count("occurrences", "settings_changed", "Settings changed"),
    _count("occurrences", "hard_meter_in_tests", "Test steps of the hard meter in"),
    _count("occurrences", "hard_meter_out_tests", "Test steps of the hard meter out"),
)
"""The meters that every terminal has. Those by denomination, game and fault follow from what was counted."""

_GAME_METERS: Final = (
    _count("games", "games_played", "{game}: played"),
    _count("games", "games_won", "{game}: won"),
    _count("games", "games_lost", "{game}: lost"),
    _count("games", "games_pushed", "{game}: pushed"),
    _money("games", "coin_in_minor", "{game}: coin in"),
    _money("games", "coin_out_minor", "{game}: coin out"),
    _money("games", "voided_minor", "{game}: void"),
    _count("games", "jackpot_hits", "{game}: jackpot hits"),
    _money("games", "jackpot_won_minor", "{game}: jackpots won"),
)


def meter_specs(names: frozenset[str]) -> tuple[MeterSpec, ...]:
    """Return the list of meters for a terminal on which meters of these names have moved."""
    return (*METERS, *_by_denomination(names), *_by_game(names), *_by_fault(names))


def meter_lines(recorded: Recorded) -> tuple[MeterLine, ...]:
    """Return all meters as they stand, master and period."""
    books, periods = recorded.books, recorded.periods
    period = periods.meters(books.meters)
    return tuple(
        MeterLine(
            spec.name,
            spec.label,
            spec.group,
            spec.unit,
            spec.sas,
            books.meter(spec.name),
            None if spec.name in SINCE_METERS else period.get(spec.name, 0),
        )
        for spec in meter_specs(frozenset(books.meters))
    )


def _by_denomination(names: frozenset[str]) -> Iterator[MeterSpec]:
    for prefix in ("notes.", "coins."):
        for value_minor in sorted(int(name.split(".")[1]) for name in names if name.startswith(prefix)):
            args = (("amount", Money(value_minor)),)
            is_note = prefix == "notes."
            label = Text("meter", "Notes of {amount}", args) if is_note else Text("meter", "Coins of {amount}", args)
            yield MeterSpec(f"{prefix}{value_minor}.count", label, prefix[:-1], "count")


def _by_game(names: frozenset[str]) -> Iterator[MeterSpec]:
    for game in sorted({name.split(".")[1] for name in names if name.startswith("game.")}):
        for spec in _GAME_METERS:
            name = f"game.{game}.{spec.name}"
            if name in names:
                yield MeterSpec(name, replace(spec.label, args=(("game", GAMES.get(game, game)),)), "games", spec.unit)


def _by_fault(names: frozenset[str]) -> Iterator[MeterSpec]:
    for name in sorted(name for name in names if name.startswith("fault.")):
        code = name.removeprefix("fault.")
        title = FAULTS[code].title if code in FAULTS else Text("fault", "Unknown fault")
        yield MeterSpec(name, Text("meter", "{code} {title}", (("code", code), ("title", title))), "faults", "count")
