"""Hostile names in every field, record and file name stay text on every page."""

from __future__ import annotations

import re
import time
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

import pytest
from playwright.sync_api import Error, Page, Request

from companion.game.archived import game_repository
from companion.server.bootstrap import RunningApp
from companion.web.sessions import resume_game
from tests.kit.browser import TIMEOUT_SECONDS, browsing
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser
NAME = "\"'><b-hostile onclick=x()>"  # closes an attribute and a tag; 40 characters are the longest name
OTHER = "</script><b-hostile>{{7*7}}${x}"
FOUND = """() => [
  ...[...document.querySelectorAll("b-hostile, [onclick]")].map((one) => one.outerHTML),
  ...[...document.querySelectorAll("[href], [src], [action]")]
    .filter((one) => /^\\s*javascript:/i.test(one.href || one.src || one.action || "")).map((one) => one.outerHTML),
]"""
SHOWN = "() => document.documentElement.textContent.includes('b-hostile')"
ANY_GAME = re.compile(r"/(camera|cards|invite|join|new|phone)")  # show the same whatever is played
LEFT_ALONE = re.compile(r"/(delete|events|picture|source)|\.jpg$")


def record(game: str, **tags: str) -> str:
    """A game of two players with hostile names and header tags."""
    players = " ".join('"' + name.replace('"', '\\"') + '"' for name in (NAME, OTHER))
    more = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
    return f'[Game "{game}"]\n{more}[Players {players}]\n'


def kind(address: str) -> str:
    """Addresses that differ only in a game or a number are of one kind."""
    return re.sub(r"(?<=/history/)[a-z0-9]{6}\b|\d+", "#", urlsplit(address).path)


def check(page: Page, what: str) -> bool:
    """Returns whether hostile text is shown; asserts that it is text only."""
    for _ in range(5):
        try:
            assert page.evaluate(FOUND) == [], what
            return bool(page.evaluate(SHOWN))
        except Error:
            page.wait_for_load_state()  # it was just on its way to another page
    raise AssertionError(f"never at rest: {what}")


def outstanding(page: Page) -> set[Request]:
    """Requests of a page that have not been answered yet; kept up to date."""
    asked: set[Request] = set()
    page.on("request", lambda one: asked.add(one) if one.resource_type in ("document", "fetch") else None)
    page.on("requestfinished", lambda one: asked.discard(one))
    page.on("requestfailed", lambda one: asked.discard(one))
    return asked


def submit_all(page: Page, asked: set[Request], address: str, sent: set[str]) -> bool:
    """Sends each form of a page that was not sent before (`sent`) with hostile text in all fields and files; the
    answers must contain it as text only."""
    shown = False
    for number in range(page.locator("form").count()):
        if number >= page.locator("form").count():
            break  # going on with a game leaves no form to do it again
        form = page.locator("form").nth(number)
        action = form.evaluate("form => form.getAttribute('action') || ''")
        form_kind = kind(action) + form.evaluate("form => [...form.elements].map((field) => field.name).join(' ')")
        if LEFT_ALONE.search(action) or form_kind in sent:
            continue
        sent.add(form_kind)
        form.evaluate(
            """(form, hostile) => {
              for (const field of form.querySelectorAll("input, textarea")) {
                if (["text", "search", "url", "textarea"].includes(field.type)) {
                  field.value = hostile;
                  field.disabled = false;
                }
                if (field.type === "hidden" && field.name !== "csrf") field.value = hostile;
                if (field.type === "file") {
                  const files = new DataTransfer();
                  files.items.add(new File([hostile], hostile + ".txt"));
                  field.files = files.files;
                }
              }
              form.noValidate = true;
            }""",
            NAME,
        )
        form.evaluate("form => form.requestSubmit()")
        page.wait_for_timeout(50)
        until = time.monotonic() + TIMEOUT_SECONDS
        while asked and time.monotonic() < until:  # a dialog's form asks for nothing
            page.wait_for_timeout(20)
        page.wait_for_load_state()
        shown |= check(page, f"{action} of {address}")
        if page.url != address:
            page.goto(address)
    return shown


def walk(running_app: RunningApp, page: Page, left_out: re.Pattern[str], forms: bool) -> dict[str, bool]:
    """Visits a page of every kind that links lead to, with all its forms; returns which kinds showed hostile text."""
    host = running_app.server.address.rstrip("/")
    asked = outstanding(page)
    waiting = ["/", "/me/A", "/overlay", "/new", "/history", "/cards", "/camera", "/invite"]
    sent: set[str] = set()
    shown: dict[str, bool] = {}
    while waiting:
        path = waiting.pop(0)
        if kind(path) in shown or LEFT_ALONE.search(path) or left_out.match(path):
            continue
        shown[kind(path)] = False
        try:
            page.goto(host + path)
        except Error:
            continue  # a download
        shown[kind(path)] = check(page, path)
        links = page.eval_on_selector_all("a[href]", "links => links.map((link) => link.href)")
        waiting += [urldefrag(link).url.removeprefix(host) for link in links if link.startswith(host + "/")]
        shown[kind(path)] |= forms and submit_all(page, asked, host + path, sent)
    return shown


@pytest.mark.parametrize("game", ["krone", "knatsch"])
def test_hostile_text_stays_text_on_every_page(tmp_path: Path, game: str) -> None:
    with served_app(tmp_path) as running_app, browsing(quiet=False) as open_page:
        archive = running_app.app_state.past.archive
        assert archive is not None
        tags = {"Event": OTHER, "Site": OTHER, "Date": OTHER}
        hostile = record(game, **tags) + ("\nA roll 1 1 1\nA keep 1 1 1\n" if game == "krone" else "")
        resume_game(running_app.app_state, game_repository.import_record(archive, hostile))
        page = open_page(running_app.server.address)
        page.on("dialog", lambda dialog: dialog.dismiss())
        # Forms are the same for both games.
        shown = walk(running_app, page, ANY_GAME if game == "knatsch" else LEFT_ALONE, forms=game == "krone")
        assert {"/", "/history", "/history/#"} <= {where for where, hostile in shown.items() if hostile}, shown
        assert len(shown) >= (6 if game == "knatsch" else 10), shown
