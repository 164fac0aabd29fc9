"""The manifest's own form: canonical, and without a path that leads out of the program."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.manifest.model import (
    FileSum,
    Manifest,
    ManifestError,
    checked_path,
    decode,
    decode_sums,
    encode_sums,
    version_key,
)
from firmware.manifest.tree import release_paths

SUM = FileSum(3, "ab" * 32)
MANIFEST = Manifest("1.2.0", 7, "1.0", {"croupier": FileSum(1, "cd" * 32, True), "a/b.py": SUM}, {"x.whl": SUM})


def changed(**values: Any) -> bytes:
    whole = json.loads(MANIFEST.encode()) | values
    return (json.dumps(whole, sort_keys=True, indent=0) + "\n").encode()


def test_a_manifest_goes_through_its_bytes() -> None:
    assert decode(MANIFEST.encode()) == MANIFEST
    assert decode(changed()) == MANIFEST
    assert decode_sums(encode_sums(MANIFEST.files)) == MANIFEST.files


@pytest.mark.parametrize(
    "path",
    ["../x", "/etc/passwd", "a/../b", "a//b", "./a", "a/.", "", "a\\b", "a/b/", "a\nb", "a\0b", "..", "."],
)
def test_a_path_that_leads_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(ManifestError, match="not a path"):
        decode(changed(files={path: f"{'ab' * 32} 3"}))


@pytest.mark.parametrize(
    "values",
    [
        {"format": "croupier-manifest/2"},
        {"version": "1.0-rc"},
        {"version": 1},
        {"counter": -1},
        {"counter": True},
        {"counter": 1.5},
        {"minimum_version": ""},
        {"files": ["a"]},
        {"files": {"a": "abcd 3"}},
        {"files": {"a": f"{'ab' * 32} -3"}},
        {"files": {"a": f"{'ab' * 32} 3 y"}},
        {"files": {"a": f"{'ab' * 32} 03"}},
        {"wheels": {"folder/x.whl": f"{'ab' * 32} 3"}},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_no_manifest_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ManifestError):
        decode(changed(**values))


def test_another_way_to_write_the_same_is_refused() -> None:
    with pytest.raises(ManifestError, match="canonical"):
        decode(json.dumps(json.loads(MANIFEST.encode())).encode())


def test_versions_are_compared_by_their_numbers() -> None:
    assert version_key("1.10") > version_key("1.9.5") > version_key("1.9") == version_key("1.9.0")


def test_every_file_of_this_very_program_has_a_name_that_can_be_signed() -> None:
    root = Path(__file__).parents[2]
    count = 0
    for folder in ("firmware", "hal", "display", "config", "systemd"):
        for path in release_paths(root / folder):
            checked_path(path.relative_to(root).as_posix())
            count += 1
    assert count > 500
