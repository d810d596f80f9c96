"""A second camera, or a phone, that sees only the cards."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.camera.card_places import save_zones
from companion.camera.demo import bundled_demo
from companion.camera.own_cards import OwnCards
from companion.game.referee import referee_for
from companion.game.table import Table
from companion.web.app_state import AppState
from engine.record_header import new_record
from tests.kit.card_film import CardFilm
from tests.kit.card_games import STILL
from tests.kit.dice import Picture
from tests.kit.filmed_cards import beside
from vision.cards.card_set import CardSet
from vision.cards.faces import Face
from vision.sources.beside import Beside
from vision.sources.camera import frames
from vision.sources.jpeg import Unusable
from vision.types import Frame


def film(path: Path, *greys: int) -> str:
    """A film of one grey picture a second."""
    return written(path, 1.0, [np.full((120, 160, 3), grey, np.uint8) for grey in greys])


def written(path: Path, rate: float, pictures: Iterable[Picture], still: int = 0) -> str:
    """A film of these pictures; the last one stays for `still` more frames."""
    given = iter(pictures)
    picture = next(given)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, picture.shape[1::-1])
    writer.write(picture)
    for picture in given:
        writer.write(picture)
    for _ in range(still):
        writer.write(picture)
    writer.release()
    return str(path)


@pytest.fixture
def app_state(tmp_path: Path) -> Iterator[AppState]:
    here = AppState()
    here.cameras.cards.sets = OwnCards(tmp_path / "own-cards")
    yield here
    here.close()


def until_pictured(app_state: AppState, meanwhile: Callable[[], object] = lambda: None) -> bytes:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        meanwhile()
        newest = app_state.cameras.cards.newest_image()
        if newest is not None:
            return newest[0]
        time.sleep(0.05)
    raise AssertionError("no picture has come")


@pytest.mark.slow
def test_a_second_camera_gives_the_pictures_of_the_cards_without_reading_dice(
    app_state: AppState, tmp_path: Path
) -> None:
    app_state.cameras.cards.use_source(film(tmp_path / "cards.mp4", 90, 90, 90))
    assert until_pictured(app_state)[:2] == b"\xff\xd8"
    assert app_state.cameras.cards.watcher is not None
    assert app_state.cameras.cards.watcher.health().dice == 0
    app_state.cameras.cards.use_source("")
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
    app_state.cameras.cards.use_source("phone")
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


@pytest.mark.stress  # each half has its test: the demo before the camera, and a taught card before a player
def test_two_films_in_real_time_record_a_roll_and_the_purchase_after_it(app_state: AppState, tmp_path: Path) -> None:
    header = new_record("krone", ("Anna", "Bert"))
    table = Table(header, referee_for(header))
    dice = [one.image for one in itertools.islice(frames(bundled_demo().film), 40) if isinstance(one, Frame)]
    on_table = CardFilm(7)
    own = app_state.cameras.cards.sets
    own.save(CardSet("filmed", tuple(Face(kind, face) for kind, face in on_table.face_of.items()), "krone"))
    own.choose("filmed")
    save_zones(own.folder, {"A": on_table.zones["A"]})
    cards = beside(on_table, table.state, [(4.0, "A buy farmer")], 5.0)
    app_state.session.begin(table, None)
    app_state.cameras.cards.use_source(written(tmp_path / "cards.mp4", 1 / STILL, cards, 300))
    app_state.cameras.watch(written(tmp_path / "dice.mp4", 12, dice, 900))
    deadline = time.monotonic() + 60
    while "A buy farmer" not in [line.event for line in table.lines] and time.monotonic() < deadline:
        time.sleep(0.05)
    first, *_, last = table.lines
    assert (first.event, first.by) == ("A roll 5 5 2", "camera")
    assert (last.event, last.by) == ("A buy farmer", "camera")
    # Each camera has its own process, so that reading cards does not delay dice.
    assert app_state.cameras.watcher is not None
    assert app_state.cameras.cards.watcher is not None
    assert app_state.cameras.watcher.process != app_state.cameras.cards.watcher.process
