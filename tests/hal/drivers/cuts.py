"""Cutting a dialogue at each of its steps: what is cut, and what happens to the message that was on its way.

A dry run finds the moments at which something is sent; every one of them, just before and just after it, is a place to
cut. One thread, no waiting.
"""

from typing import Any

from tests.hal.contract.loop_rigs import LoopRig

CUTS = ("power", "device", "program", "line")
"""The whole cabinet's power, the device's own, the program alone, the cable for a while."""
MESSAGES = ("whole", "drop_next", "corrupt_next", "repeat_last")


def moments(rig: LoopRig[Any], duration_ms: int) -> list[int]:
    """Run a dialogue to its end; return the times, from its beginning, between which it moves on."""
    begin_ms = rig.now_ms
    found = set()
    for _ in range(duration_ms):
        before = len(rig.port.sent)
        rig.run(1)
        if len(rig.port.sent) != before:
            since_ms = rig.now_ms - begin_ms
            found |= {since_ms - 1, since_ms + 6}
    return sorted(found)


def cut(rig: LoopRig[Any], kind: str, last_event: int) -> None:
    """Cut, wait, and begin again."""
    if kind == "power":
        rig.cut_power()
        rig.run(300)
        rig.boot(last_event)
    elif kind == "device":
        rig.do("power_cut")
        rig.run(700)
        rig.do("power_on")
    elif kind == "program":
        rig.host_dies()
        rig.run(700)
        rig.boot(last_event)
    else:
        rig.unplug()
        rig.run(700)
        rig.plug()
