#!/usr/bin/env python
"""Compares the speed of the pages with an archive of one evening and one of two hundred.

    python -m tests.stress.large_archive [--evenings 200] [--keep]

Both archives hold the same kind of games; pages are requested over HTTP, one after the other.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from companion.game.archived.replay_cache import PAGE_WAIT_SECONDS
from companion.server.bootstrap import RunningApp
from tests.kit import figures
from tests.kit.many_evenings import GAMES_AN_EVENING, fill
from tests.kit.options import run
from tests.kit.served_app import served_app

TIMES = 20
MOST_MORE, OR_MILLISECONDS, MOST_FIRST = 1.5, 3.0, 500.0
PAGES = (
    "/", "/new", "/history", "/history?page=9", "/history/GAME", "/history/GAME/review", "/players", "/players?of=YEAR",
    "/players/one?name=Anna", "/cards?game=krone", "/invite",
)  # fmt: skip
TITLE = "A large archive"
ABOUT = """
Are the pages as fast after two hundred evenings as after one?

{many} evenings of {games} games of about {events:.0f} events each, with a small picture of every roll ({size:.0f}
MB), compared with one such evening. Each page is requested {times} times over HTTP. *First of all*: nothing was ever
calculated for any game, as after a restore; what a page does not know after {moment:.0f} ms is shown as still
loading. *First*: after a restart. During the first requests, every row of the archive is verified at the same time.
Milliseconds of processor time of server, client and verification; in brackets wall-clock time. Targets: medians
within {more} times or {or_more:.0f} ms of one evening's, first requests within {first:.0f} ms.

Limits of this test: one visitor; no game in progress; the disk has read the file before; games of two players.
"""


@dataclass(frozen=True, slots=True)
class ResponseTime:
    """One response: processor milliseconds, wall milliseconds, and bytes."""

    worked: float
    waited: float
    weight: int

    def __str__(self) -> str:
        return (
            f"{self.worked:.0f} ({self.waited:.0f})" if self.worked >= 10 else f"{self.worked:.1f} ({self.waited:.1f})"
        )


@dataclass(frozen=True, slots=True)
class PageTimes:
    """A page: the very first response, the first one after a restart, and the median of later ones."""

    first_of_all: ResponseTime
    first: ResponseTime
    median: ResponseTime


def main(evenings: int = 200, keep: bool = False) -> int:
    """Returns status 1 if a page is slower than its limit."""
    with tempfile.TemporaryDirectory() as name:
        small, large = Path(name, "small"), Path(name, "large")
        for folder, number in ((small, 1), (large, evenings)):
            folder.mkdir()
            fill(folder / "archive.sqlite3", number)
        with closing(sqlite3.connect(large / "archive.sqlite3")) as connection:
            ((events,),) = connection.execute("SELECT avg(changes) FROM games")
        size = (large / "archive.sqlite3").stat().st_size / 1e6
        few, many = _measured(small), _measured(large)
    about = ABOUT.format(
        many=evenings, games=GAMES_AN_EVENING, events=events, size=size, times=TIMES, moment=1000 * PAGE_WAIT_SECONDS,
        more=MOST_MORE, or_more=OR_MILLISECONDS, first=MOST_FIRST,
    )  # fmt: skip
    slow, rows = [], []
    for page in [page for page in PAGES if page in few and page in many]:
        one, other = few[page], many[page]
        allowed = max(MOST_MORE * one.median.worked, one.median.worked + OR_MILLISECONDS)
        first = max(other.first.worked, other.first_of_all.worked)
        if first > MOST_FIRST or other.median.worked > allowed:
            slow.append(page)
        rows.append({
            "page": page,
            "first of all: 1": str(one.first_of_all), f"first of all: {evenings}": str(other.first_of_all),
            "first: 1": str(one.first), f"first: {evenings}": str(other.first),
            "median: 1": str(one.median), f"median: {evenings}": str(other.median),
            f"kB, {evenings}": round(other.median.weight / 1000),
        })  # fmt: skip
    verdict = f"Slower than the target: {', '.join(slow) or 'none'}. {figures.machine()}"
    figures.report("large_archive", TITLE, about, rows, verdict, keep=keep)
    return int(bool(slow))


def _measured(folder: Path) -> dict[str, PageTimes]:
    found = {}
    with served_app(folder, players=()) as running_app:
        first_of_all = {page: asked(running_app, page) for page in PAGES}
        assert running_app.maintenance is not None
        running_app.maintenance.stop()
    with served_app(folder, players=()) as running_app:
        first = {page: asked(running_app, page) for page in PAGES}
        assert running_app.maintenance is not None
        running_app.maintenance.wait()
        for page in PAGES:
            times = [asked(running_app, page) for _ in range(TIMES)]
            halves = (statistics.median(one.worked for one in times), statistics.median(one.waited for one in times))
            found[page] = PageTimes(first_of_all[page], first[page], ResponseTime(*halves, times[-1].weight))
    return found


def asked(running_app: RunningApp, page: str) -> ResponseTime:
    """Requests a page; GAME and YEAR in the address stand for a game's id and this year."""
    address = running_app.server.address + page.replace("GAME", "g00001").replace("YEAR", str(date.today().year))
    began, worked = time.perf_counter(), time.process_time()
    with urllib.request.urlopen(address) as answer:
        weight = len(answer.read())
    return ResponseTime(1000 * (time.process_time() - worked), 1000 * (time.perf_counter() - began), weight)


if __name__ == "__main__":
    run(main)
