"""Two companions of a club on one database: each shows the games of both, and they share a season."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from tests.kit.axe import violations
from tests.kit.browser import SCREENS, browsing
from tests.kit.postgresql_server import PostgresServer
from tests.kit.served_app import served_app

pytestmark = pytest.mark.postgresql
PLAYED = (Path(__file__).parents[1] / "golden" / "krone_amigo.txt").read_text(encoding="utf-8")


class Companion:
    """A table of the club, and a browser at it."""

    def __init__(self, url: str, name: str, folder: Path) -> None:
        self.archive = Archive(url, club_table=name)
        self.state = AppState(self.archive)
        self.visitor: FlaskClient = create_app(self.state, Pairing(folder), Settings(port=1)).test_client()

    def page(self, path: str) -> str:
        return self.visitor.get(path).get_data(as_text=True)

    def post(self, path: str, **form: str) -> int:
        token = re.search(r'name="csrf" content="([^"]+)"', self.page("/club"))
        assert token
        return self.visitor.post(path, data={"csrf": token[1], **form}).status_code

    def close(self) -> None:
        self.state.close()
        self.archive.close()


@pytest.fixture
def tables(postgresql: PostgresServer, tmp_path: Path) -> Iterator[tuple[Companion, Companion]]:
    url = postgresql.new_database()
    with (
        closing(Companion(url, "window", tmp_path / "1")) as window,
        closing(Companion(url, "cellar", tmp_path / "2")) as cellar,
    ):
        yield window, cellar


def test_each_table_lists_the_games_of_both_with_links(tables: tuple[Companion, Companion]) -> None:
    window, cellar = tables
    begin_game(window.state, "krone", ("Anna", "Bert"))
    begin_game(cellar.state, "yatzy", ("Emil", "Fay"))
    for here, other in ((window, cellar), (cellar, window)):
        html = here.page("/club")
        assert ("window" in html, "cellar" in html) == (True, True)
        assert other.state.session.running is not None
        link = f"/history/{other.state.session.running.id}"
        assert f'href="{link}"' in html
        assert here.visitor.get(link).status_code == 200
    assert window.state.session.running is not None
    window.state.session.running.table.enter("A roll 5 5 2")
    window.state.session.running.table.enter("A keep 5 5 2")
    window.state.session.running.table.enter("A buy farmer")
    assert "Bert’s turn" in cellar.page("/club")


def test_a_season_set_at_one_table_counts_at_the_other(tables: tuple[Companion, Companion]) -> None:
    window, cellar = tables
    game_repository.import_record(window.archive, PLAYED)
    assert "1 evening" in cellar.page("/club")
    assert window.post("/club/season", begins="2026-12-01", ends="") == 303
    assert "No game has been finished in this season yet" in cellar.page("/club")
    assert "1 evening" in cellar.page("/club?of=all")
    assert cellar.post("/club/season", begins="2026-11-20", ends="2026-11-20") == 303
    assert "1 evening" in window.page("/club")


def test_a_season_that_ends_before_it_begins_is_refused(tables: tuple[Companion, Companion]) -> None:
    window, _ = tables
    assert window.post("/club/season", begins="2026-12-01", ends="2026-11-30") == 400
    assert window.post("/club/season", begins="yesterday", ends="") == 400


@pytest.mark.browser
def test_the_clubs_page_fits_every_screen_and_is_accessible(postgresql: PostgresServer, tmp_path: Path) -> None:
    with (
        served_app(tmp_path, archive=postgresql.new_database()) as running_app,
        browsing(bypass_csp=True, reduced_motion="reduce") as open_page,
    ):
        assert running_app.app_state.past.archive is not None
        game_repository.import_record(running_app.app_state.past.archive, PLAYED)
        page = open_page("about:blank")
        for width, height in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            assert violations(page, running_app.server.address + "club") == {}
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
