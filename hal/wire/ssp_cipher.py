"""eSSP: agreement on a key with an SSP validator, and the encrypted packets in which commands then travel.

Diffie-Hellman over 64-bit numbers and AES-128 block by block: by today's measure weak, so this keeps a line in order and
is not security. Not responsible for when keys are agreed (``hal.wire.ssp_host``) or where secret numbers come from.
"""

from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire.ssp import checksum
from hal.wire.ssp_messages import KEY_EXCHANGE, SET_GENERATOR, SET_MODULUS

_MARK = 0x7E
_BLOCK = 16
_HEADER = 5  # length and counter
MODULUS = 2**61 - 1
"""A prime; the protocol wants one that is smaller than the generator."""
GENERATOR = 2**63 - 25
"""The largest prime below 2**63."""
DEFAULT_FIXED_KEY = 0x0123456701234567


class SspCipher:
    """See ``hal.wire.ssp_link.Cipher``. ``fixed_key`` is the site's half of the key; ``secret`` gives random 64-bit numbers."""

    def __init__(
        self,
        secret: Callable[[], int],
        fixed_key: int = DEFAULT_FIXED_KEY,
        generator: int = GENERATOR,
        modulus: int = MODULUS,
    ) -> None:
        self._secret = secret
        self._fixed_key = fixed_key
        self._generator = generator
        self._modulus = modulus
        self._exponent = 0
        self._aes: Cipher[modes.ECB] | None = None
        self._counter = 0

    @property
    def has_key(self) -> bool:
        """Whether the key is agreed."""
        return self._aes is not None

    def key_commands(self) -> tuple[bytes, ...]:
        """Begin a new key exchange; return its commands in order."""
        self._aes = None
        self._exponent = self._secret() % (self._modulus - 2) + 1
        intermediate = pow(self._generator, self._exponent, self._modulus)
        numbers = ((SET_GENERATOR, self._generator), (SET_MODULUS, self._modulus), (KEY_EXCHANGE, intermediate))
        return tuple(bytes((code,)) + number.to_bytes(8, "little") for code, number in numbers)

    def key_answer(self, command: bytes, data: bytes) -> None:
        """Take the answer (without OK) to one of them. Raises RemoteProtocolError for a key of a wrong length."""
        if command[0] != KEY_EXCHANGE:
            return
        if len(data) != 8:
            raise RemoteProtocolError(f"SSP intermediate key of {len(data)} bytes instead of 8")
        shared = pow(int.from_bytes(data, "little"), self._exponent, self._modulus)
        key = self._fixed_key.to_bytes(8, "little") + shared.to_bytes(8, "little")
        self._aes = Cipher(algorithms.AES128(key), modes.ECB())  # noqa: S305 - the protocol has no other mode
        self._counter = 0

    def seal(self, data: bytes) -> bytes:
        """Return the packet of a command. Raises LocalProtocolError before a key is agreed."""
        plain = bytes((len(data),)) + self._counter.to_bytes(4, "little") + data
        plain += bytes(-(len(plain) + 2) % _BLOCK)
        plain += checksum(plain).to_bytes(2, "little")
        encryptor = self._agreed().encryptor()
        return bytes((_MARK,)) + encryptor.update(plain) + encryptor.finalize()

    def open(self, packet: bytes) -> bytes:
        """Return the data of a packet, which must answer the last command.

        Raises RemoteProtocolError for any other, LocalProtocolError before a key is agreed.
        """
        if len(packet) < 1 + _BLOCK or (len(packet) - 1) % _BLOCK or packet[0] != _MARK:
            raise RemoteProtocolError(f"SSP packet of {len(packet)} bytes is no whole number of blocks")
        decryptor = self._agreed().decryptor()
        plain = decryptor.update(packet[1:]) + decryptor.finalize()
        if checksum(plain[:-2]) != int.from_bytes(plain[-2:], "little"):
            raise RemoteProtocolError("SSP packet with a wrong checksum inside: the keys differ")
        length, counter = plain[0], int.from_bytes(plain[1:_HEADER], "little")
        if counter != self._counter + 1:
            raise RemoteProtocolError(f"SSP packet has counter {counter}, expected {self._counter + 1}")
        if not 0 < length <= len(plain) - _HEADER - 2:
            raise RemoteProtocolError(f"SSP packet claims {length} bytes")
        self._counter = counter
        return plain[_HEADER : _HEADER + length]

    def _agreed(self) -> Cipher[modes.ECB]:
        if self._aes is None:
            raise LocalProtocolError("no SSP key is agreed yet")
        return self._aes
