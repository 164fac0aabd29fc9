import json
import threading
from pathlib import Path

import pytest

from hal.events import (
    CoinAccepted,
    CoinRejected,
    DeviceEvent,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    HopperDone,
    HopperPaid,
    HopperReport,
    NoteEscrowed,
    NoteRejected,
    NoteReport,
    NoteReturned,
    NoteStacked,
)
from hal.simulated import ImpossibleAction, World, WorldConfig, WorldFileError

Heard = list[DeviceEvent]


def connect(world: World, last_event: int = 0) -> Heard:
    """Start a program that only listens."""
    heard: Heard = []
    for device in world.devices.all():
        device.start(heard.append, last_event)
    return heard


def ready_world(path: Path | None = None) -> tuple[World, Heard]:
    world = World(path=path)
    heard = connect(world)
    world.notes.enable([1_000, 2_000])
    world.coins.enable([100, 200])
    heard.clear()
    return world, heard


def of(heard: Heard, *kinds: type[DeviceEvent]) -> Heard:
    return [event for event in heard if isinstance(event, kinds)]


# --- notes -----------------------------------------------------------------------------------------------------------


def test_a_note_takes_300_ms_to_escrow_and_400_ms_to_the_cash_box() -> None:
    world, heard = ready_world()
    world.insert_note(2_000)
    world.advance(299)
    assert (heard, world.readings.note_state) == ([], "accepting")
    world.advance(300)
    escrowed = heard[-1]
    assert escrowed == NoteEscrowed("notes", 300, "SIM-NOTES:1:e1", 2_000)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(699)
    assert world.readings.note_state == "stacking"
    assert world.readings.cash_box_minor == 0
    world.advance(700)
    assert heard[-1] == NoteStacked("notes", 700, "SIM-NOTES:1:1", 2_000, "SIM-NOTES:1:e1")
    assert world.readings.box_notes == {2_000: 1}


def test_a_stacked_note_is_repeated_until_it_is_confirmed_and_blocks_the_next() -> None:
    world, heard = ready_world()
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(2_000)
    assert [event.at_ms for event in of(heard, NoteStacked)] == [700, 1_200, 1_700]
    world.insert_note(1_000)
    assert world.readings.mouth_minor == (1_000,)
    world.notes.confirm("SIM-NOTES:1:1")
    world.advance(9_000)
    assert len(of(heard, NoteStacked)) == 3
    world.insert_note(1_000)
    assert world.readings.note_state == "accepting"


def test_an_escrow_that_nobody_decides_is_given_back_after_its_time() -> None:
    world, heard = ready_world()
    world.insert_note(2_000)
    world.advance(300 + 10_000 + 299)
    assert not of(heard, NoteReturned)
    world.advance(300 + 10_000 + 300)
    assert of(heard, NoteReturned) == [NoteReturned("notes", 10_600, "SIM-NOTES:1:e1", 2_000)]
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(20_000)
    assert world.readings.box_notes == {}


@pytest.mark.parametrize(
    ("minor", "damaged", "reason"), [(2_000, True, "damaged"), (777, False, "unknown"), (5_000, False, "inhibited")]
)
def test_a_note_that_cannot_be_taken_comes_back_with_the_reason(minor: int, damaged: bool, reason: str) -> None:
    world, heard = ready_world()
    world.insert_note(minor, damaged)
    world.advance(1_000)
    assert heard == [NoteRejected("notes", 300, reason)]
    assert list(world.readings.mouth_minor) == [minor]
    assert world.take_returned() == ((minor,), ())
    assert not world.readings.mouth_minor


