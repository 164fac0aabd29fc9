"""The offline page: it needs nothing but itself, and judges as the command does, in every engine that is installed."""

import hashlib
import json
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from firmware.cli import run
from firmware.fairness.commitment import commitment_of
from firmware.fairness.proof import ShoeProof
from firmware.fairness.verify import verify_record, verify_text
from tests.fairness.records import SALT, order_of, record

PAGE = resources.files("firmware.fairness").joinpath("verifier.html").read_text(encoding="utf-8")
SCRIPT = re.findall(r"<script>(.*?)</script>", PAGE, re.DOTALL)[0]
RUN = """
const said = new Proxy({}, { get: () => () => "" });
for (const [text, noted, number] of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  let answer = null;
  try { answer = verify(text, noted, number, said).checks.filter((check) => !check.right).map((check) => check.name); }
  catch (error) { answer = ["refused"]; }
  console.log(JSON.stringify(answer));
}
"""


def tampered(**changes: Any) -> dict[str, Any]:
    value = record("six_decks_blackjack", 20, 40)
    value["fairness"] |= changes
    return value


def proof_text() -> str:
    order = order_of(8, 3)
    return ShoeProof("shoe1-9", commitment_of("shoe1-9", SALT, order), SALT, 30, order).as_text()


CASES: dict[str, tuple[str, str, str]] = {
    "cut": (json.dumps(record("oasis", 11)), "", ""),
    "noted": (json.dumps(record("oasis", 11)), record("oasis", 11)["fairness"]["commitment"][:16].upper(), ""),
    "noted another": (json.dumps(record("oasis", 11)), "0123456789abcdef", ""),
    "carried": (json.dumps(tampered()), "", ""),
    "another cut": (json.dumps(tampered(cut=21)), "", ""),
    "another salt": (json.dumps(tampered(salt="0" * 32)), "", ""),
    "another order": (json.dumps(tampered(order=order_of(6, 8))), "", ""),
    "another first card": (json.dumps(tampered(first_card=39)), "", ""),
    "another card": (json.dumps({**record(), "cards": ["As"] * 10}), "", ""),
    "typed": (json.dumps(record("oasis", 4711 % 52)), "", "4711"),
    "typed for six decks": (json.dumps(tampered()), "", str(312 * 1000 + 20)),
    "typed another": (json.dumps(record("oasis", 4711 % 52)), "", "4712"),
    "typed and not cut": (json.dumps(record("oasis", 0)), "", "4711"),
    "QR code": (proof_text(), "", "30"),
    "QR code, typed another": (proof_text(), "", "31"),
    "QR code, another salt": (proof_text().replace(SALT.upper(), "F" * 32), "", ""),
}


def expected(text: str, noted: str, number: str) -> list[str]:
    typed = int(number) if number else None
    checks = (
        verify_record(json.loads(text), noted, number=typed)
        if text.startswith("{")
        else verify_text(text, noted, typed)
    )
    return [check.name for check in checks if not check.is_right and check.name != "rules"]


def test_page_is_one_file_that_loads_and_sends_nothing() -> None:
    assert not re.search(r"https?:|\bsrc=|\bhref=|@import|url\(|fetch\(|XMLHttpRequest|WebSocket", PAGE)
    assert "default-src 'none'" in PAGE


def test_command_writes_the_page(tmp_path: Path) -> None:
    assert run(["fairness", "page", str(tmp_path / "verifier.html")]) == 0
    assert (tmp_path / "verifier.html").read_text(encoding="utf-8") == PAGE
    assert run(["fairness", "page", str(tmp_path / "no" / "where.html")]) == 2


@pytest.mark.parametrize("engine", [name for name in ("node", "nodejs") if shutil.which(name)][:1])
def test_page_judges_as_the_command_does(engine: str) -> None:
    done = subprocess.run(
        [engine, "-e", SCRIPT + RUN],
        input=json.dumps(list(CASES.values())),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [expected(*case) for case in CASES.values()]


@pytest.mark.parametrize("engine", [name for name in ("node", "nodejs") if shutil.which(name)][:1])
def test_digest_of_the_page_is_sha_256_at_every_length(engine: str) -> None:
    texts = ["x" * length for length in (0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 1_000)]
    program = SCRIPT + 'for (const t of JSON.parse(require("fs").readFileSync(0, "utf8"))) console.log(sha256(t));'
    done = subprocess.run(
        [engine, "-e", program], input=json.dumps(texts), capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


@pytest.mark.parametrize("browser", [name for name in ("chromium", "google-chrome") if shutil.which(name)][:1])
@pytest.mark.parametrize(
    ("case", "verdict"),
    [
        ("cut", "right"),
        ("another cut", "wrong"),
        ("typed", "right"),
        ("typed another", "wrong"),
        ("another card", "wrong"),
        ("QR code", "right"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_page_says_it_in_a_real_browser(browser: str, case: str, verdict: str, language: str, tmp_path: Path) -> None:
    text, noted, number = CASES[case]
    page = tmp_path / "verifier.html"
    page.write_text(PAGE, encoding="utf-8")
    given = urlencode({"record": text, "noted": noted, "number": number, "lang": language}, quote_via=quote)
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
         "--dump-dom", f"{page.as_uri()}#{given}"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    shown = re.search(r'<p id="verdict" role="status" class="(\w+)">([^<]+)<', done.stdout)
    assert shown is not None
    assert shown[1] == verdict
    words = {
        "en": {"right": "Verified", "wrong": "NOT verified"},
        "ru": {"right": "Всё верно", "wrong": "НЕ подтверждено"},
    }
    assert shown[2] == words[language][verdict]
    failed = re.findall(r'<li class="wrong" data-check="(\w+)"', done.stdout)
    assert failed == expected(text, noted, number)
