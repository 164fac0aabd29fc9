"""What Linux tells of the machine itself: free storage, temperature, voltage, a read-only root, who keeps the clock.

Everything may be missing (another board, no permission) and is then None or empty. Not responsible for what is made of it.
"""

import shutil
from pathlib import Path
from typing import Final

MEBIBYTE: Final = 1 << 20
THERMAL: Final = Path("/sys/class/thermal/thermal_zone0/temp")
HWMON: Final = Path("/sys/class/hwmon")
SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd makes it when it has set the clock by a time server."""
RTC: Final = Path("/dev/rtc0")
MOUNTS: Final = Path("/proc/self/mountinfo")


def free_mib(folder: Path) -> int | None:
    """Return the free space of the file system under a folder."""
    try:
        return shutil.disk_usage(folder).free // MEBIBYTE
    except OSError:
        return None


def temperature_millidegrees() -> int | None:
    """Return the processor's temperature."""
    try:
        return int(THERMAL.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def under_voltage() -> bool | None:
    """Return whether the board saw too low a voltage since its last start (the Pi's driver ``rpi_volt``)."""
    try:
        for device in HWMON.iterdir():
            if (device / "name").read_text(encoding="ascii").strip() == "rpi_volt":
                return (device / "in0_lcrit_alarm").read_text(encoding="ascii").strip() == "1"
    except OSError:
        return None
    return None


def is_root_read_only() -> bool | None:
    """Return whether the root file system can't be written, as a sealed cabinet's can't; an overlay forgets what is written.

    It is asked of the file system itself: the service sees every mount read-only, whatever is below.
    """
    try:
        lines = MOUNTS.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    for line in reversed(lines):
        mount, _, system = line.partition(" - ")
        if mount.split()[4:5] == ["/"] and len(system.split()) == 3:
            kind, _, options = system.split()
            return kind == "overlay" or "ro" in options.split(",")
    return None


def clock_source() -> str:
    """Return ``ntp`` when a time server has set the clock, ``rtc`` when a clock chip keeps it, else nothing."""
    if SYNCHRONISED.exists():
        return "ntp"
    return "rtc" if RTC.exists() else ""
