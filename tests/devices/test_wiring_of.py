"""From the settings to the wiring: nothing that a file says is lost on the way to the drivers."""

from pathlib import Path

import pytest

from firmware.devices import wiring_of
from firmware.settings.loader import check
from firmware.settings.sections import Settings
from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.wiring import (
    Gpio,
    PulseCoins,
    PulseHopper,
    PulseNotes,
    SerialCoins,
    SerialHopper,
    SerialNotes,
    SerialPrinter,
    Simulated,
)
from hal.wiring import check as check_wiring
from tests.settings.samples import CABINET, SIMULATOR, changed


def settings(changes: dict[str, object], base: str = CABINET) -> Settings:
    """A changed sample that is correct."""
    found, problems = check(changed(base, changes))
    assert problems == []
    return found


def test_serial_devices_keep_port_address_and_sorter() -> None:
    wiring = wiring_of(
        settings(
            {"devices.coin_acceptor.hopper_path": 2, "devices.coin_acceptor.cash_box_path": 3, "currency.code": "EUR"}
        )
    )
    check_wiring(wiring)
    assert wiring.notes == SerialNotes("ssp", "/dev/serial/by-id/notes")
    assert wiring.coins == SerialCoins("/dev/serial/by-id/bus", None, 2, 3)
    assert wiring.hopper == SerialHopper("/dev/serial/by-id/bus", 50)
    assert (wiring.currency, wiring.country, wiring.minor_per_unit) == ("EUR", "EU", 100)
    assert wiring.printer is None


def test_credits_may_be_bought_with_the_money_that_the_devices_are_made_for() -> None:
    wiring = wiring_of(settings({"currency.code": "CRD", "currency.device_code": "EUR"}))
    assert (wiring.currency, wiring.country) == ("EUR", "EU")
    assert wiring_of(settings({"currency.code": "RUB"})).country == "RU"


def test_id003_may_credit_at_the_lever() -> None:
    changes: dict[str, object] = {
        "devices.note_acceptor.backend": "id003",
        "devices.note_acceptor.credit_at_lever": True,
    }
    assert wiring_of(settings(changes)).notes == SerialNotes("id003", "/dev/serial/by-id/notes", credit_at_lever=True)


def test_ebds_gets_the_bills_of_its_channels() -> None:
    changes: dict[str, object] = {
        "devices.note_acceptor.backend": "ebds",
        "notes.channels": {"2": 1_000, "1": 500},
    }
    assert wiring_of(settings(changes)).notes == SerialNotes(
        "ebds", "/dev/serial/by-id/notes", bills_minor=(500, 1_000)
    )


def test_printer_keeps_port_and_speed() -> None:
    changes: dict[str, object] = {
        "devices.printer": {"backend": "escpos", "port": "/dev/serial/by-id/p", "baud": 9_600}
    }
    wiring = wiring_of(settings(changes))
    check_wiring(wiring)
    assert wiring.printer == SerialPrinter("/dev/serial/by-id/p", 9_600)


def test_pulse_devices_keep_pins_and_times() -> None:
    pulse: dict[str, object] = {
        "devices.note_acceptor": {"backend": "gpio-pulse"},
        "devices.coin_acceptor": {"backend": "gpio-pulse"},
        "devices.hopper": {"backend": "gpio-pulse", "coin_minor": 50},
        "gpio.note_acceptor": {"pulses": 5, "inhibit": 6, "minor_per_pulse": 500, "width_ms": 60, "gap_ms": 300},
        "gpio.coin_acceptor": {"pulses": 12, "inhibit": 16, "divert": 20, "width_ms": 30, "gap_ms": 40},
        "gpio.hopper": {"motor": 21, "coin_sensor": 26, "width_ms": 20, "gap_ms": 200},
    }
    wiring = wiring_of(settings(pulse))
    check_wiring(wiring)
    assert wiring.notes == PulseNotes(500, (500, 1_000), 60, 300)
    assert wiring.coins == PulseCoins({1: 50}, 30, 40)
    assert wiring.hopper == PulseHopper(50, 20, 200)
    assert isinstance(wiring.panel, Gpio)
    assert OutputPin("coin.divert", 20) in wiring.panel.outputs
    assert InputPin("coin.pulses", 12, active_high=False, pull="up") in wiring.panel.inputs


def test_polarity_pull_chip_and_period_reach_the_panel() -> None:
    changes: dict[str, object] = {
        "gpio.buttons": {"b1": {"pin": 5, "active": "high", "pull": "down"}},
        "gpio.lamps": {"b1": {"pin": 6, "active": "low"}},
        "gpio.meters": {"in": 16},
        "gpio.chip": "pinctrl-rp1",
        "gpio.sample_period_ms": 2,
    }
    panel = wiring_of(settings(changes)).panel
    assert isinstance(panel, Gpio)
    assert (panel.backend, panel.chip, panel.sample_period_ms) == ("gpiod", "pinctrl-rp1", 2)
    assert InputPin("button.b1", 5, active_high=True, pull="down") in panel.inputs
    assert InputPin("door.main", 17, active_high=True, pull="up") in panel.inputs
    assert set(panel.outputs) == {OutputPin("lamp.b1", 6, active_high=False), OutputPin("meter.in", 16)}


def test_the_chip_is_found_by_its_label_unless_the_file_names_it() -> None:
    panel = wiring_of(settings({})).panel
    assert isinstance(panel, Gpio)
    assert panel.chip == ""


def test_simulated_and_absent_devices_stay_what_they_are() -> None:
    wiring = wiring_of(settings({}, SIMULATOR))
    assert (wiring.panel, wiring.notes, wiring.coins, wiring.hopper) == (Simulated(), Simulated(), None, None)


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "config").glob("*.toml")), ids=lambda path: path.stem
)
def test_shipped_configurations_have_a_wiring_without_contradictions(path: Path) -> None:
    from firmware.settings.loader import load_settings

    check_wiring(wiring_of(load_settings(path)))
