"""Every page in Chromium at usual sizes: axe in both themes, touch targets, width and weight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from companion.camera.worker import Watcher
from companion.server.bootstrap import RunningApp
from tests.kit.axe import MAX_BYTES, violations_now
from tests.kit.browser import SETTLED, SIZES, browsing
from tests.kit.fake_camera import show_picture
from tests.kit.scenes import STAGES, PageScene
from tests.kit.touch import too_small

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# The bytes of a page, its scripts and styles, unpacked, also of those in the browser's cache. Pictures of the camera do
# not count, nor do values that scripts fetch.
WEIGHT = """() => {
  const parts = performance.getEntriesByType("resource")
    .filter(({ name, initiatorType }) => initiatorType !== "fetch" && !name.includes("/picture"));
  const bytes = new Map([...performance.getEntriesByType("navigation"), ...parts]
    .map(({ name, decodedBodySize }) => [name, decodedBodySize]));
  return [...bytes.values()].reduce((sum, one) => sum + one, 0);
}"""
WINDOWS = ((1366, 768), (844, 390), (360, 740))  # a laptop, a phone on its side, and a small phone


@pytest.mark.parametrize("stage", STAGES)
def test_every_page_suits_eyes_fingers_and_screens(
    running_app: RunningApp, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watcher, "start", show_picture)
    found: dict[str, object] = {}
    with browsing(**SIZES["phone"], quiet=False, bypass_csp=True, reduced_motion="reduce") as open_page:
        page = open_page("about:blank")
        for scene in STAGES[stage](running_app):
            if (weight := weighed(page, scene, running_app.server.address + scene.path)) >= MAX_BYTES:
                found[f"{scene.name}: weight"] = weight
            found |= {f"{scene.name}: {rule}": where for rule, where in violations_now(page).items()}
            page.emulate_media(color_scheme="light")
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(SETTLED)
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    found[f"{scene.name}: too wide"] = width
                if width < 1000 and (small := too_small(page)):
                    found[f"{scene.name}: too small at {width} px"] = small
    assert found == {}


def weighed(page: Page, scene: PageScene, address: str) -> int:
    """Opens a scene; returns the bytes of its page."""
    page.goto(address)
    weight = int(page.evaluate(WEIGHT))
    scene.act(page)
    page.wait_for_function("!document.querySelector('[aria-busy=true]')")
    return weight
