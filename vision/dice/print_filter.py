"""Decides which boxes are dice printed on cards, from the print network's output and from neighbours and sizes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections, chosen
from vision.dice.nms import SURE_OF_SIZE, usual_side
from vision.dice.tiling import Float

# Log ratio of a box's side to the usual side, as fitted on labels of ten sources. Dice: a normal distribution, mixed
# with a share of odd dice (photos, games) of a larger deviation.
DIE_WIDTH, ODD_DICE, ODD_IN_GAMES, ODD_WIDTH = 0.13, 0.12, 0.03, 0.5
# The same ratio for printed dice: normal with this mean and deviation. Cards print dice of 4 to 45 mm.
PRINT_MEAN, PRINT_WIDTH = -0.2, 0.6
# A photo with one surely printed die shows cards, so the log-odds of the others rise. Any other photo probably shows
# none, so they fall.
SURELY_PRINTED, AMONG_CARDS, NO_CARDS = 0.9, 1.4, -1.0
# Neighbours are nearer than BESIDE sides, centre to centre, and differ in size by a ratio of at least AS_LARGE.
BESIDE, AS_LARGE = 1.8, 0.8
ITS_SHARE = 0.5  # weight of a neighbour's log-odds; a die's own weigh 1


def with_neighbours(xyxy: Float, ink: Float) -> Float:
    """(n,) probabilities of being printed after averaging the log-odds with those of adjacent boxes of the same size:
    cards print dice in rows, and players set dice aside in rows."""
    sides = np.maximum((xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0), 1e-6)
    middles, mean = (xyxy[:, :2] + xyxy[:, 2:]) / 2, (sides[:, None] + sides) / 2
    near = np.linalg.norm(middles[:, None] - middles, axis=2) < BESIDE * mean
    near &= np.minimum(sides[:, None], sides) > AS_LARGE * np.maximum(sides[:, None], sides)
    shares = np.where(np.eye(len(ink), dtype=np.bool_), 1.0, np.where(near, ITS_SHARE, 0.0))
    return np.asarray(1 / (1 + np.exp(-(shares @ _odds(ink)) / shares.sum(axis=1))), np.float32)


def printed(xyxy: Float, ink: Float, *, still: bool = False) -> npt.NDArray[np.bool_]:
    """(n,) True for dice that are more likely printed, by this image alone. Arguments as for `odds_printed`."""
    return np.asarray(odds_printed(xyxy, ink, *usual_side(xyxy, ink), still=still) >= 0)


def odds_printed(xyxy: Float, ink: Float, usual: float, sure: float, *, still: bool = False) -> Float:
    """(n,) log-odds of being printed: by appearance plus by size.

    The dice of a game have one size; cards print them smaller, or as large as the card. Without a known size, all boxes
    count as having the size of a die.

    Args:
        ink: (n,) probabilities of being printed by appearance.
        usual: Longer side of a real die, as `usual_side` returns it.
        sure: Weight of the evidence for `usual`.
        still: The image is a photo of any dice, not a frame of a game, where print is remembered.
    """
    size = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1) / usual if usual else np.ones(len(ink), np.float32)
    known, odd = sure / (sure + SURE_OF_SIZE), ODD_DICE if still else ODD_IN_GAMES
    by_size = known * _by_size(np.asarray(np.log(size)), odd) + (1 - known) * _by_size(np.zeros_like(ink), odd)
    among_cards = AMONG_CARDS if ink.max(initial=0) >= SURELY_PRINTED else NO_CARDS
    return np.asarray(_odds(ink) + by_size + (among_cards if still else 0.0))


def _odds(chance: Float) -> Float:
    """Log-odds."""
    clipped = np.clip(chance, 1e-5, 1 - 1e-5)
    return np.asarray(np.log(clipped / (1 - clipped)))


def _by_size(larger: Float, odd: float) -> Float:
    """(n,) log-odds of being printed for dice larger than usual by these log ratios."""
    die = (1 - odd) * _normal(larger, DIE_WIDTH) + odd * _normal(larger, ODD_WIDTH)
    return np.asarray(np.log(_normal(larger - PRINT_MEAN, PRINT_WIDTH) / np.maximum(die, 1e-12)))


def _normal(away: Float, deviation: float) -> Float:
    """The normal density without its constant factor."""
    return np.asarray(np.exp(-((away / deviation) ** 2) / 2) / deviation)


def without_printed(seen: Detections, *, still: bool = False) -> Detections:
    """The detections without printed dice."""
    return chosen(seen, ~printed(seen.xyxy, seen.ink, still=still))
