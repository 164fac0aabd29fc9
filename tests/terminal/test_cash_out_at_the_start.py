"""A cash-out in the first moments after the start, when the hopper has not answered yet."""

from pathlib import Path

from display.view_model import Gesture
from tests.support.cabinet import CabinetUnderTest, settings_for


class HastyCabinet(CabinetUnderTest):
    """A cabinet whose verbs do not wait for their consequences."""

    def settle(self, milliseconds: int) -> None:
        """Wait for nothing."""


def restarted_with_credit(tmp_path: Path) -> HastyCabinet:
    cabinet = CabinetUnderTest(settings_for(tmp_path))
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.shut_down()
    cabinet.close()
    again = HastyCabinet(settings_for(tmp_path))
    again.world.unplug("hopper")
    return again


def test_credit_stays_until_the_hopper_had_time_to_answer(tmp_path: Path) -> None:
    cabinet = restarted_with_credit(tmp_path)
    cabinet.world.plug("hopper")
    cabinet.boot()
    assert "hopper" not in cabinet.terminal.state.screen.ready
    cabinet.terminal.handle(cash_out())
    cabinet.expect_credit(2_000)
    cabinet.wait(1_500)
    cabinet.press("cash_out")
    cabinet.wait(8_000)
    cabinet.expect_credit(0)
    assert cabinet.world.readings.tray_minor == 2_000
    cabinet.close()


def test_a_hopper_that_stays_silent_is_not_waited_for_longer(tmp_path: Path) -> None:
    cabinet = restarted_with_credit(tmp_path)
    cabinet.boot()
    cabinet.press("cash_out")
    cabinet.expect_credit(2_000)
    cabinet.wait(10_000)
    cabinet.press("cash_out")
    cabinet.expect_mode("handpay")
    cabinet.close()


def cash_out() -> Gesture:
    return Gesture("button:cash_out")
