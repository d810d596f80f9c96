"""Selects among overlapping card candidates: the best one wins, and if two are too close, the card stays unnamed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.agreement import AGREES, Agreement, height_of
from vision.cards.faces import Index
from vision.cards.quads import Quad, overlap
from vision.cards.types import Matrix

LEAD = 0.06  # added to `needed` for a face without distinctive windows; falls to 0 at a weight of PLENTY
PLENTY = 12.0  # total weight of windows
DISPUTED = 0.7  # ratio of shares: a rival kind above it on the same card makes the card unknown
SAME_CARD = 0.6  # intersection over union from which two places are one card
ENOUGH = 2.2  # minimum total weight of matching windows that no accepted card explains


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A face proposed at a place.

    Attributes:
        face: Number of the face in the index.
        found: How well it matches there.
        needed: Minimum share of matching windows, 0..1.
    """

    face: int
    found: Agreement
    needed: float


class Chooser:
    """Selects among candidates for the faces of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def accepted(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates to accept: non-maximum suppression that also requires evidence no other card explains.

        If another kind matches the same card nearly as well, the card is unknown and neither is accepted.
        """
        accepted: list[tuple[Candidate, Quad, npt.NDArray[np.float64]]] = []  # with corners and matching windows
        for one in sorted(candidates, key=lambda one: -one.found.share * min(1.0, float(one.found.weight.sum()) / 20)):
            if not self._leads(one):
                continue
            corners, side = self.corners(one), self.height(one) / 8
            low, high = corners.min(axis=0) - side, corners.max(axis=0) + side
            near = [row for row in accepted if (row[1].max(axis=0) > low).all() and (row[1].min(axis=0) < high).all()]
            if any(
                overlap(corners, theirs) > (0.5 if self.kind(one) == self.kind(other) else 0.85)
                for other, theirs, _ in near
            ):
                continue
            middles, evidence = self._windows(one)
            free = np.ones(len(middles), np.bool_)
            for _, _, others in near:
                if len(others) and len(middles):
                    free &= np.abs(middles[:, None] - others[None]).max(axis=2).min(axis=1) > 0.6 * side
            own, total = float(evidence[free].sum()), float(one.found.weight.sum())
            if own >= ENOUGH and own >= 0.75 * one.needed * total and not self._is_disputed(one, corners, candidates):
                accepted.append((one, corners, middles))
        return [one for one, _, _ in accepted]

    def _is_disputed(self, one: Candidate, corners: Quad, candidates: Sequence[Candidate]) -> bool:
        """Whether another kind matches the same card nearly as well."""
        return any(
            self.kind(other) != self.kind(one)
            and other.found.share > DISPUTED * one.found.share
            and overlap(corners, self.corners(other)) > SAME_CARD
            for other in candidates
        )

    def kind(self, one: Candidate) -> str:
        """The kind of a candidate's face."""
        return self._index.faces[one.face].kind

    def corners(self, one: Candidate) -> Quad:
        """The corners of a candidate, (4, 2) pixels."""
        return self.quad(one.face, one.found.to_picture)

    def quad(self, face: int, to_picture: Matrix) -> Quad:
        """The corners of a face at a place (card heights → pixels), (4, 2) pixels."""
        aspect = self._index.faces[face].aspect
        flat = np.array([[[0, 0], [aspect, 0], [aspect, 1], [0, 1]]], np.float64)
        return np.asarray(cv2.perspectiveTransform(flat, to_picture)[0] - 0.5, np.float64)

    def height(self, one: Candidate) -> float:
        """The height of a candidate, pixels."""
        return height_of(one.found.to_picture, self._index.faces[one.face].aspect)

    def _leads(self, one: Candidate) -> bool:
        """Whether enough windows match; a face with few distinctive windows needs a larger share."""
        return one.found.share >= one.needed + LEAD * max(0.0, 1 - float(one.found.weight.sum()) / PLENTY)

    def _windows(self, one: Candidate) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float32]]:
        """(n, 2) pixel positions of the matching windows and (n,) their weights."""
        rows, columns = one.found.correlation.shape
        agree = (one.found.correlation > AGREES) & (one.found.weight > 0.05)
        y, x = np.nonzero(agree)
        aspect = self._index.faces[one.face].aspect
        places = np.column_stack([(x + 1.0) / (columns + 1) * aspect, (y + 1.0) / (rows + 1)])
        if not len(places):
            return np.zeros((0, 2)), np.zeros(0, np.float32)
        return cv2.perspectiveTransform(places[None], one.found.to_picture)[0], one.found.weight[agree]
