"""Image registration by features: how the camera moved between two pictures of one table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Matrix, through
from vision.tracking.constants import LEAST_MATCHES, MATCHED_PIXELS, MATCHED_WIDTH
from vision.types import Image

# SIFT parameters: features, and contrast threshold (low, because cloth shows little more than noise).
_MOST, _LEAST_CONTRAST = 800, 0.005
_DISTINCT = 0.8  # maximum ratio of distances to the best and the second best match (D. G. Lowe, 2004, section 7.1)


@dataclass(frozen=True, slots=True, eq=False)
class PictureFeatures:
    """SIFT features of a picture (D. G. Lowe, Distinctive image features from scale-invariant keypoints, 2004).

    Attributes:
        size: Width and height of the picture.
        points: (n, 2) pixels of the picture scaled to `MATCHED_WIDTH`.
        descriptors: (n, 128).
    """

    size: tuple[int, int]
    points: Matrix
    descriptors: npt.NDArray[np.float32]

    @classmethod
    def of(cls, image: Image) -> PictureFeatures:
        """The features of a (H, W, 3) BGR picture."""
        height, width = image.shape[:2]
        small = cv2.resize(image, (MATCHED_WIDTH, round(height * MATCHED_WIDTH / width)), interpolation=cv2.INTER_AREA)
        sift = cv2.SIFT_create(_MOST, contrastThreshold=_LEAST_CONTRAST)  # type: ignore[attr-defined]
        points, found = sift.detectAndCompute(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), None)
        descriptors = np.zeros((0, 128), np.float32) if found is None else found
        return cls((width, height), np.array([point.pt for point in points]).reshape(-1, 2), descriptors)


def registered(before: PictureFeatures, now: PictureFeatures, assumed: Matrix) -> Matrix | None:
    """The homography (3×3, old pixels → new pixels) between two pictures.

    MAGSAC++ (D. Barath et al., 2020) fits it to matched features. A hand over a part of the picture does no harm.

    Args:
        assumed: Returned if enough features agree with it.

    Returns:
        None if too few features match.
    """
    if min(len(before.points), len(now.points)) < LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher().knnMatch(before.descriptors, now.descriptors, k=2)
    matches = [best for best, other in pairs if best.distance < _DISTINCT * other.distance]
    if len(matches) < LEAST_MATCHES:
        return None
    old = before.points[[match.queryIdx for match in matches]]
    new = now.points[[match.trainIdx for match in matches]]
    matrix, found = cv2.findHomography(old, new, cv2.USAC_MAGSAC, MATCHED_PIXELS, maxIters=5000)
    was_small, to_small = (np.diag([MATCHED_WIDTH / one.size[0]] * 2 + [1.0]) for one in (before, now))
    off = through(to_small @ assumed @ np.linalg.inv(was_small), old) - new
    if (
        np.count_nonzero(np.hypot(*off.T) < MATCHED_PIXELS) >= LEAST_MATCHES
    ):  # so much of the table in place proves that the camera did not move
        return assumed
    if matrix is None or np.count_nonzero(found) < LEAST_MATCHES:
        return None
    return np.asarray(np.linalg.inv(to_small) @ matrix @ was_small, np.float64)


def farthest(matrix: Matrix, size: tuple[int, int]) -> float:
    """Maximum distance that a corner of a (width, height) picture moves (3×3, old pixels → new pixels), in widths."""
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]) * [size[0], size[1]]
    return float(np.hypot(*(through(matrix, corners) - corners).T).max() / size[0])


def rescaled(matrix: Matrix, before: float, now: float) -> Matrix:
    """A homography between two pictures (3×3, pixels), for the same pictures scaled by these factors."""
    from_edges, edges = np.diag([before, before, 1.0]), np.diag([now, now, 1.0])
    from_edges[:2, 2], edges[:2, 2] = (before - 1) / 2, (now - 1) / 2  # coordinates are those of pixel centres
    return np.asarray(edges @ matrix @ np.linalg.inv(from_edges), np.float64)


def warped_back(image: Image, moved: Matrix, size: tuple[int, int]) -> Image:
    """The picture mapped back to an earlier (width, height) by the inverse of `moved` (3×3, old pixels → new pixels);
    its edge is repeated outside."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, moved, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
