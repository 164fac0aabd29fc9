"""Why a report could not be saved, in words that say what to do. Pure. Not responsible for finding out."""

from typing import Final

from display.view_model import Text

TROUBLES: Final = {
    "full": Text("menu", "Not saved: the stick is full. Make room or take another, then save again"),
    "read_only": Text("menu", "Not saved: the stick is write-protected. Unlock it or take another, then save again"),
    "missing": Text("menu", "Not saved: the stick is not there. Put it in, then save again"),
    "pulled": Text("menu", "Not saved: the stick was pulled out. Put it in, then save again"),
    "damaged": Text("menu", "Not saved: the stick is damaged. Take another, then save again"),
    "stopped": Text("menu", "Not saved: it was stopped. Nothing of it is on the stick"),
    "no_folder": Text("menu", "No folder for reports is set (reports.folder)"),
    "unsigned": Text("menu", "Saved, but without a signature: the terminal's key can't be used"),
    "other": Text("menu", "Not saved: the stick can't be written. Take another, then save again"),
}
"""By the cause that ``ReportDone`` names."""
