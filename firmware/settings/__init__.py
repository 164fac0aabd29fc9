"""The settings of one machine: a table of rows, a TOML file, and a loader that reports every mistake at once."""

from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings

__all__ = ["Settings", "load_settings"]
