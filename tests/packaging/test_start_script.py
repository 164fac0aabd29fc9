"""The start script with a stand-in for Python on its PATH: no network, no real environment, a few milliseconds a start."""

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = "cat chmod cmp cp dirname flock grep mkdir printf readlink rm sh sleep".split()
SHELLS = {"dash": ["dash"], "bash": ["bash", "--posix"], "busybox": ["busybox", "sh"]}

# Answers what the script asks of a Python, and notes each call. FAKE_* variables say how it fails.
FAKE_PYTHON = """#!/bin/sh
echo "$*" >>"$FAKE_CALLS"
case "$*" in
    *version_info*) [ -n "${FAKE_VERSION-}" ] && echo "$FAKE_VERSION" ;;
    *ensurepip*) [ -z "${FAKE_NO_ENSUREPIP-}" ] ;;
    *realpath*) echo "$0" ;;
    *"-m venv"*)
        for folder in "$@"; do :; done
        [ -z "${FAKE_NO_VENV-}" ] || exit 1
        rm -rf "$folder" && mkdir -p "$folder/bin" && cp "$0" "$folder/bin/python" ;;
    *"pip uninstall"*) ;;
    *"pip install"*)
        sleep "${FAKE_INSTALL_S-0}"
        if [ -n "${FAKE_PIP_SAYS-}" ]; then echo "$FAKE_PIP_SAYS"; exit 1; fi ;;
    *"-m firmware"*)
        shift 3
        echo "home=$PYTHONPATH cwd=$PWD"
        for argument in "$@"; do echo "argument=$argument"; done
        exit 7 ;;
esac
"""


class Clone:
    """A folder with the start script, two lock files and a PATH that holds a stand-in for Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls_file = folder.parent / "calls"
        self.tools = folder.parent / "tools"
        folder.mkdir()
        self.tools.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            if found and tool not in ("sh", "printf"):
                (self.tools / tool).symlink_to(found)
        (self.tools / "sh").symlink_to("/bin/sh")
        self.python("python3")
        shutil.copy(ROOT / "croupier", folder)
        (folder / "requirements.lock").write_text("pygame==2.6.1\n", encoding="utf-8")
        (folder / "requirements-dev.lock").write_text("pytest==9\n", encoding="utf-8")
        self.environment = {"PATH": str(self.tools), "FAKE_VERSION": "3.12", "FAKE_CALLS": str(self.calls_file)}

    def python(self, name: str) -> Path:
        path = self.tools / name
        path.write_text(FAKE_PYTHON, encoding="utf-8")
        path.chmod(0o755)
        return path

    def start(
        self, *arguments: str, script: str | Path | None = None, cwd: Path | None = None, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [script or self.folder / "croupier", *arguments],
            env=self.environment | changes,
            cwd=cwd or self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def calls(self) -> list[str]:
        """What Python was asked since the last look: `venv`, the lock file of an installation, or `run`."""
        text = self.calls_file.read_text(encoding="utf-8") if self.calls_file.exists() else ""
        self.calls_file.unlink(missing_ok=True)
        found = []
        for line in text.splitlines():
            if "-m venv" in line:
                found.append("venv")
            elif "pip install" in line:
                found.append(line.rpartition("/")[2])
            elif "-m firmware" in line:
                found.append("run")
        return found


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "a clone")


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of a refused start, which is the only one that is no progress message."""
    assert done.returncode == 2
    assert done.stdout == ""
    *progress, last = done.stderr.splitlines()
    assert all(
        line.startswith(("croupier: first start", "croupier: installing", "croupier: the lock file"))
        for line in progress
    )
    return last.removeprefix("croupier: ")


def test_first_start_makes_the_environment_says_so_and_runs_the_program(clone: Clone) -> None:
    done = clone.start("sim", "--lang", "ru")
    assert done.returncode == 7
    assert done.stdout == f"home={clone.folder} cwd={clone.folder}\nargument=sim\nargument=--lang\nargument=ru\n"
    assert done.stderr.splitlines() == [
        "croupier: first start: making .venv with Python 3.12",
        "croupier: installing the packages of requirements.lock (once; about 20 MB to download)",
        "croupier: ready",
    ]
    assert clone.calls() == ["venv", "requirements.lock", "run"]


