"""Scores how well an image matches a card's face at a place: aligns the place, then correlates window by window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.faces import Index
from vision.cards.types import Matrix
from vision.types import Image

Windows = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]
HEIGHTS = (40, 48, 56, 64, 80, 96)  # pixels: a card is compared at the one nearest its height in the image
WEIGHED_AT = 64  # pixels: height at which kinds are compared with each other
SLACK = 2  # pixels at WEIGHED_AT: tolerance for differently cropped faces
WINDOW = 8  # windows per card height, each overlapping the next by half
FLOOR = 7.0**2  # variance of noise, grey levels squared: windows below it carry no information
AGREES = 0.5  # minimum correlation of a matching window
LEAST_WEIGHT = 4.0  # minimum total weight of half a card; with less it is not distinctive
COARSE, FINE = 7, 3  # side of the Gaussian filter, pixels: for the translation, and for the affine alignment
UNLIKELY = 0.12  # share of matching windows after translation below which a place is not aligned further
LEAST_ALIGNED = 0.1  # share of a face: smaller areas are not aligned on their own
CHROMA = 2.0  # factor for a and b, whose differences are small compared with lightness


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A face prepared for comparison at one height.

    Attributes:
        lab: (h, w, 3) float32 Lab.
        mean: (rows, columns, 3) mean of each window.
        deviation: (rows, columns) standard deviation of each window.
        weight: (rows, columns) how well a window distinguishes this kind, 0..1; 0 where it is plain or shared with
            another kind.
    """

    lab: npt.NDArray[np.float32]
    mean: Windows
    deviation: Windows
    weight: Windows


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The match of one face at one place.

    Attributes:
        to_picture: The aligned place, card heights → pixels.
        correlation: (rows, columns) correlation of each window, -1..1.
        weight: (rows, columns) weight of each window, see `Prepared`.
        height: Pixels at which the card was compared.
    """

    to_picture: Matrix
    correlation: Windows
    weight: Windows
    height: int

    @property
    def share(self) -> float:
        """Weighted share of windows that match, 0..1."""
        total = float(self.weight.sum())
        return float(self.weight[self.correlation > AGREES].sum()) / total if total > 0 else 0.0

    @property
    def half(self) -> float:
        """Share of matching windows in the best half of the card, 0..1, because half of it may be covered."""
        agrees = self.weight * (self.correlation > AGREES)
        rows, columns = self.weight.shape
        halves = (
            np.s_[: (rows + 1) // 2],
            np.s_[rows // 2 :],
            np.s_[:, : (columns + 1) // 2],
            np.s_[:, columns // 2 :],
        )
        totals = [(float(agrees[half].sum()), float(self.weight[half].sum())) for half in halves]
        return max(agreed / total if total > LEAST_WEIGHT else 0.0 for agreed, total in totals)

    @property
    def mean(self) -> float:
        """Weighted mean correlation."""
        total = float(self.weight.sum())
        return float((self.weight * self.correlation).sum()) / total if total > 0 else 0.0


class Comparer:
    """Compares images with the faces of an index and caches the prepared faces."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._prepared: dict[tuple[int, int], Prepared] = {}
        self._shared: dict[int, Windows] = {}

    def prepared(self, face: int, height: int) -> Prepared:
        """The face prepared at that height, its windows weighted against the other kinds."""
        key = face, height
        if key not in self._prepared:
            lab = self._lab_of(face, height)
            mean, deviation = _moments(lab)
            variance = deviation**2
            weight = variance / (variance + 4 * FLOOR)
            shared = cv2.resize(self._shared_windows(face), weight.shape[::-1], interpolation=cv2.INTER_LINEAR)
            self._prepared[key] = Prepared(lab, mean, deviation, weight * np.clip(1.4 - 1.4 * shared, 0, 1))
        return self._prepared[key]

    def _shared_windows(self, face: int) -> Windows:
        """(rows, columns) highest correlation of each window with the same window of any other kind."""
        if face not in self._shared:
            lab = self._lab_of(face, WEIGHED_AT)
            mean, deviation = _moments(lab)
            found = np.zeros_like(deviation)
            for other in range(len(self._index.faces)):
                if self._index.kind_of_face[other] != self._index.kind_of_face[face]:
                    theirs = _sized(self._lab_of(other, WEIGHED_AT), lab.shape[1])
                    for moved in _shifted(theirs):
                        found = np.maximum(found, _correlate(lab, mean, deviation, moved))
            self._shared[face] = found
        return self._shared[face]

    def _lab_of(self, face: int, height: int) -> npt.NDArray[np.float32]:
        image = self._index.faces[face].image
        width = max(8, round(height * self._index.faces[face].aspect))
        return weighed_lab(np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8))

    def compare(self, pyramid: Pyramid, face: int, to_picture: Matrix, *, exact: bool = True) -> Agreement | None:
        """Scores a face at a place.

        Args:
            pyramid: The image.
            face: Number of the face in the index.
            to_picture: The place, card heights → pixels.
            exact: Align the place first.

        Returns:
            The match, or None if the place is outside the image.
        """
        tall = height_of(to_picture, self._index.faces[face].aspect)
        height = min(HEIGHTS, key=lambda h: abs(h - tall))
        prepared = self.prepared(face, height)
        seen = pyramid.cut(to_picture, prepared.lab.shape[1], height)
        if seen is None:
            return None
        found = self._agreement(prepared, seen, to_picture, height)
        if exact:
            found = self._moved(pyramid, prepared, found, cv2.MOTION_TRANSLATION, COARSE, None)
            if found.share > UNLIKELY:
                found = self._moved(pyramid, prepared, found, cv2.MOTION_AFFINE, FINE, _mask(found, prepared.lab.shape))
        return found

    def _moved(
        self, pyramid: Pyramid, prepared: Prepared, found: Agreement, motion: int, blur: int, mask: Mask | None
    ) -> Agreement:
        """The match after aligning the place, or the old match if alignment does not improve it.

        Args:
            motion: Motion model of `cv2.findTransformECC`.
            blur: Side of the Gaussian filter, pixels.
            mask: (h, w) of the face, 0 where the card is covered; only the rest is aligned.
        """
        height, width = prepared.lab.shape[:2]
        seen = pyramid.cut(found.to_picture, width, height)
        step = None if seen is None else _aligned(prepared.lab, seen, motion, blur, mask)
        if step is None:
            return found
        better = found.to_picture @ _scaled(height) @ step @ np.linalg.inv(_scaled(height))
        again = pyramid.cut(better, width, height)
        after = found if again is None else self._agreement(prepared, again, better, height)
        return after if after.mean > found.mean else found

    def _agreement(self, prepared: Prepared, seen: npt.NDArray[np.float32], place: Matrix, height: int) -> Agreement:
        found = _correlate(prepared.lab, prepared.mean, prepared.deviation, seen)
        return Agreement(place, found, prepared.weight, height)


