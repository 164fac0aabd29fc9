"""What a player hears at the terminal's screen: the real mixer on SDL's dummy device, a fake clock."""

import os
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from pytest_mock import MockerFixture

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from display.sound import CHANNELS, SoundPlayer
from display.view_model import View
from display.window import Window
from firmware.screen import TerminalScreen
from firmware.terminal_thread import TerminalThread
from tests.support.cabinet import CabinetUnderTest, settings_for

FRAME_MS = 16.0


class Desk:
    """A cabinet behind a screen whose time is ours, and everything the mixer was given."""

    def __init__(self, cabinet: CabinetUnderTest, mocker: MockerFixture, tmp_path: Path) -> None:
        self.cabinet = cabinet
        self.now_ms = 1000.0
        self.heard: list[str] = []
        self.most_at_once = 0
        mocker.patch("firmware.screen._now_ms", new=self.now)
        mocker.patch("display.window.pygame.event.get", return_value=[])
        self._play = SoundPlayer.play
        mocker.patch.object(SoundPlayer, "play", self.play)
        thread = mocker.create_autospec(TerminalThread, instance=True)
        type(thread).latest_view = property(lambda _: self.view)
        thread.error = None
        self.window = Window(size=(960, 540))
        self.screen = TerminalScreen(self.window, language="en", venue="", cache_dir=tmp_path, beside=lambda *_: ())
        assert self.screen._sound.wait_until_ready(60)
        self.screen.attach(thread)
        self.frames(3)

    @property
    def view(self) -> View:
        return self.cabinet.view

    def now(self) -> float:
        return self.now_ms

    def play(self, name: str) -> bool:
        was_heard = self._play(self.screen._sound, name)
        assert was_heard
        self.heard.append(name)
        busy = sum(pygame.mixer.Channel(number).get_busy() for number in range(CHANNELS))
        self.most_at_once = max(self.most_at_once, busy)
        return was_heard

    def frames(self, count: int) -> list[str]:
        """Show so many frames and return what was heard in them."""
        self.heard.clear()
        for _ in range(count):
            self.screen.frame(lambda _: False)
            self.now_ms += FRAME_MS
        return list(self.heard)


@pytest.fixture
def desk(tmp_path: Path, mocker: MockerFixture) -> Iterator[Desk]:
    cabinet = CabinetUnderTest(settings_for(tmp_path / "data"), seed=3)
    cabinet.boot()
    desk = Desk(cabinet, mocker, tmp_path / "cache")
    yield desk
    desk.screen.close()
    cabinet.close()


def test_attract_is_quiet(desk: Desk) -> None:
    assert desk.view.mode == "attract"
    assert desk.frames(1500) == []


def test_a_round_is_heard_as_it_is_seen(desk: Desk) -> None:
    desk.cabinet.insert_note(2000)
    assert desk.frames(60).count("credit") == 1
    desk.cabinet.sit_down("caribbean")
    desk.frames(30)
    desk.cabinet.touch("chip:500")
    desk.frames(30)
    desk.cabinet.touch("box:1:ante")
    assert desk.frames(60) == ["chip"]
    desk.cabinet.press("deal")
    dealt = desk.frames(300)
    assert dealt.count("deal") == 10
    assert dealt[0] == "deal"
    assert dealt.count("flip") == 6
    desk.cabinet.press("fold")
    end = desk.frames(300)
    assert end.count("lose") == 1
    assert end.index("lose") > 0
    assert "deal" not in end
    assert desk.most_at_once <= CHANNELS


def test_nothing_is_heard_again_when_the_view_changes_for_another_reason(desk: Desk) -> None:
    desk.cabinet.insert_note(2000)
    desk.frames(60)
    desk.cabinet.touch("lang")
    assert "credit" not in desk.frames(60)
