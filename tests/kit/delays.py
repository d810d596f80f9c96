"""Delays the served application, so that a browser test fails if it does not wait for what a press does.

`pytest -m browser --delay POST=0.4` (or `GET=0.3`, `updates=0.4`) shows races that otherwise need a busy machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from companion.server.asgi import AsgiApp
from companion.server.wsgi_bridge import Receive, Scope, Send

KINDS = ("POST", "GET", "updates")


def parse(options: Iterable[str]) -> dict[str, float]:
    """Seconds by kind of request, from options such as `POST=0.4`."""
    delays = {kind: float(seconds) for kind, _, seconds in (option.partition("=") for option in options)}
    if unknown := delays.keys() - set(KINDS):
        raise pytest.UsageError(f"--delay knows {', '.join(KINDS)}, not {', '.join(sorted(unknown))}")
    return delays


def delay_served_apps(delays: dict[str, float]) -> None:
    """Delays requests before they are handled, and updates before they are sent, from now on."""
    answer = AsgiApp.__call__

    async def answer_late(self: AsgiApp, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_late(message: object) -> None:
            await asyncio.sleep(delays.get("updates", 0.0))
            await send(message)  # type: ignore[arg-type]

        if scope["path"].endswith("/events"):
            await answer(self, scope, receive, send_late)
        else:
            await asyncio.sleep(delays.get(scope["method"], 0.0))
            await answer(self, scope, receive, send)

    AsgiApp.__call__ = answer_late  # type: ignore[method-assign]
