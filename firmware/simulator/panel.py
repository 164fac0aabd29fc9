"""The simulated cabinet's panel: what the screen's side panel shows of the hardware, and what a touch on it does."""

from display.view_model import ButtonView, CabinetButton, CabinetView
from hal.interfaces import BUTTONS
from hal.simulated.ground import ImpossibleAction
from hal.simulated.world import Readings, World

REFILL_COUNT = 100


def cabinet_view(world: World, buttons: tuple[ButtonView, ...]) -> CabinetView:
    """Return the panel's view; ``buttons`` are the terminal's, for the labels of the physical ones."""
    readings = world.readings
    labels = {button.slot: button.label for button in buttons if button.slot}
    lamps = dict(readings.lamps)
    return CabinetView(
        powered=readings.powered,
        notes_minor=world.config.notes_minor,
        coins_minor=world.config.coins_minor,
        buttons=tuple(
            CabinetButton(name, labels.get(slot), lamps.get(name, "off"), slot) for slot, name in enumerate(BUTTONS, 1)
        ),
        doors=readings.doors,
        keys=readings.keys,
        tower=readings.tower,
        note_state=readings.note_state,
        coin_state=readings.coin_state,
        hopper_state=readings.hopper_state,
        hopper_coin_count=readings.hopper_coin_count,
        hopper_coin_minor=readings.hopper_coin_minor,
        cash_box_minor=readings.cash_box_minor,
        cash_box_note_count=readings.cash_box_note_count,
        tray_minor=readings.tray_minor,
    )


def touch_panel(world: World, target: str) -> bool:
    """Do what a touch on the panel means; tell whether it could be done.

    ``cabinet:plug`` is not handled here: it takes the program away.
    """
    _, kind, *rest = target.split(":")
    name = rest[0] if rest else ""
    try:
        _touch(world, world.readings, kind, name)
    except ImpossibleAction:
        return False
    return True


def _touch(world: World, readings: Readings, kind: str, name: str) -> None:
    match kind:
        case "note":
            world.insert_note(int(name))
        case "coin":
            world.insert_coin(int(name))
        case "press":
            world.press(name)
            world.release(name)
        case "door" if dict(readings.doors)[name]:
            world.close_door(name)
        case "door":
            world.open_door(name)
        case "key" if dict(readings.keys)[name]:
            world.turn_back_key(name)
        case "key":
            world.turn_key(name)
        case "refill":
            world.refill_hopper(REFILL_COUNT)
        case "tray":
            world.take_tray()
        case "jam":
            states = {"notes": readings.note_state, "coins": readings.coin_state, "hopper": readings.hopper_state}
            (world.clear_jam if states[name] == "jammed" else world.jam)(name)
