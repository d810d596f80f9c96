"""The delay from dice at rest to the reading and to the record."""

from __future__ import annotations

from statistics import median

import pytest

from tests.kit.played_turns import turns
from tests.kit.rest import rolls_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_a_roll_is_recorded_a_quarter_of_a_second_after_its_dice_rest(fps: float) -> None:
    played = list(turns(5, 2))
    rolls = [roll for number, (begun, lines) in enumerate(played) for roll in rolls_of(begun, lines, number, fps, None)]
    assert len(rolls) > 2
    for waits in ([roll.read for roll in rolls], [roll.recorded for roll in rolls]):
        assert None not in waits
        assert median(wait for wait in waits if wait is not None) <= 0.25