class Pyramid:
    """An image pyramid from which cards are cut out at the height at which they are compared."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    @property
    def image(self) -> Image:
        """The image at full resolution."""
        return self._levels[0]

    def _level(self, number: int) -> Image:
        while len(self._levels) <= number and min(self._levels[-1].shape[:2]) > 32:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            self._levels.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[min(number, len(self._levels) - 1)]

    def cut(self, to_picture: Matrix, width: int, height: int) -> npt.NDArray[np.float32] | None:
        """(height, width, 3) Lab crop of a card at a place, or None if most of it is outside the image."""
        cut = self.cut_picture(to_picture, width, height)
        return None if cut is None else weighed_lab(cut)

    def cut_picture(self, to_picture: Matrix, width: int, height: int) -> Image | None:
        """(height, width, 3) BGR crop of a card at a place, or None if most of it is outside the image."""
        full = self._levels[0]
        tall = height_of(to_picture, width / height)
        number = max(0, int(np.floor(np.log2(max(1.0, tall / height)))))
        level = self._level(number)
        shrunk = np.diag([level.shape[1] / full.shape[1], level.shape[0] / full.shape[0], 1.0])
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        matrix = np.linalg.inv(half) @ shrunk @ half @ to_picture @ _scaled(height)
        corners = cv2.perspectiveTransform(
            np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64), matrix
        )[0]
        inside = (corners > -0.5 * tall).all() and (corners[:, 0] < level.shape[1] + tall).all()
        if not inside or not (corners[:, 1] < level.shape[0] + tall).all():
            return None
        cut = cv2.warpPerspective(
            level,
            matrix,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(cut, np.uint8)


def height_of(to_picture: Matrix, aspect: float) -> float:
    """Height of a card at a place in pixels: the mean of its two long sides."""
    corners = cv2.perspectiveTransform(np.array([[[0, 0], [aspect, 0], [aspect, 1], [0, 1]]], np.float64), to_picture)[
        0
    ]
    return float(np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))) / 2


def _scaled(height: int) -> Matrix:
    """(3, 3) matrix from pixel coordinates of a card `height` pixels high (pixel centres) to card heights."""
    return np.array([[1 / height, 0, 0.5 / height], [0, 1 / height, 0.5 / height], [0, 0, 1]], np.float64)


def weighed_lab(image: Image) -> npt.NDArray[np.float32]:
    """The image in Lab with its colour weighed against lightness."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 1:] *= CHROMA
    return lab


