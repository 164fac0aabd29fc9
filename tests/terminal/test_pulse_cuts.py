"""Pulse acceptors tell money while it is inside already and remember nothing: wherever the program or the power goes while
they do, it is credited once or a named fault says that it may not be."""

from pathlib import Path

import pytest

from firmware.entries.types import MoneyBegan
from tests.support.cabinet import settings_for
from tests.support.wired_cabinet import PulseCoinLines, PulseNoteLines, WiredCabinet

GATE_MS = 80
"""From the gate to the first pulse: what passed it so shortly before the end left no trace anywhere."""
KINDS = {"coins": (200, 3, "C3"), "notes": (1_000, 10, "B4")}
"""What is put in, how many pulses tell it, and the fault that names what is not known of it."""


def booted(folder: Path, kind: str) -> tuple[WiredCabinet, PulseCoinLines | PulseNoteLines]:
    lines = PulseCoinLines() if kind == "coins" else PulseNoteLines()
    cabinet = WiredCabinet(settings_for(folder), lines)
    cabinet.boot()
    cabinet.wait(1_000)
    return cabinet, lines


@pytest.mark.parametrize("cut", ["power", "program"])
@pytest.mark.parametrize("kind", KINDS)
def test_money_whose_pulses_have_begun_is_credited_once_or_a_named_fault(tmp_path: Path, kind: str, cut: str) -> None:
    minor, pulse_count, code = KINDS[kind]
    whole_ms = GATE_MS + pulse_count * 150 + 600
    seen = set()
    for moment_ms in range(GATE_MS + 60, whole_ms, 45 if kind == "coins" else 115):
        cabinet, lines = booted(tmp_path / str(moment_ms), kind)
        lines.rig.insert(minor)
        cabinet.wait(moment_ms)
        cabinet.cut(cut)
        cabinet.wait(4_000)
        assert lines.rig.acceptor.taken_minor == [minor]
        if cabinet.view.credit_minor:
            cabinet.expect_credit(minor)
            cabinet.expect_faults()
        else:
            details = {fault.code: fault.detail for fault in cabinet.terminal.state.recorded.faults}
            assert "pulses of money had begun" in details[code]
            assert cut == "program" or set(details) == {code}  # else the rest of the pulses came to a closed acceptor
        seen.add(cabinet.view.credit_minor)
        told = cabinet.terminal.state.recorded.faults
        cabinet.cut_power()
        cabinet.boot()
        assert cabinet.terminal.state.recorded.faults == told, "told once"
        cabinet.close()
    assert seen == {0, minor}


@pytest.mark.parametrize("kind", KINDS)
def test_money_that_comes_undisturbed_is_one_credit_and_no_fault(tmp_path: Path, kind: str) -> None:
    minor, _, _ = KINDS[kind]
    cabinet, lines = booted(tmp_path, kind)
    for number in range(1, 4):
        lines.rig.insert(minor)
        cabinet.wait(4_000)
        cabinet.expect_credit(number * minor)
    assert not cabinet.terminal.state.recorded.begun
    assert sum(isinstance(record.entry, MoneyBegan) for record in cabinet.records()) == 3
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults()
    cabinet.close()


@pytest.mark.parametrize("kind", KINDS)
def test_pulses_that_are_no_money_are_a_fault_and_nothing_is_left_open(tmp_path: Path, kind: str) -> None:
    cabinet, lines = booted(tmp_path, kind)
    line = lines.pins.inputs[0].line
    now_ms = lines.pins.wires.now_ms
    for number in range(2):  # a number of pulses that nothing has
        lines.pins.drive(line, True, now_ms + 100 + 150 * number)
        lines.pins.drive(line, False, now_ms + 150 + 150 * number)
    cabinet.wait(3_000)
    cabinet.expect_faults(KINDS[kind][2])
    assert not cabinet.terminal.state.recorded.begun
    cabinet.close()
