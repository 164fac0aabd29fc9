"""Pages for trying the hardware: inputs, lamps, picture, touch, sound, notes, devices, memory, randomness. Pure.

Nothing here moves money: the note test gives every note back. Not responsible for driving devices (``terminal.outputs``).
"""

from typing import Final

from display.view_model import Text
from firmware.audit.names import DEVICE_WORDS, DOOR_WORDS
from firmware.entries.service import MemoryChecked, RandomTested
from firmware.operator_menu.body import COMPUTED, NO, NONE, YES, Body, Line, Reading, Words, heading
from firmware.terminal.menu import Act
from hal.interfaces import BUTTONS, DOORS, KEYS, TOWER_COLOURS

PATTERNS: Final = ("red", "green", "blue", "white", "black", "ramp", "grid")
SOUNDS: Final = ("button", "chip", "coin", "credit", "win_large", "error", "alarm")
_KEY_WORDS: Final = {"attendant": Text("menu", "attendant key"), "operator": Text("menu", "operator key")}
_COLOUR_WORDS: Final = {"white": Text("menu", "white light"), "red": Text("menu", "red light")}
_SOUND_WORDS: Final = {
    "button": Text("menu", "button"),
    "chip": Text("menu", "chip"),
    "coin": Text("menu", "coin"),
    "credit": Text("menu", "credit"),
    "win_large": Text("menu", "win"),
    "error": Text("menu", "refusal"),
    "alarm": Text("menu", "alarm"),
}
_UNDER_VOLTAGE: Final = Text("menu", "Voltage too low since the start")
_SOFTWARE: Final = {
    "unknown": Text("menu", "not looked at yet"),
    "unsigned": Text("menu", "not signed: a development copy"),
    "good": Text("menu", "good"),
    "bad": Text("menu", "bad: this program was changed"),
}
_CONDITION: Final = Text("menu", "Reports")


def inputs(reading: Reading) -> Body:
    """Buttons, doors and keys as they are right now, and how often each button was pressed."""
    menu, recorded = reading.menu, reading.state.recorded
    lines = [heading(Text("menu", "Doors and keys"))]
    for door in DOORS:
        is_open = door in recorded.doors_open
        words = Text("menu", "open") if is_open else Text("menu", "closed")
        lines.append(Line(DOOR_WORDS[door], words, tone="warning" if is_open else ""))
    for key in KEYS:
        is_on = key in recorded.keys_on
        lines.append(Line(_KEY_WORDS[key], Text("menu", "turned") if is_on else Text("menu", "not turned")))
    lines.append(heading(Text("menu", "Buttons: now, and presses since the menu was opened")))
    for button in BUTTONS:
        held = button in menu.held
        label = Text("menu", "Button {number}", (("number", int(button[1:])),))
        state = Text("menu", "pressed") if held else Text("menu", "free")
        lines.append(Line(label, state, str(menu.presses.get(button, 0)), tone="good" if held else ""))
    return Body(tuple(lines), footer=Text("menu", "Press every button once; back is button 8"))


def lamps(reading: Reading) -> Body:
    """Lamps and lights, one at a time."""
    test = reading.menu.test
    lines = [
        Line(_COLOUR_WORDS[colour], _lit(test == f"tower:{colour}"), act=Act("test", f"tower:{colour}"))
        for colour in TOWER_COLOURS
    ]
    lines += [
        Line(
            Text("menu", "Lamp of button {number}", (("number", int(button[1:])),)),
            _lit(test == f"lamp:{button}"),
            act=Act("test", f"lamp:{button}"),
        )
        for button in BUTTONS
    ]
    return Body(tuple(lines), footer=Text("menu", "One at a time; leaving the page puts it out"))


def _lit(is_lit: bool) -> Words:
    return Text("menu", "lit") if is_lit else ""


def picture(_: Reading) -> Body:
    """Plain colours, a ramp of greys and a grid over the whole screen."""
    return Body(patterns=PATTERNS)


def touch(_: Reading) -> Body:
    """A grid of places to touch."""
    return Body(patterns=("touch",))


def sound(reading: Reading) -> Body:
    """Sounds to listen to."""
    sides = (("left", Text("menu", "Left loudspeaker alone")), ("right", Text("menu", "Right loudspeaker alone")))
    volume = reading.state.screen.comfort.volume
    return Body(
        (
            *(Line(words, act=Act("test", f"sound:{side}:win_large")) for side, words in sides),
            *(Line(_SOUND_WORDS[name], act=Act("test", f"sound:{name}")) for name in SOUNDS),
        ),
        footer=Text("menu", "Volume now: {volume} of 4", (("volume", volume),)),
    )


def notes(reading: Reading) -> Body:
    """Notes are recognised and given back."""
    commissioned = reading.state.recorded.commissioned
    currency = commissioned.currency if commissioned is not None else ""
    last = [r for r in reading.state.recorded.chronicle.records("menu") if r.entry.KIND == "note_tested"]
    amount = getattr(last[-1].entry, "amount_minor", 0) if last else 0
    return Body(
        (
            Line(Text("menu", "Push a note in: it is named here and given back")),
            Line(Text("menu", "No credit is given and no meter moves")),
            Line(Text("menu", "Last note"), f"{reading.amount(amount)} {currency}" if last else NONE, tone="good"),
            Line(Text("menu", "When"), reading.when(last[-1].at_ms) if last else NONE),
            Line(Text("menu", "Notes tested"), str(len(last))),
            Line(Text("menu", "Note acceptor answers"), YES if "notes" in reading.state.screen.ready else NO),
        )
    )


