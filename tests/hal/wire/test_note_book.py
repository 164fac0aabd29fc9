"""One note's passage, whatever the protocol: numbers, keys, and what becomes of contradictions."""

import pytest

from hal.events import DeviceEvent, NoteEscrowed, NoteRejected, NoteReport, NoteReturned, NoteStacked
from hal.wire.note_book import NoteBook, NoteState


class Desk:
    """A book, what it reports and what it raises."""

    def __init__(self, last_event: int = 0) -> None:
        self.events: list[DeviceEvent] = []
        self.incidents: list[str] = []
        self.subject = NoteBook("notes", self.events.append, lambda code, _now_ms, _detail: self.incidents.append(code))
        self.subject.start(last_event)
        self.subject.identify("4711")
        self.subject.enable((500, 1_000))

    def ordered(self, minor: int = 1_000) -> str:
        """A note comes to escrow and is ordered into the cash box."""
        self.subject.escrowed(minor, 10)
        event = self.events[-1]
        assert isinstance(event, NoteEscrowed)
        assert self.subject.order_stack(event.escrow_id)
        return event.escrow_id

    def kinds(self) -> list[type[DeviceEvent]]:
        return [type(event) for event in self.events]


def test_a_note_keeps_its_number_from_escrow_to_credit() -> None:
    desk = Desk(last_event=4)
    escrow_id = desk.ordered()
    desk.subject.stacked(1_000, 20)
    assert desk.events[-1] == NoteStacked("notes", 20, "4711:0:5", 1_000, escrow_id)
    assert escrow_id == "4711:0:escrow:5"
    assert desk.subject.confirm("4711:0:5")
    assert not desk.subject.confirm("4711:0:5")
    desk.subject.at_rest(30)
    assert desk.subject.state is None


def test_before_anything_is_known_a_stacked_note_is_the_last_one_that_was_ordered() -> None:
    desk = Desk(last_event=4)
    desk.subject.stacked(500, 20)
    assert desk.events == [NoteStacked("notes", 20, "4711:0:4", 500, None)]
    empty = Desk(last_event=0)
    empty.subject.stacked(500, 20)
    assert empty.events == [NoteStacked("notes", 20, "4711:0:1", 500, None)]


def test_a_stacked_note_that_nothing_explains_is_an_incident() -> None:
    desk = Desk(last_event=4)
    desk.subject.at_rest(10)
    desk.subject.stacked(500, 20)
    assert (desk.events, desk.incidents) == ([], ["unknown_money"])


def test_a_stacked_note_of_no_known_value_at_the_start_is_an_incident() -> None:
    desk = Desk(last_event=4)
    desk.subject.stacked(None, 20)
    assert (desk.events, desk.incidents) == ([], ["unknown_money"])


def test_a_note_that_vanished_is_an_incident_and_is_credited_if_the_device_remembers_it_later() -> None:
    desk = Desk()
    desk.ordered()
    desk.subject.at_rest(20)
    assert desk.incidents == ["unknown_money"]
    desk.subject.stacked(1_000, 30)
    assert isinstance(desk.events[-1], NoteStacked)
    assert desk.events[-1].key == "4711:0:1"


def test_a_note_on_its_way_makes_the_report_uncertain_and_can_still_be_credited() -> None:
    desk = Desk()
    desk.ordered()
    assert desk.subject.report() == NoteReport(uncertain=True)
    assert desk.subject.report() == NoteReport()
    desk.subject.stacked(None, 30)
    assert desk.kinds() == [NoteEscrowed, NoteStacked]


def test_doubt_lasts_until_the_report_or_until_the_device_says_what_became_of_the_note() -> None:
    for say, uncertain in (
        (lambda book: None, True),
        (lambda book: book.returned(20), False),
        (lambda book: book.returned(20, is_proof=False), True),
        (lambda book: book.stacked(500, 20), False),
    ):
        desk = Desk()
        desk.subject.doubt()
        say(desk.subject)
        assert desk.subject.report().uncertain is uncertain


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_a_credited_note_that_comes_back_is_an_incident(is_confirmed: bool) -> None:
    desk = Desk()
    desk.ordered()
    desk.subject.stacked(1_000, 20)
    if is_confirmed:
        desk.subject.confirm("4711:0:1")
    desk.subject.returned(30)
    assert desk.incidents == ["unknown_money"]
    assert NoteReturned not in desk.kinds()


def test_a_refused_note_is_stacked_all_the_same_and_gets_a_number() -> None:
    desk = Desk()
    desk.subject.escrowed(None, 10)
    assert desk.subject.state is NoteState.RETURNING
    desk.subject.going_in()
    desk.subject.stacked(2_000, 20)
    assert desk.events == [NoteStacked("notes", 20, "4711:0:1", 2_000, None)]
    assert desk.incidents == ["unknown_money"]


@pytest.mark.parametrize(("minor", "reason"), [(None, "unknown"), (2_000, "inhibited")])
def test_a_note_that_is_not_taken_is_never_announced(minor: int | None, reason: str) -> None:
    desk = Desk()
    desk.subject.escrowed(minor, 10)
    desk.subject.at_rest(20)
    assert desk.events == [NoteRejected("notes", 20, reason)]


def test_orders_for_another_note_change_nothing() -> None:
    desk = Desk()
    escrow_id = desk.ordered()
    assert not desk.subject.order_return(escrow_id), "decided already"
    assert not desk.subject.order_stack("another")
    assert not desk.subject.confirm("another")
    assert desk.subject.state is NoteState.STACKING


def test_a_note_may_turn_round_on_its_way() -> None:
    desk = Desk()
    desk.ordered()
    desk.subject.coming_back()
    desk.subject.at_rest(20)
    assert desk.kinds() == [NoteEscrowed, NoteReturned]
    assert not desk.incidents
