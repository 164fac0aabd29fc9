"""A tour of the terminal: plays every game on a simulated cabinet and keeps one view of each state it meets.

States differ by phase, number of boxes, actions on offer and results. The shuffles are seeded, so equal settings give
equal views. Not responsible for pictures (``screenshots``).
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from display.view_model import ButtonView, Gesture, TableView, View
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import TICK_EVERY_MS, SimulatedCabinet
from firmware.terminal.controls import choices_now
from firmware.terminal.step import CollectCashBox

SEED: Final = 2026
ROUNDS: Final = 24
MOST_OF_A_KIND: Final = 5
"""So many pictures of each phase of a game at the most."""
_NOTE_COUNT: Final = 50
_RICH_MINOR: Final = 10**9
_PLENTY_MINOR: Final = 500_000
_HANDS_PER_BET: Final = 4
"""So many hands are played for the same stakes, for a player mostly bets as he did before."""
_COMMON: Final = frozenset({"button:language", "button:help", "button:cash_out"})


@dataclass
class _Album:
    """The views found so far, by name, in the order of finding."""

    views: dict[str, View] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def keep(self, kind: str, state: str, view: View) -> None:
        """Keep a view unless its state is known or there are enough of its kind."""
        number = self.kinds.get(kind, 0) + 1
        if (kind, state) in self.seen or number > MOST_OF_A_KIND:
            return
        self.seen.add((kind, state))
        self.kinds[kind] = number
        self.views[f"{kind}_{number}"] = replace(view, notice=None, sounds=())


def tour(settings: Settings, data_dir: Path, language: str) -> Iterator[tuple[str, dict[str, View]]]:
    """Yield the name of each game and its views by name, and last the pages that belong to no game.

    ``data_dir`` is an empty folder for the journal.
    """
    limits = {"credit_limit_minor": _RICH_MINOR, "large_win_minor": _RICH_MINOR}
    languages = (language, *(other for other in settings.terminal.languages if other != language))
    settings = settings.model_copy(
        update={
            "limits": settings.limits.model_copy(update=limits),
            "terminal": settings.terminal.model_copy(update={"languages": languages}),
            "storage": settings.storage.model_copy(update={"data_dir": data_dir}),
        }
    )
    cabinet = SimulatedCabinet(settings, seed=SEED)
    try:
        cabinet.boot()
        attract = _Album()
        attract.keep("attract", "", cabinet.view)
        for _ in range(_NOTE_COUNT):
            cabinet.insert_note(max(settings.notes.accepted_minor))
        for game in settings.games.enabled:
            album = _Album()
            _visit(cabinet, game, album)
            yield game, album.views
        yield "pages", {**attract.views, **_pages(cabinet)}
    finally:
        cabinet.close()


def hands(settings: Settings, data_dir: Path, rounds: int) -> Iterator[tuple[View, ...]]:
    """Yield the views of real hands for ever, ``rounds`` of each game in turn: the bets, the deal, every choice, the end.

    A guest cashes nothing out; with each game the language changes. ``data_dir`` is an empty folder for the journal.
    """
    limits = {"credit_limit_minor": _RICH_MINOR, "large_win_minor": _RICH_MINOR}
    settings = settings.model_copy(
        update={
            "limits": settings.limits.model_copy(update=limits),
            "storage": settings.storage.model_copy(update={"data_dir": data_dir}),
        }
    )
    cabinet = SimulatedCabinet(settings, seed=SEED)
    try:
        cabinet.boot()
        number = 0
        for game in itertools.cycle(settings.games.enabled):
            bring_money(cabinet, max(settings.notes.accepted_minor))
            _touch(cabinet, "button:start")
            _touch(cabinet, f"lobby:{game}")
            _touch(cabinet, "language")
            for hand in range(rounds):
                if hand % _HANDS_PER_BET == 0:
                    _bet(cabinet, number)
                else:
                    _touch(cabinet, "button:rebet")
                views = [cabinet.view]
                _touch(cabinet, "button:deal")
                _play(cabinet, game, number, _Album(), views)
                yield (*views, cabinet.view)
                cabinet.wait(TICK_EVERY_MS)  # for the housekeeping between rounds
                number += 1
            _touch(cabinet, "button:lobby")
    finally:
        cabinet.close()


def bring_money(cabinet: SimulatedCabinet, note_minor: int) -> None:
    """Put notes in until there is plenty of credit; a cash box that is full is emptied by the operator.

    Raises ArithmeticError when notes are not credited even then.
    """
    emptied_at_minor = -1
    while (before_minor := cabinet.view.credit_minor) < _PLENTY_MINOR:
        cabinet.insert_note(note_minor)
        if cabinet.view.credit_minor > before_minor:
            continue
        if before_minor == emptied_at_minor:
            raise ArithmeticError(f"a note of {note_minor} is not credited, though the cash box is empty")
        emptied_at_minor = before_minor
        _empty_cash_box(cabinet)


def _empty_cash_box(cabinet: SimulatedCabinet) -> None:
    cabinet.terminal.handle(CollectCashBox())
    cabinet.act(lambda world: world.open_door("cash_box"))
    cabinet.act(lambda world: world.remove_cash_box())
    cabinet.act(lambda world: world.insert_cash_box())
    cabinet.act(lambda world: world.close_door("cash_box"))
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))


def _visit(cabinet: SimulatedCabinet, game: str, album: _Album) -> None:
    _touch(cabinet, "button:start")
    if cabinet.view.mode == "attract":
        _touch(cabinet, "start")
    _touch(cabinet, f"lobby:{game}")
    album.keep(f"{game}_empty", "", cabinet.view)
    for number in range(ROUNDS):
        _bet(cabinet, number)
        album.keep(f"{game}_betting", str(_boxes_with_bets(cabinet.view)), cabinet.view)
        _touch(cabinet, "button:deal")
        _play(cabinet, game, number, album)
        _keep_result(game, cabinet.view, album)
    for page in range(20):
        _touch(cabinet, "help")
        for _ in range(page):
            _touch(cabinet, "page:down")
        content = cabinet.view.page
        album.keep(f"{game}_rules", str(page), cabinet.view)
        _touch(cabinet, "page:back")
        if content is None or page + 1 >= min(content.page_count, MOST_OF_A_KIND):
            break
    _touch(cabinet, "button:lobby")


def _bet(cabinet: SimulatedCabinet, number: int) -> None:
    """Put chips on one box, then on two, three, ..., on every line of them in turn."""
    _touch(cabinet, "button:clear")
    _touch(cabinet, "button:new_bets")
    table = _table(cabinet.view)
    chips = cabinet.view.chips
    wanted = number % 4 + 1 if number % 4 < 3 else len(table.boxes)
    _touch(cabinet, f"chip:{chips[1 + number % 2].value_minor}")
    for box in table.boxes[:wanted]:
        lines = box.spots if number % 2 else box.spots[: 1 + (number // 2) % len(box.spots)]
        for spot in lines:
            _touch(cabinet, f"box:{box.position}:{spot.line}")


def _play(cabinet: SimulatedCabinet, game: str, number: int, album: _Album, views: list[View] | None = None) -> None:
    step = 0
    while cabinet.terminal.state.live is not None:
        view = cabinet.view
        if views is not None:
            views.append(view)
        actions = [button for button in view.buttons if _is_action(button)]
        state = f"{_boxes_with_bets(view)} {' '.join(sorted(button.id for button in actions))}"
        album.keep(f"{game}_deciding", state, view)
        exchanges = [choice.card_count for choice in choices_now(cabinet.terminal.state) if choice.card_count]
        if exchanges and (number + step) % 3 == 1:
            for mark in range(exchanges[number % len(exchanges)]):
                _touch(cabinet, f"button:mark:{mark}")
            album.keep(f"{game}_exchange", str(exchanges), cabinet.view)
            _touch(cabinet, "button:exchange")
        else:
            ready = [button for button in actions if button.enabled]
            _touch(cabinet, ready[(number + step) % len(ready)].id)
        step += 1


def _keep_result(game: str, view: View, album: _Album) -> None:
    table = view.table
    if table is not None and table.phase == "settled":
        results = " ".join(sorted({box.result for box in table.boxes if box.result}))
        album.keep(f"{game}_settled", f"{table.banner_tone} {results}", view)


def _pages(cabinet: SimulatedCabinet) -> dict[str, View]:
    views = {"lobby_after_the_tour": cabinet.view}
    _touch(cabinet, "help")
    for topic in ("settings", "session", "hands"):
        _touch(cabinet, f"button:topic:{topic}")
        views[f"page_{topic}"] = cabinet.view
    _touch(cabinet, "button:older")
    _touch(cabinet, "button:step_back")
    views["page_hands_earlier"] = cabinet.view
    return views


def _touch(cabinet: SimulatedCabinet, target: str) -> None:
    """Touch without waiting: no device takes part in play."""
    cabinet.terminal.handle(Gesture(target))


def _table(view: View) -> TableView:
    if view.table is None:
        raise ValueError(f"no table in {view.mode}")
    return view.table


def _boxes_with_bets(view: View) -> int:
    return sum(1 for box in _table(view).boxes if any(spot.staked_minor for spot in box.spots))


def _is_action(button: ButtonView) -> bool:
    return button.id not in _COMMON and not button.id.startswith("button:mark:") and button.id != "button:exchange"
