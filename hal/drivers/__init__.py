"""Drivers: what connects the wire protocols and the pins to ports, chips and threads."""
