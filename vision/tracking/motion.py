"""The motion gate: what changed in a small grey copy of the frame, so that the detector runs only when needed."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Boxes, Piece, grown, grown_by
from vision.tracking.constants import (
    ABSORB_LEVELS,
    FORGET_LEVELS,
    HAND_SECONDS,
    LAG_SECONDS,
    LEAVING_DICE,
    MOSTLY,
    OTHER_COLOUR,
    REST_SECONDS,
    RESTLESS_SECONDS,
    SAME_PATTERN,
    SAME_PLACE,
    UNKNOWN_DIE,
    WIDTH,
)
from vision.tracking.regions import Mask, denser, hand_limits, large, pieces, regions
from vision.tracking.small_picture import Bytes, Grey, Small, alike, changed, differs
from vision.types import Box

_BESIDE_HAND = np.ones((5, 5), np.uint8)  # small pixels around a moving hand that are blurred with it


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """A frame that the detector has searched.

    Attributes:
        small: Its small copy.
        left: (h, w) where it was not searched.
    """

    small: Small
    left: Mask

    def unlike(self, now: Small) -> Mask:
        """(h, w) Whether each small pixel of a later frame may show something that the search has not seen."""
        return differs(self.small, now) | self.left


@dataclass(frozen=True, slots=True)
class Activity:
    """What has changed in one frame; boxes in pixels of the full frame.

    Attributes:
        moving: Regions that changed within LAG_SECONDS.
        hands: Large foreground regions that have moved recently.
        fresh: Something differs from the frame that the detector last searched.

    `moving` and `hands` are cut into strips about a die high, so that the boxes around an arm cover no more than the
    arm.
    """

    moving: tuple[Box, ...] = ()
    hands: tuple[Box, ...] = ()
    fresh: bool = True


class MotionGate:
    """Compares each frame with the one LAG_SECONDS ago, the last one searched, and the empty table.

    A common factor of brightness is removed first; jitter is tolerated at edges.
    """

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Small]] = deque()
        self._table: Small | None = None
        self._table_hues: Grey = np.zeros((0, 0, 2), np.float32)
        self._last_motion: npt.NDArray[np.float64] | None = None  # when each small pixel last moved
        self._searching: Mask = np.zeros((0, 0), np.bool_)  # pixels to search in the newest frame
        self._moved: Mask = np.zeros((0, 0), np.bool_)  # pixels that move in the newest frame
        self._hand: Mask = np.zeros((0, 0), np.bool_)  # pixels of moving hands in the newest frame
        self._searched: Searched | None = None  # the frame searched last
        self._unlike_searched: Mask = np.zeros((0, 0), np.bool_)  # where the newest frame is unlike that one
        self._refined: Searched | None = None  # the frame of the last refined pass
        self._unlike_table: Mask | None = None  # where the newest differs from the empty table; lazy
        self._hidden: Mask = np.zeros((0, 0), np.bool_)  # what hands cover in the newest frame
        self._hands_at: Mask = np.zeros((0, 0), np.bool_)  # where hands were a moment ago
        self._hands_seen = -np.inf  # seconds when hands were last seen
        self._hands_now: Mask = np.zeros((0, 0), np.bool_)  # where hands are in the newest frame
        self._size, self._scale = (0, 0), 1.0  # (width, height) of the full frame, and full pixels per small pixel
        self._seconds = self._begun = 0.0

    @property
    def table(self) -> Small | None:
        """The known part of the empty table; None before the first frame."""
        return self._table

    @property
    def _now(self) -> Small:
        return self._recent[-1][1]

    def step(self, image: Bytes, seconds: float, die_pixels: float | None = None, now: Small | None = None) -> Activity:
        """Compares the next frame.

        Args:
            die_pixels: Width of a die in the full frame, once known.
            now: The small copy, if it has been made already.
        """
        now = now or Small.of(image)
        # The first frame, or a rotated or resized one.
        if self._table is None or self._table.shape != now.shape:
            self._start(now, seconds)
        assert self._last_motion is not None
        elapsed, self._seconds = max(0.0, seconds - self._seconds), seconds
        self._size, self._unlike_table = (image.shape[1], image.shape[0]), None
        self._scale = image.shape[1] / WIDTH
        while len(self._recent) > 1 and self._recent[1][0] <= seconds - LAG_SECONDS:
            self._recent.popleft()
        before = self._recent[0][1]
        moved = self._moved = differs(before, now)
        if moved.any():
            moved = self._moved = moved & (alike(before, now) <= SAME_PATTERN)
        self._recent.append((seconds, now))
        self._last_motion[moved] = seconds
        restless = self._last_motion > seconds - RESTLESS_SECONDS
        # Without motion there is no hand, however the table may have changed.
        foreground = self._foreground() if restless.any() else restless
        self._learn(now, seconds, elapsed)
        scale, die = self._scale, (die_pixels or 0.0) / self._scale
        strip, hand_area = hand_limits(now.pixels.size, die)
        leaving = self._hands_at, min(hand_area, LEAVING_DICE * (die or UNKNOWN_DIE) ** 2)
        hand = large(foreground, hand_area, restless, leaving)
        hands = regions(hand, scale, 1.0, strip)
        if hands:
            reach = [grown_by(hand, LEAVING_DICE * (die or UNKNOWN_DIE) * scale) for hand in hands]
            self._hands_at, self._hands_seen = self._drawn(reach, now.pixels.shape), seconds
        elif seconds - self._hands_seen > HAND_SECONDS:
            self._hands_at = np.zeros(now.pixels.shape, np.bool_)
        self._hand = hand & moved
        self._hidden = foreground if hands else np.zeros_like(foreground)
        self._hands_now = self._drawn(hands, now.pixels.shape)
        self._unlike_searched = self._searched.unlike(now) if self._searched else np.ones_like(foreground)
        return Activity(moving=regions(moved, scale, 2.0, strip), hands=hands, fresh=bool(self._unlike_searched.any()))

    def restart(self) -> None:
        """Restarts after the camera was moved: the next frame counts as the empty table."""
        self._table = None

    def was_searched(self) -> None:
        """Reports that the detector has searched the newest frame. What moves in it may have been too blurred."""
        self._searched, self._unlike_searched = Searched(self._now, self._moved), self._moved

    def to_search(self, die_pixels: float | None, least: int, grid: int) -> list[Piece]:
        """Regions of the newest frame that move, or that no search has seen as they are now without motion, cut as
        `pieces` does. While a hand moves, only what differs from the empty table beside it is searched."""
        if self._searched is None:
            return [(0, 0, *self._size)]
        margin = die_pixels or 2 * UNKNOWN_DIE * self._scale
        mask = self._searching = self._moved | self._unlike_searched
        if self._hand.any():
            beside = cv2.dilate(self._hand.astype(np.uint8), _BESIDE_HAND) == 0
            mask = mask & self._foreground() & beside
        return pieces(mask, self._scale, margin, self._size, least, grid)

    def unchanged_since_search(self, boxes: Sequence[Box]) -> list[bool]:
        """For each box (full pixels), whether it looks as it did in the last search."""
        return [not self._searching[self._within(box)].any() for box in boxes]

    def to_refine(self, die_pixels: float | None, also: Sequence[Box] = (), all_changed: bool = True) -> list[Piece]:
        """Regions for a refined pass, in whole pixels: the boxes `also` and, if `all_changed`, what has changed since
        the last refined pass over it. The whole frame the first time."""
        if self._refined is None:
            return [(0, 0, *self._size)]
        mask = self._drawn(also, self._hidden.shape)
        if all_changed:
            mask |= self._refined.unlike(self._now)
        return pieces(mask, self._scale, die_pixels or UNKNOWN_DIE * self._scale, self._size)

    def once_refined(self, refined: Sequence[Piece]) -> Searched:
        """The newest frame as `was_refined` needs it, after a refined pass over these regions."""
        now = self._now
        left = self._refined.unlike(now) if self._refined else np.ones_like(self._hidden)
        return Searched(now, (left & ~self._drawn(refined, left.shape)) | self._hidden)

    def was_refined(self, state: Searched) -> None:
        """Notes that a refined pass over a frame is done; that need not be the newest frame."""
        self._refined = state

    def unchanged_since_refined(self, boxes: Sequence[Box]) -> list[bool]:
        """For each box (full pixels), whether it looks as the last refined pass saw it."""
        if self._refined is None or not boxes:
            return [False] * len(boxes)
        changed = self._refined.unlike(self._now)
        return [not changed[self._within(box)].any() for box in boxes]

    def newly_there(self, boxes: Sequence[Box], die_pixels: float | None) -> list[bool]:
        """For each box (full pixels), whether the box differs from the empty table and its surroundings do not. False
        if a region of the size of a hand differs, because then the camera moved or the light changed."""
        foreground = self._foreground() if boxes else self._hidden
        if foreground.sum() >= hand_limits(foreground.size, (die_pixels or 0.0) / self._scale)[1]:
            return [False] * len(boxes)
        return [denser(foreground, self._within(box), self._within(grown(box, SAME_PLACE))) for box in boxes]

    def new_around(self, boxes: Boxes, others: Boxes) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Share of each box's surroundings, half its width, that differs from the empty table. It is small around a
        die, and large around a die printed on a card that was put down.

        Args:
            boxes: (n, 4) full pixels.
            others: (m, 4) excluded from the surroundings, like the boxes themselves.

        Returns:
            (n,) the share, and (n,) whether a hand may cause it. The share is NaN if the box shows the table, something
                moved
            there a moment ago, too little of the surroundings is left, or most of the frame differs.
        """
        assert self._last_motion is not None
        assert self._table is not None
        shares, hands = np.full(len(boxes), np.nan, np.float32), np.zeros(len(boxes), np.bool_)
        moved = self._last_motion >= self._seconds - REST_SECONDS
        areas = [(self._within(box), self._within(grown(box, SAME_PLACE))) for box in boxes.tolist()]
        calm = [row for row, (_, around) in enumerate(areas) if not moved[around].any()]
        if not calm:
            return shares, hands
        foreground = self._foreground()
        beside = self._beside(foreground, boxes, others, self._now.shaded(self._table, self._table_hues))
        for row in calm:
            place, around = areas[row]
            hands[row] = self._hands_now[around].any()
            if foreground[place].mean() >= MOSTLY:
                shares[row] = beside[row]
        return shares, hands

    def hand_around(self, boxes: Boxes, others: Boxes) -> npt.NDArray[np.float32]:
        """(n,) Share of each box's surroundings that may be a hand: foreground that moved recently.
        Arguments and NaN as for `new_around`."""
        if self._table is None or self._last_motion is None:  # before the first frame
            return np.full(len(boxes), np.nan, np.float32)
        hand = self._foreground() & (self._last_motion > self._seconds - RESTLESS_SECONDS)
        return self._beside(hand, boxes, others)

    def _beside(self, mask: Mask, boxes: Boxes, others: Boxes, without: Mask | None = None) -> npt.NDArray[np.float32]:
        """(n,) Share of each box's surroundings where `mask` is true, excluding all boxes, the others, and pixels where
        `without` is true too. NaN if less than half is left or most of the frame is foreground."""
        if self._foreground().mean() >= MOSTLY:
            return np.full(len(boxes), np.nan, np.float32)
        free = ~self._drawn([*boxes.tolist(), *others.tolist()], mask.shape)
        visible = free if without is None else free & ~(without & mask)
        around = [self._within(grown(box, SAME_PLACE)) for box in boxes.tolist()]
        beside = [(mask[place][visible[place]], free[place].sum()) for place in around]
        return np.array([one.mean() if len(one) > MOSTLY * all_ else np.nan for one, all_ in beside], np.float32)

    def last_motion_in(self, box: Box) -> float:
        """Seconds when anything last moved in this box (full pixels); before any motion, the start of the film."""
        assert self._last_motion is not None
        return max(float(self._last_motion[self._within(box)].max()), self._begun)

    def _drawn(self, boxes: Sequence[Box], shape: tuple[int, ...]) -> Mask:
        mask = np.zeros(shape, np.bool_)
        for box in boxes:
            mask[self._within(box)] = True
        return mask

    def _within(self, box: Box) -> tuple[slice, slice]:
        """The small pixels of a box; at least one."""
        scale, height = self._scale, self._now.shape[0]
        x, y = min(max(0, int(box[0] / scale)), WIDTH - 1), min(max(0, int(box[1] / scale)), height - 1)
        return slice(y, max(y + 1, math.ceil(box[3] / scale))), slice(x, max(x + 1, math.ceil(box[2] / scale)))

    def _start(self, small: Small, seconds: float) -> None:
        self._recent.clear()
        self._recent.append((seconds, small))
        self._table, self._table_hues = Small(small.pixels), small.hues.astype(np.float32)
        self._last_motion = np.full(small.pixels.shape, -np.inf)
        self._searched = self._refined = None
        self._hands_at = np.zeros(small.pixels.shape, np.bool_)
        self._seconds = self._begun = seconds

    def _foreground(self) -> Mask:
        """The foreground of the newest frame: small pixels that differ from the table in grey or colour, apart from
        shadows (the table's pattern is still visible) and white balance (the whole frame shifts)."""
        if self._unlike_table is None:
            assert self._table is not None
            table, small = self._table, self._now
            apart = cv2.subtract(small.hues, self._table_hues.astype(np.uint8), dtype=cv2.CV_16S)
            common = np.median(apart[::6, ::6].reshape(-1, 2), axis=0).round().tolist()
            far = cv2.absdiff(apart, np.full_like(apart, common))
            over = cv2.subtract(far, small.hue_span, dtype=cv2.CV_16S) > OTHER_COLOUR
            foreground = changed(table, small) | over[..., 0] | over[..., 1]
            self._unlike_table = np.asarray(foreground & (alike(table, small) <= SAME_PATTERN))
        return self._unlike_table

    def _learn(self, small: Small, seconds: float, elapsed: float) -> None:
        """Updates the model of the empty table: slowly where something moves, and quickly at rest, so that a card soon
        belongs to it."""
        assert self._table is not None
        assert self._last_motion is not None
        resting = self._last_motion < seconds - 2 * RESTLESS_SECONDS
        step = np.where(resting, np.float32(ABSORB_LEVELS * elapsed), np.float32(FORGET_LEVELS * elapsed))
        self._table = Small(_nearer(self._table.pixels, small.pixels, step))
        self._table_hues = _nearer(self._table_hues, small.hues.astype(np.float32), np.dstack([step, step]))


def _nearer(was: Grey, now: Grey, step: Grey) -> Grey:
    """Levels moved towards newer ones by at most a step."""
    return np.asarray(was + cv2.max(cv2.min(cv2.subtract(now, was), step), -step), np.float32)
