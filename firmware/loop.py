"""The terminal's loop: stimulus in, decide, record, evolve, act, view out.

``Terminal`` does it in the caller's thread, so that tests and scripts run on a clock of their own; ``terminal_thread`` runs
one in a thread. Nothing here decides anything: it commits what a decision wants recorded, folds it, and only then performs
the effects. An error from a commit means *unknown*: the terminal stops all devices and has to be started again from the
journal.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

from display.view_model import Gesture, Text, View
from firmware.audit.ram_clear import Before, digits_of, refusals
from firmware.cards.card import DECK, Card
from firmware.clock import Clock
from firmware.effects import Hands
from firmware.entries.keeping import ProgramReplaced
from firmware.entries.types import FaultRaised
from firmware.errors import InvariantError
from firmware.fairness.commitment import SALT_BYTES
from firmware.games.contract import Decision, Game
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    DuplicateEntryError,
    NewerJournalError,
    StoreUnavailableError,
)
from firmware.journal.record import Record
from firmware.ledger.self_audit import SelfAuditError
from firmware.memory import Journal, NoMemory
from firmware.menu_service import MenuService
from firmware.operator_menu.book import Book
from firmware.past_rounds import PastRounds
from firmware.presenter.help import help_page_count
from firmware.presenter.present import House, present
from firmware.presenter.trial import TRIAL_MARK, trial_view
from firmware.rng.source import ByteSource, RandomnessError, shuffled
from firmware.terminal.coach import question
from firmware.terminal.decide import decide
from firmware.terminal.decide_lock_up import in_lock_up
from firmware.terminal.evolve import GameChangedError, evolve, revive
from firmware.terminal.faults import BOOKS, CONTRADICTION, FAULTS, GAME_CHANGED, MEMORY, NEWER_JOURNAL
from firmware.terminal.hard_meters import hard_meter_steps
from firmware.terminal.menu import DeviceStatus, Machine
from firmware.terminal.outputs import Outputs, outputs
from firmware.terminal.snapshot import encode_recorded, tally_of
from firmware.terminal.state import Fault, Games, Question, Recorded, Screen, State
from firmware.terminal.step import (
    AdviceGiven,
    Boot,
    Effect,
    Environment,
    MemoryCleared,
    Options,
    ProgramChecked,
    Restart,
    Shutdown,
    Step,
    Stimulus,
    Tick,
)
from firmware.terminal.trial import PAGE as TRIAL_PAGE
from firmware.terminal.trial import TrialTable
from hal.events import ButtonPressed, ButtonReleased, DeviceInfo, DeviceReady
from hal.interfaces import Devices

IDLE_MS = 250
"""While nothing happens, what depends on time alone (the clock, a button that waits) is looked at so often."""


class ProgramWatch(Protocol):
    """What checks the program's files in the background; see ``firmware.manifest.watch``."""

    def start(self, sink: Callable[[ProgramChecked], object]) -> None:
        """Tell each verdict from now on, beginning with the newest that is known."""


AskCoach = Callable[[Question, Game, Decision, Callable[[AdviceGiven], None]], None]


@dataclass(frozen=True, slots=True)
class Parts:
    """What a terminal is made of. ``stacked_cards`` are the next cards that a simulator's script laid down."""

    journal: Journal
    devices: Devices
    games: Games
    options: Options
    house: House
    clock: Clock
    source: ByteSource
    version: str
    is_storage_low: Callable[[], bool]
    service: MenuService
    in_force: Callable[[Mapping[str, str]], "InForce"]
    """From the settings changed in the menu to all that follows from settings."""
    stacked_cards: Callable[[], tuple[Card, ...]] = tuple
    settings: Mapping[str, str] = field(default_factory=dict)
    """The settings in force as canonical JSON text, to be recorded."""
    ask_coach: AskCoach | None = None
    """Takes a question, and tells the answer whenever it is found."""
    program_replaced: tuple[ProgramReplaced, ...] = ()
    """How the version that runs came to run."""
    program: ProgramWatch | None = None
    """Checks the program's files; None: nobody does."""


