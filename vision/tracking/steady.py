"""Stabilises a hand-held or shaking camera: estimates how its newest frame has drifted from the empty table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.boxes import Matrix
from vision.tracking.constants import AGAIN_SECONDS, LEAST_MATCHES, MOSTLY, WIDTH
from vision.tracking.registration import farthest
from vision.tracking.small_picture import Bytes, Grey, Small, changed, hardly_differs

_CORNERS, _QUALITY, _APART = 100, 0.02, 4.0  # corners to follow: number, least quality, distance in small pixels
_NEAR = 1.0  # small pixels by which a followed corner may be off
_HARDLY = 0.001  # share of the width: less is no drift


class Steady:
    """Follows corners of the empty table (B. D. Lucas and T. Kanade, An iterative image registration technique, 1981).

    A drift counts only if most corners agree on it and far less of the frame differs from the table without it. So a
    hand or a die is not mistaken for drift.

    Attributes:
        drift: Drift of the newest frame (3×3, small pixels of the table → small pixels of the frame), a similarity.
        speed: Fastest corner of the frame, widths a second.
    """

    def __init__(self) -> None:
        self.drift: Matrix = np.eye(3)
        self.speed = 0.0
        self._last: Small | None = None  # the picture before
        self._seconds = self._found_at = -np.inf  # of the newest picture, and when the corners were found
        self._corners: Grey | None = None  # (n, 1, 2) corners of the table

    def step(self, now: Small, table: Small | None, seconds: float) -> None:
        """Follows the next small picture. table: small picture of the empty table; None if unknown."""
        before, apart, self._seconds = self.drift, seconds - self._seconds, seconds
        self._follow(now, table)
        self._last = now
        self.speed = farthest(self.drift @ np.linalg.inv(before), (WIDTH, now.shape[0])) / max(apart, 1e-3)

    @property
    def drifts(self) -> bool:
        """Whether the newest frame has drifted."""
        return not np.array_equal(self.drift, np.eye(3))

    def _follow(self, now: Small, table: Small | None) -> None:
        if table is None or table.shape != now.shape:
            self.drift = np.eye(3)
            return
        if not self.drifts and self._last is not None and hardly_differs(self._last, now):
            return  # the usual case
        differs = changed(table, now)
        if self.drifts:
            there = changed(table, Small(_undone(now.grey, self.drift)))
            if differs.sum() < MOSTLY * there.sum():  # the camera is back in its place
                self.drift = np.eye(3)
            else:
                differs = there
        if not differs.any():
            return
        if not 0 <= self._seconds - self._found_at < AGAIN_SECONDS:  # the table changes slowly
            self._corners, self._found_at = corners_of(table), self._seconds
        found, size = drift_between(table, now, self.drift, self._corners), (WIDTH, now.shape[0])
        if found is None or farthest(found @ np.linalg.inv(self.drift), size) < _HARDLY:
            return
        if changed(table, Small(_undone(now.grey, found))).sum() <= (1.0 if self.drifts else MOSTLY) * differs.sum():
            self.drift = np.eye(3) if farthest(found, size) < _HARDLY else found


def corners_of(picture: Small) -> Grey | None:
    """(n, 1, 2) float32, corners that can be followed, small pixels; None without any."""
    found = cv2.goodFeaturesToTrack(np.asarray(picture.grey, np.uint8), _CORNERS, _QUALITY, _APART)
    return None if found is None else np.asarray(found, np.float32)


def drift_between(table: Small, now: Small, near: Matrix, corners: Grey | None) -> Matrix | None:
    """Drift between two small pictures (3×3, small pixels), None if uncertain.

    Args:
        near: A guess.
        corners: Corners of the first picture, as `corners_of` returns them.
    """
    was, grey = (np.asarray(one.grey, np.uint8) for one in (table, now))
    if corners is None or len(corners) < LEAST_MATCHES:
        return None
    guess = cv2.perspectiveTransform(corners, near).astype(np.float32)
    flow = cv2.OPTFLOW_USE_INITIAL_FLOW
    there, followed, _ = cv2.calcOpticalFlowPyrLK(was, grey, corners, guess, winSize=(11, 11), maxLevel=2, flags=flow)
    good = followed.ravel() > 0
    if good.sum() < LEAST_MATCHES:
        return None
    found, agree = cv2.estimateAffinePartial2D(corners[good], there[good], ransacReprojThreshold=_NEAR)
    if found is None or agree.sum() < max(LEAST_MATCHES, MOSTLY * good.sum()):
        return None
    return np.vstack([found, [0.0, 0.0, 1.0]])


def _undone(grey: Grey | Bytes, drift: Matrix) -> Grey:
    """The picture without the drift."""
    size, flags = grey.shape[1::-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(grey, drift[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)
