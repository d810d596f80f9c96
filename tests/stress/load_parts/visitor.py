"""A visitor: a browser that loads whole pages, files and all, and notes how long everything took."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from html import unescape

from tests.stress.load_parts.browser import Answer, Browser

BROKEN = (OSError, EOFError, TimeoutError)
_FILE = re.compile(r'(?:href|src)="(/static/[^"#]+)"')
_IMPORT = re.compile(r'^import .*"\./(\w+\.js)"', re.MULTILINE)


@dataclass(slots=True)
class Visitor:
    """A browser with a clock. waits: seconds of each kind of request; failures: what went wrong, in words;
    version: the name of the board that is shown."""

    browser: Browser
    waits: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    token: str = ""
    version: str = ""
    _files: dict[str, Answer] = field(default_factory=dict)

    async def timed(self, kind: str, address: str, body: bytes | None = None, **headers: str) -> Answer:
        """Fetch, and note how long it took and whether it worked."""
        began = time.perf_counter()
        answer = await self.browser.fetch(address, body, **headers)
        self.waits.setdefault(kind, []).append(time.perf_counter() - began)
        if answer.status >= 400:
            self.failures.append(f"{address}: {answer.status}")
        return answer

    async def open(self, address: str, kind: str = "page") -> None:
        """Load a page and take what forms need; then its files, which wait in line for one connection."""
        page = await self.timed(kind, address)
        found = re.search(r'name="csrf" content="([^"]+)"', page.text)
        self.token = found[1] if found else ""
        shown = re.search(r'data-version="([^"]+)"', page.text)
        self.version = shown[1] if shown else ""
        wanted = [unescape(file) for file in _FILE.findall(page.text)]
        for file in wanted:  # grows: scripts import scripts
            wanted += [name for name in await self._load(file) if name not in wanted]

    async def _load(self, address: str) -> list[str]:
        """What a file imports. Browsers keep what they are told to keep."""
        kept = self._files.get(address)
        if kept is None or "immutable" not in kept.headers.get("cache-control", ""):
            kept = self._files[address] = await self.timed("file", address)
        scripts = _IMPORT.findall(kept.text) if ".js" in address else []
        return [f"{address.rpartition('/')[0]}/{name}" for name in scripts]

    async def stumble(self, error: BaseException) -> None:
        """What browsers do when the companion does not answer: try again after a second."""
        self.failures.append(f"{type(error).__name__}: {error}")
        self.browser.close()
        await asyncio.sleep(1.0)
