"""Saying what has been seen, and what is not as it must be."""

import time

BEGAN = time.monotonic()


class WrongError(Exception):
    """Something is not as it must be."""


def tell(text: str) -> None:
    """Say what has been seen, and when."""
    print(f"croupier test: systemd: [{time.monotonic() - BEGAN:5.1f} s] {text}", flush=True)


def expect(is_so: bool, otherwise: str) -> None:
    """Raise WrongError unless something is so."""
    if not is_so:
        raise WrongError(otherwise)
