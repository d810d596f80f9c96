"""Whether two sights are of one die that has lain there all the time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.game.referee.distances import SAME_PLACE, SAME_SPOT, apart
from companion.game.referee.priors import PRIORS
from engine.dice import UNREAD
from vision.tracking.boxes import touch
from vision.types import Box, Reading, SeenDie

if TYPE_CHECKING:
    from companion.game.referee.observation import Stay

HANDLED = 0.5  # chance of having rolled there: below it a hand seems to have put the die there


def is_same_stay(stay: Stay, die: SeenDie, covered: bool) -> bool:
    """Whether this is the same die, where it lay, not turned since. covered: it has been out of sight."""
    if stay.came != die.came or apart(stay.box, die.xyxy) >= SAME_PLACE:
        return False
    handled = die.touched or die.rolled < HANDLED <= stay.rolled
    sure = min(stay.confidence, 1.0 if covered else die.confidence) >= PRIORS.confident  # nothing turns by itself
    return stay.value == die.value or not (handled or sure) or die.value == UNREAD


def as_it_rested(die: SeenDie, then: Reading, now: Reading) -> SeenDie:
    """A die as it lay before all settled; of one that lies there still it is known since how it came there."""
    later = next((one for one in now.dice if one.track == die.track and near(one.xyxy, die)), None)
    if later is not None and rests_there(die, later):
        return replace(die, came=later.came, rolled=later.rolled, rests=True)
    came = later.came if later is not None else die.came if die.came != then.throws else None
    return replace(die, came=came, rolled=die.rolled if came == die.came else 1.0 - die.handled)


def seen_empty(reading: Reading, die: SeenDie) -> bool:
    """Whether this die was seen not to lie there: no hand was near the place."""
    return not any(touch(die.xyxy, hand) for hand in reading.hands) and not any(
        rests_there(die, one) for one in reading.dice
    )


def rests_there(one: SeenDie, other: SeenDie) -> bool:
    """Whether one lies where the other does, and shows the same."""
    return one.value == other.value and near(one.xyxy, other)


def near(box: Box, die: SeenDie) -> bool:
    """Whether the die lies at this place."""
    return apart(box, die.xyxy) < SAME_PLACE


def same_spot(stay: Stay, die: SeenDie) -> bool:
    """Whether the die lies exactly there, shows the same, and was not clearly seen to roll."""
    return stay.value == die.value and apart(stay.box, die.xyxy) < SAME_SPOT and die.rolled < 0.95
