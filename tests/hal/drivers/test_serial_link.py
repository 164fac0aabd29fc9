import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from hypothesis import given
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from hal.drivers.serial_link import LineSettings, SerialLink, _Unmarker, list_ports
from hal.errors import PortError

NEVER = os.pipe()[0]


@pytest.fixture
def pair() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the far end's descriptor and the name of ours."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


@pytest.mark.parametrize("parity", ["none", "even"])
def test_every_byte_goes_through_both_ways(pair: tuple[int, str], parity: str) -> None:
    far, name = pair
    link = SerialLink(name, LineSettings(parity=parity))  # type: ignore[arg-type]
    link.open()
    everything = bytes(range(256)) + b"\xff\xff\xff\x00\xff"
    os.write(far, everything)
    got = b""
    while len(got) < len(everything):
        incoming = link.read(5_000, NEVER)
        assert len(incoming.runs) == 1
        got += incoming.runs[0]
    assert got == everything
    link.write(everything)
    link.drain()
    assert os.read(far, 4096) == everything
    link.close()


def test_read_ends_at_its_time_and_at_a_wake(pair: tuple[int, str]) -> None:
    link = SerialLink(pair[1])
    link.open()
    assert link.read(0, NEVER).runs == ()
    reader, writer = os.pipe()
    os.write(writer, b"x")
    assert link.read(None, reader).runs == ()
    link.close()
    link.close()
    assert not link.is_open


def test_old_bytes_are_forgotten_at_opening(pair: tuple[int, str]) -> None:
    os.write(pair[0], b"left over")
    link = SerialLink(pair[1])
    link.open()
    assert link.read(0, NEVER).runs == ()
    link.close()


def test_a_port_is_ours_alone(pair: tuple[int, str]) -> None:
    first, second = SerialLink(pair[1]), SerialLink(pair[1])
    first.open()
    with pytest.raises(PortError, match="another program uses the port; stop it"):
        second.open()
    first.close()
    second.open()
    second.close()


def test_a_missing_port_is_named_with_the_remedy() -> None:
    with pytest.raises(PortError, match=r"/dev/serial/by-id/nothing: no such port; plug the device in"):
        SerialLink("/dev/serial/by-id/nothing").open()


def test_a_file_is_not_a_port(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(PortError, match="not a serial port"):
        SerialLink(str(path)).open()


def test_no_permission_names_the_group(mocker: MockerFixture) -> None:
    mocker.patch.object(serial.Serial, "open", side_effect=serial.SerialException(13, "Permission denied"))
    with pytest.raises(PortError, match="group dialout"):
        SerialLink("/dev/ttyUSB0").open()


def test_a_vanished_port_is_a_port_error() -> None:
    far, near = os.openpty()
    tty.setraw(near)
    link = SerialLink(os.ttyname(near))
    link.open()
    os.close(near)
    os.close(far)
    with pytest.raises(PortError, match="has gone"):
        link.read(5_000, NEVER)
    with pytest.raises(PortError, match="has gone"):
        link.write(b"x")
    link.close()


def test_reading_a_closed_link_is_a_port_error() -> None:
    with pytest.raises(PortError, match="not open"):
        SerialLink("/dev/ttyS9").read(0, NEVER)


def test_ports_can_be_listed() -> None:
    assert all(port.path and port.device for port in list_ports())


def marked(good_or_damaged: list[tuple[int, bool]]) -> bytes:
    """What the kernel makes of bytes of which some are damaged."""
    out = b""
    for byte, damaged in good_or_damaged:
        out += bytes([0xFF, 0, byte]) if damaged else b"\xff\xff" if byte == 0xFF else bytes([byte])
    return out


@given(
    st.lists(st.tuples(st.one_of(st.integers(0, 255), st.sampled_from([0, 255])), st.booleans()), max_size=60),
    st.lists(st.integers(1, 7), max_size=80),
)
def test_damaged_bytes_are_found_however_the_reads_are_cut(line: list[tuple[int, bool]], cuts: list[int]) -> None:
    unmark, data = _Unmarker(marked=True), marked(line)
    runs: list[bytes] = [b""]
    for size in [*cuts, len(data)]:
        chunk, data = data[:size], data[size:]
        if chunk:
            first, *rest = unmark.feed(chunk)
            runs[-1] += first
            runs.extend(rest)
    expected: list[bytes] = [b""]
    for byte, damaged in line:
        if damaged:
            expected.append(b"")
        else:
            expected[-1] += bytes([byte])
    assert runs == expected
