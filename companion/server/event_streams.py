"""Pushes updates to open pages: one event stream each, all served by one event loop without threads.

A new board is rendered once for all viewers with the same view and sent to each of them, so no page has to fetch it.
For a camera image only its number is sent. Nothing queues: slow clients skip to the latest update.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from companion.game.broadcast import Broadcast
from companion.server.limits import ConcurrencyLimit
from companion.server.wsgi_bridge import PageResponse, Receive, Scope, Send, header
from companion.web.pages.overlay import PARTS
from companion.web.pairing import rate_limit_key

HEARTBEAT_SECONDS = 0.7  # pages that receive nothing for twice this long report it (`live.js`)
# Minimum time between rendering boards: updates come in bursts (a roll, its odds, its advice), and the camera's thread
# needs the processor too.
_PAUSE_SECONDS = 0.1
# The pages that can be followed. Each is rendered with every change, whether or not it exists.
_BOARDS = re.compile(rf"/board|/overlay(/({'|'.join(PARTS)}))?/board|/television/board|/me/[A-F]/board|/feed")
_BEGIN = b"retry: 1000\n\n"
_ALIVE = b"event: alive\ndata: {}\n\n"


@dataclass(eq=False, slots=True)
class _Board:
    """A board as one audience sees it: the request `scope` to render it for, and the rendered `message`."""

    address: str
    language: str  # the page's language, which may differ from that of the stream's own request
    scope: Scope
    rank: tuple[bool, int]
    readers: int = 0
    name: str = ""
    message: bytes = b""


@dataclass(eq=False, slots=True)
class _Listener:
    """One open stream.

    Attributes:
        known: Name of the newest board it has.
        picture: Number of the newest camera image it was sent.
        links: Number of revoked or expired invitation links when its visitor was last checked.
    """

    boards: list[_Board]
    known: dict[str, str]
    picture: int = 0
    change: str = ""
    links: int = 0
    gone: bool = False
    stirred: asyncio.Event = field(default_factory=asyncio.Event)


class EventStreams:
    """The event streams of an application.

    Args:
        draw: Sends a visitor's request for another address to the pages.
        links_ended: Number of invitation links that were revoked or have expired.
        shares: Maximum number of streams.
        prefix: The path below which browsers find the pages.
    """

    def __init__(
        self,
        broadcast: Broadcast,
        draw: Callable[[Scope, str], PageResponse],
        links_ended: Callable[[], int],
        shares: ConcurrencyLimit,
        prefix: str = "",
    ) -> None:
        self._news, self._draw, self._links_ended, self._shares = broadcast, draw, links_ended, shares
        self._prefix = prefix
        self._boards: dict[tuple[str, str], _Board] = {}
        self._listeners: set[_Listener] = set()
        self._stale = asyncio.Event()
        self._since: float | None = None  # when the first change came that no board shows yet
        self._pen = ThreadPoolExecutor(1, "pen")
        self._drawing: asyncio.Task[None] | None = None
        self._over = False
        self._hear_no_more: Callable[[], None] = lambda: None

    async def serve(self, scope: Scope, receive: Receive, send: Send, admitted: PageResponse) -> None:
        """A stream for this visitor, whom the page has admitted, until it or the application closes."""
        with self._shares.one(rate_limit_key((scope.get("client") or ("",))[0])) as counted:
            if counted and not self._news.closed:
                await self._tell(scope, receive, send, admitted)
                return
        await send({"type": "http.response.start", "status": 503, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    async def _tell(self, scope: Scope, receive: Receive, send: Send, admitted: PageResponse) -> None:
        if self._drawing is None:
            self._follow_the_news()
        audience = admitted.header(b"x-audience")
        listener = self._listen(scope, audience)
        leaving = asyncio.create_task(_until_gone(receive, listener))
        try:
            headers = [(name, value) for name, value in admitted.headers if name != b"content-length"]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": _BEGIN, "more_body": True})
            while not (listener.gone or self._over or self._news.closed):
                if listener.links != self._links_ended() and not await self._still_admitted(listener, scope, audience):
                    break
                if said := self._news_for(listener):
                    await send({"type": "http.response.body", "body": said, "more_body": True})
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await listener.stirred.wait()
                except TimeoutError:
                    await send({"type": "http.response.body", "body": _ALIVE, "more_body": True})
                listener.stirred.clear()
            if not listener.gone:
                await send({"type": "http.response.body"})
        finally:
            leaving.cancel()
            self._forget(listener)

    def end(self) -> None:
        """Ends every stream at its next heartbeat, while the application continues."""
        self._over = True

    def close(self) -> None:
        """Stops rendering boards."""
        self._hear_no_more()
        if self._drawing is not None:
            self._drawing.cancel()
        self._pen.shutdown(wait=False, cancel_futures=True)

    async def _still_admitted(self, listener: _Listener, scope: Scope, audience: str) -> bool:
        """Whether the visitor may see the same as before, now that a link has ended."""
        listener.links = self._links_ended()
        again = "/events?" + scope["query_string"].decode("latin-1")
        admitted = await asyncio.get_running_loop().run_in_executor(self._pen, self._draw, scope, again)
        if admitted.status != 200 or admitted.header(b"x-audience") != audience:
            return False
        for board in listener.boards:
            # The visitor it was rendered for may lose access.
            board.scope = {**scope, "headers": list(scope["headers"])}
        return True

    def _listen(self, scope: Scope, audience: str) -> _Listener:
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        wanted = (name.removeprefix(self._prefix) for name in asked.get("board", ()))
        addresses = list(dict.fromkeys(name for name in wanted if _BOARDS.fullmatch(name)))
        known = header(scope, b"last-event-id").decode("latin-1") or asked.get("known", [""])[0]
        if len(addresses) > 1:
            known = ""  # they may have disconnected one after another; which one did is unknown
        for address in addresses:
            if (address, audience) not in self._boards:
                language, rights, _ = audience.split(".")
                plain = {**scope, "headers": list(scope["headers"])}
                self._boards[address, audience] = _Board(address, language, plain, ("/me/" in address, int(rights)))
        boards = [self._boards[address, audience] for address in addresses]
        for board in boards:
            board.readers += 1
        # No link may be revoked between the check and this line.
        listener = _Listener(boards, dict.fromkeys(addresses, known), links=-1)
        self._listeners.add(listener)
        self._stale.set()
        return listener

    def _forget(self, listener: _Listener) -> None:
        self._listeners.discard(listener)
        for board in listener.boards:
            board.readers -= 1
        for key in [key for key, board in self._boards.items() if not board.readers]:
            del self._boards[key]

    def _news_for(self, listener: _Listener) -> bytes:
        """The updates that this listener has not received yet, as one message."""
        newest, said = self._news.edition, []
        for board in listener.boards:
            if board.message and listener.known[board.address] != board.name:
                listener.known[board.address] = board.name
                said.append(board.message)
        if not listener.boards and newest.board != listener.change:
            listener.change = newest.board
            said.append(_event("change", version=newest.board))
        if newest.picture and newest.picture != listener.picture:
            listener.picture = newest.picture
            said.append(_event("picture", number=newest.picture))
        return b"".join(said)

    def _follow_the_news(self) -> None:
        loop = asyncio.get_running_loop()

        def stir() -> None:
            if self._since is None and any(board.name != self._news.edition.board for board in self._boards.values()):
                self._since = time.time()
            self._stale.set()
            for listener in self._listeners:
                listener.stirred.set()

        def heard() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(stir)

        self._hear_no_more = self._news.subscribe(heard)
        self._drawing = asyncio.create_task(self._keep_boards_new())

    async def _keep_boards_new(self) -> None:
        """Renders boards after each change: players' own boards first, then the host's, then those of spectators."""
        loop = asyncio.get_running_loop()
        while not self._news.closed:
            await self._stale.wait()
            self._stale.clear()
            newest = self._news.edition.board
            wanted = [board for board in self._boards.values() if board.name != newest or not board.message]
            since, self._since = self._since or time.time(), None
            began = loop.time()
            for board in sorted(wanted, key=lambda board: board.rank, reverse=True):
                drawn = await loop.run_in_executor(
                    self._pen, self._draw, board.scope, f"{board.address}?language={board.language}"
                )
                self._publish(board, drawn, newest, since)
            if wanted:
                await asyncio.sleep(max(_PAUSE_SECONDS, (loop.time() - began) / 2))

    def _publish(self, board: _Board, drawn: PageResponse, newest: str, since: float) -> None:
        if drawn.status == 200:
            board.name = drawn.header(b"x-version")
            said = drawn.text
            # JSON for other programs is passed on unchanged.
            if drawn.header(b"content-type").startswith("application/json"):
                message = f"event: game\ndata: {' '.join(said.split(chr(10)))}\n\n".encode()
            else:
                message = _event(
                    "board", view=self._prefix + board.address, version=board.name, at=round(since * 1000), html=said
                )
            board.message = f"id: {board.name}\n".encode() + message
        else:  # there is no game, or no such seat in a new one; the page notices itself
            version = drawn.header(b"x-version") or newest
            board.name, board.message = newest, _event("change", version=version)
        for listener in self._listeners:
            if board in listener.boards:
                listener.stirred.set()


async def _until_gone(receive: Receive, listener: _Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.gone = True
    listener.stirred.set()


def _event(kind: str, **values: int | str) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(values, ensure_ascii=False)}\n\n".encode()
