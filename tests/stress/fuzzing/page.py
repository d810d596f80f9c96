"""A page that accepts forms made from bytes: a game at the table, an archive in memory, no camera."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlsplit

from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.routing import Rule

from companion.archive.store import Archive
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game

_FORMS_A_GAME = 200  # a long game makes every form slow
_ENDLESS = ("live.stream",)
_LINE, _PART = "\x1e", "\x1f"  # between the address and the fields; within a field between name and value
_THIS, _NOW = "this", "now"  # stand for the id of the game being played, and for its newest board


@dataclass(slots=True)
class _Page:
    client: FlaskClient
    app_state: AppState
    rules: dict[str, tuple[Rule, ...]]
    sent: int = 0


@cache
def _page() -> _Page:
    app_state = AppState(Archive("sqlite://"))
    app = create_app(app_state, Pairing(Path(tempfile.mkdtemp(prefix="courtside-fuzz-"))), Settings(port=1, hosts=None))
    client = app.test_client()
    with client.session_transaction() as session:
        session["csrf"] = "known"
    rules = sorted((rule for rule in app.url_map.iter_rules() if rule.endpoint not in _ENDLESS), key=lambda r: r.rule)
    return _Page(
        client, app_state, {method: tuple(r for r in rules if method in (r.methods or ())) for method in _METHODS}
    )


_METHODS = ("GET", "POST")


def send(data: bytes) -> None:
    """Sends `METHOD number␞part␟part␞name␟value␞…` to the rule of that number. Raises if the page fails."""
    page = _page()
    if page.sent % _FORMS_A_GAME == 0:
        begin_game(page.app_state, ("krone", "knatsch")[page.sent // _FORMS_A_GAME % 2], ("Anna", "Bert"))
    page.sent += 1
    head, _, rest = data.decode("utf-8", "replace").partition(_LINE)
    method = _METHODS[not head.startswith("G")]
    digits = re.sub(r"[^0-9]", "", head)[:4]
    rule = page.rules[method][int(digits or "0") % len(page.rules[method])]
    parts, *fields = rest.split(_LINE)
    sitting = page.app_state.session.running
    assert sitting is not None
    filled = iter(str(sitting.id) if part == _THIS else part for part in parts.split(_PART))
    url = re.sub(r"<[^>]+>", lambda _: quote(next(filled, "1")[:500], safe="") or "1", rule.rule)
    named = (field.partition(_PART) for field in fields[:30])
    pairs = MultiDict(
        (name, page.app_state.session.board_version() if value == _NOW else value) for name, _, value in named
    )
    if method == "GET":
        answer = page.client.get(url, query_string=pairs)
    else:
        answer = page.client.post(url, data=pairs, headers={"X-CSRF-Token": "known"})
    answer.close()
    if answer.status_code >= 500:
        raise RuntimeError(f"{method} {url} {pairs}: {answer.status_code}")


def good_forms() -> list[str]:
    """Every address, and every form that the pages offer at several moments of both games."""
    page = _page()
    found = {f"{method} {n}{_LINE}1": None for method in _METHODS for n in range(len(page.rules[method]))}
    adapter = page.client.application.url_map.bind("localhost")
    for game, events in _PLAYED.items():
        begin_game(page.app_state, game, ("Anna", "Bert"))
        assert page.app_state.session.running is not None
        for event in ("", *events):
            if event:
                page.app_state.session.running.table.enter(event)
            for path in (
                "/",
                "/me/A",
                "/new",
                "/camera",
                "/history",
                f"/history/{page.app_state.session.running.id}",
                "/use/farmer",
            ):
                for action, pairs in _forms(page.client.get(path).get_data(as_text=True)):
                    rule, filled = adapter.match(urlsplit(action).path, "POST", return_rule=True)
                    parts = _PART.join(
                        _THIS if value == page.app_state.session.running.id else str(value) for value in filled.values()
                    )
                    fields = _LINE.join(f"{name}{_PART}{_NOW if name == 'seen' else value}" for name, value in pairs)
                    found[f"POST {page.rules['POST'].index(rule)}{_LINE}{parts}{_LINE}{fields}"] = None
    return list(found)


_PLAYED = {
    "krone": ("A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer", "B roll 6 5 4", "B keep 6 5 4"),
    "knatsch": ("A deal castle-red", "B deal castle-blue", "A reveal left castle-black 1-1-1+1", "A target left",
                "A roll 5 5 5 2 1 6"),
}  # fmt: skip


def _forms(html: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Address and fields of each form, once for each button; boxes are ticked, lists have their first option."""
    for form in re.findall(r'<form method="post"(.*?)</form>', html, re.DOTALL):
        action = re.search(r'action="([^"]+)"', form)
        if action is None:
            continue
        inputs = re.findall(r'<input[^>]*?name="([^"]+)"(?:[^>]*?value="([^"]*)")?', form)
        lists = re.findall(r'<select[^>]*?name="([^"]+)".*?<option value="([^"]*)"', form, re.DOTALL)
        buttons = re.findall(r'<button[^>]*?name="([^"]+)" value="([^"]*)"', form) or [("", "")]
        for button in buttons:
            yield action[1], [*inputs, *lists, *([button] if button[0] else [])]
