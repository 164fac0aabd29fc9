"""Rules between settings: what no single row can know.

Each rule says which keys it looked at. A rule that looked at a key whose own value is already refused stays silent,
so that one mistake gives one message.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware.settings.sections import CoinAcceptor, Hopper, NoteAcceptor, Pin, Printer, Settings
from firmware.settings.spec import Section

SERIAL_BACKENDS = ("cctalk", "ssp", "id003", "ccnet", "ebds", "escpos")
UNREAL_BACKENDS = ("simulated", "emulated")
ADDRESSED = {"cctalk": {"note_acceptor": 40, "coin_acceptor": 2, "hopper": 3}, "ssp": {"note_acceptor": 0}}
"""Protocols with a bus address, and the address that a device of a kind has when it leaves its maker."""


@dataclass(frozen=True)
class Problem:
    """What is wrong at `key`. `found` and `expected` are phrases; `looked_at` are the other keys the rule depends on."""

    key: str
    found: str
    expected: str
    looked_at: tuple[str, ...] = ()


Rule = Callable[[Settings], Iterator[Problem]]


Connected = NoteAcceptor | CoinAcceptor | Hopper | Printer
"""A device that may be at a serial port."""


def address_of(kind: str, device: Connected) -> int | None:
    """The bus address to use: the one given, else the usual one; None where the protocol has no addresses."""
    if isinstance(device, Printer):
        return None
    return device.address if device.address is not None else ADDRESSED.get(device.backend, {}).get(kind)


def pins(settings: Settings) -> Iterator[tuple[str, Pin]]:
    """Every pin that is given, with its key."""
    yield from _pins(settings.gpio, "gpio")


def _pins(value: object, key: str) -> Iterator[tuple[str, Pin]]:
    if isinstance(value, Pin):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _pins(inner, f"{key}.{name}")
    elif isinstance(value, Section):
        for name in type(value).model_fields:
            yield from _pins(getattr(value, name), f"{key}.{name}")


def _kinds(settings: Settings) -> tuple[tuple[str, NoteAcceptor | CoinAcceptor | Hopper], ...]:
    devices = settings.devices
    return (
        ("note_acceptor", devices.note_acceptor),
        ("coin_acceptor", devices.coin_acceptor),
        ("hopper", devices.hopper),
    )


def _ports(settings: Settings) -> tuple[tuple[str, Connected], ...]:
    return (*_kinds(settings), ("printer", settings.devices.printer))


def _clashing_pins(settings: Settings) -> Iterator[Problem]:
    taken: dict[int, str] = {}
    for key, pin in pins(settings):
        if pin.pin in taken:
            other = taken[pin.pin]
            yield Problem(key, f"pin {pin.pin}, which {other} has as well", "a pin of its own", (other,))
        else:
            taken[pin.pin] = key


def _clashing_ports(settings: Settings) -> Iterator[Problem]:
    taken: dict[Path, list[tuple[str, Connected]]] = {}
    for kind, device in _ports(settings):
        if device.port is None or device.backend not in SERIAL_BACKENDS:
            continue
        for other_kind, other in taken.setdefault(device.port, []):
            key, other_key = f"devices.{kind}", f"devices.{other_kind}"
            looked_at = (
                f"{key}.backend",
                f"{other_key}.backend",
                f"{other_key}.port",
                f"{key}.address",
                f"{other_key}.address",
            )
            if device.backend != "cctalk" or other.backend != "cctalk":
                yield Problem(
                    f"{key}.port",
                    f"{device.port}, which {other_key} has as well",
                    "a port of its own: only ccTalk is a bus",
                    looked_at,
                )
            elif address_of(kind, device) == address_of(other_kind, other):
                found = f"{address_of(kind, device)}, which {other_key} on the same port has as well"
                yield Problem(f"{key}.address", found, "an address of its own", (f"{key}.port", *looked_at))
        taken[device.port].append((kind, device))


def _device_details(settings: Settings) -> Iterator[Problem]:
    for kind, device in _ports(settings):
        key, backend = f"devices.{kind}", (f"devices.{kind}.backend",)
        serial = device.backend in SERIAL_BACKENDS
        if serial and device.port is None:
            yield Problem(f"{key}.port", "nothing", f"the serial port of the {device.backend} device", backend)
        if not serial and device.port is not None:
            yield Problem(
                f"{key}.port", str(device.port), f"nothing: the backend {device.backend} has no serial port", backend
            )
        if (
            not isinstance(device, Printer)
            and device.address is not None
            and kind not in ADDRESSED.get(device.backend, {})
        ):
            yield Problem(
                f"{key}.address",
                str(device.address),
                f"nothing: the backend {device.backend} has no addresses",
                backend,
            )


def _emulated_protocol(settings: Settings) -> Iterator[Problem]:
    notes = settings.devices.note_acceptor
    key, looked_at = "devices.note_acceptor.emulates", ("devices.note_acceptor.backend",)
    if notes.backend == "emulated" and notes.emulates is None:
        yield Problem(key, "nothing", "the protocol that the emulated note acceptor speaks", looked_at)
    if notes.backend != "emulated" and notes.emulates is not None:
        yield Problem(key, f'"{notes.emulates}"', f"nothing: the backend {notes.backend} emulates nothing", looked_at)


def _sorter(settings: Settings) -> Iterator[Problem]:
    coins = settings.devices.coin_acceptor
    key, backend = "devices.coin_acceptor", "devices.coin_acceptor.backend"
    paths = {"hopper_path": coins.hopper_path, "cash_box_path": coins.cash_box_path}
    for name, path in paths.items():
        if path is not None and coins.backend != "cctalk":
            expected = f"nothing: the backend {coins.backend} has no sorter paths"
            yield Problem(f"{key}.{name}", str(path), expected, (backend,))
    if coins.backend != "cctalk" or all(path is None for path in paths.values()):
        return
    for name, path in paths.items():
        if path is None:
            yield Problem(
                f"{key}.{name}", "nothing", "a path, as the other one is given", tuple(f"{key}.{n}" for n in paths)
            )
    if coins.hopper_path == coins.cash_box_path:
        expected = "another path than hopper_path"
        yield Problem(f"{key}.cash_box_path", str(coins.cash_box_path), expected, (f"{key}.hopper_path",))
    if settings.devices.hopper.backend not in ("cctalk", "gpio-pulse"):
        yield Problem(
            f"{key}.hopper_path", str(coins.hopper_path), "nothing: there is no hopper", ("devices.hopper.backend",)
        )


def _lever(settings: Settings) -> Iterator[Problem]:
    notes = settings.devices.note_acceptor
    if notes.credit_at_lever and notes.backend != "id003":
        expected = f"false: the backend {notes.backend} has no such choice"
        yield Problem("devices.note_acceptor.credit_at_lever", "true", expected, ("devices.note_acceptor.backend",))


def _pulse_devices(settings: Settings) -> Iterator[Problem]:
    gpio, devices = settings.gpio, settings.devices
    needed: list[tuple[str, str, object]] = []
    if devices.note_acceptor.backend == "gpio-pulse":
        for name in ("pulses", "inhibit", "minor_per_pulse"):
            needed.append(("note_acceptor", name, getattr(gpio.note_acceptor, name)))
    if devices.coin_acceptor.backend == "gpio-pulse":
        needed.append(("coin_acceptor", "inhibit", gpio.coin_acceptor.inhibit))
        if bool(gpio.coin_acceptor.lines) == (gpio.coin_acceptor.pulses is not None):
            found = "both lines and pulses" if gpio.coin_acceptor.lines else "neither lines nor pulses"
            looked_at = ("devices.coin_acceptor.backend", "gpio.coin_acceptor.lines", "gpio.coin_acceptor.pulses")
            yield Problem("gpio.coin_acceptor", found, "one of the two", looked_at)
    if devices.hopper.backend == "gpio-pulse":
        for name in ("motor", "coin_sensor"):
            needed.append(("hopper", name, getattr(gpio.hopper, name)))
    for kind, name, value in needed:
        if value is None:
            yield Problem(
                f"gpio.{kind}.{name}",
                "nothing",
                f"it, as devices.{kind}.backend is gpio-pulse",
                (f"devices.{kind}.backend",),
            )
    pulse = [kind for kind, device in _kinds(settings) if device.backend == "gpio-pulse"]
    if pulse and gpio.backend not in ("rpi_gpio", "gpiod"):
        yield Problem(
            "gpio.backend",
            f'"{gpio.backend}"',
            f"rpi_gpio or gpiod, as {pulse[0]} is a gpio-pulse device",
            (f"devices.{pulse[0]}.backend",),
        )


def _money_tables(settings: Settings) -> Iterator[Problem]:
    tables = (("notes", "note_acceptor", settings.notes), ("coins", "coin_acceptor", settings.coins))
    for name, device, table in tables:
        backend = settings.devices.note_acceptor.backend if name == "notes" else settings.devices.coin_acceptor.backend
        looked_at = (f"{name}.channels", f"devices.{device}.backend")
        if backend != "none" and not table.accepted_minor:
            yield Problem(
                f"{name}.accepted_minor",
                "nothing",
                f"at least one value, as there is a {device.replace('_', ' ')}",
                looked_at,
            )
        for value in sorted({value for value in table.accepted_minor if table.accepted_minor.count(value) > 1}):
            yield Problem(f"{name}.accepted_minor", f"{value} twice", "each value once")
        if table.channels:
            for value in table.accepted_minor:
                if value not in table.channels.values():
                    yield Problem(
                        f"{name}.accepted_minor",
                        f"{value}, which no channel has",
                        f"values of {name}.channels",
                        looked_at,
                    )
        for value in table.accepted_minor:
            if value > settings.limits.credit_limit_minor:
                expected = f"at most limits.credit_limit_minor, {settings.limits.credit_limit_minor}"
                yield Problem(f"{name}.accepted_minor", str(value), expected, ("limits.credit_limit_minor",))
    coins, backend = settings.coins, settings.devices.coin_acceptor.backend
    if backend in ("cctalk", "gpio-pulse") and not coins.channels:
        yield Problem(
            "coins.channels",
            "nothing",
            f"the value of each channel, as the {backend} coin acceptor reports channels",
            ("devices.coin_acceptor.backend",),
        )
    hopper = settings.devices.hopper
    if hopper.backend != "none" and hopper.coin_minor is None:
        yield Problem(
            "devices.hopper.coin_minor", "nothing", "the value of the coins in the hopper", ("devices.hopper.backend",)
        )


def _lists_without_repeats(settings: Settings) -> Iterator[Problem]:
    lists: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("terminal.languages", settings.terminal.languages),
        ("games.enabled", settings.games.enabled),
    )
    for key, items in lists:
        for item in sorted({item for item in items if items.count(item) > 1}):
            yield Problem(key, f'"{item}" twice', "each one once")


def _calibration(settings: Settings) -> Iterator[Problem]:
    count = len(settings.display.touch_ppm)
    if count not in (0, 6):
        yield Problem("display.touch_ppm", f"{count} numbers", "six, or none")


def _places(settings: Settings) -> Iterator[Problem]:
    storage = settings.storage
    if storage.mirror_dir is not None and storage.mirror_dir == storage.data_dir:
        yield Problem(
            "storage.mirror_dir", str(storage.mirror_dir), "another folder than storage.data_dir", ("storage.data_dir",)
        )
    if storage.anchor_file is not None and storage.data_dir in storage.anchor_file.parents:
        yield Problem(
            "storage.anchor_file", str(storage.anchor_file), "a file outside storage.data_dir", ("storage.data_dir",)
        )


def _real_cabinet(settings: Settings) -> Iterator[Problem]:
    mode = ("terminal.mode",)
    if settings.terminal.mode != "cabinet":
        return
    if settings.terminal.seed is not None:
        yield Problem(
            "terminal.seed", str(settings.terminal.seed), "nothing: a cabinet's cards come from entropy alone", mode
        )
    for kind, device in _kinds(settings):
        if device.backend in UNREAL_BACKENDS:
            yield Problem(
                f"devices.{kind}.backend",
                f'"{device.backend}"',
                "a real device or none, as terminal.mode is cabinet",
                mode,
            )
    if settings.gpio.backend not in ("rpi_gpio", "gpiod"):
        yield Problem(
            "gpio.backend", f'"{settings.gpio.backend}"', "rpi_gpio or gpiod, as terminal.mode is cabinet", mode
        )
    for key in ("attendant", "operator"):
        if key not in settings.gpio.keys:
            yield Problem(
                f"gpio.keys.{key}",
                "nothing",
                "a pin: a cabinet without this key cannot be served",
                (*mode, "gpio.keys"),
            )
    if "main" not in settings.gpio.doors:
        yield Problem("gpio.doors.main", "nothing", "a pin: a cabinet watches its main door", (*mode, "gpio.doors"))


RULES: tuple[Rule, ...] = (
    _clashing_pins,
    _clashing_ports,
    _device_details,
    _emulated_protocol,
    _sorter,
    _lever,
    _pulse_devices,
    _money_tables,
    _lists_without_repeats,
    _calibration,
    _places,
    _real_cabinet,
)
