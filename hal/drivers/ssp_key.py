"""Encryption for an SSP line. The cipher's package is imported when a line wants it, not when the program starts."""

import secrets

from hal.wire.ssp_link import Cipher

DEFAULT_FIXED_KEY = 0x0123456701234567
"""What validators leave the factory with; a site should change it."""


def ssp_cipher(fixed_key: int = DEFAULT_FIXED_KEY) -> Cipher:
    """Return a cipher for ``ssp_note_acceptor``."""
    from hal.wire.ssp_cipher import SspCipher

    return SspCipher(lambda: secrets.randbits(64), fixed_key)
