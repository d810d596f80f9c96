"""Whether all lies still: no die rolls, nothing flies, and none that lay there is merely covered for a moment."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.tracking.boxes import areas_of_groups, grown
from vision.tracking.constants import (
    AGAIN_SECONDS,
    COVERED_SECONDS,
    CROWDED,
    FLIGHT_SECONDS,
    GONE_SECONDS,
    HAND_DICE,
    HUNTING_SECONDS,
    PATIENCE_SECONDS,
    QUIET_SECONDS,
    SMALLEST_FLYING,
    SURE,
)
from vision.tracking.motion import Scene
from vision.tracking.throws import RestingDie
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box


class Since:
    """For how many seconds something has been so without a break."""

    def __init__(self) -> None:
        self._start: float | None = None

    def __call__(self, is_so: bool, seconds: float) -> float:
        if not is_so:
            self._start = None
            return 0.0
        self._start = seconds if self._start is None else self._start
        return seconds - self._start


class Stillness:
    """Asked at every frame whether what lies there may be read; keeps the clocks that takes."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._still, self._quiet, self._stirring, self._unsure = Since(), Since(), Since(), Since()
        self._fewer, self._gone = Since(), Since()
        self._most = 0  # dice that lay still at the same time since all was last settled

    def reached(
        self,
        dice: Sequence[TrackedDie],
        now: Sequence[RestingDie],
        before: Sequence[RestingDie] | None,
        scene: Scene,
        seconds: float,
        hand_seen: bool,
        taken: int = 0,
    ) -> bool:
        """Whether all lies still and nothing speaks against it. dice: those seen; now: with those hands cover; before:
        what lay there when all was last settled; hand_seen: there was a hand since then; taken: how many no longer lie
        there, as far as is known: for them the others do not wait. Where none are left and no hand was seen, the
        picture may be out of focus."""
        # What keeps stirring holds a reading of dice that lie still no longer than one flies: by then it would lie or
        # have been found; nor one of an empty table, into which some may just be thrown.
        still = self.lie_still(dice, seconds)
        unsure = any(max(die.probabilities) < SURE for die in now if not die.hidden)
        self._most = max(self._most, len(before or ()), sum(die.at_rest(seconds) for die in dice))
        bare = not now and (before is None or bool(before)) and not (hand_seen and self._most)
        fewer = len(now) + taken < self._most or bare
        hand = bool(scene.hands)
        still_for = self._still(still, seconds)
        stirs = self.stirring([die.box for die in now], scene)
        quiet_for, stirring_for = self._quiet(not stirs, seconds), self._stirring(stirs, seconds)
        unsure_for = self._unsure(still and unsure, seconds)
        fewer_for = self._fewer(fewer, seconds)
        gone_for = self._gone(fewer and not hand, seconds)
        enough = GONE_SECONDS if hand_seen or not before else HUNTING_SECONDS
        reached = (
            still
            and (bool(dice) or not now)
            and (quiet_for >= QUIET_SECONDS or (still_for >= FLIGHT_SECONDS if dice else stirring_for >= AGAIN_SECONDS))
            and (not unsure or unsure_for >= PATIENCE_SECONDS)
            and (not fewer or gone_for >= enough or (bool(now) and hand and fewer_for >= COVERED_SECONDS))
        )
        if reached:
            self._most = len(now)
        return reached

    def lie_still(self, dice: Sequence[TrackedDie], seconds: float) -> bool:
        """Whether all dice have lain there for a while, and none perhaps comes into sight or is gone."""
        unclear = [die for die in self._tracker.dice if not die.believed]
        perhaps = any(die.confirmed or die.hits > 1 or die.missed < 2 for die in unclear)
        return not perhaps and all(die.at_rest(seconds) for die in dice)

    def stirring(self, lying: Sequence[Box], scene: Scene) -> bool:
        """Something as large as a die moves where no die is seen to lie: perhaps one in flight."""
        width = self._tracker.width or 0.0
        around = [grown(box, CROWDED) for box in lying]
        elsewhere = [region for region in scene.moving if not any(_covers(box, region) for box in around)]
        least, most = (dice * width * width for dice in (SMALLEST_FLYING, HAND_DICE))
        return any(least <= area <= (most or math.inf) for area in areas_of_groups(elsewhere))


def _covers(outer: Box, inner: Box) -> bool:
    """Whether the middle and most of `inner` lie in `outer`."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    inside = outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
    return inside and inner[2] - inner[0] <= outer[2] - outer[0]
