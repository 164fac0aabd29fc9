"""The terminal's money handling in small: a journal that survives, and the rules by which notes and coins are credited.

It commits an intent before it stacks and a credit before it confirms, credits a key once, and settles an open intent by
the acceptor's report as the terminal does. Faults are what an attendant would be called for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hal.events import (
    CoinAccepted,
    CoinReport,
    DeviceEvent,
    DeviceFault,
    DeviceReady,
    FormerNote,
    NoteEscrowed,
    NoteReport,
    NoteReturned,
    NoteStacked,
)
from hal.interfaces import CoinAcceptor, NoteAcceptor


@dataclass
class Journal:
    """What is on the disk."""

    credits: dict[str, int] = field(default_factory=dict)
    intent: tuple[str, int] | None = None
    returned: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    accepted_count: int | None = None
    """The coin acceptor's own lifetime counter, as it told it last."""

    @property
    def last_event(self) -> int:
        """The highest number among credited keys and committed stack orders."""
        named = [*self.credits, *([self.intent[0]] if self.intent else [])]
        return max((int(name.rpartition(":")[2]) for name in named), default=0)


class NoteTeller:
    """Takes every note while it runs."""

    def __init__(self, journal: Journal, acceptor: Callable[[], NoteAcceptor], wanted_minor: tuple[int, ...]) -> None:
        self.journal = journal
        self._acceptor = acceptor
        self._wanted = wanted_minor

    def hear(self, event: DeviceEvent) -> None:
        """Decide, record, act."""
        journal, acceptor = self.journal, self._acceptor()
        match event:
            case DeviceReady(report=NoteReport() as report):
                self._settle(report)
                acceptor.enable(self._wanted)
            case NoteEscrowed():
                journal.intent = (event.escrow_id, event.denomination_minor)
                acceptor.stack(event.escrow_id)
            case NoteStacked():
                self._credit(event)
                acceptor.confirm(event.key)
            case NoteReturned():
                if journal.intent is not None and event.escrow_id in (None, journal.intent[0]):
                    journal.returned.append(journal.intent[0])
                    journal.intent = None
            case DeviceFault(is_up=True):
                journal.faults.append(event.code)

    def _credit(self, event: NoteStacked) -> None:
        journal = self.journal
        if event.key not in journal.credits:
            journal.credits[event.key] = event.denomination_minor
            if journal.intent is not None and event.escrow_id in (None, journal.intent[0]):
                journal.intent = None

    def _settle(self, report: NoteReport) -> None:
        journal = self.journal
        if report.former is not None:
            self._credit_former(report.former)
        elif journal.intent is None or report.unconfirmed:
            return
        elif report.in_escrow_minor is not None:
            self._acceptor().return_note(journal.intent[0])
        elif report.uncertain:
            journal.faults.append("uncertain")
            journal.intent = None
        else:
            journal.returned.append(journal.intent[0])
            journal.intent = None

    def _credit_former(self, former: FormerNote) -> None:
        journal = self.journal
        if former.key not in journal.credits:
            if journal.intent is not None and journal.intent[0] == former.escrow_id:
                journal.credits[former.key] = journal.intent[1]
            else:
                journal.faults.append("former")
            journal.intent = None
        self._acceptor().confirm(former.key)


class CoinTeller:
    """Takes every coin while it runs."""

    def __init__(self, journal: Journal, acceptor: Callable[[], CoinAcceptor], wanted_minor: tuple[int, ...]) -> None:
        self.journal = journal
        self._acceptor = acceptor
        self._wanted = wanted_minor

    def hear(self, event: DeviceEvent) -> None:
        """Decide, record, act."""
        match event:
            case DeviceReady(report=CoinReport() as report):
                self.journal.accepted_count = report.accepted_count
                self._acceptor().enable(self._wanted)
            case CoinAccepted():
                self.journal.credits.setdefault(event.key, event.value_minor)
                self._acceptor().confirm(event.key)
            case DeviceFault(is_up=True):
                self.journal.faults.append(event.code)
