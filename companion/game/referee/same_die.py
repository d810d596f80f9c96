"""Decides whether two sightings are of one die that has not moved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.game.referee.distances import SAME_SPOT, SAME_STAY, distance
from companion.game.referee.priors import PRIORS
from engine.dice import UNREAD
from vision.boxes import touch
from vision.types import Box, Reading, SeenDie

if TYPE_CHECKING:
    from companion.game.referee.stays import Stay

HANDLED = 0.5  # chance of having rolled; below it a hand seems to have put the die there


def is_same_stay(stay: Stay, die: SeenDie, covered: bool, handled: bool) -> bool:
    """Whether a die still is in this stay: same place, not turned. covered: it was out of sight; handled: a hand was
    at it."""
    if stay.rested_since != die.rested_since or distance(stay.box, die.xyxy) >= SAME_STAY:
        return False
    sure = min(stay.confidence, 1.0 if covered else die.confidence) >= PRIORS.confident  # a die does not turn by itself
    return stay.value == die.value or not (handled or sure) or die.value == UNREAD


def as_it_rested(die: SeenDie, now: Reading) -> SeenDie:
    """A die as it rested before the table settled. If it still rests there, the later reading decides how it
    arrived."""
    later = next((one for one in now.dice if one.track == die.track and rests_there(die, one)), None)
    return die if later is None else replace(die, rested_since=later.rested_since, rolled=later.rolled, rests=True)


def seen_empty(reading: Reading, die: SeenDie) -> bool:
    """Whether the place of this die was seen empty, with no hand near it."""
    return not any(touch(die.xyxy, hand) for hand in reading.hands) and not any(
        rests_there(die, one) for one in reading.dice
    )


def rests_there(one: SeenDie, other: SeenDie) -> bool:
    """Whether both rest in the same place and show the same face."""
    return one.value == other.value and near(one.xyxy, other)


def near(box: Box, die: SeenDie) -> bool:
    """Whether the die is in this place."""
    return distance(box, die.xyxy) < SAME_STAY


def same_spot(stay: Stay, die: SeenDie) -> bool:
    """Whether the die is in exactly that place, shows the same face, and was not clearly seen to roll."""
    return stay.value == die.value and distance(stay.box, die.xyxy) < SAME_SPOT and die.rolled < 0.95
