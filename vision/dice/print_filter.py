"""Which boxes are printed on cards rather than dice, told from what a network says of it and of its neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections, chosen
from vision.dice.nms import SURE_OF_SIZE, usual_side
from vision.dice.tiling import Float

SMALLER, LARGER = 0.7, 1.5  # times their usual width, beyond which a chance of PRINTED_OTHERWISE is enough
PRINTED_OTHERWISE, PRINTED = 0.45, 0.8  # … the latter also where none surely lies there
MUCH_SMALLER, MUCH_BIGGER, PRINTED_UNLIKE_ALL = 0.6, 1.7, 0.2  # … what is as unlike them needs no more
SURELY_PRINTED, LIKELIER = 0.9, 0.5  # a still where one surely is shows cards: what is likelier printed than not is so
BESIDE, AS_LARGE = 1.8, 0.8  # middles nearer than so many sides, of sides that differ by no more: in one row …
ITS_SHARE = 0.5  # … and what a neighbour says counts so much beside what a die says itself


def with_neighbours(xyxy: Float, ink: Float) -> Float:
    """(n,) Chances of being printed, the logarithmic odds of each averaged with those of what is as large and right
    beside it: cards print dice in rows, and people set dice aside in rows."""
    sides = np.maximum((xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0), 1e-6)
    middles, mean = (xyxy[:, :2] + xyxy[:, 2:]) / 2, (sides[:, None] + sides) / 2
    near = np.linalg.norm(middles[:, None] - middles, axis=2) < BESIDE * mean
    near &= np.minimum(sides[:, None], sides) > AS_LARGE * np.maximum(sides[:, None], sides)
    shares = np.where(np.eye(len(ink), dtype=np.bool_), 1.0, np.where(near, ITS_SHARE, 0.0))
    chance = np.clip(ink, 1e-5, 1 - 1e-5)
    odds = np.log(chance / (1 - chance))
    return np.asarray(1 / (1 + np.exp(-(shares @ odds) / shares.sum(axis=1))), np.float32)


def printed(xyxy: Float, ink: Float, usual: float = 0.0, *, still: bool = False) -> npt.NDArray[np.bool_]:
    """(n,) Which dice are printed. ink: (n,) chances of it by how each looks; usual: the side of a die that lies there,
    where it is known beforehand; still: the picture is none of a film, which remembers where print was seen.

    The dice of a game are alike in size, and cards print them smaller, or as large as the card is.
    """
    known, sure = (usual, SURE_OF_SIZE) if usual else usual_side(xyxy, ink)
    enough = LIKELIER if still and ink.max(initial=0) >= SURELY_PRINTED else PRINTED
    if not known:
        return np.asarray(ink >= enough)
    size = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1) / known
    least = np.where((size < SMALLER) | (size > LARGER), PRINTED_OTHERWISE, enough)
    if sure >= SURE_OF_SIZE:
        least[(size < MUCH_SMALLER) | (size > MUCH_BIGGER)] = PRINTED_UNLIKE_ALL
    return np.asarray(ink >= least)


def lying(seen: Detections, *, still: bool = False) -> Detections:
    """Without those that are printed."""
    return chosen(seen, ~printed(seen.xyxy, seen.ink, still=still))
