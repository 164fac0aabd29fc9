"""A small correct configuration per mode, for tests to break."""

import tomllib
from typing import Any

SIMULATOR = """
[terminal]
id = "SIM-1"
mode = "simulator"
[storage]
data_dir = "data"
[notes]
accepted_minor = [500, 1000]
[devices.note_acceptor]
backend = "simulated"
[gpio]
backend = "simulated"
"""

CABINET = """
[terminal]
id = "T001"
mode = "cabinet"
[storage]
data_dir = "/var/lib/croupier"
[notes]
accepted_minor = [500, 1000]
[coins]
accepted_minor = [50]
channels = { 1 = 50 }
[devices.note_acceptor]
backend = "ssp"
port = "/dev/serial/by-id/notes"
[devices.coin_acceptor]
backend = "cctalk"
port = "/dev/serial/by-id/bus"
[devices.hopper]
backend = "cctalk"
port = "/dev/serial/by-id/bus"
coin_minor = 50
[gpio]
backend = "gpiod"
keys = { attendant = 23, operator = 24 }
doors = { main = 17 }
"""

DELETE = object()


def changed(text: str, changes: dict[str, object]) -> dict[str, Any]:
    """The tables of a TOML text with the values at dotted keys replaced, or removed by DELETE."""
    data = tomllib.loads(text)
    for key, value in changes.items():
        *path, name = key.split(".")
        table = data
        for part in path:
            table = table.setdefault(part, {})
        if value is DELETE:
            del table[name]
        else:
            table[name] = value
    return data