def test_a_full_cash_box_refuses_and_says_so() -> None:
    world = World(WorldConfig(cash_box_capacity_count=1))
    heard = connect(world)
    world.notes.enable([2_000])
    heard.clear()
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(700)
    assert heard[-1:] == [DeviceFault("notes", 700, "stacker_full")]
    world.notes.confirm("SIM-NOTES:1:1")
    world.insert_note(2_000)
    world.advance(2_000)
    assert heard[-1:] == [NoteRejected("notes", 1_000, "inhibited")]
    world.open_door("cash_box")
    assert world.remove_cash_box() == ({2_000: 1}, {})
    assert DeviceFault("notes", 2_000, "stacker_full", is_up=False) in heard


def test_a_note_on_its_way_when_the_cash_box_is_pulled_comes_back() -> None:
    world, heard = ready_world()
    world.open_door("cash_box")
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(400)
    world.remove_cash_box()
    world.advance(1_000)
    assert of(heard, NoteReturned, NoteStacked) == [NoteReturned("notes", 700, "SIM-NOTES:1:e1", 2_000)]


@pytest.mark.parametrize(("moved_ms", "stacks"), [(0, False), (199, False), (200, True), (399, True)])
def test_a_power_cut_while_stacking_is_decided_by_how_far_the_note_was(moved_ms: int, stacks: bool) -> None:
    world, _ = ready_world()
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(300 + moved_ms)
    world.cut_power()
    world.advance(60_000)
    assert world.readings.note_state == "disabled"
    world.restore_power()
    heard = connect(world, last_event=0)
    world.advance(61_000)
    ready, money = of(heard, DeviceReady)[-1], of(heard, NoteStacked, NoteReturned)[0]
    assert isinstance(ready, DeviceReady)
    if stacks:
        assert ready.report == NoteReport(stacked_count=1, unconfirmed=("SIM-NOTES:1:1",))
        assert isinstance(money, NoteStacked)
        assert (money.key, money.escrow_id) == ("SIM-NOTES:1:1", None)
    else:
        assert ready.report == NoteReport(stacked_count=0)
        assert isinstance(money, NoteReturned)
        assert world.readings.mouth_minor == (2_000,)


@pytest.mark.parametrize(
    ("fate", "in_box", "uncertain"), [("returned", 0, False), ("stacked", 1, False), ("lost", 1, True)]
)
def test_the_fate_of_a_note_at_a_power_cut_can_be_chosen(fate: str, in_box: int, uncertain: bool) -> None:
    world, _ = ready_world()
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(500)
    world.cut_power(note=fate)
    world.restore_power()
    heard = connect(world)
    world.advance(5_000)
    ready = next(event for event in heard if isinstance(event, DeviceReady) and event.device == "notes")
    assert isinstance(ready.report, NoteReport)
    assert world.readings.cash_box_note_count == in_box
    assert ready.report.uncertain is uncertain
    assert bool(of(heard, NoteStacked)) is (fate == "stacked")


def test_a_note_waits_in_escrow_while_the_program_is_dead_and_is_offered_again_with_a_new_id() -> None:
    world, _ = ready_world()
    world.insert_note(2_000)
    world.advance(300)
    world.host_dies()
    world.advance(3_000)
    heard = connect(world)
    notes = [event for event in heard if event.device == "notes"]
    assert isinstance(notes[0], DeviceReady)
    assert notes[0].report == NoteReport(stacked_count=0, in_escrow_minor=2_000)
    assert notes[1] == NoteEscrowed("notes", 3_000, "SIM-NOTES:1:e2", 2_000)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(4_000)
    assert world.readings.box_notes == {}
    world.notes.return_note("SIM-NOTES:1:e2")
    world.advance(5_000)
    assert world.readings.mouth_minor == (2_000,)


def test_a_jam_holds_the_note_until_it_is_cleared() -> None:
    world, heard = ready_world()
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.advance(550)
    world.jam("notes")
    world.advance(30_000)
    assert world.readings.note_state == "jammed"
    assert not of(heard, NoteStacked)
    world.clear_jam("notes")
    world.advance(31_000)
    assert of(heard, NoteStacked)


