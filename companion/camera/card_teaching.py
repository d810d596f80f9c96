"""Teaching cards through the camera: finds outlines in the newest image, which players name."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cards.card_reader import CardReader
from vision.cards.card_set import CardSet
from vision.cards.faces import Index
from vision.cards.outlines import outlines
from vision.cards.quads import corners_of, sides
from vision.cards.spread import FEWEST, outlines_of_one_size
from vision.cards.teaching import NotOneCard, alike, as_face, cut_out, turned_face
from vision.cards.types import Corners
from vision.sources.jpeg import decode
from vision.types import Image

MAX_IMAGES = 4  # images kept, because several hosts may teach at once
MIN_OUTLINE_SIDE = 40.0  # pixels: minimum long side of an outline that can be taught


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card in an image: its corners in pixels from the top left, and its kind if known."""

    quad: Corners
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TeachingImage:
    """One image with the cards found in it, from the top left to the bottom right."""

    number: int
    jpeg: bytes
    image: Image
    found: tuple[FoundCard, ...]

    def cut(self, card: int, turn: int = 0) -> Image:
        """The face of one card, rotated clockwise by 0, 90, 180 or 270 degrees.

        Raises:
            IndexError: There is no card of this number.
        """
        return turned_face(cut_out(self.image, np.array(self.found[card].quad)), turn)


class CardTeacher:
    """The images being named. Thread-safe."""

    def __init__(self) -> None:
        self._images: OrderedDict[int, TeachingImage] = OrderedDict()
        self._reader: tuple[CardSet | None, CardReader] = (None, CardReader(Index(())))
        self._lock = threading.Lock()

    def find_cards(self, number: int, jpeg: bytes, cards: CardSet) -> TeachingImage:
        """Finds the cards in an image.

        Raises:
            Unusable: It is not an image.
        """
        with self._lock:
            known = self._images.get(number)
            image = decode(jpeg, "the picture") if known is None else known.image
            picture = self._recognised(
                TeachingImage(number, jpeg, image, known.found if known else _find_outlines(image, cards)), cards
            )
            self._images[number] = picture
            self._images.move_to_end(number)
            while len(self._images) > MAX_IMAGES:
                self._images.popitem(last=False)
            return picture

    def image(self, number: int, cards: CardSet | None = None) -> TeachingImage | None:
        """An image from before, with the names that `cards` gives now; None if it is gone."""
        with self._lock:
            picture = self._images.get(number)
            if picture is not None:
                self._images.move_to_end(number)
            return picture if picture is None or cards is None else self._recognised(picture, cards)

    def teach(self, picture: TeachingImage, card: int, turn: int, kind: str, cards: CardSet) -> CardSet:
        """The set with this card added.

        Raises:
            NotOneCard: There is no card of this number.
        """
        if not 0 <= card < len(picture.found):
            raise NotOneCard("this card is not in the picture. Try again")
        with self._lock:
            cards = cards.taught(as_face(kind, picture.cut(card, turn)))
            found = (*picture.found[:card], replace(picture.found[card], kind=kind), *picture.found[card + 1 :])
            if picture.number in self._images:
                self._images[picture.number] = replace(picture, found=found)
            return cards

    def similar_kinds(self, cards: CardSet) -> list[tuple[str, str]]:
        """Kinds too similar to distinguish; another image of one of them helps."""
        with self._lock:
            return alike(self._reader_of(cards).index)

    def _recognised(self, picture: TeachingImage, cards: CardSet) -> TeachingImage:
        reader = self._reader_of(cards)
        if not cards.faces:
            return replace(picture, found=tuple(replace(one, kind=None) for one in picture.found))
        known = set(cards.kinds)
        found = []
        for one in picture.found:
            if one.kind not in known:
                one = replace(one, kind=reader.recognise(picture.image, np.array(one.quad)).kind)
            found.append(one)
        return replace(picture, found=tuple(found))

    def _reader_of(self, cards: CardSet) -> CardReader:
        known, reader = self._reader
        if known is None or known.faces != cards.faces:
            reader = CardReader(Index(cards.faces))
            self._reader = (cards, reader)
        return reader


def _find_outlines(image: Image, cards: CardSet) -> tuple[FoundCard, ...]:
    """The outlines in reading order: rows from top to bottom, each from left to right."""
    aspects = sorted({round(face.aspect, 2) for face in cards.faces})
    quads = outlines(image, aspects)
    if len(quads) >= FEWEST:
        quads = outlines_of_one_size(image, aspects) or quads
    quads = [quad for quad in quads if sides(quad).max() >= MIN_OUTLINE_SIDE]
    if not quads:
        return ()
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in quads]
    usual = float(np.median(areas))
    quads = [quad for quad, area in zip(quads, areas, strict=True) if 0.4 * usual < area < 2.5 * usual]
    tall = float(np.median([np.ptp(quad[:, 1]) for quad in quads]))
    rows: list[list[np.ndarray]] = []
    for quad in sorted(quads, key=lambda quad: float(quad[:, 1].mean())):
        if rows and quad[:, 1].mean() - rows[-1][0][:, 1].mean() < 0.5 * tall:
            rows[-1].append(quad)
        else:
            rows.append([quad])
    ordered = [quad for row in rows for quad in sorted(row, key=lambda quad: float(quad[:, 0].mean()))]
    return tuple(FoundCard(corners_of(quad)) for quad in ordered)
