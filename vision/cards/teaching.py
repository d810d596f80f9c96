"""Cuts the face of a card out of a reference photo, and finds kinds too similar to be distinguished."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.card_set import MOST_KIND
from vision.cards.faces import Face, Index
from vision.cards.outlines import ASPECTS, outlines
from vision.cards.quads import Quad, overlap, sides
from vision.sources.header import SHORTEST_SIDE
from vision.types import Image

TALL = 360  # pixels: maximum long side of a stored face
SMALLEST = 60  # pixels: minimum long side of a card in a reference photo
ALONE = 0.45  # minimum share of the image that the printed frame of a cropped card fills
SQUARE = 0.03  # maximum slope of its sides
SQUARE_PIXELS = 2.5  # the same in pixels, for small images
WINDOW = 0.7  # of a card's short side: minimum width of printed art or a text box
OFF_CENTRE = 0.08  # minimum distance of a window's centre from the card's, as a share of the long side
PRINT_AROUND = 0.35  # edge strength outside / inside a window: below it the outside is a table
OTHER_SIZE = 1.15  # ratio of areas of two windows: cards of one game differ less
TOO_ALIKE = 0.12  # minimum share of a face's features that no other kind has
ROOM = 0.04  # of the image: maximum distance of a frame or window from the centre line
AROUND = 320  # pixels: long side of the image in which edges are measured


class NotOneCard(ValueError):
    """The image does not show exactly one card; the message is one sentence for the player."""


def face_in(picture: Image, name: str = "the picture") -> Image:
    """The face of the only card in an image, which may also be cropped to the card; orientation as in the image.

    Args:
        picture: (H, W, 3) BGR.
        name: What error messages call the image.

    Raises:
        NotOneCard: The image is too small, or shows no card or several.
    """
    if max(picture.shape[:2]) < SMALLEST:
        raise NotOneCard(f"{name} is too small: the card needs at least {SMALLEST} pixels")
    if picture.std() < 4:
        raise NotOneCard(f"{name} shows no card")
    quads = [quad for quad in outlines(picture, most=0.97) if sides(quad).max() >= SMALLEST]
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
    """The face inside an outline, perspective removed; the outline's first corner becomes the top left."""
    a, b, c, d = sides(quad)
    wide, tall = (a + c) / 2, (b + d) / 2
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
    """Pairs of kinds that share nearly all their features; a better or second photo of one of them would help."""
    return index.alike(TOO_ALIKE)


def turned_face(image: Image, degrees: int) -> Image:
    """A face rotated clockwise by 0, 90, 180 or 270 degrees."""
    return np.ascontiguousarray(np.rot90(image, -degrees // 90))


def as_face(kind: str, image: Image) -> Face:
    """A face for a card set, scaled to the size at which faces are stored.

    Raises:
        NotOneCard: The name is empty or too long.
    """
    if not 0 < len(kind) <= MOST_KIND:
        raise NotOneCard(f"a card needs a name of at most {MOST_KIND} letters")
    return Face(kind, _kept(image))


def _kept(image: Image) -> Image:
    """The image at the size of stored faces; small ones are enlarged, so that every version can read the file."""
    short, long = sorted(image.shape[:2])
    scale = max(min(1.0, TALL / long), SHORTEST_SIDE / short)
    if scale == 1.0:
        return image
    size = [max(SHORTEST_SIDE, round(side * scale)) for side in (image.shape[1], image.shape[0])]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def _is_just_the_card(picture: Image, quads: list[Quad]) -> bool:
    """Whether the image is cropped to one card and the outlines are printed on it."""
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
    """Whether an outline is the printed frame of a card that fills the image: large, centred, sides parallel."""
    height, width = picture.shape[:2]
    share = cv2.contourArea(quad.astype(np.float32)) / (width * height)
    _, middle = _span(picture, quad, long=False)
    return bool(share > ALONE and _is_straight(picture, quad) and (share > 0.75 or abs(middle - 0.5) < ROOM))


def _is_a_window(picture: Image, quad: Quad) -> bool:
    """Whether an outline may be the art or the text box of a card that fills the image.

    These are nearly as wide as the card, centred across it but not along it, with parallel sides.
    """
    wide, middle = _span(picture, quad, long=False)
    _, along = _span(picture, quad, long=True)
    in_place = wide > WINDOW and abs(middle - 0.5) < ROOM and abs(along - 0.5) > OFF_CENTRE
    return in_place and _is_straight(picture, quad)


def _span(picture: Image, quad: Quad, *, long: bool) -> tuple[float, float]:
    """Length and centre of an outline along the image's long or short side, as fractions of that side."""
    height, width = picture.shape[:2]
    axis, side = (0, width) if (width > height) == long else (1, height)
    low, high = float(quad[:, axis].min()) / side, float(quad[:, axis].max()) / side
    return high - low, (low + high) / 2


def _is_straight(picture: Image, quad: Quad) -> bool:
    """Whether an outline's sides are parallel to the image's."""
    height, width = picture.shape[:2]
    left, top = quad[:, 0], quad[:, 1]
    lean = max(abs(left[0] - left[3]), abs(left[1] - left[2])), max(abs(top[0] - top[1]), abs(top[3] - top[2]))
    return bool(max(lean) <= SQUARE_PIXELS or max(lean[0] / height, lean[1] / width) < SQUARE)


def _print_around(picture: Image, quad: Quad) -> float:
    """Mean edge strength outside an outline divided by that inside; 0 if there is no outside."""
    scale = AROUND / max(picture.shape[:2])
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    edges = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * scale).astype(np.int32), 1)
    # Neither side includes the outline itself or the image's border.
    outside = cv2.dilate(mask, np.ones((13, 13), np.uint8)) == 0
    outside[:4] = outside[-4:] = False
    outside[:, :4] = outside[:, -4:] = False
    inside = cv2.erode(mask, np.ones((9, 9), np.uint8)) > 0
    if not outside.any() or not inside.any():
        return 0.0
    return float(edges[outside].mean() / max(1e-6, edges[inside].mean()))
