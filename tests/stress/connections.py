#!/usr/bin/env python
"""Ten thousand connections, silent or dribbling byte by byte, from one address and from many; and a player who plays.

    python -m tests.stress.connections [--connections 10000] [--seconds 20] [--write docs/connections.md]

The real command; the attack is a process of its own that opens each connection anew when it is ended. Meanwhile a
player's phone asks for its board ten times a second, each time over a new connection, and listens to its event stream,
through which the boards of changes come that are made twice a second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from companion.server.limits import FILES_SPARED, FILES_WANTED, MOST_OF_ONE
from tests.stress.load_parts.browser import Browser
from tests.stress.load_parts.house import COURTSIDE
from tests.stress.load_parts.visitor import BROKEN

MOST_SECONDS = 0.5  # for a player's board
# What each connection does, seconds between its bytes, from how many addresses.
ATTACKS: dict[str, tuple[str, float, int]] = {
    "silent, one address": ("silent", 0.0, 1),
    "silent, 50 addresses": ("silent", 0.0, 50),
    "a head byte by byte, one address": ("head", 1.0, 1),
    "a head byte by byte, 50 addresses": ("head", 5.0, 50),
    "a head as fast as it goes, one address": ("head", 0.0, 1),
    "a body byte by byte, 50 addresses": ("body", 5.0, 50),
}
_HEAD = """# Ten thousand connections

Does a player notice that somebody opens all the connections there are?

Written by `python -m tests.stress.connections --write docs/connections.md`. Against the real command, each attack for
{seconds:.0f} seconds: so many connections are tried at once, and each that is ended is opened anew. *Fetched*: a
player's board, asked for ten times a second over a new connection; *sent*: from a change until it comes through the
stream that her phone holds. Milliseconds; promised: 500 at most for 99 of 100. The server may hold {most:,} files open
and takes {room:,} connections, {one} of one address. Known limits: attack, server and player share this computer's
{cores} cores, and the attack takes more of them than the server; a player whose address is the attacker's shares its
{one} connections.

| attack | wanted | open in the end | opened | fetched: median | 99 % | worst | sent: median | 99 % | worst |
|---|---|---|---|---|---|---|---|---|---|
"""


def main() -> int:
    """Status 1 when a board took longer than promised, or did not come."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", choices=ATTACKS)
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        around = os.environ | {"XDG_DATA_HOME": folder, "PYTHONUNBUFFERED": "1"}
        command = [str(COURTSIDE), "play", "--source", "none", "--players", "Anna,Bert", "--port", "0"]
        server = subprocess.Popen(command, env=around, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = next(match for line in server.stdout if (match := re.search(r"http://127\.0\.0\.1:(\d+)/", line)))
            limits = Path(f"/proc/{server.pid}/limits").read_text()
            files = re.search(r"Max open files\s+(\d+)", limits)
            rows, fine = asyncio.run(_attacks(int(found[1]), asked.connections, asked.seconds, asked.only))
        finally:
            server.terminate()
            server.wait()
    most = int(files[1]) if files else 0
    room = min(most, FILES_WANTED) - FILES_SPARED
    text = _HEAD.format(seconds=asked.seconds, most=most, room=room, one=MOST_OF_ONE, cores=os.cpu_count()) + "".join(
        rows
    )
    text += f"\nThe load (1 min) at the end was {os.getloadavg()[0]:.1f}.\n"
    print(text)
    if asked.write:
        asked.write.write_text(text, encoding="utf-8")
    return int(not fine)


async def _attacks(port: int, number: int, seconds: float, only: str | None) -> tuple[list[str], bool]:
    rows, fine = [], True
    for name, attack in {"none": None, **ATTACKS}.items():
        if only not in (None, name) and attack is not None:
            continue
        attacker = None
        if attack is not None:
            kind, pause, addresses = attack
            words = [str(word) for word in (port, number, addresses, kind, pause)]
            attacker = subprocess.Popen(
                [sys.executable, "-m", "tests.stress.load_parts.attack", *words], stdout=subprocess.PIPE, text=True
            )
            await asyncio.sleep(3.0)
        try:
            fetched, sent, failed = await _played(port, seconds)
        finally:
            if attacker is not None:
                attacker.kill()
        told = attacker.communicate()[0].split("\n") if attacker is not None else []
        still, opened = next((line.split() for line in reversed(told[:-1]) if " " in line), ("0", "0"))
        numbers = " | ".join(
            f"{v:.0f}" for waits in (fetched, sent) for v in np.percentile(waits, [50, 99, 100]) * 1000
        )
        row = f"| {name} | {number if attack else 0:,} | {int(still):,} | {int(opened):,} | {numbers} |\n"
        rows += [row] + [f"| {what} | | | | | | | | | |\n" for what in failed[:3]]
        print(rows[-1], end="", flush=True)
        fine &= not failed and all(np.percentile(waits, 99) <= MOST_SECONDS for waits in (fetched, sent))
    return rows, fine


async def _played(port: int, seconds: float) -> tuple[list[float], list[float], list[str]]:
    """Seconds that boards took, fetched and sent, and what failed."""
    fetched: list[float] = []
    sent: list[float] = []
    failed: list[str] = []
    until = time.monotonic() + seconds
    listening = asyncio.create_task(_listen(port, sent, failed))
    await asyncio.gather(_fetch(port, until, fetched, failed), _change(port, until, failed))
    listening.cancel()
    with suppress(asyncio.CancelledError):
        await listening
    return fetched, sent[1:], failed  # the first one is what was there before


async def _fetch(port: int, until: float, fetched: list[float], failed: list[str]) -> None:
    while time.monotonic() < until:
        began, browser = time.perf_counter(), Browser(port)
        try:
            answer = await browser.fetch("/me/A/board")
            if answer.status != 200:
                failed.append(f"board: {answer.status}")
        except BROKEN as error:
            failed.append(f"board: {error!r}")
        fetched.append(time.perf_counter() - began)
        browser.close()
        await asyncio.sleep(0.1)


async def _listen(port: int, sent: list[float], failed: list[str]) -> None:
    while True:
        try:
            async for kind, message in Browser(port).events("/events?board=/me/A/board"):
                if kind == "board":
                    sent.append(time.time() - message["at"] / 1000)
        except BROKEN as error:
            failed.append(f"stream: {error!r}")
            await asyncio.sleep(1.0)


async def _change(port: int, until: float, failed: list[str]) -> None:
    browser, rolled = Browser(port), False
    token = re.search(r'name="csrf" content="([^"]+)"', (await browser.fetch("/")).text)
    while rolled or time.monotonic() < until:
        address, fields = ("/undo", {}) if rolled else ("/enter", {"event": "A roll 5 4 2"})
        body = urlencode(fields | {"csrf": token[1] if token else ""}).encode()
        try:
            await browser.fetch(address, body, Content_Type="application/x-www-form-urlencoded")
        except BROKEN as error:
            failed.append(f"change: {error!r}")
        rolled = not rolled
        await asyncio.sleep(0.5)
    browser.close()


if __name__ == "__main__":
    sys.exit(main())