def test_keys_go_on_after_the_journals_when_the_cabinet_is_new() -> None:
    world = World()
    connect(world, last_event=41)
    world.coins.enable([100])
    world.insert_coin(100)
    heard = connect(world, last_event=41)
    world.advance(100)
    coins = of(heard, CoinAccepted)
    assert [event.key for event in coins if isinstance(event, CoinAccepted)] == ["SIM-COINS:1:42"]


# --- coins -----------------------------------------------------------------------------------------------------------


def test_coins_go_to_the_hopper_only_when_routed_and_of_its_kind_and_while_it_has_room() -> None:
    world = World(WorldConfig(hopper_capacity_count=2, hopper_start_count=1))
    heard = connect(world)
    world.coins.enable([100, 200])
    for route, value in (("cash_box", 100), ("hopper", 200), ("hopper", 100), ("hopper", 100)):
        world.coins.route(route)
        world.insert_coin(value)
    world.advance(1_000)
    taken = [(event.value_minor, event.to) for event in heard if isinstance(event, CoinAccepted)]
    assert taken[:4] == [(100, "cash_box"), (200, "cash_box"), (100, "hopper"), (100, "cash_box")]
    assert world.readings.hopper_coin_count == 2
    assert world.readings.box_coins == {100: 2, 200: 1}


def test_five_unconfirmed_coins_fill_the_memory_and_the_sixth_falls_through() -> None:
    world, heard = ready_world()
    for _ in range(6):
        world.insert_coin(100)
    assert heard == [CoinRejected("coins", 0, "busy")]
    world.advance(10_000)
    keys = {event.key for event in heard if isinstance(event, CoinAccepted)}
    assert len(keys) == 5
    assert world.take_returned() == ((), (100,))
    for key in keys:
        world.coins.confirm(key)
    heard.clear()
    world.advance(20_000)
    assert heard == []


def test_a_coin_past_the_gate_is_taken_although_the_acceptor_is_disabled_meanwhile() -> None:
    world, heard = ready_world()
    world.insert_coin(100)
    world.coins.disable()
    world.insert_coin(200)
    world.advance(1_000)
    assert [event.value_minor for event in heard if isinstance(event, CoinAccepted)][:1] == [100]
    assert CoinRejected("coins", 0, "inhibited") in heard
    assert world.readings.cup_minor == (200,)


def test_a_power_cut_drops_the_falling_coin_into_the_cup() -> None:
    world, _ = ready_world()
    world.insert_coin(100)
    world.advance(99)
    world.cut_power()
    assert world.readings.cup_minor == (100,)
    assert world.readings.cash_box_minor == 0


def test_devices_refuse_money_one_second_after_the_program_died() -> None:
    world, _ = ready_world()
    world.host_dies()
    world.advance(999)
    world.insert_coin(100)
    world.advance(1_000)
    world.insert_coin(200)
    world.insert_note(1_000)
    world.advance(5_000)
    assert world.readings.box_coins == {100: 1}
    assert world.readings.cup_minor == (200,)
    assert world.readings.mouth_minor == (1_000,)
    heard = connect(world)
    assert [event.value_minor for event in heard if isinstance(event, CoinAccepted)] == [100]


# --- hopper ----------------------------------------------------------------------------------------------------------


def test_a_coin_leaves_every_120_ms() -> None:
    world, heard = ready_world()
    world.hopper.pay("p1-1", 3)
    world.advance(360)
    assert [event.at_ms for event in of(heard, HopperPaid)] == [120, 240, 360]
    assert of(heard, HopperDone) == [HopperDone("hopper", 360, "p1-1", 3, 3, "complete")]
    assert world.readings.tray_minor == 300
    assert world.take_tray() == 300
    assert (world.readings.tray_minor, world.readings.taken_minor) == (0, 300)


