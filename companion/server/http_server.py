"""The web server: uvicorn's event loop in one thread, with optional TLS.

A connection needs no thread, whether it is silent, slow or an event stream. `asgi.py` routes requests, `limits.py`
limits what one address may use.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

import uvicorn
from flask import Flask
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from companion.server.asgi import AsgiApp
from companion.server.certificate import Certificate
from companion.server.connection_limiter import ConnectionLimiter
from companion.server.limits import Connection, Connections, Limits

# Connections that may wait to be accepted. Clients retry after a second if the backlog is full, so one that opens
# hundreds at once does not delay the others.
BACKLOG = 4096
IDLE_SECONDS = 75  # browsers open connections in advance and keep used ones open
HEAD_SECONDS, MAX_HEAD_BYTES = 20.0, 64 * 1024  # time and bytes in which the header of a request must be complete
_STOP_SECONDS = 3
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # wildcard address → how this computer reaches it


class PortInUse(OSError):
    """The address cannot be listened on; the text says why and what to do."""


class _Protocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with timeouts for the first request and for the end of its headers."""

    admit: Callable[[Connection], bool]  # called when the connection begins
    _head_timeout: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _address = ""

    @property
    def idle(self) -> bool:
        """Whether no request is being answered. A request that is still arriving counts as idle."""
        cycle = self.cycle  # another listener's thread may call this, so it can change meanwhile
        return cycle is None or cycle.response_complete or cycle.more_body

    def drop(self) -> None:
        """Closes the connection at once, to make room for another visitor."""
        with suppress(RuntimeError):  # that listener was just closed
            self.loop.call_soon_threadsafe(self.transport.abort)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection is open and may be silent for a while."""
        super().connection_made(transport)  # type: ignore[arg-type]
        assert isinstance(self.config, _Config)
        self._address = self.config.limits.address_of(self.client[0] if self.client else "")
        if not self.admit(self):
            self.drop()
            return
        self.timeout_keep_alive_task = self.loop.call_later(IDLE_SECONDS, self.timeout_keep_alive_handler)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._connections.remove(self, self._address)
        self._end_head_timeout()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Part of a request, or line breaks between requests, which do not restart the timeout."""
        keep_alive = self.timeout_keep_alive_task
        super().data_received(data)
        if keep_alive is not None and self.timeout_keep_alive_task is None and self._head_timeout is None and self.idle:
            self.timeout_keep_alive_task = self.loop.call_at(keep_alive.when(), self.timeout_keep_alive_handler)
        if self._head_timeout is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.timeout_keep_alive_handler()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._connections.mark_used(self, self._address)
        self._end_head_timeout()
        self._head_timeout = self.loop.call_later(HEAD_SECONDS, self.timeout_keep_alive_handler)

    def on_headers_complete(self) -> None:
        """The request is complete except for its body."""
        self._end_head_timeout()
        super().on_headers_complete()

    @property
    def _connections(self) -> Connections:
        assert isinstance(self.config, _Config)
        return self.config.limits.connections

    def _end_head_timeout(self) -> None:
        if self._head_timeout is not None:
            self._head_timeout.cancel()
        self._head_timeout, self._head_bytes = None, 0


def _is_relevant(record: logging.LogRecord) -> bool:
    """A log filter that drops uvicorn's lines about connections still open at shutdown."""
    ended = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not ended and not str(record.msg).startswith("Cancel ")


class _Config(uvicorn.Config):
    """Configuration shared by all connections of one server."""

    limits: Limits
    context: ssl.SSLContext | None = None


class _Uvicorn(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with limits for each address."""
        config = self.config
        assert isinstance(config, _Config)
        await super().startup(sockets=[])
        self.servers = [
            ConnectionLimiter(one, config.context, config.limits, self._make_protocol)  # type: ignore[misc]
            for one in sockets or ()
        ]

    def _make_protocol(self, admit: Callable[[Connection], bool]) -> _Protocol:
        protocol = _Protocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        protocol.admit = admit
        return protocol

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Does nothing: the command handles signals."""
        yield


class Server:
    """Serves one application; `address` is what players type in."""

    def __init__(
        self, app: Flask, host: str, port: int, certificate: Certificate | None = None, limits: Limits | None = None
    ) -> None:
        """Starts listening.

        Args:
            limits: Those of another server, to be shared with it.

        Raises:
            PortInUse: The address is not available; one sentence.
        """
        try:
            self._socket = _listening(host, port)
        except (OSError, UnicodeError) as error:  # unicodeError: not a valid host name
            raise PortInUse(_explain(host, port, error)) from error
        self.host, self.port = host, int(self._socket.getsockname()[1])
        self.scheme = "http" if certificate is None else "https"
        self.limits = limits or Limits()
        self._asgi = AsgiApp(app, app.extensions["app_state"], self.limits)
        config = _Config(
            self._asgi,
            http=_Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=bool(self.limits.proxies.names),
            forwarded_allow_ips=self.limits.proxies.names,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=_STOP_SECONDS,
        )
        config.limits = self.limits
        if certificate is not None:
            config.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            config.context.load_cert_chain(certificate.chain, certificate.key)
        logging.getLogger("uvicorn.error").addFilter(_is_relevant)
        self._uvicorn = _Uvicorn(config)
        self._serving: threading.Thread | None = None
        self._stopped = threading.Event()

    @property
    def address(self) -> str:
        """The page's address as seen from this computer."""
        return f"{self.base(ANY_ADDRESS.get(self.host, self.host))}/"

    def base(self, host: str) -> str:
        """The address of this server on a host (name or address), without a path."""
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    def serve(self) -> None:
        """Answers requests until `stop` is called."""
        self._serving = threading.current_thread()
        try:
            self._uvicorn.run(sockets=[self._socket])
        finally:
            self._asgi.close()
            self._stopped.set()

    def stop(self) -> None:
        """Stops the server and waits until it has stopped."""
        self._asgi.end_streams()
        self._uvicorn.should_exit = True
        if self._serving is None:
            self._socket.close()
            self._asgi.close()
        elif self._serving is not threading.current_thread():
            self._stopped.wait(timeout=2 * _STOP_SECONDS)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, backlog=BACKLOG, dualstack_ipv6=both)


def _explain(host: str, port: int, error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if "Address already in use" in str(error) or number == errno.EADDRINUSE:
        return f"port {port} is already in use; close the other program or choose another one with --port"
    if number == errno.EACCES or "Permission denied" in str(error):
        return f"port {port} needs administrator rights; choose one above 1023 with --port"
    return f"cannot listen on {host} port {port} ({error}); check --host and --port"


def local_addresses() -> Iterable[str]:
    """This computer's addresses in the local network, the likeliest first. Sends no packets."""
    found: list[str] = []
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))  # UDP: selects the outgoing address and sends no packet
            except OSError:
                continue
            found.append(probe.getsockname()[0])
    return [address for address in found if not address.startswith("127.")]
