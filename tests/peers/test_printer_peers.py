"""Our emulated printer under python-escpos, the public library for such printers."""

from pathlib import Path

import pytest

from hal.emulators.escpos import EscposPrinter
from hal.emulators.pty import PtyPort
from tests.peers.bench import install_pip, python

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_pip(tmp_path_factory.mktemp("escpos"), "python-escpos[serial]==3.1")


def test_it_prints_and_sees_the_paper(library: Path, tmp_path: Path) -> None:
    device = EscposPrinter()
    with PtyPort(device, tmp_path / "printer") as port, python("python_escpos_host.py", library, port.path) as peer:
        peer.wait_for("open")
        peer.order("status")
        assert peer.wait_for("status") == {"event": "status", "online": True, "paper": 2}
        peer.order("print Handpay 125.00")
        peer.wait_for("printed without a word of the printer")
        peer.settle(2)
        assert device.slips == [["Handpay 125.00"]]
        port.do("paper_low")
        peer.order("status")
        assert peer.wait_for("status")["paper"] == 1
        port.do("paper_out")
        peer.order("status")
        row = peer.wait_for("status")
        assert (row["online"], row["paper"]) == (False, 0)
        peer.order("print lost")
        peer.wait_for("printed without a word of the printer")
        peer.settle(2)
        assert len(device.slips) == 1
        port.do("load_paper")
        peer.settle(2)
        assert device.slips[1:] == [["lost"]], "what waits in a printer comes out later: why a failed slip may exist"