@dataclass(frozen=True, slots=True)
class InForce:
    """What follows from the settings in force: options, house, and the settings themselves as the journal keeps them."""

    options: Options
    house: House
    settings: Mapping[str, str]


class RestartNeededError(RuntimeError):
    """The terminal can't go on, or was told to begin anew: it must be started again from the journal; all devices are
    stopped."""


class Terminal:
    """A running terminal in the caller's thread."""

    def __init__(self, parts: Parts, recorded: Recorded, damage: DamagedJournalError | None = None) -> None:
        """Take up the recorded state; nothing happens before ``start``. With ``damage`` it only ever says so."""
        self._parts = parts
        self._state = State(recorded, Screen())
        self._damage = damage
        self._told = Outputs()
        self._told_at_ms = 0
        self._published: View | None = None
        self._infos: dict[str, DeviceInfo] = {}
        self._book = Book()
        self._past = PastRounds(parts.journal.search, recorded.commissioned)
        self._sink: Callable[[Stimulus], None] = self.handle
        self._randomness_failure = ""
        self._asked: Question | None = None
        self._trial: TrialTable | None = None
        self.on_view: Callable[[View], None] = lambda _: None
        self.on_commit: Callable[[int], None] = lambda _: None
        """Called after each commit with the number of its entries."""

    @property
    def state(self) -> State:
        """The state after the last stimulus."""
        return self._state

    def start(self, sink: Callable[[Stimulus], None]) -> None:
        """Reconcile with the journal and start the devices; their events go to ``sink``."""
        self._sink = sink
        try:
            if self._damage is not None:
                raise self._damage
            self._state = revive(self._state.recorded, self._state.screen, self._parts.games)
        except (InvariantError, DamagedJournalError) as error:
            self._lock_up(error)
            self._publish()
        self._wake_source()
        self.handle(Boot())
        for device in self._parts.devices.all():
            device.start(sink, self._state.recorded.last_events.get(device.name, 0))
        if self._parts.program is not None:
            self._parts.program.start(sink)
        self._tell_devices()

    def handle(self, stimulus: Stimulus) -> None:
        """Let one stimulus have its consequences.

        Raises:
            RestartNeededError: a commit's result is unknown, or storage failed; the devices are stopped.
        """
        if self._state.screen.lock_up is not None:
            self._read_only(stimulus)
            return
        if isinstance(stimulus, DeviceReady):
            self._forget_told(stimulus.device)
            self._infos[stimulus.device] = stimulus.info
        if self._tried(stimulus):
            return
        before = self._state
        try:
            step = decide(before, stimulus, self.environment())
            self._state = replace(self._state, screen=step.screen)
            self._state = self._recorded(step)
        except (InvariantError, DamagedJournalError) as error:
            self._lock_up(error)
            self._publish()
            return
        self._turn_hard_meters(before)
        self._begin_or_end_trial()
        for effect in step.effects:
            self._perform(effect)
        if not (isinstance(stimulus, Tick) and self._is_idle(before, step)):
            self._told_at_ms = self._parts.clock.monotonic_ms()
            self._tell_devices()
            self._publish()
            self._ask_coach()
        if isinstance(stimulus, Tick):
            self._keep_house()

    def _tried(self, stimulus: Stimulus) -> bool:
        """Let a test game have what somebody does at the table; tell whether the terminal itself has no part in it."""
        trial, menu = self._trial, self._state.screen.menu
        if trial is None or menu is None or not isinstance(stimulus, Gesture | ButtonPressed | ButtonReleased | Tick):
            return False
        try:
            goes_on = isinstance(stimulus, ButtonReleased) or trial.handle(stimulus)
        except InvariantError:
            goes_on = False
        if isinstance(stimulus, Tick) and goes_on:
            self._publish()
            return False
        now_ms = self._parts.clock.monotonic_ms()
        self._state = replace(self._state, screen=replace(self._state.screen, menu=replace(menu, active_at_ms=now_ms)))
        if not goes_on:
            self._trial = None
            self.handle(Gesture("page:back"))
            return True
        self._tell_devices()
        self._publish()
        return True

    def _begin_or_end_trial(self) -> None:
        menu = self._state.screen.menu
        if menu is None or menu.page != TRIAL_PAGE or menu.asked is not None:
            self._trial = None
        elif self._trial is None:
            with suppress(InvariantError):
                self._trial = TrialTable(self.environment, menu.language)

    def _ask_coach(self) -> None:
        """Ask about a decision once, when it is on the screen; the answer comes as a stimulus or not at all."""
        ask, live = self._parts.ask_coach, self._state.live
        asked = question(self._state, self._parts.options) if ask is not None else None
        if asked == self._asked:
            return
        self._asked = asked
        if ask is not None and asked is not None and live is not None:
            ask(asked, live.game, live.decision, self._sink)

    def _read_only(self, stimulus: Stimulus) -> None:
        """Locked up, nothing is recorded any more; but the menu can be read, and a memory that is lost can be cleared."""
        if isinstance(stimulus, MemoryCleared) and not stimulus.error:
            self._perform(Restart())
        before = self._state
        self._state, effects = in_lock_up(before, stimulus, self.environment())
        for effect in effects:
            self._perform(effect)
        if self._state != before:
            self._tell_devices()
            self._publish()

    def _turn_hard_meters(self, before: State) -> None:
        books, step_minor = self._state.recorded.books, self._parts.options.hard_meter_step_minor
        for pulse in hard_meter_steps(before.recorded.books, books, step_minor):
            self._parts.devices.panel.pulse_meter(pulse.meter, pulse.step_count)

    def _is_idle(self, before: State, step: Step) -> bool:
        """Tell whether a tick changed nothing, so that devices and screen need not be compared again so soon."""
        if step.entries or step.effects or self._parts.clock.monotonic_ms() - self._told_at_ms >= IDLE_MS:
            return False
        offset_ms = before.screen.clock_offset_ms
        return replace(step.screen, clock_offset_ms=offset_ms) == before.screen

    def stop(self) -> None:
        """End in an orderly way: record it, stop the devices, close the journal."""
        self.handle(Shutdown())
        self.stop_devices()
        if self._state.screen.lock_up is None:
            with suppress(CommitUnknownError, StoreUnavailableError):  # a mere cache: the next start reads more
                self._parts.journal.keep_snapshot(encode_recorded(self._state.recorded))
        self._parts.journal.close()

    def abandon(self) -> None:
        """Let go of the journal without recording anything: what a power cut leaves."""
        self._parts.journal.close()

    def stop_devices(self) -> None:
        """Stop all devices at once; no money moves any more."""
        for device in self._parts.devices.all():
            device.stop()

    def view(self) -> View:
        """Return what the screen should show now."""
        if self._trial is not None:
            house = replace(self._parts.house, watermark=TRIAL_MARK)
            return trial_view(present(self._trial.state, self._trial.environment(), house))
        return present(self._state, self.environment(), self._parts.house)

    def environment(self) -> Environment:
        """Return what decisions may know at this moment."""
        parts = self._parts
        return Environment(
            now_ms=parts.clock.monotonic_ms(),
            wall_ms=parts.clock.wall_ms(),
            options=parts.options,
            games=parts.games,
            shuffle=lambda deck_count: shuffled(parts.source, DECK * deck_count),
            salt=lambda: parts.source.take(SALT_BYTES),
            laid_shoe=self._laid_shoe,
            is_recorded=parts.journal.is_recorded,
            program_version=parts.version,
            help_page_count=lambda game: help_page_count(parts.games[game]) if game in parts.games else 1,
            storage_low=parts.is_storage_low(),
            program_replaced=parts.program_replaced,
            is_program_watched=parts.program is not None,
            randomness_failure=self._randomness_failure,
            settings=parts.settings,
            menu_page=self._book.page,
            machine=self._machine,
            pin_levels=parts.service.pin_levels(self._state.recorded.pins),
            is_pin=lambda level, digits: parts.service.is_pin(self._state.recorded.pins, level, digits),
            hash_pin=parts.service.hash_pin,
            calibration=parts.service.calibration,
            clear_refusals=self._clear_refusals,
            clear_code=self._clear_code,
            setting_problem=lambda key, value: parts.service.setting_problem(
                self._state.recorded.overrides, key, value
            ),
            local_ms=parts.house.local_ms,
            past_rounds=self._past.up_to,
            as_played=lambda opened: self._past.offer(opened, parts.games),
        )

    def _machine(self) -> Machine:
        devices = []
        for device in self._parts.devices.all():
            info = self._infos.get(device.name, DeviceInfo())
            words = (info.manufacturer, info.product, info.serial, info.firmware)
            is_ready = device.name in self._state.screen.ready
            told = tuple(word for word in words if word)
            devices.append(DeviceStatus(device.name, is_ready, told, info.denominations_minor))
        return self._parts.service.machine(tuple(devices), self._parts.journal.head)

    def _clear_refusals(self, state: State) -> tuple[Text, ...]:
        lock_up = state.screen.lock_up
        if lock_up is not None and FAULTS[lock_up.code].clears != "ram_clear":
            return (Text("ram clear", "This lock-up needs no RAM clear: do what it asks for"),)
        if lock_up is not None and not isinstance(self._parts.journal, NoMemory):
            return (Text("ram clear", "Switch the terminal off and on first: then it looks at its memory anew"),)
        return refusals(self._before_clear(state), is_logic_door_open="logic" in state.recorded.doors_open)

    def _clear_code(self) -> str:
        return digits_of(self._before_clear(self._state).code)

    def _before_clear(self, state: State) -> Before:
        commissioned = state.recorded.commissioned
        name, epoch = (commissioned.terminal, commissioned.epoch) if commissioned is not None else ("", 0)
        return Before(name, epoch, self._parts.journal.head, state.recorded)

    def _wake_source(self) -> None:
        """Let the source of randomness test itself before anything depends on it."""
        try:
            self._parts.source.take(0)
        except RandomnessError as error:
            self._randomness_failure = str(error)

    def _laid_shoe(self, deck_count: int) -> tuple[Card, ...]:
        first = self._parts.stacked_cards()
        if not first:
            return ()
        rest = list(shuffled(self._parts.source, DECK * deck_count))
        for card in first:
            rest.remove(card)
        return (*first, *rest)

    def _recorded(self, step: Step) -> State:
        """Commit a step's entries and return the state after them.

        The state is folded before the commit, so that a contradiction is found before it is recorded for ever.
        """
        if not step.entries:
            return self._state
        at_ms, journal = self._parts.clock.wall_ms(), self._parts.journal
        drafts = tuple(
            Record(seq, at_ms, recorded, b"") for seq, recorded in enumerate(step.entries, journal.head.seq + 1)
        )
        after = evolve(self._state, drafts, self._parts.games)
        try:
            records = journal.append(step.entries, at_ms, tally_of(after.recorded))
        except DuplicateEntryError as error:
            raise InvariantError(f"recorded before: {error}") from error
        except (CommitUnknownError, StoreUnavailableError) as error:
            self.stop_devices()
            raise RestartNeededError(str(error)) from error
        self.on_commit(len(records))
        if after.recorded.overrides != self._state.recorded.overrides:
            in_force = self._parts.in_force(after.recorded.overrides)
            self._parts = replace(
                self._parts, options=in_force.options, house=in_force.house, settings=in_force.settings
            )
        return after

    def _keep_house(self) -> None:
        """Between rounds, when nothing is in flight: keep a snapshot, let the journal seal what is old."""
        recorded = self._state.recorded
        if recorded.round is not None or recorded.note is not None or recorded.payout is not None:
            return
        try:
            if self._parts.journal.snapshot_is_due:
                self._parts.journal.keep_snapshot(encode_recorded(recorded))
            mended = self._parts.journal.tidy()
            if mended:
                self._state = self._recorded(Step(self._state.screen, mended))
                self._publish()
        except (CommitUnknownError, StoreUnavailableError) as error:
            self.stop_devices()
            raise RestartNeededError(str(error)) from error
        except (InvariantError, DamagedJournalError) as error:
            self._lock_up(error)
            self._publish()

    def _perform(self, effect: Effect) -> None:
        parts = self._parts
        if isinstance(effect, Restart):
            self.stop_devices()
            parts.journal.close()
            raise RestartNeededError("the terminal starts anew, as it was told to")
        hands = Hands(parts.devices, parts.service, parts.house, parts.clock, self._sink)
        hands.perform(effect, self._state, self.environment())

    def _tell_devices(self) -> None:
        devices, told = self._parts.devices, self._told
        screen = self._state.screen
        wanted = Outputs()
        if screen.lock_up is None or screen.menu is not None:
            wanted = outputs(self._state, self.environment())
        if self._trial is not None:
            wanted = replace(wanted, lamps=outputs(self._trial.state, self._trial.environment()).lamps)
        if screen.lock_up is not None:
            wanted = replace(wanted, notes_minor=(), coins_minor=())
        if devices.notes is not None and wanted.notes_minor != told.notes_minor:
            if wanted.notes_minor:
                devices.notes.enable(wanted.notes_minor)
            else:
                devices.notes.disable()
        if devices.coins is not None and wanted.coins_minor != told.coins_minor:
            if wanted.coins_minor:
                devices.coins.route(wanted.coin_route)
                devices.coins.enable(wanted.coins_minor)
            else:
                devices.coins.disable()
        if devices.coins is not None and wanted.coin_route != told.coin_route:
            devices.coins.route(wanted.coin_route)
        for button, lamp in wanted.lamps.items():
            if told.lamps.get(button, "off") != lamp:
                devices.panel.set_lamp(button, lamp)
        for colour, lamp in wanted.tower.items():
            if told.tower.get(colour, "off") != lamp:
                devices.panel.set_tower(colour, lamp)
        self._told = wanted

    def _forget_told(self, device: str) -> None:
        """A device came (back): it is to be told everything again."""
        told = self._told
        if device == "notes":
            self._told = replace(told, notes_minor=())
        elif device == "coins":
            self._told = replace(told, coins_minor=())
        elif device == "panel":
            self._told = replace(told, lamps={}, tower={})

    def _lock_up(self, error: InvariantError | DamagedJournalError) -> None:
        self._trial = None
        fault = Fault(_code_of(error), "terminal", str(error), self._parts.clock.wall_ms())
        if fault.code == BOOKS:
            self._record_for_ever(fault)
        self._state = replace(self._state, screen=replace(self._state.screen, lock_up=fault, menu=None))
        if self._parts.devices.hopper is not None:
            self._parts.devices.hopper.halt()
        self._tell_devices()

    def _record_for_ever(self, fault: Fault) -> None:
        """Only a RAM clear ends it, so the journal must know it over a power cycle, if it can still be written."""
        try:
            self._parts.journal.append((FaultRaised(fault.code, fault.device, fault.detail),), fault.since_ms)
        except (CommitUnknownError, StoreUnavailableError, DamagedJournalError):
            self.stop_devices()

    def _publish(self) -> None:
        view = self.view()
        if view != self._published:
            self._published = view
            self.on_view(view)


def _code_of(error: InvariantError | DamagedJournalError) -> str:
    """Return the fault that a contradiction is."""
    kinds = (
        (NewerJournalError, NEWER_JOURNAL),
        (DamagedJournalError, MEMORY),
        (GameChangedError, GAME_CHANGED),
        (SelfAuditError, BOOKS),
    )
    return next((code for kind, code in kinds if isinstance(error, kind)), CONTRADICTION)
