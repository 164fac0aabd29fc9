"""Identifiers: how terminals, epochs, entries, rounds and transfers are named.

An id derives from its cause, so that the same cause can never be counted twice. Not responsible for uniqueness in a
store; the journal's keys enforce that.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class EntryId:
    """An entry's name in the whole venue: terminal, epoch (raised by each RAM clear) and sequence number."""

    terminal: str
    epoch: int
    seq: int

    def __str__(self) -> str:
        return f"{self.terminal}/{self.epoch}/{self.seq}"


def round_id(epoch: int, number: int) -> str:
    """Return the id of the ``number``-th round (from 1) of an epoch."""
    return f"r{epoch}-{number}"


def device_key(serial: str, epoch: int, event: int) -> str:
    """Return the key of a device's event: serial number, the device's own reset count, and its event counter."""
    return f"{serial}:{epoch}:{event}"


def number_of_round(round_id_text: str) -> int:
    """Return the number in the id of a round, 0 for a text that is none."""
    number = round_id_text.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def payout_id(epoch: int, number: int) -> str:
    """Return the id of the ``number``-th cash-out (from 1) of an epoch."""
    return f"p{epoch}-{number}"


def hopper_test_id(epoch: int, number: int) -> str:
    """Return the id of the ``number``-th pay test of the hopper (from 1) of an epoch; no cash-out has such an id."""
    return f"t{epoch}-{number}"


def void_slip_id(epoch: int, number: int) -> str:
    """Return the id of the ``number``-th test slip (from 1) of an epoch."""
    return f"void{epoch}-{number}"


def shoe_id(epoch: int, number: int) -> str:
    """Return the id of the ``number``-th shoe (from 1) that was prepared in an epoch."""
    return f"shoe{epoch}-{number}"


def laid_shoe_id(epoch: int, round_number: int) -> str:
    """Return the id of a shoe whose first cards were laid down for a round; a simulator alone has such shoes."""
    return f"s{epoch}-{round_number}"
