"""The line to the service manager, on a real socket."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.liveness import Part
from firmware.service_notify import ServiceManager

ALIVE = [Part("all", None, 0)]
DEAD = [Part("the terminal's thread", 0, 10)]


class Manager:
    """A service manager that reads when it likes."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        found = []
        while True:
            try:
                found.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return found


@pytest.fixture(params=["path", "abstract"])
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Manager, ServiceManager]]:
    address = str(tmp_path / "notify") if request.param == "path" else f"@croupier-test-{tmp_path.name}-{id(tmp_path)}"
    manager = Manager(address)
    environment = {"NOTIFY_SOCKET": address, "PATH": "/bin"}
    service = ServiceManager.from_environment(environment)
    assert environment == {"PATH": "/bin"}, "our own processes must not speak for us"
    yield manager, service
    service.close()
    manager.socket.close()


def test_ready_comes_with_the_first_frame_and_once(line: tuple[Manager, ServiceManager]) -> None:
    manager, service = line
    service.starting("reading the journal")
    assert manager.heard()[-1] == "STATUS=reading the journal"
    service.shown(ALIVE, "shows attract", 1_000)
    assert sorted(manager.heard()) == ["READY=1", "STATUS=shows attract", "WATCHDOG=1"]
    service.shown(ALIVE, "shows attract", 1_100)
    assert manager.heard() == []


def test_each_new_step_of_a_long_start_gives_it_more_time_and_standing_still_gives_none(
    line: tuple[Manager, ServiceManager],
) -> None:
    manager, service = line
    for status in ("read 10 of 30 entries", "read 10 of 30 entries", "read 20 of 30 entries"):
        service.starting(status)
    assert [each for each in manager.heard() if "EXTEND" in each] == ["EXTEND_TIMEOUT_USEC=60000000"] * 2
    service.shown(ALIVE, "shows table", 0)
    assert not any("EXTEND" in each for each in manager.heard()), "the watchdog is another clock"


def test_the_watchdog_is_fed_once_a_second(line: tuple[Manager, ServiceManager]) -> None:
    manager, service = line
    for now_ms in range(0, 10_000, 16):
        service.shown(ALIVE, "shows table", now_ms)
        if now_ms % 800 == 0:
            manager.heard()
    service.shown(ALIVE, "shows table", 20_000)
    assert manager.heard() == ["WATCHDOG=1"]


def test_a_part_that_hangs_starves_the_watchdog_and_is_named(line: tuple[Manager, ServiceManager]) -> None:
    manager, service = line
    service.shown(ALIVE, "shows table", 0)
    manager.heard()
    service.shown(DEAD, "shows table", 6_000)
    assert manager.heard() == ["STATUS=hangs: the terminal's thread has not moved for 6 s"]
    service.shown(ALIVE, "shows table", 8_000)
    assert manager.heard() == ["WATCHDOG=1", "STATUS=shows table"]


def test_a_manager_that_does_not_read_never_stops_the_game_and_still_hears_ready_and_stopping(
    line: tuple[Manager, ServiceManager],
) -> None:
    manager, service = line
    for number in range(1_000):
        service.starting(f"step {number}")
    service.shown(ALIVE, "shows table", 0)
    service.stopping("ending")
    manager.heard()
    service.stopping("ended")
    heard = manager.heard()
    assert "READY=1" in heard
    assert "STOPPING=1" in heard
    assert heard[-1] == "STATUS=ended"


def test_without_a_manager_and_with_one_that_has_gone_nothing_happens(tmp_path: Path) -> None:
    for service in (ServiceManager.from_environment({}), ServiceManager(str(tmp_path / "nobody"))):
        service.starting("x")
        service.shown(ALIVE, "y", 0)
        service.stopping("z")
        service.close()
    assert not ServiceManager("").is_there


def test_a_status_is_one_line(line: tuple[Manager, ServiceManager]) -> None:
    manager, service = line
    service.starting("cabinet.toml: a\nWATCHDOG=1")
    assert manager.heard()[-1] == "STATUS=cabinet.toml: a WATCHDOG=1"
