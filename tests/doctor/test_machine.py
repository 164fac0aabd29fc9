"""What the doctor says of the machine, with one thing wrong at a time."""

import importlib.util
import json
import os
import shutil
import tempfile
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from display.frame_buffer import FrameBuffer, Layout
from firmware.cli import run
from firmware.clock import ManualClock
from firmware.doctor import host, ports, screen
from firmware.doctor.finding import Finding
from firmware.rng.source import RandomnessError
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.terminal.state import Recorded
from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.errors import PortError
from hal.wiring import Gpio, PulseCoins, Wiring
from tests.support.cabinet import ROOT, settings_for

Usage = namedtuple("Usage", "total used free")


def only(findings: list[Finding], subject: str, verdict: str) -> Finding:
    (finding,) = [each for each in findings if (each.subject, each.verdict) == (subject, verdict)]
    return finding


def with_storage(tmp_path: Path, **places: Path | None) -> Settings:
    settings = settings_for(tmp_path / "data")
    return settings.model_copy(update={"storage": settings.storage.model_copy(update=places)})


def test_setuptools_in_the_environment_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert [each.verdict for each in host.python()] == ["ok"]
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
    (finding,) = host.python()
    assert (finding.verdict, "pip uninstall setuptools" in finding.remedy) == ("warning", True)


class _Stuck:
    def take(self, count: int) -> bytes:
        raise RandomnessError(f"{count}: repetition count")


def test_randomness_that_fails_its_test_is_a_failure() -> None:
    assert [each.verdict for each in host.randomness()] == ["ok"]
    (finding,) = host.randomness(_Stuck())
    assert (finding.verdict, "replace the board" in finding.remedy) == ("failed", True)


@pytest.mark.parametrize(
    ("wall_ms", "recorded", "words"),
    [
        (0, None, "never set"),
        (1_800_000_000_000, Recorded(last_at_ms=1_800_000_005_000), "5 s behind the journal"),
    ],
)
def test_a_clock_that_can_not_be_right_is_a_failure(
    wall_ms: int, recorded: Recorded | None, words: str, tmp_path: Path
) -> None:
    findings = list(host.clock(settings_for(tmp_path), ManualClock(wall_ms), recorded))
    assert words in only(findings, "clock", "failed").found


def test_a_clock_that_nothing_keeps_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "RTC", tmp_path / "none")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    findings = list(host.clock(settings_for(tmp_path), ManualClock(1_800_000_000_000), None))
    assert "real-time clock" in only(findings, "clock", "warning").remedy
    assert only(findings, "clock", "ok").remedy == ""


def test_an_unknown_time_zone_is_a_failure(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    terminal = settings.terminal.model_copy(update={"time_zone": "Nowhere/Town"})
    findings = list(host.clock(settings.model_copy(update={"terminal": terminal}), ManualClock(), None))
    assert only(findings, "time zone", "failed").remedy == "install tzdata"


def cabinet() -> Settings:
    return load_settings(ROOT / "config" / "cabinet.toml")


def test_whoever_examines_a_cabinet_as_root_is_told_that_it_proves_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "sudo -u croupier" in only(list(host.user(cabinet())), "user", "warning").remedy
    monkeypatch.setattr(os, "geteuid", lambda: 991)
    assert only(list(host.user(cabinet())), "user", "ok").remedy == ""


@pytest.mark.parametrize(
    ("state", "verdict", "words"),
    [("active", "ok", "15 s"), ("inactive", "warning", "nobody feeds it"), ("", "warning", "has none")],
)
def test_a_watchdog_of_the_board_that_nobody_feeds_is_a_warning(
    state: str, verdict: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "WATCHDOG", tmp_path)
    if state:
        (tmp_path / "state").write_text(f"{state}\n", encoding="ascii")
        (tmp_path / "timeout").write_text("15\n", encoding="ascii")
    assert words in only(list(host.watchdog(cabinet())), "watchdog", verdict).found


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("25 1 179:2 / / ro,noatime - ext4 /dev/mmcblk0p2 ro", "ok"),
        ("25 1 0:20 / / rw - overlay overlayroot rw,lowerdir=/x", "ok"),
        # The service's own view of a root that can be written.
        ("25 1 179:2 / / ro,relatime - ext4 /dev/mmcblk0p2 rw", "warning"),
        ("25 1 179:2 / /mnt ro - ext4 /dev/sda1 ro", "skipped"),
    ],
)
def test_a_root_that_can_be_written_is_a_warning_on_a_cabinet_alone(
    line: str, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(line + "\n", encoding="ascii")
    monkeypatch.setattr("firmware.machine_facts.MOUNTS", mounts)
    only(list(host.root(cabinet())), "root", verdict)
    assert not list(host.root(settings_for(tmp_path)))
    assert not [*host.user(settings_for(tmp_path)), *host.watchdog(settings_for(tmp_path))]


def test_a_full_medium_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "writable" in only(list(host.storage(with_storage(tmp_path))), "storage.data_dir", "ok").found
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 5 << 20))
    assert "5 MiB free" in only(list(host.storage(with_storage(tmp_path))), "storage.data_dir", "failed").found


