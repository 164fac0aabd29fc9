"""Sounds: made whole, balanced, played at the volume set, and done without where there is no device."""

import itertools
import subprocess
import sys
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pygame
import pytest
from pytest_mock import MockerFixture

from display.sound import CHANNELS, VOLUME_STEPS, SoundPlayer
from display.sounds import library
from display.sounds.synth import RATE_HZ, low_pass, mode, noise, shaped, to_samples


@pytest.fixture(scope="module")
def sound_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sounds")


@pytest.fixture
def player(sound_folder: Path) -> Iterator[SoundPlayer]:
    opened = SoundPlayer(sound_folder)
    assert opened.wait_until_ready(60)
    yield opened
    opened.close()


@cache
def left(name: str) -> "array[int]":
    samples = array("h", library.samples(name))
    return samples[::2]


@pytest.mark.parametrize("name", library.SOUNDS)
def test_sound_is_heard_ends_in_silence_and_never_clips(name: str) -> None:
    samples = left(name)
    assert 0.04 < len(samples) / RATE_HZ < 3
    assert 8_000 < max(map(abs, samples)) < 32_767
    assert max(map(abs, samples[-20:])) < 600
    assert abs(samples[0]) < 3_000


def test_nothing_routine_is_louder_than_a_win() -> None:
    routine = max(max(map(abs, left(name))) for name in ("deal", "flip", "chip", "button", "lose", "coin"))
    assert routine < max(map(abs, left("win_small")))


def test_wins_grow_longer_with_what_is_won() -> None:
    lengths = [len(left(name)) for name in ("win_small", "win_large", "big_win")]
    assert lengths == sorted(set(lengths))


def test_mode_rings_at_its_frequency_and_decays() -> None:
    signal = mode(1000, 0.5, 0.5)
    crossings = sum(1 for a, b in itertools.pairwise(signal) if a < 0 <= b)
    assert crossings / 0.5 == pytest.approx(1000, rel=0.02)
    assert max(map(abs, signal[-5000:])) < 0.05 * max(map(abs, signal[:5000]))


def test_low_pass_takes_the_highs() -> None:
    hiss = noise(0.2, 1)
    dull = low_pass(hiss, 300)

    def roughness(signal: list[float]) -> float:
        return sum(abs(b - a) for a, b in itertools.pairwise(signal)) / sum(map(abs, signal))

    assert roughness(dull) < roughness(hiss) / 4


def test_same_seed_gives_the_same_noise() -> None:
    assert noise(0.01, 7) == noise(0.01, 7)
    assert noise(0.01, 7) != noise(0.01, 8)


def test_silence_stays_silent() -> None:
    assert set(to_samples(shaped([0.0] * 100, 0.001, 0.1), 0.5)) == {0}


def test_sound_plays_at_the_volume_set(player: SoundPlayer, mocker: MockerFixture) -> None:
    channel = mocker.patch("display.sound.pygame.mixer.find_channel").return_value
    player.set_volume(2)
    assert player.play("chip")
    channel.set_volume.assert_called_once_with(VOLUME_STEPS[2])


@pytest.mark.parametrize(("name", "sides"), [("left:chip", (1, 0)), ("right:chip", (0, 1))])
def test_one_loudspeaker_alone_can_be_tried(
    player: SoundPlayer, mocker: MockerFixture, name: str, sides: tuple[int, int]
) -> None:
    channel = mocker.patch("display.sound.pygame.mixer.find_channel").return_value
    player.play_all((name,))
    channel.set_volume.assert_called_once_with(*(VOLUME_STEPS[3] * side for side in sides))


def test_muted_terminal_is_silent_but_for_alarms(player: SoundPlayer) -> None:
    player.set_volume(0)
    assert not player.play("big_win")
    assert player.play("alarm")


def test_volume_outside_the_steps_is_cut_to_the_range(player: SoundPlayer) -> None:
    player.set_volume(99)
    assert player.play("deal")
    player.set_volume(-3)
    assert not player.play("deal")


def test_name_of_another_version_is_left_out(player: SoundPlayer, mocker: MockerFixture) -> None:
    played = mocker.spy(player, "play")
    player.play_all(("deal", "a sound of another version", "chip"))
    assert [call.args[0] for call in played.call_args_list] == ["deal", "chip"]


def test_a_storm_of_sounds_takes_no_more_than_the_mixer_has_and_leaves_the_alarm_its_place(player: SoundPlayer) -> None:
    assert player.play("alarm")
    alarm = pygame.mixer.Channel(0).get_sound()
    pygame.mixer.Channel(0).pause()  # or it would end while a slow machine makes the storm
    for _ in range(60):
        player.play_all(library.SOUNDS[:-3])
    busy = [number for number in range(pygame.mixer.get_num_channels()) if pygame.mixer.Channel(number).get_busy()]
    assert len(busy) <= CHANNELS
    assert pygame.mixer.get_num_channels() == CHANNELS
    assert pygame.mixer.Channel(0).get_sound() is alarm


def test_unknown_sound_is_refused(player: SoundPlayer) -> None:
    with pytest.raises(KeyError, match="fanfare"):
        player.play("fanfare")


def test_no_sound_device_means_silence_and_a_reason(mocker: MockerFixture) -> None:
    mocker.patch("display.sound.pygame.mixer.init", side_effect=pygame.error("no device"))
    silent = SoundPlayer()
    assert not silent.available
    assert silent.problem is not None
    assert "no device" in silent.problem
    assert not silent.play("deal")
    silent.close()


def test_sounds_are_kept_for_the_next_start(player: SoundPlayer, sound_folder: Path, mocker: MockerFixture) -> None:
    made = mocker.patch("display.sound.library.samples", side_effect=AssertionError("made again"))
    player.close()
    again = SoundPlayer(sound_folder)
    assert again.wait_until_ready(60)
    made.assert_not_called()
    pygame.mixer.quit()


def test_a_mixer_that_lacks_a_library_of_the_system_is_done_without() -> None:
    # What pygame is left with on a Debian without libglib: its other modules load.
    code = (
        "import sys; sys.modules['pygame.mixer'] = None\n"
        "from display.sound import SoundPlayer\n"
        "player = SoundPlayer()\n"
        "player.play('alarm')\n"
        "player.close()\n"
        "print(player.problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "no sound: mixer module not available" in done.stdout
