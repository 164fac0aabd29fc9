"""The composition root: builds the real parts of a terminal from its settings.

The only place that knows which storage, clock, randomness and devices are used. Not responsible for the command line
nor for the window.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, Literal
from zoneinfo import ZoneInfo

from display.view_model import Comfort, MoneyFormat
from firmware import __version__
from firmware.audit.clearing import NewEpoch, clear, look
from firmware.audit.clearing import finish as finish_ram_clear
from firmware.audit.source import JournalSource
from firmware.cards.card import Card
from firmware.clock import Clock
from firmware.entries.keeping import ProgramReplaced
from firmware.entries.service import RamClearConfirmed, SetUpBegun, SetUpDone
from firmware.entries.types import Commissioned
from firmware.errors import InvariantError
from firmware.games.par_files import theoretical_return
from firmware.games.registry import register
from firmware.journal.critical import Places
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    ForeignFileError,
    JournalError,
    NewerJournalError,
    OtherVersionError,
    StoreUnavailableError,
)
from firmware.journal.recovery import open_memory
from firmware.loop import AskCoach, InForce, Parts, ProgramWatch, Terminal
from firmware.maths.installed import is_installed
from firmware.memory import Journal, NoMemory, Progress, load_recorded, take_up
from firmware.menu_service import (
    Background,
    LateDigest,
    MenuService,
    in_a_thread,
    random_health_of,
    theories_of,
    with_overrides,
)
from firmware.presenter.present import WATERMARKS, House
from firmware.rng.health import HealthTested
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.seeded import SeededSource
from firmware.rng.source import ByteSource
from firmware.settings.sections import Settings
from firmware.settings.spec import rows
from firmware.system_clock import no_clock_here
from firmware.terminal.availability import needs_set_up
from firmware.terminal.menu import SoftwareState
from firmware.terminal.snapshot import tally_of
from firmware.terminal.state import GameOnOffer, Games, Recorded
from firmware.terminal.step import Options
from hal.interfaces import Devices

CHIPS_MINOR: Final = (100, 500, 1_000, 2_500, 5_000, 10_000)
MEBIBYTE: Final = 1 << 20
VOLUME_STEPS: Final = 4


@dataclass(frozen=True, slots=True)
class Seams:
    """The impure things of one terminal."""

    clock: Clock
    source: ByteSource
    devices: Devices
    stacked_cards: Callable[[], tuple[Card, ...]] = tuple
    open_journal: Callable[[Places, int], Journal] = open_memory
    background: Background = in_a_thread
    """How slow work is done beside the terminal."""
    program_replaced: tuple[ProgramReplaced, ...] = ()
    """How the version that runs came to run."""
    program: ProgramWatch | None = None
    """What checks the program's files; None: nobody does."""
    ask_coach: AskCoach | None = None
    """Who is asked what the buttons are worth (``firmware.coach``); None: nobody."""
    asks_set_up: bool = False
    """A new journal is set up on the screen before anybody plays; else its file is the set-up. After a RAM clear the
    screen always asks."""
    set_clock: Callable[[int], str] = no_clock_here
    """Sets the clock and says why it could not, empty when it could."""
    on_reading: Progress = lambda _done, _all: None
    """Is told how far a long reading of the journal has come."""
    software: Callable[[], SoftwareState] = lambda: SoftwareState("unsigned")
    """What is known of the program's signature; where nobody checks it, it counts as not signed."""


def games_on_offer(settings: Settings) -> Games:
    """Load the enabled games. Raises UserError or ConfigError for a game or profile that is refused."""
    offered: dict[str, GameOnOffer] = {}
    for name in settings.games.enabled:
        offered[name] = _offer(name)
    return offered


def _offer(name: str) -> GameOnOffer:
    registered = register(name)
    facts = registered.profile.model_dump()
    jackpot = facts.get("jackpot")
    seed_minor = jackpot.get("seed_minor") if isinstance(jackpot, Mapping) else None
    theory = theoretical_return(registered.game.id, registered.digest)
    edge = None if theory is None else theory.house_edge
    return GameOnOffer(registered.game, registered.digest, facts, seed_minor, edge)


