"""The reference page of the settings, from the one table of rows: `croupier settings` prints it. Pure.

Not responsible for checking files (`loader`) or for the operator's menu.
"""

import json
from typing import Final

from firmware.settings.sections import Settings
from firmware.settings.spec import SettingSpec, rows

_HEAD: Final = """# Settings

Every setting of the configuration file (TOML). Made from the program's own table by `./croupier settings`.
Amounts are in minor units. *Set-up* settings are frozen until the next RAM clear. *Who* may change a setting in the
operator's menu; such a change is recorded, stands before the file, and leaves the file as it is.
"""


def reference() -> str:
    """Return the page as Markdown, one table for each table of the file, in the file's order."""
    lines = [_HEAD]
    table = None
    for spec in rows(Settings):
        section, _, name = spec.key.rpartition(".")
        if section != table:
            table = section
            lines += [
                f"\n## [{section}]\n",
                "| Key | What | Type and range | Default | Who |",
                "| --- | --- | --- | --- | --- |",
            ]
        who = f"{spec.access}, set-up" if spec.setup_only else spec.access
        lines.append(f"| `{name}` | {spec.label}. {spec.help_text} | {_range(spec)} | {_default(spec)} | {who} |")
    return "\n".join(lines) + "\n"


def _range(spec: SettingSpec) -> str:
    unit = f" ({spec.unit})" if spec.unit else ""
    if spec.choices:
        return ", ".join(f"`{json.dumps(choice)}`" for choice in spec.choices) + unit
    if spec.minimum is not None and spec.maximum is not None:
        return f"{spec.minimum:,} to {spec.maximum:,}{unit}".replace(",", " ")
    return f"{spec.kind}{unit}"


def _default(spec: SettingSpec) -> str:
    if spec.required:
        return "required"
    return "none" if spec.default is None else f"`{json.dumps(spec.default, default=str)}`"
