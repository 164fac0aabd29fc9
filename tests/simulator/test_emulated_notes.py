"""Real terminal, real ID-003 driver, byte-level acceptor on a pty: the program dies while a note moves, the acceptor stays on."""

from pathlib import Path

import pytest

from firmware.simulator.emulated import EmulatedCabinet
from tests.support.cabinet import settings_for

MONEY_MS = 6_000


@pytest.mark.parametrize("after_ms", [450, 750, None])
def test_program_that_dies_at_any_step_of_the_dialogue_leaves_one_credit_or_the_note_in_the_mouth(
    tmp_path: Path, after_ms: int | None
) -> None:
    cabinet = EmulatedCabinet(settings_for(tmp_path), "id003")
    try:
        cabinet.boot()
        cabinet.wait(MONEY_MS)
        cabinet.act(lambda world: world.insert_note(2_000), wait_ms=after_ms or 0)
        if after_ms is None:  # exactly while VEND VALID is shown that nobody has acknowledged
            acceptor = cabinet.world._note_device  # type: ignore[attr-defined]
            while not acceptor._vend_shown:
                cabinet.wait(1)
        cabinet.kill()
        cabinet.wait(1_500)
        cabinet.boot()
        cabinet.wait(MONEY_MS)
        recorded, readings = cabinet.terminal.state.recorded, cabinet.world.readings
        assert not list(recorded.faults)
        assert recorded.note is None
        result = (recorded.credit_minor, readings.cash_box_minor, sum(readings.mouth_minor))
        assert result in ((2_000, 2_000, 0), (0, 0, 2_000))
        if after_ms is None:
            assert result[0] == 2_000
    finally:
        cabinet.world.close()
