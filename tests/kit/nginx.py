"""A real nginx on loopback in front of a companion, below a path, for tests of reverse proxies."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.server.certificate import load_or_create_certificate
from tests.kit.served_app import until

_CONFIG = """
daemon off;
master_process off;
error_log {folder}/error.log;
pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {chain};
        ssl_certificate_key {key};
        location {prefix}/ {{
            proxy_pass http://127.0.0.1:{to}{path};
            {settings}
        }}
    }}
}}
"""
# As docs/network.md shows it.
SETTINGS = """
            proxy_http_version 1.1;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            client_max_body_size 48m;
"""


def program() -> str | None:
    """The path of nginx, which Debian installs outside the users' search path."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def free_port() -> int:
    """An unused port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def nginx(port: int, to: int, prefix: str, *, strips: bool, settings: str = SETTINGS) -> Iterator[None]:
    """Runs an HTTPS proxy on `port`: addresses below `prefix` are answered by the companion on the port `to`.

    Args:
        strips: Remove the prefix from requests to the companion.
        settings: Further settings of the location.
    """
    found = program()
    assert found is not None
    with tempfile.TemporaryDirectory(prefix="courtside-nginx-") as name:
        folder = Path(name)
        certificate = load_or_create_certificate(folder, [])
        path = "/" if strips else ""
        config = _CONFIG.format(
            folder=folder, port=port, to=to, path=path, prefix=prefix, settings=settings,
            chain=certificate.chain, key=certificate.key,
        )  # fmt: skip
        (folder / "nginx.conf").write_text(config)
        running = subprocess.Popen([found, "-c", folder / "nginx.conf", "-e", folder / "error.log"])
        try:
            until(lambda: _answers(port))
            yield
        finally:
            running.terminate()
            running.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
