"""``./croupier test --systemd``: the installation in a fresh Debian system, and the real service under a real systemd.

install.sh runs twice and takes everything away again; in between systemd-nspawn boots the system, and the terminal is played, hung, killed
and cut off, with the journal compared each time. What this proves and what not is in README.md beside this file.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.pi.reference import Journal, read
from tests.systemd.container import SERVICE, Container, ContainerError, nspawn
from tests.systemd.releases import Releases, copy_of_program
from tests.systemd.telling import WrongError, expect, tell
from tests.systemd.updates import Updates

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONFIG = HERE / "cabinet.toml"
MOST_EXPOSURE = 2.5
UNITS = ("croupier.service", "croupier-audit.service", "croupier-splash.service", "media-croupier\\x2dmirror.mount")
INSTALL = (
    "/source/systemd/install.sh",
    "--display",
    "x11",
    "--wheels",
    "/wheels",
    "--config",
    "/source/tests/systemd/cabinet.toml",
)
DROP_IN = """
# The test's: a pty for the acceptor, the test's screen.
[Service]
DeviceAllow=char-pts rw
Environment=DISPLAY=:77
"""
PROBE = """
[Service]
Type=oneshot
ExecStart=
ExecStartPost=
ExecStopPost=
ExecStart=/opt/croupier/.venv/bin/python -P /opt/probe.py
Restart=no
WatchdogSec=0
"""
PROBE_NICE = """
# May ask for any real-time priority; what else refuses it is shown by this one.
CapabilityBoundingSet=CAP_SYS_NICE
AmbientCapabilities=CAP_SYS_NICE
"""
REAL_TIME_PRIORITY = 10
"""What hal/drivers/gpio_process.py asks for."""
CAP_SYS_RESOURCE = 24
AUDIT = "croupier-audit.service"
PAGE = "http://127.0.0.1:8321/report/period.json"


def main() -> int:
    """Run the tier; 0 all is as it must be, 1 something is not, 2 the test could not be made."""
    parser = argparse.ArgumentParser(
        prog="croupier test --systemd", description="installation and service under systemd"
    )
    parser.add_argument(
        "--cache", type=Path, default=ROOT / ".cache" / "systemd", metavar="DIR", help="what is downloaded"
    )
    parser.add_argument(
        "--suite", choices=("bookworm", "trixie"), default="bookworm", help="which Debian (default bookworm)"
    )
    arguments = parser.parse_args()
    folder: Path = arguments.cache.resolve() / arguments.suite
    if os.geteuid() != 0:
        print("croupier test: systemd: must be run as root: it boots a Debian system in a folder", file=sys.stderr)
        return 2
    # An order to end, too, leaves no system running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    try:
        subprocess.run([HERE / "prepare.sh", folder, arguments.suite], check=True)
        tell(f"Debian {arguments.suite} and the packages are here")
        _whole(folder)
    except WrongError as error:
        tell(f"FAILED: {error}")
        return 1
    except (ContainerError, OSError, subprocess.SubprocessError) as error:
        tell(f"FAILED: {error}")
        return 2
    tell("all is as it must be")
    return 0


def _whole(folder: Path) -> None:
    security()
    root = folder / "root"
    if root.exists():
        shutil.rmtree(root)
    root.mkdir(parents=True)
    subprocess.run(["tar", "-C", root, "--numeric-owner", "-xpf", folder / "root.tar"], check=True)
    source = folder / "source"
    copy_of_program(source)
    releases = Releases(folder / "releases")
    releases.sign(source)
    keys = root / "etc/croupier/keys"
    keys.mkdir(parents=True)
    shutil.copy(releases.public_key, keys / "house.pub")
    fresh = snapshot(root)
    install(root, source, folder / "wheels", "--no-start")
    first = snapshot(root)
    tell("installed, without a network")
    said = install(root, source, folder / "wheels", "--no-start")
    expect(snapshot(root) == first, f"a second installation changes {_differences(first, snapshot(root))}")
    expect("Python packages" not in said, "a second installation makes the environment again")
    tell("installed again: nothing has changed")
    verify(root)
    serve(root, source, folder, releases)
    said = install(root, source, folder / "wheels", "--uninstall", "--dry-run")
    expect("would run: rm -rf /opt/croupier" in said, "--uninstall --dry-run does not say what it would do")
    expect((root / "opt/croupier/croupier").exists(), "--dry-run has done something")
    install(root, source, folder / "wheels", "--uninstall")
    left = _differences(fresh, snapshot(root))
    expect(not left, f"--uninstall leaves {left}")
    expect(
        (root / "var/lib/croupier/critical.db").exists() or any((root / "var/lib/croupier").iterdir()),
        "the journal is gone",
    )
    tell("taken away again; journal and configuration are still there")


def security() -> None:
    """Both services are exposed no more than they may be."""
    for name in UNITS[:2]:
        words = ["systemd-analyze", "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSURE * 10:.0f}"]
        done = subprocess.run([*words, ROOT / "systemd" / name], capture_output=True, text=True, check=False)
        line = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()
        expect(done.returncode == 0, f"{name}: {line}, at most {MOST_EXPOSURE} is allowed")
        tell(line.lstrip("→ "))


def install(root: Path, source: Path, wheels: Path, *more: str) -> str:
    """Run install.sh in the system's folder, offline; returns what it said."""
    words = nspawn(root, f"--bind-ro={source}:/source", f"--bind-ro={wheels}:/wheels", "--pipe", *INSTALL, *more)
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=600)
    expect(
        done.returncode == 0,
        f"install.sh {' '.join(more)}: exit status {done.returncode}: {done.stdout[-1500:]}{done.stderr[-1500:]}",
    )
    return done.stdout


