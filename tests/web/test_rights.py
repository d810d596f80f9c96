"""Rights: every address, requested by every kind of visitor that a link can create."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.app_state import AppState
from companion.web.pairing import Right
from tests.kit.visitors import paired, with_token

NONE, WATCH, SEND, ENTER, MANAGE = Right.NONE, Right.WATCH, Right.SEND_PICTURES, Right.ENTER, Right.MANAGE
OPEN = Right.OPEN_NETWORK
NEEDED = {
    "GET /static/<path:filename>": NONE,
    "GET /pair/<invitation>/<word>": NONE,
    "GET /manifest.webmanifest": NONE,
    "GET /offline": NONE,
    "GET /offline-worker.js": NONE,
    "GET /join": NONE,
    "POST /join": NONE,
    "GET /cards": NONE,
    "GET /rules": NONE,
    "GET /source": NONE,
    "POST /language": NONE,
    "GET /": WATCH,
    "GET /board": WATCH,
    "GET /record.txt": WATCH,
    "GET /deck.toml": WATCH,
    "GET /events": WATCH,
    "GET /picture": WATCH,
    "GET /turn": WATCH,
    "GET /overlay": WATCH,
    "GET /overlay/board": WATCH,
    "GET /overlay/<part>": WATCH,
    "GET /overlay/<part>/board": WATCH,
    "GET /television": WATCH,
    "GET /television/board": WATCH,
    "GET /feed": WATCH,
    "GET /me/<seat>": WATCH,
    "GET /me/<seat>/board": WATCH,
    "GET /club": WATCH,
    "GET /players": WATCH,
    "GET /history/<game_id>/training": WATCH,
    "GET /history/<game_id>/training/<int:number>": WATCH,
    "GET /history/<game_id>/whatif/<int:moment>": WATCH,
    "GET /ending.svg": WATCH,
    "GET /history/<game_id>/picture.svg": WATCH,
    "GET /players/one": WATCH,
    "GET /history": WATCH,
    "GET /history/<game_id>": WATCH,
    "GET /history/<game_id>.<form>": WATCH,
    "GET /history/<game_id>/at/<int:moment>": WATCH,
    "GET /history/<game_id>/chances": WATCH,
    "GET /history/<game_id>/moves": WATCH,
    "GET /history/<game_id>/review": WATCH,
    "GET /history/<game_id>/seen/<int:place>": WATCH,
    "GET /phone": SEND,
    "GET /phone/guide": SEND,
    "POST /phone/picture": SEND,
    "GET /record/lines": ENTER,
    "GET /use/<card>": ENTER,
    "GET /correct/<int:number>": ENTER,
    "GET /correct/<int:number>/consequences": ENTER,
    "POST /correct/<int:number>": ENTER,
    "POST /enter": ENTER,
    "POST /answer": ENTER,
    "POST /skip": ENTER,
    "POST /undo": ENTER,
    "POST /redo": ENTER,
    "POST /advice": ENTER,
    "GET /new": MANAGE,
    "POST /new": MANAGE,
    "POST /demo/again": MANAGE,
    "POST /demo/keep": MANAGE,
    "POST /demo/skip": MANAGE,
    "POST /rematch": MANAGE,
    "POST /resume/<game_id>": MANAGE,
    "GET /camera": MANAGE,
    "GET /camera/state": MANAGE,
    "GET /camera/clip": MANAGE,
    "GET /camera/dice": MANAGE,
    "GET /camera/dice/<int:number>.jpg": MANAGE,
    "POST /camera/dice": MANAGE,
    "GET /camera/cards": MANAGE,
    "GET /camera/cards/look": MANAGE,
    "GET /camera/cards/<int:number>.jpg": MANAGE,
    "GET /camera/cards/<int:number>/<int:place>.jpg": MANAGE,
    "GET /camera/cards/watched/<int:number>.jpg": WATCH,
    "GET /camera/cards/export": MANAGE,
    "GET /camera/cards/places": MANAGE,
    "POST /camera/cards/places": MANAGE,
    "POST /camera/cards/teach": MANAGE,
    "POST /camera/cards/set": MANAGE,
    "POST /camera/cards/source": MANAGE,
    "POST /camera/cards/forget": MANAGE,
    "POST /camera/cards/import": MANAGE,
    "POST /camera/source": MANAGE,
    "POST /camera/turn": MANAGE,
    "POST /camera/areas": MANAGE,
    "GET /invite": MANAGE,
    "GET /invite/<invitation>.svg": MANAGE,
    "POST /network": OPEN,  # no invitation gives it
    "POST /invite/<invitation>/keep": MANAGE,
    "POST /invite/<invitation>/revoke": MANAGE,
    "POST /club/season": MANAGE,
    "POST /history/import": MANAGE,
    "POST /history/<game_id>/delete": MANAGE,
    "POST /history/<game_id>/restore": MANAGE,
    "POST /history/<game_id>/save": MANAGE,
}
GIVEN = {
    (): NONE,
    ("camera",): SEND,
    ("spectator",): WATCH,
    ("spectator", "camera"): WATCH | SEND,
    ("player-A",): WATCH | ENTER,
    ("player-A", "camera"): WATCH | ENTER | SEND,
    ("host",): WATCH | SEND | ENTER | MANAGE,
    ("host", "spectator"): WATCH | SEND | ENTER | MANAGE,
}
PARTS = {
    "seat": "A",
    "game_id": "none",
    "form": "json",
    "card": "farmer",
    "invitation": "spectator",
    "filename": "house.css",
}
FORM = {"seat": "A", "event": "A roll 5 5 2", "what": "insert", "when": "now", "language": "en"}


def addresses(app: Flask) -> set[str]:
    """Method and rule of every address."""
    asked = {"GET", "POST", "PUT", "PATCH", "DELETE"}
    return {f"{method} {rule.rule}" for rule in app.url_map.iter_rules() for method in (rule.methods or set()) & asked}


def refused(app: Flask, client: FlaskClient, address: str) -> bool:
    """Whether access is refused; other tests check what happens otherwise."""
    method, _, rule = address.partition(" ")
    path = re.sub(r"<(int:|path:)?(\w+)>", lambda part: "1" if part[1] == "int:" else PARTS.get(part[2], "x"), rule)
    if "filename" in rule:
        path = f"{app.static_url_path}/house.css"
    data = FORM if method == "POST" else None
    answer = client.open(path, method=method, data=data, headers={"X-CSRF-Token": "known"}, buffered=True)
    return answer.status_code == 403 and not path.startswith("/pair")  # a wrong word is refused, too


def test_every_address_is_in_the_table_of_rights(network: Flask) -> None:
    static = {address.replace(network.static_url_path or "/static", "/static") for address in addresses(network)}
    assert static == set(NEEDED)


@pytest.mark.slow
@pytest.mark.parametrize("invitations", GIVEN, ids="+".join)
def test_every_address_opens_only_to_visitors_with_its_right(
    network: Flask, tmp_path: Path, invitations: tuple[str, ...]
) -> None:
    for address, right in NEEDED.items():
        client = with_token(paired(network, tmp_path, *invitations))
        assert refused(network, client, address) == (right not in GIVEN[invitations]), address


@pytest.mark.parametrize("invitation", ["spectator", "player-A"])
def test_a_link_to_watch_or_to_play_sends_no_pictures_that_become_rolls(
    network: Flask, app_state: AppState, tmp_path: Path, invitation: str
) -> None:
    """Bug: any visitor with more rights than a camera could send pictures; 30 of them became a roll."""
    app_state.cameras.watch("phone")
    client = with_token(paired(network, tmp_path, invitation))
    picture = io.BytesIO(b"\xff\xd8\xff\xc0\x00\x11\x08\x02\xd0\x05\x00\x03" + bytes(20))
    for headers in ({}, {"X-CSRF-Token": "known"}):
        sent = client.post("/phone/picture", data=picture.getvalue(), content_type="image/jpeg", headers=headers)
        assert sent.status_code == 403
    assert app_state.cameras.watcher is not None
    assert app_state.cameras.watcher.phone.rate == 0


def test_a_phone_that_has_taken_two_links_may_do_what_either_allows(network: Flask, tmp_path: Path) -> None:
    phone = with_token(paired(network, tmp_path, "camera", "player-A"))
    assert phone.get("/phone").status_code == 200
    for event, status in (("B roll 5 5 2", 403), ("A roll 5 5 2", 303)):
        assert phone.post("/enter", data={"csrf": "known", "event": event}).status_code == status
