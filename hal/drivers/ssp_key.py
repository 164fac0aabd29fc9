"""Encryption for an SSP line, if the package it needs is installed."""

import secrets

from hal.errors import WiringError
from hal.wire.ssp_link import Cipher

DEFAULT_FIXED_KEY = 0x0123456701234567
"""What validators leave the factory with; a site should change it."""


def ssp_cipher(fixed_key: int = DEFAULT_FIXED_KEY) -> Cipher:
    """Return a cipher for ``ssp_note_acceptor``. Raises ``WiringError`` where the extra ``essp`` is not installed."""
    try:
        from hal.wire.ssp_cipher import SspCipher
    except ImportError as error:
        raise WiringError(
            "encryption of SSP needs the package cryptography; install it: pip install 'croupier[essp]'"
        ) from error
    return SspCipher(lambda: secrets.randbits(64), fixed_key)
