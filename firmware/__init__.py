"""Croupier, the firmware of a casino card-table terminal."""

__version__ = "0.1.0"
