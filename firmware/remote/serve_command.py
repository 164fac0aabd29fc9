"""The subcommand ``serve``: the read-only page of a store for a browser, in a process of its own."""

import argparse
import signal
import socket
import sys
from types import FrameType

from firmware.clock import SystemClock
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.remote.access import Gate, new_token
from firmware.remote.reading import StoreReading, read_store
from firmware.settings.loader import load_settings

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``serve``. Runs until it is interrupted; raises UserError."""
    try:
        import uvicorn

        from firmware.remote.server import application
    except ImportError:
        raise UserError("serve: needs the extra remote: .venv/bin/pip install starlette uvicorn") from None
    settings = load_settings(arguments.config or bundled_directory().parent / "simulator.toml")
    data_dir, clock = arguments.data or settings.storage.data_dir, SystemClock()

    def read() -> StoreReading:
        return read_store(settings, data_dir, arguments.mirror, clock.wall_ms())

    read()  # a store that can't be read is told at once
    token = _token(arguments)
    hosts = (*LOOPBACK, arguments.host) if arguments.host not in LOOPBACK else LOOPBACK
    app = application(settings, read, Gate(token, clock.monotonic_ms), clock.monotonic_ms, hosts)
    config = uvicorn.Config(
        app, host=arguments.host, port=arguments.port, log_level="warning", access_log=False, server_header=False
    )
    server = uvicorn.Server(config)
    listening = _listen(arguments.host, arguments.port)
    port = listening.getsockname()[1]
    print(f"http://{arguments.host}:{port}/?token={token}", flush=True)
    if arguments.host not in LOOPBACK:
        print("serve: other machines can reach this page, and it is not encrypted", file=sys.stderr, flush=True)

    def stop(_: int, __: FrameType | None) -> None:
        server.should_exit = True

    signal.signal(signal.SIGTERM, stop)
    server.run(sockets=[listening])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
        listening.listen()  # whoever reads the address may come at once
    except OSError as error:
        listening.close()
        raise UserError(f"serve: {host} port {port}: {error.strerror or error}; choose another --port") from None
    return listening


def _token(arguments: argparse.Namespace) -> str:
    if arguments.token_file is None:
        return new_token()
    try:
        token: str = arguments.token_file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{arguments.token_file}: cannot be read: {error}") from None
    if len(token) < 16:
        raise UserError(f"{arguments.token_file}: found {len(token)} characters, expected a token of at least 16")
    return token
