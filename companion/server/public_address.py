"""The page's address at a reverse proxy, and which proxies are trusted to name their clients."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """The address that visitors use.

    Attributes:
        origin: Scheme, host and any unusual port, as browsers write it: `https://example.org`.
        prefix: The path below which all pages are, "" at the root: `/dice`.
    """

    origin: str
    prefix: str = ""

    @classmethod
    def parsed(cls, url: str) -> PublicAddress:
        """Parses a URL.

        Raises:
            ValueError: One sentence for the user.
        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if (
            host is None
            or parts.scheme not in _PORTS
            or "@" in parts.netloc
            or parts.query
            or parts.fragment
            or not _PATH.fullmatch(parts.path)
        ):
            raise ValueError(f"{url} is no address of a page; it should look like https://example.org/dice")
        host = f"[{host}]" if ":" in host else host
        shown = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
        return cls(f"{parts.scheme}://{shown}", parts.path.rstrip("/"))

    @property
    def base(self) -> str:
        """The address of the pages, without a slash at the end."""
        return self.origin + self.prefix

    @property
    def secure(self) -> bool:
        """Whether visitors use HTTPS."""
        return self.origin.startswith("https:")


class TrustedProxies:
    """Addresses and networks whose X-Forwarded-For header is trusted."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        """Parses the addresses.

        Raises:
            ValueError: One sentence for the user.
        """
        self._networks: list[IPv4Network | IPv6Network] = []
        for address in addresses:
            try:
                network = ip_network(address)
            except ValueError:
                raise ValueError(
                    f"{address} is no address of a proxy; it should look like 192.168.1.2 or 172.30.32.0/23"
                ) from None
            self._networks.append(network)
            if isinstance(network, IPv4Network):  # the form in which a server that listens on IPv6 too sees it
                self._networks.append(ip_network(f"::ffff:{network.network_address}/{96 + network.prefixlen}"))

    def __contains__(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)

    @property
    def names(self) -> list[str]:
        """All these addresses and networks, in uvicorn's format."""
        return [str(network) for network in self._networks]
