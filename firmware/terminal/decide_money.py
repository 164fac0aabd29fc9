"""Decisions about money coming in: notes in escrow, notes and coins that are in for good. Pure.

The order is always: intent committed, note stacked, credit committed, acceptor told. A device's event carries a key
that counts once, however often it comes.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from display.view_model import Money, Text
from firmware.entries import types as entry
from firmware.entries.keeping import NoteRejected as NoteRefused
from firmware.terminal.availability import accepted_notes
from firmware.terminal.faults import COIN_UNCERTAIN, EXCESS_REJECTS, EXCESSIVE, FAULTS, NOTE_UNCERTAIN, is_up
from firmware.terminal.notices import noticed
from firmware.terminal.state import Screen, State
from firmware.terminal.step import ConfirmCoin, ConfirmNote, Environment, ReturnNote, StackNote, Step
from hal.events import (
    CoinAccepted,
    CoinRejected,
    FormerNote,
    MoneyBegan,
    NoteEscrowed,
    NoteRejected,
    NoteReport,
    NoteReturned,
    NoteStacked,
)

CUT_OFF: Final = {"notes": NOTE_UNCERTAIN, "coins": COIN_UNCERTAIN}
"""What it is when a device's pulses have begun and nobody heard their end."""


def note_escrowed(state: State, environment: Environment, event: NoteEscrowed) -> Step:
    """Take the note if money is taken now and it fits under the credit limit; else give it back."""
    if event.denomination_minor not in accepted_notes(state, environment.options):
        screen = noticed(state.screen, environment, Text("notice", "This note can't be taken now"), "warning")
        return Step(screen, effects=(ReturnNote(event.escrow_id),))
    intent = entry.NoteIntended(event.escrow_id, event.denomination_minor)
    return Step(state.screen, (intent,), (StackNote(event.escrow_id),))


def note_stacked(state: State, environment: Environment, event: NoteStacked) -> Step:
    """Credit a note that is in the cash box, once, and tell the acceptor."""
    confirm = (ConfirmNote(event.key),)
    if environment.is_recorded(f"note:{event.key}"):
        return Step(state.screen, effects=confirm)
    pending = state.recorded.note
    amount = event.denomination_minor
    entries: tuple[entry.Entry, ...]
    if pending is None:
        entries = (entry.NoteCredited(event.key, amount, event.escrow_id),)
    elif pending.amount_minor == amount and event.escrow_id in (None, pending.escrow_id):
        entries = (entry.NoteCredited(event.key, amount, pending.escrow_id),)
    else:  # another note than the one we wait for: credit what the acceptor says, and let a person compare
        detail = f"intended {pending.escrow_id} {pending.amount_minor}, stacked {event.key} {amount}"
        entries = (
            entry.NoteCredited(event.key, amount, event.escrow_id),
            entry.NoteUnresolved(pending.escrow_id, pending.amount_minor),
            entry.FaultRaised(NOTE_UNCERTAIN, event.device, detail),
        )
    entries += _excessive(state, "notes_since_play_minor", amount, environment.options.excessive_notes_minor)
    screen = noticed(state.screen, environment, Text("notice", "{amount} credited", (("amount", Money(amount)),)))
    return Step(_into_play(screen, environment), entries, confirm).with_sound("credit")


def former_note(state: State, environment: Environment, device: str, former: FormerNote) -> Step:
    """Credit a note that is in the cash box since before this program's start, once, if the order in the journal is its:
    the acceptor does not tell its value. Else a fault says so. The acceptor is told in every case, after the commit."""
    confirm = (ConfirmNote(former.key),)
    if environment.is_recorded(f"note:{former.key}"):
        return Step(state.screen, effects=confirm)
    pending = state.recorded.note
    if pending is not None and pending.escrow_id == former.escrow_id:
        stacked = NoteStacked(device, environment.now_ms, former.key, pending.amount_minor, former.escrow_id)
        return note_stacked(state, environment, stacked)
    entries: tuple[entry.Entry, ...] = ()
    detail = f"stacked {former.escrow_id}, the journal has no order for it"
    if pending is not None:
        entries = (entry.NoteUnresolved(pending.escrow_id, pending.amount_minor),)
        detail += f"; intended {pending.escrow_id} {pending.amount_minor}"
    return Step(state.screen, (*entries, entry.FaultRaised(NOTE_UNCERTAIN, device, detail)), confirm)


def note_returned(state: State, environment: Environment, event: NoteReturned) -> Step:
    """Close the intent of a note that came back."""
    screen = noticed(state.screen, environment, Text("notice", "Please take your note"), "warning")
    pending = state.recorded.note
    if pending is None or event.escrow_id not in (None, pending.escrow_id):
        return Step(screen)
    return Step(screen, (entry.NoteReturned(pending.escrow_id, pending.amount_minor),))


