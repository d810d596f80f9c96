"""A second camera, or a phone, that sees only the cards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.camera.own_cards import OwnCards
from companion.web.app_state import AppState
from vision.sources.beside import Beside
from vision.sources.jpeg import Unusable


def film(path: Path, *greys: int) -> str:
    """A film of one grey picture a second."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 1.0, (160, 120))
    for grey in greys:
        writer.write(np.full((120, 160, 3), grey, np.uint8))
    writer.release()
    return str(path)


@pytest.fixture
def app_state(tmp_path: Path) -> Iterator[AppState]:
    here = AppState()
    here.cameras.cards.own = OwnCards(tmp_path / "own-cards")
    yield here
    here.close()


def until_pictured(app_state: AppState, meanwhile: Callable[[], object] = lambda: None) -> bytes:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        meanwhile()
        newest = app_state.cameras.cards.newest()
        if newest is not None:
            return newest[0]
        time.sleep(0.05)
    raise AssertionError("no picture has come")


@pytest.mark.slow
def test_a_second_camera_gives_the_pictures_of_the_cards_without_reading_dice(
    app_state: AppState, tmp_path: Path
) -> None:
    app_state.cameras.cards.look_through(film(tmp_path / "cards.mp4", 90, 90, 90))
    assert until_pictured(app_state)[:2] == b"\xff\xd8"
    assert app_state.cameras.cards.watcher is not None
    assert app_state.cameras.cards.watcher.health().dice == 0
    app_state.cameras.cards.look_through("")
    assert app_state.cameras.cards.watcher is None


@pytest.mark.slow
def test_a_phone_used_as_card_camera_says_so_and_sends_pictures(client: FlaskClient, app_state: AppState) -> None:
    picture = cv2.imencode(".jpg", np.full((120, 160, 3), 120, np.uint8))[1].tobytes()

    def sent(address: str) -> int:
        headers = {"X-CSRF-Token": csrf}
        return client.post(address, data=picture, content_type="image/jpeg", headers=headers).status_code

    client.get("/phone")
    with client.session_transaction() as session:
        csrf = session["csrf"]
    assert sent("/phone/picture?cards=1") == 409
    app_state.cameras.cards.look_through("phone")
    assert "sees all cards" in client.get("/phone").text
    assert sent("/phone/picture?cards=1") == 204
    assert sent("/phone/picture") == 409  # no phone looks at the dice
    assert until_pictured(app_state, lambda: sent("/phone/picture?cards=1"))[:2] == b"\xff\xd8"


def test_the_camera_for_the_cards_is_chosen_on_the_page(client: FlaskClient, app_state: AppState) -> None:
    client.get("/camera/cards")
    with client.session_transaction() as session:
        csrf = session["csrf"]
    client.post("/camera/cards/source", data={"csrf": csrf, "source": "phone"})
    assert app_state.cameras.cards.watcher is not None
    assert '<option value="phone" selected>' in client.get("/camera/cards").text
    client.post("/camera/cards/source", data={"csrf": csrf, "source": "none"})
    assert app_state.cameras.cards.watcher is None


def test_a_film_of_the_cards_runs_beside_a_film_of_the_dice(tmp_path: Path) -> None:
    beside = Beside(film(tmp_path / "cards.mp4", 40, 120, 200))
    greys = []
    for seconds in (0.0, 0.5, 1.0, 1.5, 2.9):
        frame = beside.at(seconds)
        greys.append(None if frame is None else round(float(frame.image.mean()) / 40))
    assert greys == [1, None, 3, None, 5]


def test_a_second_film_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad.mp4").write_text("no film")
    with pytest.raises(Unusable):
        Beside(str(tmp_path / "bad.mp4"))
