"""Ed25519 keys and signatures, as thin names over the package cryptography, which is imported when a key is first used.

Keys are PEM files (PKCS #8 and SubjectPublicKeyInfo) and signatures are the 64 bytes of RFC 8032, so ``openssl pkeyutl``
can check what Croupier signed. Not responsible for where keys lie (``terminal_key``, ``trust``) or what is signed.
"""

import hashlib
from typing import TYPE_CHECKING, Final

from firmware.signing.errors import SigningError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SIGNATURE_BYTES: Final = 64
PUBLIC_BYTES: Final = 32
_FINGERPRINT_BYTES: Final = 16


class PrivateKey:
    """A key that signs. It never shows itself in a ``repr``; only ``pem`` gives it away."""

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key

    def sign(self, data: bytes) -> bytes:
        """Return the signature of these bytes, 64 bytes long; the same for the same bytes."""
        return self._key.sign(data)

    @property
    def public(self) -> bytes:
        """The public half, 32 bytes."""
        return self._key.public_key().public_bytes_raw()

    def pem(self, passphrase: str = "") -> bytes:
        """Return the private key as a PEM file, encrypted if there is a passphrase."""
        from cryptography.hazmat.primitives import serialization

        secret: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase:
            secret = serialization.BestAvailableEncryption(passphrase.encode())
        return self._key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret)


def new_key() -> PrivateKey:
    """Make a key from the operating system's entropy."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return PrivateKey(Ed25519PrivateKey.generate())


def private_key(pem: bytes, passphrase: str = "") -> PrivateKey:
    """Read a private key from a PEM file's bytes.

    Raises:
        SigningError: they are not an Ed25519 key, or the passphrase is missing or wrong.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_pem_private_key(pem, passphrase.encode() if passphrase else None)
    except TypeError:  # how the package tells that a passphrase is missing, or is there for a key without one
        raise SigningError(
            "the key has no passphrase" if passphrase else "the key is encrypted; give its passphrase"
        ) from None
    except ValueError:
        raise SigningError("not a private key as a PEM file, or the passphrase is wrong") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningError("a key of another kind than Ed25519")
    return PrivateKey(key)


def public_pem(public: bytes) -> bytes:
    """Return a public key as a PEM file."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def public_key(pem: bytes) -> bytes:
    """Read a public key from a PEM file's bytes; returns its 32 bytes. Raises SigningError for anything else."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = serialization.load_pem_public_key(pem)
    except ValueError:
        raise SigningError("not a public key as a PEM file") from None
    if not isinstance(key, Ed25519PublicKey):
        raise SigningError("a key of another kind than Ed25519")
    return key.public_bytes_raw()


def verify(public: bytes, data: bytes, signature: bytes) -> bool:
    """Tell whether a signature over these bytes was made with the private half of a public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):  # ValueError: a public key of another length
        return False
    return True


def fingerprint(public: bytes) -> str:
    """Return what people compare of a public key: the first 128 bits of its SHA-256, as eight groups of four digits."""
    digits = hashlib.sha256(public).hexdigest()[: _FINGERPRINT_BYTES * 2]
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
