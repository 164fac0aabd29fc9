"""Simulation: a named strategy plays the real rules for many rounds, offline, with a seeded shuffle."""
