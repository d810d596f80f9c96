"""The bundled film on four screen sizes: first viewer, Skip, Watch again; in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.camera.worker import Watcher
from companion.server.bootstrap import RunningApp
from tests.kit.browser import SIZES, browsing, enter
from tests.kit.fake_camera import show_picture
from tests.kit.layout import moved, watch_moves
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser
SENTENCES = {
    "A roll 5 5 2": "The dice are still. The camera has read the roll and entered it.",
    "A keep 5 5 2": "Dice moved to the strip on the mat are set aside.",
    "A buy farmer": "A player tapped a card on this page. It is bought, and the turn is over.",
}


@pytest.fixture
def films(monkeypatch: pytest.MonkeyPatch) -> list[Watcher]:
    """Every film that has started. None is read: the test says what happens in it."""
    started: list[Watcher] = []
    monkeypatch.setattr(Watcher, "start", lambda watcher: started.append(watcher))
    return started


def test_the_film_starts_with_its_first_viewer_and_can_be_skipped_and_watched_again(
    tmp_path: Path, films: list[Watcher]
) -> None:
    with served_app(tmp_path, source="demo", players=()) as running_app, browsing(**SIZES["phone"]) as open_page:
        assert films == []
        page = open_page(running_app.server.address)
        expect(page.get_by_role("button", name="Skip")).to_be_visible()
        open_page(running_app.server.address).close()
        assert len(films) == 1  # the second viewer does not start it again
        for number, size in enumerate(("phone", "laptop"), 1):
            page.set_viewport_size(SIZES[size]["viewport"])
            watch_a_turn(page, running_app, films[-1])
            press(page, "Skip")
            expect(page.locator("[data-key=demo]")).to_contain_text("That was the demo. Now start your own game.")
            press(page, "Watch again")
            assert len(films) == number + 1
            expect(page.locator("[data-key^=line-]")).to_have_count(0)


def press(page: Page, name: str) -> None:
    """Presses a button of the demo and waits for the next page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).click()


def watch_a_turn(page: Page, running_app: RunningApp, film: Watcher) -> None:
    """The film and its explanations are visible, on a phone the film comes first, and nothing moves while it plays."""
    watch_moves(page)
    show_picture(film)
    expect(page.locator("#watch [data-lost]")).to_be_hidden()
    panel = page.locator("[data-key=demo]")
    for event, sentence in SENTENCES.items():
        enter(running_app, event, seen_on=page)
        expect(panel).to_contain_text(sentence)
        if "buy" not in event:  # its card makes its player's panel longer
            assert moved(page) == []
    expect(panel).to_be_in_viewport()
    picture, turn = page.locator("#watch").bounding_box(), page.locator(".turn").bounding_box()
    assert picture
    assert turn
    if page.evaluate("innerWidth") < 500:
        assert picture["y"] + picture["height"] <= turn["y"]
