"""Serves all pages for screenshots and checks: from a single table's server and from a club's."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

from companion.archive.club import set_season
from companion.archive.players import Period
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from engine.record_header import new_record
from tests.kit.browser import enter
from tests.kit.many_evenings import fill_database
from tests.kit.postgresql_server import PostgresServer
from tests.kit.scenes import GOLDEN, PLAYERS, PageScene, scenes
from tests.kit.served_app import served_app


def served_pages() -> Iterator[tuple[PageScene, str]]:
    """Yields every page with its server's address: first a server with its own archive, then a club's."""
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), players=()) as running_app:
        for together in scenes(running_app):
            yield from ((scene, running_app.server.address) for scene in together)
    server = PostgresServer()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            served_app(Path(folder), players=(), archive=_club(server), table="Window") as running_app,
        ):
            for together in club_scenes(running_app):
                yield from ((scene, running_app.server.address) for scene in together)
    finally:
        server.close()


def _club(server: PostgresServer) -> str:
    """URL of a new database with past games at two tables and one running game."""
    url = server.new_database()
    fill_database(url, 12, tables=("Window", "Cellar"))
    with closing(Archive(url, "Cellar")) as archive:
        set_season(archive, Period(date(date.today().year, 1, 1), None))
        _, table = game_repository.begin(archive, new_record("yatzy", ("Emil", "Fay")))
        table.enter("A roll 5 5 2 1 6")
    return url


def club_scenes(running_app: RunningApp) -> Iterator[list[PageScene]]:
    """Yields the club's page, with a PostgreSQL archive, a running table and past games."""
    assert running_app.app_state.past.archive is not None
    for record in ("krone_amigo.txt", "krone_riogrande.txt"):
        game_repository.import_record(running_app.app_state.past.archive, (GOLDEN / record).read_text(encoding="utf-8"))
    begin_game(running_app.app_state, "krone", PLAYERS[:3])
    enter(running_app, "A roll 5 5 2")
    yield [PageScene("club", "club")]