def test_later_start_is_silent_and_only_runs_the_program(clone: Clone) -> None:
    clone.start("sim")
    clone.calls()
    done = clone.start("audit", "two words", "")
    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == ["argument=audit", "argument=two words", "argument="]
    assert clone.calls() == ["run"]


@pytest.mark.parametrize("shell", [name for name in SHELLS if shutil.which(SHELLS[name][0])])
def test_each_shell_of_a_small_system_runs_the_script(clone: Clone, shell: str) -> None:
    command = [shutil.which(SHELLS[shell][0]) or "", *SHELLS[shell][1:], str(clone.folder / "croupier"), "sim"]
    done = subprocess.run(command, env=clone.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 7
    assert done.stderr.endswith("croupier: ready\n")


def test_links_to_the_script_find_its_own_folder_and_keep_the_current_one(clone: Clone, tmp_path: Path) -> None:
    elsewhere = tmp_path / "bin"
    elsewhere.mkdir()
    (elsewhere / "absolute").symlink_to(clone.folder / "croupier")
    (elsewhere / "relative").symlink_to("../a clone/croupier")
    (elsewhere / "twice").symlink_to("relative")
    for name in ("absolute", "relative", "twice"):
        done = clone.start(script=elsewhere / name, cwd=elsewhere)
        assert done.stdout == f"home={clone.folder} cwd={elsewhere}\n"


def test_script_named_without_a_folder_is_found_in_the_current_one(clone: Clone) -> None:
    done = subprocess.run(
        ["/bin/sh", "croupier"], env=clone.environment, cwd=clone.folder, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"home={clone.folder} cwd={clone.folder}\n"


def test_tests_get_their_own_packages_once(clone: Clone) -> None:
    clone.start("sim")
    clone.calls()
    done = clone.start("test", "-k", "money")
    assert "requirements-dev.lock" in done.stderr
    assert clone.calls() == ["requirements-dev.lock", "run"]
    for command in ("test", "sim"):
        assert clone.start(command).stderr == ""
        assert clone.calls() == ["run"]


def test_changed_lock_file_updates_the_environment_in_place(clone: Clone) -> None:
    clone.start("sim")
    clone.calls()
    (clone.folder / "requirements.lock").write_text("pygame==2.6.2\n", encoding="utf-8")
    done = clone.start("sim")
    assert done.stderr.splitlines()[0] == "croupier: the lock file has changed or more is needed: updating .venv"
    assert clone.calls() == ["requirements.lock", "run"]
    assert clone.start("sim").stderr == ""


def test_interrupted_installation_is_done_again(clone: Clone) -> None:
    assert clone.start("sim", FAKE_PIP_SAYS="killed").returncode == 2
    clone.calls()
    assert clone.start("sim").returncode == 7
    assert clone.calls() == ["venv", "requirements.lock", "run"]


def test_interrupted_update_is_done_again(clone: Clone) -> None:
    clone.start("test")
    (clone.folder / "requirements-dev.lock").write_text("pytest==10\n", encoding="utf-8")
    assert clone.start("test", FAKE_PIP_SAYS="killed").returncode == 2
    clone.calls()
    assert clone.start("test").returncode == 7
    assert "requirements-dev.lock" in clone.calls()


def test_interrupted_update_is_not_believed_when_the_old_lock_file_comes_back(clone: Clone) -> None:
    clone.start("sim")
    lock = clone.folder / "requirements.lock"
    before = lock.read_text(encoding="utf-8")
    lock.write_text("pygame==2.6.2\n", encoding="utf-8")
    assert clone.start("sim", FAKE_PIP_SAYS="killed").returncode == 2
    lock.write_text(before, encoding="utf-8")
    clone.calls()
    assert clone.start("sim").returncode == 7
    assert clone.calls() == ["requirements.lock", "run"]


def test_environment_whose_python_has_gone_is_made_again(clone: Clone) -> None:
    clone.start("sim")
    (clone.folder / ".venv/bin/python").unlink()
    clone.calls()
    assert clone.start("sim").returncode == 7
    assert clone.calls() == ["venv", "requirements.lock", "run"]


def test_two_first_starts_at_once_make_one_environment(clone: Clone) -> None:
    environment = clone.environment | {"FAKE_INSTALL_S": "0.2"}
    command = [str(clone.folder / "croupier"), "sim"]
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    assert [process.wait(timeout=30) for process in both] == [7, 7]
    for process in both:
        process.communicate()
    assert sorted(clone.calls()) == ["requirements.lock", "run", "run", "venv"]


def test_wrong_python_is_refused_with_the_remedy(clone: Clone) -> None:
    assert refused(clone.start("sim", FAKE_VERSION="")) == (
        "no Python 3.11, 3.12 or 3.13 found; install one (Debian: sudo apt install python3 python3-venv) or set CROUPIER_PYTHON to its path"
    )
    (clone.tools / "python3").unlink()
    assert refused(clone.start("sim")).startswith("no Python 3.11, 3.12 or 3.13 found")
    assert not (clone.folder / ".venv").exists()


def test_named_python_is_taken_before_any_other_and_refused_when_wrong(clone: Clone) -> None:
    chosen = clone.python("chosen")
    assert clone.start("sim", CROUPIER_PYTHON=str(chosen)).returncode == 7
    shutil.rmtree(clone.folder / ".venv")
    assert refused(clone.start("sim", CROUPIER_PYTHON="/nowhere/python")) == (
        "CROUPIER_PYTHON=/nowhere/python is not a Python 3.11, 3.12 or 3.13; set it to one, or unset it"
    )


def test_newer_python3_falls_back_to_a_fitting_one(clone: Clone) -> None:
    (clone.tools / "python3").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    clone.python("python3.12")
    assert clone.start("sim").returncode == 7


def test_python_without_venv_names_the_package_to_install(clone: Clone) -> None:
    assert refused(clone.start("sim", FAKE_NO_ENSUREPIP="1")) == (
        "Python 3.12 cannot make virtual environments; install the missing part: sudo apt install python3.12-venv"
    )


def test_failing_venv_says_how_to_see_why(clone: Clone) -> None:
    assert refused(clone.start("sim", FAKE_NO_VENV="1")).startswith(
        f"could not make {clone.folder}/.venv (disk full or no permission?)"
    )


@pytest.mark.parametrize(
    ("pip_says", "message"),
    [
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError: Network is unreachable'",
            "cannot reach the Python package index; connect to the network (or set PIP_FIND_LINKS to a folder of wheels) and run the same command again",
        ),
        (
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate is not yet valid'))",
            "cannot trust the connection to the Python package index; check this machine's clock (date) and certificates (PIP_CERT), then",
        ),
        (
            "OSError: [Errno 28] No space left on device",
            "the disk is full; free about 500 MB and run the same command again",
        ),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES",
            "a downloaded package differs from the one recorded in requirements.lock; do not use it, see ",
        ),
        ("ERROR: something new", "could not install the packages of requirements.lock; the reason is at the end of "),
    ],
)
def test_failed_installation_gives_one_line_and_keeps_what_pip_said(clone: Clone, pip_says: str, message: str) -> None:
    assert refused(clone.start("sim", FAKE_PIP_SAYS=pip_says)).startswith(message)
    assert pip_says in (clone.folder / ".venv/install.log").read_text(encoding="utf-8")


def test_folder_with_a_colon_is_refused(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "a:b")
    assert (
        refused(clone.start("sim"))
        == f"the folder {clone.folder} has a colon in its name, which Python cannot take; rename the folder"
    )


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may enter; the usual temporary folders of tests are private."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder)


def test_read_only_folder_is_refused(open_folder: Path) -> None:
    clone = Clone(open_folder / "clone")
    clone.folder.chmod(0o555)
    other_user = 65534 if os.geteuid() == 0 else None  # root may write anywhere
    done = subprocess.run(
        [clone.folder / "croupier"],
        env=clone.environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        user=other_user,
    )
    assert refused(done) == (
        f"cannot write to {clone.folder}, where .venv is made; run once as a user who can, or copy Croupier to a folder of your own"
    )
