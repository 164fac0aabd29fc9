"""Our emulated CCNET validator under a public JavaScript host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.emulators.ccnet import CcnetValidator
from hal.emulators.pty import PtyPort
from tests.peers.bench import install_npm, node

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # It asks for any serialport, and does not work with those after version 9.
    return install_npm(tmp_path_factory.mktemp("npm-ccnet"), "cashcode-bv@0.0.2", "serialport@9.2.8")


class Damaging(CcnetValidator):
    """Damages the checksum of one frame. In a damaged length byte this host's parser would be lost for good."""

    damage_next = False

    def reply(self, frame: bytes, after_ms: int = 0) -> None:
        if self.damage_next and frame[3:4] == b"\x81":
            self.damage_next = False
            frame = frame[:-1] + bytes((frame[-1] ^ 0x01,))
        super().reply(frame, after_ms)


@pytest.fixture
def device() -> Damaging:
    return Damaging()


@pytest.fixture
def port(device: Damaging, tmp_path: Path) -> Iterator[PtyPort]:
    with PtyPort(device, tmp_path / "validator") as port:
        yield port


def test_it_resets_reads_the_table_stacks_and_gives_back(javascript: Path, port: PtyPort, device: Damaging) -> None:
    with node("npm_ccnet_host.cjs", javascript, port.path) as peer:
        peer.wait_for("begun")
        peer.wait_for("idling")
        port.do("insert_note 2000")
        assert peer.wait_for("escrow")["bill"]["amount"] == 20
        assert peer.wait_for("stacked")["bill"]["amount"] == 20
        peer.wait_for("idling")
        port.do("insert_note 5000")
        assert peer.wait_for("escrow")["bill"]["amount"] == 50
        peer.wait_for("returned")
        peer.settle(1)
        assert (device.path.cash_box, device.path.mouth) == ([2_000], [5_000])
        assert peer.count("stacked") == 1


def test_a_damaged_answer_is_asked_for_again(javascript: Path, port: PtyPort, device: Damaging) -> None:
    with node("npm_ccnet_host.cjs", javascript, port.path) as peer:
        peer.wait_for("begun")
        peer.wait_for("idling")
        device.damage_next = True
        port.do("insert_note 1000")
        peer.wait_for("stacking")
        assert peer.wait_for("stacked")["bill"]["amount"] == 10
        assert device.path.cash_box == [1_000]
