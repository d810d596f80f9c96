"""Test-time augmentation: passes over one photo, scaled and mirrored, fused into one result by voting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.belief import MIN_DIE_CHANCE, SCORE_CLIP, chance_of_die
from vision.dice.detections import Detections, chosen
from vision.dice.face_reader import FACES
from vision.dice.nms import TOO_NEAR
from vision.dice.print_filter import printed, without_printed
from vision.dice.tiling import Float

# Dice. At or below this count a second pass always runs: a missed die matters most there, and the pass is cheap.
FEW_DICE = 5
# A second pass runs when a die scores less. An uncertain face is no reason: with more dice than FEW, a smaller copy
# breaks as many readings as it corrects.
MIN_CERTAIN_SCORE = 0.97
MAX_SIZE_RATIO = 2.0  # boxes whose sides differ by more than this factor are not the same object
# Log-odds: largest evidence of one pass for or against a die; a pass that finds nothing counts as −MAX_EVIDENCE.
MAX_EVIDENCE = 4.0

# Pixels: smallest longer side that the readers are made for. The share of dice among the boxes below it that count as
# dice: 8 of 17 in the training halves of the photos without dice and the seen sources of `dev`.
SMALLEST_DIE, SHARE_OF_DICE = 20.0, 0.5


def doubtful(seen: Detections) -> bool:
    """Whether a second pass over the photo is worth its time."""
    return len(seen) <= FEW_DICE or bool(seen.scores.min() < MIN_CERTAIN_SCORE)


def agree(passes: Sequence[Detections]) -> bool:
    """Whether all passes found the same dice with the same faces."""
    groups = _groups(passes)
    return all(len(group) == len(passes) and len({passes[i].faces[row] for i, row in group}) == 1 for group in groups)


def lone(passes: Sequence[Detections]) -> bool:
    """Whether the first pass found something that no other pass found, so that one more pass should decide."""
    return any(len(group) == 1 and group[0][0] == 0 for group in _groups(passes))


def fused(passes: Sequence[Detections]) -> Detections:
    """Fuses several passes over one photo into one row for each die.

    The log-odds of a die are the mean over all passes; a pass that found nothing there is evidence against it. Face
    probabilities are the geometric mean over the passes that found it, so contradiction lowers confidence. Printed dice
    are removed.

    Args:
        passes: Results of the passes, boxes in pixels of the same image; scores are probabilities of a die, also below
            one half.
    """
    found, odds = [], []
    for group in _groups(passes):
        scores = np.clip([passes[number].scores[row] for number, row in group], SCORE_CLIP, 1 - SCORE_CLIP)
        evidence = np.log(scores / (1 - scores)).clip(-MAX_EVIDENCE, MAX_EVIDENCE)
        mean = float(evidence.sum() - MAX_EVIDENCE * (len(passes) - len(group))) / len(passes)
        if mean >= 0:
            found.append(
                [(passes[number], row) for (number, row), one in zip(group, evidence, strict=True) if one >= 0]
            )
            odds.append(mean)
    if not found:
        return Detections.none()

    def mean_of(column: str) -> Float:
        rows = [[getattr(seen, column)[row] for seen, row in group] for group in found]
        return np.array([np.mean(some, axis=0) for some in rows], np.float32)

    logs = [
        np.mean([np.log(np.maximum(seen.probabilities[row], 1e-4)) for seen, row in group], axis=0) for group in found
    ]
    chances = np.exp(logs)
    fused = Detections(
        mean_of("xyxy"), chances / chances.sum(axis=1, keepdims=True), chance_of_die(np.array(odds)),
        mean_of("passes") * np.array([len(group) for group in found], np.float32), mean_of("ink"),
    )  # fmt: skip
    return chosen(fused, ~printed(fused.xyxy, fused.ink, still=True))


def _groups(passes: Sequence[Detections]) -> list[list[tuple[int, int]]]:
    """Groups the rows that are one die, as (pass, row), at most one row from each pass. Nearest centres are matched
    first, up to the smallest distance that two dice can have."""
    groups: list[list[tuple[int, int]]] = []
    for number, seen in enumerate(passes):
        known = np.array(
            [np.mean([passes[number].xyxy[row] for number, row in group], axis=0) for group in groups], np.float32
        ).reshape(-1, 4)
        away = _centre_distances(known, seen.xyxy)
        free = np.ones(len(seen), np.bool_)
        while away.size and away.min() < TOO_NEAR:
            group, row = np.unravel_index(int(away.argmin()), away.shape)
            groups[group].append((number, int(row)))
            away[group], away[:, row], free[row] = np.inf, np.inf, False
        groups += [[(number, int(row))] for row in np.flatnonzero(free)]
    return groups


def _centre_distances(these: Float, those: Float) -> Float:
    """(k, n) distance between centres in mean box sides; infinite for boxes too different in size, such as a die and
    one of its pips."""
    sides = [np.maximum((boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0), 1e-6) for boxes in (these, those)]
    middles = [(boxes[:, :2] + boxes[:, 2:]) / 2 for boxes in (these, those)]
    away = np.linalg.norm(middles[0][:, None] - middles[1], axis=2) / ((sides[0][:, None] + sides[1]) / 2)
    return np.where(abs(np.log(sides[0][:, None] / sides[1])) < np.log(MAX_SIZE_RATIO), away, np.inf).astype(np.float32)


def certain(seen: Detections) -> Detections:
    """The detections that a single pass over a photo would report: likely dice, without printed ones."""
    return without_printed(chosen(seen, seen.scores >= MIN_DIE_CHANCE), still=True)


def with_doubt(seen: Detections) -> Detections:
    """The detections with the probability that each is no die spread evenly over its faces.

    A confidence then is the probability of a die with that value, not that of the value alone. Anything can look like
    a die when it is a few pixels wide, so such dice are always asked about.
    """
    small = (seen.xyxy[:, 2:] - seen.xyxy[:, :2]).max(axis=1, initial=0) < SMALLEST_DIE
    die = np.where(small, SHARE_OF_DICE, 1.0)[:, None] * seen.scores[:, None]
    return replace(seen, probabilities=np.asarray(die * seen.probabilities + (1 - die) / FACES, np.float32))
