"""Which boxes are printed on cards rather than dice, told from what a network says of it and of its neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections, chosen
from vision.dice.nms import SURE_OF_SIZE, usual_side
from vision.dice.tiling import Float

# How much wider than usual, as a logarithm: a die, normal with this deviation, but so many with a larger one, in photos
# of all kinds of dice and in games (labels of ten sources); what is printed, normal around a mean (cards print dice of
# 4 to 45 mm).
DIE_WIDTH, ODD_DICE, ODD_IN_GAMES, ODD_WIDTH = 0.13, 0.12, 0.03, 0.5
PRINT_MEAN, PRINT_WIDTH = -0.2, 0.6
# A photo with one surely printed die shows cards, so the logarithmic odds of the others rise. Any other photo most
# likely shows none, so they fall.
SURELY_PRINTED, AMONG_CARDS, NO_CARDS = 0.9, 1.4, -1.0
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
    return np.asarray(1 / (1 + np.exp(-(shares @ _odds(ink)) / shares.sum(axis=1))), np.float32)


def printed(xyxy: Float, ink: Float, *, still: bool = False) -> npt.NDArray[np.bool_]:
    """(n,) Which dice are printed, likelier than not, by this picture alone; ink, still: as for `odds_printed`."""
    return np.asarray(odds_printed(xyxy, ink, *usual_side(xyxy, ink), still=still) >= 0)


def odds_printed(xyxy: Float, ink: Float, usual: float, sure: float, *, still: bool = False) -> Float:
    """(n,) The logarithmic odds of dice being printed. ink: (n,) chances of it by how each looks; usual, sure: the side
    of a die that lies there, and how much speaks for it, as `usual_side` tells; still: the picture is a photo of any
    dice and not one of a game's film, which remembers where print was seen.

    The dice of a game are alike in size, and cards print them smaller, or as large as the card is: the odds by looks
    and those by size are added up. As far as no size is known, all are taken to be as large as dice are.
    """
    size = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1) / usual if usual else np.ones(len(ink), np.float32)
    known, odd = sure / (sure + SURE_OF_SIZE), ODD_DICE if still else ODD_IN_GAMES
    by_size = known * _by_size(np.asarray(np.log(size)), odd) + (1 - known) * _by_size(np.zeros_like(ink), odd)
    among_cards = AMONG_CARDS if ink.max(initial=0) >= SURELY_PRINTED else NO_CARDS
    return np.asarray(_odds(ink) + by_size + (among_cards if still else 0.0))


def _odds(chance: Float) -> Float:
    """Logarithmic."""
    clipped = np.clip(chance, 1e-5, 1 - 1e-5)
    return np.asarray(np.log(clipped / (1 - clipped)))


def _by_size(larger: Float, odd: float) -> Float:
    """(n,) Logarithmic odds of what is so much larger (a logarithm) than the usual die being printed."""
    die = (1 - odd) * _normal(larger, DIE_WIDTH) + odd * _normal(larger, ODD_WIDTH)
    return np.asarray(np.log(_normal(larger - PRINT_MEAN, PRINT_WIDTH) / np.maximum(die, 1e-12)))


def _normal(away: Float, deviation: float) -> Float:
    """The normal density, but for its constant factor."""
    return np.asarray(np.exp(-((away / deviation) ** 2) / 2) / deviation)


def lying(seen: Detections, *, still: bool = False) -> Detections:
    """Without those that are printed."""
    return chosen(seen, ~printed(seen.xyxy, seen.ink, still=still))
