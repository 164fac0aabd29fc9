"""The doctor asks real ports: the right device, a wrong one, a silent one, none at all, and one in trouble."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from firmware.devices import wiring_of
from firmware.doctor.devices import devices
from firmware.doctor.finding import Finding
from firmware.doctor.ports import ports
from firmware.entries.types import NoteIntended
from firmware.settings.loader import check
from firmware.settings.sections import Settings
from firmware.terminal.state import Recorded
from hal.drivers.serial_link import SerialLink
from hal.emulators.base import Emulator
from hal.emulators.cctalk_bus import CctalkWire
from hal.emulators.pty import PtyPort
from hal.emulators.registry import emulator_class

Plug = Callable[[Emulator, str], PtyPort]
PATIENCE_S = 20.0
SILENCE_S = 2.0


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    with ExitStack() as stack:
        yield lambda emulator, name: stack.enter_context(PtyPort(emulator, tmp_path / name))


def settings(port: str, backend: str = "ssp", **tables: object) -> Settings:
    found, problems = check(
        {
            "terminal": {"id": "D1", "mode": "demo"},
            "storage": {"data_dir": "/tmp"},
            "currency": {"code": "EUR"},
            "notes": {"accepted_minor": [1_000, 2_000]},
            "devices": {"note_acceptor": {"backend": backend, "port": port}},
            **tables,
        }
    )
    assert problems == []
    return found


def ask(found: Settings, patience_s: float = PATIENCE_S, recorded: Recorded | None = None) -> list[Finding]:
    return list(devices(found, wiring_of(found), recorded, patience_s))


def of(findings: list[Finding], verdict: str) -> str:
    return "\n".join(f"{each.subject}: {each.found} -> {each.remedy}" for each in findings if each.verdict == verdict)


INTRODUCTIONS = {
    "ssp": "Innovative Technology SSP note validator, serial 1873452, firmware 0420, knows",
    "id003": "JCM ID-003 bill acceptor, firmware i(EUR5)100-SS ID003-05V300-45 28JUN23 7F23, knows",
    "ccnet": "CashCode SM-RU1353, serial 41K70700PN88, knows",
    "cctalk": "CRP EMU, serial 5326681, firmware 1.00, knows",
    "ebds": "EBDS CFMC2 USD, serial 20261130000117, firmware 1.2, knows",
}
"""What each device says of itself: maker, product, serial number, firmware, notes."""


@pytest.mark.parametrize("protocol", INTRODUCTIONS)
def test_the_right_device_says_who_it_is_and_what_it_knows(plug: Plug, protocol: str) -> None:
    device = CctalkWire() if protocol == "cctalk" else emulator_class(protocol)()
    bills = {"1": 100, "4": 1_000, "5": 2_000} if protocol == "ebds" else {}
    findings = ask(
        settings(plug(device, "notes").path, protocol, notes={"accepted_minor": [1_000, 2_000], "channels": bills})
    )
    assert of(findings, "failed") == ""
    (line,) = of(findings, "ok").splitlines()
    assert line.startswith(f"notes ({protocol}): {INTRODUCTIONS[protocol]} ")
    assert "1000, 2000" in line


def test_all_devices_of_a_cctalk_wire_and_a_printer_are_named(plug: Plug) -> None:
    bus, printer = plug(CctalkWire(), "bus"), plug(emulator_class("escpos")(), "printer")
    table = {
        "note_acceptor": {"backend": "cctalk", "port": bus.path},
        "coin_acceptor": {"backend": "cctalk", "port": bus.path},
        "hopper": {"backend": "cctalk", "port": bus.path, "coin_minor": 100},
        "printer": {"backend": "escpos", "port": printer.path},
    }
    coins = {"accepted_minor": [100], "channels": {"1": 100}}
    findings = ask(settings("", devices=table, coins=coins))
    assert of(findings, "failed") == ""
    assert "hopper (cctalk): CRP EMU, serial 710623, firmware 1.00, knows 100" in of(findings, "ok")
    assert "printer (escpos): ESC/POS printer" in of(findings, "ok")
    assert [each.subject for each in findings] == [
        "notes (cctalk)",
        "coins (cctalk)",
        "hopper (cctalk)",
        "printer (escpos)",
    ]


def test_a_wrong_device_on_the_port_is_a_failure(plug: Plug) -> None:
    findings = ask(settings(plug(emulator_class("ccnet")(), "notes").path), SILENCE_S)
    assert "notes (ssp)" in of(findings, "failed")
    assert "backend and address are those of this device" in of(findings, "failed")
    assert of(findings, "ok") == ""


# A pty that was opened without parity can't be opened with it, which it doesn't have, so ID-003 can't be found on one.
@pytest.mark.parametrize("protocol", ["ccnet", "cctalk"])
def test_a_wrong_device_is_named_on_request(plug: Plug, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.doctor.devices.IDENTIFY_S", 2.5)
    device = CctalkWire() if protocol == "cctalk" else emulator_class(protocol)()
    found = settings(plug(device, "notes").path)
    findings = list(devices(found, wiring_of(found), None, SILENCE_S, identify=True))
    assert f"answers in {protocol}: " in of(findings, "failed")
    assert f'set backend = "{protocol}"' in of(findings, "failed")


def test_a_silent_device_is_a_failure_and_delays_no_longer_than_asked(plug: Plug) -> None:
    port = plug(emulator_class("ssp")(), "notes")
    with port.device() as device:
        device.do(["silence", "600000"], device.now_ms)
    findings = ask(settings(port.path), SILENCE_S)
    assert "check its power, its cable" in of(findings, "failed")


def test_a_jam_is_told_with_the_remedy_of_its_fault(plug: Plug) -> None:
    device = emulator_class("id003")()
    device.do(["jam"], 0)
    findings = ask(settings(plug(device, "notes").path, "id003"), SILENCE_S)
    assert "Note acceptor jammed" in of(findings, "failed")
    assert "clear the note path" in of(findings, "failed")


def test_a_note_that_the_device_does_not_know_is_a_failure(plug: Plug) -> None:
    path = plug(emulator_class("ssp")(), "notes").path
    findings = ask(settings(path, notes={"accepted_minor": [1_000, 777]}))
    assert "777: the device does not know them" in of(findings, "failed")


@pytest.mark.parametrize("protocol", ["ssp", "id003", "ccnet", "cctalk"])
def test_a_device_of_another_currency_is_a_failure(plug: Plug, protocol: str) -> None:
    device = CctalkWire() if protocol == "cctalk" else emulator_class(protocol)()
    findings = ask(settings(plug(device, "notes").path, protocol, currency={"code": "CRD"}))
    assert "knows no money of CRD -> set currency.device_code" in of(findings, "failed")


def test_nobody_is_asked_while_money_is_in_flight(plug: Plug) -> None:
    path = plug(emulator_class("ssp")(), "notes").path
    findings = ask(settings(path), recorded=Recorded(note=NoteIntended("e:1", 1_000)))
    assert [(each.verdict, each.found) for each in findings] == [("skipped", "money is in flight")]


def test_simulated_devices_are_not_asked() -> None:
    found, problems = check(
        {
            "terminal": {"id": "D1", "mode": "simulator"},
            "storage": {"data_dir": "/tmp"},
            "gpio": {"backend": "simulated"},
        }
    )
    assert problems == []
    assert [each.verdict for each in ask(found)] == ["skipped"]


def test_ports_are_opened_and_an_unstable_name_is_told(plug: Plug) -> None:
    path = plug(emulator_class("ssp")(), "notes").path
    findings = [each for each in ports(wiring_of(settings(path))) if each.subject == path]
    assert [(each.verdict, each.found) for each in findings] == [("ok", "opens, for notes")]


def test_an_unplugged_port_is_a_failure_that_names_the_others(plug: Plug) -> None:
    port = plug(emulator_class("ssp")(), "notes")
    port.unplug()
    (finding,) = [each for each in ports(wiring_of(settings(port.path))) if each.subject == port.path]
    assert (finding.verdict, finding.found) == ("failed", "is not there, but notes should be")
    assert "write one of these" in finding.remedy


def test_a_port_that_another_program_holds_is_a_failure(plug: Plug) -> None:
    path = plug(emulator_class("ssp")(), "notes").path
    other = SerialLink(path)
    other.open()
    try:
        (finding,) = [each for each in ports(wiring_of(settings(path))) if each.subject == path]
    finally:
        other.close()
    assert (finding.verdict, finding.found) == ("failed", "another program uses the port")
    assert finding.remedy == "stop it"


def test_a_port_without_permission_names_the_group(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plug(emulator_class("ssp")(), "notes").path
    monkeypatch.setattr("firmware.doctor.ports.os.access", lambda *_: False)
    monkeypatch.setattr("firmware.doctor.ports.group_of", lambda _: "dialout")
    (finding,) = [each for each in ports(wiring_of(settings(path))) if each.subject == path]
    assert (finding.verdict, finding.found) == ("failed", "no permission")
    assert "dialout" in finding.remedy
