"""How well pictures were read: dice right, missed, wrong and extra, whole pictures, calibration, average precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections

Float = npt.NDArray[np.float32]
ASK = 0.8  # below this confidence the players are asked
ENLARGED = 1.5  # a die is found when its middle lies in the true box, enlarged by half: some sets box only the pips


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What lies on a picture. xyxy: (n, 4) float32 pixels; faces: (n,) 1..6."""

    xyxy: Float
    faces: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One picture, compared: pairs of (truth row, seen row), truth rows missed, seen rows that belong to nothing."""

    truth: Truth
    seen: Detections
    pairs: tuple[tuple[int, int], ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]

    @property
    def wrong(self) -> tuple[tuple[int, int], ...]:
        """The pairs with unequal values."""
        return tuple((t, s) for t, s in self.pairs if self.truth.faces[t] != self.seen.faces[s])

    @property
    def complete(self) -> bool:
        """Every die right and nothing else seen."""
        return not (self.missed or self.extra or self.wrong)

    @property
    def silent(self) -> int:
        """Wrong values that nobody would have been asked about."""
        return sum(float(self.seen.confidences[s]) >= ASK for _, s in self.wrong)

    @property
    def beside(self) -> int:
        """Dice counted as missed and as extra though read right: the label, wholly within our box, is a part of it.

        A label around the pips alone of a die seen from the side lies away from the die's middle.
        """
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
        """How bad: a silent mistake counts more than one that asks, an extra die as much as a missed one."""
        return len(self.missed) + len(self.extra) + len(self.wrong) + self.silent


def compare(seen: Detections, truth: Truth) -> Outcome:
    """Pairs each true die with at most one seen die, nearest middles first."""
    middle = (truth.xyxy[:, :2] + truth.xyxy[:, 2:]) / 2
    reach = np.maximum((truth.xyxy[:, 2:] - truth.xyxy[:, :2]) / 2 * ENLARGED, 1e-6)
    spots = (seen.xyxy[:, :2] + seen.xyxy[:, 2:]) / 2
    away = np.abs(spots[None] - middle[:, None]) / reach[:, None]  # (truth, seen, 2), 1 = at the edge
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
    """Counts over pictures; `silent` are wrong values nobody is asked about, `asking` those somebody is asked about."""

    pictures: int
    complete: int
    dice: int
    right: int
    missed: int
    wrong: int
    extra: int
    silent: int
    asking: int

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Tally:
        """Counted over the given pictures."""
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
            sum(o.silent for o in outcomes),
            sum(int((o.seen.confidences < ASK).sum()) for o in outcomes),
        )


def wilson(part: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """Where the true share lies with 95 % certainty (Wilson 1927); (0, 1) when nothing was counted."""
    if whole == 0:
        return 0.0, 1.0
    share, weight = part / whole, z * z / whole
    centre = (share + weight / 2) / (1 + weight)
    reach = z * float(np.sqrt(share * (1 - share) / whole + weight / (4 * whole))) / (1 + weight)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def confusion(outcomes: Iterable[Outcome]) -> npt.NDArray[np.int64]:
    """(6, 7) counts: row the true face, columns the face read, last column missed."""
    table = np.zeros((6, 7), np.int64)
    for outcome in outcomes:
        for t, s in outcome.pairs:
            table[outcome.truth.faces[t] - 1, outcome.seen.faces[s] - 1] += 1
        for t in outcome.missed:
            table[outcome.truth.faces[t] - 1, 6] += 1
    return table


def reliability(outcomes: Iterable[Outcome], edges: Sequence[float]) -> list[tuple[float, int, float, float]]:
    """For each band of confidence from one edge to the next: (lower edge, dice, mean confidence, share read right)."""
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


def silent_by_size(outcomes: Iterable[Outcome], edges: Sequence[float]) -> list[tuple[float, int, int]]:
    """For dice of each size, their longer side in pixels from one edge to the next: (lower edge, dice read with a
    confidence that nobody is asked about, how many of them wrong)."""
    rows = [
        (float((o.seen.xyxy[s, 2:] - o.seen.xyxy[s, :2]).max()), bool(o.truth.faces[t] != o.seen.faces[s]))
        for o in outcomes
        for t, s in o.pairs
        if float(o.seen.confidences[s]) >= ASK
    ]
    bands = [[wrong for side, wrong in rows if low <= side < high] for low, high in pairwise(edges)]
    return [(low, len(band), sum(band)) for low, band in zip(edges, bands, strict=False) if band]


def average_precision(outcomes: Sequence[Outcome], overlaps: Sequence[float]) -> float:
    """Mean over faces and over the overlaps asked for, by 101 points of recall as COCO does it."""
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
    """For each seen row, best first, whether it takes a true box that is still free, at each overlap."""
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
    """Area under precision over recall."""
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
