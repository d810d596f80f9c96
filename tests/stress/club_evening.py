#!/usr/bin/env python
"""Compares the speed of a club's pages at a single table with that at one of two tables after two hundred evenings.

    python -m tests.stress.club_evening [--evenings 200] [--keep]

Both archives are databases of one PostgreSQL server.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from companion.archive.store import Archive
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from tests.kit import figures
from tests.kit.many_evenings import GAMES_AN_EVENING, fill_database
from tests.kit.options import run
from tests.kit.postgresql_server import PostgresServer

TIMES = 24  # rounds of the moves below, each undone afterwards
MOST_MORE, OR_MILLISECONDS = 1.5, 3.0
PAGES = ("/", "/new", "/history", "/players", "/players/one?name=Anna", "/club", "/club?of=all")
MOVES = ("A roll 5 5 2", "A keep 5 5", "A roll 3")
TITLE = "A club's evening"
ABOUT = """
Are a club's pages as fast at one of two tables after two hundred evenings as at a table alone?

*Alone*: one companion, a PostgreSQL database with one evening of {games} games. *Club*: one of two companions on a
database with {many} evenings. *At rest*: nothing is recorded between two requests. *After a move*: a game changes
before each request: alone the own one, in the club the one at the other table. Medians of {times} requests, in
milliseconds of processor time of the thread that answers. Target: within {more} times or {or_more:.0f} ms of alone.

Limits of this test: no network; one visitor; the work of the PostgreSQL server is not counted; games of two players,
without pictures.
"""


class ClubTable:
    """One table of the club, whose pages are requested without a network."""

    def __init__(self, url: str, name: str, folder: Path) -> None:
        self.archive = Archive(url, club_table=name)
        self.state = AppState(self.archive)
        begin_game(self.state, "krone", ("Anna", "Bert"))
        self.visitor = create_app(self.state, Pairing(folder), Settings(port=1)).test_client()
        self.state.past.replays.check(self.archive, lambda seconds: None)

    def move(self, number: int) -> None:
        """Records an event, or undoes it."""
        assert self.state.session.running is not None
        table = self.state.session.running.table
        place = number % (2 * len(MOVES))
        if place < len(MOVES):
            table.enter(MOVES[place])
        else:
            table.undo()

    def milliseconds(self, page: str, moving: ClubTable | None = None) -> float:
        """Median time of a page; if a table is given, after moves at it."""
        self.visitor.get(page)
        times = []
        for number in range(TIMES):
            if moving is not None:
                moving.move(number)
            began = time.thread_time()
            assert self.visitor.get(page).status_code == 200
            times.append(1000 * (time.thread_time() - began))
        return statistics.median(times)

    def close(self) -> None:
        """Closes the application and the archive."""
        self.state.close()
        self.archive.close()


def main(evenings: int = 200, keep: bool = False) -> int:
    """Returns status 1 if a page is slower than its limit."""
    server = PostgresServer()
    try:
        with tempfile.TemporaryDirectory() as name:
            alone = _measured(server, 1, Path(name, "alone"), tables=1)
            club = _measured(server, evenings, Path(name, "club"), tables=2)
    finally:
        server.close()
    about = ABOUT.format(many=evenings, games=GAMES_AN_EVENING, times=TIMES, more=MOST_MORE, or_more=OR_MILLISECONDS)
    rows, slow = [], []
    for page in PAGES:
        rows.append({
            "page": page,
            "alone, at rest": f"{alone[page][0]:.1f}", "club, at rest": f"{club[page][0]:.1f}",
            "alone, after a move": f"{alone[page][1]:.1f}", "club, after a move": f"{club[page][1]:.1f}",
        })  # fmt: skip
        for one, other in zip(alone[page], club[page], strict=True):
            if other > max(MOST_MORE * one, one + OR_MILLISECONDS) and page not in slow:
                slow.append(page)
    verdict = f"Slower than the target: {', '.join(slow) or 'none'}. {figures.machine()}"
    figures.report("club_evening", TITLE, about, rows, verdict, keep=keep)
    return int(bool(slow))


def _measured(server: PostgresServer, evenings: int, folder: Path, tables: int) -> dict[str, tuple[float, float]]:
    """Page → milliseconds without changes, and after a move at the last table."""
    url = server.new_database()
    fill_database(url, evenings, tables=("window", "cellar"), seen=False)
    companions = [ClubTable(url, f"table {number}", folder / str(number)) for number in range(tables)]
    try:
        first, last = companions[0], companions[-1]
        return {page: (first.milliseconds(page), first.milliseconds(page, last)) for page in PAGES}
    finally:
        for one in companions:
            one.close()


if __name__ == "__main__":
    run(main)
