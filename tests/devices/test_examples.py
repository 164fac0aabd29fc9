"""The examples of cabinets are correct, and their wiring tables and the fault table say what the program says."""

from pathlib import Path
from typing import Final

import pytest

from firmware.devices import wiring_of
from firmware.settings.checks import pins
from firmware.settings.loader import load_settings
from firmware.settings.sections import ButtonPin, DoorPin, OutputPin, Pin
from firmware.terminal.faults import EVERYTHING, FAULTS, NO_MONEY, FaultRow
from hal.wiring import Gpio, PulseCoins, ambiguous_counts, boot_hints
from hal.wiring import check as check_wiring

FOLDER: Final = Path(__file__).parents[2] / "config" / "examples" / "cabinets"
CONFIGS: Final = sorted(FOLDER.glob("*.toml"))
README: Final = (FOLDER / "README.md").read_text(encoding="utf-8") if (FOLDER / "README.md").exists() else ""

HEADER: Final = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""BCM number -> place on the 40-pin header."""

SIGNALS: Final = {
    "buttons": "button to ground",
    "keys": "key switch to ground",
    "doors": "door switch to ground, closed while the door is closed",
    "lamps": "lamp driver, on when high",
    "tower": "tower light driver, on when high",
    "meters": "meter coil driver, on when high",
    "pulses": "optocoupler to ground, one pulse low",
    "inhibit": "relay or driver, coins are let in when high",
}


def pin_row(key: str, pin: Pin) -> str:
    """The row of a pin in a wiring table."""
    kind = next(part for part in reversed(key.split(".")) if part in SIGNALS)
    return f"| `{key}` | {pin.pin} | {HEADER[pin.pin]} | {SIGNALS[kind]} |"


def fault_row(row: FaultRow) -> str:
    """The row of a fault in the table of faults."""
    stops = {EVERYTHING: "play and money", NO_MONEY: "money in"}.get(row.stops, "nothing")
    ends = {"self": "itself", "ram_clear": "RAM clear", "restart": "a restart"}.get(row.clears, f"{row.clears} key")
    return f"| {row.code} | {row.title.message} | {stops} | {ends} | {row.remedy.message} |"


def section(name: str) -> str:
    """The part of the README about one file."""
    return README.partition(f"## {name}\n")[2].partition("\n## ")[0]


def test_the_four_cabinets_are_there() -> None:
    assert [path.stem for path in CONFIGS] == ["awp", "casino", "hobby", "kiosk"]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_an_example_is_correct_and_wise(path: Path) -> None:
    settings = load_settings(path)
    wiring = wiring_of(settings)
    check_wiring(wiring)
    assert settings.terminal.mode == "cabinet"
    assert isinstance(wiring.panel, Gpio)
    assert boot_hints(wiring.panel) == ()
    if isinstance(wiring.coins, PulseCoins):
        assert ambiguous_counts(wiring.coins.values_minor) == ()


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_wiring_table_is_that_of_the_file(path: Path) -> None:
    found = [line for line in section(f"{path.name}").splitlines() if line.startswith("| `gpio.")]
    assert found == [pin_row(key, pin) for key, pin in pins(load_settings(path))]


def test_signals_in_the_tables_have_the_polarity_of_the_files() -> None:
    for path in CONFIGS:
        for key, pin in pins(load_settings(path)):
            levels = {OutputPin: "high", DoorPin: "high", ButtonPin: "low"}
            assert getattr(pin, "active") == levels[type(pin)], key  # noqa: B009 - the class of all pins has no level


def test_the_fault_table_is_that_of_the_program() -> None:
    found = [line for line in section("Faults").splitlines() if line.startswith("| ") and line[2].isupper()]
    assert found == [fault_row(row) for row in FAULTS.values()]
