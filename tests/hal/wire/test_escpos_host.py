"""A slip counts as printed only with proof; whatever else happens says whether some of it may be on paper."""

import pytest

from hal.emulators.escpos import EscposPrinter
from hal.errors import LocalProtocolError
from hal.events import DeviceEvent, DeviceFault, DeviceLost, DeviceReady, SlipFailed, SlipPrinted
from hal.wire.escpos import CP866
from hal.wire.escpos_host import EscposHost
from hal.wire.session import Enable, PrintSlip, Start
from tests.hal.contract.loop_port import LoopPort
from tests.hal.wire.wire_script import WireScript

LINES = ("Чек", "Выплата 125.00", "12.11.2026")


class Desk:
    """A printer and its host."""

    def __init__(self) -> None:
        self.printer = EscposPrinter()
        self.events: list[DeviceEvent] = []
        self.port = LoopPort(EscposHost("printer", CP866), self.printer)
        self.port.start("printer", self.events.append, 0)
        self.port.run(2_000)

    def do(self, line: str) -> None:
        self.printer.do(line.split(), self.port.now_ms)

    def print(self, slip_id: str = "s1", lines: tuple[str, ...] = LINES, run_ms: int = 20_000) -> None:
        self.port.command(PrintSlip("printer", slip_id, lines))
        self.port.run(run_ms)

    def verdicts(self) -> list[SlipPrinted | SlipFailed]:
        return [event for event in self.events if isinstance(event, SlipPrinted | SlipFailed)]

    def faults(self, is_up: bool = True) -> list[str]:
        return [event.code for event in self.events if isinstance(event, DeviceFault) and event.is_up is is_up]


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    assert isinstance(desk.events[0], DeviceReady)
    return desk


def test_a_slip_is_printed_and_proved(desk: Desk) -> None:
    desk.print()
    (printed,) = desk.verdicts()
    assert isinstance(printed, SlipPrinted)
    assert desk.printer.slips == [list(LINES)]


def test_the_same_slip_is_never_printed_twice(desk: Desk) -> None:
    desk.print()
    desk.print()
    assert [type(event) for event in desk.verdicts()] == [SlipPrinted, SlipPrinted]
    assert len(desk.printer.slips) == 1


@pytest.mark.parametrize(
    ("trouble", "code"),
    [("paper_out", "paper_out"), ("open_cover", "cover_open"), ("jam", "cutter"), ("break_down", "internal")],
)
def test_a_printer_that_can_t_print_is_sent_nothing(desk: Desk, trouble: str, code: str) -> None:
    desk.do(trouble)
    desk.print()
    (failed,) = desk.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == (code, False)
    assert desk.faults() == [code]
    assert not any(b"125" in sent for sent in desk.port.sent)


def test_low_paper_is_a_fault_that_stops_nothing(desk: Desk) -> None:
    desk.do("paper_low")
    desk.print()
    assert desk.faults() == ["paper_low"]
    assert [type(event) for event in desk.verdicts()] == [SlipPrinted]


@pytest.mark.parametrize("after_lines", [1, 2, 3, 4, 5])
def test_paper_that_ends_in_the_slip_is_a_failure_with_something_on_paper(desk: Desk, after_lines: int) -> None:
    """The last two of these are the empty lines before the cut: even then nobody knows that it can be torn off."""
    desk.do(f"paper_out {after_lines}")
    desk.print()
    (failed,) = desk.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == ("paper_out", True)
    desk.do("load_paper")
    desk.port.run(20_000)
    assert len(desk.verdicts()) == 1, "what the printer finishes by itself later is no proof"
    assert desk.faults(is_up=False) == ["paper_out"]
    desk.print()
    assert desk.verdicts()[1] == failed, "never printed again by itself"
    desk.print("s1 duplicate")
    assert isinstance(desk.verdicts()[2], SlipPrinted)


def test_an_old_answer_is_not_taken_for_the_proof_of_a_new_slip(desk: Desk) -> None:
    """The rest of a failed slip, and its fence, are still in the printer's queue when the next slip comes."""
    desk.do("paper_out 1")
    desk.print("s1", ("line",) * 60)
    desk.do("load_paper")
    desk.port.run(30)
    desk.do("paper_out 62")
    desk.print("s2", ("other",) * 20, run_ms=40_000)
    failed = desk.verdicts()[1]
    assert isinstance(failed, SlipFailed)
    assert failed.slip_id == "s2"


@pytest.mark.parametrize("after_ms", [1, 50, 100, 200, 300, 400, 500, 600, 700, 900])
def test_power_lost_in_the_slip_is_never_printed(desk: Desk, after_ms: int) -> None:
    desk.print(run_ms=after_ms)
    desk.do("power_cut")
    desk.port.run(500)
    desk.do("power_on")
    desk.port.run(30_000)
    (verdict,) = desk.verdicts()
    if isinstance(verdict, SlipPrinted):
        assert desk.printer.slips == [list(LINES)]
    elif not verdict.may_exist:
        assert desk.printer.slips == []
        assert desk.printer.paper == []


def test_a_clone_that_always_says_the_same_proves_nothing(desk: Desk) -> None:
    desk.do(f"stick {0x12}")
    desk.print()
    (failed,) = desk.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == ("no_proof", False)


def test_a_printer_that_answers_nothing_is_lost_once_and_refuses_slips(desk: Desk) -> None:
    desk.do("silence 60000")
    desk.port.run(20_000)
    assert [type(event) for event in desk.events if isinstance(event, DeviceLost)] == [DeviceLost]
    desk.print()
    (failed,) = desk.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == ("not_ready", False)


