"""Devices' own lifetime counters against the journal, whenever a device is (re)connected. Pure.

The journal counts along with a counter that it has read once. One difference is one fault: after a fault that says that
money moved uncounted, and while it stands, the next reading is where counting begins anew, and no fault of its own. A
device that has none (ID-003, CCNET, EBDS, SSP, pulses) is not compared. Not responsible for what is made of a difference that belongs to money in flight (``decide_money``,
``decide_cash_out``, ``decide_hopper_test``).
"""

from typing import Final

from firmware.entries import types as entry
from firmware.entries.keeping import CounterRead
from firmware.terminal.faults import COIN_COUNTER, HOPPER_COUNTER, NOTE_COUNTER, UNCERTAIN, is_up
from firmware.terminal.state import State
from firmware.terminal.step import Environment
from hal.events import CoinReport, DeviceReady, HopperReport, NoteReport

_CODES: Final = {"notes": NOTE_COUNTER, "coins": COIN_COUNTER, "hopper": HOPPER_COUNTER}
_PREFIXES: Final = {"notes": "note", "coins": "coin"}
WRAP_COUNT: Final = 1 << 24
"""Three bytes: after the largest count comes 0 again."""


def counted(event: DeviceReady) -> int | None:
    """Return a device's own counter, None when it has none."""
    match event.report:
        case NoteReport(stacked_count=count) | CoinReport(accepted_count=count) | HopperReport(dispensed_count=count):
            return count
    return None


def more_than_recorded(state: State, environment: Environment, event: DeviceReady) -> int | None:
    """Return how many more the device has counted than the journal, what it will still report left aside; None when
    there is nothing to compare: no counter, another device, the first time that it is read, or after a fault which says
    that something moved uncounted."""
    known = state.recorded.counters.get(event.device)
    return None if known is None or known.is_in_doubt else _difference(state, environment, event)


def _difference(state: State, environment: Environment, event: DeviceReady) -> int | None:
    count, known = counted(event), state.recorded.counters.get(event.device)
    if count is None or known is None or known.serial != event.info.serial:
        return None
    more = count - _announced(environment, event) - known.count
    return more + WRAP_COUNT if more < -(WRAP_COUNT // 2) else more


def entries_of(
    state: State, environment: Environment, event: DeviceReady, more: int | None, settled_count: int | None
) -> tuple[entry.Entry, ...]:
    """Return what is recorded of a counter: ``settled_count`` of the difference ``more`` were settled in this step, and
    None says that a fault with both numbers is up already."""
    count, known = counted(event), state.recorded.counters.get(event.device)
    if count is None or (more == 0 and not settled_count):
        return ()
    if more is None and not _is_explained(state, event.device):
        more, settled_count = _difference(state, environment, event), 0
    entries: list[entry.Entry] = []
    code = _CODES[event.device]
    if more is not None and known is not None and settled_count is not None and more != settled_count:
        detail = f"{event.info.serial}: the device counted {count}, the journal {count - more + settled_count}"
        if not is_up(state, code, event.device):
            entries.append(entry.FaultRaised(code, event.device, detail))
    entries.append(CounterRead(event.device, event.info.serial, count - _announced(environment, event)))
    return tuple(entries)


def _is_explained(state: State, device: str) -> bool:
    """Tell whether a fault stands, or comes of money in flight, that says that something moved uncounted. One that somebody
    has dealt with explains nothing any more: what is missing now may have gone since."""
    recorded = state.recorded
    in_flight = {"notes": recorded.note, "hopper": recorded.payout or recorded.hopper_test}.get(device)
    return in_flight is not None or any(is_up(state, doubt, device) for doubt in UNCERTAIN)


def _announced(environment: Environment, event: DeviceReady) -> int:
    """Return how much counted money the device will report after this, so that it is recorded then."""
    if not isinstance(event.report, NoteReport | CoinReport):
        return 0
    prefix = _PREFIXES[event.device]
    return sum(not environment.is_recorded(f"{prefix}:{key}") for key in event.report.unconfirmed)
