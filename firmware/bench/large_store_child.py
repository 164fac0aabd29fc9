"""A whole terminal on a store, in a process of its own, for the benchmarks: start, memory, play, pages and reports.

Run as ``python -m firmware.bench.large_store_child FOLDER LAST_MS``, with a folder as ``store.places_in`` lays it out,
which it goes on writing to, and the wall time of its last entry. Prints one line of JSON.
"""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from display.bench import resident_bytes
from display.text import Writer
from display.view_model import MoneyFormat
from firmware.app import games_on_offer
from firmware.bench.store import places_in
from firmware.clock import ManualClock
from firmware.games.profile_files import bundled_directory
from firmware.operator_menu.book import Book
from firmware.operator_menu.pages_reports import REPORTS
from firmware.operator_menu.tree import TREE
from firmware.past_rounds import PastRounds
from firmware.presenter.present import House, present
from firmware.reports.content import report_of
from firmware.reports.signature import files_of
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import SimulatedCabinet
from firmware.terminal.menu import Menu
from firmware.terminal.state import State
from firmware.terminal.step import Environment

_MEBIBYTE: Final = 1 << 20
_ROUNDS: Final = 300
_TIMES: Final = 5


def settings_at(folder: Path) -> Settings:
    """Return the simulator's settings on the store in a folder."""
    settings = load_settings(bundled_directory().parent / "simulator.toml")
    places = places_in(folder)
    storage = {"data_dir": places.data_dir, "mirror_dir": places.mirror_dir, "anchor_file": places.anchor_file}
    limits = {"credit_limit_minor": 10**9, "large_win_minor": 10**9, "excessive_notes_minor": 10**9}
    return settings.model_copy(
        update={
            "storage": settings.storage.model_copy(update=storage),
            "limits": settings.limits.model_copy(update=limits),
        }
    )


def main() -> None:
    """Measure and print."""
    folder, last_ms = Path(sys.argv[1]), int(sys.argv[2])
    settings = settings_at(folder)
    games_on_offer(settings)  # the rules' modules: every start loads them, whatever the store
    before = _resident()
    cabinet = SimulatedCabinet(settings, seed=1, clock=ManualClock(wall_ms=last_ms + 60_000))
    began = time.perf_counter()
    cabinet._start()
    booted = time.perf_counter() - began
    after = _resident()
    cabinet.settle(2_000)
    figures: dict[str, Any] = {
        "start_s": round(booted, 3),
        "memory_of_the_start_mib": round((after - before) / _MEBIBYTE, 1),
    }
    figures["play"] = _play(cabinet)
    figures["pages_ms"] = _pages(cabinet)
    figures["reports_ms"] = _reports(cabinet)
    figures["memory_after_pages_and_reports_mib"] = round((_resident() - after) / _MEBIBYTE, 1)
    cabinet.shut_down()
    print(json.dumps(figures))


def _resident() -> int:
    return resident_bytes() or 0


def _play(cabinet: SimulatedCabinet) -> dict[str, float]:
    """Play so many hands of baccarat, which goes on with its shoe; what that costs must not depend on the store."""
    for _ in range(20):
        cabinet.insert_note(10_000)
    for place in ("touch", "button:lobby", "lobby:baccarat"):
        cabinet.touch(place)
    before, series = _resident(), []
    for number in range(_ROUNDS):
        began = time.perf_counter()
        cabinet.touch("box:1:player")
        cabinet.touch("button:deal")
        cabinet.wait(500)
        series.append((time.perf_counter() - began) * 1_000)
        if number == _ROUNDS // 2:
            before = _resident()
    series.sort()
    return {
        "rounds": cabinet.terminal.state.recorded.count("rounds"),
        "hand_ms_median": round(series[_ROUNDS // 2], 1),
        "hand_ms_max": round(series[-1], 1),
        "memory_of_the_last_half_mib": round((_resident() - before) / _MEBIBYTE, 2),
    }


def _pages(cabinet: SimulatedCabinet) -> dict[str, float]:
    """Milliseconds until a page stands on the screen: made anew, and its view; the slowest of some openings."""
    terminal = cabinet.terminal
    state, last = terminal.state, terminal.state.recorded.count("rounds")
    house = House("", "", MoneyFormat(2, "", symbol_first=False))
    items = {
        "recall.rounds": (str(last), str(last // 2), str(last // 3), "24"),
        "recall.round": tuple(f"r1-{number}" for number in (last - 1, last // 2, last // 7, 1)),
        "cash.closed": tuple(str(period.number) for period in state.recorded.periods.history[:2]),
        "settings.one": ("sound.volume_percent",),
    }
    found = {}
    for node in TREE:
        series = []
        for item in items.get(node.id) or ("",):
            environment = _without_answers(terminal.environment(), cabinet)
            menu = Menu("operator", "technician", "ru", environment.now_ms, page=node.id, item=item)
            there = replace(state, screen=replace(state.screen, menu=menu))
            series.append(_once(there, environment, house))
        found[node.id] = round(max(series), 1)
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def _without_answers(environment: Environment, cabinet: SimulatedCabinet) -> Environment:
    """Return an environment that has not answered anything yet."""
    terminal = cabinet.terminal
    past = PastRounds(terminal._parts.journal.search, terminal.state.recorded.commissioned)
    return replace(environment, menu_page=Book().page, past_rounds=past.up_to)


def _once(state: State, environment: Environment, house: House) -> float:
    began = time.perf_counter()
    present(state, environment, house)
    return (time.perf_counter() - began) * 1_000


def _reports(cabinet: SimulatedCabinet) -> dict[str, float]:
    terminal, say = cabinet.terminal, Writer("ru", MoneyFormat(2, "", symbol_first=False)).say
    found = {}
    for name in REPORTS:
        series = []
        for _ in range(_TIMES):
            began = time.perf_counter()
            files_of(report_of(name, terminal.state, terminal.environment(), say, "ru"), None)
            series.append((time.perf_counter() - began) * 1_000)
        found[name] = round(max(series), 1)
    return found


if __name__ == "__main__":
    main()
