"""A phone as camera: Chromium's fake camera plays a film of dice, the page sends it, and the table records a roll."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.camera.worker import CameraState, Health, Watcher
from tests.kit.browser import LOST, SIZES, browsing, events, table_of
from tests.kit.fake_camera import FAKE_DEVICE, fake_camera
from tests.kit.served_app import served_app
from vision import messages
from vision.messages import Doubt
from vision.tracking.frame_quality import DiceQuality
from vision.types import Reading

pytestmark = pytest.mark.browser


def test_a_phone_is_the_camera_from_its_page_to_the_recorded_roll(tmp_path: Path) -> None:
    flags = (*FAKE_DEVICE, f"--use-file-for-fake-video-capture={fake_camera(tmp_path)}")
    with (
        served_app(tmp_path, source="phone", secure=True) as running_app,
        browsing(*flags, quiet=False) as open_page,
    ):
        assert running_app.server.address.startswith("https://")
        phone = open_page(f"{running_app.server.address}phone")
        phone.get_by_role("button", name="Start camera").click()
        expect(phone.locator("[data-status]")).to_contain_text("ms delay")
        phone.route("**/phone/*", lambda route: route.abort())
        expect(phone.locator("[data-status]")).to_contain_text("Trying again")
        phone.unroute("**/phone/*")
        expect(phone.locator("[data-status]")).to_contain_text("ms delay")
        # Nothing else is open meanwhile: a phone's page is what its owner looks at, and a second page would only draw.
        until = time.monotonic() + 120
        while not events(running_app) and time.monotonic() < until:
            phone.wait_for_timeout(100)
        assert events(running_app)[0] == "A roll 5 5 2"
        assert table_of(running_app).lines[0].by == "camera"
        table = open_page(running_app.server.address)
        expect(table.locator(".lines .what").last).to_contain_text("rolls")
        expect(table.locator("[data-lost]")).to_be_hidden()
        table.route("**/picture?*", lambda route: route.abort())  # pictures alone: news and boards still arrive
        expect(table.locator("[data-state]")).to_contain_text("No picture. Trying again")
        expect(table.locator(LOST)).to_be_hidden()
        table.unroute("**/picture?*")
        expect(table.locator("[data-state]")).not_to_contain_text("No picture. Trying again")


def test_a_phone_says_what_is_wrong_with_its_pictures_and_falls_silent_when_stopped(tmp_path: Path) -> None:
    context = {"viewport": {"width": 390, "height": 844}}
    with (
        served_app(tmp_path, source="phone", secure=True) as running_app,
        browsing(*FAKE_DEVICE, quiet=False, **context) as open_page,
    ):
        phone = open_page(f"{running_app.server.address}phone")
        status = phone.locator("[data-status]")
        phone.route("**/phone/*", lambda route: route.continue_(post_data="no picture at all"))
        phone.get_by_role("button", name="Start camera").click()
        expect(status).to_have_text("The picture is not a JPEG, or it is damaged.")
        phone.unroute("**/phone/*")
        expect(status).to_contain_text("pictures per second")
        phone.get_by_role("button", name="Stop").click()
        phone.wait_for_timeout(1500)
        expect(status).to_have_text("Stopped. No pictures are being sent.")


def test_the_frame_on_the_phone_shows_what_was_found_and_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Areas, dice that are too small, light and steadiness are shown on the picture that is sent."""
    corners = [[0.1, 0.2], [0.9, 0.2], [0.9, 0.9], [0.1, 0.9]]
    die = {"box": [0.5, 0.5, 0.01, 0.02], "value": 5, "sure": 1.0, "kept": False, "advised": False}
    quality = DiceQuality(die_pixels=13, blur=0.0, glare=0.0, confidence=1.0)
    monkeypatch.setattr(Watcher, "page_outlines", {"areas": [["rolling", corners]], "dice": [die]})
    monkeypatch.setattr(Watcher, "health", lambda watcher: Health(1280, 720, 20.0, 1, True, quality=quality))
    with (
        served_app(tmp_path, source="phone") as running_app,
        browsing(*FAKE_DEVICE, quiet=False) as open_page,
    ):
        assert running_app.app_state.cameras.watcher is not None
        running_app.app_state.cameras.watcher.close()
        running_app.app_state.cameras.watcher.state = CameraState("looking")
        phone = open_page(f"{running_app.server.address}phone")
        phone.get_by_role("button", name="Start camera").click()
        frame = phone.locator(".viewfinder [data-frame]")
        expect(frame.locator("polygon.rolling")).to_have_count(1)
        expect(frame.locator(".die-seen.small")).to_have_count(1)
        expect(frame.locator("li", has_text="Mat or areas")).to_have_attribute("data-done", "yes")
        expect(frame.locator("li", has_text="Dice large enough")).to_have_attribute("data-done", "no")
        expect(frame.locator("li", has_text="Enough light")).to_have_attribute("data-done", "yes")
        expect(frame.locator("li", has_text="Steady")).to_have_attribute("data-done", "yes")
        for size in SIZES.values():
            phone.set_viewport_size(size["viewport"])
            assert frame.bounding_box() == phone.locator("video").bounding_box()
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_warning_of_the_camera_is_shown_once_on_the_table(tmp_path: Path) -> None:
    warning = "The picture is black. Is the lens covered?"
    with served_app(tmp_path, source="phone") as running_app, browsing(quiet=False) as open_page:
        here = running_app.app_state
        assert here.cameras.watcher is not None
        here.cameras.watcher.close()  # it would say again and again that no phone sends
        doubt = Doubt(messages.BLACK)
        here.cameras.see(Reading((), settled=True, rolls=0, motion="still", frame=1, seconds=1.0, doubt=doubt))
        here.cameras.watcher.state = CameraState("lost", doubt)
        here.cameras.announce(-1)
        table = open_page(running_app.server.address)
        expect(table.get_by_text(warning)).to_have_count(1)
        expect(table.locator(".notice", has_text=warning).get_by_role("link", name="Camera")).to_be_visible()
        expect(table.locator("[data-state]")).to_have_text("The camera sends no picture.")
