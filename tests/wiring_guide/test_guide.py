"""The wiring guide says what the settings and the fault table say; the drawings are whole, and nothing runs off them."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest

from firmware.cli import run
from firmware.settings.checks import pins
from firmware.terminal.faults import FAULTS
from firmware.wiring_guide.causes import CAUSES
from firmware.wiring_guide.command import NAMES, cabinets, files
from firmware.wiring_guide.guide import GuideError, blocks, drawings, with_blocks
from firmware.wiring_guide.header import PIN_COUNT, PLACES, POWER, signals_of
from firmware.wiring_guide.parts import parts_of
from tests.devices.test_examples import HEADER, SIGNALS
from tests.support.cabinet import ROOT

SVG = "{http://www.w3.org/2000/svg}"
CABINETS = cabinets()
DRAWINGS = drawings(CABINETS)


def test_the_committed_guide_is_the_one_that_is_made() -> None:
    for path, text in files(ROOT / "systemd").items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: ./croupier wiring --write"
    assert run(["wiring", "--check"]) == 0


def test_no_drawing_lies_about_that_nobody_makes() -> None:
    assert {path.name for path in (ROOT / "systemd" / "wiring").iterdir()} == set(DRAWINGS)


def test_every_drawing_and_every_link_of_the_page_is_there() -> None:
    page = (ROOT / "systemd" / "wiring.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\(wiring/([a-z-]+\.svg)\)", page))
    assert linked == set(DRAWINGS)


def test_the_header_is_the_pis_own() -> None:
    """Against the table that the tests of the examples keep for themselves."""
    assert PLACES == HEADER
    assert sorted([*PLACES.values(), *POWER]) == list(range(1, PIN_COUNT + 1))


@pytest.mark.parametrize("name", NAMES)
def test_every_pin_of_a_cabinet_is_drawn_once_with_its_name(name: str) -> None:
    settings = CABINETS[name]
    words = [text.text for text in ElementTree.fromstring(DRAWINGS[f"header-{name}.svg"]).iter(f"{SVG}text")]
    for key, pin in pins(settings):
        label = key.removeprefix("gpio.")
        drawn = {f"{label}  GPIO{pin.pin}", f"GPIO{pin.pin}  {label}"} & set(words)
        assert len(drawn) == 1, key
    assert Counter(words)["button to ground"] == len(settings.gpio.buttons)


@pytest.mark.parametrize("name", NAMES)
def test_kinds_are_called_as_in_the_examples_tables(name: str) -> None:
    for signal in signals_of(CABINETS[name]):
        kind = next(part for part in reversed(signal.key.split(".")) if part in SIGNALS)
        assert signal.kind.words == SIGNALS[kind]


def test_a_pin_that_moves_in_the_settings_moves_in_drawing_and_table() -> None:
    settings = CABINETS["kiosk"]
    moved = settings.gpio.model_copy(update={"keys": {**settings.gpio.keys, "operator": settings.gpio.doors["main"]}})
    changed = {**CABINETS, "kiosk": settings.model_copy(update={"gpio": moved})}
    assert drawings(changed)["header-kiosk.svg"] != DRAWINGS["header-kiosk.svg"]
    assert blocks(changed)["pins kiosk"] != blocks(CABINETS)["pins kiosk"]
    assert drawings(changed)["header-awp.svg"] == DRAWINGS["header-awp.svg"]


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_well_formed_and_its_words_stay_on_it(name: str) -> None:
    root = ElementTree.fromstring(DRAWINGS[name])
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    for text in root.iter(f"{SVG}text"):
        long = len(text.text or "") * int(text.attrib["font-size"]) * (0.68 if "font-weight" in text.attrib else 0.6)
        x = int(text.attrib["x"])
        begin = x - {"start": 0.0, "middle": long / 2, "end": long}[text.attrib["text-anchor"]]
        assert begin >= 0, text.text
        assert begin + long <= width, text.text
        assert int(text.attrib["font-size"]) <= int(text.attrib["y"]) <= height, text.text


def test_parts_are_counted_from_the_settings() -> None:
    awp = {(part.what, part.use): part.count for part in parts_of(CABINETS["awp"])}
    assert awp["push button with a lamp, 12 V", "play"] == 3
    assert awp["push button, closes to ground", "play"] == 3
    assert awp["diode 1N4007", "across each coil"] == 2
    assert awp["ccTalk adapter, USB, open collector at 5 V", "one for all devices on the wire"] == 1
    hobby = {part.what: part.count for part in parts_of(CABINETS["hobby"])}
    assert hobby["optocoupler PC817 or 4N35"] == 1
    assert hobby["relay, 12 V coil, changes over 2 A"] == 1
    assert not any("printer" in part.what for part in parts_of(CABINETS["kiosk"]))
    assert any(part.what.startswith("printer, escpos") for part in parts_of(CABINETS["casino"]))
    assert any(part.what.startswith("USB stick") for part in parts_of(CABINETS["casino"]))
    for name in NAMES:
        assert all(part.count > 0 for part in parts_of(CABINETS[name]))


def test_every_fault_code_says_where_to_look_and_no_other() -> None:
    assert set(CAUSES) == set(FAULTS)


def test_a_page_that_asks_for_another_block_is_refused() -> None:
    made = {"a": "1\n"}
    assert with_blocks("<!-- made: a -->\nold\n<!-- end -->", made) == "<!-- made: a -->\n1\n<!-- end -->"
    for page in ("", "<!-- made: b -->\n<!-- end -->", "<!-- made: a -->\n<!-- end -->" * 2):
        with pytest.raises(GuideError, match="block"):
            with_blocks(page, made)


def test_the_drawing_of_ones_own_cabinet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = str(ROOT / "config" / "examples" / "cabinets" / "hobby.toml")
    assert run(["wiring", "--config", config]) == 0
    assert capsys.readouterr().out == DRAWINGS["header-hobby.svg"]
    assert run(["wiring", "--config", config, "--out", str(tmp_path / "header.svg")]) == 0
    assert (tmp_path / "header.svg").read_text(encoding="utf-8") == DRAWINGS["header-hobby.svg"]
    assert run(["wiring"]) == 2
    assert run(["wiring", "--config", config, "--out", str(tmp_path)]) == 2
