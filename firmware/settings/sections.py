"""The table of settings: one class per table of the file, one line per setting; those of screen, sound and player stand
in ``sections_player``.

Plain data. Rules between settings are in `firmware.settings.checks`. The names of devices' backends are those that
`hal` knows, but nothing here imports it.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, Strict, model_validator
from pydantic_core import PydanticCustomError

from firmware.settings.pin import PATTERN
from firmware.settings.sections_player import Display, Player, Sound
from firmware.settings.spec import MAXIMUM_MINOR, Section, row

Mode = Literal["simulator", "demo", "cabinet"]
Language = Literal["en", "ru"]
SerialProtocol = Literal["cctalk", "ssp", "id003", "ccnet", "ebds"]
NoteBackend = Literal["none", "simulated", "emulated", "gpio-pulse", "cctalk", "ssp", "id003", "ccnet", "ebds"]
CoinBackend = Literal["none", "simulated", "emulated", "gpio-pulse", "cctalk"]
PrinterBackend = Literal["none", "escpos"]
GpioBackend = Literal["none", "simulated", "rpi_gpio", "gpiod"]
Button = Literal["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12"]
Door = Literal["main", "cash_box", "logic"]
Key = Literal["attendant", "operator"]
TowerColour = Literal["white", "red"]
Level = Literal["low", "high"]
Pull = Literal["up", "down", "none"]
HardMeter = Literal["in", "out"]

Channel = Annotated[int, Strict(False), Field(ge=1, le=255)]  # a key of a TOML table is always text
PulseMs = Annotated[int, Field(ge=10, le=1_000)]
ValueMinor = Annotated[int, Field(ge=1, le=MAXIMUM_MINOR)]
GameName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]


class Terminal(Section):
    """Which machine this is and what it is for."""

    id: str = row(
        "Terminal", "Name of this machine in its journal and reports", pattern=r"^[A-Za-z0-9_-]{1,16}$", setup_only=True
    )
    mode: Mode = row(
        "Mode", "simulator: a window on a PC. demo: no money is taken. cabinet: real devices and money", setup_only=True
    )
    set_up: Literal["screen", "file"] = row(
        "First set-up",
        "screen: a new machine, or one after a RAM clear, is set up on its screen first. file: this file is the set-up",
        "screen",
        setup_only=True,
    )
    venue: str = row(
        "Venue", "Name of the house, shown to players and on reports", "", access="operator", max_length=60
    )
    languages: tuple[Language, ...] = row(
        "Languages",
        "Languages offered to the player; the first is the one at start",
        ("en",),
        access="operator",
        min_length=1,
        strict=False,
    )
    time_zone: str = row(
        "Time zone",
        "Zone of the clock on screens and reports, for example Europe/Riga",
        "UTC",
        access="operator",
        pattern=r"^[A-Za-z0-9_+/-]+$",
    )
    seed: int | None = row(
        "Seed", "Repeatable cards, only for a simulator or demo", None, setup_only=True, ge=0, le=2**64 - 1
    )


class Currency(Section):
    """What amounts mean. All amounts in this file are in minor units, such as cents."""

    code: str = row(
        "Currency",
        "Three capital letters: EUR, RUB, or CRD for amusement credits",
        "CRD",
        pattern=r"^[A-Z]{3}$",
        setup_only=True,
    )
    device_code: str = row(
        "Currency of the devices",
        "Money that acceptors and hopper are made for, where it is not the currency itself: EUR with CRD; empty: the same",
        "",
        pattern=r"^([A-Z]{3})?$",
        setup_only=True,
    )
    symbol: str = row("Symbol", "Written with amounts on the screen; empty: none", "", max_length=4, setup_only=True)
    minor_digits: int = row(
        "Decimal digits",
        "How many digits of an amount are minor units: 2 for cents",
        2,
        unit="digits",
        ge=0,
        le=3,
        setup_only=True,
    )


class Storage(Section):
    """Where the journal lies. A relative path starts at the folder of this file; `~` is the home folder."""

    data_dir: Path = row("Data folder", "Folder of the journal; one machine, one folder", strict=False)
    mirror_dir: Path | None = row(
        "Mirror folder", "Folder on a second medium for a copy of the journal", None, strict=False
    )
    anchor_file: Path | None = row(
        "Anchor file",
        "File on another medium that remembers the journal's end, so that a lost tail is noticed",
        None,
        strict=False,
    )
    free_space_floor_mib: int = row(
        "Free space floor", "No money is taken when the disk has less than this", 64, unit="MiB", ge=1, le=1_000_000
    )


class Reports(Section):
    """Where reports go."""

    folder: Path | None = row(
        "Folder of reports",
        "Where reports and slips are saved: the place where a stick is mounted; without it none are",
        None,
        strict=False,
    )


class Access(Section):
    """PINs of the operator's menu, beside its keys."""

    operator_pin: str | None = row(
        "Operator PIN", "Asked for when the operator key is turned; made by croupier pin", None, pattern=PATTERN
    )
    technician_pin: str | None = row(
        "Technician PIN", "Asked for when the logic door is open; made by croupier pin", None, pattern=PATTERN
    )


