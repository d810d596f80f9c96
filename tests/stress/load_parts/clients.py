"""The clients: viewers, players' phones, and the camera's phone."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from html import unescape
from pathlib import Path

import cv2
import numpy as np

from companion.game.table import Table
from engine.record_header import new_record
from tests.kit.degrade import jpeg
from tests.stress.chaos_parts.world import script
from tests.stress.load_parts.browser import BROKEN, browser, events
from tests.stress.load_parts.companion import RunningCompanion
from tests.stress.load_parts.visitor import PageVisitor

FILM = Path(__file__).resolve().parents[3] / "datasets/demo/demo.mp4"
JPEG = {"Content-Type": "image/jpeg"}
RATE = 12.0  # frames a second of the film
LANGUAGES = ("en", "de", "nl", "fi", "ja")
RELOAD_SECONDS = 60.0
_EVENTS = 160  # of a game that is reviewed
_OFFER = re.compile(r'<form method="post" action="/enter" data-act>(.*?)</form>', re.DOTALL)
NOTICE = re.compile(r'data-key="notice"><span>([^<]*)</span>')
_FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')


class Viewer(PageVisitor):
    """Shows a page: receives updates and fetches the newest image."""

    def __init__(self, companion: RunningCompanion, page: str, board: str, number: int) -> None:
        super().__init__(browser(companion.port, companion.secure, LANGUAGES[number % len(LANGUAGES)]))
        self.page, self.board, self.number = page, board, number
        self._looked = False
        self._heard = asyncio.Event()

    async def run(self, over: asyncio.Event, comes: float) -> None:
        """Connects after `comes` seconds, then listens and fetches until it is over; a broken stream is reopened."""
        await asyncio.sleep(comes)
        tasks = [asyncio.create_task(doing) for doing in (self._listen(), self._follow(), self._reload())]
        await over.wait()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.browser.aclose()

    async def _listen(self) -> None:
        while True:
            try:
                await self.open(self.page)
                known = f"&known={self.version}" if self.version else ""
                async for kind, message in events(self.browser, f"/events?board={self.board}{known}"):
                    if kind == "board":
                        self.waits.setdefault("board", []).append(time.time() - message["at"] / 1000)
                        self.version = message["version"]
                        await self.show(message["html"])
                    elif kind == "picture":
                        self._heard.set()
            except BROKEN as error:
                await self.stumble(error)

    async def _follow(self) -> None:
        """Fetches the newest image; older ones are skipped, as in a browser."""
        while self.page == "/":
            if self._looked:
                await self._heard.wait()
            self._heard.clear()
            try:
                await self.timed("picture", "/picture")
                self._looked = True  # images are encoded as long as a client requests them
            except BROKEN as error:
                await self.stumble(error)

    async def show(self, board: str) -> None:
        """Shows a new board."""

    async def _reload(self) -> None:
        while True:
            await asyncio.sleep(RELOAD_SECONDS)
            await self.reload()

    async def reload(self, kind: str = "page") -> None:
        """Reloads the page."""
        try:
            await self.open(self.page, kind)
        except BROKEN as error:
            await self.stumble(error)


class PlayerPhone(Viewer):
    """A player's phone, which buys what it is offered at the end of the player's turn."""

    def __init__(self, companion: RunningCompanion, seat: str, number: int) -> None:
        super().__init__(companion, f"/me/{seat}", f"/me/{seat}/board", number)
        self.bought = 0
        self.refused: list[str] = []
        self._tried = ""

    async def show(self, board: str) -> None:
        """Buys the first card offered, but never the same one twice in case it is refused."""
        forms = (dict(_FIELD.findall(form)) for form in _OFFER.findall(board))
        offer = next((form for form in forms if form.get("verb") == "buy"), None)
        if offer is None or offer["seen"] == self._tried:
            return
        self._tried = offer["seen"]
        fields = {name: unescape(value) for name, value in offer.items()} | {"csrf": self.token}
        answer = await self.timed("purchase", "/enter", data=fields, headers={"X-Fragment": "1"})
        said = NOTICE.search(answer.text)
        if said:
            self.refused.append(f"{fields['seat']} {fields['card']}: {unescape(said[1])}")
        self.bought += answer.status_code == 200 and said is None


class CameraPhone(PageVisitor):
    """Sends the film repeatedly, frame by frame at its own speed."""

    def __init__(self, companion: RunningCompanion) -> None:
        super().__init__(browser(companion.port, companion.secure))
        self.sent = 0
        self._film = film()

    async def run(self, over: asyncio.Event) -> None:
        """Sends until it is over."""
        while not over.is_set():
            try:
                await self.open("/phone")
                while not over.is_set():
                    began = time.perf_counter()
                    jpeg = self._film[self.sent % len(self._film)]
                    answer = await self.timed("upload", "/phone/picture", content=jpeg, headers=JPEG)
                    self.sent += answer.status_code == 204
                    await asyncio.sleep(max(0.0, 1 / RATE - (time.perf_counter() - began)))
            except BROKEN as error:
                await self.stumble(error)
        await self.browser.aclose()


class Reviewer(PageVisitor):
    """Imports one game after the other and requests its review, which keeps a processor busy."""

    def __init__(self, companion: RunningCompanion) -> None:
        super().__init__(browser(companion.port, companion.secure))

    async def run(self, over: asyncio.Event) -> None:
        """Reviews until it is over."""
        seed = 0
        while not over.is_set():
            seed += 1
            try:
                await self._review(await asyncio.to_thread(_played, seed))
            except BROKEN as error:
                await self.stumble(error)
        await self.browser.aclose()

    async def _review(self, record: str) -> None:
        await self.open("/history")
        files = {"record": ("game.txt", record, "text/plain")}
        answer = await self.timed("import", "/history/import", files=files)
        game = answer.headers["location"]
        await self.timed("review", f"{game}/review?whole=1")
        await self.timed("import", f"{game}/delete", content=b"")  # so that only the running game is counted


def _played(seed: int) -> str:
    """A game's record."""
    table = Table(new_record("krone", ("Anna", "Bert")))
    for line in script(seed, _EVENTS).splitlines():
        table.enter(line)
    return table.replay.text()


def film() -> list[bytes]:
    """The demo film as JPEGs, made in advance so that encoding does not distort the measurement."""
    found: list[bytes] = []
    source = cv2.VideoCapture(str(FILM))
    while True:
        more, image = source.read()
        if not more:
            return found
        found.append(jpeg(np.asarray(image, np.uint8), 85))
