"""Short messages on the screen: putting one up, taking it down when its time is over."""

from dataclasses import replace

from display.view_model import Text
from firmware.terminal.state import NoticeUp, Screen, State
from firmware.terminal.step import Environment, Step

NOTICE_MS = 4_000


def noticed(screen: Screen, environment: Environment, text: Text, tone: str = "info") -> Screen:
    """Return the screen with a message up."""
    return replace(screen, notice=NoticeUp(text, tone, environment.now_ms + NOTICE_MS))


def refused(state: State, environment: Environment, reason: Text) -> Step:
    """Return a step that changes nothing and says why."""
    return Step(noticed(state.screen, environment, reason, "warning")).with_sound("error")


def without_old_notice(screen: Screen, environment: Environment) -> Screen:
    """Return the screen without a message whose time is over."""
    if screen.notice is not None and environment.now_ms >= screen.notice.until_ms:
        return replace(screen, notice=None)
    return screen
