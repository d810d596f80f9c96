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
_RETRY = b"retry: 1000\n\n"
_ALIVE = b"event: alive\ndata: {}\n\n"


@dataclass(eq=False, slots=True)
class _Board:
    """A board as one audience sees it.

    Attributes:
        language: The page's language, which may differ from that of the stream's own request.
        scope: The request of a visitor to render it for.
        rank: Boards with a higher rank are rendered first.
        readers: Number of streams that show it.
        version: The version of the game in `message`.
        message: The rendered board as an event.
    """

    address: str
    language: str
    scope: Scope
    rank: tuple[bool, int]
    readers: int = 0
    version: str = ""
    message: bytes = b""


@dataclass(eq=False, slots=True)
class _Listener:
    """One open stream.

    Attributes:
        known: The version of each board that the client has, by address.
        picture: Number of the last camera image that was announced to it.
        change: The last version announced to a client without boards.
        links_ended: Number of revoked or expired invitation links when its visitor was last checked.
        disconnected: The client has closed the stream.
        updated: Set when there may be something to send.
    """

    boards: list[_Board]
    known: dict[str, str]
    picture: int = 0
    change: str = ""
    links_ended: int = 0
    disconnected: bool = False
    updated: asyncio.Event = field(default_factory=asyncio.Event)


