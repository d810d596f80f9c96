"""The ASGI application in front of Flask. It answers frequent requests itself and passes all others to the pages.

Static files come from memory, images from the camera, updates from `event_streams`. Slow pages queue for one thread of
their own. Access control is left to the pages: a visitor gets images here only after the pages have served one.
"""

from __future__ import annotations

import asyncio
import mimetypes
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs

from flask import Flask
from werkzeug.exceptions import HTTPException

from companion.camera.worker import PageImage
from companion.server.event_streams import EventStreams
from companion.server.limits import Limits
from companion.server.wsgi_bridge import (
    PageResponse,
    Receive,
    Scope,
    Send,
    call_app,
    header,
    send_response,
    without_prefix,
    wsgi_environ,
)
from companion.web.app_state import AppState
from companion.web.pairing import Pairing, rate_limit_key
from companion.web.request_costs import SMALL_BYTES, is_long, max_request_bytes
from companion.web.security import SAFE_HEADERS, is_allowed
from companion.web.static_files import static_files

PAGE_THREADS = 12
BODY_SECONDS = 20.0  # timeout between two parts of a request body
WHOLE_BODY_SECONDS = 60.0  # timeout of the whole body
_PICTURE_ACCESS_SECONDS = 60.0  # for this long after the pages served an image, a visitor gets images from here
_MAX_PICTURE_ACCESS = 1024  # visitors whose access is cached
_FRAGMENT = ((b"x-fragment", b"board"),)
_CACHE_FOREVER = (b"cache-control", b"public, max-age=31536000, immutable")
_CLOSE = (b"connection", b"close")
_NO_NEWER_PICTURE = PageResponse(204, [*SAFE_HEADERS, (b"cache-control", b"no-store")], b"")
_TOO_MANY_UPLOADS = PageResponse(429, [*SAFE_HEADERS, (b"content-length", b"0")], b"")
_TOO_SLOW = PageResponse(408, [*SAFE_HEADERS, (b"content-length", b"0")], b"")


PageView = Callable[..., object] | None


class _TooManyUploads(Exception):
    """Too many large uploads at once."""


