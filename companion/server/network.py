"""The door to the local network: a second server over the same application, opened and shut while a game goes on.

The page itself listens on loopback, where everybody is the host. What this door serves asks for an invitation.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from companion.server.certificate import kept_certificate
from companion.server.http_server import PortInUse, Server, local_addresses
from companion.server.limits import Limits
from companion.web.local_network import NoNetwork

_LOG = logging.getLogger(__name__)
_PORTS_TRIED = 8  # after the page's own; then any free one


class Network:
    """Shut at first. HTTPS, as phones lend their camera over nothing else."""

    def __init__(self, app: Callable[[], Flask], folder: Path, port: int, limits: Limits) -> None:
        """app: makes the application as the network may see it; folder: keeps the certificate; port and limits: the
        page's own."""
        self._make, self._folder, self._port, self._limits = app, folder, port, limits
        self._app: Flask | None = None
        self._server: Server | None = None
        self._seen_at = self.fingerprint = ""
        self._lock = threading.Lock()

    @property
    def base(self) -> str | None:
        """The address to come in by, without a path; None while the door is shut."""
        server = self._server
        if server is None:
            return None
        host = next(iter(local_addresses()), self._seen_at)  # a laptop may have been carried into another network
        return server.base(host)

    def open(self) -> None:
        """Let the local network in, until `shut`. Raises NoNetwork, PortInUse, and OSError for the certificate."""
        with self._lock:
            if self._server is not None:
                return
            addresses = list(local_addresses())
            if not addresses:
                raise NoNetwork
            certificate = kept_certificate(self._folder, addresses)
            self._app = self._app or self._make()
            host = "::" if socket.has_dualstack_ipv6() and any(":" in one for one in addresses) else "0.0.0.0"
            for port in (*range(self._port + 1, min(self._port + 1 + _PORTS_TRIED, 65536)), 0):
                try:
                    server = Server(self._app, host, port, certificate, self._limits)
                    break
                except PortInUse:
                    if port == 0:
                        raise
            self._seen_at, self.fingerprint = addresses[0], certificate.fingerprint
            threading.Thread(target=server.serve, name="network", daemon=True).start()
            self._server = server
            _LOG.info("open to the local network at port %d", server.port)

    def shut(self) -> None:
        """Nobody comes in any more, and whoever was in is cut off."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.stop()
            _LOG.info("shut to the local network")
