"""Every address, with every method and nonsensical forms, is refused or answered without a server error."""

from __future__ import annotations

import io
import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask import Flask, before_render_template
from flask.testing import FlaskClient
from jinja2 import Template
from jinja2.runtime import Macro
from werkzeug.routing import Rule

from companion.archive.store import Archive
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HOSTILE = (
    "",
    "0", "-1", "1", "6", "7", "99999999999999999999", "A", "B", "Z", "farmer", "king", "roll", "keep", "buy", "use",
    "A buy farmer", "krone", "knatsch", "..", "../../etc/passwd", "%00", "\x00", "\x1b[2J", "\u202e",
    "<script>alert(1)</script>", "{{7*7}}", "' OR 1=1 --", "é" * 300, "5 5 2", "? ? ?", "💥", "null", "NaN", "[]", "{}",
    "rtsp://127.0.0.1:1/none", "C:\\windows", "en", "ja", "xx", "true", "1e999", "\n\r\n", "a" * 70_000,
)  # fmt: skip


def field_names() -> list[str]:
    """All names of form fields and arguments that the pages read."""
    asked = re.compile(r"(?:form|args|values|files)(?:\.get|\.getlist)?[(\[]\"([a-z_-]+)\"")
    sources = (ROOT / "companion").rglob("*.py")
    return sorted({name for source in sources for name in asked.findall(source.read_text(encoding="utf-8"))})


@pytest.fixture(params=["krone", "knatsch", None])
def app(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Flask]:
    archive = Archive(f"sqlite:///{(tmp_path / 'archive.sqlite3').as_posix()}")
    app_state = AppState(archive)
    if request.param:
        begin_game(app_state, request.param, ("Anna", "Bert"))
    yield create_app(app_state, Pairing(tmp_path), Settings(port=1, hosts=None))
    app_state.close()
    archive.close()


def address(rule: Rule, random: Random, real: list[str]) -> str:
    """An address of this rule; half of the time its parts are ones that the pages use."""

    def part(found: re.Match[str]) -> str:
        kind, _, name = found.group(1).rpartition(":")
        if kind.startswith("int"):
            return str(random.choice([0, 1, 2, 3, 10**9]))
        choice = random.choice(real) if random.random() < 0.5 else random.choice(HOSTILE)[:2000]
        return urllib.parse.quote(choice, safe="/" if kind == "path" else "") or name

    return re.sub(r"<([^>]+)>", part, rule.rule)


def token(client: FlaskClient) -> str:
    """The visitor's own token, so that requests are refused for their content."""
    with client.session_transaction() as session:
        session["csrf"] = "known"
    return "known"


def hides_no_macro(app: Flask, template: Template, context: dict[str, object]) -> None:
    """Bug: a page's list of dice hid the macro that draws dice."""
    macros = {name for name, value in app.jinja_env.globals.items() if isinstance(value, Macro)}
    assert macros
    assert not macros & context.keys(), template.name


def test_no_address_and_no_form_crashes_the_page(app: Flask) -> None:
    before_render_template.connect(hides_no_macro, app)
    random, client, names = Random(20261121), app.test_client(), field_names()
    csrf = token(client)
    app_state = app.extensions["app_state"]
    real = [
        "en",
        "ja",
        "A",
        "B",
        "record.txt",
        "json",
        "csv",
        "table.css",
        *(game.id for game in app_state.past.archive.games()),
    ]
    tried = 0
    for _ in range(2):
        for rule in app.url_map.iter_rules():
            for method in sorted(rule.methods or ()):
                url = address(rule, random, real)
                # An endless answer (event stream, next image) is not read to its end.
                body = None if method in ("GET", "HEAD", "OPTIONS") else _body(random, names, csrf)
                answer = client.open(
                    url, method=method, buffered=False, **(body or {"query_string": _query(random, names)})
                )
                tried += 1
                assert answer.status_code < 500, f"{method} {url[:200]} {body}: {answer.status_code}"
                answer.close()
    assert tried > 2 * 40


def test_the_fields_of_all_forms_are_known() -> None:
    assert {"event", "csrf", "player"} <= set(field_names())


def _query(random: Random, names: list[str]) -> list[tuple[str, str]]:
    return [(name, random.choice(HOSTILE)[:2000]) for name in random.sample(names, random.randint(0, 3))]


def _body(random: Random, names: list[str], csrf: str) -> dict[str, object]:
    header = {"X-CSRF-Token": csrf}
    kind = random.random()
    if kind < 0.15:
        junk = random.choice([b"", b"\xff\xd8\xff" + random.randbytes(400), b"{", b"[1,2", random.randbytes(3000)])
        return {
            "headers": header,
            "data": junk,
            "content_type": random.choice(["application/json", "image/jpeg", "text/x"]),
        }
    if kind < 0.3:
        value = random.choice([None, [], {}, {"event": 5}, {"polygons": [[0, 0], "x"]}, [[1e308, -1]], "text", 7])
        return {"headers": header, "json": value}
    form: dict[str, object] = {
        name: random.choice(HOSTILE) for name in random.sample(names, random.randint(0, len(names)))
    }
    if kind < 0.4:
        form["file"] = (io.BytesIO(random.randbytes(2000)), random.choice(["game.txt", "../../x", "p.jpg"]))
    return {"headers": header, "data": form}
