"""An ID-003 acceptor and its program on one table, for the tests of the dialogue."""

from hal.emulators.id003 import Id003Acceptor
from hal.events import DeviceFault, DeviceReady, NoteEscrowed, NoteReport, NoteStacked
from hal.wire.id003_host import Id003Host
from hal.wire.id003_messages import Command
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until

Rig = LoopNoteRig[Id003Acceptor]
STATUS, RESET, STACK_1, STACK_2, RETURN, ACK = b"\x11", b"\x40", b"\x41", b"\x42", b"\x43", b"\x50"


def rig_of(device: Id003Acceptor, stack: Command = Command.STACK_2, currency: str = "EUR") -> Rig:
    rig = LoopNoteRig(device, lambda: Id003Host("notes", currency, stack=stack))
    rig.boot()
    return rig


def ready(device: Id003Acceptor | None = None, stack: Command = Command.STACK_2) -> Rig:
    """A program that takes 10 and 20."""
    rig = rig_of(device or Id003Acceptor(), stack)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([1_000, 2_000])
    rig.run(500)
    return rig


def escrow(rig: Rig, minor: int = 2_000) -> str:
    before = len(heard(rig, NoteEscrowed))
    rig.insert(minor)
    run_until(rig, lambda: len(heard(rig, NoteEscrowed)) > before)
    return heard(rig, NoteEscrowed)[-1].escrow_id


def stacked(rig: Rig) -> NoteStacked:
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))
    return heard(rig, NoteStacked)[0]


def up(rig: Rig) -> list[str]:
    return [fault.code for fault in heard(rig, DeviceFault) if fault.is_up]


def report(rig: Rig) -> NoteReport:
    found = heard(rig, DeviceReady)[-1].report
    assert isinstance(found, NoteReport)
    return found
