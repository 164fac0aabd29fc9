"""The slave's side of eSSP for the emulated validator: its half of the key agreement, and sealed packets.

Written from the published example (tests/vectors), not from the host.
"""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from hal.emulators.ssp_crc import crc_8005

SLAVE_SECRET = 0x89ABCD
"""A device in a test needs no secret that is one."""


class SlaveKey:
    """Keys and counter of one validator."""

    def __init__(self, fixed_half: int, secret: int = SLAVE_SECRET) -> None:
        self._fixed_half = fixed_half
        self._secret = secret
        self.forget()

    def forget(self) -> None:
        """Power was lost, or the host begins anew."""
        self._generator = self._modulus = 0
        self._aes: Cipher[modes.ECB] | None = None
        self.count = 0

    @property
    def is_agreed(self) -> bool:
        """Whether packets can be opened."""
        return self._aes is not None

    def command(self, code: int, number: int) -> bytes:
        """Answer SET GENERATOR (4A), SET MODULUS (4B) or KEY EXCHANGE (4C)."""
        if code == 0x4A:
            self._generator = number
        elif code == 0x4B:
            self._modulus = number
        elif self._generator > 1 and self._modulus > 2:  # the maker's own host does not mind which is larger
            half = pow(number, self._secret, self._modulus)
            key = self._fixed_half.to_bytes(8, "little") + half.to_bytes(8, "little")
            self._aes = Cipher(algorithms.AES128(key), modes.ECB())  # noqa: S305 - the protocol has no other mode
            self.count = 0
            return b"\xf0" + pow(self._generator, self._secret, self._modulus).to_bytes(8, "little")
        else:
            return b"\xf4"
        return b"\xf0"

    def unpack(self, blocks: bytes) -> bytes | None:
        """Return the command in a packet; None for one that does not fit key or counter."""
        if self._aes is None or not blocks or len(blocks) % 16:
            return None
        decryptor = self._aes.decryptor()
        plain = decryptor.update(blocks) + decryptor.finalize()
        length, count = plain[0], int.from_bytes(plain[1:5], "little")
        if crc_8005(plain[:-2]) != int.from_bytes(plain[-2:], "little") or count != self.count:
            return None
        return plain[5 : 5 + length]

    def pack(self, answer: bytes) -> bytes:
        """Return an answer as a packet with the next count."""
        if self._aes is None:
            return answer
        self.count += 1
        plain = bytes([len(answer)]) + self.count.to_bytes(4, "little") + answer
        while len(plain) % 16 != 14:
            plain += b"\0"
        plain += crc_8005(plain).to_bytes(2, "little")
        encryptor = self._aes.encryptor()
        return b"\x7e" + encryptor.update(plain) + encryptor.finalize()
