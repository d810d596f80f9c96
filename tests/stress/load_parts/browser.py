"""A minimal browser for load tests: kept connections, a cookie, an event stream."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx
from httpx_sse import aconnect_sse

PATIENCE = 30.0  # seconds; a slower response counts as failed
BROKEN = (httpx.HTTPError, TimeoutError)  # errors of a visitor when the companion does not answer
_IDLE = 4.0  # seconds that an idle connection is kept; the server closes it after five


def browser(port: int, secure: bool = False, language: str = "en") -> httpx.AsyncClient:
    """One visitor: a connection for an event stream and one for short requests."""
    return httpx.AsyncClient(
        base_url=f"http{'s' if secure else ''}://127.0.0.1:{port}",
        headers={"Accept-Language": language},
        limits=httpx.Limits(max_connections=2, keepalive_expiry=_IDLE),
        timeout=PATIENCE,
        trust_env=False,
        verify=_trusting(),
    )


async def events(visitor: httpx.AsyncClient, address: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Kind and content of the events of a stream, until it ends.

    Raises:
        httpx.HTTPError: The connection is lost.
    """
    async with aconnect_sse(visitor, "GET", address) as source:
        source.response.raise_for_status()
        async for event in source.aiter_sse():
            if event.data:
                yield event.event, event.json()
    raise httpx.ReadError("the event stream ended")


@cache
def _trusting() -> ssl.SSLContext:
    """A TLS context that accepts any certificate, as after the user dismissed the warning."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
