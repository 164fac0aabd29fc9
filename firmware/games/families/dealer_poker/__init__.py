"""Dealer poker: Caribbean, Oasis, Oasis with jackpot and Russian Poker, all profiles of the same rules."""

from firmware.games.families.dealer_poker.game import FAMILY

__all__ = ["FAMILY"]
