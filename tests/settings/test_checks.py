import pytest

from firmware.settings.loader import check
from tests.settings.samples import CABINET, DELETE, SIMULATOR, changed


def lines(changes: dict[str, object], base: str = CABINET) -> list[str]:
    """Problems of a changed sample, as `key: found X, expected Y`."""
    _, problems = check(changed(base, changes))
    return [f"{problem.key}: found {problem.found}, expected {problem.expected}" for problem in problems]


def test_pin_used_twice_is_found_across_all_tables() -> None:
    assert lines({"gpio.tower": {"red": 17}, "gpio.hopper": {"motor": {"pin": 24, "active": "low"}}}) == [
        "gpio.tower.red: found pin 17, which gpio.doors.main has as well, expected a pin of its own",
        "gpio.hopper.motor: found pin 24, which gpio.keys.operator has as well, expected a pin of its own",
    ]


def test_simulated_devices_are_refused_in_a_cabinet() -> None:
    assert lines(
        {
            "devices.coin_acceptor": {"backend": "simulated"},
            "devices.note_acceptor": {"backend": "emulated", "emulates": "ssp"},
            "gpio.backend": "simulated",
        }
    ) == [
        'devices.note_acceptor.backend: found "emulated", expected a real device or none, as terminal.mode is cabinet',
        'devices.coin_acceptor.backend: found "simulated", expected a real device or none, as terminal.mode is cabinet',
        'gpio.backend: found "simulated", expected rpi_gpio or gpiod, as terminal.mode is cabinet',
    ]


def test_seed_is_refused_in_a_cabinet_and_taken_in_a_simulator() -> None:
    assert lines({"terminal.seed": 4}) == [
        "terminal.seed: found 4, expected nothing: a cabinet's cards come from entropy alone"
    ]
    assert lines({"terminal.seed": 4}, SIMULATOR) == []


def test_cabinet_needs_its_keys_and_main_door() -> None:
    assert [line.split(":")[0] for line in lines({"gpio.keys": DELETE, "gpio.doors": DELETE})] == [
        "gpio.keys.attendant",
        "gpio.keys.operator",
        "gpio.doors.main",
    ]


def test_refused_mode_gives_one_message_and_no_guess_about_the_rest() -> None:
    assert lines({"terminal.mode": "cabinet!", "terminal.seed": 4}) == [
        'terminal.mode: found "cabinet!", expected one of "simulator", "demo", "cabinet"'
    ]


def test_port_shared_by_other_than_cctalk_devices_is_refused() -> None:
    assert lines({"devices.note_acceptor.port": "/dev/serial/by-id/bus"}) == [
        "devices.coin_acceptor.port: found /dev/serial/by-id/bus, which devices.note_acceptor has as well, "
        "expected a port of its own: only ccTalk is a bus",
        "devices.hopper.port: found /dev/serial/by-id/bus, which devices.note_acceptor has as well, "
        "expected a port of its own: only ccTalk is a bus",
    ]