def _sized(lab: npt.NDArray[np.float32], width: int) -> npt.NDArray[np.float32]:
    return lab if lab.shape[1] == width else np.asarray(cv2.resize(lab, (width, lab.shape[0])), np.float32)


def _shifted(lab: npt.NDArray[np.float32]) -> Iterator[npt.NDArray[np.float32]]:
    """The face and eight copies shifted by SLACK pixels, because faces are not all cropped equally."""
    height, width = lab.shape[:2]
    padded = cv2.copyMakeBorder(lab, SLACK, SLACK, SLACK, SLACK, cv2.BORDER_REPLICATE)
    for down in (0, SLACK, 2 * SLACK):
        for right in (0, SLACK, 2 * SLACK):
            yield np.ascontiguousarray(padded[down : down + height, right : right + width], np.float32)


def _windowed(plane: npt.NDArray[np.float32]) -> Windows:
    """Mean of each window: WINDOW windows to the height, each overlapping the next by half."""
    height, width = plane.shape[:2]
    side = max(5, round(height / WINDOW))
    step = max(2, side // 2)
    mean = cv2.boxFilter(plane, -1, (side, side), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(mean[: height - side + 1 : step, : width - side + 1 : step], np.float32)


def _moments(lab: npt.NDArray[np.float32]) -> tuple[Windows, Windows]:
    """(rows, columns, 3) mean of each window, and (rows, columns) standard deviation over all three planes."""
    mean = _windowed(lab)
    square = _windowed((lab**2).sum(axis=2))
    return mean, np.sqrt(np.maximum(0, square - (mean**2).sum(axis=2)))


def _correlate(
    lab: npt.NDArray[np.float32], mean: Windows, deviation: Windows, seen: npt.NDArray[np.float32]
) -> Windows:
    """(rows, columns) correlation of each window of a face with the image, -1..1; invariant to brightness and tint."""
    theirs, their_deviation = _moments(seen)
    together = _windowed((lab * seen).sum(axis=2)) - (mean * theirs).sum(axis=2)
    return np.asarray(together / np.sqrt((deviation**2 + FLOOR) * (their_deviation**2 + FLOOR)), np.float32)


_CRITERIA = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-3)


def _mask(found: Agreement, shape: tuple[int, ...]) -> Mask | None:
    """(h, w) mask of the area where the face matches roughly, or None if it is too small to align."""
    agrees = (found.correlation > AGREES / 2).astype(np.float32)
    mask = cv2.resize(agrees, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR) > 0.3
    return np.asarray(255 * mask, np.uint8) if mask.mean() > LEAST_ALIGNED else None


def _aligned(
    taught: npt.NDArray[np.float32], seen: npt.NDArray[np.float32], motion: int, blur: int, mask: Mask | None
) -> Matrix | None:
    """The transform (pixels of the face → pixels of the image crop) that aligns the two, or None if ECC fails.

    Maximises the enhanced correlation coefficient (Evangelidis & Psarakis 2008) of lightness.
    """
    matrix = np.eye(2, 3, dtype=np.float32)
    try:
        _, matrix = cv2.findTransformECC(taught[..., 0], seen[..., 0], matrix, motion, _CRITERIA, mask, blur)  # type: ignore[assignment, arg-type]
    except cv2.error:
        return None
    step = np.vstack([matrix, [0, 0, 1]]).astype(np.float64)
    near = abs(np.linalg.det(step[:2, :2]) - 1) < 0.4 and np.abs(step[:2, 2]).max() < 0.35 * taught.shape[0]
    return step if near else None
