"""Every panel, whatever is behind it, keeps this contract."""

import sys

import pytest
from pytest_mock import MockerFixture

from hal.events import ButtonPressed, ButtonReleased, DeviceReady, DoorChanged, KeyChanged
from tests.hal.contract.rig import PanelRig, heard, run_until
from tests.hal.contract.rigs import PANEL_RIGS


@pytest.fixture(params=PANEL_RIGS)
def rig(request: pytest.FixtureRequest, mocker: MockerFixture) -> PanelRig:
    mocker.patch.dict(sys.modules)  # a rig may put a stand-in for a GPIO library there
    rig = PANEL_RIGS[request.param]()
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.run(500)
    return rig


def test_after_ready_every_door_and_key_is_told(rig: PanelRig) -> None:
    assert isinstance(rig.events[0], DeviceReady)
    assert {door.door: door.is_open for door in heard(rig, DoorChanged)} == {
        "main": False,
        "cash_box": False,
        "logic": False,
    }
    assert {key.key: key.is_on for key in heard(rig, KeyChanged)} == {"attendant": False, "operator": False}


def test_a_press_and_a_release_are_heard_once_each(rig: PanelRig) -> None:
    rig.press("b3")
    rig.run(300)
    rig.release("b3")
    rig.run(300)
    assert [event.button for event in heard(rig, ButtonPressed)] == ["b3"]
    assert [event.button for event in heard(rig, ButtonReleased)] == ["b3"]


def test_two_buttons_may_be_held_together(rig: PanelRig) -> None:
    rig.press("b1")
    rig.press("b2")
    rig.run(300)
    assert {event.button for event in heard(rig, ButtonPressed)} == {"b1", "b2"}
    assert not heard(rig, ButtonReleased)


def test_doors_and_keys_are_heard(rig: PanelRig) -> None:
    rig.events.clear()
    rig.move_door("main", True)
    rig.turn_key("operator", True)
    rig.run(500)
    rig.move_door("main", False)
    rig.turn_key("operator", False)
    rig.run(500)
    assert [(event.door, event.is_open) for event in heard(rig, DoorChanged)] == [("main", True), ("main", False)]
    assert [(event.key, event.is_on) for event in heard(rig, KeyChanged)] == [("operator", True), ("operator", False)]


def test_what_moved_without_the_program_is_told_at_the_next_start(rig: PanelRig) -> None:
    rig.cut_power()
    rig.move_door("logic", True)
    rig.press("b5")
    rig.boot()
    rig.run(500)
    assert ("logic", True) in [(event.door, event.is_open) for event in heard(rig, DoorChanged)]
    assert [event.button for event in heard(rig, ButtonPressed)] == ["b5"]


@pytest.mark.parametrize("state", ["on", "blink", "off"])
def test_a_lamp_shows_what_was_set(rig: PanelRig, state: str) -> None:
    rig.subject.set_lamp("b1", "on")
    rig.subject.set_lamp("b1", state)
    rig.run(200)
    assert rig.lamp("b1") == state
    assert rig.lamp("b2") == "off"


def test_a_meter_advances_by_every_step(rig: PanelRig) -> None:
    rig.subject.pulse_meter("in", 3)
    rig.subject.pulse_meter("in", 2)
    rig.subject.pulse_meter("out", 1)
    rig.run(5_000)
    assert (rig.meter_steps("in"), rig.meter_steps("out")) == (5, 1)


def test_a_meter_never_goes_back(rig: PanelRig) -> None:
    with pytest.raises(ValueError, match="in"):
        rig.subject.pulse_meter("in", -1)
