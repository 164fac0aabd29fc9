"""The simulated panel: buttons with lamps, doors, key switches, tower light, electromechanical meters."""

from hal.events import ButtonPressed, ButtonReleased, DeviceInfo, DoorChanged, KeyChanged
from hal.interfaces import BUTTONS, TOWER_COLOURS
from hal.simulated.ground import Ground, ImpossibleAction, SimulatedDevice
from hal.simulated.state import PanelState

LAMP_STATES = ("off", "on", "blink")


class SimulatedPanel(SimulatedDevice):
    """See ``hal.interfaces.Panel``. After ``DeviceReady`` it reports every door, every key and each button that is held."""

    def __init__(self, ground: Ground, state: PanelState) -> None:
        super().__init__("panel", ground)
        self._state = state
        self._held: set[str] = set()
        self._lamps = dict.fromkeys(BUTTONS, "off")
        self._tower = dict.fromkeys(TOWER_COLOURS, "off")

    # --- the program's side --------------------------------------------------------------------------------------

    def set_lamp(self, button: str, state: str) -> None:
        """Set a button's lamp."""
        with self._ground.acting():
            if self._linked():
                self._lamps[_known(button, self._lamps, "button")] = _known(state, LAMP_STATES, "lamp state")

    def set_tower(self, colour: str, state: str) -> None:
        """Set a tower light; a colour beyond the usual ones simply gets its light."""
        with self._ground.acting():
            if self._linked():
                self._tower[colour] = _known(state, LAMP_STATES, "lamp state")

    def pulse_meter(self, meter: str, count: int) -> None:
        """Advance an electromechanical meter."""
        if count < 0:
            raise ValueError(f"meter {meter}: a count of {count} steps; meters only go forward")
        with self._ground.acting():
            if self._linked() and count:
                self._state.meters[meter] = self._state.meters.get(meter, 0) + count
                self._ground.changed()

    # --- the world's side ----------------------------------------------------------------------------------------

    def press(self, button: str) -> None:
        """A finger goes down on a button."""
        _known(button, BUTTONS, "button")
        if button in self._held:
            raise ImpossibleAction(f"button {button} is held down already")
        self._held.add(button)
        self._emit(ButtonPressed(self._name, self._ground.now_ms, button))

    def release(self, button: str) -> None:
        """The finger goes up."""
        _known(button, BUTTONS, "button")
        if button not in self._held:
            raise ImpossibleAction(f"button {button} is not held down")
        self._held.discard(button)
        self._emit(ButtonReleased(self._name, self._ground.now_ms, button))

    def move_door(self, door: str, is_open: bool) -> None:
        """Open or close a door."""
        _known(door, self._state.doors, "door")
        if self._state.doors[door] == is_open:
            raise ImpossibleAction(f"door {door} is {'open' if is_open else 'closed'} already")
        self._state.doors[door] = is_open
        self._ground.changed()
        self._emit(DoorChanged(self._name, self._ground.now_ms, door, is_open))

    def turn_key(self, key: str, is_on: bool) -> None:
        """Turn a key switch on or back."""
        _known(key, self._state.keys, "key")
        if self._state.keys[key] == is_on:
            raise ImpossibleAction(f"key {key} is {'turned' if is_on else 'turned back'} already")
        self._state.keys[key] = is_on
        self._ground.changed()
        self._emit(KeyChanged(self._name, self._ground.now_ms, key, is_on))

    @property
    def lamps(self) -> dict[str, str]:
        """Button -> ``off``, ``on``, ``blink``."""
        return dict(self._lamps)

    @property
    def tower(self) -> dict[str, str]:
        """Colour -> ``off``, ``on``, ``blink``."""
        return dict(self._tower)

    @property
    def held(self) -> frozenset[str]:
        """The buttons that are held down."""
        return frozenset(self._held)

    def _on_silence(self) -> None:
        self._lamps = dict.fromkeys(self._lamps, "off")
        self._tower = dict.fromkeys(self._tower, "off")

    def _after_ready(self) -> None:
        now_ms = self._ground.now_ms
        for door, is_open in self._state.doors.items():
            self._emit(DoorChanged(self._name, now_ms, door, is_open))
        for key, is_on in self._state.keys.items():
            self._emit(KeyChanged(self._name, now_ms, key, is_on))
        for button in BUTTONS:
            if button in self._held:
                self._emit(ButtonPressed(self._name, now_ms, button))

    def _info(self) -> DeviceInfo:
        return DeviceInfo("Croupier", "simulated panel", "SIM-PANEL", "1")


def _known(name: str, names: "dict[str, str] | dict[str, bool] | tuple[str, ...]", what: str) -> str:
    if name not in names:
        raise ImpossibleAction(f"there is no {what} {name}; there are {', '.join(names)}")
    return name