class Limits(Section):
    """How much the machine holds and pays by itself."""

    credit_limit_minor: int = row(
        "Credit limit",
        "Notes and coins that would lift the balance above this are refused",
        1_000_000,
        unit="minor",
        ge=1,
        le=MAXIMUM_MINOR,
    )
    hopper_limit_minor: int = row(
        "Hopper limit",
        "A larger cash-out is paid by the attendant, not in coins",
        20_000,
        unit="minor",
        ge=0,
        le=MAXIMUM_MINOR,
    )
    large_win_minor: int = row(
        "Large win",
        "A win of a round from this amount on locks the machine for the attendant",
        500_000,
        unit="minor",
        ge=1,
        le=MAXIMUM_MINOR,
    )
    excessive_notes_minor: int = row(
        "Excessive notes",
        "So much in notes between two rounds is not plausible and locks the machine for the attendant",
        1_000_000,
        unit="minor",
        ge=1,
        le=MAXIMUM_MINOR,
    )
    excessive_coins_minor: int = row(
        "Excessive coins",
        "So much in coins between two rounds is not plausible and locks the machine for the attendant",
        100_000,
        unit="minor",
        ge=1,
        le=MAXIMUM_MINOR,
    )
    refused_notes_in_a_row: int = row(
        "Refused notes",
        "So many refused notes in a row stop the acceptor until the attendant has looked at it",
        10,
        unit="notes",
        ge=2,
        le=1_000,
    )
    money_during_play: bool = row(
        "Money during play", "Whether notes and coins are taken while a hand is open; if not, they are refused", True
    )


class Notes(Section):
    """Banknotes."""

    accepted_minor: tuple[ValueMinor, ...] = row(
        "Accepted notes", "Values of the notes that are taken", (), unit="minor", access="operator", strict=False
    )
    channels: dict[Channel, ValueMinor] = row(
        "Note channels",
        "Value of each of the acceptor's channels, for a protocol that reports only the channel",
        {},
        unit="minor",
    )


class Coins(Section):
    """Coins."""

    channels: dict[Channel, ValueMinor] = row(
        "Coin channels",
        "Value of each of the acceptor's channels (on GPIO: of each line, or of each number of pulses)",
        {},
        unit="minor",
    )
    accepted_minor: tuple[ValueMinor, ...] = row(
        "Accepted coins", "Values of the coins that are taken", (), unit="minor", access="operator", strict=False
    )


class Games(Section):
    """What can be played."""

    enabled: tuple[GameName, ...] = row(
        "Games",
        "Games offered, in the order of the lobby",
        ("oasis",),
        access="operator",
        min_length=1,
        strict=False,
        setup_only=True,
    )


