"""A session that kills itself at every commit and at every effect, and is started again: ``python -m tests.crash.kill_driver``.

A process of its own, without threads, because it forks: each child plays the same session on real files and ends itself
with SIGKILL at one place; the parent then starts the terminal on what is left and compares it with the session that was
not interrupted. Prints one JSON object. Not responsible for power cuts, in which written data is lost as well.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.entries.types import Entry, MemoryRebuilt, RoundOpened, RoundSettled
from firmware.journal.critical import Places
from firmware.journal.record import Record, Tally
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import Sizes
from firmware.memory import Journal
from tests.crash.session import watch_effects
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.support.journal import JournalProxy

SIZES = Sizes(snapshot_rows=6, live_rows=8, segment_rows=4, checkpoint_commits=4, log_rows=6, log_fill_bytes=4_096)
NOTES_MINOR = (2_000, 1_000)
COIN_MINOR = 200


class Countdown:
    """Ends the process with SIGKILL when something has happened so many times."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.count = 0

    def tick(self) -> None:
        self.count += 1
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class CountingJournal(JournalProxy):
    """A journal that counts its commits, before and after each."""

    def __init__(self, real: Journal, countdown: Countdown) -> None:
        super().__init__(real)
        self.countdown = countdown

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        self.countdown.tick()
        records = self.real.append(entries, at_ms, tally)
        self.countdown.tick()
        return records


def cabinet_in(folder: Path, commits: Countdown, effects: Countdown) -> CabinetUnderTest:
    """The cabinet on real files in a folder, its hardware too."""
    folder.mkdir(parents=True, exist_ok=True)
    places = Places(folder / "data", folder / "mirror", folder / "third" / "anchor")

    def open_journal(_: Places, at_ms: int) -> Journal:
        return CountingJournal(open_memory(places, at_ms, sizes=SIZES), commits)

    cabinet = CabinetUnderTest(
        settings_for(folder / "data"), seed=3, open_journal=open_journal, world_file=folder / "world.json"
    )
    watch_effects(cabinet, lambda _: effects.tick(), lambda: effects.tick())
    return cabinet


def play(cabinet: CabinetUnderTest) -> None:
    """Two notes, a coin, a hand with an exchange and a raise, a door, and everything paid out."""
    cabinet.boot()
    for note in NOTES_MINOR:
        cabinet.insert_note(note)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.insert_coin(COIN_MINOR)
    finish(cabinet)
    cabinet.act(lambda world: world.open_door("main"))
    cabinet.act(lambda world: world.close_door("main"))
    pay_out(cabinet)


def finish(cabinet: CabinetUnderTest) -> None:
    """Make the same choices in the open hand, from wherever it stands."""
    live = cabinet.terminal.state.live
    if live is not None and not live.acts:
        cabinet.press("mark:0")
        cabinet.press("exchange")
    if cabinet.terminal.state.live is not None:
        cabinet.press("raise")


def pay_out(cabinet: CabinetUnderTest) -> None:
    """Take all the credit out, whoever pays it."""
    cabinet.press_if_there("start")
    if cabinet.view.credit_minor:
        cabinet.press("cash_out")
    cabinet.wait(15_000)
    if cabinet.view.mode == "handpay":
        turn_key(cabinet)


def turn_key(cabinet: CabinetUnderTest) -> None:
    """The attendant has looked at it."""
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))


def compare(whole: list[Record], folder: Path) -> str:
    """Start on what is left and return what is not as it must be, or nothing."""
    cabinet = cabinet_in(folder, Countdown(0), Countdown(0))
    cabinet.boot()
    cabinet.wait(4_000)
    found = list(cabinet.terminal._parts.journal.records())
    cabinet.conserve()
    if any(isinstance(record.entry, MemoryRebuilt) for record in found):
        return "a copy was made anew though no data was lost"
    same = sum(1 for mine, theirs in zip(found, whole, strict=False) if mine == theirs)
    boots = [record.seq for record in found if record.entry.KIND == "booted"]
    if len(boots) > 1 and same + 1 != boots[-1]:
        return f"{same} entries are those of the session, and then comes no start"
    if dict(cabinet.world.readings.doors)["main"]:
        cabinet.act(lambda world: world.close_door("main"))
        turn_key(cabinet)  # the door moved while nobody looked
    finish(cabinet)
    pay_out(cabinet)
    cabinet.conserve()
    found = list(cabinet.terminal._parts.journal.records())
    cabinet.close()
    opened = {record.entry.round_id: record.entry for record in whole if isinstance(record.entry, RoundOpened)}
    settled = {record.entry.round_id: record.entry for record in whole if isinstance(record.entry, RoundSettled)}
    for record in found:
        if isinstance(record.entry, RoundOpened) and record.entry != opened.get(record.entry.round_id):
            return "the hand has other cards"
        if isinstance(record.entry, RoundSettled) and record.entry != settled.get(record.entry.round_id):
            return "the hand ended in another way"
    return ""


def interrupted(folder: Path, whole: list[Record], commits: int, effects: int) -> str:
    """Play in a child that kills itself, start again, and return what is wrong, or nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    child = os.fork()
    if child == 0:
        try:
            play(cabinet_in(folder, Countdown(commits), Countdown(effects)))
        except BaseException:  # a child must not return into its parent's program
            traceback.print_exc()
        os._exit(3)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        return f"the child was not killed (status {status})"
    try:
        return compare(whole, folder)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main() -> int:
    """Run everything in a folder; returns 0 when nothing was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    commits, effects = Countdown(0), Countdown(0)
    cabinet = cabinet_in(folder / "cut", commits, effects)  # the same folder, for it is in the recorded settings
    play(cabinet)
    cabinet.conserve()
    whole = list(cabinet.terminal._parts.journal.records())
    cabinet.close()
    wrong: dict[str, str] = {}
    count_of: Callable[[str], int] = {"commit": commits.count, "effect": effects.count}.__getitem__
    for what in ("commit", "effect"):
        for number in range(1, count_of(what) + 1):
            places = (number, 0) if what == "commit" else (0, number)
            problem = interrupted(folder / "cut", whole, *places)
            if problem:
                wrong[f"{what} {number}"] = problem
    report = {"commits": commits.count // 2, "effects": effects.count // 2, "wrong": wrong}
    sys.stdout.write(json.dumps(report) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
