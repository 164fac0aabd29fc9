"""Drives a note validator with the maker's own host library, through ctypes: ``libessp_host.py PACKAGES PORT [KEY]``.

The library polls as soon as it is asked, so every note is accepted; the order ``reject`` refuses the note that is read next.
With KEY (hexadecimal) it agrees on encryption first.
"""

import ctypes
import json
import queue
import sys
import threading
import time
from pathlib import Path

OK = 0xF0


class Channel(ctypes.Structure):
    _fields_ = (("security", ctypes.c_ubyte), ("value", ctypes.c_uint), ("currency", ctypes.c_char * 4))


class Setup(ctypes.Structure):
    _fields_ = (
        ("unit_type", ctypes.c_ubyte),
        ("firmware", ctypes.c_char * 5),
        ("channel_count", ctypes.c_uint),
        ("channels", Channel * 20),
        ("multiplier", ctypes.c_ulong),
        ("protocol", ctypes.c_ubyte),
    )


class Event(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ubyte),
        ("data1", ctypes.c_ulong),
        ("data2", ctypes.c_ulong),
        ("currency", ctypes.c_char * 4),
    )


class Events(ctypes.Structure):
    _fields_ = (("events", Event * 20), ("count", ctypes.c_ubyte))


def say(event: str, **more: object) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


def listen(orders: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        orders.put(line.strip())


def main() -> None:
    packages, port = sys.argv[1:3]
    library = ctypes.CDLL(str(Path(packages) / "eSSP" / "libessp.so"))
    library.ssp_init.restype = ctypes.c_void_p
    host = ctypes.c_void_p(library.ssp_init(port.encode(), b"0", 0))
    say("sync", status=library.ssp6_sync(host))
    if len(sys.argv) > 3:
        say("encryption", status=library.ssp6_setup_encryption(host, ctypes.c_ulonglong(int(sys.argv[3], 16))))
    say("version", status=library.ssp6_host_protocol(host, ctypes.c_ubyte(6)))
    setup = Setup()
    status = library.ssp6_setup_request(host, ctypes.byref(setup))
    channels = [(row.value, row.currency.decode()) for row in setup.channels[: setup.channel_count]]
    say("setup", status=status, unit=setup.unit_type, firmware=setup.firmware.decode(), channels=channels)
    say("inhibits", status=library.ssp6_set_inhibits(host, ctypes.c_ubyte(0xFF), ctypes.c_ubyte(0xFF)))
    say("enabled", status=library.ssp6_enable(host))
    orders: queue.Queue[str] = queue.Queue()
    threading.Thread(target=listen, args=(orders,), daemon=True).start()
    poll = Events()
    rejects = 0
    while True:
        status = library.ssp6_poll(host, ctypes.byref(poll))
        if status != OK:
            say("poll failed", status=status)
        while not orders.empty():
            rejects += orders.get() == "reject"
        for event in poll.events[: poll.count]:
            say(f"{event.code:02X}", data=event.data1, currency=event.currency.decode("ascii", "replace"))
            if event.code == 0xEF and event.data1 and rejects:
                rejects -= 1
                say("reject sent", status=library.ssp6_reject(host))
        time.sleep(0.2)


main()
