"""Other people's test programs, where they are installed: ``ent`` and ``dieharder`` get the bytes of the source.

Their verdicts are p-values like our own, so that one correction holds for all. Not responsible for installing them.
"""

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Final

from scipy import stats

from firmware.errors import UserError
from firmware.rng.lab.result import Result
from firmware.rng.source import ByteSource

ENT_BYTES: Final = 1_000_000
DIEHARDER_TESTS: Final = {0: "birthdays", 2: "32x32 binary rank", 15: "runs", 100: "monobit", 101: "runs of bits"}
"""Numbers of dieharder's own list; its whole battery takes hours."""
PSAMPLES: Final = 20
CHUNK: Final = 1 << 16
PATIENCE_S: Final = 300.0


def missing_tools() -> tuple[str, ...]:
    """Return the programs that are not installed."""
    return tuple(name for name in ("ent", "dieharder") if shutil.which(name) is None)


def run_tools(
    make_source: Callable[[], ByteSource],
    dieharder_tests: Mapping[int, str] = DIEHARDER_TESTS,
    tick: Callable[[str], object] = lambda _: None,
) -> Iterator[Result]:
    """Yield what the installed programs find; ``make_source`` gives the bytes from their beginning."""
    if shutil.which("ent") is not None:
        yield _ent(make_source().take(ENT_BYTES))
        tick("ent")
    if shutil.which("dieharder") is not None:
        for number, name in dieharder_tests.items():
            yield from _dieharder(number, name, make_source())
            tick(f"dieharder {name}")


def _ent(data: bytes) -> Result:
    try:
        done = subprocess.run(["ent", "-t"], input=data, capture_output=True, timeout=PATIENCE_S, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise UserError(f"ent: {error}; leave it out with --no-tools") from error
    chi_square = float(done.stdout.decode().splitlines()[1].split(",")[3])
    p = min(1.0, 2 * min(stats.chi2.cdf(chi_square, 255), stats.chi2.sf(chi_square, 255)))
    return Result(
        "ent", f"chi-square of {ENT_BYTES} bytes, by ent", f"χ² = {chi_square:.1f}, 255 degrees of freedom", p
    )


def _dieharder(number: int, name: str, source: ByteSource) -> Iterator[Result]:
    options = f"-d {number} -p {PSAMPLES} -g 200 -c | -D test_name -D pvalues"
    # Without a buffer: nothing is left to be flushed into a pipe whose reader has had enough.
    with subprocess.Popen(
        ["dieharder", *options.split()],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        if process.stdin is None or process.stdout is None:
            return
        feeder = threading.Thread(target=_feed, args=(source, process.stdin), daemon=True)
        feeder.start()
        watchdog = threading.Timer(PATIENCE_S, process.kill)
        watchdog.start()
        text = process.stdout.read().decode("ascii", "replace")
        watchdog.cancel()
        process.wait()
        feeder.join()
    for line in text.splitlines():
        parts = [part.strip() for part in line.split("|")]
        if len(parts) >= 2 and _is_number(parts[-1]):
            p = float(parts[-1])
            two_sided = min(1.0, 2 * min(p, 1 - p))
            yield Result(
                f"dieharder {name}", f"{PSAMPLES} samples of dieharder's test {number}", f"p = {p:.6f}", two_sided
            )


def _feed(source: ByteSource, pipe: IO[bytes]) -> None:
    try:
        while True:
            pipe.write(source.take(CHUNK))
    except (BrokenPipeError, ValueError):  # the program has read enough
        pass


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
