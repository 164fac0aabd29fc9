"""Our emulated SSP validator under the maker's own host library and under a public JavaScript host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hal.drivers.ssp_key import DEFAULT_FIXED_KEY
from hal.emulators.pty import PtyPort
from hal.emulators.ssp import SspValidator
from hal.emulators.ssp_encryption import SlaveKey
from tests.peers.bench import Peer, install_npm, install_pip, node, python

pytestmark = pytest.mark.peers

OK = 0xF0


@pytest.fixture(scope="module")
def maker_s_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_pip(tmp_path_factory.mktemp("essp"), "eSSP6==1.0.8")


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_npm(
        tmp_path_factory.mktemp("npm-ssp"), "encrypted-smiley-secure-protocol@0.0.11", "serialport@9.2.8"
    )


@pytest.fixture
def device() -> SspValidator:
    return SspValidator()


@pytest.fixture
def port(device: SspValidator, tmp_path: Path) -> Iterator[PtyPort]:
    with PtyPort(device, tmp_path / "validator") as port:
        yield port


def test_the_maker_s_library_identifies_and_credits_once(
    maker_s_library: Path, port: PtyPort, device: SspValidator
) -> None:
    with python("libessp_host.py", maker_s_library, port.path) as peer:
        for step in ("sync", "version", "setup", "inhibits", "enabled"):
            assert peer.wait_for(step)["status"] == OK, step
        setup = next(row for row in peer.heard if row["event"] == "setup")
        assert setup["unit"] == 0
        assert setup["channels"] == [[value, "EUR"] for value in (5, 10, 20, 50, 100)]
        peer.wait_for("F1")
        port.do("insert_note 2000")
        assert peer.wait_for("EF", lambda row: row["data"] != 0)["data"] == 3
        peer.wait_for("EE")
        peer.wait_for("EB")
        peer.settle(1)
        assert peer.count("EE") == 1
        assert device.path.cash_box == [2_000]
        port.do("insert_note 1000")
        peer.order("reject")
        peer.wait_for("EC")
        peer.settle(1)
        assert peer.count("EE") == 1
        assert device.path.mouth == [1_000]


@pytest.mark.parametrize("mishap", ["drop_next", "corrupt_next"])
def test_the_maker_s_library_credits_once_after_a_lost_answer(
    maker_s_library: Path, port: PtyPort, device: SspValidator, mishap: str
) -> None:
    """It repeats with the same sequence bit, and gets the same answer."""
    with python("libessp_host.py", maker_s_library, port.path) as peer:
        peer.wait_for("F1")
        for number in range(3):
            port.do("insert_note 2000")
            peer.wait_for("CC")
            port.do(mishap)
            peer.wait_for("EB")
            peer.settle(0.5)
            assert peer.count("EE") == number + 1
        assert device.path.cash_box == [2_000] * 3


def test_the_maker_s_library_agrees_on_a_key_and_credits_once(maker_s_library: Path, tmp_path: Path) -> None:
    """The maker's Diffie-Hellman, AES and packet counters against ours."""
    device = SspValidator(key=SlaveKey(DEFAULT_FIXED_KEY), insists_on_key=True)
    with (
        PtyPort(device, tmp_path / "validator") as port,
        python("libessp_host.py", maker_s_library, port.path, f"{DEFAULT_FIXED_KEY:x}") as peer,
    ):
        for step in ("sync", "encryption", "version", "setup", "inhibits", "enabled"):
            assert peer.wait_for(step)["status"] == OK, step
        port.do("insert_note 2000")
        peer.wait_for("CC")
        port.do("drop_next")
        peer.wait_for("EB")
        peer.settle(0.5)
        assert peer.count("EE") == 1
        assert device.path.cash_box == [2_000]


def start_javascript(javascript: Path, port: PtyPort) -> Peer:
    return node("npm_ssp_host.cjs", javascript, port.path)


def test_a_javascript_host_identifies_credits_and_rejects(
    javascript: Path, port: PtyPort, device: SspValidator
) -> None:
    with start_javascript(javascript, port) as peer:
        assert peer.wait_for("serial")["serial"] == 1873452
        setup = peer.wait_for("setup")
        assert setup["values"] == [5, 10, 20, 50, 100]
        assert setup["countries"] == ["EUR"] * 5
        peer.wait_for("enabled")
        port.do("insert_note 2000")
        assert peer.wait_for("CREDIT_NOTE")["channel"] == 3
        peer.wait_for("NOTE_STACKED")
        assert peer.count("CREDIT_NOTE") == 1
        assert device.path.cash_box == [2_000]


def test_a_javascript_host_credits_once_after_a_lost_answer(
    javascript: Path, port: PtyPort, device: SspValidator
) -> None:
    with start_javascript(javascript, port) as peer:
        peer.wait_for("enabled")
        port.do("insert_note 1000")
        peer.wait_for("NOTE_STACKING")
        port.do("drop_next")
        peer.wait_for("NOTE_STACKED")
        peer.settle(1)
        assert peer.count("CREDIT_NOTE") == 1
        assert device.path.cash_box == [1_000]
