"""A page that takes forms from bytes: a game at the table, an archive in memory, no camera."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from flask.testing import FlaskClient
from werkzeug.routing import Rule

from companion.app import Settings, create_app
from companion.archive.store import Archive
from companion.evening import begin_game
from companion.pairing import Pairing
from companion.room import Room

_FORMS_A_GAME = 200  # a game that grows for ever makes every further form slower
_ENDLESS = ("live.stream",)
_LINE, _PART = "\x1e", "\x1f"  # between the address and the fields; within a field between name and value


@dataclass(slots=True)
class _Page:
    client: FlaskClient
    room: Room
    rules: dict[str, tuple[Rule, ...]]
    sent: int = 0


@cache
def _page() -> _Page:
    room = Room(Archive("sqlite://"))
    app = create_app(room, Pairing(Path(tempfile.mkdtemp(prefix="courtside-fuzz-"))), Settings(port=1, hosts=None))
    client = app.test_client()
    with client.session_transaction() as session:
        session["csrf"] = "known"
    rules = sorted((rule for rule in app.url_map.iter_rules() if rule.endpoint not in _ENDLESS), key=lambda r: r.rule)
    return _Page(client, room, {method: tuple(r for r in rules if method in (r.methods or ())) for method in _METHODS})


_METHODS = ("GET", "POST")


def send(data: bytes) -> None:
    """`METHOD number␞part␟part␞name␟value␞…`: a request to the rule of that number. Fails when the page does."""
    page = _page()
    if page.sent % _FORMS_A_GAME == 0:
        begin_game(page.room, ("krone", "knatsch")[page.sent // _FORMS_A_GAME % 2], ("Anna", "Bert"))
    page.sent += 1
    head, _, rest = data.decode("utf-8", "replace").partition(_LINE)
    method = _METHODS[not head.startswith("G")]
    digits = re.sub(r"[^0-9]", "", head)[:4]
    rule = page.rules[method][int(digits or "0") % len(page.rules[method])]
    parts, *fields = rest.split(_LINE)
    filled = iter(parts.split(_PART))
    url = re.sub(r"<[^>]+>", lambda _: quote(next(filled, "1")[:500], safe="") or "1", rule.rule)
    pairs = {name: value for name, _, value in (field.partition(_PART) for field in fields[:20])}
    if method == "GET":
        answer = page.client.get(url, query_string=pairs)
    else:
        answer = page.client.post(url, data=pairs, headers={"X-CSRF-Token": "known"})
    answer.close()
    if answer.status_code >= 500:
        raise RuntimeError(f"{method} {url} {pairs}: {answer.status_code}")


def good_forms() -> list[str]:
    """One for each address, and the forms that move a game."""
    page = _page()
    plain = [f"{method} {n}{_LINE}1" for method in _METHODS for n in range(len(page.rules[method]))]
    names = {"event": "A roll 6 5 2", "seat": "A", "faces": "652", "card": "farmer", "number": "1", "version": "1",
             "players": "Anna,Bert", "game": "krone", "record": '[Game "krone"]', "language": "de"}  # fmt: skip
    fields = _LINE.join(f"{name}{_PART}{value}" for name, value in names.items())
    return plain + [f"POST {n}{_LINE}A{_LINE}{fields}" for n in range(len(page.rules["POST"]))]
