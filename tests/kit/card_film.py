"""Renders drawn cards of a game on a table as a camera sees them."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from engine.krone.cards import CARDS
from tests.kit.card_table import Conditions, LaidCard, Points, _box, _hand, corners_of, paste_card, photograph_cards
from tests.kit.degrade import packed
from tests.kit.dice import Picture
from tests.kit.editions import face
from tests.kit.table import surface
from vision.cards.faces import Face
from vision.cards.outlines import outlines
from vision.cards.quads import overlap
from vision.cards.teaching import cut_out

SIZE = (1280, 720)
KINDS = tuple(CARDS)
ROW, LOWER = 10, 0.35  # cards cards in a row; vertical distance of rows from the middle of a tableau, card widths
RIM, RIM_COLOUR = 6, (38, 52, 70)  # of the tray for dice: pixels, BGR
ZONES = {  # left, top, right, bottom in pixels of a table seen from straight above
    "display": (20, 16, 790, 262),
    "C": (815, 60, 1265, 215),
    "A": (20, 372, 630, 527),
    "B": (20, 550, 630, 705),
}


@dataclass(slots=True)
class CardsOnTable:
    """The cards on the table. `tableaux`: kinds in the order they arrived; `across`: turned ones."""

    display: dict[str, int]
    tableaux: dict[str, list[str]]
    across: set[tuple[str, int]] = field(default_factory=set)
    shifts: dict[tuple[str, int], tuple[float, float, float]] = field(default_factory=dict)


class CardFilm:
    """A camera for one evening: an edition, a table, its light, and the arrangement of cards."""

    def __init__(self, seed: int, width: float = 60.0, size: tuple[int, int] = SIZE) -> None:
        """Arranges the table.

        Args:
            width: Of a card in an image of 1280×720, pixels.
            size: Of the image, pixels; larger ones show the same table in more detail.
        """
        self.size = size
        self.rng = np.random.default_rng([0xCA6A, seed])
        self.edition = 100 + seed
        self.width = width
        self.sleeved = bool(self.rng.uniform() < 0.3)
        self.step = float(self.rng.uniform(0.72, 0.95)) * width
        self.slant = float(self.rng.uniform(0, 0.25))
        self.blur = float(self.rng.uniform(0.4, 0.8))
        self.noise = float(self.rng.uniform(1, 3.5))
        self.exposure = float(self.rng.uniform(0.7, 1.05))
        self.warmth = float(self.rng.uniform(-0.1, 0.12))
        self.quality = int(self.rng.integers(75, 93))
        ground = surface(1000 + seed)[..., ::-1]
        self.ground = np.asarray(cv2.resize(ground, (size[0], size[0]))[: size[1]], np.float32)
        w, h = SIZE
        away = self.slant * w / 8
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        there = np.array([[away, 0], [w - away, 0], [w, h], [0, h]], np.float32)
        self.camera = cv2.getPerspectiveTransform(corners, there * np.float32(self.scale))
        self.lamps = [
            (float(self.rng.uniform(0, w)), float(self.rng.uniform(0, h)), float(self.rng.uniform(25, 45)))
            for _ in range(int(self.rng.integers(0, 3)))
        ]
        self.grain = self.rng.normal(0, 1, (size[1] + 64, size[0] + 64, 3)).astype(np.float32)
        self._canvas: tuple[object, npt.NDArray[np.float32]] | None = None
        self.face_of = {kind: face(self.edition, number) for number, kind in enumerate(KINDS)}

    @property
    def scale(self) -> float:
        """Pixels of the image per pixel of one of 1280×720."""
        return self.size[0] / SIZE[0]

    @property
    def zones(self) -> dict[str, tuple[tuple[float, float], ...]]:
        """The zones in the image, in fractions of its size."""
        seen = {}
        for name, (left, top, right, low) in ZONES.items():
            flat = np.array([[[left, top], [right, top], [right, low], [left, low]]], np.float64)
            there = cv2.perspectiveTransform(flat, self.camera)[0] / self.size
            seen[name] = tuple((float(min(1, max(0, x))), float(min(1, max(0, y)))) for x, y in there)
        return seen

    def taught(self) -> list[tuple[str, Picture, Points]]:
        """Each kind in an image with rows of five: kind, image, corners. Other light and table than in the film."""
        images = []
        for first in range(0, len(KINDS), 5):
            row = [
                LaidCard(kind, self.face_of[kind], (180.0 + 230 * n, 330.0), 130.0, float(self.rng.normal(0, 3)))
                for n, kind in enumerate(KINDS[first : first + 5])
            ]
            light = Conditions(blur=0.5, noise=2, quality=88, exposure=float(self.rng.uniform(0.8, 1.05)))
            picture, placed = photograph_cards(row, self.edition + first, SIZE, light, ground=3 + self.edition)
            images += [(card.kind, picture, card.quad) for card in placed]
        return images

    def place(self, table: CardsOnTable, seat: str, number: int) -> tuple[float, float, float]:
        """Centre and rotation in degrees of a card of a tableau."""
        left, top, right, low = ZONES[seat]
        x, y, turn = table.shifts.get((seat, number), (0.0, 0.0, 0.0))
        across = 90.0 if (seat, number) in table.across else 0.0
        row, column = divmod(number, ROW)
        # A second row is lower and a little to the right and half covers the first, as at the edge of a table.
        step = min(self.step, (right - left - 2.0 * self.width) / (ROW - 1))
        return (
            left + (0.85 + 0.25 * row) * self.width + column * step + x,
            (top + low) / 2 + (2 * row - 1) * LOWER * self.width + y,
            turn + across,
        )

    def stack(self, kind: str) -> tuple[float, float]:
        """Centre of a stack of the display."""
        number = KINDS.index(kind)
        left, top, _, _ = ZONES["display"]
        return left + 44 + (number % 10) * 75.0, top + 62 + (number // 10) * 122.0

    def frame(
        self,
        table: CardsOnTable,
        hand: tuple[tuple[float, float], tuple[float, float]] | None = None,
        carried: LaidCard | None = None,
        dice: Picture | None = None,
    ) -> Picture:
        """One frame. `hand`: wrist and fingertip; `carried`: a card in it; `dice`: contents of the tray at the lower
        right."""
        canvas = self.table_image(table).copy()
        if dice is not None:
            canvas[-dice.shape[0] - RIM :, -dice.shape[1] - RIM :] = RIM_COLOUR
            canvas[-dice.shape[0] :, -dice.shape[1] :] = dice
        if carried is not None:
            quad = cv2.perspectiveTransform(corners_of(carried)[None], self.camera)[0]
            paste_card(canvas, np.zeros(self.size[::-1], np.int32), 0, carried, quad)
        if hand is not None:
            (wrist, tip) = hand
            mask = _hand(self.size, wrist, tip, 95.0 * self.scale)
            soft = cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None].astype(np.float32) / 255
            canvas += (np.array([95, 125, 185], np.float32) - canvas) * soft
        down, right = (int(v) for v in self.rng.integers(0, 64, 2))
        light = self.exposure * float(self.rng.normal(1, 0.004))
        canvas *= light * np.array([1 - self.warmth, 1, 1 + self.warmth], np.float32)
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), self.blur), np.float32)
        canvas += self.noise * self.grain[down : down + self.size[1], right : right + self.size[0]]
        picture = np.clip(canvas, 0, 255).astype(np.uint8)
        return packed(picture, self.quality)

    def cards_on(self, table: CardsOnTable) -> list[LaidCard]:
        """Every card on the table, bottom to top."""
        cards = []
        for kind, count in table.display.items():
            x, y = self.stack(kind)
            for level in range(min(count, 3)):  # the cards of a stack are slightly displaced
                shift = float(((7 * KINDS.index(kind) + 3 * level) % 7) - 3) * 0.6
                cards.append(
                    LaidCard(kind, self.face_of[kind], (x + shift, y + shift), self.width, shift, sleeved=self.sleeved)
                )
        for seat, kinds in table.tableaux.items():
            for number, kind in enumerate(kinds):
                px, py, degrees = self.place(table, seat, number)
                cards.append(LaidCard(kind, self.face_of[kind], (px, py), self.width, degrees, sleeved=self.sleeved))
        return cards

    def table_image(self, table: CardsOnTable) -> npt.NDArray[np.float32]:
        """The table (H, W, 3) with its cards, without camera noise; must not be changed."""
        cards = self.cards_on(table)
        key = tuple((card.kind, card.middle, card.degrees) for card in cards)
        if self._canvas is not None and self._canvas[0] == key:
            return self._canvas[1]
        canvas = self.ground.copy()
        whose = np.zeros(self.size[::-1], np.int32)
        for card in cards:
            quad = cv2.perspectiveTransform(corners_of(card)[None], self.camera)[0]
            if card.sleeved:
                rim = cv2.perspectiveTransform(corners_of(card, 1.07)[None], self.camera)[0]
                cv2.fillPoly(canvas, [np.round(rim * 16).astype(np.int32)], (205, 205, 210), cv2.LINE_AA, 4)
            box = _box(quad, self.size, 8)
            corner = np.array([box[1].start, box[0].start])
            shade = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.float32)
            cv2.fillPoly(shade, [np.round((quad + 1.5 - corner) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
            canvas[box] *= 1 - 0.3 * cv2.GaussianBlur(shade, (0, 0), 2)[..., None]
            paste_card(canvas, whose, 1, card, quad)
        rows, columns = np.mgrid[0 : self.size[1], 0 : self.size[0]].astype(np.float32)
        for x, y, reach in np.multiply(self.lamps, self.scale):
            spot = 200 * np.exp(-(((columns - x) / reach) ** 2) - ((rows - y) / (0.6 * reach)) ** 2)
            canvas += spot[..., None].astype(np.float32)
        self._canvas = (key, canvas)
        return canvas


def taught_faces(film: CardFilm) -> list[Face]:
    """Each kind taught from one image, as the page does it. A card whose outline includes some table, which a user
    would notice, is shown again."""
    faces = []
    for kind, picture, quad in film.taught():
        quads = sorted(outlines(picture), key=lambda one: -overlap(one, quad))
        fits = bool(quads) and overlap(quads[0], quad) > 0.7 and overlap(quads[0], quad, of_first=True) > 0.95
        best = quads[0] if fits else quad
        first = int(np.hypot(*(best - quad[0]).T).argmin())
        faces.append(Face(kind, cut_out(picture, np.roll(best, -first, axis=0))))
    return faces
