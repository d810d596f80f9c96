"""Metrics of the detector: correct, missed, wrong and extra dice, perfect images, calibration, average precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections

Float = npt.NDArray[np.float32]
ASK = 0.8  # below this confidence the players are asked
# A die is found if its centre is inside the label's box enlarged by this factor: some data sets box only the pips.
LABEL_ENLARGED = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The labels of an image.

    Attributes:
        xyxy: (n, 4) float32 boxes in pixels.
        faces: (n,) top faces 1..6.
    """

    xyxy: Float
    faces: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The comparison of one image with its labels.

    Attributes:
        pairs: Matched rows as (label, detection).
        missed: Label rows without a detection.
        extra: Detection rows without a label.
    """

    truth: Truth
    seen: Detections
    pairs: tuple[tuple[int, int], ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]

    @property
    def wrong(self) -> tuple[tuple[int, int], ...]:
        """The pairs with different faces."""
        return tuple((t, s) for t, s in self.pairs if self.truth.faces[t] != self.seen.faces[s])

    @property
    def complete(self) -> bool:
        """Whether every die is right and nothing else was detected."""
        return not (self.missed or self.extra or self.wrong)

    @property
    def undetected(self) -> int:
        """Undetected errors: wrong faces too confident for a question."""
        return sum(float(self.seen.confidences[s]) >= ASK for _, s in self.wrong)

    @property
    def beside(self) -> int:
        """Dice counted as missed and extra although read correctly, because the label covers only a part of our box: of
        a die seen from the side, labels may cover only the pips."""
        true, seen = self.truth.xyxy, self.seen.xyxy
        return sum(
            any(
                self.truth.faces[t] == self.seen.faces[s]
                and bool((seen[s, :2] <= true[t, :2]).all() and (true[t, 2:] <= seen[s, 2:]).all())
                for s in self.extra
            )
            for t in self.missed
        )

    @property
    def faults(self) -> float:
        """Weighted errors: an undetected error counts twice, an extra die as much as a missed one."""
        return len(self.missed) + len(self.extra) + len(self.wrong) + self.undetected


def compare(seen: Detections, truth: Truth) -> Outcome:
    """Matches each label with at most one detection, nearest centres first."""
    middle = (truth.xyxy[:, :2] + truth.xyxy[:, 2:]) / 2
    reach = np.maximum((truth.xyxy[:, 2:] - truth.xyxy[:, :2]) / 2 * LABEL_ENLARGED, 1e-6)
    spots = (seen.xyxy[:, :2] + seen.xyxy[:, 2:]) / 2
    away = np.abs(spots[None] - middle[:, None]) / reach[:, None]  # (label, detection, 2); 1 is the edge
    far = np.hypot(away[..., 0], away[..., 1])
    far[(away > 1).any(axis=2)] = np.inf
    pairs: list[tuple[int, int]] = []
    while far.size and np.isfinite(far.min()):
        t, s = np.unravel_index(int(far.argmin()), far.shape)
        pairs.append((int(t), int(s)))
        far[t, :] = far[:, s] = np.inf
    known, used = {t for t, _ in pairs}, {s for _, s in pairs}
    missed = tuple(t for t in range(len(truth.faces)) if t not in known)
    return Outcome(truth, seen, tuple(pairs), missed, tuple(s for s in range(len(seen)) if s not in used))


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over several images. `undetected` are undetected errors, `asking` wrong faces that lead to a question."""

    pictures: int
    complete: int
    dice: int
    right: int
    missed: int
    wrong: int
    extra: int
    undetected: int
    asking: int

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Tally:
        """The counts of these outcomes."""
        pairs = sum(len(o.pairs) for o in outcomes)
        wrong = sum(len(o.wrong) for o in outcomes)
        return cls(
            len(outcomes),
            sum(o.complete for o in outcomes),
            sum(len(o.truth.faces) for o in outcomes),
            pairs - wrong,
            sum(len(o.missed) for o in outcomes),
            wrong,
            sum(len(o.extra) for o in outcomes),
            sum(o.undetected for o in outcomes),
            sum(int((o.seen.confidences < ASK).sum()) for o in outcomes),
        )


