"""Who may import whom, and who must be pure. One row per part; a new module of `firmware` needs a row here.

A module belongs to the row with the longest name that is its own name or a package above it. It may import its own row
and the rows listed. Rows marked `pure` have no clock, randomness, threads, sockets, files, pygame or serial; rows marked
`exact` have no floating-point arithmetic either, because money passes through them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One part of the program."""

    name: str
    may_import: tuple[str, ...] = ()
    pure: bool = False
    exact: bool = False


BASE = ("firmware.money", "firmware.ids", "firmware.errors", "firmware.cards")
GAMES = (*BASE, "firmware.games")
RANDOMNESS = ("firmware.rng",)
FAIRNESS = ("firmware.fairness",)
ENTRIES = (*BASE, "firmware.entries")
BOOKS = (*ENTRIES, "firmware.ledger")
RECORD = ("firmware.journal.record",)
ROUNDS = (*BOOKS, *RANDOMNESS, *FAIRNESS, *RECORD, "firmware.games", "firmware.rounds")
VIEW = ("display.view_model",)
DEVICE_CONTRACT = ("hal.interfaces", "hal.events")
TERMINAL = (*ROUNDS, *DEVICE_CONTRACT, *VIEW, "firmware.settings", "firmware.terminal")
STORE = (*ENTRIES, *RECORD, "firmware.journal", "firmware.clock")
MENU = (*TERMINAL, "firmware.audit", "firmware.operator_menu")
ALL_FIRMWARE = (*MENU, *STORE, "firmware", "firmware.rng.os_entropy", "firmware.presenter")
EVERYTHING = (
    *ALL_FIRMWARE,
    "firmware.app",
    "firmware.loop",
    "firmware.terminal_thread",
    "firmware.memory",
    "hal",
    "hal.drivers",
    "hal.emulators",
    "hal.wire",
    *DEVICE_CONTRACT,
    "hal.errors",
    "display",
    "display.draw_list",
    "display.motion",
    "display.scenes",
    "display.locale",
    *VIEW,
)

PURE_DISPLAY = (
    "display.view_model",
    "display.draw_list",
    "display.theme",
    "display.layout",
    "display.motion",
    "display.metrics",
    "display.text",
)
PURE_SCREEN = (*PURE_DISPLAY, "display.assets", "display.scenes", "display.widgets")
DISPLAY = (*PURE_SCREEN, "display.locale")
PAINTED = ("display.assets.raster", "display.assets.store")

