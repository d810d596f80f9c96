"""Every page in Chromium at usual sizes: axe in both themes, touch targets, width and weight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request

from companion.server.bootstrap import RunningApp
from tests.kit.axe import MOST_BYTES, violations_now
from tests.kit.browser import SETTLED, SIZES, browsing
from tests.kit.scenes import STAGES, PageScene
from tests.kit.touch import too_small

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WINDOWS = ((1366, 768), (844, 390), (360, 740))  # a laptop, a phone on its side, and a small phone


@pytest.mark.parametrize("stage", STAGES)
def test_every_page_suits_eyes_fingers_and_screens(running_app: RunningApp, stage: str) -> None:
    found: dict[str, object] = {}
    with browsing(**SIZES["phone"], quiet=False, bypass_csp=True, reduced_motion="reduce") as open_page:
        page = open_page("about:blank")
        page.route("**/*", lambda route: route.continue_())  # without the browser's cache, so that all is weighed
        for scene in STAGES[stage](running_app):
            if (weight := weighed(page, scene, running_app.server.address + scene.path)) >= MOST_BYTES:
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
    """Opens a scene; returns the bytes of its page, scripts and styles until it is loaded.

    Pictures of the camera and values that are calculated later do not count.
    """
    weights: list[int] = []

    def weigh(request: Request) -> None:
        response = request.response()
        weights.append(len(response.body()) if response and response.ok and "/picture" not in request.url else 0)

    page.on("requestfinished", weigh)
    page.goto(address)
    page.remove_listener("requestfinished", weigh)
    scene.act(page)
    page.wait_for_function("!document.querySelector('[aria-busy=true]')")
    return sum(weights)
