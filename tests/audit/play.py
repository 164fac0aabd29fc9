"""Playing whole rounds on a cabinet by whatever choices are there."""

import random

from tests.support.cabinet import CabinetUnderTest


def play_rounds(cabinet: CabinetUnderTest, game: str, count: int, seed: int = 1) -> None:
    """Play rounds of a game to their ends, with money put in between and in the middle, and the plug pulled."""
    chance = random.Random(f"{game} {seed}")
    for number in range(count):
        if cabinet.view.credit_minor < 10_000:
            cabinet.insert_note(10_000)
        sit(cabinet, game)
        table = cabinet.view.table
        assert table is not None
        spots = [(box.position, spot.line) for box in table.boxes for spot in box.spots]
        for position, line in chance.sample(spots, min(2, len(spots))):
            cabinet.touch(f"box:{position}:{line}")
        cabinet.press_if_there("bet")
        cabinet.press("deal")
        for step in range(30):
            if cabinet.terminal.state.live is None:
                break
            if step == 0 and number % 3 == 1:
                cabinet.insert_note(500)
            if step == 0 and number % 3 == 2:
                cabinet.cut_power()
                cabinet.boot()
            choose(cabinet, chance)
        assert cabinet.terminal.state.live is None


def sit(cabinet: CabinetUnderTest, game: str) -> None:
    """Be at a table of the game, without chips on it."""
    if cabinet.view.mode == "table" and cabinet.terminal.state.screen.game != game:
        cabinet.press("lobby")
    if cabinet.view.mode != "table":
        cabinet.sit_down(game)
    cabinet.press_if_there("clear")


def choose(cabinet: CabinetUnderTest, chance: random.Random) -> None:
    """Make some choice that is possible now; where cards can be marked, sometimes mark one first."""
    names = [button.id for button in cabinet.view.buttons if button.enabled and button.slot in range(1, 10)]
    marks = [name for name in names if name.startswith("button:mark")]
    if marks and chance.random() < 0.5:
        cabinet.touch(chance.choice(marks))
        names = [button.id for button in cabinet.view.buttons if button.enabled and button.slot in range(1, 10)]
    cabinet.touch(chance.choice([name for name in names if not name.startswith("button:mark")] or names))
