"""Sound from arithmetic: ringing modes, filtered noise, envelopes, and mixing to 16-bit samples.

A signal is a list of floats at `RATE_HZ`, loudness within -1..1. Modes are two-term recurrences, which cost two multiplications
a sample. Not responsible for what a sound means (`display.sounds.library`) or for playing it (`display.sound`).
"""

import math
import random
from array import array
from collections.abc import Sequence

RATE_HZ = 48_000
Signal = list[float]


def silence(seconds: float) -> Signal:
    """Return a quiet signal."""
    return [0.0] * round(seconds * RATE_HZ)


def mode(frequency_hz: float, seconds: float, decay_s: float, level: float = 1.0, phase: float = 0.0) -> Signal:
    """Return one ringing mode: a sine that falls to a thousandth in ``decay_s`` seconds, faded out at its end."""
    count = round(seconds * RATE_HZ)
    step = math.tau * frequency_hz / RATE_HZ
    fall = math.exp(math.log(0.001) / (decay_s * RATE_HZ))
    first = 2 * fall * math.cos(step)
    second = fall * fall
    older, old = level * math.sin(phase - step) / fall, level * math.sin(phase)
    signal = []
    for _ in range(count):
        signal.append(old)
        older, old = old, first * old - second * older
    return faded_out(signal, min(0.02, seconds / 4))


def struck(
    partials: Sequence[tuple[float, float, float]], frequency_hz: float, seconds: float, level: float = 1.0
) -> Signal:
    """Return a struck body: partials as (times the frequency, level, decay in seconds)."""
    total = silence(seconds)
    for ratio, share, decay_s in partials:
        if frequency_hz * ratio < RATE_HZ * 0.45:
            add(total, mode(frequency_hz * ratio, seconds, decay_s, level * share))
    return total


def noise(seconds: float, seed: int) -> Signal:
    """Return white noise, the same for the same seed."""
    raw = random.Random(seed).randbytes(round(seconds * RATE_HZ))
    return [value / 127.5 - 1.0 for value in raw]


def low_pass(signal: Signal, from_hz: float, to_hz: float | None = None) -> Signal:
    """Return the signal without its highs; the corner glides from one frequency to another."""
    end_hz = from_hz if to_hz is None else to_hz
    count = max(1, len(signal))
    out, value = [], 0.0
    share = 1 - math.exp(-math.tau * from_hz / RATE_HZ)
    glide = ((1 - math.exp(-math.tau * end_hz / RATE_HZ)) - share) / count
    for sample in signal:
        value += share * (sample - value)
        share += glide
        out.append(value)
    return out


def high_pass(signal: Signal, corner_hz: float) -> Signal:
    """Return the signal without its lows."""
    return [sample - low for sample, low in zip(signal, low_pass(signal, corner_hz), strict=True)]


def shaped(signal: Signal, attack_s: float, decay_s: float) -> Signal:
    """Return the signal under an envelope: a straight rise, then a fall to a thousandth in ``decay_s`` seconds."""
    rise = max(1, round(attack_s * RATE_HZ))
    fall = math.exp(math.log(0.001) / (decay_s * RATE_HZ))
    out, level = [], 1.0
    for index, sample in enumerate(signal):
        if index < rise:
            out.append(sample * index / rise)
        else:
            out.append(sample * level)
            level *= fall
    return faded_out(out, min(0.01, len(out) / RATE_HZ / 4))


def faded_out(signal: Signal, seconds: float) -> Signal:
    """Return the signal with its last ``seconds`` brought to silence, so that it ends without a click."""
    count = min(len(signal), round(seconds * RATE_HZ))
    for index in range(count):
        signal[len(signal) - count + index] *= 1 - (index + 1) / count
    return signal


def add(total: Signal, signal: Signal, at_s: float = 0.0, level: float = 1.0) -> None:
    """Mix a signal into another one, which grows if need be."""
    start = round(at_s * RATE_HZ)
    if len(total) < start + len(signal):
        total.extend([0.0] * (start + len(signal) - len(total)))
    for index, sample in enumerate(signal, start):
        total[index] += sample * level


def to_samples(signal: Signal, peak: float) -> bytes:
    """Return stereo 16-bit samples (native byte order), loudest at ``peak`` of full scale."""
    loudest = max((abs(sample) for sample in signal), default=0.0)
    gain = 32767 * peak / loudest if loudest else 0.0
    samples = array("h")
    for sample in signal:
        value = round(sample * gain)
        samples.append(value)
        samples.append(value)
    return samples.tobytes()
