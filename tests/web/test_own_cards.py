"""Teaching own cards on the page: outlines, names with a tap, export to one file, and errors."""

from __future__ import annotations

import io
import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import cv2
import pytest
from flask.testing import FlaskClient

from companion.camera.card_follower import CardFollower
from companion.camera.card_places import load_zones, save_zones
from companion.camera.own_cards import OwnCards
from companion.camera.worker import CameraState
from companion.commands.print_readings import demo_clip
from companion.game.card_evidence import CardMessages
from companion.game.table import Table
from companion.web.app_state import AppState
from companion.web.sessions import begin_game
from tests.kit.card_table import LaidCard, photograph_cards
from tests.kit.editions import face
from tests.kit.served_app import until
from vision.cards.card_set import CardSet
from vision.types import Motion, Reading

pytestmark = pytest.mark.slow


@cache
def photographed(*kinds: int) -> bytes:
    """Cards in a row before the camera, as a JPEG."""
    cards = [LaidCard(str(kind), face(5, kind), (110.0 + 130 * n, 160.0), 90.0) for n, kind in enumerate(kinds)]
    picture, _ = photograph_cards(cards, 3, (640, 320), ground=2)
    return cv2.imencode(".jpg", picture)[1].tobytes()


class Camera:
    """The part of a camera that the page uses."""

    def __init__(self) -> None:
        self.recent = SimpleNamespace(newest=lambda: self.given)
        self.given: tuple[bytes, Reading] | None = None
        self.source = self.shown_source = "test"
        self.state = CameraState("looking")

    def show(self, frame: int, *kinds: int) -> None:
        self.given = (photographed(*kinds), Reading((), True, 0, Motion.STABLE, frame, frame / 10))


@pytest.fixture
def app_state(tmp_path: Path) -> Iterator[AppState]:
    here = AppState()
    here.cameras.cards.sets = OwnCards(tmp_path / "own-cards")
    here.cameras.watcher = Camera()  # type: ignore[assignment]
    yield here
    here.cameras.cards.watch.close()


@pytest.fixture
def own(app_state: AppState) -> OwnCards:
    return app_state.cameras.cards.sets


@pytest.fixture
def camera(app_state: AppState) -> Camera:
    assert isinstance(app_state.cameras.watcher, Camera)
    return app_state.cameras.watcher


def send(client: FlaskClient, address: str, **form: object) -> str:
    """The page after sending a form."""
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/camera/cards").text)
    assert found
    answer = client.post(f"/camera/cards/{address}", data={"csrf": found[1], **form})
    assert answer.status_code == 303
    return client.get(answer.headers["Location"]).text


def begin(client: FlaskClient, name: str = "Amigo", game: str = "krone") -> str:
    return send(client, "set", set=name, game=game)


def scan(client: FlaskClient, camera: Camera, *kinds: int) -> str:
    """The page of a new set, with these cards before the camera."""
    camera.show(1, *kinds)
    return begin(client)


def teach(client: FlaskClient, card: int, kind: str, frame: int = 1) -> str:
    return send(client, "teach", set="Amigo", number=frame, card=card, kind=kind)


