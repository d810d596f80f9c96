"""A visitor: a browser that loads whole pages with their files and measures each request."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx

_FILE = re.compile(r'(?:href|src)="(/static/[^"#]+)"')
_IMPORT = re.compile(r'^import .*"\./(\w+\.js)"', re.MULTILINE)


@dataclass(slots=True)
class PageVisitor:
    """A browser that measures its requests.

    Attributes:
        waits: Seconds of each request, by kind.
        failures: Errors in words.
        version: Name of the board that is shown.
    """

    browser: httpx.AsyncClient
    waits: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    token: str = ""
    version: str = ""
    _files: dict[str, httpx.Response] = field(default_factory=dict)

    async def timed(self, kind: str, address: str, **sent: Any) -> httpx.Response:
        """Fetches an address, or sends a form, files or content (named as in httpx); records its time and whether it
        worked."""
        began = time.perf_counter()
        method = "POST" if sent.keys() & {"data", "files", "content"} else "GET"
        headers = {"X-CSRF-Token": self.token} | sent.pop("headers", {})
        answer = await self.browser.request(method, address, headers=headers, **sent)
        self.waits.setdefault(kind, []).append(time.perf_counter() - began)
        if answer.is_error:
            self.failures.append(f"{address}: {answer.status_code}")
        return answer

    async def open(self, address: str, kind: str = "page") -> None:
        """Loads a page with the tokens of its forms, then its files, one after the other over one connection."""
        page = await self.timed(kind, address)
        found = re.search(r'name="csrf" content="([^"]+)"', page.text)
        self.token = found[1] if found else ""
        shown = re.search(r'data-version="([^"]+)"', page.text)
        self.version = shown[1] if shown else ""
        wanted = [unescape(file) for file in _FILE.findall(page.text)]
        for file in wanted:  # it grows, because scripts import scripts
            wanted += [name for name in await self._load(file) if name not in wanted]

    async def _load(self, address: str) -> list[str]:
        """Loads a file and returns what it imports. Files are cached as the server's headers say."""
        kept = self._files.get(address)
        if kept is None or "immutable" not in kept.headers.get("cache-control", ""):
            kept = self._files[address] = await self.timed("file", address)
        scripts = _IMPORT.findall(kept.text) if ".js" in address else []
        return [f"{address.rpartition('/')[0]}/{name}" for name in scripts]

    async def stumble(self, error: BaseException) -> None:
        """Retries after a second when the companion does not answer, as browsers do."""
        self.failures.append(f"{type(error).__name__}: {error}")
        await asyncio.sleep(1.0)
