"""What every serial device's host does with a line that is not as it should be: noise at power-up, another speed."""

from collections.abc import Callable
from typing import Any

import pytest

from hal.emulators.escpos import EscposPrinter
from hal.events import CoinAccepted, DeviceLost, DeviceReady, HopperPaid, NoteEscrowed, NoteStacked
from hal.wire.escpos import CP866
from hal.wire.escpos_host import EscposHost
from tests.hal.contract.loop_port import LoopPort
from tests.hal.contract.loop_rigs import LoopRig
from tests.hal.contract.rig import heard, run_until
from tests.hal.contract.rigs import COIN_RIGS, HOPPER_RIGS, NOTE_RIGS

RIGS: dict[str, Callable[[], Any]] = {
    **{f"notes, {name}": rig for name, rig in NOTE_RIGS.items() if name != "simulated"},
    "coins, cctalk": COIN_RIGS["cctalk"],
    "hopper, cctalk": HOPPER_RIGS["cctalk"],
}


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> LoopRig[Any]:
    found = RIGS[request.param]()
    assert isinstance(found, LoopRig)
    return found


def test_noise_at_power_up_makes_no_money_and_the_device_is_found_behind_it(rig: LoopRig[Any]) -> None:
    rig.boot()
    for _ in range(40):
        rig.do("noise 37")
        rig.run(53)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert len(heard(rig, DeviceReady)) == 1
    for kind in (NoteEscrowed, NoteStacked, CoinAccepted, HopperPaid):
        assert not heard(rig, kind)


def test_a_line_of_another_speed_is_told_once_and_the_device_is_found_when_it_is_right(rig: LoopRig[Any]) -> None:
    """At another speed each byte breaks a rule of the line or is another one."""
    rig.do("silence 30000")
    rig.boot()
    for number in range(290):
        outputs = (
            rig.port.session.line_error(rig.now_ms) if number % 3 else rig.port.session.receive(b"\xfe\x80", rig.now_ms)
        )
        rig.port._perform(outputs)
        rig.run(100)
    (lost,) = heard(rig, DeviceLost)
    assert lost.reason != "no answer", "something was heard"
    run_until(rig, lambda: heard(rig, DeviceReady), limit_ms=60_000)


def test_a_printer_is_found_behind_noise() -> None:
    printer = EscposPrinter()
    events: list[Any] = []
    port = LoopPort(EscposHost("printer", CP866), printer)
    port.start("printer", events.append, 0)
    for _ in range(40):
        printer.do(["noise", "7"], port.now_ms)
        port.run(53)
    port.run(20_000)
    assert any(isinstance(event, DeviceReady) for event in events)
