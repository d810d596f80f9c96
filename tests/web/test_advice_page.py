"""Advice on the page: computed in the background; shown at once, after decisions, or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game
from tests.kit.served_app import until


@pytest.fixture
def app_state(app_state: AppState) -> AppState:
    app_state.advisor.start()
    return app_state


def shown(app_state: AppState, client: FlaskClient, language: str = "en") -> str:
    """The page once the advice on the current position has been computed."""
    until(lambda: (known := app_state.advisor.chances()) and known.wins)
    return client.get("/", headers={"Accept-Language": language}).get_data(as_text=True)


def choose(client: FlaskClient, **form: str) -> int:
    page = client.get("/cards").get_data(as_text=True)
    token = re.search(r'name="csrf" content="([^"]+)"', page)
    assert token
    path = "/advice" if "when" in form else "/enter"
    return client.post(path, data={"csrf": token[1], **form}, headers={"X-Fragment": "1"}).status_code


def test_the_page_says_what_to_do_and_the_chance_to_win(app_state: AppState, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    page = shown(app_state, client)
    assert "Set aside 5 5" in page
    assert "Win chance" in page
    aimed = re.search(r"It aims for the (\w+): \d+% to get it, and a win chance of \d+% with it\.", page)
    assert aimed, page
    assert aimed[1] in {"Guard", "Farmer", "Laborer"}


def test_the_adviser_says_when_nothing_is_left_to_calculate(app_state: AppState, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    until(lambda: not app_state.advisor.calculating())
    page = client.get("/").get_data(as_text=True)
    assert "Set aside 5 5" in page
    assert "Calculating" not in page


def test_it_says_so_in_german(app_state: AppState, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    assert "Leg 5 5 beiseite" in shown(app_state, client, "de")


@pytest.mark.parametrize(
    ("language", "share", "farmer"),
    [("en", r"\d%", "Farmer: roll one extra die each turn."),
     ("de", r"\d\N{NO-BREAK SPACE}%", "Bauer: jeden Zug ein Würfel mehr."),
     ("nl", r"\d%", "Boer: "), ("fi", r"\d\N{NO-BREAK SPACE}%", "Rakentaja: "), ("ja", r"\d%", "農夫：")],
)  # fmt: skip
def test_a_purchase_is_advised_in_whole_sentences_and_shares_are_written_one_way(
    app_state: AppState, client: FlaskClient, language: str, share: str, farmer: str
) -> None:
    for event in ("A roll 6 6 2", "A keep 6 6 2"):
        assert app_state.session.running is not None
        app_state.session.running.table.enter(event)
    page = shown(app_state, client, language)
    said = re.search(r'data-key="advice".*?<p>(.*?)</p>', page, re.DOTALL)
    assert said
    assert farmer in said[1]
    assert said[1].strip()[-1] in ".。"
    shares = re.findall(r"\d\s*%", re.sub(r"<[^>]*>", " ", page))
    assert len(shares) > 3
    assert all(re.fullmatch(share, one) for one in shares)


def test_advice_can_be_switched_off_and_on_again(app_state: AppState, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    assert choose(client, when="off") == 200
    assert "Set aside 5 5" not in shown(app_state, client)
    assert app_state.advisor.dice_to_set_aside() == ()
    assert choose(client, when="now") == 200
    assert "Set aside 5 5" in shown(app_state, client)
    assert app_state.advisor.dice_to_set_aside()[-2:] == (5, 5)
    assert choose(client, when="whenever") == 400


def test_advice_after_the_decision_is_for_the_position_before(app_state: AppState, client: FlaskClient) -> None:
    assert choose(client, when="after") == 200
    shown(app_state, client)
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    assert "Set aside 5 5" not in shown(app_state, client)
    assert choose(client, seat="A", verb="keep", dice="2") == 200
    page = shown(app_state, client)
    assert "Set aside 5 5" in page
    assert "Advice for Anna’s last decision" in page
    assert "Anna did something else." in page
    assert choose(client, seat="A", verb="roll", dice="61") == 200
    shown(app_state, client)
    known = app_state.advisor._current
    assert known is not None
    for dice in known[1].set_aside:
        assert dice in (6, 1)
    assert choose(client, seat="A", verb="keep", dice=" ".join(map(str, known[1].set_aside))) == 200
    assert "Anna followed it." in shown(app_state, client)


def test_knatsch_is_advised_too_now_afterwards_or_not_at_all(tmp_path: Path) -> None:
    app_state = AppState()
    begin_game(app_state, "knatsch", ("Anna", "Bert"))
    app_state.advisor.start()
    client = create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client()
    assert app_state.session.running is not None
    before = ("A deal castle-red 3-3-3+2", "B deal castle-blue 4-4-4+2", "A reveal left castle-green 3-3-3+4")
    for event in (*before, "A reveal right tournament"):
        app_state.session.running.table.enter(event, by="person")
    try:
        assert "Go for the Green Castle on the left stack" in shown(app_state, client)
        assert "Würfle um Grüne Burg auf dem linken Stapel" in shown(app_state, client, "de")
        page = shown(app_state, client)
        assert "Why not another card?" in page
        assert "Tournament on the right stack: " in page
        assert "Only a player with three castles at the start of the turn may challenge the King." in page
        assert choose(client, when="off") == 200
        assert "Go for the" not in shown(app_state, client)
        assert "Why not another card?" not in shown(app_state, client)
        assert choose(client, when="after") == 200
        app_state.session.running.table.enter("A target right", by="person")
        assert "Go for the Green Castle" in shown(app_state, client)  # said once another card was named
    finally:
        app_state.close()
