"""Note acceptors of SSP, CCNET and EBDS as rigs of the contract suite, and the variants that other tests also walk."""

from collections.abc import Callable

from hal.emulators.base import Emulator
from hal.emulators.ccnet import CcnetValidator
from hal.emulators.ebds import EbdsAcceptor
from hal.emulators.ssp import SspValidator
from hal.wire.ccnet_host import CcnetHost
from hal.wire.ebds_host import EbdsHost
from hal.wire.session import Session
from hal.wire.ssp_host import SspHost
from tests.hal.contract.loop_rigs import LoopNoteRig

NOTE_LINES: dict[str, tuple[Callable[[], Emulator], Callable[[], Session]]] = {
    "ssp": (SspValidator, lambda: SspHost("notes", "EUR")),
    "ssp-plain-poll": (lambda: SspValidator(poll_with_ack=False), lambda: SspHost("notes", "EUR")),
    "ccnet": (CcnetValidator, lambda: CcnetHost("notes", "EUR")),
    "ccnet-clone": (lambda: CcnetValidator(one_shot=True), lambda: CcnetHost("notes", "EUR")),
    "ebds": (EbdsAcceptor, lambda: EbdsHost("notes")),
    "ebds-extended": (EbdsAcceptor, lambda: EbdsHost("notes", "USD", extended=True)),
}
"""Device and host of each protocol and variant."""


def note_line_rig(name: str) -> Callable[[], LoopNoteRig[Emulator]]:
    """Return the class of this line's rigs."""
    device, session = NOTE_LINES[name]

    class NoteLineRig(LoopNoteRig[Emulator]):
        def __init__(self) -> None:
            super().__init__(device(), session)

    return NoteLineRig
