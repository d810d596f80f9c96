"""The verifier's evidence is added to that of finder and reader within limits, so that no network decides alone."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dice.networks import Network
from vision.dice.pyramid import ImagePyramid
from vision.dice.verifier import MIN_VERIFIER_LOG_ODDS, REJECTED_UNSEEN, Verifier

PICTURE = ImagePyramid(np.full((200, 300, 3), 128, np.uint8))
BOXES = np.array([[20, 20, 60, 60], [120, 40, 170, 90], [200, 100, 240, 140]], np.float32)


def _verifier(logits: list[list[float]], shapes: list[tuple[int, ...]]) -> Verifier:
    """A verifier that answers with these logits for any input, and logs the shapes of its batches."""

    def run(batch: np.ndarray) -> np.ndarray:
        shapes.append(batch.shape)
        return np.tile(np.array(logits[: len(batch) // 2], np.float32), (2, 1))

    return Verifier(Network(run, 4, 32, {"look": "112", "context": "2.5", "fusion": "0.5,1.0,-1.0"}))


def test_evidence_is_added_up() -> None:
    shapes: list[tuple[int, ...]] = []
    verifier = _verifier([[4, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]], shapes)
    chances = verifier.chances(PICTURE, BOXES, np.array([2.0, 1.5, 4.0], np.float32))
    own = np.array([4 - np.log(3), -np.log(np.exp(1) + 2), -np.log(3)])
    odds = 0.5 * np.array([2.0, 1.5, 4.0]) + own - 1.0
    assert chances == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-5)
    assert shapes == [(6, 3, 112, 112)], "each crop and its mirror image"


def test_the_verifier_alone_denies_no_die() -> None:
    """On touching white dice of an unknown maker, the verifier was as sure of no die as finder and reader were of
    dice."""
    verifier = _verifier([[0, 30, 0, 0]], [])
    sure = 2 * (1.0 - MIN_VERIFIER_LOG_ODDS) + 1
    assert verifier.chances(PICTURE, BOXES[:1], np.array([sure], np.float32))[0] > 0.5
    assert verifier.chances(PICTURE, BOXES[:1], np.array([sure - 2], np.float32))[0] < 0.5


def test_candidates_that_the_other_networks_reject_skip_the_verifier() -> None:
    shapes: list[tuple[int, ...]] = []
    verifier = _verifier([[9, 0, 0, 0]], shapes)
    assert verifier.chances(PICTURE, BOXES, np.full(3, REJECTED_UNSEEN - 0.1, np.float32)) == pytest.approx(0.0)
    assert not shapes
    assert verifier.chances(PICTURE, BOXES[:0], np.zeros(0, np.float32)).shape == (0,)