class EventStreams:
    """The event streams of an application.

    Args:
        render: Sends a visitor's request for another address to the pages.
        links_ended: Number of invitation links that were revoked or have expired.
        limit: Maximum number of streams.
        prefix: The path below which browsers find the pages.
    """

    def __init__(
        self,
        broadcast: Broadcast,
        render: Callable[[Scope, str], PageResponse],
        links_ended: Callable[[], int],
        limit: ConcurrencyLimit,
        prefix: str = "",
    ) -> None:
        self._broadcast, self._render, self._links_ended, self._limit = broadcast, render, links_ended, limit
        self._prefix = prefix
        self._boards: dict[tuple[str, str], _Board] = {}
        self._listeners: set[_Listener] = set()
        self._stale = asyncio.Event()
        self._changed_at: float | None = None  # seconds since 1970 of the first change that no board shows yet
        self._render_thread = ThreadPoolExecutor(1, "render boards")
        self._render_task: asyncio.Task[None] | None = None
        self._ended = False
        self._unsubscribe: Callable[[], None] = lambda: None

    async def serve(self, scope: Scope, receive: Receive, send: Send, admitted: PageResponse) -> None:
        """A stream for this visitor, whom the page has admitted, until it or the application closes."""
        with self._limit.slot(rate_limit_key((scope.get("client") or ("",))[0])) as counted:
            if counted and not self._broadcast.closed:
                await self._stream(scope, receive, send, admitted)
                return
        await send({"type": "http.response.start", "status": 503, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    async def _stream(self, scope: Scope, receive: Receive, send: Send, admitted: PageResponse) -> None:
        if self._render_task is None:
            self._subscribe()
        audience = admitted.header(b"x-audience")
        listener = self._listen(scope, audience)
        disconnect = asyncio.create_task(_wait_for_disconnect(receive, listener))
        try:
            headers = [(name, value) for name, value in admitted.headers if name != b"content-length"]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": _RETRY, "more_body": True})
            while not (listener.disconnected or self._ended or self._broadcast.closed):
                ended = self._links_ended()
                if listener.links_ended != ended and not await self._still_admitted(listener, scope, audience):
                    break
                if updates := self._updates_for(listener):
                    await send({"type": "http.response.body", "body": updates, "more_body": True})
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await listener.updated.wait()
                except TimeoutError:
                    await send({"type": "http.response.body", "body": _ALIVE, "more_body": True})
                listener.updated.clear()
            if not listener.disconnected:
                await send({"type": "http.response.body"})
        finally:
            disconnect.cancel()
            self._forget(listener)

    def end(self) -> None:
        """Ends every stream at its next heartbeat, while the application continues."""
        self._ended = True

    def close(self) -> None:
        """Stops rendering boards."""
        self._unsubscribe()
        if self._render_task is not None:
            self._render_task.cancel()
        self._render_thread.shutdown(wait=False, cancel_futures=True)

    async def _still_admitted(self, listener: _Listener, scope: Scope, audience: str) -> bool:
        """Whether the visitor may see the same as before, now that a link has ended."""
        listener.links_ended = self._links_ended()
        again = "/events?" + scope["query_string"].decode("latin-1")
        admitted = await asyncio.get_running_loop().run_in_executor(self._render_thread, self._render, scope, again)
        if admitted.status != 200 or admitted.header(b"x-audience") != audience:
            return False
        for board in listener.boards:
            # The visitor it was rendered for may lose access.
            board.scope = {**scope, "headers": list(scope["headers"])}
        return True

    def _listen(self, scope: Scope, audience: str) -> _Listener:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        requested = (address.removeprefix(self._prefix) for address in query.get("board", ()))
        addresses = list(dict.fromkeys(address for address in requested if _BOARDS.fullmatch(address)))
        known = header(scope, b"last-event-id").decode("latin-1") or query.get("known", [""])[0]
        if len(addresses) > 1:
            known = ""  # they may have disconnected one after another; which one did is unknown
        for address in addresses:
            if (address, audience) not in self._boards:
                language, rights, _ = audience.split(".")
                request = {**scope, "headers": list(scope["headers"])}
                self._boards[address, audience] = _Board(address, language, request, ("/me/" in address, int(rights)))
        boards = [self._boards[address, audience] for address in addresses]
        for board in boards:
            board.readers += 1
        # -1 makes the stream check the links once more: one may have ended since the page admitted the visitor.
        listener = _Listener(boards, dict.fromkeys(addresses, known), links_ended=-1)
        self._listeners.add(listener)
        self._stale.set()
        return listener

    def _forget(self, listener: _Listener) -> None:
        self._listeners.discard(listener)
        for board in listener.boards:
            board.readers -= 1
        for key in [key for key, board in self._boards.items() if not board.readers]:
            del self._boards[key]

    def _updates_for(self, listener: _Listener) -> bytes:
        """The updates that this listener has not received yet, as one message."""
        latest, messages = self._broadcast.latest, []
        for board in listener.boards:
            if board.message and listener.known[board.address] != board.version:
                listener.known[board.address] = board.version
                messages.append(board.message)
        if not listener.boards and latest.board != listener.change:
            listener.change = latest.board
            messages.append(_event("change", version=latest.board))
        if latest.picture and latest.picture != listener.picture:
            listener.picture = latest.picture
            messages.append(_event("picture", number=latest.picture))
        return b"".join(messages)

    def _subscribe(self) -> None:
        loop = asyncio.get_running_loop()

        def mark_stale() -> None:
            latest = self._broadcast.latest.board
            if self._changed_at is None and any(board.version != latest for board in self._boards.values()):
                self._changed_at = time.time()
            self._stale.set()
            for listener in self._listeners:
                listener.updated.set()

        def on_update() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(mark_stale)

        self._unsubscribe = self._broadcast.subscribe(on_update)
        self._render_task = asyncio.create_task(self._render_boards())

    async def _render_boards(self) -> None:
        """Renders boards after each change: players' own boards first, then the host's, then those of spectators."""
        loop = asyncio.get_running_loop()
        while not self._broadcast.closed:
            await self._stale.wait()
            self._stale.clear()
            latest = self._broadcast.latest.board
            stale = [board for board in self._boards.values() if board.version != latest or not board.message]
            changed_at, self._changed_at = self._changed_at or time.time(), None
            began = loop.time()
            for board in sorted(stale, key=lambda board: board.rank, reverse=True):
                response = await loop.run_in_executor(
                    self._render_thread, self._render, board.scope, f"{board.address}?language={board.language}"
                )
                self._publish(board, response, latest, changed_at)
            if stale:
                await asyncio.sleep(max(_PAUSE_SECONDS, (loop.time() - began) / 2))

    def _publish(self, board: _Board, response: PageResponse, latest: str, changed_at: float) -> None:
        if response.status == 200:
            board.version = response.header(b"x-version")
            text = response.text
            # JSON for other programs is passed on unchanged.
            if response.header(b"content-type").startswith("application/json"):
                message = f"event: game\ndata: {' '.join(text.split(chr(10)))}\n\n".encode()
            else:
                message = _event(
                    "board",
                    view=self._prefix + board.address,
                    version=board.version,
                    at=round(changed_at * 1000),
                    html=text,
                )
            board.message = f"id: {board.version}\n".encode() + message
        else:  # there is no game, or no such seat in a new one; the page finds out when it reloads
            version = response.header(b"x-version") or latest
            board.version, board.message = latest, _event("change", version=version)
        for listener in self._listeners:
            if board in listener.boards:
                listener.updated.set()


async def _wait_for_disconnect(receive: Receive, listener: _Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.disconnected = True
    listener.updated.set()


def _event(kind: str, **values: int | str) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(values, ensure_ascii=False)}\n\n".encode()
