"""A program that lights a lamp, lets coins in, and waits to be killed. Run by ``test_gpio_process``."""

import sys
import threading
from pathlib import Path

from hal.drivers.gpio_panel import GpioPanel, PulseCoinAcceptor
from hal.drivers.gpio_process import GpioProcess
from hal.events import DeviceEvent
from tests.hal.drivers.test_gpio_process import setup


def main() -> None:
    port = GpioProcess(setup(Path(sys.argv[1])))
    panel, coins = GpioPanel("panel", port), PulseCoinAcceptor("coins", port)
    heard: list[DeviceEvent] = []
    panel.start(heard.append, 0)
    coins.start(heard.append, 0)
    panel.set_lamp("b1", "on")
    coins.enable([100])
    threading.Event().wait()


if __name__ == "__main__":
    main()
