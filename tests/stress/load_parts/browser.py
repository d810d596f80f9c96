"""As much of a browser as a crowd needs: connections that are kept, a cookie, an event stream."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

PATIENCE = 30.0  # seconds; longer counts as failed
_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers in small letters, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


@dataclass(slots=True)
class Browser:
    """One visitor: its cookie, its language, one connection for short requests."""

    port: int
    secure: bool = False
    language: str = "en"
    cookie: str = ""
    _kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    _busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def fetch(self, address: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request. A kept connection that the other side has closed meanwhile is made anew, once, as browsers do.

        Raises OSError, EOFError or TimeoutError.
        """
        async with self._busy, asyncio.timeout(PATIENCE):
            fresh = self._kept is None
            try:
                return await self._ask(address, body, headers)
            except asyncio.CancelledError:
                self.close()  # half an answer is on its way: nobody else may take it for theirs
                raise
            except (ConnectionError, EOFError):
                self.close()
                if fresh:
                    raise
                return await self._ask(address, body, headers)

    async def _ask(self, address: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        if self._kept is None:
            self._kept = await self._connect()
        reader, writer = self._kept
        writer.write(self._request(address, body, headers))
        await writer.drain()
        status, found = await _head(reader)
        size = int(found.get("content-length", "0"))
        answer = Answer(status, found, await reader.readexactly(size))
        if "set-cookie" in found:
            self.cookie = found["set-cookie"].partition(";")[0]
        if found.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        trusting = _trusting() if self.secure else None
        return await asyncio.open_connection("127.0.0.1", self.port, limit=_LINE, ssl=trusting)

    def _request(self, address: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        lines = [f"{'GET' if body is None else 'POST'} {address} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        lines += [f"Accept-Language: {self.language}"] + ([f"Cookie: {self.cookie}"] if self.cookie else [])
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}"] if body is not None else []
        return "\r\n".join([*lines, "", ""]).encode() + (body or b"")

    async def events(self, address: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Kind and contents of the news of an event stream, until it breaks. Raises OSError, EOFError, TimeoutError."""
        reader, writer = await self._connect()
        kind = ""
        try:
            writer.write(self._request(address, None, {}))
            status, _ = await _head(reader)
            if status != 200:
                raise ConnectionError(f"no event stream: {status}")
            while True:
                async with asyncio.timeout(PATIENCE):
                    line = await reader.readline()
                if not line:
                    raise EOFError("the event stream ended")
                if line.startswith(b"event: "):
                    kind = line[7:].decode().strip()
                elif line.startswith(b"data: "):
                    yield kind, json.loads(line[6:])
        finally:
            writer.close()

    def close(self) -> None:
        """Let the kept connection go."""
        if self._kept is not None:
            self._kept[1].close()
            self._kept = None


@cache
def _trusting() -> ssl.SSLContext:
    """As a browser whose owner has clicked the warning away."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first = await reader.readline()
    if not first:
        raise EOFError("closed without an answer")
    headers = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return int(first.split()[1]), headers
