"""Every page in Chromium, at the sizes people use: axe, fingertips, width and weight."""

from __future__ import annotations

import pytest

from companion.server.bootstrap import RunningApp
from tests.kit.axe import MOST_BYTES, violations_now
from tests.kit.browser import SCREENS, browsing
from tests.kit.scenes import STAGES
from tests.kit.touch import too_small

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]
LANDSCAPE = (844, 390)


@pytest.mark.parametrize("stage", STAGES)
def test_every_page_suits_eyes_fingers_and_screens(house: RunningApp, stage: str) -> None:
    found: dict[str, object] = {}
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with browsing(**phone, quiet=False, bypass_csp=True, reduced_motion="reduce") as open_page:
        page = open_page("about:blank")
        for scene in STAGES[stage](house):
            answer = page.goto(house.server.address + scene.path)
            assert answer
            if len(answer.body()) >= MOST_BYTES:
                found[f"{scene.name}: weight"] = len(answer.body())
            scene.act(page)
            page.wait_for_function("!document.querySelector('[aria-busy=true]')")
            found |= {f"{scene.name}: {rule}": where for rule, where in violations_now(page).items()}
            page.emulate_media(color_scheme="light")
            for width, height in (*SCREENS.items(), LANDSCAPE):
                page.set_viewport_size({"width": width, "height": height})
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    found[f"{scene.name}: too wide"] = width
                if width < 1000 and (small := too_small(page)):
                    found[f"{scene.name}: too small at {width} px"] = small
    assert found == {}