def test_the_hopper_goes_on_without_the_program_but_not_without_power() -> None:
    for cut, expected in ((World.host_dies, 5), (World.cut_power, 2)):
        world, _ = ready_world()
        world.hopper.pay("p1-1", 5)
        world.advance(250)
        cut(world)
        world.advance(10_000)
        if not world.readings.powered:
            world.restore_power()
        heard = connect(world)
        ready = next(event for event in heard if isinstance(event, DeviceReady) and event.device == "hopper")
        assert ready.report == HopperReport(expected, "p1-1", expected)
        heard.clear()
        world.hopper.pay("p1-1", 5)
        world.advance(20_000)
        reason = "complete" if expected == 5 else "stopped"
        assert heard == [HopperDone("hopper", 10_000, "p1-1", 5, expected, reason)]
        assert world.readings.tray_minor == expected * 100


def test_ready_waits_until_the_hopper_is_at_rest() -> None:
    world, _ = ready_world()
    world.hopper.pay("p1-1", 5)
    world.advance(120)
    world.host_dies()
    heard = connect(world)
    assert not [event for event in heard if event.device == "hopper"]
    world.advance(600)
    assert [event.at_ms for event in heard if event.device == "hopper"] == [600]


def test_another_payout_meanwhile_is_refused() -> None:
    world, heard = ready_world()
    world.hopper.pay("p1-1", 2)
    world.hopper.pay("p1-2", 2)
    assert heard == [HopperDone("hopper", 0, "p1-2", 2, 0, "fault")]
    world.advance(5_000)
    assert world.readings.tray_minor == 200


def test_a_jam_ends_the_payout_with_what_was_paid() -> None:
    world, heard = ready_world()
    world.hopper.pay("p1-1", 5)
    world.advance(240)
    world.jam("hopper")
    world.advance(5_000)
    assert heard[-2:] == [DeviceFault("hopper", 1_240, "jam"), HopperDone("hopper", 1_240, "p1-1", 5, 2, "jam")]


def test_a_refill_within_the_wait_lets_the_payout_go_on() -> None:
    world, heard = ready_world()
    world.set_hopper(1)
    world.hopper.pay("p1-1", 2)
    world.advance(800)
    world.refill_hopper(10)
    world.advance(5_000)
    assert of(heard, HopperDone) == [HopperDone("hopper", 920, "p1-1", 2, 2, "complete")]


def test_an_empty_hopper_reports_the_fault_and_its_end() -> None:
    world, heard = ready_world()
    world.set_hopper(0)
    world.hopper.pay("p1-1", 1)
    world.advance(5_000)
    assert heard == [DeviceFault("hopper", 1_000, "empty"), HopperDone("hopper", 1_000, "p1-1", 1, 0, "empty")]
    world.refill_hopper(1)
    assert heard[-1] == DeviceFault("hopper", 5_000, "empty", is_up=False)


# --- cables, power, the world's rules ----------------------------------------------------------------------------------


def test_an_unplugged_device_is_lost_and_comes_back_disabled() -> None:
    world, heard = ready_world()
    world.unplug("coins")
    assert heard == [DeviceLost("coins", 0, "unplugged")]
    assert world.readings.unplugged == ("coins",)
    world.coins.enable([100])
    world.plug("coins")
    assert isinstance(heard[-1], DeviceReady)
    world.insert_coin(100)
    assert heard[-1:] == [CoinRejected("coins", 0, "inhibited")]


def test_a_program_that_dies_while_it_hears_hears_nothing_more() -> None:
    world = World()
    heard: Heard = []

    class KilledError(Exception):
        pass

    def dies_at_the_second(event: DeviceEvent) -> None:
        heard.append(event)
        if len(heard) == 2:
            world.host_dies()
            raise KilledError

    with pytest.raises(KilledError):
        world.panel.start(dies_at_the_second, 0)
    world.open_door("main")
    world.advance(1_000)
    assert len(heard) == 2


