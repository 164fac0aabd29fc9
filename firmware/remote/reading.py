"""A store as the pages of the operator's menu need it: the state at its end, and an environment that only reads.

The store may be a running terminal's or a copy. The same pages give the same figures as on the terminal itself. Not
responsible for what is done with them (``report_command``, ``server``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware import __version__
from firmware.app import games_on_offer, in_force
from firmware.audit.source import JournalSource
from firmware.cards.card import Card
from firmware.entries.types import Commissioned
from firmware.errors import InvariantError
from firmware.memory import load_recorded
from firmware.menu_service import MenuService, theories_of
from firmware.operator_menu.book import menu_page
from firmware.settings.sections import Settings
from firmware.terminal.state import Screen, State
from firmware.terminal.step import Environment


@dataclass(frozen=True, slots=True)
class StoreReading:
    """A store at one moment."""

    state: State
    environment: Environment
    commissioned: Commissioned
    mark: str
    """The kind of money: ``cabinet``, ``demo`` or ``simulator``."""


def read_store(settings: Settings, data_dir: Path, mirror_dir: Path | None, wall_ms: int) -> StoreReading:
    """Return what a store says now.

    Raises:
        JournalError: there is none, or it is damaged or of another version.
        InvariantError: its entries contradict each other.
    """
    with JournalSource(data_dir, mirror_dir) as source:
        recorded = load_recorded(source)
        head, commissioned = source.head, source.commissioned
    games = games_on_offer(settings)
    now = in_force(settings, games, recorded.overrides)
    service = MenuService(settings, games, seeded=False, theories=theories_of(games))
    environment = Environment(
        now_ms=0,
        wall_ms=wall_ms,
        options=now.options,
        games=games,
        shuffle=_no_shoe,
        salt=_no_salt,
        laid_shoe=lambda _: (),
        is_recorded=lambda _: True,
        program_version=__version__,
        settings=now.settings,
        menu_page=menu_page,
        machine=lambda: service.machine((), head),
        local_ms=now.house.local_ms,
    )
    return StoreReading(State(recorded, Screen()), environment, commissioned, commissioned.store)


def _no_shoe(_: int) -> tuple[Card, ...]:
    raise InvariantError("a reader deals no cards")


def _no_salt() -> bytes:
    raise InvariantError("a reader deals no cards")


Reader = Callable[[], StoreReading]
"""Reads the store anew."""
