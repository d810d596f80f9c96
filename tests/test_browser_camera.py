"""A film of a table, watched on the page: two turns from the first throw to the record, purchases tapped."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from playwright.sync_api import expect

from companion.resources import resource
from tests.browsing import browsing, events, table_of
from tests.house import house

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def two_turns(folder: Path) -> Path:
    """The demo's first two turns with every other frame left out, so that they are over in half the time."""
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


def test_two_turns_before_the_camera_are_seen_on_the_page_and_recorded(tmp_path: Path, archive: str | None) -> None:
    with house(tmp_path, source=str(two_turns(tmp_path)), archive=archive) as hosting, browsing() as open_page:
        page = open_page(hosting.server.address)
        expect(page.locator("#watch .seen")).not_to_have_count(0)  # boxes over the picture
        offers = page.locator("[data-key=offers]")
        expect(page.locator("[data-key=line-3]")).to_contain_text("rolls", timeout=60_000)
        expect(page.locator(".tray .pick")).to_have_count(0)  # the last die lies with the others
        offers.get_by_role("button", name="Farmer").click()
        expect(page.locator("[data-key=player-A]")).to_contain_text("Farmer")
        expect(page.locator(".lines li").first).to_contain_text("Bert", timeout=60_000)
        expect(page.locator(".tray .pick")).to_have_count(0)
        offers.get_by_role("button", name="Laborer").click()
        expect(page.locator("[data-key=player-B]")).to_contain_text("Laborer")
        assert events(hosting) == [
            "A roll 5 5 2", "A keep 5 5", "A roll 3", "A keep 3", "A buy farmer",
            "B roll 6 5 4", "B keep 6 5 4", "B buy laborer",
        ]  # fmt: skip
        seen = [line.by for line in table_of(hosting).lines]
        assert seen.count("person") <= 4  # the purchases, and at most what was set aside with them
        assert seen[0] == seen[5] == "camera"
