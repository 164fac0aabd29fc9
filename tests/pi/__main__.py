"""Emulated machines: a whole Raspberry Pi 3 (``--pi``), a Pi's processor (``--arm64``), a real GPIO chip (``--gpio-sim``).

``./croupier test`` hands these options on. What each of them proves is in README.md beside this file.
"""

import argparse
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from hal.errors import HalError
from tests.pi.card import TECHNICIAN, CardError
from tests.pi.machine import Boot, MachineError
from tests.pi.scenario import Outcome, Story, WrongError
from tests.pi.updating import UpdateStory
from tests.systemd.releases import Releases, copy_of_program

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NOT_NEEDED = (
    *("systemd-networkd.service", "systemd-networkd.socket", "systemd-timesyncd.service", "getty.target"),
    *(
        "systemd-logind.service",
        "systemd-user-sessions.service",
        "systemd-random-seed.service",
        "systemd-sysctl.service",
    ),
    *("dev-hugepages.mount", "dev-mqueue.mount", "sys-kernel-debug.mount", "sys-kernel-tracing.mount"),
    *(
        "sys-kernel-config.mount",
        "sys-fs-fuse-connections.mount",
        "systemd-tmpfiles-clean.timer",
        "systemd-fsckd.socket",
    ),
    *("modprobe@configfs.service", "modprobe@drm.service", "modprobe@efi_pstore.service", "modprobe@fuse.service"),
    *("modprobe@dm_mod.service", "modprobe@loop.service", "media-croupier\\x2dmirror.mount"),
)
"""Units of Debian that the cabinet does without: there is no network, no second medium and nobody who logs in."""
NOT_THERE = "bcm2835_wdt,dwc2,vc4,v3d,vchiq,snd_bcm2835,bcm2835_thermal,raspberrypi_hwmon,raspberrypi_cpufreq,gpio_raspberrypi_exp"
"""Modules for what this emulated board has not, or the cabinet does not use; whoever opens its watchdog resets it at once."""
COMMAND_LINE = " ".join(
    (
        "console=ttyS1,115200 root=UUID=c0099135-0000-4000-8000-000000000002 ro rootwait loglevel=3 quiet",
        "vt.global_cursor_default=0 logo.nologo fbcon=map:1 consoleblank=0 usbcore.autosuspend=-1",
        "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=warning systemd.show_status=false",
        "systemd.watchdog_sec=0",
        # One processor, see Machine; and what costs an emulated one dear: tests of ciphers, memory that is wiped before it is given away.
        "nr_cpus=1 cryptomgr.notests init_on_alloc=0 rcupdate.rcu_expedited=1 udev.children_max=2",
        f"module_blacklist={NOT_THERE}",
        *(f"systemd.mask={unit}" for unit in NOT_NEEDED),
    )
)


SCRIPTS = {"--arm64": HERE / "arm64.sh", "--gpio-sim": HERE / "gpio_sim.sh"}


def main() -> int:
    """Run the tier that the first argument names; returns the exit status."""
    tier, *arguments = sys.argv[1:] or ["--pi"]
    if tier in SCRIPTS:
        return subprocess.run([SCRIPTS[tier], *arguments], cwd=ROOT, check=False).returncode
    return cabinet(arguments)


def cabinet(arguments: list[str]) -> int:
    """Play on an emulated Pi; returns 0 when nothing was lost, 1 when something was, 2 when the test could not be made."""
    parser = argparse.ArgumentParser(
        prog="croupier test --pi", description="a cabinet on an emulated Raspberry Pi 3, from nothing"
    )
    parser.add_argument(
        "--kills", type=int, metavar="N", help="how often the power is cut (default 20, while updating 3)"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="of what is pressed and when the power is cut")
    parser.add_argument(
        "--suite", choices=("bookworm", "trixie"), default="bookworm", help="which Debian (default bookworm)"
    )
    parser.add_argument(
        "--update",
        action="store_true",
        help="do not play at random but update: a signed program, and power cuts meanwhile",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=ROOT / ".cache" / "pi",
        metavar="DIR",
        help="downloads, the image and the last run's pictures and console; a second run is quicker (default .cache/pi)",
    )
    options = parser.parse_args(arguments)
    folder: Path = options.cache.resolve()
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    began = time.monotonic()

    def tell(text: str) -> None:
        print(f"pi: [{time.monotonic() - began:5.0f} s] {text}", flush=True)

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that QEMU ends as well
    here = folder / (f"{options.suite}-signed" if options.update else options.suite)
    releases = Releases(here / "releases") if options.update else None
    words: list[str | Path] = [HERE / "prepare.sh", here, folder / "cache", options.suite]
    if releases is not None:
        copy_of_program(here / "source")
        releases.sign(here / "source")
        words += [here / "source", releases.public_key]
    if subprocess.run(words, check=False).returncode:
        print("pi: the image could not be made, see above", file=sys.stderr)
        return 2
    boot = Boot(here / "vmlinuz", here / "initramfs.gz", here / "pi3.dtb", COMMAND_LINE)
    tell(f"the image is ready; seed {seed}")
    story: Story
    if releases is not None:
        bundles = [releases.next(here / "source"), releases.broken(here / "source")]
        boot = replace(boot, command_line=f"{COMMAND_LINE} systemd.wants={TECHNICIAN}")
        story = UpdateStory(boot, here / "croupier.img", folder / "run", seed, tell, bundles)
    else:
        story = Story(boot, here / "croupier.img", folder / "run", seed, tell)
    try:
        story.tell_it(options.kills)
    except (WrongError, MachineError, CardError, HalError) as error:
        print(f"pi: FAILED (seed {seed}): {error}\npi: console and pictures: {folder / 'run'}", file=sys.stderr)
        return 1
    finally:
        story.close()
    tell(_summary(story.outcome))
    return 0


def _summary(outcome: Outcome) -> str:
    starts = sorted(outcome.starts_s)
    return (
        f"nothing was lost: the power was cut {outcome.kills} times ({outcome.kills_in_a_hand} in a hand, "
        f"{outcome.kills_while_starting} while starting), {outcome.looks} times the journal was compared, "
        f"{outcome.pictures} times the screen (worst difference {outcome.worst_picture:.2%}); "
        f"{outcome.rounds} rounds, notes of {outcome.notes_minor / 100:.2f}; "
        f"switched on to first lamp {starts[len(starts) // 2]:.0f} s (median)"
    )


if __name__ == "__main__":
    sys.exit(main())
