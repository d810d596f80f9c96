"""The web server: cheroot, with a thread for each lasting stream and, if wanted, TLS with a certificate of our own."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterable
from threading import Lock
from typing import Any

from cheroot import wsgi
from cheroot.server import HTTPConnection
from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.workers.threadpool import ThreadPool
from flask import Flask

from companion.certificate import Certificate

# Threads for short requests; every event stream brings one more for as long as it lasts.
SHORT_REQUEST_THREADS = 12
MOST_STREAMS = 256
# cheroot lets 5 browsers knock at a time and 10 keep their connection. A full house knocks more often: whoever is not
# heard tries again after a second, and every request would shake hands anew.
MOST_KNOCKING = 256
MOST_KEPT_ALIVE = 1024


class PortInUse(Exception):
    """The address cannot be listened on; the text says why and what to do."""


class _Connection(HTTPConnection):
    """A connection that takes a thread only while it says something.

    Browsers open connections in advance and keep them silent. Over TLS they shake hands on them, and a thread that had
    taken part would then wait for a request that may never come.
    """

    _shaken = False

    def communicate(self) -> bool:
        """Answer one request; True when the connection stays. The first thing said over TLS is only the handshake."""
        if isinstance(self.socket, ssl.SSLSocket) and not self._shaken:
            try:
                self.socket.do_handshake()
            except OSError:  # gone, or speaks plain HTTP to a TLS port
                return False
            self._shaken = True
            if not self.socket.pending():
                return True  # until its request can be read
        return bool(super().communicate())  # type: ignore[no-untyped-call]


class _QuietServer(wsgi.Server):
    ConnectionClass = _Connection

    def process_conn(self, conn: HTTPConnection) -> None:
        """Hand a connection to a thread, a new one as soon as something is said on it.

        cheroot gives a new one a thread at once: a dozen browsers with a connection in reserve held up everybody for
        as long as it waits for a request, 20 seconds.
        """
        if conn.last_used is None:
            self._connections.put(conn)  # type: ignore[attr-defined]
        else:
            super().process_conn(conn)

    def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
        """Say nothing of visitors who hang up or speak plain HTTP to a TLS port; our own faults are logged by Flask."""


class _PatientTLS(BuiltinSSLAdapter):
    """TLS whose handshake happens in the request's own thread.

    cheroot shakes hands in its one accepting thread, where a phone with a bad connection would hold up everybody.
    """

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, Any]]:
        wrapped = self.context.wrap_socket(sock, do_handshake_on_connect=False, server_side=True)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class StreamPlaces:
    """Every lasting stream occupies a thread and brings one along, so that short requests never wait for it."""

    def __init__(self, threads: ThreadPool) -> None:
        self._threads = threads
        self._taken = self._brought = 0
        self._lock = Lock()

    def take(self) -> bool:
        """A place for one more stream; False when the house is full."""
        with self._lock:
            if self._taken >= MOST_STREAMS:
                return False
            self._taken += 1
            if self._taken > self._brought:
                self._brought = self._taken
                self._threads.grow(1)
            return True

    def leave(self) -> None:
        """The stream has ended. Its thread stays for the next one."""
        with self._lock:
            self._taken -= 1


class Server:
    """Serves one app; `address` is what the players type in."""

    def __init__(self, app: Flask, host: str, port: int, certificate: Certificate | None = None) -> None:
        """Listen at once. Raises PortInUse with one sentence when the address cannot be had."""
        self._wsgi = _QuietServer(
            (host, port),
            app,
            numthreads=SHORT_REQUEST_THREADS,
            server_name="courtside",
            timeout=20,
            request_queue_size=MOST_KNOCKING,
        )
        self._wsgi.keep_alive_conn_limit = MOST_KEPT_ALIVE
        self._wsgi.requests.max = SHORT_REQUEST_THREADS + MOST_STREAMS
        if certificate is not None:
            self._wsgi.ssl_adapter = _PatientTLS(str(certificate.chain), str(certificate.key))
        app.extensions["stream_places"] = StreamPlaces(self._wsgi.requests)
        try:
            self._wsgi.prepare()
        except OSError as error:
            raise PortInUse(_why_not(host, port, error)) from error
        self.host, self.port = host, int(self._wsgi.bind_addr[1])
        self.scheme = "http" if certificate is None else "https"

    @property
    def address(self) -> str:
        """The page's address as seen from this computer."""
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        return f"{self.scheme}://{shown}:{self.port}/"

    def serve(self) -> None:
        """Answer requests until `stop` is called or the user interrupts."""
        self._wsgi.serve()

    def stop(self) -> None:
        """Stop; streams end at their next heartbeat."""
        self._wsgi.stop()


def _why_not(host: str, port: int, error: OSError) -> str:
    if "Address already in use" in str(error) or error.errno == errno.EADDRINUSE:
        return f"port {port} is already in use; close the other program or choose another one with --port"
    if error.errno == errno.EACCES or "Permission denied" in str(error):
        return f"port {port} may not be used by ordinary programs; choose one above 1023 with --port"
    return f"cannot listen on {host} port {port} ({error}); check --host and --port"


def local_addresses() -> Iterable[str]:
    """This computer's addresses in the local network, the likeliest first, found without sending anything."""
    found: list[str] = []
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))  # UDP: chooses the outgoing address, sends no packet
            except OSError:
                continue
            found.append(probe.getsockname()[0])
    return [address for address in found if not address.startswith("127.")]
