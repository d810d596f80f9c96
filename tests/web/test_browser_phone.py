"""A phone as the camera: Chromium's fake camera plays a film of dice, its page sends it, the table records a roll."""

from __future__ import annotations

import json
import time
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import expect

from companion.camera.worker import CameraState
from companion.resources import resource
from tests.kit.browser import LOST, browsing, events, table_of
from tests.kit.served_app import served_app
from vision import messages
from vision.messages import Doubt
from vision.types import Reading

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("second browser")]


def fake_camera(folder: Path) -> Path:
    """The demo's first throw, held still, as Motion JPEG: what Chromium takes for a camera's film (it loops)."""
    film = cv2.VideoCapture(str(resource("datasets", "demo", "demo.mp4")))
    target = folder / "camera.mjpeg"
    with target.open("wb") as out:
        for _ in range(_first_throw_lies() + 4):
            more, image = film.read()
            assert more
            written, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            assert written
            last = jpeg.tobytes()
            out.write(last)
        for _ in range(240):
            out.write(last)
    film.release()
    return target


def _first_throw_lies() -> int:
    """The frame of the demo in which its first roll has come true."""
    truth = json.loads(resource("datasets", "demo", "truth.json").read_text(encoding="utf-8"))
    return int(truth["done"][0]["frame"])


def test_a_phone_is_the_camera_from_its_page_to_the_recorded_roll(tmp_path: Path, archive: str | None) -> None:
    flags = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={fake_camera(tmp_path)}",
    )
    with (
        served_app(tmp_path, source="phone", secure=True, archive=archive) as running_app,
        browsing(*flags, quiet=False) as open_page,
    ):
        assert running_app.server.address.startswith("https://")
        phone = open_page(f"{running_app.server.address}phone")
        phone.get_by_role("button", name="Start camera").click()
        expect(phone.locator("[data-status]")).to_contain_text("ms delay", timeout=60_000)
        phone.route("**/phone/*", lambda route: route.abort())
        expect(phone.locator("[data-status]")).to_contain_text("Trying again")
        phone.unroute("**/phone/*")
        expect(phone.locator("[data-status]")).to_contain_text("ms delay", timeout=60_000)
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
    flags = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    context = {"viewport": {"width": 390, "height": 844}}
    with (
        served_app(tmp_path, source="phone", secure=True) as running_app,
        browsing(*flags, quiet=False, **context) as open_page,
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


def test_a_warning_of_the_camera_stands_on_the_table_once(tmp_path: Path) -> None:
    warning = "The picture is black. Is the lens covered?"
    with served_app(tmp_path, source="phone") as running_app, browsing(quiet=False) as open_page:
        here = running_app.app_state
        assert here.cameras.watcher is not None
        here.cameras.watcher.close()  # it would say again and again that no phone sends
        doubt = Doubt(messages.BLACK)
        here.cameras.see(Reading((), settled=True, throws=0, motion="still", frame=1, seconds=1.0, doubt=doubt))
        here.cameras.watcher.state = CameraState("lost", doubt)
        here.cameras.picture_or_state(-1)
        table = open_page(running_app.server.address)
        expect(table.get_by_text(warning)).to_have_count(1)
        expect(table.locator(".notice", has_text=warning).get_by_role("link", name="Camera")).to_be_visible()
        expect(table.locator("[data-state]")).to_have_text("The camera sends no picture.")