class AsgiApp:
    """The application that the server serves."""

    def __init__(self, app: Flask, app_state: AppState, limits: Limits) -> None:
        self._app, self._app_state = app, app_state
        self._pairing: Pairing = app.extensions["pairing"]
        self._page_threads = ThreadPoolExecutor(PAGE_THREADS, "page")
        self._slow_thread = ThreadPoolExecutor(1, "long page")
        self._event_streams = EventStreams(
            app_state.session.broadcast,
            lambda scope, path: call_app(app, scope, path=path, more=_FRAGMENT),
            lambda: self._pairing.ended_links,
            limits.streams,
            app.config["APPLICATION_ROOT"].rstrip("/"),
        )
        self._prefix = app.config["APPLICATION_ROOT"].rstrip("/")
        self._static_files = _static_files(app)
        self._uploads = limits.uploads
        self._picture_access: dict[tuple[bytes, bytes, int], float] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        scope = without_prefix(scope, self._prefix)
        is_read, path = scope["method"] in ("GET", "HEAD"), scope["path"]
        if is_read and (file := self._static_files.get(path)):
            await send_response(send, file)
        elif is_read and path == "/picture":
            await self._picture(scope, send)
        elif scope["method"] == "GET" and path == "/events":
            answer = await self._call_app(scope)
            if answer.status == 200:
                await self._event_streams.serve(scope, receive, send, answer)
            else:
                await send_response(send, answer)
        else:
            await self._page(scope, receive, send)

    def end_streams(self) -> None:
        """Ends the streams of this server; the application may continue."""
        self._event_streams.end()

    def close(self) -> None:
        """Closes the application."""
        self._event_streams.close()
        for threads in (self._page_threads, self._slow_thread):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        view = self._view(scope)
        try:
            body, unread = await self._body(scope, receive, view)
        except TimeoutError:
            await send_response(send, _TOO_SLOW, _CLOSE)
            return
        except _TooManyUploads:
            await send_response(send, _TOO_MANY_UPLOADS, _CLOSE)
            return
        except ConnectionError:
            return
        threads = self._slow_thread if _is_slow(view, scope) else self._page_threads
        answer = await self._call_app(scope, body, threads)
        await send_response(send, answer, *([_CLOSE] if unread else []))

    def _view(self, scope: Scope) -> PageView:
        """The view that will answer; None if there is none."""
        try:
            endpoint, _ = self._app.url_map.bind("").match(scope["path"], scope["method"])
        except HTTPException:
            return None
        return self._app.view_functions.get(endpoint)

    async def _body(self, scope: Scope, receive: Receive, view: PageView) -> tuple[bytes, bool]:
        """The body of a request, and whether a part of it was left unread.

        Raises:
            TimeoutError: The client is too slow.
            ConnectionError: The client has disconnected.
            _TooManyUploads: Too many large uploads are in progress.
        """
        stated_length, max_bytes = header(scope, b"content-length"), max_request_bytes(view)
        if not stated_length and not header(scope, b"transfer-encoding"):
            return b"", False
        if stated_length and int(stated_length) > max_bytes:
            return b"", True  # the page rejects it by its length
        if max_bytes <= SMALL_BYTES or (stated_length and int(stated_length) <= SMALL_BYTES):
            return await _read_body(receive, max_bytes)
        if not await asyncio.get_running_loop().run_in_executor(self._page_threads, self._admitted, scope):
            return b"", True  # the page says why
        with self._uploads.slot(rate_limit_key((scope.get("client") or ("",))[0])) as counted:
            if not counted:
                raise _TooManyUploads
            return await _read_body(receive, max_bytes)

    def _admitted(self, scope: Scope) -> bool:
        with self._app.request_context(wsgi_environ(scope)):
            return is_allowed()

    async def _picture(self, scope: Scope, send: Send) -> None:
        visitor_key = (header(scope, b"host"), header(scope, b"cookie"), self._pairing.ended_links)
        watcher, now = self._app_state.cameras.watcher, time.monotonic()
        if watcher is None or self._picture_access.get(visitor_key, 0.0) < now:
            answer = await self._call_app(scope)
            if watcher is not None and answer.status in (200, 204):
                if len(self._picture_access) >= _MAX_PICTURE_ACCESS:
                    self._picture_access.clear()
                self._picture_access[visitor_key] = now + _PICTURE_ACCESS_SECONDS
            await send_response(send, answer)
            return
        shown = watcher.page_image
        after = parse_qs(scope["query_string"].decode("latin-1")).get("after", ["0"])[0]
        if shown is None or (after.isdecimal() and len(after) < 20 and int(after) >= shown.number):
            await send_response(send, _NO_NEWER_PICTURE)
        else:
            await send_response(send, PageResponse(200, _picture_headers(shown), shown.jpeg))

    async def _call_app(
        self, scope: Scope, body: bytes = b"", threads: ThreadPoolExecutor | None = None
    ) -> PageResponse:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads or self._page_threads, call_app, self._app, scope, body)


async def _read_body(receive: Receive, max_bytes: int) -> tuple[bytes, bool]:
    """The body of a request, and whether it was cut off for being longer than `max_bytes`."""
    parts, size = [], 0
    async with asyncio.timeout(WHOLE_BODY_SECONDS):
        while True:
            async with asyncio.timeout(BODY_SECONDS):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError("the client has disconnected")
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > max_bytes:
                return b"", True
            if not message.get("more_body"):
                return b"".join(parts), False


def _is_slow(view: PageView, scope: Scope) -> bool:
    query = scope["query_string"].decode("latin-1")
    return view is not None and is_long(view, query, any(name == b"x-fragment" for name, _ in scope["headers"]))


def _picture_headers(shown: PageImage) -> list[tuple[bytes, bytes]]:
    return [
        *SAFE_HEADERS,
        (b"cache-control", b"no-store"),
        (b"content-type", b"image/jpeg"),
        (b"content-length", str(len(shown.jpeg)).encode()),
        (b"x-seen", shown.seen.encode()),
    ]


def _static_files(app: Flask) -> dict[str, PageResponse]:
    """Every static file by its address. The address changes with the files, so browsers may cache them forever."""
    found = {}
    for name, path in static_files().items():
        body, kind = path.read_bytes(), mimetypes.guess_type(name)[0] or "application/octet-stream"
        kind = {".js": "text/javascript"}.get(path.suffix, kind)
        kind += "; charset=utf-8" if kind.startswith("text/") else ""
        about = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode()), _CACHE_FOREVER]
        found[f"{app.static_url_path}/{name}"] = PageResponse(200, [*SAFE_HEADERS, *about], body)
    return found
