"""Prints with the package python-escpos: ``python_escpos_host.py PACKAGES PORT``; orders: print TEXT, status."""

import json
import sys

from escpos.printer import Serial


def say(event: str, **more: object) -> None:
    print(json.dumps({"event": event, **more}), flush=True)


def main() -> None:
    printer = Serial(devfile=sys.argv[2], baudrate=19_200, timeout=1)
    say("open")
    for line in sys.stdin:
        order, _, text = line.strip().partition(" ")
        if order == "print":
            printer.text(f"{text}\n")
            printer.cut()
            say("printed without a word of the printer")
        else:
            say("status", online=printer.is_online(), paper=printer.paper_status())


main()
