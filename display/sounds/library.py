"""The terminal's sounds by name. Loudness levels are balanced against each other: nothing routine is louder than a win."""

from collections.abc import Callable

from display.sounds.synth import Signal, add, high_pass, low_pass, mode, noise, shaped, silence, struck, to_samples

_BELL = ((1.0, 1.0, 1.1), (2.0, 0.5, 0.8), (3.0, 0.22, 0.5), (4.2, 0.14, 0.32), (5.4, 0.08, 0.2))
_CHIME = ((1.0, 1.0, 0.9), (2.76, 0.4, 0.5), (5.4, 0.18, 0.25))
_CLAY = ((1.0, 1.0, 0.05), (1.73, 0.7, 0.04), (2.61, 0.5, 0.03), (3.9, 0.35, 0.02))
_COIN = ((1.0, 1.0, 0.35), (1.52, 0.8, 0.28), (2.41, 0.6, 0.2), (3.27, 0.4, 0.15))

_C5 = 523.25
_STEP = 2 ** (1 / 12)


def _note(semitones: int) -> float:
    return _C5 * _STEP**semitones


def _deal() -> Signal:
    """A card sliding over felt and landing."""
    slide = shaped(high_pass(low_pass(noise(0.13, 1), 2600, 7000), 900), 0.05, 0.16)
    add(slide, shaped(low_pass(noise(0.05, 2), 900), 0.001, 0.05), 0.085, 1.6)
    return slide


def _flip() -> Signal:
    """A card turned over: a short snap with a breath of air."""
    air = shaped(high_pass(low_pass(noise(0.09, 3), 5000, 1800), 700), 0.02, 0.1)
    add(air, shaped(high_pass(noise(0.02, 4), 1500), 0.0005, 0.02), 0.05, 1.2)
    return air


def _clack(frequency_hz: float, seed: int) -> Signal:
    click = struck(_CLAY, frequency_hz, 0.08)
    add(click, shaped(high_pass(noise(0.008, seed), 2500), 0.0002, 0.008), 0.0, 0.5)
    return click


def _chip() -> Signal:
    """Two clay chips meeting."""
    total = _clack(2350, 5)
    add(total, _clack(2710, 6), 0.034, 0.55)
    return total


def _chips() -> Signal:
    """A stack pushed over."""
    total = silence(0.1)
    for index, (at_s, pitch) in enumerate(
        ((0, 2350), (0.04, 2610), (0.07, 2480), (0.12, 2800), (0.15, 2540), (0.21, 2700))
    ):
        add(total, _clack(pitch, 10 + index), at_s, 0.9 - index * 0.1)
    return total


def _button() -> Signal:
    """A key going down."""
    total = mode(420, 0.05, 0.05, 0.8)
    add(total, shaped(high_pass(noise(0.006, 7), 2000), 0.0002, 0.006), 0.0, 0.5)
    return total


def _melody(notes: tuple[int, ...], step_s: float, ring_s: float, *, doubled: bool = False) -> Signal:
    total = silence(0.1)
    for index, semitones in enumerate(notes):
        add(total, struck(_BELL, _note(semitones), ring_s), index * step_s, 0.8)
        if doubled:
            add(total, struck(_CHIME, _note(semitones + 12), ring_s * 0.6), index * step_s + 0.01, 0.25)
    return total


def _win_small() -> Signal:
    return _melody((4, 7), 0.09, 0.5)


def _win_large() -> Signal:
    return _melody((0, 4, 7, 12, 16, 19), 0.085, 0.9, doubled=True)


def _big_win() -> Signal:
    total = _melody((0, 4, 7, 12, 7, 12, 16, 19, 16, 19, 24), 0.105, 0.9, doubled=True)
    for semitones in (0, 7, 12, 16):
        add(total, struck(_BELL, _note(semitones), 1.2), 1.24, 0.6)
    return total


def _push() -> Signal:
    return _melody((5, 5), 0.12, 0.35)


def _lose() -> Signal:
    """Soft and short: a loss is told, not rubbed in."""
    total = mode(_note(-8), 0.3, 0.35, 0.8)
    add(total, mode(_note(-12), 0.35, 0.4, 0.8), 0.11)
    return low_pass(total, 1400)


def _error() -> Signal:
    total = silence(0.05)
    for index in range(2):
        add(total, low_pass(struck(((1, 1, 0.2), (3, 0.5, 0.15), (5, 0.25, 0.1)), 196, 0.12), 1800), index * 0.13)
    return total


def _alarm() -> Signal:
    """Two alternating tones that carry across a hall."""
    total = silence(0.1)
    for index in range(6):
        tone = struck(((1, 1, 2.0), (3, 0.35, 2.0)), (988, 784)[index % 2], 0.19)
        add(total, tone, index * 0.2)
    return total


def _coin() -> Signal:
    """A coin dropping into metal."""
    total = struck(_COIN, 3150, 0.4)
    add(total, struck(_COIN, 3420, 0.25), 0.06, 0.45)
    return total


def _credit() -> Signal:
    """Money has arrived: rollers, then two rising notes."""
    total = shaped(low_pass(noise(0.16, 20), 600, 1500), 0.04, 0.3)
    for index, semitones in enumerate((7, 12)):
        add(total, struck(_CHIME, _note(semitones), 0.4), 0.1 + index * 0.09, 0.6)
    return total


_MAKERS: dict[str, tuple[Callable[[], Signal], float]] = {
    "deal": (_deal, 0.42),
    "flip": (_flip, 0.36),
    "chip": (_chip, 0.40),
    "chips": (_chips, 0.42),
    "button": (_button, 0.34),
    "win_small": (_win_small, 0.50),
    "win_large": (_win_large, 0.66),
    "big_win": (_big_win, 0.75),
    "push": (_push, 0.40),
    "lose": (_lose, 0.34),
    "error": (_error, 0.46),
    "alarm": (_alarm, 0.80),
    "coin": (_coin, 0.42),
    "credit": (_credit, 0.46),
}
SOUNDS: tuple[str, ...] = tuple(_MAKERS)
"""All names a view may ask for."""


def samples(name: str) -> bytes:
    """Return a sound as stereo 16-bit samples at 48 kHz. Raises KeyError for an unknown name."""
    make, peak = _MAKERS[name]
    return to_samples(make(), peak)
