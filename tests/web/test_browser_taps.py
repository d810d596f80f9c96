"""A usual turn takes few taps in addition to its faces, on a phone and, for one turn, on a laptop; in Chromium."""

from __future__ import annotations

import pytest

from companion.server.bootstrap import RunningApp
from tests.kit.browser import SIZES, browsing
from tests.kit.taps import COUNT_TAPS, TURNS, Turn, tap

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("turn", TURNS, ids=[turn.name.partition(":")[0] for turn in TURNS])
def test_a_usual_turn_takes_few_taps(running_app: RunningApp, turn: Turn) -> None:
    """Um Krone und Kragen: seven taps with two rolls, nine with three, faces included."""
    with browsing(**SIZES["phone"]) as open_page:
        page = open_page("about:blank")
        page.add_init_script(COUNT_TAPS)
        for size in ("phone", "laptop") if turn is TURNS[0] else ("phone",):
            page.set_viewport_size(SIZES[size]["viewport"])
            assert tap(running_app, page, turn) <= turn.most
    if turn.game == "krone":
        assert turn.faces + turn.most <= {2: 7, 3: 9}[sum(" roll " in event for event in turn.record)]