def test_the_sink_may_give_commands_while_it_hears() -> None:
    world = World()
    heard: Heard = []

    def reacts(event: DeviceEvent) -> None:
        heard.append(event)
        if isinstance(event, DeviceReady):
            world.notes.enable([2_000])
        elif isinstance(event, NoteEscrowed):
            world.notes.stack(event.escrow_id)
        elif isinstance(event, NoteStacked):
            world.notes.confirm(event.key)

    world.notes.start(reacts, 0)
    world.insert_note(2_000)
    world.advance(10_000)
    assert [type(event).__name__ for event in heard] == ["DeviceReady", "NoteEscrowed", "NoteStacked"]
    assert [event.at_ms for event in heard] == [0, 300, 700]


def test_the_greeting_leaves_lamps_dark_and_the_power_cut_too() -> None:
    world, _ = ready_world()
    world.panel.set_lamp("b1", "blink")
    world.panel.set_tower("red", "on")
    assert dict(world.readings.lamps)["b1"] == "blink"
    assert dict(world.readings.tower)["red"] == "on"
    world.cut_power()
    assert set(dict(world.readings.lamps).values()) == {"off"}
    assert set(dict(world.readings.tower).values()) == {"off"}


IMPOSSIBLE = {
    "close a closed door": lambda world: world.close_door("main"),
    "open a door that is not there": lambda world: world.open_door("barn"),
    "turn back a key": lambda world: world.turn_back_key("operator"),
    "release a button": lambda world: world.release("b1"),
    "press a button that is not there": lambda world: world.press("b13"),
    "clear no jam": lambda world: world.clear_jam("notes"),
    "jam the panel": lambda world: world.jam("panel"),
    "plug what is in": lambda world: world.plug("hopper"),
    "restore power that is on": lambda world: world.restore_power(),
    "take the cash box through a closed door": lambda world: world.remove_cash_box(),
    "overfill the hopper": lambda world: world.refill_hopper(10_000),
    "choose an unknown fate": lambda world: world.cut_power(note="eaten"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_done_is_refused_and_changes_nothing(name: str) -> None:
    world, heard = ready_world()
    before = world.readings
    with pytest.raises(ImpossibleAction):
        IMPOSSIBLE[name](world)
    assert world.readings == before
    assert heard == []


def test_money_is_neither_made_nor_lost_by_the_cabinet() -> None:
    """A long mixed play with power cuts: what is inside is what was there, plus what went in, minus what came out."""
    world = World()
    start_minor = world.readings.hopper_minor
    given_minor = 0
    for turn in range(40):
        if not world.readings.powered:
            world.restore_power()
        heard = connect(world)
        world.notes.enable([1_000, 2_000])
        world.coins.enable([100, 200])
        world.coins.route("hopper" if turn % 2 else "cash_box")
        for _ in range(12):
            world.insert_note(1_000 + 1_000 * (turn % 2))
            world.insert_coin(100 + 100 * (turn % 3 == 0))
            given_minor += 1_000 + 1_000 * (turn % 2) + 100 + 100 * (turn % 3 == 0)
            world.advance(world.now_ms + 170 + turn)
            for event in heard:
                if isinstance(event, NoteEscrowed):
                    world.notes.stack(event.escrow_id)
                elif isinstance(event, NoteStacked):
                    world.notes.confirm(event.key)
                elif isinstance(event, CoinAccepted):
                    world.coins.confirm(event.key)
            heard.clear()
        world.hopper.pay(f"p1-{turn}", 5)
        world.advance(world.now_ms + 100 * turn)
        if turn % 3:
            world.cut_power()
        else:
            world.host_dies()
    world.advance(world.now_ms + 60_000)
    if not world.readings.powered:
        world.restore_power()
    world.advance(world.now_ms + 60_000)
    readings = world.readings
    inside_minor = readings.cash_box_minor + readings.hopper_minor
    back_minor = sum(readings.mouth_minor) + sum(readings.cup_minor) + readings.tray_minor
    assert readings.notes_stacked_count > 40
    assert readings.coins_dispensed_count > 40
    assert inside_minor + back_minor == start_minor + given_minor


def test_many_threads_may_use_one_world() -> None:
    world, heard = ready_world()
    done = threading.Barrier(3)

    def drops_coins() -> None:
        done.wait()
        for _ in range(100):
            world.insert_coin(100)
            for event in tuple(heard):
                if isinstance(event, CoinAccepted):
                    world.coins.confirm(event.key)

    threads = [threading.Thread(target=drops_coins) for _ in range(2)]
    for thread in threads:
        thread.start()
    done.wait()
    for now_ms in range(0, 100_000, 50):
        world.advance(now_ms)
    for thread in threads:
        thread.join()
    world.advance(200_000)
    readings = world.readings
    assert len(readings.cup_minor) + sum(readings.box_coins.values()) == 200
    assert readings.coins_accepted_count == len({e.key for e in heard if isinstance(e, CoinAccepted)})


# --- keeping ---------------------------------------------------------------------------------------------------------


def test_a_killed_program_finds_the_cabinet_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    world, _ = ready_world(path)
    world.insert_coin(100)
    world.insert_note(2_000)
    world.advance(300)
    world.notes.stack("SIM-NOTES:1:e1")
    world.hopper.pay("p1-1", 4)
    world.open_door("main")
    world.turn_key("operator")
    world.advance(450)
    before = world.readings

    again = World.load(path, now_ms=1_000_000)  # no orderly end of the first one
    after = again.readings
    assert after.now_ms == 1_000_000
    for name in ("box_coins", "box_notes", "doors", "keys", "hopper_coin_count", "tray_minor", "note_state"):
        assert getattr(after, name) == getattr(before, name), name
    heard = connect(again)
    again.advance(1_002_000)
    stacked = of(heard, NoteStacked)[0]
    assert isinstance(stacked, NoteStacked)
    assert stacked.key == "SIM-NOTES:1:1"
    assert 1_000_250 <= stacked.at_ms <= 1_000_400  # it goes on from the last physical change
    assert again.readings.tray_minor == 400
    coins = [event.key for event in heard if isinstance(event, CoinAccepted)]
    assert coins[0] == "SIM-COINS:1:1"


def test_every_physical_change_is_in_the_file_before_the_program_hears_of_it(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    world = World(path=path)
    told: list[tuple[str, int]] = []

    def listens(event: DeviceEvent) -> None:
        if isinstance(event, CoinAccepted | HopperPaid):
            saved = json.loads(path.read_text())
            told.append((type(event).__name__, saved["coins"]["event_count"] + saved["tray_minor"]))

    world.coins.start(listens, 0)
    world.hopper.start(listens, 0)
    world.coins.enable([100])
    world.insert_coin(100)
    world.advance(100)
    world.hopper.pay("p1-1", 1)
    world.advance(220)
    assert told == [("CoinAccepted", 1), ("HopperPaid", 101)]


def test_open_makes_a_cabinet_once_and_finds_it_again(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    World.open(path).set_hopper(7)
    assert World.open(path).readings.hopper_coin_count == 7


def test_the_power_stays_off_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    World(path=path).cut_power()
    assert not World.load(path).readings.powered


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"now_ms": 1}', b"\xff\x00"])
def test_a_foreign_file_is_refused_with_its_name_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "world.json"
    path.write_bytes(content)
    with pytest.raises(WorldFileError, match=r"world\.json.*move it away"):
        World.open(path)
    assert path.read_bytes() == content


def test_save_writes_the_same_state_elsewhere(tmp_path: Path) -> None:
    world, _ = ready_world()
    world.set_hopper(3)
    world.save(tmp_path / "copy.json")
    assert World.load(tmp_path / "copy.json").readings.hopper_coin_count == 3
