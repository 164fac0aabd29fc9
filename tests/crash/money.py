"""What the player's credit must be, in a few lines that share nothing with the books."""

from collections.abc import Sequence

from firmware.entries import types as entry


def money_of(entries: Sequence[entry.Entry]) -> int:
    """Return the credit in minor units that these entries leave."""
    credit_minor = 0
    for happened in entries:
        match happened:
            case entry.NoteCredited() | entry.CoinCredited():
                credit_minor += happened.amount_minor
            case entry.RoundOpened() | entry.RoundActed():
                credit_minor -= happened.cost_minor
            case entry.RoundSettled():
                credit_minor += happened.paid_minor
            case entry.RoundVoided():
                credit_minor += happened.refunded_minor
            case entry.CashOutStarted():
                credit_minor -= happened.amount_minor
            case _:
                pass
    return credit_minor
