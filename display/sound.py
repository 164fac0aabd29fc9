"""Plays the terminal's sounds; silent, with a reason, where there is no sound device.

Sounds are made on a thread of their own at start and kept in the cache folder, so nobody waits for them; one that is not ready yet is
left out. Latency is two mixer buffers (2 x 512 samples at 48 kHz, 21 ms) at most. Not responsible for when a
sound is due (`display.cues`) or for the limits of the volume.
"""

import hashlib
import os
import sys
import threading
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pygame

from display.sounds import library, synth

BUFFER_SAMPLES = 512
CHANNELS = 12
VOLUME_STEPS = (0.0, 0.18, 0.38, 0.65, 1.0)
"""Gain by volume step, 0 (mute) to 4: about equal steps to the ear."""
_ALARMS = frozenset({"alarm"})


class SoundPlayer:
    """The mixer and the sounds."""

    def __init__(self, cache_dir: Path | None = None, volume: int = 3) -> None:
        """Open the sound device if there is one, and begin to make the sounds."""
        self.problem: str | None = None
        """Why nothing can be heard, for the operator; None when all is well."""
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._volume = volume
        self._last_taken = 0
        try:
            pygame.mixer.get_init()
        except RuntimeError as error:  # its module lacks a library of the system
            self.problem = f"no sound: {error}"
            return
        if not _may_have_a_device():
            self.problem = "no sound: there is no sound card"
            return
        try:
            pygame.mixer.init(synth.RATE_HZ, -16, 2, BUFFER_SAMPLES, allowedchanges=0)
        except pygame.error as error:
            self.problem = f"no sound: {error}"
            return
        pygame.mixer.set_num_channels(CHANNELS)
        pygame.mixer.set_reserved(1)
        self._maker = threading.Thread(target=self._make, args=(cache_dir,), name="sounds", daemon=True)
        self._maker.start()

    @property
    def available(self) -> bool:
        """Tell whether there is a sound device."""
        return self.problem is None

    def wait_until_ready(self, seconds: float) -> bool:
        """Wait for the sounds to be made; tell whether they are."""
        if self.available:
            self._maker.join(seconds)
        return len(self._sounds) == len(library.SOUNDS)

    def set_volume(self, step: int) -> None:
        """Set the volume, 0 (mute) to 4; values outside are cut to the range."""
        self._volume = max(0, min(len(VOLUME_STEPS) - 1, step))

    def play(self, name: str) -> bool:
        """Play a sound, ``left:`` or ``right:`` before its name for one loudspeaker alone; tell whether it is heard.

        An alarm is heard at half volume at least, whatever the player set.
        """
        side, _, name = name.rpartition(":")
        if name not in library.SOUNDS:
            raise KeyError(f"no sound is named {name}")
        sound = self._sounds.get(name)
        gain = VOLUME_STEPS[self._volume]
        if name in _ALARMS:
            gain = max(gain, VOLUME_STEPS[3])
        if not self.available or sound is None or gain == 0:
            return False
        channel = pygame.mixer.Channel(0) if name in _ALARMS else self._free_channel()
        if side:
            channel.set_volume(gain if side == "left" else 0.0, gain if side == "right" else 0.0)
        else:
            channel.set_volume(gain)
        channel.play(sound)
        return True

    def _free_channel(self) -> "pygame.mixer.Channel":
        """Return a channel that is silent, else the next in turn, never the alarm's: pygame's own choice by force takes it."""
        # None when all are busy, whatever the stubs say.
        if (free := cast("pygame.mixer.Channel | None", pygame.mixer.find_channel())) is not None:
            return free
        self._last_taken = self._last_taken % (CHANNELS - 1) + 1
        return pygame.mixer.Channel(self._last_taken)

    def play_all(self, names: Iterable[str]) -> None:
        """Play sounds together; a name this version does not know is left out."""
        for name in names:
            if name.rpartition(":")[2] in library.SOUNDS:
                self.play(name)

    def close(self) -> None:
        """Close the sound device."""
        if self.available:
            pygame.mixer.quit()

    def _make(self, cache_dir: Path | None) -> None:
        for name in library.SOUNDS:
            data = _cached(name, cache_dir)
            try:
                self._sounds[name] = pygame.mixer.Sound(buffer=data)
            except pygame.error:
                # The device was closed meanwhile.
                return


def _may_have_a_device() -> bool:
    """Tell whether it is worth asking for a device. On a Linux without one, ALSA's library writes to the terminal itself."""
    if not sys.platform.startswith("linux") or os.environ.get("SDL_AUDIODRIVER"):
        return True
    servers = ("pulse/native", "pipewire-0")
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or "/nonexistent")
    if os.environ.get("PULSE_SERVER") or any((runtime / server).exists() for server in servers):
        return True
    return any(Path("/dev/snd").glob("pcm*p"))


def _cached(name: str, cache_dir: Path | None) -> bytes:
    if cache_dir is None:
        return library.samples(name)
    file = cache_dir / f"sound-{_version()}-{name}"
    try:
        return zlib.decompress(file.read_bytes())
    except (OSError, zlib.error):
        data = library.samples(name)
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".part")
        partial.write_bytes(zlib.compress(data, 1))
        partial.replace(file)
    except OSError:
        # A cache that cannot be written costs time at the next start, nothing else.
        return data
    return data


def _version() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(library.__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]
