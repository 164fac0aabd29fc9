"""The subcommand ``sim``: the simulator in a window, or without a screen driven by a script."""

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any, Final

from display.view_model import View
from firmware.clock import ManualClock, SystemClock
from firmware.ending import end_in_order_on_sigterm
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.settings.loader import load_settings
from firmware.settings.sections import SerialProtocol, Settings
from firmware.simulator.cabinet import WORLD_FILE, SimulatedCabinet
from firmware.simulator.lock import HardwareLock
from firmware.simulator.script import ScriptRunner, read_script

DEMONSTRATION: Final = "demonstration.script"
PICTURES: Final = "croupier-pictures"
LARGEST_SIDE: Final = 7_680


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``sim``. Returns 0; raises UserError or a check's failure."""
    size = parse_size(arguments.size)
    settings = _settings(arguments)
    if arguments.script is not None and not arguments.headless:
        raise UserError("sim: --script needs --headless; the window is driven by hand")
    if arguments.headless:
        return _headless(arguments, settings, size)
    from display.window import DisplayUnavailable
    from firmware.simulator.window import SimulatorWindow

    try:
        window = SimulatorWindow(
            settings,
            size=size,
            seed=arguments.seed,
            cache_dir=cache_dir(),
            protocol=_protocol(arguments, settings),
        )
    except DisplayUnavailable as error:
        print(f"sim: {error}")
        print(
            "sim: no screen here, so the demonstration is played without one; pictures and the money follow", flush=True
        )
        return _headless(arguments, settings, size)
    window.run()
    return 0


def parse_size(text: str | None) -> tuple[int, int] | None:
    """Return a size written as ``1280x720``, None for None. Raises UserError for anything else."""
    if text is None:
        return None
    width, _, height = text.lower().partition("x")
    if width.isascii() and height.isascii() and width.isdigit() and height.isdigit():
        size = int(width), int(height)
        if all(160 <= side <= LARGEST_SIDE for side in size):
            return size
    raise UserError(f"--size: found {text!r}, expected for example 1280x720 (160 to {LARGEST_SIDE} a side)")


