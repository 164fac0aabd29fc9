"""Setting the operating system's clock: by the kernel where that is permitted, else by ``timedatectl``.

A terminal's service may be given ``CAP_SYS_TIME``; without it systemd asks polkit. Both are tried and the reason is told
when neither may. Not responsible for reading clocks (``clock``) or for who may set one (``terminal``).
"""

import subprocess
import time
from datetime import UTC, datetime
from typing import Final

PATIENCE_S: Final = 10
COMMAND: Final = "timedatectl"


def set_system_clock(wall_ms: int) -> str:
    """Set the clock to a wall time (milliseconds since 1970, UTC). Returns why it was not set, empty when it was."""
    try:
        time.clock_settime_ns(time.CLOCK_REALTIME, wall_ms * 1_000_000)
    except PermissionError:
        return _by_service(wall_ms)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def no_clock_here(_: int) -> str:
    """Stand in where a terminal runs on somebody's computer: its clock is not the terminal's to set."""
    return "a simulator does not set this computer's clock"


def _by_service(wall_ms: int) -> str:
    """``timedatectl set-time`` takes UTC when the zone is named; it refuses while a time server sets the clock."""
    moment = f"{datetime.fromtimestamp(wall_ms / 1_000, tz=UTC):%Y-%m-%d %H:%M:%S} UTC"
    try:
        done = subprocess.run(
            [COMMAND, "--no-ask-password", "set-time", moment],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except FileNotFoundError:
        return "not permitted (CAP_SYS_TIME), and there is no timedatectl"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{COMMAND}: {error}"
    if done.returncode == 0:
        return ""
    words = " ".join((done.stderr or done.stdout).split())
    return f"not permitted (CAP_SYS_TIME); {COMMAND}: {words or done.returncode}"
