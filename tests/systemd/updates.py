"""The real service is updated: a bundle with all its packages, offline; then one that does not start, and the way back by itself.

Not responsible for making bundles (``releases``), nor for refusals and power cuts at each step (``tests/update``).
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.entries.keeping import ProgramReplaced
from firmware.journal.critical import Places
from firmware.journal.recovery import open_memory
from tests.systemd.container import SERVICE, Container
from tests.systemd.releases import BROKEN, NEXT, VERSION, Releases
from tests.systemd.telling import expect, tell

PROGRAM = "/opt/croupier/croupier"
CONFIG = "/etc/croupier/cabinet.toml"
LONG_S = 900.0
"""An update waits until everything is on the medium, whoever else writes to it."""


class Updates:
    """What is installed, and what must be so after it."""

    def __init__(self, cabinet: Container, releases: Releases, source: Path, folder: Path) -> None:
        self._cabinet, self._releases, self._source, self._folder = cabinet, releases, source, folder

    def tell_it(self, pay: Callable[[], None]) -> None:
        """All of it, on a terminal without credit; ``pay`` then puts a note in."""
        cabinet = self._cabinet
        first = cabinet.wait_active()["MainPID"]
        expect(self._state()["signed"], "the installed program is not signed")
        self._install(self._releases.next(self._source, self._folder / "wheels"))
        now = self._restarted(first, f"/opt/croupier-versions/{NEXT}-2")
        expect(now["state"] == "ok", f"the update is {now['state']}")
        packages = list((cabinet.root / "opt/croupier-versions").glob("packages-*"))
        expect(len(packages) == 1, f"new packages: {packages}")
        verdict = json.loads(
            cabinet.inside(f"/opt/croupier-versions/{NEXT}-2/croupier", "manifest", "verify", "--json")
        )
        expect(verdict["state"] == "signed" and verdict["sealed"], f"the update: {verdict}")
        tell(
            f"an update with all its packages was installed without a network and runs, {verdict['files']} files as signed"
        )

        before = cabinet.wait_active()["MainPID"]
        broken = self._releases.broken(self._source)
        self._install(broken)
        now = self._restarted(before, f"/opt/croupier-versions/{NEXT}-2")
        expect((now["tried"], now["state"]) == (f"{BROKEN}-3", "failed"), f"after a version that can't start: {now}")
        told = cabinet.inside("journalctl", "-b", "--no-pager", "-u", SERVICE)
        count = told.count("RuntimeError: a release that does not start")
        expect(count == 2, f"the version that can't start was started {count} times")
        tell("a version that does not start was tried twice and left for the one before")

        replaced = [(entry.old, entry.new, entry.by) for entry in self._entries()]
        expect(
            replaced == [(f"{VERSION}-1", f"{NEXT}-2", "tier"), (f"{BROKEN}-3", f"{NEXT}-2", "croupier-start")],
            f"the journal tells of {replaced}",
        )
        pay()
        refused = self._update(broken, check=False)
        expect(not refused, f"an update with credit on the table was installed: {refused}")
        expect(self._state()["running"].endswith(f"{NEXT}-2"), "a refused update has changed something")
        tell("both are in the journal; with credit on the table there is no update")

    def _install(self, bundle: Path) -> None:
        told = self._update(bundle)
        expect("installed" in told, f"croupier update: {told}")

    def _update(self, bundle: Path, *, check: bool = True) -> dict[str, Any]:
        there = self._cabinet.root / "opt/update.bundle"
        shutil.copy(bundle, there)
        try:
            words = (PROGRAM, "update", "/opt/update.bundle", "--by", "tier", "--config", CONFIG, "--json")
            told = self._cabinet.inside(*words, check=check, patience_s=LONG_S)
        finally:
            there.unlink()
        found: dict[str, Any] = json.loads(told or "{}")
        return found

    def _restarted(self, not_pid: str, running: str) -> dict[str, Any]:
        self._cabinet.inside("systemctl", "restart", "--no-block", SERVICE)
        pid = self._cabinet.wait_active(not_pid)["MainPID"]
        words = (self._cabinet.process_folder(pid) / "environ").read_bytes().decode()
        expect(f"PYTHONPATH={running}\0" in words, f"not {running} runs: {words}")
        return self._state()

    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._cabinet.inside(PROGRAM, "update", "--json"))
        return found

    def _entries(self) -> list[ProgramReplaced]:
        copy = self._folder / "taken"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self._cabinet.root / "var/lib/croupier", copy)
        memory = open_memory(Places(copy, None, None), 0)
        try:
            return [record.entry for record in memory.records() if isinstance(record.entry, ProgramReplaced)]
        finally:
            memory.close()