KEPT = (
    "etc/passwd",
    "etc/group",
    "etc/shadow",
    "etc/gshadow",
    "etc/croupier",
    "etc/.pwd.lock",
    "etc/.updated",
    "etc/machine-id",
    "etc/resolv.conf",
    "etc/localtime",
    "etc/timezone",
    "etc/ld.so.cache",
)
"""Users stay after --uninstall, and what systemd, the container's manager or the packages' own triggers write is not ours."""


def snapshot(root: Path) -> dict[str, str]:
    """Return path -> type, mode, owner and content of all that an installation may touch."""
    found = {}
    for top in ("etc", "opt", "usr/local", "boot"):
        for path in sorted((root / top).rglob("*")):
            name = str(path.relative_to(root))
            if name.startswith(KEPT) or "__pycache__" in name:
                continue
            about = path.lstat()
            if path.is_symlink():
                content = f"-> {path.readlink()}"
            elif path.is_file():
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                content = "folder"
            found[name] = f"{about.st_mode:o} {about.st_uid}:{about.st_gid} {content}"
    return found


def _differences(one: dict[str, str], other: dict[str, str]) -> str:
    names = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def verify(root: Path) -> None:
    """systemd has nothing to say of the units."""
    units = [f"/etc/systemd/system/{name}" for name in UNITS]
    done = subprocess.run(
        nspawn(root, "--pipe", "systemd-analyze", "verify", *units),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    # systemd-nspawn takes leave with a line of its own.
    lines = (done.stdout + done.stderr).splitlines()
    said = "\n".join(line for line in lines if "Attempted to remove disk file system" not in line).strip()
    expect(not said and done.returncode == 0, f"systemd-analyze verify: {said}")
    tell("systemd-analyze verify says nothing")


def serve(root: Path, source: Path, folder: Path, releases: Releases) -> None:
    """The story of the service."""
    drop_in = root / "etc/systemd/system/croupier.service.d/zz-test.conf"
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text(DROP_IN)
    probes = {
        root / "etc/systemd/system/probe.service": PROBE,
        root / "etc/systemd/system/probe-nice.service": PROBE + PROBE_NICE,
    }
    unit = "".join(
        line
        for line in (ROOT / "systemd/croupier.service").read_text().splitlines(keepends=True)
        if not line.startswith(("Exec", "Restart=", "Type=", "WatchdogSec", "RestartSec"))
    )
    for probe, more in probes.items():
        probe.write_text(unit + DROP_IN + more)
    shutil.copy(HERE / "probe.py", root / "opt/probe.py")
    try:
        with container(root, folder) as cabinet:
            Story(cabinet, folder).tell_it()
        for path in (root / "var/lib/croupier").iterdir():  # a terminal without credit
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        with container(root, folder) as cabinet:
            story = Story(cabinet, folder)
            Updates(cabinet, releases, source, folder).tell_it(lambda: story.pay(2_000, 2_000))
    finally:
        drop_in.unlink()
        if not any(drop_in.parent.iterdir()) and not (root / "etc/systemd/system/croupier.service.d/x11.conf").exists():
            drop_in.parent.rmdir()
        for probe in probes:
            probe.unlink()
        (root / "opt/probe.py").unlink()


@contextmanager
def container(root: Path, folder: Path) -> Iterator[Container]:
    """A container that is switched off whatever happens."""
    there = Container(root, folder)
    try:
        there.boot()
        yield there
    finally:
        there.close()


class Story:
    """What happens to the cabinet, and what must be so after it."""

    def __init__(self, cabinet: Container, folder: Path) -> None:
        self._cabinet, self._folder = cabinet, folder

    def tell_it(self) -> None:
        """All of it."""
        cabinet = self._cabinet
        props = cabinet.wait_active()
        start_s = (int(props["ActiveEnterTimestampMonotonic"]) - int(props["ExecMainStartTimestampMonotonic"])) / 1e6
        tell(f"service start to READY: {start_s:.2f} s")
        self._deal()
        hand = self._look()
        tell("a note was credited and a hand dealt by keys")
        cabinet.inside("systemctl", "enable", "--now", AUDIT)
        self._audited("beside the running terminal")
        self._killed(hand)
        self._audited("after SIGKILL")
        self._hung(hand)
        self._refused(hand)
        self._stopped(hand)
        self._cut(hand)
        self._probed()

    def _look(self) -> Journal:
        """Read a copy of the journal as it lies in the system's folder."""
        copy = self._folder / "taken"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self._cabinet.root / "var/lib/croupier", copy, ignore=shutil.ignore_patterns("probe*"))
        return read(copy, CONFIG)

    def _deal(self) -> None:
        cabinet = self._cabinet
        self.pay(2_000, 2_000)
        for _ in range(40):
            for key in ("9", "3", "9"):
                cabinet.press(key)
                time.sleep(0.4)
            if self._look().live is not None:
                return
        raise WrongError(f"no hand is dealt; {cabinet.words()}")

    def pay(self, minor: int, notes_minor: int) -> None:
        """Put one note in, until all notes together are so much."""
        cabinet = self._cabinet
        path = cabinet.acceptor.path
        wanted = len(path.cash_box) + 1
        # The acceptor may still be greeted, or the program's files still compared: a note is then given back and put in again.
        for _ in range(900):
            if path.place == "none" and len(path.cash_box) < wanted:
                cabinet.insert(minor)
            time.sleep(1)
            if len(path.cash_box) == wanted and self._look().notes_minor == notes_minor:
                return
        raise WrongError(f"a note of {minor / 100:.2f} is not credited; {cabinet.words()}")

    def _same(self, hand: Journal, after: str) -> None:
        now = self._look()
        expect(now.goes_on_from(hand), f"{after}: entries of the journal are gone or different")
        expect(now.credit_minor == hand.credit_minor, f"{after}: credit {now.credit_minor}, was {hand.credit_minor}")
        expect(now.live is not None and hand.live is not None, f"{after}: the hand is gone")
        assert now.live is not None
        assert hand.live is not None
        expect(now.live.dealt == hand.live.dealt, f"{after}: other cards")

    def _killed(self, hand: Journal) -> None:
        cabinet = self._cabinet
        took = []
        for _ in range(3):
            before = cabinet.wait_active()["MainPID"]
            at_us = time.monotonic_ns() // 1000
            cabinet.inside("kill", "-9", before)
            after = cabinet.wait_active(before)
            took.append((int(after["ActiveEnterTimestampMonotonic"]) - at_us) / 1e6)
            self._same(hand, "after SIGKILL")
        tell(f"SIGKILL to the restored hand, READY: {', '.join(f'{each:.2f}' for each in took)} s")

    def _hung(self, hand: Journal) -> None:
        cabinet = self._cabinet
        before = cabinet.wait_active()
        cabinet.inside("kill", "-STOP", before["MainPID"])
        began = time.monotonic()
        cabinet.wait_active(before["MainPID"])
        expect("watchdog" in cabinet.words().lower(), f"it was not the watchdog: {cabinet.words()}")
        expect(
            "Fatal Python error: Aborted" in cabinet.words()
            or "Current thread" in cabinet.words()
            or "most recent call first" in cabinet.words(),
            f"no stack in the journal: {cabinet.words()}",
        )
        self._same(hand, "after the watchdog")
        tell(
            f"a hang (SIGSTOP): the watchdog and a new READY after {time.monotonic() - began:.1f} s, stacks are in the journal, the same hand"
        )

    def _refused(self, hand: Journal) -> None:
        """A configuration with a mistake: it is told and waited for, not restarted five times a second; mended, it plays."""
        cabinet = self._cabinet
        config = cabinet.root / "etc/croupier/cabinet.toml"
        right = config.read_text()
        before = cabinet.wait_active()
        config.write_text(right.replace('"oasis"', '"whist"'))
        cabinet.inside("kill", "-9", before["MainPID"])
        cabinet.wait("the mistake is told", lambda: "whist" in cabinet.shows("StatusText").get("StatusText", ""))
        restarts = int(cabinet.shows("NRestarts")["NRestarts"])
        time.sleep(4)
        expect(
            int(cabinet.shows("NRestarts")["NRestarts"]) <= restarts + 1,
            "a refused configuration is tried again and again",
        )
        config.write_text(right)
        cabinet.wait_active(before["MainPID"])
        self._same(hand, "after a refused configuration")
        tell("a configuration with a mistake is told in the status and taken up when mended; the same hand")

    def _stopped(self, hand: Journal) -> None:
        cabinet = self._cabinet
        cabinet.wait_active()
        began = time.monotonic()
        cabinet.inside("systemctl", "stop", SERVICE)
        took = time.monotonic() - began
        result = cabinet.shows("Result", "ExecMainStatus")
        expect(
            result == {"Result": "success", "ExecMainStatus": "0"}, f"an orderly stop gives {result}; {cabinet.words()}"
        )
        expect(took < 3.5, f"an orderly stop takes {took:.1f} s")
        self._same(hand, "after an orderly stop")
        self._audited("beside a terminal that is not running")
        cabinet.inside("systemctl", "start", SERVICE)
        tell(f"systemctl stop: {took:.2f} s, in order; the same hand")

    def _cut(self, hand: Journal) -> None:
        cabinet = self._cabinet
        cabinet.wait_active()
        cabinet.cut_power()
        self._same(hand, "after a power cut")
        began = time.monotonic()
        cabinet.boot()
        cabinet.wait_active()
        tell(f"power cut in the middle of the hand; booted to READY in {time.monotonic() - began:.1f} s")
        self._same(hand, "after the boot")
        self._audited("after the boot")
        for _ in range(40):
            cabinet.press("9")
            time.sleep(0.5)
            if self._look().live is None:
                break
        over = self._look()
        expect(over.live is None and over.rounds == hand.rounds, "the hand can't be ended")
        expect(over.notes_minor == sum(cabinet.acceptor.path.cash_box), "notes and cash box differ")
        tell("the hand was played to its end")
        self.pay(1_000, over.notes_minor + 1_000)
        expect(self._look().notes_minor == sum(cabinet.acceptor.path.cash_box), "notes and cash box differ")
        self._audited("after another note")
        tell("another note was credited; the audit page was true each time")
        cabinet.inside("systemctl", "disable", "--now", AUDIT)

    def _audited(self, when: str) -> None:
        """The audit page, in its own sandbox, tells of the journal as it is now."""
        token = (self._cabinet.root / "etc/croupier/audit.token").read_text().strip()
        request = urllib.request.Request(PAGE, headers={"Authorization": f"Bearer {token}"})
        seen: list[object] = []

        def is_true() -> bool:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    head = json.load(answer)["head"]
            except OSError as error:  # not yet listening, or an answer that is none
                seen.append(error)
                return False
            links = self._look().links
            seen.append(f"entry {head['seq']} of {len(links)}")
            return bool(head["seq"] == len(links) and head["link"] == links[-1].hex())

        # A reading may be two seconds old, and the terminal may write meanwhile.
        try:
            self._cabinet.wait(f"the audit page {when} is the journal's", is_true, 300)
        except ContainerError as error:
            why = self._cabinet.inside("systemctl", "status", "-l", "--no-pager", AUDIT, check=False)
            raise WrongError(f"{error}; seen: {seen[-3:]}; {why}") from None
        expect(
            self._cabinet.inside("systemctl", "show", AUDIT, "-P", "NRestarts").strip() == "0", f"{AUDIT} has failed"
        )

    def _probed(self) -> None:
        cabinet = self._cabinet
        cabinet.inside("systemctl", "stop", SERVICE)
        found = self._probe("probe.service")
        expect(found["uid"] != 0, "the service runs as root")
        expect(not found["wrong"], f"from inside the service: {', '.join(found['wrong'])}")
        tell("from inside the service: what it needs it has, what it must not do is refused")
        self._real_time(found["real_time"])

    def _probe(self, unit: str) -> dict[str, Any]:
        cabinet = self._cabinet
        told = cabinet.root / "var/lib/croupier/probe.json"
        told.unlink(missing_ok=True)
        cabinet.free_port()
        cabinet.inside("systemctl", "start", unit, check=False)
        expect(
            told.exists(),
            f"{unit} did not run: {cabinet.inside('systemctl', 'status', unit, check=False)}",
        )
        found: dict[str, Any] = json.loads(told.read_text())
        return found

    def _real_time(self, asked: dict[str, Any]) -> None:
        """The pins' process gets its priority, or nothing but a missing right of this machine's refuses it."""
        cabinet = self._cabinet
        limit = cabinet.shows("LimitRTPRIO").get("LimitRTPRIO")
        expect(limit == str(REAL_TIME_PRIORITY), f"the service's LimitRTPRIO is {limit}")
        if not asked["refused"]:
            tell(f"a real-time priority of {REAL_TIME_PRIORITY} is granted (limit {asked['limit']})")
            return
        why = f"a real-time priority of {REAL_TIME_PRIORITY} is refused ({asked['refused']}, limit {asked['limit']})"
        # Without CAP_SYS_RESOURCE no service manager can raise a limit, whatever the unit says.
        expect(asked["limit"] < REAL_TIME_PRIORITY and not cabinet.can(CAP_SYS_RESOURCE), why)
        other = self._probe("probe-nice.service")["real_time"]
        expect(not other["refused"], f"{why}, and by the unit too: {other['refused']} with CAP_SYS_NICE")
        tell(
            f"{why}: root of this machine lacks CAP_SYS_RESOURCE; no directive forbids it, with CAP_SYS_NICE it is granted"
        )


if __name__ == "__main__":
    sys.exit(main())
