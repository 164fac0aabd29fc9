"""Ed25519: the RFC's published vectors, key files, and what must not verify."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.signing.ed25519 import (
    fingerprint,
    new_key,
    private_key,
    public_key,
    public_pem,
    verify,
)
from firmware.signing.errors import SigningError

# RFC 8032, section 7.1, tests 1 to 3: public key, message, signature.
PUBLISHED = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
)
KEY = new_key()
MESSAGE = b"coin_in 12300\n"
SIGNATURE = KEY.sign(MESSAGE)


@pytest.mark.parametrize(("public", "message", "signature"), PUBLISHED)
def test_published_signatures_verify(public: str, message: str, signature: str) -> None:
    assert verify(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))


def test_a_signature_verifies_with_its_own_key_and_no_other() -> None:
    assert len(SIGNATURE) == 64
    assert verify(KEY.public, MESSAGE, SIGNATURE)
    assert not verify(new_key().public, MESSAGE, SIGNATURE)


@given(st.integers(0, len(MESSAGE) * 8 - 1))
def test_any_changed_bit_of_the_message_is_seen(bit: int) -> None:
    changed = bytearray(MESSAGE)
    changed[bit // 8] ^= 1 << bit % 8
    assert not verify(KEY.public, bytes(changed), SIGNATURE)


@given(st.integers(0, 64 * 8 - 1))
def test_any_changed_bit_of_the_signature_is_seen(bit: int) -> None:
    changed = bytearray(SIGNATURE)
    changed[bit // 8] ^= 1 << bit % 8
    assert not verify(KEY.public, MESSAGE, bytes(changed))


@pytest.mark.parametrize(
    ("public", "signature"),
    [(b"", SIGNATURE), (KEY.public, b""), (KEY.public, SIGNATURE[:-1])],
    ids=["no key", "no signature", "a short signature"],
)
def test_wrong_lengths_do_not_verify_and_raise_nothing(public: bytes, signature: bytes) -> None:
    assert not verify(public, MESSAGE, signature)


def test_keys_go_through_their_files() -> None:
    assert private_key(KEY.pem()).public == KEY.public
    assert public_key(public_pem(KEY.public)) == KEY.public
    assert private_key(KEY.pem("open sesame"), "open sesame").public == KEY.public


@pytest.mark.parametrize(
    ("pem", "passphrase", "words"),
    [
        (b"hello", "", "not a private key"),
        (KEY.pem("secret"), "", "encrypted"),
        (KEY.pem("secret"), "guess", "passphrase is wrong"),
        (KEY.pem(), "secret", "no passphrase"),
        (public_pem(KEY.public), "", "not a private key"),
    ],
    ids=["no key", "no passphrase", "wrong passphrase", "needless passphrase", "a public key"],
)
def test_what_is_no_usable_private_key_is_said(pem: bytes, passphrase: str, words: str) -> None:
    with pytest.raises(SigningError, match=words):
        private_key(pem, passphrase)


def test_a_private_key_is_not_taken_for_a_public_one() -> None:
    with pytest.raises(SigningError, match="not a public key"):
        public_key(KEY.pem())


def test_a_key_of_another_kind_is_refused() -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    other = generate_private_key(SECP256R1())
    pem = other.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(SigningError, match="another kind"):
        private_key(pem)
    public = other.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    with pytest.raises(SigningError, match="another kind"):
        public_key(public)


def test_a_fingerprint_is_eight_groups_that_people_can_compare() -> None:
    assert fingerprint(bytes.fromhex(PUBLISHED[0][0])) == "21fe 31df a154 a261 626b f854 046f d227"


def test_the_package_is_imported_only_when_a_key_is_used() -> None:
    code = (
        "import sys, firmware.signing.ed25519, firmware.signing.terminal_key\n"
        "sys.exit(any(name.startswith('cryptography') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