def test_a_medium_that_can_not_be_written_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> NoReturn:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    finding = only(list(host.storage(with_storage(tmp_path))), "storage.data_dir", "failed")
    assert "Read-only file system" in finding.found


@pytest.mark.parametrize(("kind", "words"), [("tmpfs", "forgets when the power goes"), ("vfat", "may lose")])
def test_a_medium_that_forgets_is_a_warning(
    kind: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"root / ext4 rw 0 0\nx {tmp_path} {kind} rw 0 0\n", encoding="utf-8")
    monkeypatch.setattr(host, "MOUNTS", mounts)
    assert words in only(list(host.storage(with_storage(tmp_path))), "storage.data_dir", "warning").found


def test_copies_on_one_medium_and_a_missing_mirror_are_told(tmp_path: Path) -> None:
    assert "no second copy" in only(list(host.storage(with_storage(tmp_path))), "storage.mirror_dir", "warning").found
    mirror = tmp_path / "mirror"
    settings = with_storage(tmp_path, mirror_dir=mirror, anchor_file=tmp_path / "anchor")
    assert "is not there" in only(list(host.storage(settings)), "storage.mirror_dir", "failed").found
    mirror.mkdir()
    findings = list(host.storage(settings))
    assert "same medium" in only(findings, "storage.mirror_dir", "warning").found
    assert "same medium" in only(findings, "storage.anchor_file", "warning").found


