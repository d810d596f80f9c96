"""Proposes places of cards of known size by colour: small patches of each face vote for the centre of a card.

The image is reduced until a card is CELLS pixels high. Each patch of a face is compared with every position, and a
similar position votes for the card's centre (generalised Hough transform, Ballard 1981). A card of which only a strip
is visible still gets the votes of that strip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.agreement import weighed_lab
from vision.cards.faces import Index
from vision.cards.matching import Proposal
from vision.cards.types import Matrix
from vision.types import Image

CELLS = 12  # pixels: height of a card in the reduced image
PATCH = 4  # pixels: side of a patch in the reduced image
STEP = 2  # pixels between patches of one face
ALIKE = 0.5  # minimum cosine for a vote
VOTES = 0.65  # minimum sum of votes for a proposal
NOISE = 6.0  # grey levels: patches with less contrast have little weight
UPRIGHT = (0.0, 90.0, 180.0, 270.0)  # degrees: usual angles of cards
ALL_AROUND = tuple(22.5 * step for step in range(16))
SMALL = 2_000  # pixels of the reduced image: larger areas are searched at the usual angles only
MOST = 150  # proposals
HEIGHTS = (36.0, 46.0, 59.0, 76.0, 98.0, 126.0)  # pixels: card heights to try if the height is unknown
CLEAREST = 10  # places whose votes are summed to estimate the height
Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class TurnedFace:
    """The patches of one face at one angle.

    Attributes:
        face: Number of the face in the index.
        degrees: Clockwise.
        patches: (n, 3·PATCH²) unit vectors.
        offsets: (n, 2) rows and columns from the card's centre to a patch's centre, pixels of the reduced image.
        contrast: (n,) lengths of the vectors before normalisation.
    """

    face: int
    degrees: float
    patches: Rows
    offsets: Rows
    contrast: Rows


class PatchVotes:
    """Proposes places for the faces of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index

    @cached_property
    def _upright(self) -> list[tuple[TurnedFace, Rows]]:
        return self._weighed(UPRIGHT)

    @cached_property
    def _all_around(self) -> list[tuple[TurnedFace, Rows]]:
        return self._weighed(ALL_AROUND)

    def proposals(self, image: Image, tall: float) -> list[Proposal]:
        """The likeliest places in an image, best first, at most MOST.

        Args:
            image: (H, W, 3) BGR.
            tall: Height of a card, pixels.
        """
        return [proposal for _, proposal in self._found(image, tall)[:MOST]]

    def likeliest_height(self, image: Image) -> float:
        """Estimated height of the cards in an image (H, W, 3) BGR, pixels: the one of HEIGHTS with most votes."""

        def clear_votes(tall: float) -> float:
            return sum(votes for votes, _ in self._found(image, tall)[:CLEAREST])

        return max(HEIGHTS, key=clear_votes)

    def _found(self, image: Image, tall: float) -> list[tuple[float, Proposal]]:
        """(votes, place) of each proposal, best first."""
        size = [max(PATCH, round(side * CELLS / tall)) for side in (image.shape[1], image.shape[0])]
        scale = np.array([image.shape[1] / size[0], image.shape[0] / size[1]])
        patches, contrast, shape = _patches(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA)))
        patches *= (contrast / np.hypot(contrast, NOISE * PATCH))[:, None]
        scene = np.concatenate([patches, np.ones((len(patches), 1), np.float32)], axis=1).reshape(*shape, -1)
        boxes = _textured(contrast.reshape(shape))
        few = sum((low - top) * (right - left) for left, top, right, low in boxes) <= SMALL
        found: list[tuple[float, Proposal]] = []
        for left, top, right, low in boxes:
            piece = scene[top:low, left:right].reshape(-1, scene.shape[2]).T.copy()
            for turned, weights in self._all_around if few else self._upright:
                votes = _votes(turned.offsets, weights, piece, (low - top, right - left))
                if float(votes.max()) < VOTES:
                    continue
                peaks = (votes >= VOTES) & (votes >= cv2.dilate(votes, np.ones((5, 5), np.uint8)))
                for row, column in zip(*np.nonzero(peaks), strict=True):
                    middle = (np.array([column + left, row + top]) - CELLS + PATCH / 2) * scale - 0.5
                    place = similarity(turned.degrees, tall, middle, self._index.faces[turned.face].aspect)
                    found.append((float(votes[row, column]), Proposal(turned.face, place, 1)))
        return sorted(found, key=lambda one: -one[0])

    def _weighed(self, angles: Sequence[float]) -> list[tuple[TurnedFace, Rows]]:
        """The faces at all angles, each with the weights (n, 3·PATCH² + 1) of its patches, see `_votes`."""
        faces = [(number, face.image, face.aspect) for number, face in enumerate(self._index.faces)]
        found = []
        for degrees in angles:
            turned = [_turned(number, image, aspect, degrees) for number, image, aspect in faces]
            for one in turned:
                weight = one.contrast**2 / (one.contrast**2 + (2 * NOISE * PATCH) ** 2)
                kind = self._index.kind_of_face[one.face]
                for other in turned:  # a patch that another kind shares is not distinctive
                    if self._index.kind_of_face[other.face] != kind and len(other.patches) == len(one.patches):
                        weight = np.minimum(weight, 1.4 - 1.4 * (one.patches * other.patches).sum(axis=1))
                weight = (np.maximum(0, weight) / (1 - ALIKE))[:, None].astype(np.float32)
                found.append((one, np.concatenate([weight * one.patches, -ALIKE * weight], axis=1)))
        return found


