#!/usr/bin/env python
"""A full house at one companion: viewers, players' phones and a phone as camera, each a client of its own.

    python -m tests.stress.load [--minutes 3] [--viewers 50] [--players 5] [--http] [--add] [--keep]

They come within the first minute, each when it likes, as people do who are told of an address; over HTTPS, because a
phone lends its camera no other way. Every client loads its page in one of five languages with the page's files, keeps
its cookie, holds an event stream through which new boards come, and fetches each picture it is told of; once a minute
it reloads its page. A player's phone buys what it is offered in its turn. How long a board takes is counted from the
change that it shows, on the computer's own clock. The camera's phone sends the demo's film again and again, so dice are
really read and events recorded meanwhile. At the end all reload their page in the same instant. Latencies are those of
the clients, one process on the same computer: what they wait for the processor counts as the page's. How many pictures
a second are read is told with and without the viewers.

An hour need not be had in one piece: what every run brought lies in local/load.json, and `--add` tells it of all runs.
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
from tests.stress.load_parts.house import House, full_house
from tests.stress.load_parts.telling import Told, report, together

ALONE_SECONDS = 20.0  # the phone alone, for comparison
COME_SECONDS = 60.0  # by then everybody has come
_SETTLE_SECONDS = 20.0  # after the last event everybody must have heard of it
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
    """Status 1 when a limit is missed: 99 % of pages within 0.3 s, of all else within 0.5, nothing lost or failed.

    Args:
        http: Without TLS.
        add: Tell of this run and those before it together.
    """
    with tempfile.TemporaryDirectory() as folder:
        with full_house(Path(folder), players, secure=not http) as house:
            told = asyncio.run(_evening(house, minutes * 60, viewers, SEATS[:players]))
        told.keep(house.kept_record())
    runs = together(KEPT, told, add)
    found, fine = report(runs)
    figures.report("load", TITLE, ABOUT, *found, keep=keep)
    return int(not fine)


async def _evening(house: House, seconds: float, viewers: int, seats: str) -> Told:
    """The phone alone, then everybody, then no client sends and all catch up."""
    camera, reviewer, over, sending = CameraPhone(house), Reviewer(house), asyncio.Event(), asyncio.Event()
    lookers = [Viewer(house, "/", "/board", n) for n in range(viewers)]
    players = [PlayerPhone(house, seat, n) for n, seat in enumerate(seats)]
    clients = [*lookers, *players]
    phone = asyncio.create_task(camera.run(sending))
    await asyncio.sleep(ALONE_SECONDS / 2)
    alone = await house.rate(ALONE_SECONDS / 2)
    chance = random.Random(1)
    within = min(COME_SECONDS, seconds / 2)
    came = [asyncio.create_task(client.run(over, chance.uniform(0.0, within))) for client in clients]
    looking_back = asyncio.create_task(reviewer.run(sending))
    began, worked = time.monotonic(), house.processor_seconds()
    rates = []
    while (left := seconds - (time.monotonic() - began)) > 0:
        rates.append(await house.rate(min(10.0, left)))
    await asyncio.gather(*(client.reload("rush") for client in clients))
    spent, worked = time.monotonic() - began, house.processor_seconds() - worked
    sending.set()
    await asyncio.gather(phone, looking_back)
    behind = await _behind(house, lookers)
    over.set()
    await asyncio.gather(*came)
    return Told(
        viewers=viewers,
        players=len(seats),
        secure=house.secure,
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
        shown=await house.record(),
        refused=[sentence for player in players for sentence in player.refused],
    )


KINDS = ("page", "rush", "file", "board", "picture", "upload", "purchase", "import", "review")


async def _behind(house: House, viewers: list[Viewer]) -> int:
    """How many do not show the newest board, after time to fetch it."""
    until = time.monotonic() + _SETTLE_SECONDS
    while True:
        newest = await house.version()
        behind = sum(viewer.version != newest for viewer in viewers)
        if not behind or time.monotonic() > until:
            return behind
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    run(main)
