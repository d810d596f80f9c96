#!/usr/bin/env python
"""A full house at one companion: viewers, players' phones and a phone as camera, each a client of its own.

    python -m scripts.load [--minutes 3] [--viewers 50] [--players 5] [--write docs/load.md]

Every client opens its page in one of five languages, keeps its cookie, holds an event stream and fetches what it is
told of: the board after a change, the picture after a picture; now and then it reloads its page. A player's phone buys
what it is offered in its turn. The camera's phone sends the demo's film again and again, so dice are really read and
events recorded meanwhile. Latencies are those of the clients, one process on the same computer: what they wait for the
processor counts as the page's. How many pictures a second are read is told with and without the viewers.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from scripts.load_parts.clients import CameraPhone, Viewer
from scripts.load_parts.house import House, full_house
from scripts.load_parts.telling import Told, report

ALONE_SECONDS = 20.0  # the phone alone, for comparison
_SETTLE_SECONDS = 20.0  # after the last event everybody must have heard of it
SEATS = "ABCDE"
_HEAD = """# A full house

Written by `python -m scripts.load --minutes 60 --write docs/load.md`.

"""


def main() -> int:
    """Status 1 when the limits are missed: 99 % of pages within half a second, no event lost, no request failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--players", type=int, default=5, choices=range(2, 6))
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with full_house(Path(folder), asked.players) as house:
            told = asyncio.run(_evening(house, asked.minutes * 60, asked.viewers, SEATS[: asked.players]))
        told.kept = house.kept_record()
    text, fine = report(told)
    print(text)
    if asked.write:
        asked.write.write_text(_HEAD + text + "\n", encoding="utf-8")
    return 0 if fine else 1


async def _evening(house: House, seconds: float, viewers: int, seats: str) -> Told:
    """The phone alone, then everybody, then nobody sends and all catch up."""
    camera, over, sending = CameraPhone(house.port), asyncio.Event(), asyncio.Event()
    clients = [Viewer(house.port, "/", "/board", n) for n in range(viewers)]
    clients += [Viewer(house.port, f"/me/{seat}", f"/me/{seat}/board", n) for n, seat in enumerate(seats)]
    phone = asyncio.create_task(camera.run(sending))
    await asyncio.sleep(ALONE_SECONDS / 2)
    alone = await house.rate(ALONE_SECONDS / 2)
    came = [asyncio.create_task(client.run(over)) for client in clients]
    began, worked = time.monotonic(), house.processor_seconds()
    rates = []
    while (left := seconds - (time.monotonic() - began)) > 0:
        rates.append(await house.rate(min(10.0, left)))
    spent, worked = time.monotonic() - began, house.processor_seconds() - worked
    sending.set()
    await phone
    behind = await _behind(house, clients[:viewers])
    over.set()
    await asyncio.gather(*came)
    return Told(
        viewers=viewers,
        players=len(seats),
        seconds=spent,
        worked=worked,
        alone=alone,
        rates=rates,
        waits={kind: [wait for one in (*clients, camera) for wait in one.waits.get(kind, ())] for kind in KINDS},
        failures=[failure for one in (*clients, camera) for failure in one.failures],
        behind=behind,
        sent=camera.sent,
        bought=sum(client.bought for client in clients),
        shown=await house.record(),
    )


KINDS = ("page", "board", "picture", "upload", "purchase")


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
    sys.exit(main())
