"""What ccTalk frames say, read from bytes."""

from collections.abc import Callable

import pytest

from hal.errors import RemoteProtocolError
from hal.wire import cctalk_messages as message
from hal.wire.cctalk_messages import HopperStatus, Scaling


@pytest.mark.parametrize(
    ("coin_id", "minor"),
    [
        (b"EU010A", 10),
        (b"EU200A", 200),
        (b"EU1K0A", 1_000),
        (b"EU10KA", 10_000),
        (b"EUK50A", 500),
        (b"EU2M0A", 2_000_000),
        (b"GB100A", 0),
        (b"TK001A", 0),
        (b"......", 0),
        (b"EU1m0A", 0),
        (b"EU..0A", 0),
        (b"EU\xb2\xb200", 0),
    ],
)
def test_a_coin_is_worth_what_its_identifier_says_or_nothing(coin_id: bytes, minor: int) -> None:
    assert message.coin_value_minor(coin_id, "EU") == minor


@pytest.mark.parametrize(
    ("bill_id", "scaling", "minor"),
    [
        (b"EU0005A", Scaling(100, 2), 500),
        (b"EU0005A", Scaling(1, 0), 500),
        (b"EU0010A", Scaling(1_000, 3), 1_000),
        (b"EU0001A", Scaling(1, 3), 0),
        (b"EU1K00A", Scaling(100, 2), 100_000),
        (b"GB0005A", Scaling(100, 2), 0),
        (b".......", Scaling(100, 2), 0),
        (b"EU0005A", Scaling(0, 0), 0),
    ],
)
def test_a_bill_is_worth_value_times_scaling_or_nothing(bill_id: bytes, scaling: Scaling, minor: int) -> None:
    assert message.bill_value_minor(bill_id, "EU", scaling) == minor


def test_scaling_is_least_significant_byte_first() -> None:
    assert message.parse_scaling(b"\xe8\x03\x02") == Scaling(1_000, 2)


def test_inhibits_let_in_what_is_named_and_nothing_else() -> None:
    assert message.inhibit_mask(frozenset()) == b"\0\0"
    assert message.inhibit_mask(frozenset((1, 3, 9, 16))) == b"\x05\x81"


@pytest.mark.parametrize(
    ("data", "interval_ms"),
    [
        (b"\x01\x64", 100),
        (b"\x02\x14", 200),
        (b"\x03\x02", 2_000),
        (b"\0\0", None),
        (b"\0\xff", None),
        (b"\x09\x05", None),
    ],
)
def test_the_poll_interval_has_units(data: bytes, interval_ms: int | None) -> None:
    assert message.poll_interval_ms(data) == interval_ms


def test_the_serial_number_is_least_significant_byte_first() -> None:
    assert message.serial_number(b"\x59\x47\x51") == "5326681"


def test_text_that_is_no_ascii_is_shown_as_such() -> None:
    assert message.text(b"SR5 \xff\0") == "SR5 ?"


@pytest.mark.parametrize("said", ["Coin Acceptor", "coin_acceptor", "Coin Acceptor v2"])
def test_makers_spell_categories_in_their_own_way(said: str) -> None:
    assert message.is_category(said, "Coin Acceptor")
    assert not message.is_category("Payout", "Coin Acceptor")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\0", None),
        (b"\x14\x03", ("string", "self-check reports fault 20 (3)")),
        (b"\x19", ("jam", "self-check reports fault 25")),
        (b"\x2c", ("cash_box_removed", "self-check reports fault 44")),
        (b"\xff", ("internal", "self-check reports fault 255")),
    ],
)
def test_a_self_check_names_a_fault(data: bytes, fault: tuple[str, str] | None) -> None:
    assert message.self_check_fault(data) == fault


def test_hopper_answers_are_read() -> None:
    assert message.parse_hopper_status(b"\1\3\2\0") == HopperStatus(1, 3, 2, 0)
    assert message.parse_hopper_test(b"\xc0\0") == message.POWER_UP_BIT | message.DISABLED_BIT
    assert message.parse_hopper_test(b"\x80\0\1") == message.DISABLED_BIT | message.POWER_LOST_WHILE_PAYING_BIT


@pytest.mark.parametrize(
    "read",
    [
        lambda: message.coin_value_minor(b"EU010", "EU"),
        lambda: message.bill_value_minor(b"EU0005", "EU", Scaling(1, 0)),
        lambda: message.parse_scaling(b"\x01\0"),
        lambda: message.parse_scaling(b"\x01\0\x07"),
        lambda: message.poll_interval_ms(b"\x01"),
        lambda: message.parse_buffer(bytes(10)),
        lambda: message.self_check_fault(b""),
        lambda: message.parse_hopper_status(bytes(3)),
        lambda: message.parse_hopper_test(b""),
        lambda: message.parse_hopper_test(bytes(4)),
    ],
)
def test_answers_of_the_wrong_shape_are_the_remote_side_s_mistake(read: Callable[[], object]) -> None:
    with pytest.raises(RemoteProtocolError):
        read()
