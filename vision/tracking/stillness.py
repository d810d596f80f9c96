"""Decides whether the table is settled: no die rolls or flies, and none is covered for a moment only."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.boxes import areas_of_groups, grown, holds
from vision.tracking.constants import (
    AGAIN_SECONDS,
    COVERED_SECONDS,
    CROWDED,
    FLIGHT_SECONDS,
    HAND_DICE,
    HUNTING_SECONDS,
    LAG_SECONDS,
    PATIENCE_SECONDS,
    SMALLEST_FLYING,
    SURE,
)
from vision.tracking.motion import Activity
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, SeenDie


class Since:
    """Measures for how many seconds a condition has held without a break."""

    def __init__(self) -> None:
        self._start: float | None = None

    def __call__(self, is_so: bool, seconds: float) -> float:
        if not is_so:
            self._start = None
            return 0.0
        self._start = seconds if self._start is None else self._start
        return seconds - self._start


class Stillness:
    """Decides for each frame whether the table is settled, and keeps the timers for that."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._still, self._quiet, self._moving, self._unsure = Since(), Since(), Since(), Since()
        self._fewer, self._gone = Since(), Since()
        self._most = 0  # largest number of dice at rest since the table last settled

    def table_settled(
        self,
        dice: Sequence[TrackedDie],
        now: Sequence[SeenDie],
        before: int | None,
        activity: Activity,
        seconds: float,
        hand_seen: bool,
        taken: int = 0,
    ) -> bool:
        """Whether the table is settled.

        Args:
            dice: The visible dice.
            now: These and the dice assumed under hands.
            before: Number of dice on the last settled table; None before the first one.
            hand_seen: A hand was there since then. If no die is left and none was seen, the frame may be out of focus.
            taken: Number of dice known to be gone, for which there is no need to wait.
        """
        # Constant motion delays a reading by at most the flight of a die: by then the die rests or was found. So does
        # an empty table, onto which dice may just be rolled.
        still = self.all_rest(dice, seconds)
        unsure = any(max(die.probabilities) < SURE for die in now if not die.hidden)
        self._most = max(self._most, before or 0, sum(die.at_rest(seconds) for die in dice))
        empty = not now and before != 0 and not (hand_seen and self._most)
        fewer = len(now) + taken < self._most or empty
        hand = bool(activity.hands)
        still_for = self._still(still, seconds)
        moves = self.unexplained_motion([die.xyxy for die in now], activity)
        quiet_for, moving_for = self._quiet(not moves, seconds), self._moving(moves, seconds)
        unsure_for = self._unsure(still and unsure, seconds)
        fewer_for = self._fewer(fewer, seconds)
        gone_for = self._gone(fewer and not hand, seconds)
        enough = PATIENCE_SECONDS if hand_seen or not before else HUNTING_SECONDS
        settled = (
            still
            and (bool(dice) or not now)
            and (quiet_for >= LAG_SECONDS or (still_for >= FLIGHT_SECONDS if dice else moving_for >= AGAIN_SECONDS))
            and (not unsure or unsure_for >= PATIENCE_SECONDS)
            and (not fewer or gone_for >= enough or (bool(now) and hand and fewer_for >= COVERED_SECONDS))
        )
        if settled:
            self._most = len(now)
        return settled

    def all_rest(self, dice: Sequence[TrackedDie], seconds: float) -> bool:
        """Whether all dice have rested long enough to be read, and none may be about to appear or disappear."""
        unclear = any(not die.believed for die in self._tracker.dice)
        return not unclear and all(die.at_rest(seconds) for die in dice)

    def unexplained_motion(self, resting: Sequence[Box], activity: Activity) -> bool:
        """Whether something of the size of a die moves where no die rests. It may be a die in flight."""
        width = self._tracker.width or 0.0
        around = [grown(box, CROWDED) for box in resting]
        elsewhere = [region for region in activity.moving if not any(_covers(box, region) for box in around)]
        least, most = (dice * width * width for dice in (SMALLEST_FLYING, HAND_DICE))
        return any(least <= area <= (most or math.inf) for area in areas_of_groups(elsewhere))


def _covers(outer: Box, inner: Box) -> bool:
    """Whether `inner` is no larger than `outer` and its centre is inside."""
    return holds(outer, inner) and inner[2] - inner[0] <= outer[2] - outer[0]
