"""What a program with the service's rights can and can't do, tried from inside: leaves one JSON object in the state folder.

``uid``; ``wrong``, what is not as it must be; ``real_time``, how the request for a real-time priority ended and the limit that was in
force. Judging the latter needs to be known of the machine outside, so it is not done here.
"""

import ctypes
import errno
import json
import os
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)


def real_time() -> dict[str, object]:
    """Ask for what the pins' process asks for; ``refused`` is "" or the error's name, ``limit`` the most that may be asked for."""
    refused = ""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except OSError as error:
        refused = errno.errorcode.get(error.errno or 0, str(error))
    return {"refused": refused, "limit": resource.getrlimit(resource.RLIMIT_RTPRIO)[0]}


def tried(act: Callable[[], object]) -> bool:
    """Whether it got through."""
    try:
        result = act()
    except (OSError, PermissionError):
        return False
    return result is None or result is not False


def write(path: str) -> Callable[[], object]:
    """An attempt to make a file."""
    return lambda: Path(path).write_text("x")


def call(name: str, *arguments: object) -> Callable[[], bool]:
    """An attempt at a call into the system."""
    return lambda: getattr(LIBC, name)(*arguments) == 0


ALLOWED = {
    "write the journal's folder": write("/var/lib/croupier/probe"),
    "write the cache": write("/var/cache/croupier/probe"),
    "write a temporary file": write("/tmp/probe"),
    "open the acceptor": lambda: os.close(os.open("/dev/croupier-acceptor", os.O_RDWR | os.O_NOCTTY)),
    "read the program": lambda: Path("/opt/croupier/croupier").read_bytes(),
}
FORBIDDEN = {
    "write the program": write("/opt/croupier/firmware/probe"),
    "write the configuration": write("/etc/croupier/probe"),
    "write the system": write("/usr/bin/probe"),
    "write /etc": write("/etc/probe"),
    "read root's home": lambda: list(Path("/root").iterdir()),
    "read the audit page's token": lambda: Path("/etc/croupier/audit.token").read_bytes(),
    "read the memory": lambda: os.open("/dev/mem", os.O_RDONLY),
    "read a disk": lambda: os.open("/dev/probe-disk", os.O_RDONLY),
    "write a kernel setting": lambda: Path("/proc/sys/kernel/printk").write_text("1"),
    "open an internet socket": lambda: socket.socket(socket.AF_INET).close(),
    "make a name space": call("unshare", 0x10000000),
    "mount": call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "become root": lambda: os.setuid(0),
    "trace a process": call("ptrace", 16, 1, 0, 0),
    "load a module": lambda: LIBC.syscall(175, 0, 0, b"") == 0,
    "restart the machine": lambda: LIBC.syscall(169, 0xFEE1DEAD, 672274793, 0, None) == 0,
    "see other users' processes": lambda: Path("/proc/1/stat").read_text(),
    "keep a set-user-id bit": lambda: Path("/var/lib/croupier/probe").chmod(0o4755),
}

if __name__ == "__main__":
    wrong = [f"can't {name}" for name, act in ALLOWED.items() if not tried(act)]
    wrong += [f"can {name}" for name, act in FORBIDDEN.items() if tried(act)]
    found = {"uid": os.getuid(), "wrong": wrong, "real_time": real_time()}
    Path("/var/lib/croupier/probe.json").write_text(json.dumps(found))
    sys.exit(0)
