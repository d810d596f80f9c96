"""Teaching: the one card of a picture is found and its face cut out; which taught kinds look too alike to be told
apart.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.card_set import MOST_KIND
from vision.cards.faces import Face, Index
from vision.cards.outlines import ASPECTS, Quad, outlines, overlap
from vision.types import Image

TALL = 360  # pixels: faces are kept no higher
SMALLEST = 60  # pixels: the long side of a card that can be taught
ALONE = 0.45  # of a picture with a card's proportions: a card that fills so much of it, square to it, may be all of it
SQUARE = 0.03  # how much its sides may lean then
TOO_ALIKE = 0.12  # of a face's features, when fewer than this are its own
ROOM = 0.04  # of the picture: a card that leaves less on every side is the whole picture


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
    if _may_be_a_card(picture) and (not quads or (len(quads) == 1 and _is_its_frame(picture, quads[0]))):
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
    scale = min(1.0, TALL / max(image.shape[:2]))
    if scale == 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _may_be_a_card(picture: Image) -> bool:
    short, long = sorted(picture.shape[:2])
    return bool(short / long >= ASPECTS[0])


def _is_its_frame(picture: Image, quad: Quad) -> bool:
    """Whether an outline is the frame printed on a card that fills the picture: large, square to it, and in its
    middle.
    """
    height, width = picture.shape[:2]
    share = cv2.contourArea(quad.astype(np.float32)) / (width * height)
    left, top = quad[:, 0], quad[:, 1]
    lean = max(
        abs(left[0] - left[3]) / height,
        abs(left[1] - left[2]) / height,
        abs(top[0] - top[1]) / width,
        abs(top[3] - top[2]) / width,
    )
    return bool(share > ALONE and lean < SQUARE and (share > 0.75 or abs(left.mean() / width - 0.5) < ROOM))


def _long(quad: Quad) -> float:
    return float(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T).max())
