#!/usr/bin/env python
"""Compares how fast a club's pages are at a table alone, and at one of two tables after two hundred evenings.

    python -m tests.stress.club_evening [--evenings 200] [--keep]

Both archives are databases of one PostgreSQL server; the pages are asked for over HTTP, one after the other, while the
second table records a roll or undoes it twice a second.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit import figures
from tests.kit.many_evenings import GAMES_AN_EVENING, fill_database
from tests.kit.options import run
from tests.kit.postgresql_server import Server
from tests.kit.served_app import served_app, table_of
from tests.stress.large_archive import MOST_MORE, OR_MILLISECONDS, TIMES, Asked, asked

PAGES = ("/", "/new", "/history", "/players", "/players/one?name=Anna", "/club", "/club?of=all")
A_MOVE = 0.5  # seconds between two moves at the other table
TITLE = "A club's evening"
ABOUT = """
Are a club's pages as fast at one of two tables after two hundred evenings as at a table that plays alone?

*Alone*: one companion, a PostgreSQL database with one evening of {games} games. *Club*: two companions on a database
with {many} evenings; the other table records a roll or undoes it every {move} s. After a first request, each page is
requested {times} times over HTTP. Medians in milliseconds of processor time of both companions and the client; in
brackets wall-clock time. Target: within {more} times or {or_more:.0f} ms of a table alone.

Limits of this test: server, both companions and the client share one computer; one visitor; games of two
players, without pictures.
"""


def main(evenings: int = 200, keep: bool = False) -> int:
    """Status 1 when a page is slower than promised."""
    server = Server()
    try:
        alone = _measured(server, 1, tables=1)
        club = _measured(server, evenings, tables=2)
    finally:
        server.close()
    about = ABOUT.format(
        many=evenings, games=GAMES_AN_EVENING, times=TIMES, move=A_MOVE, more=MOST_MORE, or_more=OR_MILLISECONDS
    )
    rows = [
        {"page": page, "alone": str(alone[page]), "club": str(club[page]), "kB, club": round(club[page].weight / 1000)}
        for page in PAGES
    ]
    slow = [
        page
        for page in PAGES
        if club[page].worked > max(MOST_MORE * alone[page].worked, alone[page].worked + OR_MILLISECONDS)
    ]
    verdict = f"Slower than the target: {', '.join(slow) or 'none'}. {figures.machine()}"
    figures.report("club_evening", TITLE, about, rows, verdict, keep=keep)
    return int(bool(slow))


def _measured(server: Server, evenings: int, tables: int) -> dict[str, Asked]:
    url = server.new_database()
    fill_database(url, evenings, tables=("window", "cellar"), seen=False)
    with tempfile.TemporaryDirectory() as name, ExitStack() as open_apps:
        apps = [
            open_apps.enter_context(served_app(Path(name, str(number)), players=(), archive=url))
            for number in range(tables)
        ]
        for app in apps:
            begin_game(app.app_state, "krone", ("Anna", "Bert"))
            assert app.caretaker is not None
            app.caretaker.wait()
        for page in PAGES:
            asked(apps[0], page)
        with _playing(apps[1:]):
            return {page: _median([asked(apps[0], page) for _ in range(TIMES)]) for page in PAGES}


@contextmanager
def _playing(apps: list[RunningApp]) -> Iterator[None]:
    """Meanwhile these tables play."""
    over = threading.Event()

    def play(app: RunningApp) -> None:
        while not over.wait(A_MOVE):
            table_of(app).enter("A roll 5 5 2")
            over.wait(A_MOVE)
            table_of(app).undo()

    players = [threading.Thread(target=play, args=(app,)) for app in apps]
    for one in players:
        one.start()
    try:
        yield
    finally:
        over.set()
        for one in players:
            one.join()


def _median(times: list[Asked]) -> Asked:
    return Asked(
        statistics.median(one.worked for one in times), statistics.median(one.waited for one in times), times[-1].weight
    )


if __name__ == "__main__":
    run(main)
