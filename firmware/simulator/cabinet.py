"""A whole cabinet in one thread on a clock of its own: simulated hardware, the real terminal, and a person's verbs.

Scripts and tests drive it. Time passes only in ``wait`` and in the short pauses after each verb; equal verbs give equal
results. The physical world outlives the program: ``cut_power`` and ``kill`` take the program away, ``boot`` starts it
again from the journal. Not responsible for reading scripts (``script``) or for the window (``window``).
"""

from collections import deque
from collections.abc import Callable
from pathlib import Path

from display.view_model import Gesture, View
from firmware.app import Seams, build_terminal, byte_source, games_on_offer
from firmware.cards.card import Card
from firmware.clock import ManualClock
from firmware.entries.keeping import ProgramReplaced
from firmware.errors import UserError
from firmware.journal.critical import Places
from firmware.journal.recovery import open_memory
from firmware.loop import AskCoach, ProgramWatch, RestartNeededError, Terminal
from firmware.memory import Journal
from firmware.settings.sections import Settings
from firmware.terminal.availability import needs_set_up
from firmware.terminal.controls import control
from firmware.terminal.menu import SET_UP, SET_UP_STEPS, Ask
from firmware.terminal.step import Stimulus, Tick
from hal.simulated.world import World, WorldConfig

WORLD_FILE = "hardware.json"
STEP_MS = 20
TICK_EVERY_MS = 60
PAUSE_MS = 200
"""How long a verb waits for its consequences."""
SETTLE_MS = 1_500
"""How long money takes to be credited or returned at the most."""


class ImpossibleActionError(UserError):
    """A person can't do this now; the text says why."""


