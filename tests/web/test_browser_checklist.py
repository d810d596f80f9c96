"""The checklist of a first evening on the camera page in Chromium, from choosing a camera to the first roll."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from companion.camera.checklist import checklist
from companion.camera.worker import CameraState, Health
from companion.resources import resource
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.kit.axe import violations_now
from tests.kit.browser import SIZES, browsing
from tests.kit.served_app import served_app
from vision.messages import BLACK, UPSIDE_DOWN
from vision.tracking.frame_quality import DiceQuality

GOOD = DiceQuality(die_pixels=50, blur=0.05, glare=0.0, confidence=0.95)


def states(looking: bool, health: Health) -> dict[str, bool | None]:
    return {step.id: step.done for step in checklist(looking, health)}


def test_nothing_is_known_of_the_table_while_no_picture_comes() -> None:
    found = states(False, Health())
    assert found.pop("picture") is False
    assert set(found.values()) == {None}


@pytest.mark.parametrize(
    ("step", "quality", "doubt"),
    [
        ("distance", DiceQuality(20, 0.05, 0.0, 0.95), None),
        ("sharpness", DiceQuality(50, 0.2, 0.0, 0.95), None),
        ("light", DiceQuality(50, 0.05, 0.2, 0.95), None),
        ("readable", DiceQuality(50, 0.05, 0.0, 0.5), None),
        ("light", GOOD, BLACK),
    ],
)
def test_each_fault_is_shown_at_its_own_step(step: str, quality: DiceQuality, doubt: str | None) -> None:
    found = states(True, Health(1280, 720, 25, 3, True, doubt, quality, (5, 5, 2)))
    assert [name for name, done in found.items() if not done] == [step]


@pytest.mark.parametrize("why", [None, UPSIDE_DOWN])
def test_all_is_well_only_where_nothing_is_to_be_said_of_the_camera(why: str | None, tmp_path: Path) -> None:
    """Bug: the page said that all was well below a question about an upside-down picture."""
    app_state, health = AppState(), Health(1280, 720, 25, 3, True, None, GOOD, (5, 5, 2))
    app_state.cameras.watcher = SimpleNamespace(state=CameraState("looking", why), health=lambda: health, source="0")  # type: ignore[assignment]
    page = create_app(app_state, Pairing(tmp_path), Settings(port=1, hosts=None)).test_client().get("/camera/state")
    assert page.status_code == 200
    assert ("All good" in page.text) == (why is None)


@pytest.mark.browser
def test_the_checklist_ends_with_the_first_roll_read(tmp_path: Path) -> None:
    with (
        served_app(tmp_path, source=str(resource("datasets", "demo", "demo.mp4"))) as running_app,
        browsing(**SIZES["phone"], bypass_csp=True) as open_page,
    ):
        page = open_page(f"{running_app.server.address}camera")
        steps = page.locator(".checklist li")
        expect(steps).to_have_count(8)
        for name in ("picture", "light", "mat", "dice", "distance", "sharpness", "readable", "roll"):
            expect(page.locator(f"[data-step={name}][data-done=yes]")).to_be_visible()
        for size in (SIZES["desktop"], SIZES["phone"]):
            page.set_viewport_size(size["viewport"])
            expect(page.locator("[data-step=roll] .die").first).to_be_visible()
        assert violations_now(page) == {}