def test_silence_is_never_answered_with_what_clears_the_printer(desk: Desk) -> None:
    """Fault 7: it would throw away the half of a slip that tells a person what happened."""
    desk.print(run_ms=40)
    count = len(desk.port.sent)
    desk.do("silence 60000")
    desk.port.run(60_000)
    assert isinstance(desk.verdicts()[0], SlipFailed)
    assert not [sent for sent in desk.port.sent[count:] if b"\x1b\x40" in sent]


def test_a_printer_of_another_speed_is_named() -> None:
    printer, events = EscposPrinter(), list[DeviceEvent]()
    printer.do(["silence", "600000"], 0)
    port = LoopPort(EscposHost("printer", CP866), printer)
    port.start("printer", events.append, 0)
    for _ in range(200):
        port._perform(port.session.receive(b"\xe0", port.now_ms))
        port.run(100)
    (lost,) = events
    assert isinstance(lost, DeviceLost)
    assert "another speed" in lost.reason


def test_a_port_that_goes_in_the_slip_fails_it(desk: Desk) -> None:
    desk.print(run_ms=600)
    desk.port.close()
    (failed,) = desk.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == ("lost", True)


def test_slips_wait_in_a_line_that_has_an_end(desk: Desk) -> None:
    for number in range(12):
        desk.port.command(PrintSlip("printer", f"s{number}", ("x",)))
    desk.port.run(60_000)
    printed = [event.slip_id for event in desk.verdicts() if isinstance(event, SlipPrinted)]
    busy = [event for event in desk.verdicts() if isinstance(event, SlipFailed)]
    assert printed == [f"s{number}" for number in range(len(printed))]
    assert len(printed) + len(busy) == 12
    assert {(event.reason, event.may_exist) for event in busy} == {("busy", False)}
    assert len(desk.printer.slips) == len(printed)


@pytest.mark.parametrize("seed", range(8))
def test_on_a_bad_line_a_slip_that_counts_as_printed_is_there(seed: int) -> None:
    desk = Desk()
    desk.do("corrupt_next")
    for number in range(6):
        desk.port.command(PrintSlip("printer", f"s{number}", ("slip", str(number))))
        for _ in range(60):
            desk.do(("repeat_last", "corrupt_next", "drop_next", "noise 1")[(number + seed) % 4])
            desk.port.run(97 + 13 * seed)
    desk.port.run(60_000)
    on_paper = [slip[1] for slip in desk.printer.slips if len(slip) > 1]
    for event in desk.verdicts():
        if isinstance(event, SlipPrinted):
            assert event.slip_id[1:] in on_paper
    assert len(on_paper) == len(set(on_paper))


def test_stop_fails_what_is_not_proved(desk: Desk) -> None:
    desk.print(run_ms=600)
    desk.port.stop("printer")
    (failed,) = desk.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == ("stopped", True)
    assert desk.port.session.deadline_ms is None


def test_a_printer_takes_no_money(desk: Desk) -> None:
    with pytest.raises(LocalProtocolError):
        desk.port.command(Enable("printer", (100,)))


class Wire(WireScript):
    """A printer whose answers are written down in the test."""

    def __init__(self) -> None:
        super().__init__(EscposHost("printer"))
        self.frames = 0
        self.order(Start("printer"))
        self.open()
        self.round()

    def asked(self) -> int:
        """Wait for the next question; return which status it asks for."""
        while True:
            while self.frames < len(self.sent):
                self.frames += 1
                if self.sent[self.frames - 1][:2] == b"\x10\x04":
                    return self.sent[self.frames - 1][2]
            self.wait()

    def round(self, paper: int = 0x12) -> None:
        """Answer one round of questions."""
        for question in (1, 2, 3, 4):
            assert self.asked() == question
            self.say(bytes((paper if question == 4 else 0x12,)))

    def in_proof(self) -> None:
        """A slip is printed up to the answer of its second fence."""
        self.order(PrintSlip("printer", "s1", ("x",)))
        self.round()
        self.say(b"\x00")
        self.round()
        self.say(b"\x00")

    def verdicts(self) -> list[DeviceEvent]:
        return [event for event in self.events if isinstance(event, SlipPrinted | SlipFailed)]


def test_the_wire_script_can_prove_a_slip() -> None:
    wire = Wire()
    wire.in_proof()
    for _ in range(4):
        wire.round()
    assert [type(event) for event in wire.verdicts()] == [SlipPrinted]


def test_one_answer_that_came_twice_does_not_hide_the_end_of_the_paper() -> None:
    """Each answer is then taken for that of the question after it, and the last one, about paper, is not heard."""
    wire = Wire()
    wire.in_proof()
    wire.round()
    assert wire.asked() == 1
    for answer in (0x12, 0x12, 0x12, 0x12, 0x72):
        wire.say(bytes((answer,)))
    wire.frames = len(wire.sent)
    wire.round(paper=0x72)
    (failed,) = wire.verdicts()
    assert isinstance(failed, SlipFailed)
    assert (failed.reason, failed.may_exist) == ("paper_out", True)


def test_the_second_answer_to_a_question_asked_twice_is_not_taken_for_the_next_one() -> None:
    wire = Wire()
    assert wire.asked() == 1
    wire.wait()
    wire.say(b"\x12")
    count = len(wire.sent)
    wire.say(b"\x1a")
    assert len(wire.sent) == count
    wire.frames = count
    assert wire.asked() == 2
