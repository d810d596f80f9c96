"""What the finder is shown: scaled copies of the picture, in tiles where they are large."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.boxes import Piece
from vision.dice.pyramid import Pyramid
from vision.types import Image

Float = npt.NDArray[np.float32]

SEEN_WHOLE = 640  # the longer side of the copy in which the finder is shown the whole picture, pixels
TILE = 1280  # the longest side it is shown at once: finer copies are cut into tiles, so that they fit into memory
LARGER = 2.0  # a picture of small dice is shown once more, so many times as large …
ENLARGED = 1280  # … at most, and its longer side at most so many pixels
COARSE = 0.4  # each coarser copy of the picture is this part of the finer one
FOUND_WELL = 80.0  # pixels: dice no wider than that in one copy are found in it, and need no coarser one
FILLING = 0.35  # of the picture's longer side: dice so large are shown once more, as from far away
ALMOST = 0.75  # of a picture's scale: a copy as large as that shows as much
OVERLAP = 160  # pixels that neighbouring tiles share, so that a die on a seam is whole in one of them
PIECE_GRID, LEAST_PIECE = 80, 2  # of a live picture's copy: pixels, and how many of those a piece is wide at least
BORDER = 2.0  # pixels: what touches the edge of a piece that was cut out is cut itself


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A piece of a scaled copy.

    pixels: (h, w, 3) uint8; scale: copy pixels per picture pixel; left, top: where it begins, in copy pixels.
    """

    pixels: Image
    scale: float
    left: float
    top: float


def views(picture: Pyramid, *, thorough: bool) -> list[View]:
    """What the finder looks at.

    The whole picture with its longer side at 640 pixels (not enlarged), and once more at 0.4 of that for dice too
    large there. `thorough` adds finer copies up to the picture's own scale, in tiles, for dice too small there.
    """
    whole = _scale(picture.image)
    finer = [whole]
    while thorough and finer[-1] < ALMOST:
        finer.append(min(1.0, finer[-1] / COARSE))
    copies = _copies(picture, (*reversed(finer), whole * COARSE))
    return [view for copy, scale in copies for view in _tiles(copy, scale)]


def enlarged(picture: Pyramid) -> list[View]:
    """The picture made larger than it is, for dice so small in it that they are hardly found; none of a large one."""
    width, height = picture.size
    scale = min(LARGER, ENLARGED / max(height, width))
    if scale < 1 / ALMOST:
        return []
    return _tiles(picture.resized((round(width * scale), round(height * scale))), scale)


def distant(picture: Pyramid) -> list[View]:
    """The whole picture as small as it takes to find a die that fills it: in every other copy its pips look like dice
    sooner than itself."""
    return [View(copy, scale, 0, 0) for copy, scale in _copies(picture, (_scale(picture.image) * COARSE**2,))]


def filling(boxes: Float, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which boxes (n, 4) are so large in a picture of this (width, height) that only the distant view shows them."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0) >= FILLING * max(size))


def views_within(picture: Pyramid, piece: Piece, die: float = 0.0) -> list[View]:
    """What the finder looks at of a piece of the picture: the same two copies of it as of the whole.

    die: width of the dice that may lie there, pixels, where it is known: the coarser copy is for larger ones.
    """
    left, top, right, low = piece
    scale, cut = _scale(picture.image), Pyramid(picture.image[top:low, left:right])
    scales = (scale,) if die and scale * die <= FOUND_WELL else (scale, scale * COARSE)
    copies = _copies(cut, scales)
    return [View(copy, scale, left * scale, top * scale) for copy, scale in copies]


def search_grid(image: Image) -> tuple[int, int]:
    """How large a piece must be at least to be searched, and the grid on which it is cut, in pixels of the picture.

    On the grid pieces of both copies begin at a multiple of the networks' strides, as in the whole copies: between two
    of them the boxes lie up to a tenth of a die elsewhere. And there are few sizes.
    """
    grid = round(PIECE_GRID / _scale(image))
    return LEAST_PIECE * grid, grid


def uncut(boxes: Float, piece: Piece, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Which boxes do not touch an edge of the piece that lies within the picture of this (width, height)."""
    edges = zip(piece, (0, 0, *size), (1, 1, -1, -1), strict=True)
    inner = np.ones(len(boxes), np.bool_)
    for side, (edge, end, inwards) in enumerate(edges):
        if edge != end:
            inner &= (boxes[:, side] - edge) * inwards > BORDER
    return inner


def _scale(image: Image) -> float:
    """Of the copy in which the whole picture is seen at once."""
    height, width = image.shape[:2]
    return min(1.0, SEEN_WHOLE / int(max(height, width)))


def _copies(picture: Pyramid, scales: Sequence[float]) -> Iterator[tuple[Image, float]]:
    """The picture at these scales, fine ones first: each is made from the one before, sharper than from a half."""
    width, height = picture.size
    for scale in scales:
        picture = Pyramid(picture.resized((max(1, round(width * scale)), max(1, round(height * scale)))))
        yield picture.image, scale


def _tiles(copy: Image, scale: float) -> list[View]:
    """One copy of the picture, cut into overlapping tiles where it is too large to be shown at once."""
    return [
        View(copy[top : top + TILE, left : left + TILE], scale, left, top)
        for top in _starts(copy.shape[0])
        for left in _starts(copy.shape[1])
    ]


def _starts(length: int) -> list[int]:
    """Where tiles begin along one side so that they cover it evenly."""
    if length <= TILE:
        return [0]
    count = math.ceil((length - OVERLAP) / (TILE - OVERLAP))
    return [round(i * (length - TILE) / (count - 1)) for i in range(count)]
