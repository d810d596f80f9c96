"""Who comes: viewers, players' phones, and the phone that is the camera."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import cv2

from scripts.load_parts.browser import Answer, Browser

FILM = Path(__file__).resolve().parent.parent.parent / "datasets/demo/demo.mp4"
RATE = 12.0  # pictures a second of the film
LANGUAGES = ("en", "de", "nl", "fi", "ja")
_RELOAD_SECONDS = 60.0
_BROKEN = (OSError, EOFError, TimeoutError)
_OFFER = re.compile(r'<form method="post" action="/enter" data-act>(.*?)</form>', re.DOTALL)
_FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')


@dataclass(slots=True)
class Client:
    """A browser with a clock. waits: seconds of each kind of request; failures: what went wrong, in words."""

    browser: Browser
    waits: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    token: str = ""

    async def timed(self, kind: str, address: str, body: bytes | None = None, **headers: str) -> Answer:
        """Fetch, and note how long it took and whether it worked."""
        began = time.perf_counter()
        answer = await self.browser.fetch(address, body, **headers)
        self.waits.setdefault(kind, []).append(time.perf_counter() - began)
        if answer.status >= 400:
            self.failures.append(f"{address}: {answer.status}")
        return answer

    async def open(self, address: str) -> None:
        """Load a page and take what forms need."""
        page = await self.timed("page", address)
        found = re.search(r'name="csrf" content="([^"]+)"', page.text)
        self.token = found[1] if found else ""

    async def stumble(self, error: BaseException) -> None:
        """What browsers do when the companion does not answer: try again after a second."""
        self.failures.append(f"{type(error).__name__}: {error}")
        self.browser.close()
        await asyncio.sleep(1.0)


class Viewer(Client):
    """Shows a page: listens, and fetches what is new. A player's phone buys the first thing it is offered."""

    def __init__(self, port: int, page: str, board: str, number: int) -> None:
        super().__init__(Browser(port, LANGUAGES[number % len(LANGUAGES)]))
        self.page, self.board, self.number = page, board, number
        self.version, self.bought = "", 0
        self._tried, self._looked = "", False
        self._news: set[str] = set()
        self._heard = asyncio.Event()

    async def run(self, over: asyncio.Event) -> None:
        """Listen and fetch until it is over; a stream that breaks is opened again."""
        tasks = [asyncio.create_task(doing) for doing in (self._listen(), self._follow(), self._reload())]
        await over.wait()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self.browser.close()

    async def _listen(self) -> None:
        while True:
            try:
                await self.open(self.page)
                async for kind in self.browser.events():
                    self._news.add(kind)
                    self._heard.set()
            except _BROKEN as error:
                await self.stumble(error)

    async def _follow(self) -> None:
        """Fetch the newest board, then the newest picture; what came in between is missed, as in a browser."""
        while True:
            await self._heard.wait()
            self._heard.clear()
            news, self._news = self._news, set()
            try:
                if "change" in news:
                    await self._show()
                if self.page == "/" and ("picture" in news or not self._looked):
                    await self._look()
            except _BROKEN as error:
                self._news |= news
                self._heard.set()
                await self.stumble(error)

    async def _reload(self) -> None:
        await asyncio.sleep(_RELOAD_SECONDS * (self.number % 50) / 50)
        while True:
            try:
                await self.open(self.page)
            except _BROKEN as error:
                await self.stumble(error)
            await asyncio.sleep(_RELOAD_SECONDS)

    async def _show(self) -> None:
        shown = await self.timed("board", self.board)
        self.version = shown.headers.get("x-version", self.version)
        if self.page.startswith("/me/"):
            await self._buy(shown.text)

    async def _look(self) -> None:
        self._looked = True  # pictures are made as long as somebody asks for them
        await self.timed("picture", "/picture")

    async def _buy(self, board: str) -> None:
        """Take the first card offered; not the same twice, should it be refused."""
        forms = (dict(_FIELD.findall(form)) for form in _OFFER.findall(board))
        offer = next((form for form in forms if form.get("verb") == "buy"), None)
        if offer is None or offer["seen"] == self._tried:
            return
        self._tried = offer["seen"]
        fields = {name: unescape(value) for name, value in offer.items()} | {"csrf": self.token}
        answer = await self.timed(
            "purchase", "/enter", urlencode(fields).encode(), X_CSRF_Token=self.token, X_Fragment="1",
            Content_Type="application/x-www-form-urlencoded",
        )  # fmt: skip
        self.bought += answer.status == 200 and 'role="alert"' not in answer.text


class CameraPhone(Client):
    """Sends the film, frame by frame at its own pace, again and again."""

    def __init__(self, port: int) -> None:
        super().__init__(Browser(port))
        self.sent = 0
        self._film = film()

    async def run(self, over: asyncio.Event) -> None:
        """Send until it is over."""
        while not over.is_set():
            try:
                await self.open("/phone")
                while not over.is_set():
                    began = time.perf_counter()
                    jpeg = self._film[self.sent % len(self._film)]
                    answer = await self.timed(
                        "upload", "/phone/picture", jpeg, X_CSRF_Token=self.token, Content_Type="image/jpeg"
                    )
                    self.sent += answer.status == 204
                    await asyncio.sleep(max(0.0, 1 / RATE - (time.perf_counter() - began)))
            except _BROKEN as error:
                await self.stumble(error)
        self.browser.close()


def film() -> list[bytes]:
    """The demo's film as JPEGs, made beforehand: it must not cost anything while it is measured."""
    found, source = [], cv2.VideoCapture(str(FILM))
    while True:
        more, image = source.read()
        if not more:
            return found
        found.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
