"""Access from the local network: a second server for the same application, opened and closed while a game runs.

The page itself listens on loopback, where every visitor is the host. This server requires an invitation.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from companion.server.certificate import load_or_create_certificate
from companion.server.http_server import PortInUse, Server, local_addresses
from companion.server.limits import Limits
from companion.web.app_state import NoNetwork

_LOG = logging.getLogger(__name__)
_PORTS_TRIED = 8  # ports tried after the page's own; then any free one


class LocalNetworkServer:
    """The local network's server, closed at first. It uses HTTPS, which phone cameras require."""

    def __init__(self, app: Callable[[], Flask], folder: Path, port: int, limits: Limits) -> None:
        """Prepares the server.

        Args:
            app: Makes the application as the network may see it.
            folder: Keeps the certificate.
            port, limits: Those of the page's own server.
        """
        self._make_app, self._folder, self._port, self._limits = app, folder, port, limits
        self._app: Flask | None = None
        self._server: Server | None = None
        self._last_address = self.fingerprint = ""
        self._lock = threading.Lock()

    @property
    def base(self) -> str | None:
        """The address to connect to, without a path; None while closed."""
        server = self._server
        if server is None:
            return None
        host = next(iter(local_addresses()), self._last_address)  # a laptop may have moved to another network
        return server.base(host)

    def open(self) -> None:
        """Lets devices in the local network connect, until `close`.

        Raises:
            NoNetwork: There is no network.
            PortInUse: No port is free.
            OSError: The certificate cannot be written.
        """
        with self._lock:
            if self._server is not None:
                return
            addresses = list(local_addresses())
            if not addresses:
                raise NoNetwork
            certificate = load_or_create_certificate(self._folder, addresses)
            self._app = self._app or self._make_app()
            host = "::" if socket.has_dualstack_ipv6() and any(":" in one for one in addresses) else "0.0.0.0"
            for port in (*range(self._port + 1, min(self._port + 1 + _PORTS_TRIED, 65536)), 0):
                try:
                    server = Server(self._app, host, port, certificate, self._limits)
                    break
                except PortInUse:
                    if port == 0:
                        raise
            self._last_address, self.fingerprint = addresses[0], certificate.fingerprint
            threading.Thread(target=server.serve, name="network", daemon=True).start()
            self._server = server
            _LOG.info("open to the local network at port %d", server.port)

    def close(self) -> None:
        """Closes the server and all its connections."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.stop()
            _LOG.info("closed to the local network")