def devices(reading: Reading) -> Body:
    """Who each device says it is, whether it answers, and what it complains of."""
    return Body(tuple(device_lines(reading)) or (Line(Text("menu", "No device is configured")),))


def device_lines(reading: Reading) -> list[Line]:
    """Return the lines of all devices."""
    lines: list[Line] = []
    for device in reading.environment.machine().devices:
        conditions = sorted(what for name, what in reading.state.screen.conditions if name == device.name)
        ready = Text("menu", "answers") if device.is_ready else Text("menu", "does not answer")
        lines += [
            heading(DEVICE_WORDS.get(device.name, Text("menu", "Device"))),
            Line(Text("menu", "State"), ready, tone="good" if device.is_ready else "error"),
            Line(Text("menu", "Maker, product, serial, version"), " ".join(device.words) or NONE),
        ]
        lines += [Line(_CONDITION, what, tone="warning") for what in conditions]
    return lines


def memory(reading: Reading) -> Body:
    """The copies of the critical memory, their end, and the free space."""
    machine, recorded = reading.environment.machine(), reading.state.recorded
    celsius = machine.temperature_millidegrees
    lines = [
        Line(Text("menu", "Last entry"), str(machine.head_seq)),
        Line(Text("menu", "Its link in the chain"), machine.head_link[:32] or NONE),
        Line(Text("menu", "Copies made anew so far"), str(recorded.books.meter("memory_rebuilds"))),
        Line(Text("menu", "Free storage"), NONE if machine.free_mib is None else f"{machine.free_mib} MiB"),
        Line(Text("menu", "Least free storage"), f"{machine.floor_mib} MiB"),
        Line(Text("menu", "Temperature"), NONE if celsius is None else f"{celsius // 1_000} °C"),
        Line(_UNDER_VOLTAGE, _known(machine.under_voltage), tone="error" if machine.under_voltage else ""),
        Line(Text("menu", "Root file system is read-only"), _known(machine.is_root_read_only)),
        heading(Text("menu", "Copies: each holds all entries, or the terminal would be locked")),
    ]
    words = {
        "journal": Text("menu", "Journal"),
        "mirror": Text("menu", "Mirror"),
        "anchor": Text("menu", "Anchor of the end"),
    }
    lines += [Line(words[name], place or Text("menu", "not configured")) for name, place in machine.copies]
    checks = [r for r in recorded.chronicle.records("service") if isinstance(r.entry, MemoryChecked)]
    if checks:
        checked = checks[-1].entry
        problems = checked.problems if isinstance(checked, MemoryChecked) else ()
        found = Text("menu", "all is well") if not problems else Text("menu", "something is wrong")
        lines.append(
            Line(
                Text("menu", "Last comparison"),
                found,
                reading.when(checks[-1].at_ms),
                tone="error" if problems else "good",
            )
        )
        lines += [Line(Text("menu", "Problem: {what}", (("what", what),)), tone="error") for what in problems[:3]]
    lines.append(Line(Text("menu", "Read and compare all copies now"), act=Act("check_memory")))
    return Body(tuple(lines))


def _known(answer: bool | None) -> Words:
    if answer is None:
        return NONE
    return YES if answer else NO


def randomness(reading: Reading) -> Body:
    """Where chance comes from; no seed is ever shown."""
    machine = reading.environment.machine()
    is_seeded = machine.random_source == "seeded"
    source = Text("menu", "repeatable seed: simulator only") if is_seeded else Text("menu", "operating system")
    health = machine.random
    running: Words = Text("menu", "all is well") if health.is_tested else Text("menu", "not tested")
    tests = [r for r in reading.state.recorded.chronicle.records("service") if isinstance(r.entry, RandomTested)]
    failure = getattr(tests[-1].entry, "failure", "") if tests else ""
    last: Words = failure or Text("menu", "all is well")
    return Body(
        (
            Line(Text("menu", "Source"), source, tone="warning" if is_seeded else ""),
            Line(
                Text("menu", "Health tests of all that is used"),
                health.failure or running,
                tone="error" if health.failure else "",
            ),
            Line(Text("menu", "Bytes looked at since the start"), str(health.byte_count)),
            Line(
                Text("menu", "Last test on demand"),
                last if tests else NONE,
                reading.when(tests[-1].at_ms) if tests else "",
                tone="error" if failure else "",
            ),
            Line(Text("menu", "Shuffles fixed before the first card is dealt"), YES),
            Line(Text("menu", "Test the operating system's source now"), act=Act("check_random")),
        ),
        footer=Text("menu", "Tests after NIST SP 800-90B; no seed is ever shown"),
    )


def software(reading: Reading) -> Body:
    """Version and digest of the program, and the digest of each game's rules."""
    environment = reading.environment
    software = environment.machine().software
    lines = [
        Line(Text("menu", "Program"), environment.program_version or NONE),
        Line(Text("menu", "Digest of the program (SHA-256)"), environment.machine().program_digest[:32] or COMPUTED),
        Line(
            Text("menu", "Signature of the program"),
            _SOFTWARE[software.state],
            tone="error" if software.state == "bad" else "",
        ),
        *((Line(Text("menu", "It says: {what}", (("what", software.detail),))),) if software.detail else ()),
        heading(Text("menu", "Rules of the games")),
    ]
    for game, offer in environment.games.items():
        lines.append(Line(Text("menu", "Profile {game}", (("game", game),)), offer.digest[:32]))
    return Body(tuple(lines))
