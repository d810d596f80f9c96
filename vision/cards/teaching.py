"""Teaching: the one card of a picture is found and its face cut out; which taught kinds look too alike to be told
apart.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.card_set import MOST_KIND
from vision.cards.faces import Face, Index
from vision.cards.outlines import ASPECTS, Quad, outlines, overlap
from vision.sources.header import SHORTEST_SIDE
from vision.types import Image

TALL = 360  # pixels: faces are kept no higher
SMALLEST = 60  # pixels: the long side of a card that can be taught
ALONE = 0.45  # of a picture with a card's proportions: a card that fills so much of it, square to it, may be all of it
SQUARE = 0.03  # how much its sides may lean then
SQUARE_PIXELS = 2.5  # the same in pixels: outlines of a small picture are not more exact
WINDOW = 0.7  # of a card's short side: the art and the text box printed on it are at least so wide
OFF_CENTRE = 0.08  # of a card's long side: their middle is at least so far from the card's
PRINT_AROUND = 0.35  # strength of edges outside a window by that inside: less is a table
OTHER_SIZE = 1.15  # the area of a window by that of another one: cards of one game differ less
TOO_ALIKE = 0.12  # of a face's features, when fewer than this are its own
ROOM = 0.04  # of the picture: how far from its middle a frame or window of a card that fills it may be
AROUND = 320  # pixels: the long side of the picture in which edges are measured


class NotOneCard(ValueError):
    """A picture that does not show exactly one card; the message is one sentence for the players."""


def face_in(picture: Image, name: str = "the picture") -> Image:
    """The face of the one card in a picture (H, W, 3), upright as it lies there; the picture may be just the card.

    Raises NotOneCard where none or several are found.
    """
    if max(picture.shape[:2]) < SMALLEST:
        raise NotOneCard(f"{name} is too small: the card needs at least {SMALLEST} pixels")
    if picture.std() < 4:
        raise NotOneCard(f"{name} shows no card")
    quads = [quad for quad in outlines(picture, most=0.97) if _long(quad) >= SMALLEST]
    if quads:
        largest = cv2.contourArea(quads[0].astype(np.float32))
        quads = [quad for quad in quads if cv2.contourArea(quad.astype(np.float32)) > 0.4 * largest]
    quads = [
        quad
        for n, quad in enumerate(quads)
        if not any(overlap(quad, other, of_first=True) > 0.5 for other in quads[:n])
    ]
    if _is_just_the_card(picture, quads):
        return _kept(picture)
    if not quads:
        raise NotOneCard(f"{name} shows no card: put it on a plain surface with all four edges visible")
    if len(quads) > 1:
        raise NotOneCard(f"{name} shows {len(quads)} cards: use one at a time, or all of them on the “Your cards” page")
    return cut_out(picture, quads[0])


def cut_out(picture: Image, quad: Quad) -> Image:
    """The face within an outline, upright as it lies in the picture: its first corner becomes the top left."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    wide, tall = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    scale = min(1.0, TALL / max(wide, tall))
    size = max(16, round(wide * scale)), max(16, round(tall * scale))
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    smooth = picture if scale > 0.7 else cv2.GaussianBlur(picture, (0, 0), 0.4 / scale)
    return np.asarray(
        cv2.warpPerspective(
            smooth, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )


def alike(index: Index) -> list[tuple[str, str]]:
    """Pairs of kinds that share nearly all their features: another picture of one of them would help, or a better
    one.
    """
    return index.alike(TOO_ALIKE)


def turned_face(image: Image, degrees: int) -> Image:
    """A face turned clockwise by 0, 90, 180 or 270 degrees."""
    return np.ascontiguousarray(np.rot90(image, -degrees // 90))


def as_face(kind: str, image: Image) -> Face:
    """A face to be kept, no larger than faces are kept. Raises NotOneCard for a name that no set keeps."""
    if not 0 < len(kind) <= MOST_KIND:
        raise NotOneCard(f"a card needs a name of at most {MOST_KIND} letters")
    return Face(kind, _kept(image))


def _kept(image: Image) -> Image:
    """The image as large as faces are kept: a small one is enlarged, so that every version can read its file."""
    short, long = sorted(image.shape[:2])
    scale = max(min(1.0, TALL / long), SHORTEST_SIDE / short)
    if scale == 1.0:
        return image
    size = [max(SHORTEST_SIDE, round(side * scale)) for side in (image.shape[1], image.shape[0])]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def _is_just_the_card(picture: Image, quads: list[Quad]) -> bool:
    """Whether the outlines in a picture are printed on one card, which the picture was cropped to."""
    short, long = sorted(picture.shape[:2])
    if short / long < ASPECTS[0]:
        return False
    if not quads or (len(quads) == 1 and _is_its_frame(picture, quads[0])):
        return True
    largest, *others = [cv2.contourArea(quad.astype(np.float32)) for quad in quads]
    if any(largest < OTHER_SIZE * other for other in others):
        return False
    return _is_a_window(picture, quads[0]) and _print_around(picture, quads[0]) > PRINT_AROUND


def _is_its_frame(picture: Image, quad: Quad) -> bool:
    """Whether an outline is the frame printed on a card that fills the picture: large, square to it, and in its
    middle.
    """
    height, width = picture.shape[:2]
    share = cv2.contourArea(quad.astype(np.float32)) / (width * height)
    _, middle = _span(picture, quad, long=False)
    return bool(share > ALONE and _is_straight(picture, quad) and (share > 0.75 or abs(middle - 0.5) < ROOM))


def _is_a_window(picture: Image, quad: Quad) -> bool:
    """Whether an outline may be the art or the text box of a card that fills the picture: nearly as wide as the card,
    square to it, in the middle between its long sides and not between its short ones.
    """
    wide, middle = _span(picture, quad, long=False)
    _, along = _span(picture, quad, long=True)
    in_place = wide > WINDOW and abs(middle - 0.5) < ROOM and abs(along - 0.5) > OFF_CENTRE
    return in_place and _is_straight(picture, quad)


def _span(picture: Image, quad: Quad, *, long: bool) -> tuple[float, float]:
    """Length and middle of an outline along the picture's long or short side, in parts of that side."""
    height, width = picture.shape[:2]
    axis, side = (0, width) if (width > height) == long else (1, height)
    low, high = float(quad[:, axis].min()) / side, float(quad[:, axis].max()) / side
    return high - low, (low + high) / 2


def _is_straight(picture: Image, quad: Quad) -> bool:
    """Whether an outline's sides are parallel to the picture's."""
    height, width = picture.shape[:2]
    left, top = quad[:, 0], quad[:, 1]
    lean = max(abs(left[0] - left[3]), abs(left[1] - left[2])), max(abs(top[0] - top[1]), abs(top[3] - top[2]))
    return bool(max(lean) <= SQUARE_PIXELS or max(lean[0] / height, lean[1] / width) < SQUARE)


def _print_around(picture: Image, quad: Quad) -> float:
    """Mean strength of edges outside an outline by that inside; 0 where there is no outside."""
    scale = AROUND / max(picture.shape[:2])
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    edges = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * scale).astype(np.int32), 1)
    # The outline itself belongs to neither, nor do the picture's edges.
    outside = cv2.dilate(mask, np.ones((13, 13), np.uint8)) == 0
    outside[:4] = outside[-4:] = False
    outside[:, :4] = outside[:, -4:] = False
    inside = cv2.erode(mask, np.ones((9, 9), np.uint8)) > 0
    if not outside.any() or not inside.any():
        return 0.0
    return float(edges[outside].mean() / max(1e-6, edges[inside].mean()))


def _long(quad: Quad) -> float:
    return float(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T).max())
