"""Every page in a typical state: in the middle of a game, with content."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from playwright.sync_api import Page

from companion.archive.league import set_season
from companion.archive.players import Period
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from engine.record_header import new_record
from tests.kit.browser import enter
from tests.kit.many_evenings import fill_database
from tests.kit.postgresql_server import Server
from tests.kit.served_app import served_app

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
PLAYERS = ("Annemarie", "Bert", "Cleo", "Dora", "Emil")
_MOVES = 150  # of the golden game: five rounds and a turn in which dice lie
_FULLEST = 196  # six active dice that buy four cards, and six own cards


@dataclass(frozen=True, slots=True)
class Scene:
    """One page; act: what is done on it before one looks."""

    name: str
    path: str
    act: Callable[[Page], None] = lambda page: None


def met() -> Iterator[tuple[Scene, str]]:
    """Every page, and the address of the server that shows it: one with an archive of its own, then a club's."""
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), players=()) as running_app:
        for together in scenes(running_app):
            yield from ((scene, running_app.server.address) for scene in together)
    server = Server()
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            served_app(Path(folder), players=(), archive=_club(server), table="Window") as running_app,
        ):
            for together in club_scenes(running_app):
                yield from ((scene, running_app.server.address) for scene in together)
    finally:
        server.close()


def _club(server: Server) -> str:
    """A database with past evenings at two tables, and one running game."""
    url = server.new_database()
    fill_database(url, 12, tables=("Window", "Cellar"))
    with closing(Archive(url, "Cellar")) as archive:
        set_season(archive, Period(date(date.today().year, 1, 1), None))
        _, table = game_repository.begin(archive, new_record("yatzy", ("Emil", "Fay")))
        table.enter("A roll 5 5 2 1 6")
    return url


def scenes(running_app: RunningApp) -> Iterator[list[Scene]]:
    """The pages, grouped by the server state they need; use each before asking for the next."""
    archive = running_app.app_state.past.archive
    assert archive is not None
    played = (GOLDEN / "krone_amigo.txt").read_text(encoding="utf-8")
    past = f"history/{game_repository.import_record(archive, played)}"
    yield [Scene("waiting", "me/A"), Scene("new", "new"), Scene("new-known", "new", _seat), Scene("history", "history")]
    _, _, told = played.partition("\n\n")
    begin_game(running_app.app_state, "krone", ("Annemarie", "Bert", "Cleo"))
    yield [Scene("table-begin", ""), Scene("overlay-begin", "overlay")]
    for event in _turns(told)[:_MOVES]:
        enter(running_app, event)
    yield [
        Scene("table", ""),
        Scene("table-correct", "", _click(".record [data-dialog]")),
        Scene("me", "me/A"),
        Scene("me-other", "me/B"),
        Scene("overlay", "overlay"),
        Scene("past", past, _unfold),
        Scene("review", f"{past}/review", _wait(".slips")),
        Scene("training", f"{past}/training"),
        Scene("training-told", f"{past}/training", _try),
        Scene("what-if", f"{past}/whatif/1", _wait("[data-found] meter")),
        Scene("players", "players"),
        Scene("player", "players/one?name=Bert"),
        Scene("television", "television"),
        Scene("overlay-dice", "overlay/dice"),
        Scene("overlay-chances", "overlay/chances"),
        Scene("cards", "cards?game=krone"),
        Scene("cards-knatsch", "cards?game=knatsch"),
        Scene("invite", "invite"),
        Scene("failed", "history/none"),
    ]
    yield [Scene("join", "join"), Scene("invite-network", "invite", _let_in)]
    begin_game(running_app.app_state, "krone", ("Annemarie", "Bert", "Cleo"))
    for event in _turns(told)[:_FULLEST]:
        enter(running_app, event)
    yield [Scene("table-full", "", _wait(".advice > p")), Scene("me-full", "me/C", _wait(".advice > p"))]
    running_app.app_state.cameras.watch("demo")
    yield [
        Scene("table-camera", "", _settle),
        Scene("television-camera", "television", _settle),
        Scene("camera", "camera", _settle),
        Scene("camera-dice", "camera/dice", _settle),
        Scene("phone", "phone"),
    ]
    running_app.app_state.cameras.watch("none")
    begin_game(running_app.app_state, "knatsch", ("Annemarie", "Bert", "Cleo"))
    enter(running_app, "A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
    enter(running_app, "A reveal left castle-black 1-1-1+1", "A target left")
    yield [
        Scene("knatsch-ask", ""),
        Scene("knatsch-me", "me/A"),
        Scene("knatsch-overlay", "overlay"),
    ]
    enter(running_app, "A roll 5 5 3 2 1 6")
    yield [Scene("knatsch", ""), Scene("television-knatsch", "television")]
    begin_game(running_app.app_state, "krone", ("Annemarie", "Bert", "Cleo", "Dora"), "riogrande2007")
    _, _, told = (GOLDEN / "krone_riogrande.txt").read_text(encoding="utf-8").partition("\n\n")
    for event in _turns(told):
        enter(running_app, event)
    yield [Scene("ending", "", _wait(".ending .turning strong")), Scene("ending-me", "me/A")]


def club_scenes(running_app: RunningApp) -> Iterator[list[Scene]]:
    """A club's page, where the house keeps its games in a PostgreSQL archive: a table that plays, and past games."""
    assert running_app.app_state.past.archive is not None
    for record in ("krone_amigo.txt", "krone_riogrande.txt"):
        game_repository.import_record(running_app.app_state.past.archive, (GOLDEN / record).read_text(encoding="utf-8"))
    begin_game(running_app.app_state, "krone", PLAYERS[:3])
    enter(running_app, "A roll 5 5 2")
    yield [Scene("club", "club")]


def _turns(told: str) -> list[str]:
    """The events of a record, without its remarks."""
    return [line.partition("{")[0].strip() for line in told.splitlines() if line[:2] in ("A ", "B ", "C ", "D ")]


def _let_in(page: Page) -> None:
    """The local network, if it is not let in already."""
    button = page.locator("button[name=open]")
    if button.count():
        button.click()
        page.locator(".invitations").wait_for()


def _click(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


def _wait(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.wait_for()


def _unfold(page: Page) -> None:
    page.locator("polyline").first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")


def _try(page: Page) -> None:
    page.locator(".ways button").first.click()
    page.locator(".answers").wait_for()


def _seat(page: Page) -> None:
    """Three names are tapped."""
    for place in range(3):
        page.locator("[data-known] [data-name]").nth(place).click()


def _settle(page: Page) -> None:
    page.wait_for_timeout(1500)
