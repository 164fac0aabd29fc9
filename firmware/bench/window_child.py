"""A simulator in a process of its own, for the benchmarks: says when the first whole frame is on the screen.

Run as ``python -m firmware.bench.window_child DATA_DIR WxH CACHE_DIR [stay]``. Prints one line of JSON: the monotonic
clock at the first frame that shows the terminal, what it shows, and the memory held. With ``stay`` it then runs on
until it is killed.
"""

import json
import sys
import time
from pathlib import Path

from firmware.starting import hasten


def main() -> None:
    """Open the simulator and report its first frame."""
    hasten()  # as every start does, before anything large is loaded
    from display.bench import resident_bytes
    from firmware.games.profile_files import bundled_directory
    from firmware.settings.loader import load_settings
    from firmware.simulator.command import parse_size, with_data_dir
    from firmware.simulator.window import SimulatorWindow

    data_dir, size, cache_dir, *rest = sys.argv[1:]
    settings = with_data_dir(load_settings(bundled_directory().parent / "simulator.toml"), Path(data_dir))

    def after_frame(window: SimulatorWindow) -> bool:
        view = window.view
        if view is None:
            return True
        table = view.table
        line = {
            "monotonic_ns": time.monotonic_ns(),
            "mode": view.mode,
            "phase": table.phase if table is not None else "",
            "rss_bytes": resident_bytes(),
        }
        print(json.dumps(line), flush=True)
        while rest:
            time.sleep(1)
        return False

    window = SimulatorWindow(settings, size=parse_size(size), seed=1, cache_dir=Path(cache_dir), on_frame=after_frame)
    window.run()


if __name__ == "__main__":
    main()