def options_of(settings: Settings) -> Options:
    """Return the settings that decisions depend on."""
    limits, player, sound = settings.limits, settings.player, settings.sound
    loudest = max(sound.softest_step, sound.loudest_step)
    volume = min(max(-(-sound.volume_percent * VOLUME_STEPS // 100), sound.softest_step), loudest)
    return Options(
        notes_minor=settings.notes.accepted_minor,
        coins_minor=settings.coins.accepted_minor,
        chips_minor=CHIPS_MINOR,
        credit_limit_minor=limits.credit_limit_minor,
        hopper_limit_minor=limits.hopper_limit_minor,
        large_win_minor=limits.large_win_minor,
        hopper_coin_minor=settings.devices.hopper.coin_minor or 1,
        hard_meter_step_minor=settings.gpio.meter_step_minor,
        languages=settings.terminal.languages,
        idle_ms=player.idle_timeout_s * 1_000,
        comfort=Comfort(volume=volume, deal_card_ms=player.deal_card_ms, credit_value_minor=player.credit_value_minor),
        softest=sound.softest_step,
        loudest=loudest,
        reality_check_ms=player.reality_check_min * 60_000,
        minimum_round_ms=player.minimum_round_ms,
        session_limit_ms=player.session_limit_min * 60_000,
        loss_limit_minor=player.loss_limit_minor,
        excessive_notes_minor=limits.excessive_notes_minor,
        excessive_coins_minor=limits.excessive_coins_minor,
        refused_notes_in_a_row=limits.refused_notes_in_a_row,
        money_during_play=limits.money_during_play,
        guards=_guards(settings),
    )


def _guards(settings: Settings) -> frozenset[str]:
    """Return what this machine has of operator key and logic door; a demonstration without a panel has neither."""
    gpio = settings.gpio
    if gpio.backend in ("none", "simulated"):
        return frozenset({"operator", "logic"}) if gpio.backend == "simulated" else frozenset()
    found = {"operator"} if "operator" in gpio.keys else set()
    return frozenset(found | ({"logic"} if "logic" in gpio.doors else set()))


def coach_of(settings: Settings) -> Literal["off", "missing", "there"]:
    """Tell whether players may see what buttons are worth, and whether what computes it is installed."""
    use, is_for_fun = settings.player.coach, settings.terminal.mode != "cabinet"
    if use == "never" or (use == "fun" and not is_for_fun):
        return "off"
    return "there" if is_installed() else "missing"


def recorded_settings(settings: Settings, games: Games) -> dict[str, str]:
    """Return all settings as the journal keeps them: key to canonical JSON text, and each game's profile by its digest."""
    tables = settings.model_dump(mode="json")
    found: dict[str, str] = {}
    for spec in rows(Settings):
        value = tables
        for part in spec.key.split("."):
            value = value[part]
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
        if value and spec.key.startswith("access."):  # of a PIN the journal knows that it changed, not its hash
            text = json.dumps(f"set {hashlib.sha256(text.encode()).hexdigest()[:8]}")
        found[spec.key] = text
    return found | {f"games.{name}.profile": json.dumps(offer.digest) for name, offer in games.items()}


def byte_source(settings: Settings, seed: int | None = None) -> ByteSource:
    """Return the source of randomness: the operating system's, or a seeded one for a simulator alone.

    Raises:
        InvariantError: a seed for anything but a simulator (the settings and the command line refuse it before).
    """
    wanted = settings.terminal.seed if seed is None else seed
    if wanted is None:
        return HealthTested(OsEntropy())
    if settings.terminal.mode != "simulator":
        raise InvariantError("a seed is for the simulator alone")
    return SeededSource(wanted)


def house_of(settings: Settings) -> House:
    """Return what the screen says of the terminal."""
    currency = settings.currency
    return House(
        terminal_id=settings.terminal.id,
        venue=settings.terminal.venue,
        money=MoneyFormat(currency.minor_digits, currency.symbol, symbol_first=False),
        watermark=WATERMARKS.get(settings.terminal.mode),
        touch_ppm=settings.display.touch_ppm,
        local_ms=partial(_local_ms, ZoneInfo(settings.terminal.time_zone)),
    )


def build_terminal(settings: Settings, seams: Seams, games: Games) -> Terminal:
    """Open the journal, commission it when it is new, and return a terminal that has not started yet.

    A journal that is damaged or contradicts itself gives a terminal that is locked up and says so.

    Raises:
        JournalError: the journal is foreign, or can't be written, or a RAM clear can't be finished.
    """
    data_dir = settings.storage.data_dir
    places = Places(data_dir, settings.storage.mirror_dir, settings.storage.anchor_file)
    journal: Journal = NoMemory()
    recorded, damage = Recorded(), None
    finish_ram_clear(places)
    try:
        journal = seams.open_journal(places, seams.clock.wall_ms())
        recorded = take_up(journal, seams.on_reading)
        if recorded.ram_clear is not None and recorded.commissioned is not None:
            _check_ours(recorded.commissioned, settings, data_dir)
            journal.close()
            _clear(places, settings, recorded.ram_clear, seams.clock.wall_ms())
            journal = seams.open_journal(places, seams.clock.wall_ms())
            recorded = load_recorded(journal)
        recorded = _commissioned(journal, recorded, settings, seams, data_dir)
    except (DamagedJournalError, InvariantError) as error:
        journal.close()
        journal = NoMemory()
        damage = error if isinstance(error, DamagedJournalError) else DamagedJournalError(f"{data_dir}: {error}")
        damage = _newer(data_dir) or damage
    except CommitUnknownError as error:
        journal.close()
        raise StoreUnavailableError(f"{error}; check the storage, then start again") from error
    except BaseException:
        journal.close()
        raise
    games = _games_of(settings, games, recorded.overrides)
    floor = settings.storage.free_space_floor_mib * MEBIBYTE
    settings_now = partial(in_force, settings, games, has_coach=seams.ask_coach is not None)
    first = settings_now(recorded.overrides)
    return Terminal(
        Parts(
            journal=journal,
            devices=seams.devices,
            games=games,
            options=first.options,
            house=first.house,
            clock=seams.clock,
            source=seams.source,
            version=__version__,
            is_storage_low=lambda: shutil.disk_usage(data_dir).free < floor,
            stacked_cards=seams.stacked_cards,
            settings=first.settings,
            service=MenuService(
                settings,
                games,
                isinstance(seams.source, SeededSource),
                seams.background,
                partial(random_health_of, seams.source),
                seams.software,
                seams.set_clock,
                clear_memory=partial(_clear_unreadable, places, settings, seams.clock),
                theories=theories_of(games),
                digest=LateDigest(seams.background),
            ),
            in_force=settings_now,
            ask_coach=seams.ask_coach,
            program=seams.program,
            program_replaced=seams.program_replaced,
        ),
        recorded,
        damage,
    )


def _newer(data_dir: Path) -> NewerJournalError | None:
    """Tell a journal that a newer version wrote from a damaged one: its chain holds, but a kind of entry is not known."""
    try:
        with JournalSource(data_dir) as source:
            for _ in source.rows():
                pass
    except OtherVersionError as error:
        return NewerJournalError(str(error))
    except JournalError:
        return None
    return None


def in_force(settings: Settings, games: Games, overrides: Mapping[str, str], *, has_coach: bool = False) -> InForce:
    """Return what follows from the settings of the file and those that were changed in the menu."""
    now = with_overrides(settings, overrides)
    options = options_of(now)
    if has_coach:
        options = replace(options, coach=coach_of(now))
    return InForce(options, house_of(now), recorded_settings(now, games))


def _games_of(settings: Settings, games: Games, overrides: Mapping[str, str]) -> Games:
    """Return the games of the settings in force, in their order; ``games`` are those of the file."""
    names = with_overrides(settings, overrides).games.enabled
    if names == tuple(games):
        return games
    return {name: games[name] if name in games else _offer(name) for name in names}


def _check_ours(known: Commissioned, settings: Settings, data_dir: Path) -> None:
    terminal = settings.terminal
    if (known.terminal, known.store) != (terminal.id, terminal.mode):
        raise ForeignFileError(
            f"{data_dir}: the journal of terminal {known.terminal} ({known.store}), not of {terminal.id} "
            f"({terminal.mode}); choose another --data folder"
        )


def _clear(places: Places, settings: Settings, wanted: RamClearConfirmed, at_ms: int) -> None:
    """Carry out a RAM clear that was confirmed on the screen. Raises JournalError; the order then stands as before."""
    before = look(places, settings.terminal.id)
    clear(places, _new_epoch(settings), before, by=wanted.by, reason=wanted.reason, at_ms=at_ms)


def _clear_unreadable(places: Places, settings: Settings, clock: Clock, by: str, reason: str) -> str:
    """Clear a memory that can't be read, in which no order could wait. Returns why it was not cleared."""
    try:
        _clear(places, settings, RamClearConfirmed(by, reason), clock.wall_ms())
    except (JournalError, OSError) as error:
        return str(error)
    return ""


def _new_epoch(settings: Settings) -> NewEpoch:
    terminal, currency = settings.terminal, settings.currency
    return NewEpoch(terminal.id, terminal.mode, currency.code, currency.minor_digits, __version__)


def _commissioned(journal: Journal, recorded: Recorded, settings: Settings, seams: Seams, data_dir: Path) -> Recorded:
    terminal, currency = settings.terminal, settings.currency
    known = recorded.commissioned
    if known is None:
        first = Commissioned(terminal.id, 1, terminal.mode, currency.code, currency.minor_digits, __version__)
        begun = (SetUpBegun(),) if seams.asks_set_up and terminal.set_up == "screen" else ()
        journal.append((first, *begun), seams.clock.wall_ms())
        return load_recorded(journal)
    _check_ours(known, settings, data_dir)
    if (known.currency, known.minor_digits) != (currency.code, currency.minor_digits):
        raise ForeignFileError(
            f"{data_dir}: its amounts are {known.currency} with {known.minor_digits} digits, the settings say "
            f"{currency.code} with {currency.minor_digits}; choose another --data folder"
        )
    if needs_set_up(recorded) and terminal.set_up == "file":
        journal.append((SetUpDone("file", ""),), seams.clock.wall_ms(), tally_of(recorded))
        return load_recorded(journal)
    return recorded


def _local_ms(zone: ZoneInfo, wall_ms: int) -> int:
    offset = datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone(zone).utcoffset()
    return wall_ms + (int(offset.total_seconds()) * 1000 if offset is not None else 0)
