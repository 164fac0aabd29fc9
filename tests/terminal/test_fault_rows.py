"""Every row of the fault table: entered and left only by its permitted way, over a reboot, with words for everybody."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import pytest

from firmware.entries.types import FaultRaised
from firmware.terminal import faults
from firmware.terminal.faults import FAULTS, LEVELS, code_for, may_clear
from firmware.terminal.step import Boot, ClearFaults, ProgramChecked, Step
from hal.events import DeviceEvent, DeviceFault, DeviceInfo, DeviceLost, DeviceReady, NoteRejected, NoteStacked
from hal.simulated.world import World
from tests.support.cabinet import CabinetUnderTest

Act = Callable[[CabinetUnderTest], None]
YEAR_MS = 365 * 86_400_000


def post(cabinet: CabinetUnderTest, *events: DeviceEvent) -> None:
    for event in events:
        cabinet.terminal.handle(event)


def says(device: str, condition: str) -> Act:
    return lambda cabinet: post(cabinet, DeviceFault(device, cabinet.clock.monotonic_ms(), condition))


def says_no_more(device: str, condition: str) -> Act:
    return lambda cabinet: post(cabinet, DeviceFault(device, cabinet.clock.monotonic_ms(), condition, is_up=False))


def lost(device: str) -> Act:
    return lambda cabinet: post(cabinet, DeviceLost(device, cabinet.clock.monotonic_ms(), "no answer"))


def back(device: str) -> Act:
    return lambda cabinet: post(cabinet, DeviceReady(device, cabinet.clock.monotonic_ms(), DeviceInfo()))


def by_hand(hand: Callable[[World], object]) -> Act:
    return lambda cabinet: cabinet.act(hand)


def nothing(_: CabinetUnderTest) -> None:
    """The condition is over as soon as it was noticed."""


def open_unseen(cabinet: CabinetUnderTest) -> None:
    cabinet.cut_power()
    cabinet.act(lambda world: world.open_door("logic"))
    cabinet.boot()
    cabinet.act(lambda world: world.close_door("logic"))


def too_much(cabinet: CabinetUnderTest) -> None:
    post(cabinet, NoteStacked("notes", cabinet.clock.monotonic_ms(), "SIM-NOTES:1:9", 1_000_000, None))


def refuse_ten(cabinet: CabinetUnderTest) -> None:
    post(cabinet, *[NoteRejected("notes", cabinet.clock.monotonic_ms(), "unknown")] * 10)


def win_large(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(10_000)
    cabinet.sit_down()
    cabinet.bet(3, "ante", 2_500)
    cabinet.lay("As 9c Ks 9d Qs 2s Js Jc Ts Kd 7s")
    cabinet.press("deal")
    cabinet.press("raise")


def move_clock(delta_ms: int) -> Act:
    def move(cabinet: CabinetUnderTest) -> None:
        cabinet.clock.set_wall(cabinet.clock.wall_ms() + delta_ms)
        cabinet.wait(200)

    return move


def pay_and_unplug(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(500)
    cabinet.cut_power()
    cabinet.world.unplug("hopper")
    cabinet.boot()
    cabinet.wait(12_000)
    cabinet.world.plug("hopper")
    cabinet.wait(1_000)


def update_program(cabinet: CabinetUnderTest) -> None:
    state = cabinet.terminal._state
    cabinet.terminal._state = replace(state, recorded=replace(state.recorded, program_version="0.0.1"))
    cabinet.terminal.handle(Boot())


def checked(state: Literal["signed", "altered"]) -> Act:
    return lambda cabinet: cabinet.terminal.handle(ProgramChecked(state, "changed firmware/money.py"))


def break_books(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    state = cabinet.terminal._state
    books = state.recorded.books
    wrong = replace(books, meters={**books.meters, "notes_in_minor": books.meter("notes_in_minor") + 1})
    cabinet.terminal._state = replace(state, recorded=replace(state.recorded, books=wrong))
    cabinet.touch("button:cash_out")


def recorded(code: str) -> Act:
    """For what the storage, the source of randomness or the menu finds: the fault as its entry, which is all that the rest knows."""

    def record(cabinet: CabinetUnderTest) -> None:
        step = Step(cabinet.terminal.state.screen, (FaultRaised(code, "terminal", "test"),))
        cabinet.terminal._state = cabinet.terminal._recorded(step)

    return record


@dataclass(frozen=True)
class Way:
    """How a row is entered, and how its condition ends."""

    enter: Act
    end: Act = nothing
    lasts: bool = True
    """The condition is still there after a reboot, for a row that clears by itself."""


WAYS: dict[str, Way] = {
    faults.BOOKS: Way(break_books),
    faults.EXCESSIVE: Way(too_much),
    faults.LARGE_WIN: Way(win_large),
    faults.OPENED_UNSEEN: Way(open_unseen),
    faults.CLOCK_BACK: Way(move_clock(-YEAR_MS)),
    faults.CLOCK_FORWARD: Way(move_clock(YEAR_MS)),
    faults.PROGRAM_CHANGED: Way(update_program),
    faults.PROGRAM_ALTERED: Way(checked("altered"), checked("signed")),
    faults.COPY_REBUILT: Way(recorded(faults.COPY_REBUILT)),
    faults.HOPPER_UNCERTAIN: Way(pay_and_unplug),
    faults.NOTE_COUNTER: Way(recorded(faults.NOTE_COUNTER)),
    faults.COIN_COUNTER: Way(recorded(faults.COIN_COUNTER)),
    faults.HOPPER_COUNTER: Way(recorded(faults.HOPPER_COUNTER)),
    faults.RANDOMNESS: Way(recorded(faults.RANDOMNESS)),
    faults.OUT_OF_SERVICE: Way(recorded(faults.OUT_OF_SERVICE)),
    faults.EXCESS_REJECTS: Way(refuse_ten),
    "D1": Way(by_hand(lambda w: w.open_door("main")), by_hand(lambda w: w.close_door("main"))),
    "D2": Way(by_hand(lambda w: w.open_door("cash_box")), by_hand(lambda w: w.close_door("cash_box"))),
    "D3": Way(by_hand(lambda w: w.open_door("logic")), by_hand(lambda w: w.close_door("logic"))),
    "D5": Way(lost("panel"), back("panel"), lasts=False),
    "B1": Way(by_hand(lambda w: w.jam("notes")), by_hand(lambda w: w.clear_jam("notes"))),
    "B2": Way(says("notes", "stacker_full"), says_no_more("notes", "stacker_full"), lasts=False),
    "B3": Way(says("notes", "cash_box_removed"), says_no_more("notes", "cash_box_removed"), lasts=False),
    "B4": Way(says("notes", "unknown_money"), says_no_more("notes", "unknown_money")),
    "B5": Way(says("notes", "fraud"), says_no_more("notes", "fraud")),
    "B6": Way(lost("notes"), back("notes"), lasts=False),
    "B7": Way(says("notes", "motor"), says_no_more("notes", "motor")),
    "C1": Way(by_hand(lambda w: w.jam("coins")), by_hand(lambda w: w.clear_jam("coins"))),
    "B10": Way(says("notes", "string"), says_no_more("notes", "string")),
    "C2": Way(says("coins", "string"), says_no_more("coins", "string")),
    "C7": Way(says("coins", "fraud"), says_no_more("coins", "fraud")),
    "C3": Way(says("coins", "lost_events"), says_no_more("coins", "lost_events")),
    "C4": Way(lost("coins"), back("coins"), lasts=False),
    "C5": Way(says("coins", "sensor"), says_no_more("coins", "sensor")),
    "H1": Way(says("hopper", "empty"), says_no_more("hopper", "empty"), lasts=False),
    "H2": Way(says("hopper", "jam"), says_no_more("hopper", "jam")),
    "H3": Way(says("hopper", "runaway"), says_no_more("hopper", "runaway")),
    "H5": Way(lost("hopper"), back("hopper"), lasts=False),
    "H8": Way(says("hopper", "fraud"), says_no_more("hopper", "fraud")),
    "H6": Way(says("hopper", "sensor"), says_no_more("hopper", "sensor")),
    "P1": Way(says("printer", "paper_low"), says_no_more("printer", "paper_low")),
    "P2": Way(says("printer", "paper_out"), says_no_more("printer", "paper_out")),
    "P3": Way(says("printer", "cover_open"), says_no_more("printer", "cover_open")),
    "P4": Way(lost("printer"), back("printer")),
    "P5": Way(says("printer", "cutter"), says_no_more("printer", "cutter")),
}
ELSEWHERE = {faults.MEMORY, faults.NEWER_JOURNAL, faults.CONTRADICTION, faults.GAME_CHANGED, faults.STORAGE}
"""Rows whose source is the storage, the program or the profiles; see test_lock_ups."""


def turn(cabinet: CabinetUnderTest, key: str) -> None:
    cabinet.act(lambda world: world.turn_key(key))
    cabinet.act(lambda world: world.turn_back_key(key))


def is_up(cabinet: CabinetUnderTest, code: str) -> bool:
    return code in cabinet.fault_codes


def test_there_is_a_way_for_every_row_of_the_table() -> None:
    assert set(WAYS) | ELSEWHERE == set(FAULTS)


@pytest.mark.parametrize("code", WAYS)
def test_row_is_entered_and_left_only_by_its_permitted_way_over_a_reboot(cabinet: CabinetUnderTest, code: str) -> None:
    way, row = WAYS[code], FAULTS[code]
    way.enter(cabinet)
    assert is_up(cabinet, code)
    if way.end is not nothing:
        turn(cabinet, "attendant")
        turn(cabinet, "operator")
        assert is_up(cabinet, code), "a key ended it while its condition was there"
    cabinet.cut_power()
    cabinet.boot()
    if row.clears == "self" and not way.lasts:
        assert not is_up(cabinet, code)  # the device is back and says nothing of it
        return
    assert is_up(cabinet, code), "a power cycle ended it"
    way.end(cabinet)
    cabinet.wait(200)
    if row.clears == "self":
        assert not is_up(cabinet, code)
        return
    assert is_up(cabinet, code)
    if row.clears != "attendant":
        turn(cabinet, "attendant")
        assert is_up(cabinet, code), "the attendant's key ended it"
    if row.clears == "technician":  # who has no key of his own but the menu
        turn(cabinet, "operator")
        assert is_up(cabinet, code)
        cabinet.terminal.handle(ClearFaults("technician"))
    turn(cabinet, "operator" if row.clears == "operator" else "attendant")
    assert is_up(cabinet, code) == (row.clears == "ram_clear")
    cabinet.cut_power()
    cabinet.boot()
    assert is_up(cabinet, code) == (row.clears == "ram_clear"), "a power cycle changed it"


@pytest.mark.parametrize("code", WAYS)
def test_row_stops_what_it_says_and_nothing_else(cabinet: CabinetUnderTest, code: str) -> None:
    way, row = WAYS[code], FAULTS[code]
    if code not in (faults.LARGE_WIN, faults.HOPPER_UNCERTAIN, faults.BOOKS):
        cabinet.insert_note(2_000)
    way.enter(cabinet)
    assert (cabinet.view.mode == "tilt") == (faults.PLAY in row.stops)
    takes = cabinet.view.accepts_money
    if faults.MONEY_IN in row.stops:
        assert not takes
    elif code not in ("B6", "C4", faults.HOPPER_UNCERTAIN):
        assert takes


def test_several_faults_are_listed_the_most_important_first(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.jam("coins"))
    cabinet.act(lambda world: world.open_door("main"))
    says("hopper", "jam")(cabinet)
    cabinet.expect_faults("D1", "C1", "H2")
    cabinet.act(lambda world: world.close_door("main"))
    cabinet.expect_faults("C1", "H2")


def test_each_trouble_of_a_money_device_that_a_person_must_tell_apart_is_a_row_of_its_own() -> None:
    troubles = ("stacker_full", "cash_box_removed", "jam", "fraud", "string", "lost")
    for device, own in (("notes", troubles), ("coins", troubles[2:]), ("hopper", ("jam", "fraud", "empty", "lost"))):
        codes = [code_for(device, trouble) for trouble in own]
        assert len(set(codes)) == len(codes), (device, codes)
        assert len({FAULTS[code or ""].remedy.message for code in codes}) == len(codes), device


def test_codes_and_ranks_are_unique_and_every_row_has_words_for_all() -> None:
    rows = list(FAULTS.values())
    assert len({row.rank for row in rows}) == len(rows)
    for row in rows:
        assert row.title.message
        assert row.player.message
        assert row.remedy.message
        assert row.clears in ("self", "restart", "ram_clear", *LEVELS)
        assert row.severity in ("lock_up", "fault", "warning")
        if row.clears == "ram_clear":
            assert row.severity == "lock_up"


def test_higher_level_clears_what_a_lower_may_and_nobody_what_only_a_ram_clear_ends() -> None:
    assert may_clear("attendant", FAULTS["B1"])
    assert may_clear("technician", FAULTS["B1"])
    assert not may_clear("attendant", FAULTS[faults.EXCESSIVE])
    assert may_clear("operator", FAULTS[faults.EXCESSIVE])
    assert not any(may_clear(level, FAULTS[faults.BOOKS]) for level in LEVELS)
    assert not any(may_clear(level, FAULTS["D1"]) for level in LEVELS)


def test_key_turned_while_the_power_was_off_clears_nothing(cabinet: CabinetUnderTest) -> None:
    win_large(cabinet)
    cabinet.cut_power()
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.boot()
    cabinet.expect_faults(faults.LARGE_WIN)
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    turn(cabinet, "attendant")
    cabinet.expect_faults()


def test_hopper_stops_at_once_when_a_fault_stops_everything(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(500)
    says("notes", "cash_box_removed")(cabinet)
    before = cabinet.world.readings.coins_dispensed_count
    cabinet.wait(3_000)
    assert cabinet.world.readings.coins_dispensed_count <= before + 1
    assert cabinet.books.handpay_minor == 2_000 - 100 * cabinet.world.readings.coins_dispensed_count


def test_rejects_count_in_a_row_only(cabinet: CabinetUnderTest) -> None:
    for _ in range(3):
        post(cabinet, *[NoteRejected("notes", cabinet.clock.monotonic_ms(), "unknown")] * 9)
        cabinet.insert_note(500)
    cabinet.expect_faults()
    assert cabinet.books.meter("notes_rejected") == 27