def cache_dir() -> Path:
    """Return the folder in which rasters and sounds are kept between starts."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "croupier"


def _settings(arguments: argparse.Namespace) -> Settings:
    settings = load_settings(arguments.config or bundled_directory().parent / "simulator.toml")
    if settings.terminal.mode == "cabinet":
        raise UserError("sim: these settings are a real cabinet's; use ./croupier run, or other settings")
    if arguments.seed is not None and settings.terminal.mode != "simulator":
        raise UserError(f"--seed: refused with terminal.mode = {settings.terminal.mode!r}; seeds are for the simulator")
    if arguments.lang:
        languages = (arguments.lang, *(name for name in settings.terminal.languages if name != arguments.lang))
        settings = settings.model_copy(
            update={"terminal": settings.terminal.model_copy(update={"languages": languages})}
        )
    if arguments.data is not None:
        settings = with_data_dir(settings, arguments.data.absolute())
    return settings


def _protocol(arguments: argparse.Namespace, settings: Settings) -> SerialProtocol | None:
    """Return the protocol of the note acceptor if the devices are emulated, else None."""
    devices = settings.devices
    backends = (devices.note_acceptor.backend, devices.coin_acceptor.backend, devices.hopper.backend)
    if (arguments.devices or ("emulated" if "emulated" in backends else "simulated")) == "emulated":
        from firmware.simulator.emulated import emulated_protocol  # real drivers take long to load

        return emulated_protocol(settings, arguments.protocol)
    if arguments.protocol is not None:
        raise UserError("sim: --protocol needs --devices emulated; simulated devices speak none")
    return None


def with_data_dir(settings: Settings, data_dir: Path) -> Settings:
    """Return the settings with another data directory."""
    return settings.model_copy(update={"storage": settings.storage.model_copy(update={"data_dir": data_dir})})


def _headless(arguments: argparse.Namespace, settings: Settings, size: tuple[int, int] | None) -> int:
    script = arguments.script or bundled_directory().parent / "examples" / DEMONSTRATION
    lines = read_script(script)
    end_in_order_on_sigterm()
    store: AbstractContextManager[str] = nullcontext("")
    if arguments.data is None:  # a script expects an empty table; the player's own store stays as it is
        store = tempfile.TemporaryDirectory(prefix="croupier-")
    with store as folder:
        if folder:
            settings = with_data_dir(settings, Path(folder))
        world_file = None if folder else settings.storage.data_dir / WORLD_FILE
        clock = ManualClock() if folder else ManualClock(SystemClock().wall_ms())
        protocol = _protocol(arguments, settings)

        def build() -> SimulatedCabinet:
            if protocol is not None:
                from firmware.simulator.emulated import EmulatedCabinet

                return EmulatedCabinet(settings, protocol, seed=arguments.seed, clock=clock)
            return SimulatedCabinet(settings, seed=arguments.seed, clock=clock, world_file=world_file)

        with HardwareLock(settings.storage.data_dir), closing(build()) as cabinet:
            runner = ScriptRunner(cabinet, _screenshots(arguments.screenshots, size or (1280, 720)))
            runner.run(lines)
            if not cabinet.is_running:
                cabinet.boot()
            summary = {**money_summary(cabinet), "expectations": runner.expectations, "pictures": runner.pictures}
            cabinet.shut_down()
    _print(summary, as_json=arguments.json)
    return 0


def money_summary(cabinet: SimulatedCabinet) -> dict[str, Any]:
    """Return the money of a cabinet in minor units: the books beside what the hardware physically holds."""
    recorded, readings = cabinet.terminal.state.recorded, cabinet.world.readings
    books = recorded.books
    return {
        "credit_minor": recorded.credit_minor,
        "on_the_table_minor": books.staked_minor,
        "handpay_minor": books.handpay_minor,
        "notes_in_minor": books.meter("notes_in_minor"),
        "coins_in_minor": books.meter("coins_in_minor"),
        "wagered_minor": books.meter("coin_in_minor"),
        "paid_by_play_minor": books.meter("coin_out_minor"),
        "paid_by_hopper_minor": books.meter("hopper_paid_minor"),
        "paid_by_hand_minor": books.meter("handpaid_minor"),
        "rounds": books.meter("games_played"),
        "power_ups": books.meter("power_resets"),
        "cash_box_minor": readings.cash_box_minor,
        "tray_minor": readings.tray_minor,
    }


def _screenshots(folder: Path | None, size: tuple[int, int]) -> Callable[[str, View], str]:
    def shoot(name: str, view: View) -> str:
        from display.canvas import Shelves, render_png
        from display.motion import still
        from display.scenes import compose

        path = (folder or Path(PICTURES)) / f"{name}.png"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            render_png(compose(view, still(view), 10_000), size, path, Shelves(cache_dir()))
        except OSError as error:
            raise UserError(f"{path}: {error.strerror or error}; give a folder with --screenshots") from None
        return str(path)

    return shoot


_LABELS: Final = {
    "credit_minor": "credit",
    "on_the_table_minor": "on the table",
    "handpay_minor": "owed by the attendant",
    "notes_in_minor": "notes in",
    "coins_in_minor": "coins in",
    "wagered_minor": "wagered",
    "paid_by_play_minor": "paid by play",
    "paid_by_hopper_minor": "paid by the hopper",
    "paid_by_hand_minor": "paid by hand",
    "cash_box_minor": "in the cash box",
    "tray_minor": "in the tray",
}


def _print(summary: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary))
        return
    for picture in summary["pictures"]:
        print(f"picture: {picture}")
    print("money, in credits:")
    for key, label in _LABELS.items():
        whole, cents = divmod(summary[key], 100)
        print(f"  {label:<24}{whole:>10}.{cents:02}")
    print(
        f"{summary['rounds']} rounds, {summary['power_ups']} power-ups, {summary['expectations']} expectations met; "
        "the books balance"
    )