def note_rejected(state: State, environment: Environment, event: NoteRejected) -> Step:
    """Record that the acceptor refused a note by itself; one pushed in while none is taken is no attempt."""
    screen = noticed(state.screen, environment, Text("notice", "The note was not recognised"), "warning")
    if event.reason == "inhibited":
        return Step(screen).with_sound("error")
    entries: list[entry.Entry] = [NoteRefused(event.reason)]
    in_a_row = state.recorded.count("rejects") + 1
    if in_a_row % environment.options.refused_notes_in_a_row == 0 and not is_up(state, EXCESS_REJECTS, event.device):
        entries.append(entry.FaultRaised(EXCESS_REJECTS, event.device, f"{in_a_row} in a row"))
        screen = noticed(state.screen, environment, FAULTS[EXCESS_REJECTS].player, "warning")
    return Step(screen, tuple(entries)).with_sound("error")


def coin_accepted(state: State, environment: Environment, event: CoinAccepted) -> Step:
    """Credit a coin, once, and tell the acceptor."""
    confirm = (ConfirmCoin(event.key),)
    if environment.is_recorded(f"coin:{event.key}"):
        return Step(state.screen, effects=confirm)
    entries: tuple[entry.Entry, ...] = (entry.CoinCredited(event.key, event.value_minor, event.to),)
    limit_minor = environment.options.excessive_coins_minor
    entries += _excessive(state, "coins_since_play_minor", event.value_minor, limit_minor)
    text = Text("notice", "{amount} credited", (("amount", Money(event.value_minor)),))
    screen = noticed(state.screen, environment, text)
    return Step(_into_play(screen, environment), entries, confirm).with_sound("coin")


def money_began(state: State, _: Environment, event: MoneyBegan) -> Step:
    """Record that a device has begun to tell money by pulses: it has no memory of its own, and the power may go."""
    if event.device in state.recorded.begun:
        return Step(state.screen)
    return Step(state.screen, (entry.MoneyBegan(event.device),))


def cut_off(state: State, devices: Iterable[str]) -> tuple[entry.Entry, ...]:
    """Return the faults for pulses that these devices had begun and whose end nobody heard."""
    return tuple(
        entry.FaultRaised(CUT_OFF[device], device, "pulses of money had begun, and nobody heard their end")
        for device in sorted(state.recorded.begun.intersection(devices))
        if not is_up(state, CUT_OFF[device], device)
    )


def coin_rejected(state: State, environment: Environment, _: CoinRejected) -> Step:
    """Say that a coin fell through."""
    return Step(noticed(state.screen, environment, Text("notice", "The coin was not taken"), "warning"))


def resolve_note(
    state: State, report: NoteReport, more: int | None
) -> tuple[tuple[entry.Entry, ...], tuple[ReturnNote, ...]]:
    """Say what became of a note whose stacking was intended before the acceptor was (re)connected; its counter has
    ``more`` notes than the journal (None: nothing to compare).

    Never a guess: credited by the acceptor's own event, or where it can't say by its counter that has exactly this one
    note more; returned only if it says that it has none; all else becomes a fault that names both versions.
    """
    pending = state.recorded.note
    if pending is None or report.unconfirmed or report.former is not None:
        return (), ()  # a stacked note comes again as an event, or is ``former_note``'s
    if report.in_escrow_minor is not None:
        return (), (ReturnNote(pending.escrow_id),)
    if report.uncertain and more == 1:
        return (entry.NoteCredited(pending.escrow_id, pending.amount_minor, pending.escrow_id),), ()
    if report.uncertain or more:
        detail = f"intended {pending.escrow_id} {pending.amount_minor}, the acceptor can't say what became of it"
        if more is not None and report.stacked_count is not None:
            detail += f"; it counted {report.stacked_count} notes, the journal {report.stacked_count - more}"
        return (
            entry.NoteUnresolved(pending.escrow_id, pending.amount_minor),
            entry.FaultRaised(NOTE_UNCERTAIN, "notes", detail),
        ), ()
    return (entry.NoteReturned(pending.escrow_id, pending.amount_minor),), ()


def _excessive(state: State, meter: str, amount_minor: int, limit_minor: int) -> tuple[entry.Entry, ...]:
    """Lock up when more came in since the last round than is plausible (New Zealand standard, 3.3.19a)."""
    before_minor = state.recorded.books.meter(meter)
    after_minor = before_minor + amount_minor
    if before_minor < limit_minor <= after_minor and not is_up(state, EXCESSIVE, "terminal"):
        return (entry.FaultRaised(EXCESSIVE, "terminal", f"{meter} {after_minor}"),)
    return ()


def _into_play(screen: Screen, environment: Environment) -> Screen:
    scene = "lobby" if screen.scene == "attract" else screen.scene
    return replace(screen, scene=scene, active_at_ms=environment.now_ms)
