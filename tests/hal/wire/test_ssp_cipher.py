"""eSSP: the worked example byte for byte, and whole dialogues with an emulated validator that insists on it."""

import json
from pathlib import Path
from typing import Any

import pytest

from hal.drivers.ssp_key import ssp_cipher
from hal.emulators.ssp import SspValidator
from hal.emulators.ssp_encryption import SlaveKey
from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.events import DeviceLost, DeviceReady, NoteEscrowed, NoteStacked
from hal.wire.ssp_cipher import DEFAULT_FIXED_KEY, GENERATOR, MODULUS, SspCipher
from hal.wire.ssp_host import SspHost
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until

EXAMPLE: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vectors" / "ssp.json").read_text())["encryption"]
PACKETS = {row["name"]: row for row in EXAMPLE["packets"]}


def packet(name: str) -> bytes:
    return b"\x7e" + bytes.fromhex(PACKETS[name]["cipher"])


def test_the_worked_example_in_both_directions() -> None:
    """The example's host secret is larger than its modulus, so it is put in as it is."""
    subject = SspCipher(lambda: 0, DEFAULT_FIXED_KEY, EXAMPLE["generator"], EXAMPLE["modulus"])
    subject._exponent = EXAMPLE["host_secret"]
    subject.key_answer(b"\x4c", EXAMPLE["slave_intermediate"].to_bytes(8, "little"))
    assert subject.seal(b"\x07") == packet("poll, counter 0")
    assert subject.open(packet("OK, counter 1")) == b"\xf0"
    assert subject.seal(b"\x07") == packet("poll, counter 1")
    assert subject.open(packet("OK and credit channel 2, counter 2")) == b"\xf0\xee\x02"


def test_the_worked_example_of_the_slave() -> None:
    slave = SlaveKey(DEFAULT_FIXED_KEY, EXAMPLE["slave_secret"])
    assert slave.command(0x4A, EXAMPLE["generator"]) == b"\xf0"
    assert slave.command(0x4B, EXAMPLE["modulus"]) == b"\xf0"
    answer = slave.command(0x4C, EXAMPLE["host_intermediate"])
    assert int.from_bytes(answer[1:], "little") == EXAMPLE["slave_intermediate"]
    assert slave.unpack(packet("poll, counter 0")[1:]) == b"\x07"
    assert slave.pack(b"\xf0") == packet("OK, counter 1")
    assert slave.unpack(packet("poll, counter 1")[1:]) == b"\x07"
    assert slave.pack(b"\xf0\xee\x02") == packet("OK and credit channel 2, counter 2")


def agreed() -> tuple[SspCipher, SlaveKey]:
    host, slave = SspCipher(lambda: 0xFEDCBA9876543210), SlaveKey(DEFAULT_FIXED_KEY)
    for command in host.key_commands():
        host.key_answer(command, slave.command(command[0], int.from_bytes(command[1:], "little"))[1:])
    return host, slave


def test_both_sides_agree_and_longer_commands_take_more_blocks() -> None:
    host, slave = agreed()
    for length in (1, 8, 9, 10, 25, 26, 60):
        data = bytes(range(1, length + 1))
        assert slave.unpack(host.seal(data)[1:]) == data
        assert host.open(slave.pack(data)) == data


def test_every_flipped_bit_of_a_packet_is_noticed() -> None:
    host, slave = agreed()
    sealed = slave.pack(b"\xf0\xee\x02")
    for bit in range(8, len(sealed) * 8):
        damaged = bytearray(sealed)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(RemoteProtocolError):
            host.open(bytes(damaged))
    assert host.open(sealed) == b"\xf0\xee\x02"


def test_an_answer_of_another_moment_is_refused() -> None:
    host, slave = agreed()
    first = slave.pack(b"\xf0")
    assert host.open(first) == b"\xf0"
    with pytest.raises(RemoteProtocolError, match="counter 1, expected 2"):
        host.open(first)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 18, 31])
def test_half_a_block_is_no_packet(length: int) -> None:
    host, _ = agreed()
    with pytest.raises(RemoteProtocolError):
        host.open(b"\x7e" + bytes(length))


def test_nothing_is_sealed_before_a_key_is_agreed() -> None:
    subject = SspCipher(lambda: 1)
    subject.key_commands()
    with pytest.raises(LocalProtocolError):
        subject.seal(b"\x07")
    with pytest.raises(RemoteProtocolError, match="instead of 8"):
        subject.key_answer(b"\x4c", b"\x01")


def test_the_primes_are_prime_and_in_order() -> None:
    assert GENERATOR > MODULUS
    for prime in (GENERATOR, MODULUS):
        assert all(pow(base, prime - 1, prime) == 1 for base in (2, 3, 5, 7, 11, 13))
        assert all(prime % divisor for divisor in range(3, 10_000, 2))


def line(fixed_key: int = DEFAULT_FIXED_KEY) -> LoopNoteRig[SspValidator]:
    device = SspValidator(key=SlaveKey(DEFAULT_FIXED_KEY), insists_on_key=True)
    rig = LoopNoteRig(device, lambda: SspHost("notes", "EUR", cipher=ssp_cipher(fixed_key)))
    rig.boot()
    return rig


def test_a_note_through_an_encrypted_line() -> None:
    rig = line()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([2_000])
    rig.run(1_000)
    rig.insert(2_000)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    rig.subject.stack(heard(rig, NoteEscrowed)[0].escrow_id)
    rig.do("drop_next")
    run_until(rig, lambda: heard(rig, NoteStacked))
    rig.subject.confirm(heard(rig, NoteStacked)[0].key)
    rig.run(3_000)
    assert len(heard(rig, NoteStacked)) == 1
    assert not any(sent[3:4] == b"\x56" for sent in rig.port.sent), "no poll in the clear"


def test_a_validator_that_lost_its_key_is_agreed_with_anew() -> None:
    rig = line()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.do("restart")
    run_until(rig, lambda: len(heard(rig, DeviceReady)) == 2)
    assert "forgotten its key" in heard(rig, DeviceLost)[0].reason


def test_the_wrong_half_of_the_key_never_works() -> None:
    rig = line(fixed_key=0x1111111111111111)
    rig.run(30_000)
    assert not heard(rig, DeviceReady)
    assert heard(rig, DeviceLost)


class InTheClear(SspValidator):
    """Somebody on the line who answers a credit without the key."""

    lies = False

    def _execute_sealed(self, command: bytes) -> bytes:
        return b"\xf0\xee\x03" if self.lies else super()._execute_sealed(command)


def test_an_answer_in_the_clear_is_not_believed() -> None:
    device = InTheClear(key=SlaveKey(DEFAULT_FIXED_KEY))
    rig = LoopNoteRig(device, lambda: SspHost("notes", "EUR", cipher=ssp_cipher()))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    device.lies = True
    rig.run(10_000)
    assert not heard(rig, NoteStacked)
    assert "not encrypted" in heard(rig, DeviceLost)[0].reason
