"""Where profiles lie on the disk, and reading them. The only file access of the games.

Not responsible for what the options mean (``profile`` and the families).
"""

import tomllib
from pathlib import Path
from typing import Final

from firmware.errors import ConfigError, UserError

LARGEST_FILE_BYTES: Final = 100_000
_PACKAGE: Final = Path(__file__).resolve().parent.parent


def bundled_directory() -> Path:
    """Return the folder of the bundled profiles: ``config/games`` of the source tree, or the installed copy.

    Raises:
        UserError: neither is there.
    """
    for folder in (_PACKAGE.parent / "config" / "games", _PACKAGE / "_config" / "games"):
        if folder.is_dir():
            return folder
    raise UserError("the game profiles (config/games) are missing from this installation; install it again")


def profile_paths(directory: Path) -> dict[str, Path]:
    """Return game id -> profile file for every ``NAME.toml`` in a folder, by name."""
    return {path.stem: path for path in sorted(directory.glob("*.toml")) if path.is_file()}


def read_table(path: Path) -> dict[str, object]:
    """Read a profile file.

    Raises:
        ConfigError: it can't be read, is too large, or is not TOML.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE_BYTES + 1)
        if len(content) > LARGEST_FILE_BYTES:
            raise ConfigError([f"{path}: (file): found more than {LARGEST_FILE_BYTES} bytes, expected a game profile"])
        return tomllib.loads(content.decode("utf-8"))
    except OSError as error:
        raise ConfigError([f"{path}: (file): found {error.strerror}, expected a readable file"]) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError([f"{path}: (file): found {str(error) or 'deep nesting'}, expected TOML"]) from None
