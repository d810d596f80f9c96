"""Image registration by features: how the camera moved between two pictures of one table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Matrix, through
from vision.tracking.constants import FARTHEST, LEAST_MATCHES, MATCHED_PIXELS, MATCHED_WIDTH, SHEARED, SLANTED
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


def registered(before: PictureFeatures, now: PictureFeatures, assumed: Matrix, anywhere: bool = False) -> Matrix | None:
    """The homography (3×3, old pixels → new pixels) between two pictures of the same size.

    MAGSAC++ (D. Barath et al., 2020) selects the inliers among matched features. From them comes the likeliest
    homography of a camera that moved a little. A hand over a part of the picture does no harm.

    Args:
        assumed: Returned if enough features agree with it.
        anywhere: The camera may have been rotated by any angle or moved anywhere.

    Returns:
        None if too few features match, or a knocked camera cannot have moved like that.
    """
    if before.size != now.size or min(len(before.points), len(now.points)) < LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher().knnMatch(before.descriptors, now.descriptors, k=2)
    matches = [best for best, other in pairs if best.distance < _DISTINCT * other.distance]
    if len(matches) < LEAST_MATCHES:
        return None
    old = before.points[[match.queryIdx for match in matches]]
    new = now.points[[match.trainIdx for match in matches]]
    _, found = cv2.findHomography(old, new, cv2.USAC_MAGSAC, MATCHED_PIXELS, maxIters=5000)
    agree = np.zeros(len(old), np.bool_) if found is None else np.asarray(found).ravel() > 0
    to_small = np.diag([MATCHED_WIDTH / now.size[0]] * 2 + [1.0])
    stands = _agree(to_small @ assumed @ np.linalg.inv(to_small), old, new, MATCHED_PIXELS)
    if stands.sum() >= LEAST_MATCHES:  # so much of the table in place proves that the camera did not move
        return assumed
    # Coordinates from the centre in half widths, so that the prior does not depend on the picture's size.
    to_unit = np.array([[2, 0, -MATCHED_WIDTH], [0, 2, -MATCHED_WIDTH * now.size[1] / now.size[0]]]) / MATCHED_WIDTH
    to_unit = np.vstack([to_unit, [0, 0, 1]])
    old, new = (through(to_unit, one) for one in (old, new))
    for _ in range(3):
        if agree.sum() < LEAST_MATCHES:
            return None
        turned = _turned(old[agree], new[agree])
        agree = _agree(turned, old, new, MATCHED_PIXELS * to_unit[0, 0])
    matrix = np.asarray(np.linalg.inv(to_unit @ to_small) @ turned @ to_unit @ to_small, np.float64)
    return matrix if anywhere or farthest(matrix, now.size) <= FARTHEST else None


def farthest(matrix: Matrix, size: tuple[int, int]) -> float:
    """Maximum distance that a corner of a (width, height) picture moves (3×3, old pixels → new pixels), in widths."""
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]) * [size[0], size[1]]
    return float(np.hypot(*(through(matrix, corners) - corners).T).max() / size[0])


def warped_back(image: Image, moved: Matrix) -> Image:
    """The picture mapped back by the inverse of `moved` (3×3, old pixels → new pixels); its edge is repeated
    outside."""
    size, flags = image.shape[1::-1], cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, moved, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _agree(matrix: Matrix, old: Matrix, new: Matrix, near: float) -> npt.NDArray[np.bool_]:
    """(n,) True for points (n, 2) that a homography maps to within `near` of their partner."""
    return np.asarray(np.hypot(*(through(matrix, old) - new).T) < near, np.bool_)


def _turned(old: Matrix, new: Matrix) -> Matrix:
    """The likeliest homography (3×3) between these points (n, 2): a least-squares similarity plus small shear and
    slant, by maximum a posteriori, linearised at the similarity."""
    was, now = old[:, 0] + 1j * old[:, 1], new[:, 0] + 1j * new[:, 1]
    apart = was - was.mean()
    turn = np.vdot(apart, now - now.mean()) / max(np.vdot(apart, apart).real, 1e-9)
    away = now.mean() - turn * was.mean()
    similar = np.array([[turn.real, -turn.imag, away.real], [turn.imag, turn.real, away.imag], [0, 0, 1]])
    x, y = through(similar, old).T
    one, none = np.ones_like(x), np.zeros_like(x)
    across = np.stack([one, x, y, none, none, none, x * x, x * y], axis=1)
    down = np.stack([none, none, none, one, x, y, x * y, y * y], axis=1)
    near = MATCHED_PIXELS / MATCHED_WIDTH  # standard deviation: half of the tolerance
    beliefs = np.zeros((4, 8))
    beliefs[0, [1, 5]], beliefs[1, [2, 4]] = (1 / SHEARED, -1 / SHEARED), (1 / SHEARED, 1 / SHEARED)
    beliefs[2, 6] = beliefs[3, 7] = 1 / SLANTED
    rows = np.vstack([across / near, down / near, beliefs])
    left = np.concatenate([(new[:, 0] - x) / near, (new[:, 1] - y) / near, np.zeros(4)])
    a, b, c, d, e, f, g, h = np.linalg.lstsq(rows, left, rcond=None)[0]
    return np.asarray(np.array([[1 + b, c, a], [e, 1 + f, d], [-g, -h, 1]]) @ similar, np.float64)
