from pathlib import Path

import pytest

from firmware import cli
from firmware.errors import ConfigError
from firmware.settings.loader import check, load_settings
from tests.settings.samples import CABINET, SIMULATOR, changed

CONFIG = Path(__file__).parents[2] / "config"


def refusal(path: Path) -> list[str]:
    with pytest.raises(ConfigError) as refused:
        load_settings(path)
    return list(refused.value.problems)


def lines(changes: dict[str, object], base: str = SIMULATOR) -> list[str]:
    """Problems of a changed sample, as `key: found X, expected Y`."""
    _, problems = check(changed(base, changes))
    return [f"{problem.key}: found {problem.found}, expected {problem.expected}" for problem in problems]


@pytest.mark.parametrize("name", ["cabinet.toml", "simulator.toml"])
def test_shipped_configuration_loads(name: str) -> None:
    settings = load_settings(CONFIG / name)
    assert settings.terminal.mode == name.removesuffix(".toml")
    assert settings.terminal.languages == ("en", "ru")


@pytest.mark.parametrize("sample", [SIMULATOR, CABINET])
def test_samples_are_correct(sample: str) -> None:
    assert lines({}, sample) == []


def test_relative_and_home_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    file = tmp_path / "one.toml"
    file.write_text(
        SIMULATOR.replace('data_dir = "data"', 'data_dir = "data"\nmirror_dir = "~/mirror"'), encoding="utf-8"
    )
    storage = load_settings(file).storage
    assert storage.data_dir == tmp_path / "data"
    assert storage.mirror_dir == Path("/home/someone/mirror")
    assert storage.anchor_file is None


def test_all_mistakes_are_reported_at_once_each_with_file_key_found_and_expected(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(
        """
        colour = "green"
        [terminal]
        id = 7
        mode = "simulator"
        [storage]
        data_dir = "data"
        [limits]
        credit_limit_minor = "much"
        hopper_limit_minor = -5
        [gpio]
        backend = "simulated"
        sample_periods_ms = 5
        [gpio.buttons]
        b1 = 5
        b2 = 5
        b3 = 40
        """,
        encoding="utf-8",
    )
    assert sorted(refusal(file)) == sorted(
        [
            f"{file}: colour: found an unknown key, expected one of terminal, currency, storage, reports, access, limits, notes, coins, games, "
            "devices, gpio, display, sound, player",
            f"{file}: terminal.id: found 7, expected text in quotes",
            f'{file}: limits.credit_limit_minor: found "much", expected a whole number from 1 to 1000000000000 (minor)',
            f"{file}: limits.hopper_limit_minor: found -5, expected a whole number from 0 to 1000000000000 (minor)",
            f'{file}: gpio.sample_periods_ms: found an unknown key, expected "sample_period_ms"',
            f"{file}: gpio.buttons.b3.pin: found 40, expected a whole number from 0 to 27",
            f"{file}: gpio.buttons.b2: found pin 5, which gpio.buttons.b1 has as well, expected a pin of its own",
        ]
    )


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("terminal.mode", "real", 'terminal.mode: found "real", expected one of "simulator", "demo", "cabinet"'),
        (
            "terminal.id",
            "no spaces",
            'terminal.id: found "no spaces", expected text that matches ^[A-Za-z0-9_-]{1,16}$',
        ),
        ("terminal.languages", [], "terminal.languages: found an empty list, expected at least 1 of them"),
        ("terminal.languages", "en", 'terminal.languages: found "en", expected a list in square brackets'),
        ("terminal.venue", "x" * 61, f'terminal.venue: found "{"x" * 56}..., expected at most 60 characters'),
        ("display.fullscreen", 1, "display.fullscreen: found 1, expected true or false"),
        ("display.rotation_degrees", 45, "display.rotation_degrees: found 45, expected one of 0, 90, 180, 270"),
        ("display.width_px", True, "display.width_px: found true, expected a whole number from 640 to 7680 (px)"),
        ("sound.volume_percent", 50.0, "sound.volume_percent: found 50.0, expected a whole number from 0 to 100 (%)"),
        ("sound.volume_percent", 101, "sound.volume_percent: found 101, expected a whole number from 0 to 100 (%)"),
        ("limits.volume_percent", 5, "limits.volume_percent: found an unknown key, expected sound.volume_percent"),
        ("notes.accepted_minor", [500, -1], "notes.accepted_minor.1: found -1, expected a whole number, at least 1"),
        ("coins.channels", {"x": 5}, 'coins.channels.x: found "x", expected a whole number'),
        ("devices.hopper", 3, "devices.hopper: found 3, expected a table"),
        ("gpio.doors", {"main": True}, "gpio.doors.main: found true, expected a pin's number, or a table with pin"),
        (
            "gpio.doors",
            {"front": 4},
            'gpio.doors.front: found an unknown key, expected one of "main", "cash_box", "logic"',
        ),
        (
            "gpio.lamps",
            {"b1": {"pin": 4, "pul": "up"}},
            "gpio.lamps.b1.pul: found an unknown key, expected one of pin, active",
        ),
        ("storage.data_dir", 5, "storage.data_dir: found 5, expected text in quotes"),
    ],
)
def test_wrong_value_says_what_was_found_and_what_is_expected(key: str, value: object, expected: str) -> None:
    assert lines({key: value}) == [expected]


def test_missing_required_settings_are_named(tmp_path: Path) -> None:
    file = tmp_path / "empty.toml"
    file.write_text("[terminal]\n", encoding="utf-8")
    assert refusal(file) == [
        f"{file}: terminal.id: found nothing, expected text (Name of this machine in its journal and reports)",
        f'{file}: terminal.mode: found nothing, expected one of "simulator", "demo", "cabinet"',
        f"{file}: storage: found nothing, expected a table with data_dir",
    ]


def test_file_that_is_not_toml_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("[terminal]\nid = \n", encoding="utf-8")
    (line,) = refusal(file)
    assert line.startswith(f"{file}: is not TOML: ")
    assert "line 2" in line


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000, "\0", "[terminal]\n[terminal]\n"])
def test_hostile_text_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hostile.toml"
    file.write_text(text, encoding="utf-8")
    (line,) = refusal(file)
    assert line.startswith(f"{file}: is not TOML: ")
    assert len(line) < 300


def test_missing_file_folder_and_bytes_are_refused_in_one_line(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"id = \xff\xfe")
    assert refusal(tmp_path / "none.toml")[0].endswith(
        "found no such file, expected a configuration such as config/simulator.toml"
    )
    assert refusal(tmp_path) == [f"{tmp_path}: cannot be read: Is a directory"]
    assert refusal(binary) == [f"{binary}: found a byte that is not UTF-8 at offset 5, expected a text file"]


def test_command_line_prints_every_problem_without_traceback_and_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("[terminal]\n[sound]\nvolume_percent = 500\n", encoding="utf-8")

    def command(_: object) -> int:
        load_settings(file)
        return 0

    monkeypatch.setattr("firmware.selftest.command", command)
    assert cli.run(["test"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert [line.split(": found")[0] for line in printed.err.splitlines()] == [
        f"{file}: terminal.id",
        f"{file}: terminal.mode",
        f"{file}: storage",
        f"{file}: sound.volume_percent",
    ]