class SimulatedCabinet:
    """A cabinet, its hardware and its program."""

    patience_ms = 0
    """How long a script's expectation may take to come true: no time at all where time passes only when it is told to."""

    def __init__(
        self,
        settings: Settings,
        *,
        seed: int | None = None,
        clock: ManualClock | None = None,
        open_journal: Callable[[Places, int], Journal] = open_memory,
        world_file: Path | None = None,
        world: World | None = None,
        ask_coach: AskCoach | None = None,
        program: ProgramWatch | None = None,
        program_replaced: tuple[ProgramReplaced, ...] = (),
        asks_set_up: bool = False,
    ) -> None:
        """Build the hardware; the program starts with ``boot``. A ``world_file`` keeps the hardware's state.

        A ``world`` that is given is the hardware instead, and is closed with the cabinet. There is a coach only where
        somebody is given whom to ask. ``asks_set_up``: a new journal is set up on the screen, as on a real cabinet.
        """
        self._ask_coach, self._program, self._program_replaced = ask_coach, program, program_replaced
        self._asks_set_up = asks_set_up
        self.settings = settings
        self.clock = clock or ManualClock()
        self.world = world or _simulated_world(settings, world_file)
        self._games = games_on_offer(settings)
        self._source = byte_source(settings, seed)
        self._open_journal = open_journal
        self._stacks: deque[tuple[Card, ...]] = deque()
        self._inbox: deque[Stimulus] = deque()
        self._terminal: Terminal | None = None
        self._ticked_ms = 0
        self.background: Callable[[Callable[[], None]], None] = lambda work: work()
        """How slow work is done beside the terminal: at once, so that equal verbs give equal results."""
        self.views: list[View] = []
        """The newest view last; only the last few are kept."""

    # --- the program's life -------------------------------------------------------------------------------------------

    @property
    def terminal(self) -> Terminal:
        """The running program. Raises ImpossibleActionError when there is none."""
        if self._terminal is None:
            raise ImpossibleActionError("the terminal is off; boot it first")
        return self._terminal

    @property
    def is_running(self) -> bool:
        """Tell whether the program runs."""
        return self._terminal is not None

    def boot(self) -> None:
        """Switch the cabinet on, or start the program again, and let it find its devices."""
        if self._terminal is not None:
            raise ImpossibleActionError("the terminal is running already")
        if not self.world.readings.powered:
            self.world.restore_power()
        self._start()
        self.settle(SETTLE_MS)

    def cut_power(self, note: str | None = None) -> None:
        """Pull the plug: program and hardware stop in the middle of whatever they do."""
        self._vanish()
        self.world.cut_power(note)

    def kill(self) -> None:
        """Only the program dies; the hardware keeps its power."""
        self._vanish()
        self.world.host_dies()

    def shut_down(self) -> None:
        """End the program in an orderly way."""
        self.terminal.stop()
        self._terminal = None
        self._inbox.clear()

    def close(self) -> None:
        """Let go of everything, running or not; nothing is recorded."""
        if self._terminal is not None:
            self._vanish()
        self.world.close()

    def wait(self, milliseconds: int) -> None:
        """Let time pass, with all that happens in it."""
        end_ms = self.clock.monotonic_ms() + milliseconds
        self._drain()
        while self.clock.monotonic_ms() < end_ms:
            self.clock.advance(min(STEP_MS, end_ms - self.clock.monotonic_ms()))
            now_ms = self.clock.monotonic_ms()
            self.world.advance(now_ms)
            if self._terminal is not None and now_ms - self._ticked_ms >= TICK_EVERY_MS:
                self._ticked_ms = now_ms
                self._inbox.append(Tick())
            self._drain()

    def settle(self, milliseconds: int) -> None:
        """Wait until what was begun has had its consequences, which takes so long at the most."""
        self.wait(milliseconds)

    # --- a person's hand ----------------------------------------------------------------------------------------------

    def act(self, hand: Callable[[World], object], *, wait_ms: int = PAUSE_MS) -> None:
        """Do something with the hardware and let the consequences happen."""
        hand(self.world)
        self.wait(wait_ms)

    def insert_note(self, denomination_minor: int) -> None:
        """Push a note into the acceptor and wait until it is taken or given back."""
        self.world.insert_note(denomination_minor)
        self.settle(SETTLE_MS)

    def insert_coin(self, value_minor: int) -> None:
        """Drop a coin into the slot."""
        self.world.insert_coin(value_minor)
        self.settle(SETTLE_MS)

    def press(self, name: str) -> None:
        """Press a physical button: by number (``b9``) or by what it does now (``deal``)."""
        button = name if name[:1] == "b" and name[1:].isdigit() else self._button_of(name)
        self.world.press(button)
        self.wait(PAUSE_MS // 2)
        self.world.release(button)
        self.wait(PAUSE_MS // 2)

    def touch(self, target: str, kind: str = "tap", onto: str = "") -> None:
        """Touch a place of the screen by its target, e.g. ``box:1:ante``."""
        _ = self.terminal
        self._inbox.append(Gesture(target, kind, onto))
        self.wait(PAUSE_MS)

    def set_up(self) -> None:
        """Serve a new cabinet: confirm every step of its set-up as it stands, by touch, and close it again."""
        if not needs_set_up(self.terminal.state.recorded):
            raise ImpossibleActionError("the terminal is set up already")
        self.act(lambda world: world.open_door("logic"))
        self.act(lambda world: world.turn_key("operator"))
        self._choose(f"{SET_UP}.{SET_UP_STEPS[0]}")
        for _ in SET_UP_STEPS:
            self._choose("confirm_step")
        self._choose("finish_set_up")
        self.touch("page:row:2")
        self.settle(SETTLE_MS)
        self.act(lambda world: world.turn_back_key("operator"))
        self.act(lambda world: world.close_door("logic"))
        self.act(lambda world: world.turn_key("attendant"))  # somebody has looked into the open machine
        self.act(lambda world: world.turn_back_key("attendant"))

    def _choose(self, meant: str) -> None:
        """Touch the row of the menu that does this, or that leads to this page."""
        environment = self.terminal.environment()
        for row, found in environment.menu_page(self.terminal.state, environment).acts.items():
            act = found.act if isinstance(found, Ask) else found
            if meant in (act.name, act.argument):
                self.touch(f"page:row:{row}")
                return
        raise ImpossibleActionError(f"the set-up offers no {meant} now")

    def lay_cards(self, cards: tuple[Card, ...]) -> None:
        """Lay down the first cards of the next shuffle; a simulator's privilege."""
        if self.settings.terminal.mode != "simulator":
            raise ImpossibleActionError("cards can be laid down in a simulator only")
        if len(set(cards)) != len(cards):
            raise ImpossibleActionError("a card is laid down twice")
        self._stacks.append(cards)

    @property
    def view(self) -> View:
        """What the screen shows."""
        return self.terminal.view()

    # --- inside -------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        seams = Seams(
            self.clock,
            self._source,
            self.world.devices,
            self._next_stack,
            self._open_journal,
            background=lambda work: self.background(work),
            ask_coach=self._ask_coach,
            program=self._program,
            program_replaced=self._program_replaced,
            asks_set_up=self._asks_set_up,
            set_clock=self._set_clock,
        )
        terminal = build_terminal(self.settings, seams, self._games)
        terminal.on_view = self._keep_view
        self._terminal = terminal
        terminal.start(self._hear)

    def _set_clock(self, wall_ms: int) -> str:
        self.clock.set_wall(wall_ms)
        return ""

    def _hear(self, stimulus: Stimulus) -> None:
        self._inbox.append(stimulus)

    def _vanish(self) -> None:
        self.terminal.abandon()
        self._terminal = None
        self._inbox.clear()

    def _drain(self) -> None:
        while self._inbox and self._terminal is not None:
            try:
                self._terminal.handle(self._inbox.popleft())
            except RestartNeededError:
                self._inbox.clear()
                self._terminal.abandon()
                self._terminal = None
                self._start()

    def _keep_view(self, view: View) -> None:
        self.views = [*self.views[-9:], view]

    def _next_stack(self) -> tuple[Card, ...]:
        return self._stacks.popleft() if self._stacks else ()

    def _button_of(self, name: str) -> str:
        terminal = self.terminal
        found = control(terminal.state, terminal.environment(), name)
        if found is None or found.slot == 0:
            raise ImpossibleActionError(f"no button does {name!r} now; {self._buttons_now()}")
        return f"b{found.slot}"

    def _buttons_now(self) -> str:
        names = [button.id.removeprefix("button:") for button in self.view.buttons if button.slot]
        return f"there are {', '.join(names)}"


def _simulated_world(settings: Settings, world_file: Path | None) -> World:
    config = world_config(settings)
    return World.open(world_file, config) if world_file else World(config)


def world_config(settings: Settings) -> WorldConfig:
    """Return how the simulated hardware of these settings is built."""
    usual = WorldConfig()
    return WorldConfig(
        notes_minor=settings.notes.accepted_minor or usual.notes_minor,
        coins_minor=settings.coins.accepted_minor or usual.coins_minor,
        hopper_coin_minor=settings.devices.hopper.coin_minor or usual.hopper_coin_minor,
    )