ROWS: tuple[Row, ...] = (
    # The core: pure, and exact where money passes.
    Row("firmware.errors", pure=True, exact=True),
    Row("firmware.money", ("firmware.errors",), pure=True, exact=True),
    Row("firmware.ids", ("firmware.errors",), pure=True, exact=True),
    Row("firmware.cards", ("firmware.errors", "firmware.money", "firmware.ids"), pure=True, exact=True),
    Row("firmware.games", (*BASE, "firmware.games.profile_files"), pure=True, exact=True),
    Row("firmware.rng", BASE, pure=True, exact=True),
    Row("firmware.fairness", BASE, pure=True, exact=True),
    Row("firmware.entries", BASE, pure=True, exact=True),
    Row("firmware.journal.record", ENTRIES, pure=True, exact=True),
    Row("firmware.ledger", ENTRIES, pure=True, exact=True),
    Row("firmware.rounds", (*BOOKS, *RANDOMNESS, *FAIRNESS, *RECORD, "firmware.games"), pure=True, exact=True),
    Row("firmware.settings", ("firmware.errors",), pure=True, exact=True),
    Row("firmware.terminal", (*ROUNDS, *DEVICE_CONTRACT, *VIEW, "firmware.settings"), pure=True, exact=True),
    Row("firmware.audit", TERMINAL, pure=True, exact=True),
    Row("firmware.operator_menu", (*TERMINAL, "firmware.audit"), pure=True),
    Row("firmware.paper", pure=True, exact=True),
    Row("firmware.presenter", (*MENU, "firmware.paper"), pure=True),
    Row("firmware.reports", (*MENU, "firmware.paper"), pure=True),
    Row("firmware.reports.desk", ("firmware.terminal",), pure=False),
    Row("firmware.reports.saving", ("firmware.reports", "firmware.signing"), pure=False),
    # The edges of the core.
    Row("firmware", ()),
    Row("firmware.clock"),
    Row("firmware.machine_facts"),
    Row("firmware.system_clock"),
    Row("firmware.liveness", pure=True, exact=True),
    Row("firmware.service_notify", ("firmware.liveness",)),
    Row("firmware.starting"),
    Row("firmware.splash", (*EVERYTHING, "firmware.screen", "firmware.settings.loader")),
    Row("firmware.signing", ("firmware.errors",)),
    Row("firmware.rng.os_entropy", RANDOMNESS),
    Row("firmware.fairness.verify", (*GAMES, *FAIRNESS, "firmware.games.profile_files")),
    Row("firmware.fairness.command", (*GAMES, *FAIRNESS, "firmware.fairness.verify")),
    Row("firmware.rng.lab", (*BASE, *RANDOMNESS, "firmware", "firmware.rng.os_entropy")),
    Row("firmware.games.profile_files", ("firmware.errors",)),
    Row("firmware.settings.loader", ("firmware.settings", "firmware.errors")),
    Row("firmware.journal", (*ENTRIES, *RECORD, "firmware.clock")),
    Row("firmware.games.par_files", ("firmware.games.profile_files",)),
    Row("firmware.maths", (*GAMES, *RANDOMNESS, "firmware.games.profile_files", "firmware.games.par_files")),
    Row("firmware.emulate", ("firmware.errors", "hal.emulators")),
    Row("firmware.simulate", (*GAMES, *RANDOMNESS, "firmware.games.par_files", "firmware.maths")),
    Row("firmware.manifest", ("firmware.errors", "firmware", "firmware.signing", "firmware.manifest.model")),
    Row("firmware.manifest.model", pure=True, exact=True),
    Row("firmware.manifest.watch", (*TERMINAL, "firmware.manifest")),
    Row(
        "firmware.update",
        (
            *ALL_FIRMWARE,
            *VIEW,
            "firmware.memory",
            "firmware.audit.source",
            "firmware.manifest",
            "firmware.manifest.model",
            "firmware.settings.loader",
            "firmware.signing",
        ),
    ),
    Row("firmware.wiring_guide", ("firmware.errors", "firmware.settings", *TERMINAL), pure=True),
    Row(
        "firmware.wiring_guide.command",
        (
            "firmware.errors",
            "firmware.settings",
            "firmware.settings.loader",
            "firmware.games.profile_files",
            "firmware.wiring_guide",
        ),
    ),
    # The roots, which put the parts together.
    Row("firmware.memory", (*ALL_FIRMWARE, *VIEW)),
    Row(
        "firmware.menu_service",
        (
            *ALL_FIRMWARE,
            *VIEW,
            "display",
            "display.text",
            "hal",
            "firmware.machine_facts",
            "firmware.system_clock",
            "firmware.audit.source",
            "firmware.audit.verify",
            "firmware.operator_menu",
            "firmware.reports",
            "firmware.reports.desk",
            "firmware.reports.saving",
            "firmware.settings.loader",
            "firmware.games.par_files",
        ),
    ),
    Row("firmware.terminal_thread", (*ALL_FIRMWARE, *VIEW, "firmware.loop")),
    Row("firmware.past_rounds", ALL_FIRMWARE),
    Row(
        "firmware.loop",
        (
            *ALL_FIRMWARE,
            *DEVICE_CONTRACT,
            *VIEW,
            "firmware.memory",
            "firmware.past_rounds",
            "firmware.menu_service",
            "firmware.effects",
        ),
    ),
    Row(
        "firmware.app",
        (
            *EVERYTHING,
            "firmware.maths",
            "firmware.audit.clearing",
            "firmware.audit.source",
            "firmware.menu_service",
            "firmware.system_clock",
            "firmware.games.par_files",
        ),
    ),
    Row("firmware.effects", (*ALL_FIRMWARE, *DEVICE_CONTRACT, *VIEW, "firmware.menu_service")),
    Row(
        "firmware.simulator",
        (
            *EVERYTHING,
            "firmware.ending",
            "firmware.screen",
            "firmware.coach",
            "firmware.settings.loader",
            "firmware.games.profile_files",
        ),
    ),
    Row(
        "firmware.bench",
        (
            *EVERYTHING,
            "firmware.starting",
            "firmware.screen",
            "firmware.maths",
            "firmware.past_rounds",
            "firmware.reports",
            "display.text",
            "firmware.ending",
            "firmware.simulator",
            "firmware.settings.loader",
            "firmware.games.profile_files",
        ),
    ),
    Row("firmware.coach", (*ALL_FIRMWARE, *VIEW, "firmware.maths")),
    Row("firmware.screen", EVERYTHING),
    Row(
        "firmware.doctor",
        (
            *EVERYTHING,
            "firmware.machine_facts",
            "firmware.devices",
            "firmware.manifest",
            "firmware.manifest.watch",
            "firmware.settings.loader",
            "firmware.games.profile_files",
        ),
    ),
    Row("firmware.devices", EVERYTHING),
    Row(
        "firmware.run_command",
        (
            *EVERYTHING,
            "firmware.screen",
            "firmware.devices",
            "firmware.simulator",
            "firmware.coach",
            "firmware.manifest",
            "firmware.manifest.watch",
            "firmware.update",
            "firmware.system_clock",
            "firmware.liveness",
            "firmware.service_notify",
            "firmware.settings.loader",
        ),
    ),
    Row("firmware.audit.source", (*ALL_FIRMWARE, *VIEW)),
    Row("firmware.audit.verify", (*ALL_FIRMWARE, *VIEW, "firmware.memory", "firmware.audit.source")),
    Row(
        "firmware.audit.command",
        (
            *ALL_FIRMWARE,
            *VIEW,
            "display.locale",
            "firmware.memory",
            "firmware.audit.source",
            "firmware.audit.verify",
            "firmware.settings.loader",
            "firmware.games.profile_files",
        ),
    ),
    Row(
        "firmware.audit.clearing",
        (*ALL_FIRMWARE, *VIEW, "firmware.memory", "firmware.audit.source", "firmware.audit.verify"),
    ),
    Row(
        "firmware.audit.clear_command",
        (
            *ALL_FIRMWARE,
            *VIEW,
            "firmware.audit.clearing",
            "firmware.audit.command",
            "firmware.settings.loader",
            "firmware.games.profile_files",
        ),
    ),
    Row(
        "firmware.remote",
        (
            *EVERYTHING,
            "display.text",
            "firmware.audit.source",
            "firmware.menu_service",
            "firmware.reports",
            "firmware.reports.saving",
            "firmware.signing",
            "firmware.settings.loader",
            "firmware.games.profile_files",
        ),
    ),
    Row("firmware.settings_command", ("firmware.errors", "firmware.settings")),
    Row("firmware.pin_command", ("firmware.errors", "firmware.settings")),
    Row("firmware.cli", EVERYTHING),
    Row("firmware.__main__", ("firmware.cli", "firmware.starting")),
    Row("firmware.selftest", ("firmware.errors", "firmware.ending")),
    Row("firmware.crashtest", ("firmware.errors",)),
    Row("firmware.ending"),
    # The hardware knows only itself; emulators share nothing with the host's side of a protocol.
    Row("hal.errors", pure=True),
    Row("hal.events", ("hal.errors",), pure=True),
    Row("hal.interfaces", ("hal.errors", "hal.events"), pure=True),
    Row("hal.debounce", ("hal.errors", "hal.events"), pure=True),
    Row("hal.wire", ("hal.errors", "hal.events", "hal.debounce"), pure=True),
    Row("hal.emulators", ("hal.errors", "hal.events", "hal.interfaces")),
    Row("hal.drivers", ("hal", "hal.errors", "hal.events", "hal.interfaces", "hal.debounce", "hal.wire")),
    Row(
        "hal",
        ("hal.errors", "hal.events", "hal.interfaces", "hal.debounce", "hal.wire", "hal.drivers", "hal.emulators"),
    ),
    # The screen knows only itself. Scenes and all they need are pure; the row `display` is what paints, sounds and opens windows.
    *(Row(name, DISPLAY, pure=True) for name in PURE_SCREEN),
    Row("display.locale"),
    *(Row(name, (*DISPLAY, *PAINTED)) for name in PAINTED),
    Row("display", (*DISPLAY, *PAINTED)),
)