class NoteAcceptor(Section):
    """The banknote acceptor."""

    backend: NoteBackend = row("Note acceptor", "How the note acceptor is connected", "none")
    port: Path | None = row("Port", "Serial port, best its name in /dev/serial/by-id", None, strict=False)
    address: int | None = row("Address", "Bus address where the protocol has one (ccTalk, SSP)", None, ge=0, le=255)
    emulates: SerialProtocol | None = row(
        "Emulated protocol", "Protocol of the byte-level stand-in of the backend emulated", None
    )
    credit_at_lever: bool = row(
        "Credit at the lever",
        "ID-003 alone: for units that can't say when a note is in the cash box; it counts once it can't come back",
        False,
    )


class CoinAcceptor(Section):
    """The coin acceptor."""

    backend: CoinBackend = row("Coin acceptor", "How the coin acceptor is connected", "none")
    port: Path | None = row("Port", "Serial port, best its name in /dev/serial/by-id", None, strict=False)
    address: int | None = row("Address", "ccTalk address", None, ge=1, le=255)
    hopper_path: int | None = row(
        "Sorter path to the hopper", "ccTalk sorter: the path that ends in the hopper", None, ge=1, le=8
    )
    cash_box_path: int | None = row(
        "Sorter path to the cash box", "ccTalk sorter: the path that ends in the cash box", None, ge=1, le=8
    )


class Hopper(Section):
    """The coin hopper."""

    backend: CoinBackend = row("Hopper", "How the hopper is connected", "none")
    port: Path | None = row("Port", "Serial port, best its name in /dev/serial/by-id", None, strict=False)
    address: int | None = row("Address", "ccTalk address", None, ge=1, le=255)
    coin_minor: int | None = row(
        "Hopper coin", "Value of the coins in the hopper", None, unit="minor", ge=1, le=MAXIMUM_MINOR
    )


class Printer(Section):
    """The printer of receipts and attendant slips."""

    backend: PrinterBackend = row("Printer", "How the printer is connected", "none")
    port: Path | None = row("Port", "Serial port, best its name in /dev/serial/by-id", None, strict=False)
    baud: int = row(
        "Line speed", "Speed of the printer's line, as on its self-test", 19_200, unit="baud", ge=1_200, le=115_200
    )


class Devices(Section):
    """Money devices. Each backend is said here and never guessed."""

    note_acceptor: NoteAcceptor = NoteAcceptor()
    coin_acceptor: CoinAcceptor = CoinAcceptor()
    hopper: Hopper = Hopper()
    printer: Printer = Printer()


class Pin(Section):
    """A GPIO line by its BCM number; in the file either the number alone or a table with `pin` and what differs."""

    pin: int = row("Pin", "BCM number of the line", ge=0, le=27)

    @model_validator(mode="before")
    @classmethod
    def number_alone(cls, value: Any) -> Any:
        """Accept `17` for `{ pin = 17 }`."""
        if isinstance(value, dict | Pin):
            return value
        if type(value) is not int:
            raise PydanticCustomError("pin", "a pin's number, or a table with pin")
        return {"pin": value}


class ButtonPin(Pin):
    """A contact to ground that closes when pressed or turned."""

    active: Level = row("Active level", "Level at which it is pressed, turned or signalled", "low")
    pull: Pull = row("Pull resistor", "The built-in resistor of the input", "up")


class DoorPin(Pin):
    """A contact to ground that is closed while the door is closed, so that a cut wire reads as an open door."""

    active: Level = row("Active level", "Level at which the door is open", "high")
    pull: Pull = row("Pull resistor", "The built-in resistor of the input", "up")


class OutputPin(Pin):
    """A lamp, motor or coil behind a driver; inactive is the safe state."""

    active: Level = row("Active level", "Level at which it is on", "high")


