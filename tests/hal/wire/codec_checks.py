"""What every frame decoder must keep, whatever the protocol; each protocol's test file calls these with its own parts."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from hal.errors import RemoteProtocolError

_Frame = TypeVar("_Frame", covariant=True)


class Decoder(Protocol[_Frame]):
    """A decoder as all wire files have it."""

    def feed(self, data: bytes) -> None: ...
    def next_frame(self) -> _Frame | None: ...


def decoded(decoder: Decoder[_Frame], stream: bytes, size: int = 0) -> list[_Frame]:
    """Feed a stream in pieces; return its frames. Raises what the decoder raises."""
    frames = []
    step = size or max(1, len(stream))
    for at in range(0, len(stream), step):
        decoder.feed(stream[at : at + step])
        while (frame := decoder.next_frame()) is not None:
            frames.append(frame)
    return frames


def check_reading(make: Callable[[], Decoder[_Frame]], raw: bytes, frame: object, noise: bytes) -> None:
    """Whole, byte by byte, in threes, among noise, twice in a row."""
    for size in (0, 1, 3):
        assert decoded(make(), raw, size) == [frame]
        assert decoded(make(), noise + raw + noise + raw + raw, size) == [frame] * 3


def check_damage(make: Callable[[], Decoder[_Frame]], raw: bytes) -> None:
    """Every single flipped bit, every missing byte and every end too early is noticed, never believed."""
    damaged = [raw[:at] + bytes((raw[at] ^ 1 << bit,)) + raw[at + 1 :] for at in range(len(raw)) for bit in range(8)]
    damaged += [raw[:at] + raw[at + 1 :] for at in range(len(raw)) if raw[:at] + raw[at + 1 :] != raw[1:]]
    damaged += [raw[:length] for length in range(len(raw))]
    for stream in damaged:
        try:
            assert decoded(make(), stream) == [], stream.hex(" ")
        except RemoteProtocolError:
            continue


def check_noise_ends(make: Callable[[], Decoder[_Frame]], noise: bytes) -> None:
    """Whatever comes ends in the remote error or in silence, after a bounded number of steps."""
    decoder = make()
    decoder.feed(noise)
    for _ in range(len(noise) + 2):
        try:
            if decoder.next_frame() is None:
                return
        except RemoteProtocolError:
            continue
    raise AssertionError("the decoder never comes to an end")