def wilson(part: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """95 % confidence interval of a proportion (Wilson 1927); (0, 1) without data."""
    if whole == 0:
        return 0.0, 1.0
    share, weight = part / whole, z * z / whole
    centre = (share + weight / 2) / (1 + weight)
    reach = z * float(np.sqrt(share * (1 - share) / whole + weight / (4 * whole))) / (1 + weight)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def confusion(outcomes: Iterable[Outcome]) -> npt.NDArray[np.int64]:
    """(6, 7) confusion matrix: rows are true faces, columns faces read; the last column counts missed dice."""
    table = np.zeros((6, 7), np.int64)
    for outcome in outcomes:
        for t, s in outcome.pairs:
            table[outcome.truth.faces[t] - 1, outcome.seen.faces[s] - 1] += 1
        for t in outcome.missed:
            table[outcome.truth.faces[t] - 1, 6] += 1
    return table


def reliability(outcomes: Iterable[Outcome], edges: Sequence[float]) -> list[tuple[float, int, float, float]]:
    """Calibration by bands of confidence: (lower edge, dice, mean confidence, share read correctly)."""
    rows = [
        (float(o.seen.confidences[s]), bool(o.truth.faces[t] == o.seen.faces[s])) for o in outcomes for t, s in o.pairs
    ]
    bands = []
    for low, high in pairwise(edges):
        band = [row for row in rows if low <= row[0] < high]
        if band:
            chances, rights = zip(*band, strict=True)
            bands.append((low, len(band), float(np.mean(chances)), float(np.mean(rights))))
    return bands


def undetected_by_size(outcomes: Iterable[Outcome], edges: Sequence[float]) -> list[tuple[float, int, int]]:
    """Undetected errors by size of the die (longer side in pixels): (lower edge, dice read with enough confidence to
    ask nothing, errors among them)."""
    rows = [
        (float((o.seen.xyxy[s, 2:] - o.seen.xyxy[s, :2]).max()), bool(o.truth.faces[t] != o.seen.faces[s]))
        for o in outcomes
        for t, s in o.pairs
        if float(o.seen.confidences[s]) >= ASK
    ]
    bands = [[wrong for side, wrong in rows if low <= side < high] for low, high in pairwise(edges)]
    return [(low, len(band), sum(band)) for low, band in zip(edges, bands, strict=False) if band]


def average_precision(outcomes: Sequence[Outcome], overlaps: Sequence[float]) -> float:
    """Mean average precision over faces and overlaps, with 101 recall points as in COCO."""
    parts = []
    for face in range(1, 7):
        scores: list[float] = []
        hits: list[list[bool]] = []
        total = 0
        for outcome in outcomes:
            true, seen = outcome.truth, outcome.seen
            boxes = true.xyxy[true.faces == face]
            total += len(boxes)
            chance = seen.scores * seen.probabilities[:, face - 1]
            rows = np.flatnonzero(chance > 0.01)
            rows = rows[np.argsort(-chance[rows], kind="stable")]
            shared = _overlap(seen.xyxy[rows], boxes)
            scores.extend(map(float, chance[rows]))
            hits.extend(_hits(shared, overlaps))
        if total:
            order = np.argsort(-np.array(scores), kind="stable")
            table = np.array(hits, bool).reshape(-1, len(overlaps))[order]
            parts.append(np.mean([_area(table[:, i], total) for i in range(len(overlaps))]))
    return float(np.mean(parts)) if parts else float("nan")


def _hits(shared: Float, overlaps: Sequence[float]) -> list[list[bool]]:
    """For each detection, best first, whether it matches a free label, at each overlap."""
    free = [np.ones(shared.shape[1], bool) for _ in overlaps]
    result = []
    for row in shared:
        taken = []
        for open_boxes, least in zip(free, overlaps, strict=True):
            best = int(np.where(open_boxes, row, -1).argmax()) if len(row) else -1
            hit = best >= 0 and bool(open_boxes[best]) and float(row[best]) >= least
            if hit:
                open_boxes[best] = False
            taken.append(hit)
        result.append(taken)
    return result


def _area(hits: npt.NDArray[np.bool_], total: int) -> float:
    """Area under the precision-recall curve."""
    right = np.cumsum(hits)
    recall = right / total
    precision = right / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    points = np.searchsorted(recall, np.linspace(0, 1, 101))
    return float(np.concatenate([precision, [0.0]])[np.minimum(points, len(precision))].mean())


def _overlap(a: Float, b: Float) -> Float:
    """(n, m) intersection over union."""
    corner = np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])
    shared = np.maximum(corner, 0).prod(axis=2)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(axis=1), (b[:, 2:] - b[:, :2]).prod(axis=1)
    return np.asarray(shared / np.maximum(area_a[:, None] + area_b[None] - shared, 1e-9), dtype=np.float32)
