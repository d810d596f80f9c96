"""What the networks are shown: scaled copies of the picture in tiles, and one square look at each die."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.regions import Piece

Image = npt.NDArray[np.uint8]
Float = npt.NDArray[np.float32]

SEEN_WHOLE = 640  # the longer side of the copy in which the finder is shown the whole picture, pixels
TILE = 1280  # the longest side it is shown at once: finer copies are cut into tiles, so that they fit into memory
SMALL = 48.0  # pixels: of dice half of which are smaller, some may have been overlooked …
LARGER = 2.0  # … and the picture is shown once more, so many times as large …
ENLARGED = 1280  # … at most, and its longer side at most so many pixels
COARSE = 0.4  # each coarser copy of the picture is this part of the finer one
ALMOST = 0.75  # of a picture's scale: a copy as large as that shows as much
OVERLAP = 160  # pixels that neighbouring tiles share, so that a die on a seam is whole in one of them
OVERLAPPING, INSIDE = 0.26, 0.7  # from which shares of common area two boxes are taken for one die
BEYOND_DOUBT = 0.95  # chance of a die times chance of its face of two that are found as one besides
ALIKE = 0.6  # the same, for boxes so alike that one look serves both
TOO_NEAR = 0.46  # of the mean of their longer sides: nearer than that the middles of two dice never lie
MUCH_LARGER = 2.5  # times the area from which a sure die swallows boxes within it …
AS_GOOD = 0.4  # … unless its score is less than this part of a pip's: cards and heaps are read as one large die too
PIECE_GRID, LEAST_PIECE = 80, 2  # of a live picture's copy: pixels, and how many of those a piece is wide at least
BORDER = 2.0  # pixels: what touches the edge of a piece that was cut out is cut itself
GIANT = 2.2  # times as large as all other dice beyond doubt: no die
MARGIN = 1.35  # a look is this many times the die's longer side wide


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A piece of a scaled copy.

    pixels: (h, w, 3) uint8; scale: copy pixels per picture pixel; left, top: where it begins, in copy pixels.
    """

    pixels: Image
    scale: float
    left: float
    top: float


def views(image: Image, *, thorough: bool) -> list[View]:
    """What the finder looks at.

    The whole picture with its longer side at 640 pixels (not enlarged), and once more at 0.4 of that for dice too
    large there. `thorough` adds finer copies up to the picture's own scale, in tiles, for dice too small there.
    """
    height, width = image.shape[:2]
    whole = _scale(image)
    finer = [whole]
    while thorough and finer[-1] < ALMOST:
        finer.append(min(1.0, finer[-1] / COARSE))
    found: list[View] = []
    copy = image
    for scale in [*reversed(finer), whole * COARSE]:  # each copy from the next finer one: cheaper than from the picture
        size = max(1, round(width * scale)), max(1, round(height * scale))
        copy = _resized(copy, size)
        found += _tiles(copy, scale)
    return found


def enlarged(image: Image) -> list[View]:
    """The picture made larger than it is, for dice so small in it that they are hardly found; none of a large one."""
    height, width = image.shape[:2]
    scale = min(LARGER, ENLARGED / max(height, width))
    if scale < 1 / ALMOST:
        return []
    return _tiles(_resized(image, (round(width * scale), round(height * scale))), scale)


def views_within(image: Image, piece: Piece) -> list[View]:
    """What the finder looks at of a piece of the picture: the same two copies of it as of the whole."""
    left, top, right, low = piece
    found: list[View] = []
    copy = image[top:low, left:right]
    for scale in (_scale(image), _scale(image) * COARSE):
        copy = _resized(copy, (max(1, round((right - left) * scale)), max(1, round((low - top) * scale))))
        found.append(View(copy, scale, left * scale, top * scale))
    return found


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


def _resized(image: Image, size: tuple[int, int]) -> Image:
    """A copy of this (width, height)."""
    if size == image.shape[1::-1]:
        return image
    image = _blocks(image, _whole_factor(size[0] / image.shape[1]))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


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


def _whole_factor(scale: float) -> int:
    """By how much to shrink in whole blocks so that a bilinear resampling by 0.6 to 1.2 remains."""
    return max(1, round(1 / (1.25 * scale)))


