"""Pictures of own dice, corrected on the page and stored in the layout that training and measuring read."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.camera.own_dice import OwnDice
from companion.camera.worker import Watcher
from companion.web.app_state import AppState
from tests.kit.evaluation.photos import labelled, truth_of
from tests.kit.problem_report import read_report
from tests.vision.drawn import laid_dice
from vision.sources.jpeg import decode
from vision.types import Motion, Reading, SeenDie

FRAME = 41


def read_as(value: int) -> tuple[float, float, float, float, float, float]:
    first, *rest = (0.95 if face == value else 0.01 for face in range(1, 7))
    return (first, rest[0], rest[1], rest[2], rest[3], rest[4])


@pytest.fixture
def app_state(tmp_path: Path) -> AppState:
    """An application whose camera has just seen six resting dice: 1 to 6, the 6 misread as a 5."""
    image, laid = laid_dice()
    app_state = AppState()
    app_state.cameras.own_dice = OwnDice(tmp_path / "own-dice")
    app_state.cameras.watcher = Watcher(
        "test", path="none", model=tmp_path, see=lambda _: None, ended=lambda: None, announce=lambda _: None
    )
    dice = tuple(
        SeenDie(track, (x - 40.0, y - 40.0, x + 40.0, y + 40.0), read_as(min(value, 5)), False)
        for track, ((x, y), value) in enumerate(laid.items())
    )
    jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
    app_state.cameras.watcher.recent.add(jpeg, Reading(dice, True, 1, Motion.STABLE, FRAME, 2.0))
    app_state.cameras.watcher.recent.add(jpeg, Reading((), False, 1, Motion.MOVING, FRAME + 9, 3.0))
    return app_state


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found
    return found[1]


def send(client: FlaskClient, values: list[str], picture: object = None) -> int:
    """Saves the picture that the page shows now, or the one with this number."""
    page = client.get("/camera/dice").text
    number = field(page, "picture") if picture is None else picture
    form = {"csrf": field(page, "csrf"), "picture": str(number)}
    form |= {f"die-{place}": value for place, value in enumerate(values)}
    return client.post("/camera/dice", data=form).status_code


def test_the_corrected_picture_is_measured_and_taught_like_any_labelled_one(
    client: FlaskClient, app_state: AppState
) -> None:
    assert send(client, ["1", "2", "3", "4", "5", "6"]) == 303
    (picture,) = labelled(app_state.cameras.own_dice.folder)
    image = decode(picture.read_bytes())
    truth = truth_of(picture, image)
    assert truth.faces.tolist() == [1, 2, 3, 4, 5, 6]
    middles = (truth.xyxy[:, :2] + truth.xyxy[:, 2:]) / 2
    np.testing.assert_allclose(middles, np.array(list(laid_dice()[1])), atol=1)


def test_a_detection_that_is_no_die_gets_no_label_and_the_image_is_saved_once(
    client: FlaskClient, app_state: AppState
) -> None:
    assert send(client, ["1", "2", "3", "4", "5", "6"]) == 303
    assert send(client, ["1", "none", "3", "4", "5", "6"]) == 303
    (picture,) = labelled(app_state.cameras.own_dice.folder)
    assert truth_of(picture, decode(picture.read_bytes())).faces.tolist() == [1, 3, 4, 5, 6]


def test_the_picture_on_the_page_is_the_one_at_rest(client: FlaskClient) -> None:
    page = client.get("/camera/dice").text
    number = int(field(page, "picture"))
    assert f"/camera/dice/{number}.jpg" in page
    assert page.count("<option selected>5</option>") == 2
    assert client.get(f"/camera/dice/{number}.jpg").data[:2] == b"\xff\xd8"
    assert client.get(f"/camera/dice/{number + 1}.jpg").status_code == 404


def test_picture_and_readings_stay_one_when_another_camera_counts_to_the_same_frame(
    client: FlaskClient, app_state: AppState, tmp_path: Path
) -> None:
    """Bug: the page drew boxes over a picture with the same number from another camera, and would have saved them."""
    page = client.get("/camera/dice").text
    shown = client.get(f"/camera/dice/{field(page, 'picture')}.jpg").data
    other = cv2.imencode(".jpg", np.full((540, 960, 3), 90, np.uint8))[1].tobytes()
    die = SeenDie(0, (10.0, 10.0, 60.0, 60.0), read_as(2), False)
    app_state.cameras.watcher = Watcher(
        "other", path="none", model=tmp_path, see=lambda _: None, ended=lambda: None, announce=lambda _: None
    )
    app_state.cameras.watcher.recent.add(other, Reading((die,), True, 1, Motion.STABLE, FRAME, 2.0))
    assert client.get(f"/camera/dice/{field(page, 'picture')}.jpg").data == shown
    assert send(client, ["1", "2", "3", "4", "5", "6"], picture=field(page, "picture")) == 303
    (saved,) = labelled(app_state.cameras.own_dice.folder)
    assert saved.read_bytes() == shown


@pytest.mark.parametrize("values", [["7", "2", "3", "4", "5", "6"], ["1"], ["", "2", "3", "4", "5", "6"]])
def test_values_no_die_has_are_not_saved(client: FlaskClient, app_state: AppState, values: list[str]) -> None:
    assert send(client, values) == 400
    assert len(app_state.cameras.own_dice) == 0


@pytest.mark.parametrize("picture", [7, "", "newest"])
def test_a_picture_that_is_gone_is_said_in_a_sentence(
    client: FlaskClient, app_state: AppState, picture: object
) -> None:
    assert send(client, ["1", "2", "3", "4", "5", "6"], picture=picture) == 303
    assert "no longer available" in client.get("/camera/dice").text
    assert len(app_state.cameras.own_dice) == 0


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(client: FlaskClient, app_state: AppState) -> None:
    app_state.cameras.own_dice.folder.write_text("a file where the folder should be")
    assert send(client, ["1", "2", "3", "4", "5", "6"]) == 303
    assert "could not be saved" in client.get("/camera/dice").text


def test_without_a_camera_the_page_says_so(client: FlaskClient, app_state: AppState) -> None:
    app_state.cameras.watcher = None
    assert "The camera sees no resting dice" in client.get("/camera/dice").text


def test_the_likeliest_confusions_of_a_die_are_offered_first(client: FlaskClient, app_state: AppState) -> None:
    """After the value that was read: the true 6, read as a 5, is the first alternative."""
    assert app_state.cameras.watcher is not None
    kept = app_state.cameras.watcher.recent.settled()
    assert kept is not None
    die = replace(kept[1].dice[5], probabilities=(0.0, 0.02, 0.03, 0.1, 0.6, 0.25))
    app_state.cameras.watcher.recent.add(kept[0], replace(kept[1], dice=(die,), frame=FRAME + 1))
    offered = re.findall(r"<option( selected)?>(\d)</option>", client.get("/camera/dice").text)
    assert offered == [(" selected", "5"), ("", "6"), ("", "4"), ("", "3"), ("", "2"), ("", "1")]


def test_the_last_seconds_are_packed_with_one_tap(client: FlaskClient, app_state: AppState, tmp_path: Path) -> None:
    """Readings, versions and settings are included; the camera's address with its password is not."""
    assert app_state.cameras.watcher is not None
    app_state.cameras.watcher.source = "rtsp://anna:secret@camera.example/1"
    file = tmp_path / "report.zip"
    file.write_bytes(client.get("/camera/clip").data)
    report = read_report(file)
    assert list(report.pictures) == [FRAME, FRAME + 9]
    assert [die["value"] for die in report.readings[FRAME]["dice"]] == [1, 2, 3, 4, 5, 5]
    assert report.about["settings"] == {"source": "stream", "upside_down": False, "areas": None}
    with zipfile.ZipFile(file) as archive:
        assert not any(word in archive.read(name) for name in archive.namelist() for word in (b"secret", b"camera.ex"))
