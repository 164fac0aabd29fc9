"""Where to look for the cause of a fault, by its code. Plain data; what to do first stands in the fault table itself."""

from typing import Final

DEVICE_SILENT: Final = (
    "its supply and fuse; the plug; the port's name in the settings; that nothing else has the port open"
)

CAUSES: Final[dict[str, str]] = {
    "M1": "a worn or pulled card; power lost while the card was writing. `./croupier audit verify` says which copy is good",
    "M2": "never wiring: the program or the memory. Save the data folder before the RAM clear",
    "M3": "an acceptor that counts by itself: noise on a pulse line, a wrong value in the channels",
    "M4": "never wiring. `journalctl -u croupier` has the trace",
    "G1": "a game's profile was edited while a round lay open",
    "S1": "a full data partition; a card that has made itself read-only, which is how cards die",
    "R1": "the board",
    "A1": "an interrupted copy, a dying card, or somebody. `./croupier manifest verify` names the files; systemd/updates.md says what then",
    "M6": "never wiring: an older program was installed or gone back to. `./croupier update` says what runs and what was tried",
    "D1": "switch out of place, cut wire, `active` or `pull` other than the switch needs",
    "D2": "as D1",
    "D3": "as D1",
    "D4": "the door's switch has changed while the power was off, or it rattles: look at its place",
    "D5": "the program's right to the GPIO chip (group gpio); another program that holds the pins",
    "W1": "nothing: somebody has won",
    "B4": "power lost while a note was moving; the acceptor's own counters tell whether it is in the box",
    "H4": "power lost while coins fell; a dirty or wrongly set coin sensor; `width_ms` of the sensor",
    "O1": "nothing: somebody took the table out of service",
    "B1": "a note in the path; a stacker that is not quite in",
    "B2": "the box is full, or its sensor is dirty",
    "B3": "the box is out, or does not press its switch",
    "B5": "somebody, or a note on a string; dirty sensors",
    "B6": f"{DEVICE_SILENT}; parity (ID-003: even); a TTL harness on an RS-232 adapter, or the other way round; its switches at another protocol",
    "B7": "the acceptor's own self-test: its lamp blinks the reason",
    "B8": "dirt; the wrong set of notes for this country",
    "B9": "a note that went in or out while the terminal did not run, or an acceptor that was changed, read or cleared on a bench",
    "C1": "a coin in the path; the reject lever held",
    "C2": "somebody; a dirty sensor",
    "C3": "pulses lost: noise, a missing optocoupler or RC, `width_ms` and `gap_ms` other than the acceptor's switches; a ccTalk device that was switched off on its own",
    "C4": f"{DEVICE_SILENT}; its ccTalk address; two devices with one address",
    "C5": "the acceptor's own self-test",
    "C6": "coins that fell while the terminal did not run; an acceptor that was tried on a bench",
    "H1": "no coins; coins of another size that bridge over the disc",
    "H2": "a bent coin under the disc; a supply too weak for the motor's start",
    "H3": "the motor's driver is stuck on: MOSFET broken, its 10 kΩ missing, a pin below 9",
    "H5": f"{DEVICE_SILENT}; its ccTalk address; a supply that breaks down when the motor starts",
    "H6": "the coin sensor: dirt, its optocoupler, its wire; the motor",
    "H7": "coins paid while the terminal did not run; a hopper that was tried on a bench or runs on; count what is in it",
    "S2": "no battery for the clock; a time server reached for the first time",
    "S3": "as S2",
    "M5": "one medium is dying or was pulled: look at its age and its plug",
    "A2": "an update, or the way back from one: the journal says from which version and by whom",
    "P1": "the roll",
    "P2": "the roll; the paper sensor",
    "P3": "the cover; its switch",
    "P4": f"{DEVICE_SILENT}; its speed; a printer that does not answer status requests",
    "P5": "the cutter; paper in the path",
}
"""By fault code; every code of the fault table has a row."""