def test_cards_in_a_row_are_outlined_and_named_by_taps(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    page = scan(client, camera, 0, 1, 2)
    assert page.count("<polygon") == 3
    assert "3 cards found" in page
    for card, kind in enumerate(("farmer", "maid", "fool")):
        page = teach(client, card, kind)
    assert page.count('class="named"') == 3
    assert own.load("Amigo").kinds == ("farmer", "maid", "fool")
    assert "Still to show: Charlatan" in page


def test_a_named_card_is_known_in_the_next_picture(client: FlaskClient, camera: Camera) -> None:
    scan(client, camera, 0, 1)
    teach(client, 0, "farmer")
    teach(client, 1, "maid")
    camera.show(2, 1, 0, 4)
    page = client.get("/camera/cards/look?set=Amigo").text
    assert re.findall(r"<text[^>]*>([^<]+)</text>", page) == ["Serving Maid", "Farmer", "3"]


def test_the_very_first_card_is_offered_every_name(client: FlaskClient, camera: Camera) -> None:
    scan(client, camera, 0)
    page = client.get("/camera/cards?set=Amigo&number=1&card=0").text
    assert page.count('<button name="kind"') == 20


def test_names_not_given_yet_are_offered_first(client: FlaskClient, camera: Camera) -> None:
    scan(client, camera, 0, 1)
    teach(client, 0, "fool")
    page = client.get("/camera/cards?set=Amigo&number=1&card=1").text
    offered = re.findall(r'<button name="kind" value="([a-z]+)"', page)
    assert offered[0] == "charlatan"
    assert offered[-1] == "fool"
    assert len(offered) == 20
    assert "two sides of one card" in page


def test_two_kinds_that_look_too_alike_are_named(client: FlaskClient, camera: Camera) -> None:
    scan(client, camera, 0, 0)
    teach(client, 0, "farmer")
    assert "Farmer and Serving Maid look too similar" in teach(client, 1, "maid")


def test_an_edition_goes_out_and_comes_back_as_one_file(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    scan(client, camera, 0)
    teach(client, 0, "farmer")
    packed = client.get("/camera/cards/export?set=Amigo").data
    assert "removed" in send(client, "forget", set="Amigo")
    assert own.names() == []
    page = send(client, "import", file=(io.BytesIO(packed), "amigo.cards"))
    assert "Imported 1 kind of card" in page
    assert own.load("Amigo").kinds == ("farmer",)
    assert own.chosen == "Amigo"


def test_a_damaged_file_is_refused_and_nothing_is_lost(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    scan(client, camera, 0)
    teach(client, 0, "farmer")
    packed = client.get("/camera/cards/export?set=Amigo").data
    page = send(client, "import", file=(io.BytesIO(packed[:-200]), "amigo.cards"))
    assert "amigo.cards is damaged" in page.lower()
    assert own.load("Amigo").kinds == ("farmer",)


def test_a_set_damaged_on_the_disk_is_reported_and_deleted(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    begin(client)
    (own.folder / "Amigo.cards").write_bytes(b"PK rubbish")
    page = client.get("/camera/cards").text
    assert "is damaged, or is not a card set" in page
    assert "Delete" in page
    send(client, "forget", set="Amigo")
    assert own.names() == []


def test_a_picture_without_a_card_says_what_to_do(client: FlaskClient, camera: Camera) -> None:
    assert "No cards found" in scan(client, camera)


@pytest.mark.parametrize(("card", "frame", "why"), [(0, 77, "no longer available"), (5, 1, "not in the picture")])
def test_a_missing_picture_and_a_missing_card_are_reported(
    client: FlaskClient, camera: Camera, card: int, frame: int, why: str
) -> None:
    scan(client, camera, 0)
    assert why in teach(client, card, "farmer", frame=frame)


def test_a_name_no_file_can_have_is_reported(client: FlaskClient, camera: Camera) -> None:
    assert "is not a valid set name" in begin(client, "../../etc")


def test_names_of_ten_thousand_letters_lose_nothing(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    scan(client, camera, 0)
    long = "x" * 10_000
    assert "is not a valid set name" in begin(client, long)
    teach(client, 0, long)
    (kind,) = own.load("Amigo").kinds
    assert kind == long[: len(kind)]


def test_a_film_and_a_set_without_cards_are_each_a_sentence(client: FlaskClient, own: OwnCards) -> None:
    film = Path(demo_clip()).read_bytes()
    page = send(client, "import", file=(io.BytesIO(film), "film.cards"))
    assert "film.cards is damaged, or is not a card set" in page.lower()
    empty = CardSet("Empty", (), "krone").packed()
    assert "Imported 0 kinds of cards" in send(client, "import", file=(io.BytesIO(empty), "empty.cards"))
    assert own.names() == ["Empty"]


def test_the_places_of_cards_are_saved_and_deleted(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    camera.show(1, 0)
    assert 'data-area="Cards for sale"' in client.get("/camera/cards/places").text
    send(client, "places", display="0.1,0.1 0.9,0.1 0.9,0.4", A="0.1,0.5 0.9,0.5 0.9,0.9")
    assert set(load_zones(own.folder) or ()) == {"display", "A"}
    send(client, "places", what="none")
    assert load_zones(own.folder) == {}
    assert "Find automatically" in client.get("/camera/cards/places").text
    send(client, "places", what="learn")
    assert load_zones(own.folder) is None


def test_a_place_outside_the_picture_is_refused(client: FlaskClient, camera: Camera, own: OwnCards) -> None:
    camera.show(1, 0)
    assert "inside the picture" in send(client, "places", display="0.1,0.1 1.9,0.1 0.9,0.4")
    assert load_zones(own.folder) is None


def test_a_set_for_another_game_is_reported_on_the_board(app_state: AppState) -> None:
    app_state.cameras.cards.sets.save(CardSet("Box", (), "knatsch"))
    app_state.cameras.cards.sets.choose("Box")
    begin_game(app_state, "krone", ("Anna", "Bert"))
    until(lambda: app_state.cameras.cards.watch.messages.notices)
    app_state.cameras.cards.watch.close()
    assert "belong to another game" in str(app_state.cameras.cards.watch.messages.notices[0].sentence)


def test_without_taught_cards_nothing_is_watched(app_state: AppState, camera: Camera) -> None:
    camera.show(1, 0)
    before = set(threading.enumerate())
    begin_game(app_state, "krone", ("Anna", "Bert"))
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "cards"]


def at_the_table(client: FlaskClient, camera: Camera, app_state: AppState, card: str) -> Table:
    """A game in which the first card of the picture is taught as this one, and the whole picture is Anna's tableau."""
    scan(client, camera, 0, 1)
    teach(client, 0, card)
    teach(client, 1, "maid")
    save_zones(app_state.cameras.cards.sets.folder, {"A": ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))})
    begin_game(app_state, "krone", ("Anna", "Bert"))
    assert app_state.session.running is not None
    return app_state.session.running.table


def watch(camera: Camera, done: Callable[[], object]) -> None:
    """Keeps the first card before the camera until the condition holds, five minutes at most."""
    deadline, frame = time.monotonic() + 300, 10
    while not done():
        assert time.monotonic() < deadline
        camera.show(frame, 0)
        frame += 5
        time.sleep(0.1)


def test_a_taught_card_before_a_player_is_recorded(client: FlaskClient, camera: Camera, app_state: AppState) -> None:
    table = at_the_table(client, camera, app_state, "farmer")
    table.enter("A roll 5 5 2")
    watch(camera, lambda: len(table.lines) > 1)
    assert [(line.event, line.by) for line in table.lines][-1] == ("A buy farmer", "camera")


def test_cards_laid_out_to_be_taught_are_not_held_against_the_running_game(
    client: FlaskClient, camera: Camera, app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.card_watch.TEACHING_PAUSE_SECONDS", 3.0)
    table = at_the_table(client, camera, app_state, "farmer")
    taught = time.monotonic()
    teach(client, 0, "farmer")
    table.enter("A roll 5 5 2")
    watch(camera, lambda: len(table.lines) > 1)
    assert table.lines[-1].event == "A buy farmer"
    assert time.monotonic() > taught + 3


def test_one_bad_moment_does_not_end_the_watching_of_the_cards(
    client: FlaskClient, camera: Camera, app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.card_watch.RETRY_SECONDS", 0.05)
    fails = iter([True])
    judged = CardFollower.judge

    def judge(follower: CardFollower, seconds: float, dice: Reading | None = None) -> CardMessages:
        if next(fails, False):
            raise RuntimeError("a bad moment")
        return judged(follower, seconds, dice)

    monkeypatch.setattr(CardFollower, "judge", judge)
    test_a_taught_card_before_a_player_is_recorded(client, camera, app_state)
    assert next(fails, None) is None


def test_a_card_the_dice_do_not_buy_is_reported_and_shown_and_one_tap_corrects_the_die(
    client: FlaskClient, camera: Camera, app_state: AppState
) -> None:
    table = at_the_table(client, camera, app_state, "laborer")
    table.enter("A roll 5 5 4")
    watch(camera, lambda: app_state.cameras.cards.watch.messages.notices)
    page = client.get("/").text
    assert "The recorded dice are not enough" in page
    shown = re.search(r'src="(/camera/cards/watched/\d+\.jpg)"', page)
    assert shown
    assert client.get(shown[1]).mimetype == "image/jpeg"
    assert client.get("/camera/cards/watched/1.jpg").status_code == 404
    corners = re.search(r'<polygon points="([^"]+)"', page)
    assert corners
    xs = [float(corner.split(",")[0]) for corner in corners[1].split()]
    assert 50 < sum(xs) / 4 < 170  # the first card of the row
    fix = re.search(r'action="(/correct/\d+)"[^>]*>.*?name="event" value="(A roll [^"]+)"', page)
    assert fix
    client.post(fix[1], data={"csrf": page.split('name="csrf" value="')[1].split('"')[0], "event": fix[2]})
    watch(camera, lambda: table.lines[-1].event == "A buy laborer")
