"""Combinations of blackjack rules that favour the player, by name. Not responsible for refusing them (``profile``)."""

from collections.abc import Mapping

from firmware.games.families.blackjack_rules import BlackjackRules


def player_edges(rules: BlackjackRules) -> Mapping[str, str]:
    """Return name -> reason for what a profile must acknowledge."""
    return {}
