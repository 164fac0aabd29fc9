"""The checksum of SSP as a device computes it, bit by bit; frames and encrypted packets both carry it."""


def crc_8005(data: bytes) -> int:
    """Return the CRC-16 of ``data``: polynomial 8005, start value FFFF."""
    remainder = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            carry = (remainder >> 15) ^ (byte >> bit & 1)
            remainder = remainder << 1 & 0xFFFF
            if carry:
                remainder ^= 0x8005
    return remainder