def test_a_damaged_journal_is_a_failure_and_none_is_nothing(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    assert host.journal(settings)[0].verdict == "skipped"
    (tmp_path / "journal.sqlite").write_bytes(b"no database at all" * 100)
    assert host.journal(settings)[0].verdict == "failed"


def test_a_screen_that_does_not_come_is_a_failure_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(screen, "driver_of", lambda name: "")
    assert [each.verdict for each in screen.display()] == ["failed"]
    assert [each.verdict for each in screen.display(needed=False)] == ["warning"]
    monkeypatch.setattr(screen, "driver_of", lambda name: "kmsdrm" if name == "kmsdrm" else "")
    assert [each.found for each in screen.display()] == ["works with kmsdrm"]
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    assert [each.verdict for each in screen.display()] == ["failed"]


def test_a_pygame_that_can_not_draw_on_a_console_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(screen, "driver_of", lambda name: "")
    monkeypatch.setattr(screen, "compiled_drivers", lambda: ("x11", "wayland", "dummy"))
    (finding,) = screen.display()
    assert "without KMSDRM" in finding.remedy
    assert "install.sh --display kmsdrm" in finding.remedy
    monkeypatch.setattr(screen, "compiled_drivers", lambda: ("kmsdrm", "x11", "dummy"))
    (finding,) = screen.display()
    assert "without KMSDRM" not in finding.remedy


def test_what_a_pygame_was_built_with_is_asked_of_it() -> None:
    assert {"x11", "dummy"} <= set(screen.compiled_drivers())


def test_the_frame_buffer_is_looked_at_where_it_is_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout(800, 480, 1600, 16, (0xF800, 0x7E0, 0x1F))
    (tmp_path / "fb0").write_bytes(bytes(layout.length))
    monkeypatch.setattr(screen, "FrameBuffer", lambda: FrameBuffer(tmp_path / "fb0", layout))
    assert [each.found for each in screen.frame_buffer()] == ["/dev/fb0: 800×480, 16 bits"]
    monkeypatch.setattr(screen, "FrameBuffer", lambda: FrameBuffer(tmp_path / "fb1"))
    (finding,) = screen.frame_buffer()
    assert (finding.verdict, finding.found.partition(": ")[2]) == ("failed", "there is no frame buffer")
    assert "display.driver" in finding.remedy


def test_each_driver_is_really_tried() -> None:
    assert screen.driver_of("dummy") == "dummy"
    assert screen.driver_of("no_such_driver") == ""


def test_missing_fonts_and_sound_are_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.verdict for each in screen.fonts()] == ["ok"]
    monkeypatch.setattr("display.fonts.font_file", lambda _: None)
    (finding,) = screen.fonts()
    assert (finding.verdict, "fonts-dejavu-core" in finding.remedy) == ("warning", True)
    monkeypatch.setattr("display.sound._may_have_a_device", lambda: False)
    (finding,) = screen.sound()
    assert (finding.verdict, "no sound card" in finding.found) == ("warning", True)
    lacking = "no sound: mixer module not available (ImportError: libgthread-2.0.so.0: cannot open shared object file)"
    monkeypatch.setattr(screen, "SoundPlayer", lambda: SimpleNamespace(problem=lacking, close=lambda: None))
    (finding,) = screen.sound()
    assert "install libglib2.0-0" in finding.remedy


def gpio(*outputs: OutputPin) -> Wiring:
    panel = Gpio("gpiod", (InputPin("coin.pulses", 5),), (OutputPin("coin.inhibit", 9), *outputs))
    return Wiring(panel, "EUR", "EU", coins=PulseCoins({1: 50, 2: 100}))


def test_the_chip_and_unwise_pins_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "find_chip", lambda _: "/dev/gpiochip4")
    findings = list(ports.pins(gpio(OutputPin("hopper.motor", 4))))
    assert only(findings, "gpio.chip", "ok").found == "/dev/gpiochip4"
    assert "pulled up while no program runs" in only(findings, "hopper.motor", "warning").found
    assert "1 and 1 pulses close together look like 2" in only(findings, "coin.pulses", "warning").found


def test_a_chip_that_is_not_there_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> NoReturn:
        raise PortError("no GPIO chip labelled x; the chips here: none")

    monkeypatch.setattr(ports, "find_chip", missing)
    finding = only(list(ports.pins(gpio())), "gpio.chip", "failed")
    assert (finding.found, finding.remedy) == ("no GPIO chip labelled x", "the chips here: none")


def test_the_command_prints_every_finding_with_its_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "c.toml"
    text = (ROOT / "config" / "simulator.toml").read_text(encoding="utf-8")
    config.write_text(text.replace("~/.local/share/croupier/simulator", str(tmp_path / "data")), encoding="utf-8")
    assert load_settings(config).storage.data_dir == tmp_path / "data"
    assert run(["doctor", "--config", str(config), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["failed"] == 0
    assert told["ok"] == sum(each["verdict"] == "ok" for each in told["findings"])
    assert all(each["remedy"] for each in told["findings"] if each["verdict"] == "warning")
    assert run(["doctor", "--config", str(config)]) == 0
    assert "no second copy" in capsys.readouterr().out


def test_a_refused_configuration_fails_with_its_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[terminal]\nid = "X"\nmode = "simulator"\n', encoding="utf-8")
    assert run(["doctor", "--config", str(config)]) == 1
    assert "FAILED   config" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--config", "/nowhere.toml"], ["--patience", "0"], ["--patience", "1e9"]])
def test_bad_use_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
