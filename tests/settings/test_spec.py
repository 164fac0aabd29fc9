from pathlib import Path

import pytest

from firmware.settings.checks import pins
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.settings.spec import SettingSpec, rows
from hal import interfaces

CABINET = Path(__file__).parents[2] / "config" / "cabinet.toml"
UNITS = {
    "_minor": "minor",
    "_ms": "ms",
    "_s": "s",
    "_min": "min",
    "_px": "px",
    "_percent": "%",
    "_degrees": "degrees",
    "_mib": "MiB",
}

SPECS = {spec.key: spec for spec in rows(Settings)}


def test_row_carries_what_a_menu_and_a_page_need() -> None:
    assert SPECS["sound.volume_percent"] == SettingSpec(
        key="sound.volume_percent",
        label="Volume",
        help_text="0 is silent",
        help_key="setting.sound.volume_percent",
        kind="whole number",
        unit="%",
        required=False,
        default=60,
        minimum=0,
        maximum=100,
        choices=(),
        access="attendant",
        setup_only=False,
    )
    assert SPECS["terminal.mode"].required
    assert SPECS["terminal.mode"].choices == ("simulator", "demo", "cabinet")
    assert SPECS["gpio.keys"].kind == "table"
    assert SPECS["gpio.hopper.motor"].kind == "pin"
    assert SPECS["notes.accepted_minor"].kind == "list"
    assert SPECS["storage.mirror_dir"].kind == "path"
    assert SPECS["terminal.seed"].kind == "whole number"


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_every_setting_is_labelled_and_explained_and_its_unit_is_in_its_name(spec: SettingSpec) -> None:
    assert spec.label
    assert spec.help_text
    for suffix, unit in UNITS.items():
        assert spec.key.endswith(suffix) <= (spec.unit == unit), f"{spec.key} has the unit {spec.unit!r}"
    if spec.kind == "whole number":
        assert spec.minimum is not None
        assert spec.maximum is not None


def test_labels_are_told_apart_within_their_table() -> None:
    labels = [(spec.key.rpartition(".")[0], spec.label) for spec in SPECS.values()]
    assert len(labels) == len(set(labels))


def test_names_of_the_panel_are_those_of_the_hardware_contract() -> None:
    settings = load_settings(CABINET)
    assert set(settings.gpio.buttons) <= set(interfaces.BUTTONS)
    names = {name: set(_key_names(name)) for name in ("buttons", "doors", "keys", "tower")}
    assert names == {
        "buttons": set(interfaces.BUTTONS),
        "doors": set(interfaces.DOORS),
        "keys": set(interfaces.KEYS),
        "tower": set(interfaces.TOWER_COLOURS),
    }


def _key_names(table: str) -> tuple[str, ...]:
    annotation = type(load_settings(CABINET).gpio).model_fields[table].annotation
    return tuple(annotation.__args__[0].__args__)  # type: ignore[union-attr]


def test_polarity_of_an_input_is_that_of_its_kind_unless_said() -> None:
    gpio = load_settings(CABINET).gpio
    assert gpio.buttons["b1"].active == "low"
    assert gpio.doors["main"].active == "high"
    assert gpio.lamps["b1"].active == "high"


def test_every_pin_of_the_example_cabinet_is_known_by_its_key() -> None:
    found = {key: pin.pin for key, pin in pins(load_settings(CABINET))}
    assert found["gpio.meters.in"] == 9
    assert found["gpio.keys.operator"] == 24
    assert len(found) == len(set(found.values()))