IMPURE_MODULES = frozenset(
    "time random secrets uuid os io tempfile shutil threading _thread multiprocessing concurrent asyncio queue socket select "
    "selectors ssl http urllib subprocess signal sched sqlite3 pygame serial RPi gpiod lgpio".split()
)
"""Modules that a pure row must not import."""

IMPURE_CALLS = frozenset({"open", "input", "print", "exec", "eval", "__import__"})
IMPURE_METHODS = frozenset(
    {"now", "utcnow", "today", "read_text", "write_text", "read_bytes", "write_bytes", "urandom"}
)

ONLY_IMPORTERS = {
    "RPi": ("hal.drivers", 1),
    "gpiod": ("hal.drivers", 1),
    "serial": ("hal.drivers.serial_link", 1),
    "sqlite3": ("firmware.journal", 9),
    "cryptography": ("firmware.signing.ed25519 hal.wire.ssp_cipher hal.emulators.ssp_encryption", 3),
    "pygame.display": ("display.window", 1),
    "pygame": (
        "display.canvas* display.fonts display.assets.* display.window display.frame_buffer display.sound display.bench",
        99,
    ),
}
"""Who alone may import a module outside the project: the modules allowed (with all below them; `*` as in a shell),
and how many of them."""

TOP_LEVEL = frozenset(
    "pyproject.toml firmware hal display tests systemd config README.md CONTRIBUTING.md CHANGELOG.md LICENSE "
    "requirements.lock requirements-dev.lock requirements-cabinet.lock croupier".split()
)
"""What may lie at the top of the repository; beside it only names that begin with a dot."""

MAXIMUM_LINES = 500
"""Of a file of the program; tests and generated data are free."""
