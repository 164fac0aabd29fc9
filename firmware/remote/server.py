"""The read-only page over HTTP: a process of its own that opens the store for reading and has no way to write.

One method (GET), a few routes, one token. It speaks plain HTTP to this machine alone unless told otherwise; whoever
exposes it further puts it behind something that encrypts. Not responsible for what the page says (``page``).
"""

import threading
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from firmware.errors import InvariantError, UserError
from firmware.operator_menu.pages_reports import REPORTS
from firmware.remote.access import Gate
from firmware.remote.page import FORMS, page_html, style_sources
from firmware.remote.reading import Reader, StoreReading
from firmware.remote.report_command import report_bytes
from firmware.settings.sections import Settings

COOKIE: Final = "croupier"
FRESH_MS: Final = 2_000
"""A store is read anew at the most so often, however many people look."""
_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Next = Callable[[Request], Awaitable[Response]]


class Shelf:
    """The newest reading of the store, shared by all requests."""

    def __init__(self, read: Reader, monotonic_ms: Callable[[], int]) -> None:
        """``read`` opens the store, reads and closes it."""
        self._read, self._monotonic_ms = read, monotonic_ms
        self._lock = threading.Lock()
        self._reading: StoreReading | None = None
        self._read_ms = 0

    def newest(self) -> StoreReading:
        """Return a reading that is at most ``FRESH_MS`` old. Raises what reading raises."""
        with self._lock:
            now_ms = self._monotonic_ms()
            if self._reading is None or now_ms - self._read_ms >= FRESH_MS:
                self._reading, self._read_ms = self._read(), now_ms
            return self._reading


def application(
    settings: Settings, read: Reader, gate: Gate, monotonic_ms: Callable[[], int], hosts: tuple[str, ...]
) -> Starlette:
    """Return the application; ``hosts`` are the names under which a browser may reach it."""
    shelf = Shelf(read, monotonic_ms)

    def index(request: Request) -> Response:
        text = page_html(shelf.newest(), settings.currency.symbol, _language(request))
        return Response(text, media_type=_TYPES["html"])

    def report(request: Request) -> Response:
        name, _, form = request.path_params["file"].partition(".")
        if name not in REPORTS or form not in FORMS:
            return PlainTextResponse("there is no such report\n", 404)
        data = report_bytes(shelf.newest(), settings, name, form, _language(request))
        return Response(data, media_type=_TYPES[form])

    async def guard(request: Request, proceed: Next) -> Response:
        answer = _stopped(request, gate)
        if answer is None:
            try:
                answer = await proceed(request)
            except (UserError, InvariantError) as error:
                answer = PlainTextResponse(f"{error}\n", 503)
        answer.headers.update(_HEADERS)
        answer.headers["Content-Security-Policy"] = (
            f"default-src 'none'; style-src {style_sources()}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        return answer

    return Starlette(
        routes=[
            Route("/", index, methods=["GET"]),
            Route("/report/{file}", report, methods=["GET"]),
        ],
        middleware=[
            Middleware(BaseHTTPMiddleware, dispatch=guard),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
        ],
    )


def _stopped(request: Request, gate: Gate) -> Response | None:
    """Return the answer to a request that goes no further."""
    if request.method != "GET":
        return PlainTextResponse("this page can only be read\n", 405, {"Allow": "GET"})
    client = request.client.host if request.client is not None else ""
    given = request.query_params.get("token")
    if given is not None and request.url.path == "/":
        if not gate.opens(given, client):
            return _refused(gate, client)
        answer = RedirectResponse("/?lang=ru" if _language(request) == "ru" else "/", 303)
        answer.set_cookie(COOKIE, gate.new_session(), httponly=True, samesite="strict")
        return answer
    if gate.admits(request.cookies.get(COOKIE, "")):
        return None
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer:
        return None if gate.opens(bearer, client) else _refused(gate, client)
    return PlainTextResponse("open the address that croupier serve has printed, with its token\n", 401)


def _refused(gate: Gate, client: str) -> Response:
    if gate.is_closed(client):
        return PlainTextResponse("too many wrong tokens; wait a minute\n", 429, {"Retry-After": "60"})
    return PlainTextResponse("wrong token\n", 403)


def _language(request: Request) -> str:
    return "ru" if request.query_params.get("lang") == "ru" else "en"
