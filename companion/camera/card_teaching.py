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

MOST_LOOKS = 4  # images kept, because several hosts may teach at once
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
        self._looks: OrderedDict[int, TeachingImage] = OrderedDict()
        self._reader: tuple[CardSet | None, CardReader] = (None, CardReader(Index(())))
        self._lock = threading.Lock()

    def look(self, number: int, jpeg: bytes, cards: CardSet) -> TeachingImage:
        """Finds the cards in an image.

        Raises:
            Unusable: It is not an image.
        """
        with self._lock:
            held = self._looks.get(number)
            image = decode(jpeg, "the picture") if held is None else held.image
            look = self._named(
                TeachingImage(number, jpeg, image, held.found if held else _outlined(image, cards)), cards
            )
            self._looks[number] = look
            self._looks.move_to_end(number)
            while len(self._looks) > MOST_LOOKS:
                self._looks.popitem(last=False)
            return look

    def held(self, number: int, cards: CardSet | None = None) -> TeachingImage | None:
        """An image from before, with the names that `cards` gives now; None if it is gone."""
        with self._lock:
            look = self._looks.get(number)
            if look is not None:
                self._looks.move_to_end(number)
            return look if look is None or cards is None else self._named(look, cards)

    def taught(self, look: TeachingImage, card: int, turn: int, kind: str, cards: CardSet) -> CardSet:
        """The set with this card added.

        Raises:
            NotOneCard: There is no card of this number.
        """
        if not 0 <= card < len(look.found):
            raise NotOneCard("this card is not in the picture. Try again")
        with self._lock:
            cards = cards.taught(as_face(kind, look.cut(card, turn)))
            found = (*look.found[:card], replace(look.found[card], kind=kind), *look.found[card + 1 :])
            if look.number in self._looks:
                self._looks[look.number] = replace(look, found=found)
            return cards

    def alike(self, cards: CardSet) -> list[tuple[str, str]]:
        """Kinds too similar to distinguish; another image of one of them helps."""
        with self._lock:
            return alike(self._reader_of(cards).index)

    def _named(self, look: TeachingImage, cards: CardSet) -> TeachingImage:
        reader = self._reader_of(cards)
        if not cards.faces:
            return replace(look, found=tuple(replace(one, kind=None) for one in look.found))
        known = set(cards.kinds)
        found = []
        for one in look.found:
            if one.kind not in known:
                one = replace(one, kind=reader.recognise(look.image, np.array(one.quad)).kind)
            found.append(one)
        return replace(look, found=tuple(found))

    def _reader_of(self, cards: CardSet) -> CardReader:
        known, reader = self._reader
        if known is None or known.faces != cards.faces:
            reader = CardReader(Index(cards.faces))
            self._reader = (cards, reader)
        return reader


def _outlined(image: Image, cards: CardSet) -> tuple[FoundCard, ...]:
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
