"""What can go wrong with keys and signatures: one line that says what to do."""

from firmware.errors import UserError


class SigningError(UserError):
    """A key can't be read, made or used."""
