"""The cabinet under test: the simulator's cabinet with verbs that expect something."""

from pathlib import Path

from firmware.cards.card import parse_card
from firmware.entries.types import Entry, NoteCredited
from firmware.journal.record import Record
from firmware.journal.store import open_store
from firmware.ledger.books import Books
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import SimulatedCabinet
from hal.events import NoteStacked

ROOT = Path(__file__).resolve().parents[2]


def settings_for(data_dir: Path, **limits: int) -> Settings:
    """The simulator's settings on a folder of the test's own, with other limits where given."""
    settings = load_settings(ROOT / "config" / "simulator.toml")
    storage = settings.storage.model_copy(update={"data_dir": data_dir})
    return settings.model_copy(update={"storage": storage, "limits": settings.limits.model_copy(update=limits)})


class CabinetUnderTest(SimulatedCabinet):
    """A simulated cabinet that can be asked whether it is as it should be."""

    def expect_credit(self, minor: int) -> None:
        """The credit meter shows this, and the books agree."""
        assert self.view.credit_minor == minor, f"credit {self.view.credit_minor}, expected {minor}"
        assert self.books.credit_minor == minor

    def expect_mode(self, mode: str) -> None:
        """The screen is in this mode."""
        assert self.view.mode == mode, f"mode {self.view.mode}, expected {mode}; faults {self.fault_codes}"

    def expect_faults(self, *codes: str) -> None:
        """Exactly these faults are up."""
        assert self.fault_codes == codes

    @property
    def fault_codes(self) -> tuple[str, ...]:
        """The codes of the faults that are up, the most important first."""
        return tuple(fault.code for fault in self.view.faults)

    @property
    def books(self) -> Books:
        """The terminal's books."""
        return self.terminal.state.recorded.books

    def cards(self, box: int) -> list[str]:
        """The cards of a box as the screen shows them."""
        table = self.view.table
        assert table is not None
        (shown,) = [view for view in table.boxes if view.position == box]
        return [card.code for hand in shown.hands for card in hand.cards]

    def dealer(self) -> list[str]:
        """The dealer's cards as the screen shows them, empty texts face down."""
        table = self.view.table
        assert table is not None
        return [card.code for card in table.dealer.cards]

    def lay(self, text: str) -> None:
        """Lay down the first cards of the next shuffle."""
        self.lay_cards(tuple(parse_card(word) for word in text.split()))

    def sit_down(self, game: str = "oasis") -> None:
        """Open a table from the lobby."""
        if self.view.mode == "attract":
            self.press("start")
        self.touch(f"lobby:{game}")

    def bet(self, box: int, line: str, *chips_minor: int) -> None:
        """Put chips on a line."""
        for chip in chips_minor:
            self.touch(f"chip:{chip}")
            self.touch(f"box:{box}:{line}")

    def post_again(self, credited: Entry) -> None:
        """Let the acceptor report a credited note once more, as one that never got the acknowledgement."""
        assert isinstance(credited, NoteCredited)
        now_ms = self.clock.monotonic_ms()
        self.terminal.handle(NoteStacked("notes", now_ms, credited.key, credited.amount_minor, credited.escrow_id))

    def press_if_there(self, name: str) -> None:
        """Press the button that does this, if there is one now."""
        if any(button.id == f"button:{name}" for button in self.view.buttons):
            self.press(name)

    def count_commits(self) -> int:
        """How many commits the journal has: entries of one commit share their time and boot no earlier than others."""
        return len({record.at_ms for record in self.records()})

    def records(self) -> list[Record]:
        """All records of the journal, read beside the running terminal."""
        journal = open_store(self.settings.storage.data_dir, read_only=True)
        try:
            return list(journal.records())
        finally:
            journal.close()

    def conserve(self) -> None:
        """What went in equals what is on the meter, on the table, owed, lost to the house or paid out; and the
        hardware physically holds what the books say."""
        books, readings = self.books, self.world.readings
        books.check()
        notes = books.meter("notes_in_minor") - books.meter("collected_minor")
        assert readings.cash_box_notes_minor == notes
        assert readings.tray_minor + readings.taken_minor == books.meter("hopper_paid_minor") + books.meter(
            "hopper_extra_minor"
        )
