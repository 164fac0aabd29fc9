"""The story of an update on an emulated Pi: refused, cut off by power cuts, installed, and one that does not start and is left again.

Not responsible for making releases (``tests.systemd.releases``) or for a cut at each step of an update (``tests/update``).
"""

import json
import time
from typing import Any

from tests.pi.scenario import BOOT_S, Story, WrongError
from tests.systemd.releases import BROKEN, NEXT, VERSION

PROGRAM, CONFIG = "/opt/croupier/croupier", "/etc/croupier/cabinet.toml"
RUNNING = f"/opt/croupier-versions/{NEXT}-2"
COMMAND_S, UPDATE_S, ASK_EVERY_S = 600.0, 3_600.0, 5.0
NOTE_MINOR = 2_000


def _expect(held: bool, otherwise: str) -> None:
    if not held:
        raise WrongError(otherwise)


class UpdateStory(Story):
    """A signed program on a read-only root, whose updates lie on the boot partition."""

    SHOWN_WITHIN_S = BOOT_S
    """The program looks at all its files first."""

    def tell_it(self, cuts: int | None) -> None:
        """All of it, with so many power cuts while an update is installed; in the end a hand is played."""
        self.outcome.first_start_s = self.start()
        self._shows("attract")
        signed = self._json("manifest verify --json")
        _expect(signed["state"] == "signed" and signed["sealed"], f"the program is {signed}")
        self._tell(f"a signed program runs, {signed['files']} files as they should be")
        self._credited()
        status, said = self._update(NEXT)
        _expect(status == 1, f"an update with credit on the table: status {status}, {said}")
        self._tell(f"with credit on the table there is no update: {said.strip().splitlines()[-1]}")
        self._pay_out()
        for number in range(1, (3 if cuts is None else cuts) + 1):
            self._cut_off(number)
        self._installed()
        self._left_again()
        status, said = self._update(NEXT)
        _expect(status == 2, f"a release that is no newer: status {status}, {said}")
        self._credited()
        self._deal()
        self._finish()
        self.the_end()

    # --- chapters -----------------------------------------------------------------------------------------------------

    def _cut_off(self, number: int) -> None:
        """The power goes while an update is installed; what was there before runs."""
        begin = time.monotonic()
        pause = self._random.uniform(2, 90)
        status, said = self._update(NEXT, leave_after_s=pause)
        _expect(status in (-1, 0), f"an update that is to be cut off: status {status}, {said}")
        self.kill()
        self._tell(f"cut {number}: {time.monotonic() - begin:.0f} s after an update began")
        self.start()
        self._shows()
        state = self._state()
        whole = state["running"] == RUNNING if status == 0 else state["running"] in ("/opt/croupier", RUNNING)
        _expect(whole, f"after the cut: {state}")
        verdict = self._json("manifest verify --json", state["running"])
        _expect(verdict["state"] == "signed", f"after the cut {state['running']} is {verdict}")

    def _installed(self) -> None:
        if self._state()["running"] != RUNNING:
            begin = time.monotonic()
            status, said = self._update(NEXT)
            _expect(status == 0, f"croupier update: status {status}, {said}")
            self._tell(f"an update was installed in {time.monotonic() - begin:.0f} s")
            self._restart()
        state = self._state()
        _expect((state["running"], state["state"]) == (RUNNING, "ok"), f"after the update: {state}")
        verdict = self._json("manifest verify --json", RUNNING)
        _expect(verdict["state"] == "signed" and verdict["sealed"], f"the update is {verdict}")
        self._shows()
        self.kill()
        self.start()
        self._shows()
        _expect(self._state()["running"] == RUNNING, "another version runs after a power cut")
        self._tell(f"version {NEXT} runs, signed and sealed, after a power cut too; {VERSION} lies untouched")

    def _left_again(self) -> None:
        """A version that does not start is tried twice and left for the one before."""
        status, said = self._update(BROKEN)
        _expect(status == 0, f"croupier update: status {status}, {said}")
        self._restart()
        state = self._state()
        _expect(
            (state["running"], state["tried"], state["state"]) == (RUNNING, f"{BROKEN}-3", "failed"), f"left: {state}"
        )
        _, told = self._run("journalctl -b --no-pager -u croupier.service")
        count = told.count("RuntimeError: a release that does not start")
        _expect(count == 2, f"the version that can't start was started {count} times")
        self._machine.console = ""  # those two are the only failures that there may be
        self._shows()
        self._tell(f"{BROKEN}, which does not start, was tried twice and left for {NEXT}")

    # --- verbs --------------------------------------------------------------------------------------------------------

    def _credited(self) -> None:
        """Put a note in; it comes back as long as the program's files are being looked at, and is put in again."""
        before = self.look().credit_minor

        def credited() -> bool:
            if self._acceptor.path.place == "none":
                self._insert(NOTE_MINOR)
            return self._look_until(lambda now: now.credit_minor > before, 20.0) is not None

        self._machine.wait("a note is credited", credited, BOOT_S)

    def _restart(self) -> None:
        """Restart the service and wait until one is ready."""
        _, first = self._run("systemctl show --property MainPID croupier.service")
        self._run("systemctl restart --no-block croupier.service")

        def another() -> bool:
            time.sleep(ASK_EVERY_S)  # each question takes the machine's only processor from what is asked about
            _, now = self._run("systemctl show --property MainPID --property ActiveState croupier.service")
            return "ActiveState=active" in now and first.strip() not in now

        self._machine.wait("the service is ready again", another, COMMAND_S)

    def _update(self, version: str, leave_after_s: float | None = None) -> tuple[int, str]:
        words = f"{PROGRAM} update /boot/firmware/{version}.bundle --by tier --config {CONFIG}"
        if leave_after_s is None:
            return self._machine.run(words, UPDATE_S)
        end = time.monotonic() + leave_after_s
        return self._machine.run(words, UPDATE_S, lambda: time.monotonic() > end)

    def _state(self) -> dict[str, Any]:
        return self._json("update --json")

    def _json(self, words: str, program: str = "/opt/croupier") -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._run(f"{program}/croupier {words}")[1])
        return found

    def _run(self, words: str) -> tuple[int, str]:
        return self._machine.run(words, COMMAND_S)
