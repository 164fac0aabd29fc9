"""What goes wrong in a cabinet while somebody plays: jams, cuts, lost and repeated answers, short hoppers.

Each trouble is something that happens to hardware; none of them touches the program. Not responsible for putting the house
in order again (``campaign``), nor for how often which trouble comes.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tests.drop.cabinets import EmulatedCabinetUnderTest

if TYPE_CHECKING:
    from tests.drop.campaign import Campaign

FULL_HOPPER: Final = 400
NOTES_MINOR: Final = (500, 1_000, 2_000)
"""Notes that every emulated acceptor knows."""
LINES: Final = ("notes", "coins", "hopper")


def power_cut(campaign: "Campaign") -> None:
    """The plug is pulled and put back."""
    campaign.cabinet.cut_power()
    campaign.cabinet.boot()
    campaign.cabinet.settle(2_000)


def power_cut_with_a_note_inside(campaign: "Campaign") -> None:
    """The plug is pulled somewhere on a note's way."""
    if campaign.cabinet.world.readings.note_state in ("ready", "disabled"):
        campaign.hand("insert_note", 1_000, wait_ms=campaign.chance.randrange(900))
    power_cut(campaign)


def power_cut_with_a_coin_falling(campaign: "Campaign") -> None:
    """The plug is pulled while a coin passes."""
    campaign.hand("insert_coin", 100, wait_ms=campaign.chance.randrange(200))
    power_cut(campaign)


def power_cut_while_the_hopper_pays(campaign: "Campaign") -> None:
    """The plug is pulled somewhere in a pay-out."""
    campaign.cabinet.press_if_there("cash_out")
    campaign.cabinet.wait(campaign.chance.randrange(4_000))
    power_cut(campaign)
    campaign.leave()


def program_killed(campaign: "Campaign") -> None:
    """Only the program dies, with or without a note on its way."""
    if campaign.chance.random() < 0.5:
        campaign.hand("insert_note", 500, wait_ms=campaign.chance.randrange(900))
    campaign.cabinet.kill()
    campaign.cabinet.wait(campaign.chance.randrange(500))
    campaign.cabinet.boot()


def coin_jam(campaign: "Campaign") -> None:
    """A coin gets stuck."""
    campaign.hand("insert_coin", 100, wait_ms=campaign.chance.randrange(300))
    campaign.hand("jam", "coins")
    campaign.hand("clear_jam", "coins", wait_ms=1_000)


def note_jam(campaign: "Campaign") -> None:
    """A note gets stuck."""
    campaign.hand("insert_note", 500, wait_ms=campaign.chance.randrange(1_500))
    campaign.hand("jam", "notes")
    campaign.hand("clear_jam", "notes", wait_ms=2_000)


def hopper_empty(campaign: "Campaign") -> None:
    """The hopper has too few coins for what is owed: the rest is paid by hand."""
    campaign.set_hopper(campaign.chance.randrange(6))
    campaign.cash_out()
    campaign.set_hopper(FULL_HOPPER)
    campaign.leave()


def hopper_jam_while_paying(campaign: "Campaign") -> None:
    """The wheel gets stuck in a pay-out."""
    campaign.cabinet.press_if_there("cash_out")
    campaign.cabinet.wait(campaign.chance.randrange(3_000))
    campaign.hand("jam", "hopper", wait_ms=3_000)
    campaign.hand("clear_jam", "hopper", wait_ms=3_000)
    campaign.leave()


def notes_come_back(campaign: "Campaign") -> None:
    """A note that the acceptor does not know, and one while a door is open."""
    campaign.hand("insert_note", 500, damaged=True, wait_ms=1_500)
    campaign.hand("open_door", "main", wait_ms=100)
    campaign.hand("insert_note", 500, wait_ms=1_500)
    campaign.hand("close_door", "main", wait_ms=300)
    campaign.cabinet.world.take_returned()


def cable_pulled(campaign: "Campaign") -> None:
    """A data cable comes off in the middle of something and is put back."""
    line = campaign.chance.choice(LINES)
    _something_moves(campaign, line)
    campaign.hand("unplug", line, wait_ms=campaign.chance.randrange(200, 2_000))
    campaign.hand("plug", line, wait_ms=200)
    campaign.cabinet.settle(2_000)
    if line == "hopper":
        campaign.leave()


def answers_lost(campaign: "Campaign") -> None:
    """Some answers never arrive; the device believes that it sent them."""
    _disturb(campaign, "drop_next", times=campaign.chance.randrange(1, 4))


def answers_garbled(campaign: "Campaign") -> None:
    """Some answers arrive with a wrong bit."""
    _disturb(campaign, "corrupt_next", times=campaign.chance.randrange(1, 4))


def answers_twice(campaign: "Campaign") -> None:
    """Some answers arrive once more, unasked."""
    _disturb(campaign, "repeat_last", times=campaign.chance.randrange(1, 4))


def device_silent(campaign: "Campaign") -> None:
    """A device does what it is told but says nothing for some seconds."""
    _disturb(campaign, "silence", campaign.chance.randrange(200, 4_000), times=1)


def device_restarts(campaign: "Campaign") -> None:
    """A dip in the supply of one device: it forgets what it was told."""
    line = campaign.chance.choice(LINES)
    _something_moves(campaign, line)
    _emulated(campaign).hardware.disturb(line, "power_cut")
    campaign.cabinet.wait(campaign.chance.randrange(50, 1_500))
    _emulated(campaign).hardware.disturb(line, "power_on")
    campaign.cabinet.settle(2_000)
    if line == "hopper":
        campaign.leave()


def _disturb(campaign: "Campaign", verb: str, *arguments: int, times: int) -> None:
    line = campaign.chance.choice(LINES)
    _something_moves(campaign, line)
    for _ in range(times):
        _emulated(campaign).hardware.disturb(line, verb, *arguments)
        campaign.cabinet.wait(campaign.chance.randrange(20, 300))
    campaign.cabinet.settle(2_000)
    if line == "hopper":
        campaign.leave()


def _something_moves(campaign: "Campaign", line: str) -> None:
    """Money sets out on its way, and time passes until somewhere on it."""
    if line == "notes":
        campaign.hand("insert_note", campaign.chance.choice(NOTES_MINOR), wait_ms=campaign.chance.randrange(900))
    elif line == "coins":
        campaign.hand("insert_coin", 100, wait_ms=campaign.chance.randrange(200))
    else:
        campaign.cabinet.press_if_there("cash_out")
        campaign.cabinet.wait(campaign.chance.randrange(2_000))


def _emulated(campaign: "Campaign") -> EmulatedCabinetUnderTest:
    if not isinstance(campaign.cabinet, EmulatedCabinetUnderTest):
        raise TypeError("only byte-level devices have lines that can be disturbed")
    return campaign.cabinet


Trouble = Callable[["Campaign"], None]
ANYWHERE: Final[tuple[Trouble, ...]] = (
    power_cut,
    power_cut_with_a_note_inside,
    power_cut_with_a_coin_falling,
    power_cut_while_the_hopper_pays,
    program_killed,
    coin_jam,
    note_jam,
    hopper_empty,
    hopper_jam_while_paying,
    notes_come_back,
    cable_pulled,
)
ON_LINES: Final[tuple[Trouble, ...]] = (answers_lost, answers_garbled, answers_twice, device_silent, device_restarts)


def troubles_of(campaign: "Campaign") -> tuple[Trouble, ...]:
    """Return what can go wrong in the campaign's cabinet."""
    return (*ANYWHERE, *ON_LINES) if isinstance(campaign.cabinet, EmulatedCabinetUnderTest) else ANYWHERE
