"""Verifiable shuffles: a shoe is committed to before the stakes, cut by the player, and opened for proof afterwards."""
