"""The first picture as a file for the frame buffer."""

from pathlib import Path

import pygame
import pytest

from display.frame_buffer import Layout
from firmware.splash import write_splash


def test_it_is_the_frame_buffer_s_memory_with_the_starting_picture_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_EVDEV_DEVICES", "")
    layout = Layout(320, 180, 1_300, 32, (0xFF0000, 0xFF00, 0xFF), offset=8)
    write_splash(tmp_path / "splash", layout, "ru", "")
    pygame.display.quit()
    memory = (tmp_path / "splash").read_bytes()
    assert len(memory) == layout.length
    assert memory[:8] == bytes(8)
    assert memory[8 + 1_280 : 8 + 1_300] == bytes(20), "what lies between two lines is not ours"
    colours = {memory[at : at + 3] for at in range(8 + 90 * 1_300, 8 + 90 * 1_300 + 1_280, 4)}
    assert len(colours) > 20