class CoinAcceptorPins(Section):
    """A coin acceptor on GPIO: either one line per coin, or one line with a number of pulses per coin."""

    lines: dict[Channel, ButtonPin] = row("Coin lines", "Pin of each channel's line", {})
    pulses: ButtonPin | None = row(
        "Coin pulse line", "Pin of the line on which the number of pulses tells the channel", None
    )
    inhibit: OutputPin | None = row("Coin inhibit", "Pin that lets coins in when active; inactive refuses them", None)
    divert: OutputPin | None = row(
        "Coin diverter", "Pin that leads coins to the hopper when active; inactive: the cash box", None
    )
    width_ms: PulseMs = row("Coin pulse length", "Length of one pulse, as set on the acceptor", 50, unit="ms")
    gap_ms: PulseMs = row("Coin pulse pause", "Pause between two pulses of one coin", 100, unit="ms")


class NoteAcceptorPins(Section):
    """A note acceptor on GPIO."""

    pulses: ButtonPin | None = row("Note pulse line", "Pin of the line with the pulses of a note", None)
    inhibit: OutputPin | None = row("Note inhibit", "Pin that lets notes in when active; inactive refuses them", None)
    minor_per_pulse: int | None = row(
        "Value of a pulse", "What one pulse of the note acceptor stands for", None, unit="minor", ge=1, le=MAXIMUM_MINOR
    )
    width_ms: PulseMs = row("Note pulse length", "Length of one pulse, as set on the acceptor", 50, unit="ms")
    gap_ms: PulseMs = row("Note pulse pause", "Pause between two pulses of one note", 100, unit="ms")


class HopperPins(Section):
    """A hopper on GPIO."""

    motor: OutputPin | None = row("Hopper motor", "Pin that runs the hopper's motor", None)
    coin_sensor: ButtonPin | None = row("Hopper coin sensor", "Pin of the sensor at the hopper's coin exit", None)
    width_ms: PulseMs = row("Hopper pulse length", "How long a coin covers the sensor", 40, unit="ms")
    gap_ms: PulseMs = row("Hopper pulse pause", "Time between two coins at the sensor", 110, unit="ms")


class Gpio(Section):
    """The panel and pulse devices on the GPIO header. A pin that is not given is not fitted."""

    backend: GpioBackend = row("GPIO backend", "How pins are reached; simulated: the panel in the window", "none")
    chip: str = row(
        "GPIO chip", "Device file or label of the chip for the backend gpiod; empty: that of the 40-pin header", ""
    )
    sample_period_ms: int = row("Sample period", "Time between two readings of all inputs", 5, unit="ms", ge=1, le=20)
    buttons: dict[Button, ButtonPin] = row("Buttons", "Pin of each button", {})
    lamps: dict[Button, OutputPin] = row("Lamps", "Pin of the lamp in each button", {})
    doors: dict[Door, DoorPin] = row("Doors", "Pin of each door's switch", {})
    keys: dict[Key, ButtonPin] = row("Keys", "Pin of each key switch", {})
    tower: dict[TowerColour, OutputPin] = row("Tower light", "Pin of each light of the tower", {})
    meters: dict[HardMeter, OutputPin] = row("Hard meters", "Pin of each electromechanical meter", {})
    meter_step_minor: int = row(
        "Hard meter step",
        "What one step of an electromechanical meter stands for",
        100,
        unit="minor",
        ge=1,
        le=MAXIMUM_MINOR,
    )
    coin_acceptor: CoinAcceptorPins = CoinAcceptorPins()
    note_acceptor: NoteAcceptorPins = NoteAcceptorPins()
    hopper: HopperPins = HopperPins()


class Settings(Section):
    """A whole configuration file. Its order is the order of the menu."""

    terminal: Terminal
    currency: Currency = Currency()
    storage: Storage
    reports: Reports = Reports()
    access: Access = Access()
    limits: Limits = Limits()
    notes: Notes = Notes()
    coins: Coins = Coins()
    games: Games = Games()
    devices: Devices = Devices()
    gpio: Gpio = Gpio()
    display: Display = Display()
    sound: Sound = Sound()
    player: Player = Player()
