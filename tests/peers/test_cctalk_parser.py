"""Both sides of our ccTalk under a public JavaScript frame splitter."""

import json
import os
import random
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from hal.emulators.base import Emulator
from hal.emulators.cctalk_bus import CctalkWire
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation
from hal.wire.session import Pay, Start
from tests.hal.contract.loop_port import LoopPort
from tests.peers.bench import HERE, install_npm, need

pytestmark = pytest.mark.peers

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "cctalk.json").read_text())["frames"]


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_npm(tmp_path_factory.mktemp("npm-cctalk"), "@serialport/parser-cctalk@13.0.0")


def split(javascript: Path, chunks: Iterable[bytes]) -> list[bytes]:
    """Return the frames that the peer finds in a stream."""
    done = subprocess.run(
        [need("node"), str(HERE / "npm_cctalk_parser.cjs")],
        input="\n".join(chunk.hex() for chunk in chunks),
        env={**os.environ, "NODE_PATH": str(javascript)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [bytes.fromhex(line) for line in done.stdout.splitlines()]


def pieces(stream: bytes, source: random.Random) -> Iterable[bytes]:
    """Cut a stream anywhere."""
    while stream:
        size = source.randrange(1, 9)
        yield stream[:size]
        stream = stream[size:]


def test_the_published_frames_are_split_as_we_split_them(javascript: Path) -> None:
    frames = [bytes.fromhex(vector["frame"]) for vector in VECTORS]
    assert split(javascript, pieces(b"".join(frames), random.Random(1))) == frames


class Tap(LoopPort):
    """Keeps what the devices answer."""

    def __init__(self, session: CctalkBus, emulator: Emulator) -> None:
        super().__init__(session, emulator)
        self.answered = b""
        output = emulator.output

        def tapped(now_ms: int) -> bytes:
            data = output(now_ms)
            self.answered += data
            return data

        emulator.output = tapped  # type: ignore[method-assign]


def test_a_whole_day_on_the_wire_is_split_into_the_frames_that_were_sent(javascript: Path) -> None:
    wire = CctalkWire(echo=False)
    stations = [CoinStation("coins", "EU"), HopperStation("hopper", "EU", 100), NoteStation("notes", "EU")]
    tap = Tap(CctalkBus(stations), wire)
    for name in ("coins", "hopper", "notes"):
        tap.start(name, lambda _event: None, 0)
        tap.command(Start(name, 0))
    tap.run(6_000)
    tap.command(Pay("hopper", "p1-1", 3))
    for _ in range(5):
        wire.do(["insert_coin", "100"], tap.now_ms)
        tap.run(400)
    asked = split(javascript, pieces(b"".join(tap.sent), random.Random(2)))
    answered = split(javascript, pieces(tap.answered, random.Random(3)))
    assert asked == tap.sent
    assert b"".join(answered) == tap.answered
    assert len(answered) >= 100
    assert all(frame[0] == 1 and len(frame) == frame[1] + 5 for frame in answered)