def similarity(degrees: float, tall: float, middle: npt.NDArray[np.float64], aspect: float) -> Matrix:
    """The place (3×3, card heights → pixels) of a card with this centre, pixels, rotated clockwise."""
    angle = np.radians(degrees)
    turn = tall * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    place = np.eye(3)
    place[:2, :2], place[:2, 2] = turn, middle - turn @ np.array([aspect / 2, 0.5])
    return place


def _votes(offsets: Rows, weights: Rows, scene: Rows, shape: tuple[int, int]) -> Rows:
    """(rows + 2·CELLS, columns + 2·CELLS) votes for the centre of a card.

    A patch with weight w votes w·(cosine − ALIKE) where that is positive. One matrix product computes it, because
    `scene` ends with ones and `weights` with −w·ALIKE.
    """
    each = np.maximum(0, weights @ scene).reshape(-1, *shape)
    votes = np.zeros((shape[0] + 2 * CELLS, shape[1] + 2 * CELLS), np.float32)
    for (down, right), plane in zip(np.round(offsets).astype(int), each, strict=True):
        top, left = CELLS - down, CELLS - right
        votes[top : top + shape[0], left : left + shape[1]] += plane
    return votes


def _textured(contrast: Rows) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) around all textured regions."""
    marked = cv2.dilate((contrast > NOISE * PATCH).astype(np.uint8), np.ones((PATCH, PATCH), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(marked)
    return [(x, y, x + wide, y + high) for x, y, wide, high, area in stats[1:].tolist() if area > PATCH * PATCH]


def _patches(image: Image) -> tuple[Rows, Rows, tuple[int, int]]:
    """Patches at every position: (n, 3·PATCH²) unit vectors without mean colour, (n,) contrast, (rows, columns)."""
    windows = np.lib.stride_tricks.sliding_window_view(weighed_lab(image), (PATCH, PATCH), axis=(0, 1))
    rows, columns = windows.shape[:2]
    flat = windows.reshape(rows, columns, 3, PATCH * PATCH)
    flat = (flat - flat.mean(axis=3, keepdims=True)).reshape(rows * columns, -1)
    contrast = np.linalg.norm(flat, axis=1)
    return flat / np.maximum(1e-6, contrast)[:, None], contrast, (rows, columns)


def _turned(number: int, image: Image, aspect: float, degrees: float) -> TurnedFace:
    """The patches of a face rotated clockwise, only those entirely on the card."""
    side = 2 * int(np.ceil(np.hypot(1, aspect) * CELLS / 2)) + 2
    fine = 4  # pixels per cell during rotation
    place = similarity(degrees, fine * CELLS, np.full(2, fine * side / 2 - 0.5), aspect)
    small = cv2.resize(image, (round(fine * CELLS * aspect), fine * CELLS), interpolation=cv2.INTER_AREA)
    to_small = np.diag([small.shape[1] / aspect, small.shape[0], 1.0])
    matrix = (place @ np.linalg.inv(to_small))[:2]
    canvas = fine * side, fine * side
    drawn = cv2.warpAffine(small, matrix, canvas, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(np.full(small.shape[:2], 255, np.uint8), matrix, canvas)
    on_card = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA) > 190
    patches, contrast, shape = _patches(
        np.asarray(cv2.resize(drawn, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    )
    whole = np.lib.stride_tricks.sliding_window_view(on_card, (PATCH, PATCH)).all(axis=(2, 3))
    down, right = np.nonzero(whole)
    first = (down - down.min()) % STEP + (right - right.min()) % STEP == 0
    down, right = down[first], right[first]
    chosen = down * shape[1] + right
    offsets = np.column_stack([down, right]) + PATCH / 2 - side / 2
    return TurnedFace(number, degrees, patches[chosen], offsets.astype(np.float32), contrast[chosen])
