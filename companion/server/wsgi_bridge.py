"""Adapter between the server's event loop (ASGI) and Flask (WSGI).

Flask answers in a thread, always with the whole body at once. Slow uploads and downloads, such as a photo over a bad
connection, never occupy a thread.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from companion.web.file_body import PIECE_BYTES, FileBody

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
WsgiApp = Callable[..., Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class PageResponse:
    """The response of a page."""

    status: int
    headers: Headers
    body: bytes | FileBody

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body[:].decode("utf-8")

    def header(self, name: bytes) -> str:
        """The value of a header, "" if it is missing. `name` is in lower case."""
        return next((value.decode("latin-1") for found, value in self.headers if found == name), "")


def header(scope: Scope, name: bytes) -> bytes:
    """The value of a request's header, b"" if it is missing. `name` is in lower case."""
    return next((value for found, value in scope["headers"] if found == name), b"")


def without_prefix(scope: Scope, prefix: str) -> Scope:
    """The request with its path relative to `prefix`, which the proxy may or may not have removed."""
    raw = scope["raw_path"]
    if raw == prefix.encode() or raw.startswith(f"{prefix}/".encode()):
        raw = raw[len(prefix) :] or b"/"
        return {**scope, "root_path": prefix, "raw_path": raw, "path": scope["path"][len(prefix) :] or "/"}
    return {**scope, "root_path": prefix}


def call_app(
    app: WsgiApp, scope: Scope, body: bytes = b"", *, path: str = "", more: Iterable[tuple[bytes, bytes]] = ()
) -> PageResponse:
    """The response of the Flask application to a request.

    Args:
        path: Another address to request.
        more: Additional headers.
    """
    head: list[Any] = [500, []]  # status and headers
    written: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], None]:
        head[:] = int(status[:3]), headers
        return written.append

    found = app(wsgi_environ(scope, body, path, more), start_response)
    if not isinstance(found, FileBody):
        try:
            written.extend(found)
        finally:
            getattr(found, "close", lambda: None)()
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in head[1]]
    return PageResponse(head[0], headers, found if isinstance(found, FileBody) else b"".join(written))


async def send_response(send: Send, answer: PageResponse, *more: tuple[bytes, bytes]) -> None:
    """Sends a complete response with `more` headers; a long one in parts, as fast as the client receives them."""
    await send({"type": "http.response.start", "status": answer.status, "headers": [*answer.headers, *more]})
    last = max(len(answer.body) - 1, 0) // PIECE_BYTES * PIECE_BYTES
    for place in range(0, last, PIECE_BYTES):
        piece = await _read(answer.body, place, place + PIECE_BYTES)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": await _read(answer.body, last, len(answer.body))})


async def _read(body: bytes | FileBody, begin: int, end: int) -> bytes:
    """A part of the body. A file is read in another thread, so that the disk blocks no other visitor."""
    if isinstance(body, FileBody):
        return await asyncio.to_thread(body.__getitem__, slice(begin, end))
    return body[begin:end]


def wsgi_environ(
    scope: Scope, body: bytes = b"", path: str = "", more: Iterable[tuple[bytes, bytes]] = ()
) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333)."""
    name, port = scope.get("server") or ("localhost", None)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET" if path else scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": path.partition("?")[0] or unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": path.partition("?")[2] if path else scope["query_string"].decode("latin-1"),
        "SERVER_NAME": name,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw, value in (*scope["headers"], *more):
        if b"_" in raw:
            continue  # in WSGI it would look like the header with a dash
        key = raw.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}" if key in environ else text
    if path:
        environ.pop("CONTENT_LENGTH", None)
    return environ
