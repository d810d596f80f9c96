"""A classical baseline without learning: round blobs are pips, and close pips form a die."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections

LONGEST = 800  # the image is scaled to this side, because blob detection takes time proportional to the area


class BlobReader:
    """OpenCV's blob detector on grey levels, then grouping by distance in pip diameters, as hobby projects do it."""

    def __init__(self) -> None:
        settings = cv2.SimpleBlobDetector.Params()
        settings.filterByCircularity, settings.minCircularity = True, 0.7
        settings.filterByConvexity, settings.minConvexity = True, 0.85
        settings.filterByInertia, settings.minInertiaRatio = True, 0.4
        settings.filterByArea, settings.minArea, settings.maxArea = True, 8.0, 2500.0
        settings.filterByColor = False  # light pips on dark dice count too
        self._detector = cv2.SimpleBlobDetector.create(settings)

    def detect(self, image: npt.NDArray[np.uint8]) -> Detections:
        """The groups of one to six pips, always with full confidence, because the method has no probabilities."""
        scale = min(1.0, LONGEST / max(image.shape[:2]))
        grey = cv2.cvtColor(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        pips = self._detector.detect(grey)
        if not pips:
            return Detections.none()
        middles = np.array([pip.pt for pip in pips], np.float32)
        sizes = np.array([pip.size for pip in pips], np.float32)
        groups = self._groups(middles, sizes)
        boxes, faces = [], []
        for group in groups:
            if len(group) <= 6:
                reach = 1.5 * sizes[group].max()
                boxes.append([*(middles[group].min(axis=0) - reach), *(middles[group].max(axis=0) + reach)])
                faces.append(len(group) - 1)
        if not boxes:
            return Detections.none()
        return Detections(
            np.array(boxes, np.float32) / scale, np.eye(6, dtype=np.float32)[faces], np.ones(len(faces), np.float32)
        )

    @staticmethod
    def _groups(middles: npt.NDArray[np.float32], sizes: npt.NDArray[np.float32]) -> list[npt.NDArray[np.int64]]:
        """Groups of pips of similar size that are closer than 2.6 of their diameters."""
        distance = np.linalg.norm(middles[:, None] - middles[None], axis=2)
        diameter = np.minimum(sizes[:, None], sizes[None])
        similar = diameter > 0.6 * np.maximum(sizes[:, None], sizes[None])
        near = (distance < 2.6 * diameter) & similar
        names = np.arange(len(middles))
        # Connected components: every pip takes the smallest label among its neighbours until nothing changes.
        while True:
            smallest = np.where(near, names[None], len(names)).min(axis=1)
            smallest = np.minimum(names, smallest)
            if (smallest == names).all():
                return [np.flatnonzero(names == name) for name in np.unique(names)]
            names = smallest
