"""What the entries about setting up, testing and clearing say as events. Pure."""

from collections.abc import Callable
from typing import Any, Final

from display.view_model import Money, Text
from firmware.audit.wording import iso
from firmware.entries import service
from firmware.entries.types import Entry


def _args(e: Any, *names: str) -> tuple[tuple[str, str | int], ...]:
    return tuple((name, getattr(e, name)) for name in names)


def _coins(e: service.HopperTestCounted | service.HopperTestFinished) -> tuple[tuple[str, str | int | Money], ...]:
    return (("test", e.test_id), ("count", e.paid_count), ("amount", Money(e.amount_minor)))


def _coin(e: service.CoinTested) -> Text:
    return Text(
        "event", "Test coin of {amount} let in, to {place}", (("amount", Money(e.amount_minor)), ("place", e.to))
    )


def _memory(e: service.MemoryChecked) -> Text:
    if e.problems:
        return Text(
            "event", "Memory checked up to entry {seq}: {problem}", (("seq", e.seq), ("problem", e.problems[0]))
        )
    return Text("event", "Memory checked up to entry {seq}: all is well", (("seq", e.seq),))


def _random(e: service.RandomTested) -> Text:
    if e.failure:
        return Text("event", "Random numbers tested: {failure}", (("failure", e.failure),))
    return Text("event", "Random numbers tested over {count} bytes: all is well", (("count", e.byte_count),))


def _clock(e: service.ClockSet) -> Text:
    if e.error:
        return Text("event", "Clock not set by the {level}: {error}", _args(e, "level", "error"))
    args = (("before", iso(e.before_ms)), ("after", iso(e.after_ms)), ("level", e.level))
    return Text("event", "Clock set from {before} to {after} by the {level}", args)


SERVICE_EVENTS: Final[dict[type[Entry], tuple[str, Callable[[Any], Text]]]] = {
    service.SetUpBegun: ("setting", lambda _: Text("event", "Set-up begun")),
    service.SetUpConfirmed: ("setting", lambda e: Text("event", "Set-up: {step} confirmed by the {level}", _args(e, "step", "level"))),
    service.SetUpDone: ("setting", lambda e: Text("event", "Set-up done by the {level}, digest {digest}", (("level", e.level), ("digest", e.digest[:12])))),
    service.PinChosen: ("setting", lambda e: Text("event", "PIN of the {level} chosen by the {by}", _args(e, "level", "by"))),
    service.RamClearArmed: ("memory", lambda e: Text("event", "RAM clear prepared by the {by}: {reason}", _args(e, "by", "reason"))),
    service.RamClearConfirmed: ("memory", lambda e: Text("event", "RAM clear confirmed by the {by}: {reason}", _args(e, "by", "reason"))),
    service.HopperTestStarted: ("menu", lambda e: Text("event", "Hopper test {test}: {count} coins asked", (("test", e.test_id), ("count", e.coin_count)))),
    service.HopperTestCounted: ("menu", lambda e: Text("event", "Hopper test {test}: {count} coins so far", _coins(e)[:2])),
    service.HopperTestFinished: ("menu", lambda e: Text("event", "Hopper test {test} ended after {count} coins, {reason}", (*_coins(e)[:2], ("reason", e.reason)))),
    service.CoinTested: ("menu", _coin),
    service.HardMeterTested: ("menu", lambda e: Text("event", "Hard meter {meter} advanced by {count} in a test", (("meter", e.meter), ("count", e.step_count)))),
    service.PrinterTested: ("menu", lambda e: Text("event", "Test slip {slip} to be printed", (("slip", e.slip_id),))),
    service.MemoryChecked: ("memory", _memory),
    service.RandomTested: ("menu", _random),
    service.ClockSet: ("setting", _clock),
}  # fmt: skip
"""Class and words of each kind."""
