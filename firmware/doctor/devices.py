"""The devices themselves: each driver is started for a few seconds, and asked who is there.

A driver that is only started takes no money: devices stay disabled. Where money is in flight nobody is asked, because
only the terminal may hear what became of it. Not responsible for ports and pins as such (``ports``).
"""

import queue
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, get_args

from firmware.doctor.finding import Finding, failed, ok, skipped, warning
from firmware.settings.sections import Settings
from firmware.terminal.faults import FAULTS, code_for
from firmware.terminal.state import Recorded
from hal.build import build_devices
from hal.events import (
    ButtonPressed,
    CoinAccepted,
    DeviceEvent,
    DeviceFault,
    DeviceInfo,
    DeviceLost,
    DeviceReady,
    DoorChanged,
    KeyChanged,
    NoteStacked,
)
from hal.simulated import World
from hal.wiring import Gpio, NoteProtocol, SerialNotes, Simulated, Wiring, ports_of, real_devices

PROTOCOLS: Final[tuple[NoteProtocol, ...]] = get_args(NoteProtocol)

PATIENCE_S: Final = 8.0
"""How long a device may take to answer and to say who it is."""
LONGEST_PATIENCE_S: Final = 600.0
IDENTIFY_S: Final = 4.0
"""How long a port is asked in each protocol when a device is looked for."""
LISTEN_S: Final = 0.7
"""How long it is listened to afterwards: faults and the panel's levels follow the answer."""


@dataclass
class _Heard:
    info: DeviceInfo | None = None
    lost: str = ""
    faults: dict[str, str] = field(default_factory=dict)
    money: list[str] = field(default_factory=list)
    panel: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    def take(self, event: DeviceEvent) -> None:
        match event:
            case DeviceReady():
                self.info, self.lost = event.info, ""
            case DeviceLost():
                self.lost = self.lost or event.reason  # the first one is the cause
            case DeviceFault(is_up=True):
                self.faults[event.code] = event.detail
            case DeviceFault():
                self.faults.pop(event.code, None)
            case NoteStacked():
                self.money.append(f"note {event.denomination_minor} {event.key}")
            case CoinAccepted():
                self.money.append(f"coin {event.value_minor} {event.key}")
            case DoorChanged(is_open=True):
                self.panel.append(f"door {event.door} is open")
            case KeyChanged(is_on=True):
                self.panel.append(f"key {event.key} is turned")
            case ButtonPressed():
                self.held.append(event.button)


def devices(
    settings: Settings,
    wiring: Wiring,
    recorded: Recorded | None,
    patience_s: float = PATIENCE_S,
    *,
    identify: bool = False,
) -> Iterator[Finding]:
    """Start the drivers of all real devices and tell who answers.

    ``identify``: a port from which nothing is heard is asked in the other protocols, to name a wrong device.
    """
    real = real_devices(wiring)
    names = real_names(real)
    if not names:
        yield skipped("devices", "devices", "all of them are simulated")
        return
    if recorded is not None and (recorded.note is not None or recorded.payout is not None):
        yield skipped(
            "devices", ", ".join(names), "money is in flight", "start the terminal, which settles it; then ask again"
        )
        return
    silent: set[str] = set()
    for name, heard in _listen(real, names, patience_s).items():
        yield from _verdict(settings, name, heard)
        if heard.info is None:
            silent.add(name)
    for port, there in ports_of(real).items() if identify else ():
        if silent.issuperset(there) and Path(port).exists():
            yield _stranger(real, port, backend_of(settings, there[0]))


def _stranger(wiring: Wiring, port: str, asked: str) -> Finding:
    """Ask a port in every other protocol that says who is there."""
    for protocol in PROTOCOLS:
        if protocol == asked:
            continue
        alone = replace(wiring, notes=SerialNotes(protocol, port), coins=None, hopper=None, printer=None)
        info = _listen(replace(alone, panel=Simulated()), ("notes",), IDENTIFY_S)["notes"].info
        if info is not None:
            return failed(
                "devices",
                port,
                f"answers in {protocol}: {_introduction('notes', info)}",
                f'set backend = "{protocol}" for it',
            )
    return skipped("devices", port, f"answers in none of {', '.join(PROTOCOLS)}", "check power, cable and line")