def _blocks(image: Image, factor: int) -> Image:
    """The means of blocks of `factor` by `factor` pixels; the last, incomplete ones are dropped.

    Averaging over whole blocks is several times as fast as over fractions of pixels, and it must be done: sampling a
    large picture here and there turns fine pips to noise.
    """
    if factor < 2:
        return image
    height, width = image.shape[0] // factor, image.shape[1] // factor
    if not (height and width):
        return image
    whole = image[: height * factor, : width * factor]
    # Halfway between two pixels is their mean as well, and OpenCV is twice as quick at it.
    way = cv2.INTER_LINEAR if factor == 2 else cv2.INTER_AREA
    return np.asarray(cv2.resize(whole, (width, height), interpolation=way), dtype=np.uint8)


def look_at(image: Image, box: Float, size: int, *, context: float = MARGIN, turn: float = 0.0) -> Image:
    """The square around a box, `context` times its longer side wide, as (size, size, 3), turned by `turn` degrees.

    Beyond the picture's edge it is mirrored.
    """
    left, top, right, bottom = (float(side) for side in box)  # plain numbers: arrays of two take ten times as long
    x, y, reach = (left + right) / 2, (top + bottom) / 2, max(1.0, context * max(right - left, bottom - top))
    angle = math.radians(turn)
    half = reach * (0.5 * (abs(math.cos(angle)) + abs(math.sin(angle))) + 0.05)  # reaches the turned square's corners
    begin, above = max(0, math.floor(x - half)), max(0, math.floor(y - half))
    piece = image[above : max(above + 1, math.ceil(y + half)), begin : max(begin + 1, math.ceil(x + half))]
    if piece.size == 0:
        return np.zeros((size, size, 3), np.uint8)
    factor = _whole_factor(size / reach)
    small = _blocks(piece, factor)
    factor = 1 if small is piece else factor
    # A block's middle lies between pixels: (x + 0.5) / factor - 0.5.
    x, y = (x - begin + 0.5) / factor - 0.5, (y - above + 0.5) / factor - 0.5
    matrix = cv2.getRotationMatrix2D((x, y), turn, size / reach * factor)
    matrix[0, 2] += size / 2 - x
    matrix[1, 2] += size / 2 - y
    look = cv2.warpAffine(small, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(look, dtype=np.uint8)


def suppress(
    xyxy: Float, scores: Float, surely: npt.NDArray[np.bool_], pips: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.int64]:
    """Rows to keep, best first, class or not: one die has one top face.

    surely: (n,) rows that are a die with some certainty; pips: (n,) rows that may be a pip of one, all when left out.
    A row falls when it lies within a much larger one of the sure rows that is better, or not much worse than what may
    be a pip (seen from near, one looks like a token); when it shares more than 0.26 (intersection over union) with a
    better one; when more than 0.7 of the smaller of the two lies in the other; or when their middles are nearer to each
    other than half a die. Of the 4,468 pairs of neighbours labelled in the training and development photos one alone
    shares more or lies nearer, and that is an error of the labels.
    """
    area = areas(xyxy)
    standing = np.ones(len(xyxy), np.bool_)
    if len(xyxy) and area.max() > MUCH_LARGER * area.min():
        within = (common_areas(xyxy, xyxy) > INSIDE * area[:, None]) & (area[None] > MUCH_LARGER * area[:, None])
        least = scores if pips is None else np.where(pips, scores, scores / AS_GOOD)
        standing = ~np.any(within & surely[None] & (scores[None] >= AS_GOOD * least[:, None]), axis=1)
    x, y = xyxy[:, 0] + xyxy[:, 2], xyxy[:, 1] + xyxy[:, 3]  # twice the middles
    near = TOO_NEAR * (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0)
    keep: list[int] = []
    for row in np.argsort(-scores, kind="stable").tolist():
        if standing[row]:  # few do: rivals of these alone are looked for, not of all
            keep.append(row)
            shared = common_areas(xyxy[row : row + 1], xyxy)[0]
            standing &= shared <= OVERLAPPING * (area[row] + area - shared)
            standing &= shared <= INSIDE * np.maximum(np.minimum(area[row], area), 1e-6)
            standing &= np.hypot(x - x[row], y - y[row]) >= near[row] + near
    return np.array(keep, dtype=np.int64)


def of_two(xyxy: Float, legible: Float) -> npt.NDArray[np.bool_]:
    """(n,) True for rows in which two other rows lie beside each other, both legible beyond doubt, as they are not: two
    dice that touch, found as one. legible: (n,) chances of being a die and of its face."""
    area, shared = areas(xyxy), common_areas(xyxy, xyxy)
    apart = shared <= OVERLAPPING * (area[:, None] + area - shared)
    within = (shared > INSIDE * area) & (legible > BEYOND_DOUBT) & (area[:, None] > area)  # column: in row
    two = np.einsum("ij,jk,ik->i", within.astype(np.int32), apart.astype(np.int32), within.astype(np.int32)) > 0
    return np.asarray(two & (legible < BEYOND_DOUBT))


def merged(xyxy: Float, scores: Float, kept: npt.NDArray[np.int64]) -> Float:
    """The boxes of the rows kept, each the mean of its near-copies among all rows, weighted by their scores.

    They tremble half as much as the best box of each die does (weighted boxes fusion: Solovyev, Wang and Gabruseva,
    Image and Vision Computing 107, 2021).
    """
    area, shared = areas(xyxy), common_areas(xyxy[kept], xyxy)
    alike = shared > ALIKE * (area[kept][:, None] + area[None] - shared)
    alike[np.arange(len(kept)), kept] = True  # a box without area too
    weights = np.where(alike, scores[None], np.float32(0))
    return np.asarray(weights @ xyxy / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def thin(xyxy: Float, scores: Float) -> npt.NDArray[np.int64]:
    """Rows to keep, best first, when only near-copies of a better row shall go; a closer look decides the rest."""
    area, shared = areas(xyxy), common_areas(xyxy, xyxy)
    rivals = shared > ALIKE * (area[:, None] + area[None] - shared)
    keep: list[int] = []
    standing = np.ones(len(scores), np.bool_)
    for row in np.argsort(-scores, kind="stable").tolist():
        if standing[row]:
            keep.append(row)
            standing &= ~rivals[row]
    return np.array(keep, dtype=np.int64)


def areas(xyxy: Float) -> Float:
    """(n,)."""
    return np.asarray(np.maximum(xyxy[:, 2] - xyxy[:, 0], 0) * np.maximum(xyxy[:, 3] - xyxy[:, 1], 0))


def common_areas(these: Float, those: Float) -> Float:
    """Common areas of k boxes with n others, (k, n)."""
    left, top, right, bottom = those.T
    wide = np.minimum(these[:, 2:3], right) - np.maximum(these[:, 0:1], left)
    high = np.minimum(these[:, 3:4], bottom) - np.maximum(these[:, 1:2], top)
    return np.asarray(np.maximum(wide, 0) * np.maximum(high, 0))


def mostly_small(xyxy: Float, scores: Float, sure: float) -> bool:
    """Whether half of the dice found with at least the score `sure` are small; False where none was."""
    found = scores >= sure
    kept = suppress(xyxy[found], scores[found], found[found])
    sides = (xyxy[found][kept, 2:] - xyxy[found][kept, :2]).max(axis=1, initial=0)
    return bool(len(sides)) and float(np.median(sides)) < SMALL


def lonely_specks(xyxy: Float, scores: Float, *, sure: float, share: float) -> npt.NDArray[np.bool_]:
    """(n,) True for rows smaller than `share` of the usual size of the sure rows, unless they are sure themselves.

    Dice on a table differ in size, but a crumb seen at full resolution is no die beside dice twenty times its size.
    sure: the score from which a row is trusted.
    """
    sides = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0)
    trusted = sides[scores >= sure]
    if not len(trusted):
        return np.zeros(len(scores), bool)
    return np.asarray((sides < share * np.median(trusted)) & (scores < sure))


def lone_giants(xyxy: Float, sure: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """(n,) True for rows more than 2.2 times as large as every other sure row, if there is one: cards with pips.

    Of the labelled dice in the training and development photos, some of four sizes on one table, none is more than
    1.8 times as large as the largest other in its picture. sure: (n,) rows that are dice beyond doubt.
    """
    sides = (xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=0)
    others = np.where(sure[None] & ~np.eye(len(sides), dtype=np.bool_), sides[None], 0).max(axis=1, initial=0)
    return np.asarray((others > 0) & (sides > GIANT * others))
