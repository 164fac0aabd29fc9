"""The simulated cabinet with byte-level money devices: the same hand of the world, real drivers, ports that are ptys.

The panel is the simulated one. Notes, coins and hopper are emulated devices with threads of their own in real time; the
program reaches them through the same drivers as real ones. What lies in them is not kept over the end of the process.
Not responsible for protocols.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from hal.build import build_devices
from hal.drivers.serial_device import SerialDevice
from hal.emulators.base import Emulator, Faults, ScriptError
from hal.emulators.cctalk_bus import HOPPER_COIN_MINOR, HOPPER_PATH, CctalkWire
from hal.emulators.ebds import DOLLARS
from hal.emulators.note_path import NotePath
from hal.emulators.pty import PtyPort
from hal.emulators.registry import emulator_class
from hal.interfaces import Devices
from hal.simulated import ImpossibleAction, Readings, World, WorldConfig
from hal.wiring import NoteProtocol, SerialCoins, SerialHopper, SerialNotes, Simulated, Wiring

CURRENCY, COUNTRY = "EUR", "EU"
"""What the emulated devices are made for; an EBDS bill acceptor, which is made for dollars, says no currency."""

DEVICES = ("notes", "coins", "hopper")
_STATES = {"none": "ready", "reading": "accepting"}


class EmulatedWorld(World):
    """See ``hal.simulated.World``. ``paced``: the program's clock is not the real one, so ``advance`` takes the time
    that it is told to let pass. Use as a context manager, or ``close`` it."""

    def __init__(
        self,
        protocol: NoteProtocol = "cctalk",
        config: WorldConfig | None = None,
        now_ms: int = 0,
        faults: Faults | None = None,
        paced: bool = True,
    ) -> None:
        super().__init__(config, now_ms)
        if self.config.hopper_coin_minor != HOPPER_COIN_MINOR:
            raise ImpossibleAction(f"the emulated hopper has coins of {HOPPER_COIN_MINOR}")
        self._paced = paced
        self._folder = tempfile.TemporaryDirectory(prefix="croupier-ports-")
        self._wire = CctalkWire(faults)
        for device in (
            self._wire.coins,
            self._wire.hopper,
            self._wire.notes,
        ):  # a new world's counters begin at 0: its devices are others
            device.change_serial(time.time_ns() // 1_000_000 % (1 << 24))
        self._wire.hopper.set_coins(self.config.hopper_start_count)
        self._note_device = self._wire if protocol == "cctalk" else emulator_class(protocol)(faults=faults)
        self._wire_port = PtyPort(self._wire, Path(self._folder.name) / "cctalk").start()
        self._note_port = self._wire_port
        if protocol != "cctalk":
            self._note_port = PtyPort(self._note_device, Path(self._folder.name) / protocol).start()
        self._wiring = Wiring(
            Simulated(),
            "" if protocol == "ebds" else CURRENCY,
            COUNTRY,
            notes=SerialNotes(protocol, self._note_port.path, bills_minor=_bills(protocol)),
            coins=SerialCoins(self._wire_port.path, hopper_path=HOPPER_PATH, cash_box_path=HOPPER_PATH + 1),
            hopper=SerialHopper(self._wire_port.path, HOPPER_COIN_MINOR),
        )
        self._built: Devices | None = None
        self._pulled: set[PtyPort] = set()
        self._coins_emptied: Counter[int] = Counter()
        self._taken_count = 0

    def __enter__(self) -> "EmulatedWorld":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the devices and their ports."""
        self._abandon()
        for port in {self._wire_port, self._note_port}:
            port.close()
        self._folder.cleanup()

    @property
    def devices(self) -> Devices:
        """The program's side: real drivers. After the program's death these are new ones, as in a new program."""
        if self._built is None:
            self._built = build_devices(self._wiring, self)
        return self._built

    def advance(self, now_ms: int) -> None:
        """Let time pass for the panel and, if the clock is not the real one, for the devices too."""
        if self._paced:
            time.sleep(max(0, now_ms - self.now_ms) / 1000)
        super().advance(now_ms)

    # --- power and the program's death -----------------------------------------------------------------------------

    def cut_power(self, note: str | None = None) -> None:
        """Pull the plug. Where a moving note ends is the emulated acceptor's affair and can't be chosen."""
        if note is not None:
            raise ImpossibleAction("an emulated acceptor decides itself where its note ends")
        self._abandon()
        super().cut_power()
        self._each(lambda device: device.power_cut())

    def restore_power(self) -> None:
        """Put the plug back."""
        super().restore_power()
        self._each(lambda device: device.power_on())

    def host_dies(self) -> None:
        """Only the program dies."""
        self._abandon()
        super().host_dies()

    def unplug(self, device: str) -> None:
        """Pull the cable of a device's port; coins and hopper share theirs."""
        port = self._port_of(device)
        if port in self._pulled:
            raise ImpossibleAction(f"{device} is unplugged already")
        self._pulled.add(port)
        port.unplug()

    def plug(self, device: str) -> None:
        """Put a cable back."""
        port = self._port_of(device)
        if port not in self._pulled:
            raise ImpossibleAction(f"{device} is plugged in already")
        self._pulled.discard(port)
        port.plug()

    # --- the player and the attendant --------------------------------------------------------------------------------

    def insert_note(self, denomination_minor: int, damaged: bool = False) -> None:
        """Push a note into the acceptor."""
        self._do("notes", "insert_damaged_note" if damaged else "insert_note", denomination_minor)

    def insert_coin(self, value_minor: int) -> None:
        """Drop a coin into the slot."""
        self._do("coins", "insert_coin", value_minor)

    def take_tray(self) -> int:
        """Take the coins from the pay-out tray; returns their worth."""
        with self._wire_port.device():
            fallen_count = self._wire.hopper.fallen_count
            taken_count, self._taken_count = fallen_count - self._taken_count, fallen_count
        return taken_count * HOPPER_COIN_MINOR

    def take_returned(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Take the notes and the coins that were given back; returns both, oldest first."""
        with self._note_port.device():
            notes = tuple(self._note_path.mouth)
            self._note_path.mouth.clear()
        with self._wire_port.device():
            coins = tuple(self._wire.coins.fell_through)
            self._wire.coins.fell_through.clear()
        return notes, coins

    def remove_cash_box(self) -> tuple[dict[int, int], dict[int, int]]:
        """Take the cash box out through its open door; returns the notes and the coins in it, worth -> count."""
        self._require_cash_box_door()
        self._do("notes", "remove_cash_box")
        with self._note_port.device():
            notes = Counter(self._note_path.cash_box)
            self._note_path.cash_box.clear()
        with self._wire_port.device():
            coins = self._box_coins()
            self._coins_emptied += coins
        return dict(notes), dict(coins)

    def insert_cash_box(self) -> None:
        """Put an empty cash box in through the open door."""
        self._require_cash_box_door()
        self._do("notes", "insert_cash_box")

    def fill_stacker(self) -> None:
        """Make the cash box full."""
        self._do("notes", "fill_stacker")

    def refill_hopper(self, coin_count: int) -> None:
        """Pour coins into the hopper."""
        self._do("hopper", "refill_hopper", coin_count)

    def set_hopper(self, coin_count: int) -> None:
        """Make exactly this many coins be in the hopper."""
        self._do("hopper", "set_coins", coin_count)

    def jam(self, device: str) -> None:
        """Jam ``notes``, ``coins`` or ``hopper``."""
        self._do(device, "jam")

    def clear_jam(self, device: str) -> None:
        """Free a jammed device."""
        self._do(device, "clear_jam")

    # --- the lines --------------------------------------------------------------------------------------------------

    def disturb(self, device: str, verb: str, *arguments: int) -> None:
        """Let a device or its line misbehave by any verb of its emulator, e.g. ``drop_next`` or ``silence 3000``."""
        self._do(device, verb, *arguments)

    @property
    def line_faults(self) -> Counter[str]:
        """How many frames of all devices were dropped, corrupted, led by noise or repeated so far."""
        with self._wire_port.device():
            wire = self._wire
            total = wire.coins.line_faults + wire.hopper.line_faults + wire.notes.line_faults
        if self._note_device is not self._wire:
            with self._note_port.device():
                total += self._note_device.line_faults
        return total

    # --- what one can see -------------------------------------------------------------------------------------------

    @property
    def readings(self) -> Readings:
        """Return what one can see now."""
        panel = super().readings
        with self._note_port.device():
            path = self._note_path
            word = "jammed" if path.is_jammed else _STATES.get(path.place, path.place)
            box_notes, mouth, box_fitted = Counter(path.cash_box), tuple(path.mouth), path.box_fitted
        with self._wire_port.device():
            hopper, coins = self._wire.hopper, self._wire.coins
            return replace(
                panel,
                note_state=word if panel.powered else "disabled",
                coin_state="ready" if panel.powered else "disabled",
                hopper_state=("ready" if hopper.coin_count else "empty") if panel.powered else "disabled",
                unplugged=tuple(name for name in DEVICES if self._port_of(name) in self._pulled),
                cash_box_fitted=box_fitted,
                box_notes=dict(box_notes),
                box_coins=dict(self._box_coins()),
                hopper_coin_count=hopper.coin_count,
                mouth_minor=mouth,
                cup_minor=tuple(coins.fell_through),
                tray_minor=(hopper.fallen_count - self._taken_count) * HOPPER_COIN_MINOR,
                taken_minor=self._taken_count * HOPPER_COIN_MINOR,
                notes_stacked_count=sum(box_notes.values()),
                coins_accepted_count=len(coins.accepted),
                coins_dispensed_count=hopper.fallen_count,
            )

    # --- inside -----------------------------------------------------------------------------------------------------

    @property
    def _note_path(self) -> NotePath:
        """The inside of the note acceptor."""
        return self._wire.notes.path if self._note_device is self._wire else cast(_HasPath, self._note_device).path

    def _box_coins(self) -> Counter[int]:
        fallen = Counter(
            minor
            for minor, path in self._wire.coins.accepted
            if not (path == HOPPER_PATH and minor == HOPPER_COIN_MINOR)
        )
        return fallen - self._coins_emptied

    def _port_of(self, device: str) -> PtyPort:
        if device not in DEVICES:
            raise ImpossibleAction(f"there is no device {device}; there are {', '.join(DEVICES)}")
        return self._note_port if device == "notes" else self._wire_port

    def _do(self, device: str, verb: str, *arguments: int) -> None:
        """Do something to one device. Raises ``ImpossibleAction`` for what it can't suffer now."""
        with self._port_of(device).device() as on_port:
            subject = getattr(on_port, device) if on_port is self._wire else on_port
            try:
                subject.do([verb, *map(str, arguments)], on_port.now_ms)
            except ScriptError as error:
                raise ImpossibleAction(str(error)) from error

    def _each(self, action: Callable[[Emulator], None]) -> None:
        for port in (self._wire_port, self._note_port)[: 1 if self._note_port is self._wire_port else 2]:
            with port.device() as device:
                action(device)

    def _abandon(self) -> None:
        """The program is gone: its ports fall shut without a word."""
        built, self._built = self._built, None
        for device in built.all() if built is not None else ():
            if isinstance(device, SerialDevice):
                device.abandon()


class _HasPath(Protocol):
    path: NotePath


def _bills(protocol: NoteProtocol) -> tuple[int, ...]:
    return tuple(100 * bill for bill in DOLLARS) if protocol == "ebds" else ()
