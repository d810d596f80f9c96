#!/usr/bin/env python
"""Ten thousand connections, silent or sending byte by byte, from one address and from many, while a player plays.

    python -m tests.stress.connections [--connections 10000] [--seconds 20] [--keep]

The server is the real command; the attack is a separate process that reopens each closed connection. Meanwhile a
player's phone requests its board ten times a second, each time over a new connection, and receives the boards of two
changes a second through its event stream.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

from companion.server.limits import MAX_PER_ADDRESS, RESERVED_FILES, WANTED_FILES
from tests.kit import figures
from tests.kit.options import run
from tests.stress.load_parts.browser import BROKEN, browser, events
from tests.stress.load_parts.companion import COURTSIDE

MOST_SECONDS = 0.5  # maximum response time of a player's board
# What each connection does, seconds between its bytes, number of addresses.
ATTACKS: dict[str, tuple[str, float, int]] = {
    "silent, one address": ("silent", 0.0, 1),
    "silent, 50 addresses": ("silent", 0.0, 50),
    "a head byte by byte, one address": ("head", 1.0, 1),
    "a head byte by byte, 50 addresses": ("head", 5.0, 50),
    "a head as fast as it goes, one address": ("head", 0.0, 1),
    "a body byte by byte, 50 addresses": ("body", 5.0, 50),
}
TITLE = "Floods of connections"
ABOUT = """
Does a player notice when one or more devices open as many connections as they can?

Each attack on the real command lasts {seconds:.0f} seconds; connections that are closed are reopened at once.
*Fetched*: a player's board, requested ten times a second over new connections. *Sent*: from a change until it arrives
through the event stream of the player's phone. Milliseconds; target: 99 % within 500. The server may open {most:,}
files and accepts {room:,} connections, {one} from one address. Limits of this test: attack, server and player share
{cores} cores, and the attack takes more of them than the server; a player at the attacker's address shares its {one}
connections.
"""


def main(connections: int = 10_000, seconds: float = 20.0, only: str | None = None, keep: bool = False) -> int:
    """Returns status 1 if a board was too late or missing."""
    with tempfile.TemporaryDirectory() as folder:
        around = os.environ | {"XDG_DATA_HOME": folder, "PYTHONUNBUFFERED": "1"}
        command = [str(COURTSIDE), "play", "--source", "none", "--players", "Anna,Bert", "--port", "0"]
        server = subprocess.Popen(command, env=around, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = next(match for line in server.stdout if (match := re.search(r"http://127\.0\.0\.1:(\d+)/", line)))
            limits = Path(f"/proc/{server.pid}/limits").read_text()
            files = re.search(r"Max open files\s+(\d+)", limits)
            rows, fine = asyncio.run(_attacks(int(found[1]), connections, seconds, only))
        finally:
            server.terminate()
            server.wait()
    most = int(files[1]) if files else 0
    room = min(most, WANTED_FILES) - RESERVED_FILES
    about = ABOUT.format(seconds=seconds, most=most, room=room, one=MAX_PER_ADDRESS, cores=os.cpu_count())
    figures.report("connections", TITLE, about, rows, figures.machine(), keep=keep)
    return int(not fine)


async def _attacks(port: int, number: int, seconds: float, only: str | None) -> tuple[list[dict[str, object]], bool]:
    rows, fine = list[dict[str, object]](), True
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
        output = attacker.communicate()[0].split("\n") if attacker is not None else []
        still, opened = next((line.split() for line in reversed(output[:-1]) if " " in line), ("0", "0"))
        row: dict[str, object] = {"attack": name, "wanted": number if attack else 0}
        row |= {"open in the end": int(still), "opened": int(opened)}
        for what, waits in (("fetched", fetched), ("sent", sent)):
            for share, wait in zip(("median", "99 %", "worst"), np.percentile(waits, [50, 99, 100]), strict=True):
                row[f"{what}: {share}"] = round(1000 * wait)
        print(row, *failed[:3], sep="\n", flush=True)
        rows.append(row)
        fine &= not failed and all(np.percentile(waits, 99) <= MOST_SECONDS for waits in (fetched, sent))
    return rows, fine


async def _played(port: int, seconds: float) -> tuple[list[float], list[float], list[str]]:
    """Seconds of each requested board, seconds of each pushed board, and failures."""
    fetched: list[float] = []
    sent: list[float] = []
    failed: list[str] = []
    until = time.monotonic() + seconds
    listening = asyncio.create_task(_listen(port, sent, failed))
    await asyncio.gather(_fetch(port, until, fetched, failed), _change(port, until, failed))
    listening.cancel()
    with suppress(asyncio.CancelledError):
        await listening
    return fetched, sent[1:], failed  # the first is the board before the changes


async def _fetch(port: int, until: float, fetched: list[float], failed: list[str]) -> None:
    while time.monotonic() < until:
        began = time.perf_counter()
        try:
            async with browser(port) as visitor:
                (await visitor.get("/me/A/board")).raise_for_status()
        except BROKEN as error:
            failed.append(f"board: {error!r}")
        fetched.append(time.perf_counter() - began)
        await asyncio.sleep(0.1)


async def _listen(port: int, sent: list[float], failed: list[str]) -> None:
    while True:
        try:
            async with browser(port) as visitor:
                async for kind, message in events(visitor, "/events?board=/me/A/board"):
                    if kind == "board":
                        sent.append(time.time() - message["at"] / 1000)
        except BROKEN as error:
            failed.append(f"stream: {error!r}")
            await asyncio.sleep(1.0)


async def _change(port: int, until: float, failed: list[str]) -> None:
    rolled = False
    async with browser(port) as visitor:
        token = re.search(r'name="csrf" content="([^"]+)"', (await visitor.get("/")).text)
        while rolled or time.monotonic() < until:
            address, fields = ("/undo", {}) if rolled else ("/enter", {"event": "A roll 5 4 2"})
            try:
                await visitor.post(address, data=fields | {"csrf": token[1] if token else ""})
            except BROKEN as error:
                failed.append(f"change: {error!r}")
            rolled = not rolled
            await asyncio.sleep(0.5)


if __name__ == "__main__":
    run(main)