def real_names(wiring: Wiring) -> tuple[str, ...]:
    """Return the names of the devices that this wiring has on ports and pins."""
    kinds = {
        "panel": wiring.panel if isinstance(wiring.panel, Gpio) else None,
        "notes": wiring.notes,
        "coins": wiring.coins,
        "hopper": wiring.hopper,
        "printer": wiring.printer,
    }
    return tuple(name for name, kind in kinds.items() if kind is not None and not isinstance(kind, Simulated))


def _listen(wiring: Wiring, names: tuple[str, ...], patience_s: float) -> dict[str, _Heard]:
    built = build_devices(wiring, World() if wiring.needs_world else None)
    real = [device for device in built.all() if device.name in names]
    events: queue.SimpleQueue[DeviceEvent] = queue.SimpleQueue()
    heard = {name: _Heard() for name in names}
    for device in real:
        device.start(events.put, 0)
    try:
        end = time.monotonic() + patience_s
        while (left := end - time.monotonic()) > 0:
            try:
                event = events.get(timeout=left)
            except queue.Empty:
                break
            heard[event.device].take(event)
            if all(each.info is not None for each in heard.values()):
                end = min(end, time.monotonic() + LISTEN_S)
    finally:
        for device in real:
            device.stop()
    return heard


def _verdict(settings: Settings, name: str, heard: _Heard) -> Iterator[Finding]:
    subject = f"{name} ({backend_of(settings, name)})"
    if heard.info is None:
        found = heard.lost or "does not answer"
        yield failed("devices", subject, found, _silence_remedy(name))
    else:
        yield ok("devices", subject, _introduction(name, heard.info))
        yield from _denominations(settings, name, heard.info)
    for code, detail in heard.faults.items():
        row = FAULTS.get(code_for(name, code) or "")
        title = row.title.message if row is not None else code
        remedy = row.remedy.message if row is not None else "see the device's manual"
        yield failed("devices", subject, f"{title} ({detail or code})", remedy)
    for money in heard.money:
        yield failed(
            "devices",
            subject,
            f"reports money that the journal may not have: {money}",
            "compare the cash box with ./croupier audit meters",
        )
    for word in heard.panel:
        yield ok("devices", subject, word)
    if heard.held:
        yield warning(
            "devices",
            subject,
            f"pressed since the start: {', '.join(heard.held)}",
            "free a stuck button; if none is, the setting active of its pin is the wrong way round",
        )


def backend_of(settings: Settings, name: str) -> str:
    """Return how a device is connected, in the settings' words."""
    table = settings.devices
    kinds = {
        "notes": table.note_acceptor.backend,
        "coins": table.coin_acceptor.backend,
        "hopper": table.hopper.backend,
        "printer": table.printer.backend,
    }
    return kinds.get(name, settings.gpio.backend)


def _introduction(name: str, info: DeviceInfo) -> str:
    """Return who the device says it is; one that tells no serial number is called by its name."""
    who = " ".join(word for word in (info.manufacturer, info.product) if word) or "answers"
    parts = [who]
    if info.serial not in ("", name):
        parts.append(f"serial {info.serial}")
    if info.firmware:
        parts.append(f"firmware {info.firmware}")
    if info.denominations_minor:
        parts.append(f"knows {', '.join(str(minor) for minor in info.denominations_minor)}")
    return ", ".join(parts)


def _denominations(settings: Settings, name: str, info: DeviceInfo) -> Iterator[Finding]:
    accepted = {"notes": settings.notes.accepted_minor, "coins": settings.coins.accepted_minor}.get(name, ())
    if accepted and not info.denominations_minor:
        currency = settings.currency.device_code or settings.currency.code
        remedy = "set currency.device_code to the currency that it is made for"
        yield failed("devices", f"{name}.accepted_minor", f"the device knows no money of {currency}", remedy)
    unknown = [minor for minor in accepted if minor not in info.denominations_minor]
    if info.denominations_minor and unknown:
        yield failed(
            "devices",
            f"{name}.accepted_minor",
            f"{', '.join(map(str, unknown))}: the device does not know them",
            f"take them out; it knows {', '.join(map(str, info.denominations_minor))}",
        )


def _silence_remedy(name: str) -> str:
    if name == "panel":
        return "check backend and chip; the user must be in the group gpio, and no other program may have the pins"
    if name == "printer":
        return "check its power, its cable, the baud setting, and that it is an ESC/POS printer"
    return "check its power, its cable, and that backend and address are those of this device"
