"""A phone as camera: its code is shown in the place of its picture, and its own screen says what to improve."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.camera.checklist import checklist
from companion.camera.phone import PhoneGate
from companion.camera.worker import Health, Watcher
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[AppState]:
    """A table watched through a phone whose images are not read."""
    monkeypatch.setattr(Watcher, "start", lambda watcher: None)
    here = AppState()
    here.cameras.watch("phone")
    yield here
    here.close()


@pytest.fixture
def host(here: AppState, tmp_path: Path) -> FlaskClient:
    return create_app(here, Pairing(tmp_path), Settings(port=1, local_only=True, hosts=None)).test_client()


def test_the_code_comes_before_the_empty_picture(host: FlaskClient) -> None:
    page = host.get("/camera").text
    assert page.count("Phone as camera") == 1
    assert page.index("Phone as camera") < page.index("No picture yet")


def test_the_phone_learns_that_the_table_watches_through_it(host: FlaskClient, here: AppState) -> None:
    assert "Start the camera" in host.get("/phone/guide").text
    here.cameras.watch("none")
    assert "No phone camera is in use" in host.get("/phone/guide").text


def test_the_phone_shows_the_checklist_of_its_own_picture(
    host: FlaskClient, here: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "health", lambda watcher: Health(1280, 720, 15.0, 3, False))
    guide = host.get("/phone/guide").text
    for step in ("mat", "light", "distance", "readable"):
        assert f'data-step="{step}"' in guide


def test_the_phone_shows_the_first_roll_that_was_read(
    host: FlaskClient, here: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: the list of dice found hid the macro that draws dice, and the guide failed after the first roll."""
    monkeypatch.setattr(Watcher, "health", lambda watcher: Health(1280, 720, 15.0, 3, True, rolled=(5, 5, 2)))
    monkeypatch.setattr("companion.web.pages.camera.checklist", lambda looking, health: checklist(True, health))
    guide = host.get("/phone/guide")
    assert guide.status_code == 200
    assert guide.text.count('href="#face-5"') == 2


def test_a_busy_computer_is_not_taken_for_bad_light_nor_bad_light_for_it(
    host: FlaskClient, here: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: the phone sent 19.5 pictures a second, 2.4 were read, and the page asked for more light."""
    monkeypatch.setattr(Watcher, "health", lambda watcher: Health(1280, 720, 2.4, 3, True))
    monkeypatch.setattr("companion.web.pages.camera.checklist", lambda looking, health: checklist(True, health))
    monkeypatch.setattr(PhoneGate, "rate", 19)
    said = host.get("/camera/state").text
    assert "This computer is busy" in said
    assert "More light helps" not in said
    monkeypatch.setattr(PhoneGate, "rate", 2)
    assert "More light helps" in host.get("/camera/state").text


def test_a_phone_without_pictures_is_not_asked_for_its_plug(
    host: FlaskClient, here: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "health", lambda watcher: Health(1280, 720, 0.0, 0, False))
    for guide in (host.get("/phone/guide").text, host.get("/camera/state").text):
        assert "Start the camera on the phone and keep its screen on." in guide
        assert "plugged in" not in guide
