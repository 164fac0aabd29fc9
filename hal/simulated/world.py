"""The hand of the world: everything a person can do to the simulated cabinet, and everything one can see of it.

``World`` owns the physical state, which outlives the program: the program's death and the loss of power are actions of
this hand. With a path the state is written there at every physical change and can be loaded again. An action that can't
be done raises ``ImpossibleAction``. All methods may be called from any thread.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from hal.interfaces import Devices
from hal.simulated.coin_acceptor import SimulatedCoinAcceptor
from hal.simulated.ground import Ground, ImpossibleAction, SimulatedDevice
from hal.simulated.hopper import SimulatedHopper
from hal.simulated.note_acceptor import SimulatedNoteAcceptor
from hal.simulated.panel import SimulatedPanel
from hal.simulated.state import CoinState, HopperState, NoteState, PanelState, WorldState, read_state, write_state

NOTE_FATES = ("returned", "stacked", "lost")


@dataclass(frozen=True, slots=True)
class WorldConfig:
    """How the simulated cabinet is built. Amounts in minor units, times in milliseconds."""

    notes_minor: tuple[int, ...] = (500, 1_000, 2_000, 5_000, 10_000)
    coins_minor: tuple[int, ...] = (10, 20, 50, 100, 200)
    hopper_coin_minor: int = 100
    hopper_capacity_count: int = 500
    hopper_start_count: int = 200
    cash_box_capacity_count: int = 600
    escrow_timeout_ms: int = 10_000


@dataclass(frozen=True, slots=True)
class Readings:
    """What one can see of the cabinet at one moment. Dictionaries of money map a worth in minor units to a count."""

    now_ms: int
    powered: bool
    note_state: str
    """``disabled``, ``ready``, ``accepting``, ``escrow``, ``stacking``, ``returning``, ``jammed``."""
    coin_state: str
    """``disabled``, ``ready``, ``accepting``, ``jammed``."""
    hopper_state: str
    """``disabled``, ``ready``, ``paying``, ``empty``, ``jammed``."""
    unplugged: tuple[str, ...]
    doors: tuple[tuple[str, bool], ...]
    keys: tuple[tuple[str, bool], ...]
    lamps: tuple[tuple[str, str], ...]
    tower: tuple[tuple[str, str], ...]
    held: frozenset[str]
    meters: dict[str, int] = field(default_factory=dict)
    cash_box_fitted: bool = True
    box_notes: dict[int, int] = field(default_factory=dict)
    box_coins: dict[int, int] = field(default_factory=dict)
    hopper_coin_count: int = 0
    hopper_coin_minor: int = 0
    mouth_minor: tuple[int, ...] = ()
    """Notes given back that nobody has taken, oldest first."""
    cup_minor: tuple[int, ...] = ()
    """Coins that fell through and that nobody has taken, oldest first."""
    tray_minor: int = 0
    """Coins lying in the pay-out tray."""
    taken_minor: int = 0
    """Coins that the player ever took from the tray."""
    notes_stacked_count: int = 0
    coins_accepted_count: int = 0
    coins_dispensed_count: int = 0

    @property
    def cash_box_notes_minor(self) -> int:
        """Worth of the notes in the cash box."""
        return sum(minor * count for minor, count in self.box_notes.items())

    @property
    def cash_box_note_count(self) -> int:
        """Number of notes in the cash box."""
        return sum(self.box_notes.values())

    @property
    def cash_box_coins_minor(self) -> int:
        """Worth of the coins in the cash box."""
        return sum(minor * count for minor, count in self.box_coins.items())

    @property
    def cash_box_minor(self) -> int:
        """Worth of all that is in the cash box."""
        return self.cash_box_notes_minor + self.cash_box_coins_minor

    @property
    def hopper_minor(self) -> int:
        """Worth of the coins in the hopper."""
        return self.hopper_coin_count * self.hopper_coin_minor


class World:
    """A simulated cabinet and the hand that works on it."""

    def __init__(
        self,
        config: WorldConfig | None = None,
        now_ms: int = 0,
        path: Path | None = None,
        state: WorldState | None = None,
    ) -> None:
        self.config = WorldConfig() if config is None else config
        self._path = path
        self._state = _new_state(self.config, now_ms) if state is None else state
        self._ground = Ground(now_ms, self._state.powered)
        self.panel = SimulatedPanel(self._ground, self._state.panel)
        self.hopper = SimulatedHopper(
            self._ground, self._state.hopper, self.config.hopper_coin_minor, self.config.hopper_capacity_count
        )
        self.coins = SimulatedCoinAcceptor(self._ground, self._state.coins, self.config.coins_minor, self.hopper)
        self.notes = SimulatedNoteAcceptor(
            self._ground,
            self._state.notes,
            self.config.notes_minor,
            self.config.escrow_timeout_ms,
            self.config.cash_box_capacity_count,
        )
        self._ground.save = self._autosave
        with self._ground.acting():
            self._ground.changed()

    @property
    def devices(self) -> Devices:
        """The program's side of the cabinet."""
        return Devices(panel=self.panel, notes=self.notes, coins=self.coins, hopper=self.hopper)

    def close(self) -> None:
        """The hardware is not needed any more. Here there is nothing to end."""

    # --- time and keeping ----------------------------------------------------------------------------------------

    @property
    def now_ms(self) -> int:
        """The world's time."""
        return self._ground.now_ms

    def advance(self, now_ms: int) -> None:
        """Let everything happen that is due until ``now_ms``, in order; an earlier time than the present is ignored."""
        while True:
            with self._ground.acting():
                due_ms = min(
                    (due for device in self._devices() if (due := device.next_due_ms()) is not None), default=None
                )
                if due_ms is None or due_ms > now_ms:
                    self._ground.now_ms = max(self._ground.now_ms, now_ms)
                    return
                self._ground.now_ms = max(self._ground.now_ms, due_ms)
                for device in self._devices():
                    if (due := device.next_due_ms()) is not None and due <= self._ground.now_ms:
                        device.step()
                self._collect_tray()

    def save(self, path: Path) -> None:
        """Write the physical state to a file, at once and whole."""
        with self._ground.acting():
            self._write(path)

    @classmethod
    def load(cls, path: Path, config: WorldConfig | None = None, now_ms: int = 0) -> Self:
        """Go on with a saved cabinet, as if its time had stood still; further changes are written to the same file.

        Raises ``WorldFileError`` for a file that is no saved cabinet and ``OSError`` if it can't be read.
        """
        state = read_state(path)
        _shift(state, now_ms - state.now_ms)
        return cls(config, now_ms, path, state)

    @classmethod
    def open(cls, path: Path, config: WorldConfig | None = None, now_ms: int = 0) -> Self:
        """Load the saved cabinet, or make a new one there if there is no file."""
        return cls.load(path, config, now_ms) if path.exists() else cls(config, now_ms, path)

    # --- power and the program's death -----------------------------------------------------------------------------

    def cut_power(self, note: str | None = None) -> None:
        """Pull the plug of the whole cabinet: the program dies, motors stop, lamps go out.

        A note that moves ends where it must by how far it had got, or by ``note``: ``returned``; ``stacked``; ``lost``,
        which is in the cash box but the acceptor can't tell (``NoteReport.uncertain``). The last two only from escrow on.
        """
        if note is not None and note not in NOTE_FATES:
            raise ImpossibleAction(f"a note can't end {note}; it can end {', '.join(NOTE_FATES)}")
        with self._ground.acting():
            if not self._ground.powered:
                raise ImpossibleAction("the power is off already")
            for device in self._devices():
                device.power_off(note)
            self._ground.powered = False
            self._ground.changed()

    def restore_power(self) -> None:
        """Put the plug back. The program has to be started again; it then calls ``start`` on its devices."""
        with self._ground.acting():
            if self._ground.powered:
                raise ImpossibleAction("the power is on already")
            self._ground.powered = True
            for device in self._devices():
                device.power_on()
            self._ground.changed()

    def host_dies(self) -> None:
        """Only the program dies: the devices keep their power and go on by themselves."""
        with self._ground.acting():
            for device in self._devices():
                device.host_dies()

    def unplug(self, device: str) -> None:
        """Pull the data cable of ``notes``, ``coins`` or ``hopper``."""
        with self._ground.acting():
            self._device(device).unplug()

    def plug(self, device: str) -> None:
        """Put a data cable back."""
        with self._ground.acting():
            self._device(device).plug()

    # --- the player -------------------------------------------------------------------------------------------------

    def insert_note(self, denomination_minor: int, damaged: bool = False) -> None:
        """Push a note into the acceptor."""
        with self._ground.acting():
            self.notes.insert(denomination_minor, damaged)

    def insert_coin(self, value_minor: int) -> None:
        """Drop a coin into the slot."""
        with self._ground.acting():
            self.coins.insert(value_minor)

    def press(self, button: str) -> None:
        """Put a finger down on a button."""
        with self._ground.acting():
            self.panel.press(button)

    def release(self, button: str) -> None:
        """Lift the finger."""
        with self._ground.acting():
            self.panel.release(button)

    def take_tray(self) -> int:
        """Take the coins from the pay-out tray; returns their worth."""
        with self._ground.acting():
            taken, self._state.tray_minor = self._state.tray_minor, 0
            self._state.taken_minor += taken
            self._ground.changed()
            return taken

    def take_returned(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Take the notes and the coins that were given back; returns both, oldest first."""
        with self._ground.acting():
            return self.notes.take_mouth(), self.coins.take_cup()

    # --- the attendant ----------------------------------------------------------------------------------------------

    def open_door(self, door: str) -> None:
        """Open ``main``, ``cash_box`` or ``logic``."""
        with self._ground.acting():
            self.panel.move_door(door, True)

    def close_door(self, door: str) -> None:
        """Close a door."""
        with self._ground.acting():
            self.panel.move_door(door, False)

    def turn_key(self, key: str) -> None:
        """Turn the ``attendant`` or ``operator`` key."""
        with self._ground.acting():
            self.panel.turn_key(key, True)

    def turn_back_key(self, key: str) -> None:
        """Turn a key back."""
        with self._ground.acting():
            self.panel.turn_key(key, False)

    def remove_cash_box(self) -> tuple[dict[int, int], dict[int, int]]:
        """Take the cash box out through its open door; returns the notes and the coins in it, worth -> count."""
        with self._ground.acting():
            self._require_cash_box_door()
            return self.notes.remove_box(), self.coins.empty_box()

    def insert_cash_box(self) -> None:
        """Put an empty cash box in through the open door."""
        with self._ground.acting():
            self._require_cash_box_door()
            self.notes.insert_box()

    def fill_stacker(self) -> None:
        """Make the cash box full."""
        with self._ground.acting():
            self.notes.fill_box()

    def refill_hopper(self, coin_count: int) -> None:
        """Pour coins into the hopper."""
        with self._ground.acting():
            self.hopper.fill_to(self._state.hopper.coin_count + coin_count)

    def set_hopper(self, coin_count: int) -> None:
        """Make exactly this many coins be in the hopper."""
        with self._ground.acting():
            self.hopper.fill_to(coin_count)

    def jam(self, device: str) -> None:
        """Jam ``notes``, ``coins`` or ``hopper``."""
        with self._ground.acting():
            self._device(device).jam()

    def clear_jam(self, device: str) -> None:
        """Free a jammed device."""
        with self._ground.acting():
            self._device(device).clear_jam()

    # --- what one can see -------------------------------------------------------------------------------------------

    @property
    def readings(self) -> Readings:
        """Return what one can see now."""
        with self._ground.acting():
            state = self._state
            return Readings(
                now_ms=self._ground.now_ms,
                powered=self._ground.powered,
                note_state=self.notes.state_word,
                coin_state=self.coins.state_word,
                hopper_state=self.hopper.state_word,
                unplugged=tuple(device.name for device in self._devices() if not device.plugged),
                doors=tuple(state.panel.doors.items()),
                keys=tuple(state.panel.keys.items()),
                lamps=tuple(self.panel.lamps.items()),
                tower=tuple(self.panel.tower.items()),
                held=self.panel.held,
                meters=dict(state.panel.meters),
                cash_box_fitted=state.notes.box_fitted,
                box_notes=dict(state.notes.box),
                box_coins=dict(state.coins.box),
                hopper_coin_count=state.hopper.coin_count,
                hopper_coin_minor=self.config.hopper_coin_minor,
                mouth_minor=tuple(state.notes.mouth),
                cup_minor=tuple(state.coins.cup),
                tray_minor=state.tray_minor,
                taken_minor=state.taken_minor,
                notes_stacked_count=state.notes.stacked_count,
                coins_accepted_count=state.coins.accepted_count,
                coins_dispensed_count=state.hopper.dispensed_count,
            )

    # --- inside -----------------------------------------------------------------------------------------------------

    def _devices(self) -> tuple[SimulatedDevice, ...]:
        return (self.panel, self.notes, self.coins, self.hopper)

    def _device(self, name: str) -> SimulatedNoteAcceptor | SimulatedCoinAcceptor | SimulatedHopper:
        for device in (self.notes, self.coins, self.hopper):
            if device.name == name:
                return device
        raise ImpossibleAction(f"there is no device {name}; there are notes, coins, hopper")

    def _require_cash_box_door(self) -> None:
        if not self._state.panel.doors["cash_box"]:
            raise ImpossibleAction("the cash box is behind its door; open door cash_box first")

    def _collect_tray(self) -> None:
        fallen_minor = self.hopper.collect_fallen()
        if fallen_minor:
            self._state.tray_minor += fallen_minor
            self._ground.changed()

    def _autosave(self) -> None:
        if self._path is not None:
            self._write(self._path)

    def _write(self, path: Path) -> None:
        self._state.now_ms = self._ground.now_ms
        self._state.powered = self._ground.powered
        write_state(self._state, path)


def _new_state(config: WorldConfig, now_ms: int) -> WorldState:
    return WorldState(
        now_ms=now_ms,
        powered=True,
        notes=NoteState("SIM-NOTES"),
        coins=CoinState("SIM-COINS"),
        hopper=HopperState("SIM-HOPPER", config.hopper_start_count),
        panel=PanelState(),
    )


def _shift(state: WorldState, delta_ms: int) -> None:
    """Move every time in a state by so much: it goes on at another time than it was saved at."""
    state.notes.since_ms += delta_ms
    state.notes.repeat_ms += delta_ms
    state.coins.repeat_ms += delta_ms
    state.hopper.due_ms += delta_ms
    for coin in state.coins.falling:
        coin.due_ms += delta_ms
