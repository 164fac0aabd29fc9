"""The simulator as a person sees it: a real window, a mouse, a keyboard, and the plug."""

import time
from collections.abc import Callable
from pathlib import Path

from firmware.journal.store import open_store
from firmware.memory import load_recorded
from firmware.terminal.state import Recorded
from tests.support.screen import PATIENCE_S, SimulatorOnScreen, virtual_screen


def until(simulator: SimulatorOnScreen, holds: Callable[[Recorded], bool], what: str) -> Recorded:
    """Wait until the journal says so; the journal is the only witness."""
    deadline = time.monotonic() + PATIENCE_S
    recorded = Recorded()
    while time.monotonic() < deadline:
        if (simulator.data_dir / "journal.sqlite").exists():
            journal = open_store(simulator.data_dir, read_only=True)
            try:
                recorded = load_recorded(journal)
            finally:
                journal.close()
            if holds(recorded):
                return recorded
        time.sleep(0.1)
    raise AssertionError(f"{what} never happened; credit {recorded.credit_minor}, round {recorded.round}")


def test_note_hand_plug_kill_and_cash_out_in_a_real_window(tmp_path: Path) -> None:
    with virtual_screen() as display:
        simulator = SimulatorOnScreen(display, tmp_path / "data", tmp_path / "cache")
        try:
            until(simulator, lambda r: r.count("boots") == 1, "the first start")
            simulator.click_panel("cabinet:note:2000")
            until(simulator, lambda r: r.credit_minor == 2_000, "the note")
            simulator.key("9")  # sit down at the selected table
            simulator.key("3", "3")  # two chips
            simulator.key("9")  # deal
            hand = until(simulator, lambda r: r.round is not None, "the deal").round
            assert hand is not None
            assert hand.opened.cost_minor == 200

            simulator.click_panel("cabinet:plug")
            simulator.click_panel("cabinet:plug")
            after = until(simulator, lambda r: r.count("boots") == 2, "the start after the plug")
            assert after.round == hand
            assert after.credit_minor == 1_800

            simulator.restart_after_kill()
            after = until(simulator, lambda r: r.count("boots") == 3, "the start after the kill")
            assert after.round == hand

            simulator.key("6")  # fold
            until(simulator, lambda r: r.round is None and r.credit_minor == 1_800, "the fold")
            simulator.click_panel("cabinet:press:b12")  # cash out by the cabinet's own button
            paid = until(simulator, lambda r: r.credit_minor == 0 and r.payout is None, "the pay-out")
            assert paid.books.meter("hopper_paid_minor") == 1_800
        finally:
            simulator.close()


def test_window_on_emulated_devices_takes_a_note_survives_the_plug_and_pays(tmp_path: Path) -> None:
    with virtual_screen() as display:
        words = ("--devices", "emulated", "--protocol", "id003")
        simulator = SimulatorOnScreen(display, tmp_path / "data", tmp_path / "cache", *words)
        try:
            until(simulator, lambda r: r.count("boots") == 1, "the first start")
            click_until(simulator, "cabinet:note:2000", lambda r: r.credit_minor > 0, "the note")
            simulator.click_panel("cabinet:plug")
            simulator.click_panel("cabinet:plug")
            after = until(simulator, lambda r: r.count("boots") == 2, "the start after the plug")
            assert after.credit_minor % 2_000 == 0
            click_until(simulator, "cabinet:press:b12", lambda r: r.payout is not None, "the cash-out")
            paid = until(simulator, lambda r: r.credit_minor == 0 and r.payout is None, "the pay-out")
            assert paid.books.meter("hopper_paid_minor") == paid.books.meter("notes_in_minor")
        finally:
            simulator.close()


def click_until(simulator: SimulatorOnScreen, target: str, holds: Callable[[Recorded], bool], what: str) -> None:
    """Do what a person does when a device is not ready yet: try again."""
    for _ in range(10):
        simulator.click_panel(target)
        deadline = time.monotonic() + 4
        while time.monotonic() < deadline:
            journal = open_store(simulator.data_dir, read_only=True)
            try:
                if holds(load_recorded(journal)):
                    return
            finally:
                journal.close()
            time.sleep(0.1)
    raise AssertionError(f"{what} never happened")
