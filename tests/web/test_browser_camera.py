"""A film of a table, watched on the page: two turns from the first roll to the record, purchases tapped."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import expect

from companion.camera.demo import bundled_demo
from companion.game.archived import game_repository
from companion.resources import resource
from tests.kit.browser import SIZES, browsing, expect_events, table_of
from tests.kit.served_app import served_app
from tests.kit.sources import unpaced

pytestmark = pytest.mark.browser


def two_turns(folder: Path) -> Path:
    """Writes a film of the demo's first two turns with every second frame, so that they take half the time."""
    film = cv2.VideoCapture(str(resource("datasets", "demo", "demo.mp4")))
    size = int(film.get(cv2.CAP_PROP_FRAME_WIDTH)), int(film.get(cv2.CAP_PROP_FRAME_HEIGHT))
    target = folder / "turns.mp4"
    out = cv2.VideoWriter(str(target), cv2.VideoWriter.fourcc(*"mp4v"), 12.0, size)
    for number in range(SECOND_TURN_OVER):
        more, image = film.read()
        assert more
        if number % 2 == 0:
            out.write(image)
    out.release()
    film.release()
    return target


SECOND_TURN_OVER = 200  # the demo's frame in which the second player has set everything aside


def test_two_turns_before_the_camera_are_seen_on_the_page_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", unpaced)
    with served_app(tmp_path, source=str(two_turns(tmp_path))) as running_app, browsing() as open_page:
        page = open_page(running_app.server.address)
        expect(page.locator("#watch .seen")).not_to_have_count(0)  # boxes over the picture
        offers = page.locator("[data-key=offers]")
        expect(page.locator("[data-key=line-3]")).to_contain_text("rolls")
        expect(page.locator(".tray .pick")).to_have_count(0)  # the last die is with the others
        # The film goes on, however slow the browser is: Bert rolls before Anna says what she took.
        expect(page.locator(".lines li").first).to_contain_text("Bert")
        anna = page.locator("[data-key=player-A]")
        anna.get_by_text("Purchase from last turn").click()
        anna.get_by_role("button", name="Farmer").click()
        expect(anna.locator(".owned-card")).to_contain_text("Farmer")
        expect(page.locator(".tray .pick")).to_have_count(0)
        offers.get_by_role("button", name="Laborer").click()
        expect(page.locator("[data-key=player-B]")).to_contain_text("Laborer")
        anna_took = ["A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer"]
        expect_events(running_app, [*anna_took, "B roll 6 5 4", "B keep 6 5 4", "B buy laborer"])
        seen = [line.by for line in table_of(running_app).lines]
        assert seen.count("person") <= 4  # the purchases, and at most what was set aside with them
        assert seen[0] == seen[5] == "camera"


def test_areas_are_drawn_by_mouse_and_keys_and_a_report_is_saved_on_the_camera_page(tmp_path: Path) -> None:
    with served_app(tmp_path, source=str(two_turns(tmp_path))) as running_app, browsing() as open_page:
        page = open_page(f"{running_app.server.address}camera")
        expect(page.locator("[data-state-of]")).to_contain_text("The camera sees the table")
        page.get_by_role("button", name="Draw the areas").click()
        first = page.get_by_role("button", name="Rolling area, corner 1")
        expect(first).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowDown")
        last = page.get_by_role("button", name="Dice set aside, corner 3").bounding_box()
        assert last
        page.mouse.move(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2)
        page.mouse.down()
        page.mouse.move(last["x"] - 60, last["y"] - 20, steps=3)
        page.mouse.up()
        page.get_by_role("button", name="Use these areas").click()
        expect(page.get_by_text("Using the areas you drew.")).to_be_visible()
        areas = running_app.app_state.cameras.areas
        assert areas is not None
        assert areas.rolling[0] == (0.09, 0.13)  # one step right, five down
        assert areas.kept[2][0] < 0.9 < areas.rolling[2][0]
        with page.expect_download() as download:
            page.get_by_role("link", name="Save a problem report").click()
        with zipfile.ZipFile(download.value.path()) as packed:
            assert any(name.endswith(".jpg") for name in packed.namelist())
        page.get_by_role("button", name="Use the printed mat").click()
        expect(page.get_by_text("The printed mat is found automatically.")).to_be_visible()
        assert running_app.app_state.cameras.areas is None
        page.get_by_label("Camera to use").select_option("none")
        page.get_by_role("button", name="Use this camera").click()
        expect(page.locator("[data-state-of]")).to_contain_text("by hand")
        assert running_app.app_state.cameras.watcher is None


def test_the_demo_explains_itself_says_its_end_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.camera.worker.frames", unpaced)
    film = two_turns(tmp_path)
    monkeypatch.setattr("companion.camera.cameras.bundled_demo", lambda: replace(bundled_demo(), film=str(film)))
    with served_app(tmp_path, source="demo", players=()) as running_app, browsing(**SIZES["phone"]) as open_page:
        archive = running_app.app_state.past.archive
        assert archive is not None
        page = open_page(running_app.server.address)
        panel = page.locator("[data-key=demo]")
        expect(panel).to_contain_text("Demo")
        for size in (SIZES["desktop"], SIZES["phone"]):
            page.set_viewport_size(size["viewport"])
            expect(panel).to_be_in_viewport()
        expect(panel).to_contain_text("That was the demo. Now start your own game.")
        shown = [line.event.split()[1] for line in table_of(running_app).lines]
        assert {"roll", "keep"} <= set(shown)
        assert game_repository.summaries(archive) == []
        panel.get_by_role("link", name="New game").click()
        expect(page.get_by_label("Camera to use")).not_to_have_value("demo")
        expect(page.get_by_label("Player 1", exact=True)).to_have_value("")
        page.get_by_role("button", name="Keep in history").click()
        expect(page.get_by_role("heading", name="Anna, Bert").first).to_be_visible()
        assert len(game_repository.summaries(archive)) == 1
        page.goto(f"{running_app.server.address}new")
        page.get_by_label("Player 1", exact=True).fill("Chiara")
        page.get_by_label("Player 2", exact=True).fill("Dora")
        page.get_by_role("button", name="Start game").click()
        expect(page.get_by_role("heading", name="Chiara").first).to_be_visible()
        expect(panel).to_have_count(0)
        assert running_app.app_state.cameras.watcher is None or running_app.app_state.cameras.watcher.source != "demo"


def test_a_camera_that_cannot_be_opened_leads_to_where_another_is_chosen(tmp_path: Path) -> None:
    said: list[str] = []
    film = str(tmp_path / "none.mp4")
    with served_app(tmp_path, source=film, output=said) as running_app, browsing() as open_page:
        assert said == [f"courtside: {film} does not exist; another camera can be chosen on the page"]
        page = open_page(running_app.server.address)
        notice = page.locator(".notices .notice")
        expect(notice).to_contain_text("none.mp4 does not exist")
        notice.get_by_role("link", name="Camera").click()
        expect(page.get_by_label("Camera to use")).to_be_visible()
