"""The read-only page in a process of its own, over real HTTP: what it shows, and what it refuses."""

import base64
import hashlib
import http.client
import json
import random
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from firmware.cli import run
from firmware.clock import ManualClock
from firmware.remote.access import MOST_CLIENTS, MOST_SESSIONS, SESSION_MS, TRIES, WAIT_MS, Gate
from tests.operator_menu.operator import Operator
from tests.remote.conftest import TOKEN, Page

BEARER = {"Authorization": f"Bearer {TOKEN}"}


def ask(page: Page, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """Ask for something and return the answer with its body."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=20)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def _digest(folder: Path) -> dict[str, str]:
    """What lies in a folder; SQLite's shared memory is left out, because readers note in it how far they read."""
    files = [path for path in folder.iterdir() if path.is_file() and not path.name.endswith("-shm")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_page_shows_status_period_events_and_graphs_in_both_languages(page: Page) -> None:
    for language, words in (("en", ("Status", "Takings", "100.00")), ("ru", ("Состояние", "Выручка", "100,00"))):
        answer, body = ask(page, f"/?lang={language}", **BEARER)
        text = body.decode()
        assert answer.status == 200
        for word in (*words, "SIM-1", "<svg"):
            assert word in text, word


def test_figures_are_those_of_the_running_terminal_and_follow_it(page: Page) -> None:
    cabinet = page.operator.cabinet
    cabinet.insert_note(2_000)
    answer, body = ask(page, "/report/period.json", **BEARER)
    assert answer.status == 200
    values = json.loads(body)
    notes = next(part for part in values["parts"] if part["page"] == "meters.notes")["rows"][0]
    assert notes["values"][0]["minor"] == cabinet.books.meter("notes_in_minor") == 17_000
    assert values["head"]["seq"] == cabinet.records()[-1].seq


def test_every_form_of_a_report_can_be_taken_away(page: Page) -> None:
    for form, beginning in (
        ("html", b"<!DOCTYPE html>"),
        ("csv", b"page,label"),
        ("json", b"{"),
        ("txt", "Сим".encode()),
    ):
        answer, body = ask(page, f"/report/all.{form}?lang=ru", **BEARER)
        assert answer.status == 200
        assert body.startswith(beginning), form


def test_nothing_but_reading_is_possible(page: Page) -> None:
    data = page.operator.cabinet.settings.storage.data_dir
    before = _digest(data)
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"):
        answer, _ = ask(page, "/", method, **BEARER)
        assert answer.status == 405, method
        assert answer.headers["Allow"] == "GET"
    assert _digest(data) == before


def test_no_path_leads_out_of_the_page(page: Page) -> None:
    for path in (
        "/../../etc/passwd",
        "/report/../../etc/passwd",
        "/report/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/report/..%5c..%5cetc%5cpasswd",
        "/report/period.json/x",
        "/report/period.exe",
        "/report/period",
        "/journal.sqlite",
        "/%00",
    ):
        answer, body = ask(page, path, **BEARER)
        assert answer.status == 404, path
        assert b"root:" not in body


def test_every_answer_carries_its_headers(page: Page) -> None:
    for path, headers in (("/", BEARER), ("/", {}), ("/nothing", BEARER), ("/?token=wrong", {})):
        answer, _ = ask(page, path, **headers)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "server" not in answer.headers


def test_only_the_page_s_own_styles_are_allowed(page: Page) -> None:
    for path in ("/", "/report/all.html?lang=ru"):
        answer, body = ask(page, path, **BEARER)
        styles = re.findall(r"<style>(.*?)</style>", body.decode(), re.DOTALL)
        assert len(styles) == 1
        digest = base64.b64encode(hashlib.sha256(styles[0].encode()).digest()).decode()
        assert f"'sha256-{digest}'" in answer.headers["Content-Security-Policy"]
        assert b"<script" not in body
        assert b" style=" not in body


def test_token_in_the_address_becomes_a_cookie_that_no_script_and_no_other_site_gets(page: Page) -> None:
    answer, _ = ask(page, f"/?token={TOKEN}")
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    again, _ = ask(page, "/", Cookie=cookie.split(";")[0])
    assert again.status == 200


def test_without_the_token_nothing_is_told(page: Page) -> None:
    for path in ("/", "/report/period.json", "/nothing"):
        answer, body = ask(page, path)
        assert answer.status == 401
        assert b"SIM-1" not in body


def test_wrong_tokens_lock_the_right_one_out_for_a_while(page: Page) -> None:
    cookie = ask(page, f"/?token={TOKEN}")[0].headers["Set-Cookie"].split(";")[0]
    statuses = [ask(page, "/", Authorization=f"Bearer wrong{number}")[0].status for number in range(TRIES + 1)]
    assert statuses == [403] * (TRIES - 1) + [429] * 2
    assert ask(page, "/", **BEARER)[0].status == 429
    assert ask(page, f"/?token={TOKEN}")[0].status == 429
    assert ask(page, "/", Cookie=cookie)[0].status == 200, "who was let in before stays in"


def test_gate_opens_again_after_its_wait_and_never_closes_for_others() -> None:
    clock = ManualClock()
    gate = Gate("right", clock.monotonic_ms)
    for _ in range(TRIES):
        assert not gate.opens("wrong", "192.0.2.1")
    assert not gate.opens("right", "192.0.2.1")
    assert gate.opens("right", "192.0.2.2")
    clock.advance(WAIT_MS)
    assert gate.opens("right", "192.0.2.1")
    assert not gate.opens("ri\udcffght", "192.0.2.1")


def test_a_network_of_addresses_is_one_client_and_a_mapped_address_is_what_it_maps() -> None:
    gate = Gate("right", ManualClock().monotonic_ms)
    for number in range(TRIES):
        gate.opens("wrong", f"2001:db8::{number:x}")
        gate.opens("wrong", "::ffff:192.0.2.1")
    assert gate.is_closed("2001:db8::ffff")
    assert not gate.is_closed("2001:db8:0:1::1")
    assert gate.is_closed("::ffff:192.0.2.1")
    assert not gate.is_closed("::ffff:192.0.2.2")
    assert not gate.is_closed("testclient")


def test_sessions_are_secrets_of_their_own_that_end() -> None:
    clock = ManualClock()
    gate = Gate("right", clock.monotonic_ms)
    first = gate.new_session()
    assert gate.admits(first)
    for wrong in ("", "right", first[:-1], first + "x", "\udcff"):
        assert not gate.admits(wrong)
    for _ in range(MOST_SESSIONS):
        last = gate.new_session()
    assert not gate.admits(first)
    assert gate.admits(last)
    clock.advance(SESSION_MS)
    assert not gate.admits(last)


def test_many_clients_take_no_more_memory_than_some() -> None:
    gate = Gate("right", ManualClock().monotonic_ms)
    for number in range(2 * MOST_CLIENTS):
        gate.opens("wrong", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(gate._clients) == MOST_CLIENTS


def test_another_name_of_the_host_is_refused(page: Page) -> None:
    answer, body = ask(page, "/", **BEARER, Host="evil.example")
    assert answer.status == 400
    assert b"SIM-1" not in body


def test_a_thousand_hostile_requests_change_nothing_and_leave_the_page_alive(page: Page) -> None:
    chance = random.Random(5)
    data = page.operator.cabinet.settings.storage.data_dir
    before = _digest(data)
    pieces = [
        b"GET ",
        b"POST ",
        b"/",
        b"../",
        b"%2e%2e",
        b"\r\n",
        b"HTTP/1.1",
        b" HTTP/9.9",
        b"Host: x",
        b"\x00",
        b"\xff",
    ]
    pieces += [b"Content-Length: 99999999", b"Transfer-Encoding: chunked", b"Authorization: Bearer " + b"A" * 5_000]
    for _ in range(1_000):
        with socket.create_connection(("127.0.0.1", page.port), timeout=20) as line:
            line.sendall(b"".join(chance.choices(pieces, k=chance.randrange(1, 14))) + b"\r\n\r\n")
    assert ask(page, "/", **BEARER)[0].status in (200, 429)
    assert _digest(data) == before


def test_what_can_not_be_served_is_one_line_and_status_2(
    busy: Operator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "short").write_text("short")
    data = str(busy.cabinet.settings.storage.data_dir)
    for arguments, words in (
        (["--data", str(tmp_path / "none")], "there is no journal"),
        (["--data", data, "--token-file", str(tmp_path / "none")], "cannot be read"),
        (["--data", data, "--token-file", str(tmp_path / "short")], "at least 16"),
        (["--data", data, "--host", "203.0.113.9"], "choose another --port"),
    ):
        assert run(["serve", *arguments]) == 2
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1


@pytest.mark.peers
def test_a_real_browser_draws_the_page(page: Page, tmp_path: Path) -> None:
    browser = shutil.which("chromium")
    assert browser, "chromium is missing: apt-get install chromium"
    address = f"http://127.0.0.1:{page.port}/"
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", profile]

    def visit(*arguments: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run([*command, *arguments], check=True, timeout=120, capture_output=True, text=True)
        assert "Content Security Policy" not in done.stderr, done.stderr
        return done

    picture = tmp_path / "page.png"
    visit(f"--screenshot={picture}", "--window-size=1100,2400", f"{address}?token={TOKEN}")
    assert picture.stat().st_size > 20_000
    dumped = visit("--dump-dom", f"{address}?token={TOKEN}").stdout
    assert "<svg" in dumped
    assert "SIM-1" in dumped
    russian = visit("--dump-dom", f"{address}?lang=ru&token={TOKEN}").stdout
    assert "Состояние" in russian
    assert 'href="/report/period.html?lang=ru"' in russian
    stranger = [*command[:-1], f"--user-data-dir={tmp_path / 'stranger'}", "--dump-dom", address]
    seen = subprocess.run(stranger, check=True, timeout=120, capture_output=True, text=True).stdout
    assert "SIM-1" not in seen
