"""The program killed at every commit and at every effect of a session, on real files."""

import json
import subprocess
import sys

from tests.crash.session import ROOT
from tests.journal.memories import quick_folder


def test_sigkill_at_every_commit_and_every_effect_loses_no_money_and_no_card() -> None:
    with quick_folder() as folder:
        ended = subprocess.run(
            [sys.executable, "-m", "tests.crash.kill_driver", str(folder)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.stdout, ended.stderr
    report = json.loads(ended.stdout)
    assert report["wrong"] == {}
    assert report["commits"] >= 20
    assert report["effects"] >= 6
