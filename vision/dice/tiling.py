"""The finder's inputs: scaled copies of the image, large ones cut into tiles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.boxes import Piece
from vision.dice.pyramid import ImagePyramid
from vision.types import Image

Float = npt.NDArray[np.float32]

SEEN_WHOLE = 640  # longer side, in pixels, of the copy that shows the whole image
TILE_SIDE = 1280  # longest side of a tile, in pixels; it bounds the memory
LARGER = 2.0  # an image of small dice is shown once more, enlarged by this factor
ENLARGED_SIDE = 1280  # longer side of that copy, pixels at most
COARSE = 0.4  # ratio of each coarser copy to the finer one
FOUND_WELL = 80.0  # pixels: dice up to this width in one copy are found in it and need no coarser one
FILLING = 0.35  # share of the image's longer side: larger dice need the distant view
ALMOST = 0.75  # a copy of at least this share of a scale replaces one of that scale
TILE_OVERLAP = 160  # pixels that neighbouring tiles share, so that a die on a seam is whole in one of them
PIECE_GRID, LEAST_PIECE = 40, 3  # pixels of a live frame's copy, and the minimum width of a piece in multiples of them
BORDER = 2.0  # pixels: a box this near to an edge is cut by it


@dataclass(frozen=True, slots=True, eq=False)
class TileView:
    """A tile of a scaled copy.

    Attributes:
        pixels: (h, w, 3) uint8.
        scale: Copy pixels for each image pixel.
        left: Left edge, in copy pixels.
        top: Top edge, in copy pixels.
    """

    pixels: Image
    scale: float
    left: float
    top: float


def views(picture: ImagePyramid, *, thorough: bool) -> list[TileView]:
    """The tiles for a search of the whole image.

    One copy has a longer side of 640 pixels (never enlarged), a second is 0.4 of that, for dice too large in the first.
    `thorough` adds finer copies up to full size, in tiles, for small dice.
    """
    whole = _scale(picture.image)
    finer = [whole]
    while thorough and finer[-1] < ALMOST:
        finer.append(min(1.0, finer[-1] / COARSE))
    copies = _copies(picture, (*reversed(finer), whole * COARSE))
    return [view for copy, scale in copies for view in _tiles(copy, scale)]


def enlarged(picture: ImagePyramid) -> list[TileView]:
    """An enlarged copy for dice too small to be found; empty for a large image."""
    width, height = picture.size
    scale = min(LARGER, ENLARGED_SIDE / max(height, width))
    if scale < 1 / ALMOST:
        return []
    return _tiles(picture.resized((round(width * scale), round(height * scale))), scale)


def distant(picture: ImagePyramid) -> list[TileView]:
    """A copy so small that the finder detects a die that fills the image. In every other copy its pips score higher."""
    return [TileView(copy, scale, 0, 0) for copy, scale in _copies(picture, (_scale(picture.image) * COARSE**2,))]


def filling(boxes: Float, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """True for boxes (n, 4) so large in an image of this (width, height) that only the distant view shows them."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0) >= FILLING * max(size))


def views_within(picture: ImagePyramid, piece: Piece, die: float = 0.0) -> list[TileView]:
    """The tiles for a search of one piece: the same two copies as for the whole image.

    Args:
        die: Width of the dice in pixels if known; the coarser copy is for larger ones.
    """
    left, top, right, low = piece
    scale, cut = _scale(picture.image), ImagePyramid(picture.image[top:low, left:right])
    scales = (scale,) if die and scale * die <= FOUND_WELL else (scale, scale * COARSE)
    copies = _copies(cut, scales)
    return [TileView(copy, scale, left * scale, top * scale) for copy, scale in copies]


def search_grid(image: Image) -> tuple[int, int]:
    """Minimum size of a piece and the grid on which pieces are cut, in image pixels.

    On the grid, pieces of both copies start at a multiple of the networks' strides, as in the whole copies; off the
    grid, boxes shift by up to a tenth of a die. It also keeps the number of input sizes small.
    """
    grid = round(PIECE_GRID / _scale(image))
    return LEAST_PIECE * grid, grid


def uncut(boxes: Float, piece: Piece, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """True for boxes that touch no inner edge of the piece in an image of this (width, height)."""
    edges = zip(piece, (0, 0, *size), (1, 1, -1, -1), strict=True)
    inner = np.ones(len(boxes), np.bool_)
    for side, (edge, end, inwards) in enumerate(edges):
        if edge != end:
            inner &= (boxes[:, side] - edge) * inwards > BORDER
    return inner


def _scale(image: Image) -> float:
    """Scale of the copy that shows the whole image at once."""
    height, width = image.shape[:2]
    return min(1.0, SEEN_WHOLE / int(max(height, width)))


def _copies(picture: ImagePyramid, scales: Sequence[float]) -> Iterator[tuple[Image, float]]:
    """The image at these scales, fine ones first. Each is made from the one before, which is sharper than sampling from
    a half."""
    width, height = picture.size
    for scale in scales:
        picture = ImagePyramid(picture.resized((max(1, round(width * scale)), max(1, round(height * scale)))))
        yield picture.image, scale


def _tiles(copy: Image, scale: float) -> list[TileView]:
    """One copy, cut into overlapping tiles if it is too large."""
    return [
        TileView(copy[top : top + TILE_SIDE, left : left + TILE_SIDE], scale, left, top)
        for top in _starts(copy.shape[0])
        for left in _starts(copy.shape[1])
    ]


def _starts(length: int) -> list[int]:
    """Start positions of tiles along one side, which cover it evenly."""
    if length <= TILE_SIDE:
        return [0]
    count = math.ceil((length - TILE_OVERLAP) / (TILE_SIDE - TILE_OVERLAP))
    return [round(i * (length - TILE_SIDE) / (count - 1)) for i in range(count)]
