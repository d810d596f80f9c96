"""Advice on the page: thought of in the background, shown at once, after the decision, or not at all."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.adviser import Adviser
from companion.app import Settings, create_app
from companion.evening import begin_game
from companion.pairing import Pairing
from companion.room import Room


@pytest.fixture
def room(room: Room) -> Room:
    Adviser(room).start()
    return room


@pytest.fixture
def client(room: Room, tmp_path: Path) -> FlaskClient:
    return create_app(room, Pairing(tmp_path), Settings(port=1)).test_client()


def shown(room: Room, client: FlaskClient, language: str = "en") -> str:
    """The page once the adviser has thought about the position of now."""
    until = time.monotonic() + 60
    while not ((known := room.chances()) and known.wins) and time.monotonic() < until:
        time.sleep(0.02)
    return client.get("/", headers={"Accept-Language": language}).get_data(as_text=True)


def choose(client: FlaskClient, **form: str) -> int:
    page = client.get("/cards").get_data(as_text=True)
    token = re.search(r'name="csrf" content="([^"]+)"', page)
    assert token
    path = "/advice" if "when" in form else "/enter"
    return client.post(path, data={"csrf": token[1], **form}, headers={"X-Fragment": "1"}).status_code


def test_the_page_says_what_to_do_and_the_chance_to_win(room: Room, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    page = shown(room, client)
    assert "Set aside 5 5" in page
    assert "Win chance" in page


def test_it_says_so_in_german(room: Room, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    assert "beiseitelegen" in shown(room, client, "de")


@pytest.mark.parametrize(
    ("language", "share", "farmer"),
    [("en", r"\d%", "Farmer: one more die from the start of the turn."),
     ("de", r"\d\N{NO-BREAK SPACE}%", "Bauer: ein Würfel mehr vom Beginn des Zugs an."),
     ("nl", r"\d%", "Boer: "), ("fi", r"\d\N{NO-BREAK SPACE}%", "Rakentaja: "), ("ja", r"\d%", "農夫：")],
)  # fmt: skip
def test_a_purchase_is_advised_in_whole_sentences_and_shares_are_written_one_way(
    room: Room, client: FlaskClient, language: str, share: str, farmer: str
) -> None:
    for event in ("A roll 6 6 3", "A keep 6 6 3"):
        assert room.sitting is not None
        room.sitting.table.enter(event)
    page = shown(room, client, language)
    said = re.search(r'data-key="advice".*?<p>(.*?)</p>', page, re.DOTALL)
    assert said
    assert farmer in said[1]
    assert said[1].strip()[-1] in ".。"
    shares = re.findall(r"\d\s*%", re.sub(r"<[^>]*>", " ", page))
    assert len(shares) > 3
    assert all(re.fullmatch(share, one) for one in shares)


def test_advice_can_be_switched_off_and_on_again(room: Room, client: FlaskClient) -> None:
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    assert choose(client, when="off") == 200
    assert "Set aside 5 5" not in shown(room, client)
    assert room.dice_to_set_aside() == ()
    assert choose(client, when="now") == 200
    assert "Set aside 5 5" in shown(room, client)
    assert room.dice_to_set_aside()[-2:] == (5, 5)
    assert choose(client, when="whenever") == 400


def test_advice_after_the_decision_is_for_the_position_before(room: Room, client: FlaskClient) -> None:
    assert choose(client, when="after") == 200
    shown(room, client)
    assert choose(client, seat="A", verb="roll", dice="552") == 200
    assert "Set aside 5 5" not in shown(room, client)
    assert choose(client, seat="A", verb="keep", dice="2") == 200
    page = shown(room, client)
    assert "Set aside 5 5" in page
    assert "The advice before the last decision" in page


def test_knatsch_is_advised_too_now_afterwards_or_not_at_all(tmp_path: Path) -> None:
    room = Room()
    begin_game(room, "knatsch", ("Anna", "Bert"))
    Adviser(room).start()
    client = create_app(room, Pairing(tmp_path), Settings(port=1)).test_client()
    assert room.sitting is not None
    before = ("A deal castle-red 3-3-3+2", "B deal castle-blue 4-4-4+2", "A reveal left castle-green 3-3-3+4")
    for event in (*before, "A reveal right tournament"):
        room.sitting.table.enter(event, by="person")
    try:
        assert "Go for the Green Castle on the left stack" in shown(room, client)
        assert "Greif die Karte Grüne Burg auf dem linken Stapel an" in shown(room, client, "de")
        assert choose(client, when="off") == 200
        assert "Go for the" not in shown(room, client)
        assert choose(client, when="after") == 200
        room.sitting.table.enter("A target right", by="person")
        assert "Go for the Green Castle" in shown(room, client)  # said once another card was named
    finally:
        room.close()
