"""Connects to cameras in the local network directly, even if the environment names a proxy."""

from __future__ import annotations

import os
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

_VARIABLES = ("no_proxy", "NO_PROXY")


def ask_directly(url: str) -> None:
    """Adds a host in the local network to the proxy exceptions of urllib and FFmpeg."""
    host = urlsplit(url).hostname
    if host is None or not _is_local(host):
        return
    known = [name for variable in _VARIABLES for name in os.environ.get(variable, "").split(",") if name.strip()]
    host = f"[{host}]" if ":" in host else host
    if host not in known:
        for variable in _VARIABLES:
            os.environ[variable] = ",".join(dict.fromkeys([*known, host]))


def _is_local(host: str) -> bool:
    """Whether all addresses of a host are private, link-local or this computer's."""
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
        return bool(found) and not any(ip_address(one.partition("%")[0]).is_global for one in found)
    except (OSError, ValueError):  # unknown name; the proxy may know it
        return False
