#!/usr/bin/env python
"""Load test of one companion: viewers, players' phones and a phone as camera, each a separate client.

    python -m tests.stress.load [--minutes 3] [--viewers 50] [--players 5] [--http] [--add] [--keep]

Clients connect at random times within the first minute, over HTTPS, because phone cameras require it. Each loads its
page in one of five languages with its files, keeps its cookie, holds an event stream that delivers new boards, and
fetches every image that is announced. Once a minute it reloads its page. A player's phone buys what it is offered in
its turn. A board's latency counts from the change that it shows, by the computer's own clock. The camera's phone sends
the demo film repeatedly, so dice are read and events recorded meanwhile. At the end all pages reload at the same time.
Latencies are measured by the clients, one process on the same computer, and include their waiting for the processor.
The number of images read per second is reported with and without viewers.

A long run can be split: results of each run are stored in local/load.json, and `--add` reports on all runs.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path

from tests.kit import figures
from tests.kit.options import run
from tests.stress.load_parts.clients import CameraPhone, PlayerPhone, Reviewer, Viewer
from tests.stress.load_parts.companion import RunningCompanion, running_companion
from tests.stress.load_parts.results import LoadRun, report, together

ALONE_SECONDS = 20.0  # only the camera's phone, for comparison
COME_SECONDS = 60.0  # within this time all clients connect
_SETTLE_SECONDS = 20.0  # after the last event, time for all clients to receive it
SEATS = "ABCDE"
KEPT = Path("local/load.json")
TITLE = "Fifty viewers"
ABOUT = """
Do fifty viewers slow the table down?

Viewers and players arrive during the first minute, load their page with all files, and reload it once a minute.
*Rush*: a page when all reload it at the same instant. *Board*: from a change until a page has the board that shows
it. Meanwhile one visitor imports games and opens their reviews (*review*: until the whole review is there). Targets:
99 % of pages within 300 ms, of everything else within 500 ms. Everything uses HTTPS. Limits of this test: clients and
server share two cores, and there is no radio link.
"""


def main(
    minutes: float = 3.0,
    viewers: int = 50,
    players: int = 5,
    http: bool = False,
    add: bool = False,
    keep: bool = False,
) -> int:
    """Returns status 1 if a limit is missed: 99 % of pages within 0.3 s, of all else within 0.5 s, nothing lost or
    failed.

    Args:
        http: Without TLS.
        add: Report on earlier runs too.
    """
    with tempfile.TemporaryDirectory() as folder:
        with running_companion(Path(folder), players, secure=not http) as companion:
            result = asyncio.run(_evening(companion, minutes * 60, viewers, SEATS[:players]))
        result.keep(companion.kept_record())
    runs = together(KEPT, result, add)
    found, fine = report(runs)
    figures.report("load", TITLE, ABOUT, *found, keep=keep)
    return int(not fine)


async def _evening(companion: RunningCompanion, seconds: float, viewers: int, seats: str) -> LoadRun:
    """First the camera's phone alone, then all clients; then no client sends, and all catch up."""
    camera, reviewer, over, sending = CameraPhone(companion), Reviewer(companion), asyncio.Event(), asyncio.Event()
    lookers = [Viewer(companion, "/", "/board", n) for n in range(viewers)]
    players = [PlayerPhone(companion, seat, n) for n, seat in enumerate(seats)]
    clients = [*lookers, *players]
    phone = asyncio.create_task(camera.run(sending))
    await asyncio.sleep(ALONE_SECONDS / 2)
    alone = await companion.rate(ALONE_SECONDS / 2)
    chance = random.Random(1)
    within = min(COME_SECONDS, seconds / 2)
    came = [asyncio.create_task(client.run(over, chance.uniform(0.0, within))) for client in clients]
    looking_back = asyncio.create_task(reviewer.run(sending))
    began, worked = time.monotonic(), companion.processor_seconds()
    rates = []
    while (left := seconds - (time.monotonic() - began)) > 0:
        rates.append(await companion.rate(min(10.0, left)))
    await asyncio.gather(*(client.reload("rush") for client in clients))
    spent, worked = time.monotonic() - began, companion.processor_seconds() - worked
    sending.set()
    await asyncio.gather(phone, looking_back)
    behind = await _behind(companion, lookers)
    over.set()
    await asyncio.gather(*came)
    return LoadRun(
        viewers=viewers,
        players=len(seats),
        secure=companion.secure,
        seconds=spent,
        worked=worked,
        load=os.getloadavg()[0],
        alone=alone,
        rates=rates,
        waits={
            kind: [wait for one in (*clients, camera, reviewer) for wait in one.waits.get(kind, ())] for kind in KINDS
        },
        failures=[failure for one in (*clients, camera, reviewer) for failure in one.failures],
        behind=behind,
        sent=camera.sent,
        bought=sum(player.bought for player in players),
        shown=await companion.record(),
        refused=[sentence for player in players for sentence in player.refused],
    )


KINDS = ("page", "rush", "file", "board", "picture", "upload", "purchase", "import", "review")


async def _behind(companion: RunningCompanion, viewers: list[Viewer]) -> int:
    """The number of clients that do not show the newest board after enough time to fetch it."""
    until = time.monotonic() + _SETTLE_SECONDS
    while True:
        newest = await companion.version()
        behind = sum(viewer.version != newest for viewer in viewers)
        if not behind or time.monotonic() > until:
            return behind
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    run(main)