def test_same_address_on_one_bus_is_refused_even_when_it_is_the_usual_one() -> None:
    assert lines({"devices.hopper.address": 2}) == [
        "devices.hopper.address: found 2, which devices.coin_acceptor on the same port has as well, expected an address of its own"
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"devices.hopper.port": DELETE},
            "devices.hopper.port: found nothing, expected the serial port of the cctalk device",
        ),
        (
            {"devices.hopper.backend": "none"},
            "devices.hopper.port: found /dev/serial/by-id/bus, expected nothing: the backend none has no serial port",
        ),
        (
            {"devices.note_acceptor.backend": "id003", "devices.note_acceptor.address": 1},
            "devices.note_acceptor.address: found 1, expected nothing: the backend id003 has no addresses",
        ),
        (
            {"devices.note_acceptor.emulates": "ssp"},
            'devices.note_acceptor.emulates: found "ssp", expected nothing: the backend ssp emulates nothing',
        ),
        (
            {"devices.note_acceptor.credit_at_lever": True},
            "devices.note_acceptor.credit_at_lever: found true, expected false: the backend ssp has no such choice",
        ),
        (
            {"devices.printer.backend": "escpos"},
            "devices.printer.port: found nothing, expected the serial port of the escpos device",
        ),
        (
            {"devices.printer.port": "/dev/p"},
            "devices.printer.port: found /dev/p, expected nothing: the backend none has no serial port",
        ),
        (
            {"devices.printer": {"backend": "escpos", "port": "/dev/serial/by-id/notes"}},
            "devices.printer.port: found /dev/serial/by-id/notes, which devices.note_acceptor has as well, "
            "expected a port of its own: only ccTalk is a bus",
        ),
        (
            {"devices.coin_acceptor.hopper_path": 1},
            "devices.coin_acceptor.cash_box_path: found nothing, expected a path, as the other one is given",
        ),
        (
            {"devices.coin_acceptor.hopper_path": 1, "devices.coin_acceptor.cash_box_path": 1},
            "devices.coin_acceptor.cash_box_path: found 1, expected another path than hopper_path",
        ),
        (
            {
                "devices.coin_acceptor.hopper_path": 1,
                "devices.coin_acceptor.cash_box_path": 2,
                "devices.hopper": {"backend": "none"},
            },
            "devices.coin_acceptor.hopper_path: found 1, expected nothing: there is no hopper",
        ),
        (
            {"gpio.coin_acceptor.width_ms": 5},
            "gpio.coin_acceptor.width_ms: found 5, expected a whole number from 10 to 1000 (ms)",
        ),
        (
            {"devices.hopper.coin_minor": DELETE},
            "devices.hopper.coin_minor: found nothing, expected the value of the coins in the hopper",
        ),
        (
            {"notes.accepted_minor": []},
            "notes.accepted_minor: found nothing, expected at least one value, as there is a note acceptor",
        ),
        ({"notes.accepted_minor": [500, 500]}, "notes.accepted_minor: found 500 twice, expected each value once"),
        (
            {"coins.accepted_minor": [50, 70]},
            "coins.accepted_minor: found 70, which no channel has, expected values of coins.channels",
        ),
        (
            {"coins.channels": DELETE},
            "coins.channels: found nothing, expected the value of each channel, as the cctalk coin acceptor reports channels",
        ),
        (
            {"limits.credit_limit_minor": 700},
            "notes.accepted_minor: found 1000, expected at most limits.credit_limit_minor, 700",
        ),
        ({"terminal.languages": ["ru", "ru"]}, 'terminal.languages: found "ru" twice, expected each one once'),
        ({"games.enabled": ["oasis", "oasis"]}, 'games.enabled: found "oasis" twice, expected each one once'),
        (
            {"storage.mirror_dir": "/var/lib/croupier"},
            "storage.mirror_dir: found /var/lib/croupier, expected another folder than storage.data_dir",
        ),
        (
            {"storage.anchor_file": "/var/lib/croupier/anchor"},
            "storage.anchor_file: found /var/lib/croupier/anchor, expected a file outside storage.data_dir",
        ),
    ],
)
def test_setting_that_contradicts_another_is_refused(changes: dict[str, object], expected: str) -> None:
    assert lines(changes) == [expected]


def test_sorter_paths_without_a_cctalk_acceptor_are_refused() -> None:
    changes: dict[str, object] = {
        "devices.coin_acceptor": {"backend": "gpio-pulse", "hopper_path": 1},
        "gpio.coin_acceptor": {"pulses": 5, "inhibit": 6},
    }
    assert lines(changes) == [
        "devices.coin_acceptor.hopper_path: found 1, expected nothing: the backend gpio-pulse has no sorter paths"
    ]


def test_pulse_devices_need_their_pins() -> None:
    found = lines(
        {
            "devices.note_acceptor": {"backend": "gpio-pulse"},
            "devices.coin_acceptor": {"backend": "gpio-pulse"},
            "devices.hopper": {"backend": "gpio-pulse", "coin_minor": 50},
        }
    )
    assert [line.split(":")[0] for line in found] == [
        "gpio.coin_acceptor",
        "gpio.note_acceptor.pulses",
        "gpio.note_acceptor.inhibit",
        "gpio.note_acceptor.minor_per_pulse",
        "gpio.coin_acceptor.inhibit",
        "gpio.hopper.motor",
        "gpio.hopper.coin_sensor",
    ]


def test_coin_acceptor_has_lines_or_a_pulse_line_but_not_both() -> None:
    pins = {"lines": {"1": 5, "2": 6}, "pulses": 13, "inhibit": 19}
    changes: dict[str, object] = {"devices.coin_acceptor": {"backend": "gpio-pulse"}, "gpio.coin_acceptor": pins}
    assert lines(changes) == ["gpio.coin_acceptor: found both lines and pulses, expected one of the two"]
    del pins["pulses"]
    assert lines(changes) == []


def test_pulse_device_without_gpio_is_refused() -> None:
    changes: dict[str, object] = {
        "devices.hopper": {"backend": "gpio-pulse", "coin_minor": 50},
        "gpio.hopper": {"motor": 5, "coin_sensor": 6},
    }
    assert lines(changes, SIMULATOR) == [
        'gpio.backend: found "simulated", expected rpi_gpio or gpiod, as hopper is a gpio-pulse device'
    ]
