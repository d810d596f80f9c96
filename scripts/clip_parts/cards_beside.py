"""Films of a card game: real and drawn cards on a photographed table beside dice cut out of real photos."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.krone.state import State
from scripts.clip_parts.clip import frames_at
from scripts.clip_parts.hand import hand
from scripts.clip_parts.lens import ClipCamera, Lens
from scripts.clip_parts.play import Play
from scripts.clip_parts.smear import Pose, compose
from scripts.clip_parts.stock import Stock, table
from scripts.clip_parts.turns import ClipPlayer
from tests.kit.card_film import KINDS, SIZE, CardFilm, CardsOnTable, taught_faces
from tests.kit.card_games import STILL, CardPlayers, payable
from tests.kit.card_table import LaidCard, corners_of, paste_card
from tests.kit.degrade import packed
from tests.kit.dice import Picture
from tests.kit.filmed_cards import done, script
from tests.kit.script import Wait
from vision.cards.card_reader import CardReader
from vision.cards.faces import Face, Index
from vision.cards.teaching import as_face, cut_out, face_in
from vision.sources.jpeg import decode
from vision.table.layout import DrawnAreas
from vision.table.mat import Polygon

ROOM = 650.0, 265.0, 1270.0, 712.0  # left, top, right, bottom of the dice in an image of 1280×720
# Pixels, likewise: width of a die with its corners. Larger beside cards than on a real table, so that the die itself
# has the 36 pixels that the documentation asks for.
DIE = 45.0, 50.0
IN_LINE = 1.15  # die widths between dice set aside: ten fit into one row
CARD_HAND = 19.0  # pixels, likewise: width of a die in proportion to a hand at the cards
FROM_RIGHT = -0.5, 0.3  # directions from which dice are rolled in: past the dice set aside
RATE = 10.0  # frames per second
BEFORE, AFTER = 1.5, 2.5  # seconds without events around a turn


def real_cards(folder: Path) -> list[tuple[Face, Picture]]:
    """The cards of which there are two pictures: the publisher's, as taught, and the one cut out of a webcam's."""
    faces = [as_face(path.stem, face_in(_load(path), path.stem)) for path in sorted((folder / "ref").iterdir())]
    reader, cards = CardReader(Index(faces)), []
    for path in sorted((folder / "webcam").iterdir()):
        picture = _load(path)
        found = [card for card in reader.read(picture, unknown=False) if card.kind == path.stem]
        if found:
            face = next(face for face in faces if face.kind == path.stem)
            cards.append((face, cut_out(picture, np.array(found[0].quad))))
    return cards


def _load(path: Path) -> Picture:
    return decode(path.read_bytes(), str(path))


class ComposedCardFilm(CardFilm):
    """One evening before one camera, with everything on one photographed table.

    Attributes:
        faces: The kinds as they are taught: real cards from their publisher's pictures, the others from a photo.
        areas: For the dice, as a player draws them on the page.
        words: Description of the scene.
    """

    def __init__(self, seed: int, stock: Stock, real: Sequence[tuple[Face, Picture]], size: tuple[int, int]) -> None:
        super().__init__(seed, size=size)
        cv2.setRNGSeed(seed)  # of the noise
        self.chance = np.random.default_rng([0xCAFD, seed])
        shape = real[0][0].image.shape[:2]  # cards of one game have one size
        self.face_of = {kind: _shaped(picture, shape) for kind, picture in self.face_of.items()}
        self.faces = {face.kind: face for face in taught_faces(self)}
        for place, kind in enumerate(self.chance.permutation(KINDS)[: len(real)]):
            face, shown = real[place]
            self.faces[str(kind)] = Face(str(kind), face.image)
            self.face_of[str(kind)] = _shaped(shown, shape)
        self.ground = table("photo", size, stock.photos, self.chance).astype(np.float32)
        width = float(self.chance.uniform(*DIE)) * self.scale
        self.play = Play(size, width, self.chance)
        left, top, right, low = (side * self.scale for side in ROOM)
        self.play.room = left, top, right, low
        self.play.from_angles = FROM_RIGHT
        source = stock.sources()[int(self.chance.integers(len(stock.sources())))]
        self.player = ClipPlayer(stock, self.play, self.chance, source)
        self.play.in_line = IN_LINE
        self.areas = self._areas()
        sensor = ClipCamera(size, RATE, 1 / 40, blur=self.blur, grain=0.0, light=self.exposure, drift=0.02)
        self._lens = Lens(sensor, 0, self.chance)
        self._hand = hand("flat", CARD_HAND * self.scale, self.chance, seed % 6, seed % 2 == 0)
        self.shown = 0.0  # seconds of the dice's time up to which frames were made
        sleeved = ", sleeved" if self.sleeved else ""
        self.words = f"{size[0]}×{size[1]}, {source} dice of {width:.0f} px, {len(self.lamps)} reflections{sleeved}"

    def frame(
        self,
        table: CardsOnTable,
        hand: tuple[tuple[float, float], tuple[float, float]] | None = None,
        carried: LaidCard | None = None,
        dice: Picture | None = None,
    ) -> Picture:
        """One frame while the dice rest. `hand`: wrist and fingertip; `carried`: a card in it."""
        canvas = self.table_image(table).copy()
        if carried is not None:
            quad = cv2.perspectiveTransform(corners_of(carried)[None], self.camera)[0]
            paste_card(canvas, np.zeros(self.size[::-1], np.int32), 0, carried, quad)
        scene = _bytes(canvas)
        if hand is not None:
            (wrist, tip) = hand
            degrees = math.degrees(math.atan2(wrist[0] - tip[0], wrist[1] - tip[1]))
            compose(scene, [(self._hand, Pose(*tip, degrees))])
        return next(self._taken([self.shown], scene))

    def dice_frames(self, table: CardsOnTable, until: float) -> Iterator[Picture]:
        """The frames up to this moment of the dice's time, seconds, while the cards rest."""
        times = [t for t in self.play.frame_times(RATE) if self.shown <= t < until]
        yield from self._taken(times, _bytes(self.table_image(table)))
        self.shown = max(self.shown, min(until, self.play.clock))

    def _taken(self, times: Sequence[float], scene: Picture) -> Iterator[Picture]:
        tint = np.arange(256)[:, None] * np.array([1 - self.warmth, 1, 1 + self.warmth])
        colours = _bytes(tint)[None]
        noise, level = np.empty((*self.size[::-1], 3), np.int16), np.full(3, self.noise)
        for picture in frames_at(times, self.play, scene, self._lens, 0):
            cv2.randn(noise, np.zeros(3), level)
            coloured = np.asarray(cv2.LUT(picture, colours), np.uint8)
            yield packed(np.asarray(cv2.add(coloured, noise, dtype=cv2.CV_8U), np.uint8), self.quality)

    def _areas(self) -> DrawnAreas:
        """One area for rolling and one for the row of dice set aside, with the edge half way between them."""
        left, top, right, low = ROOM
        edge = (self.play.lowest() + self.play.row(0)[1]) / 2 / self.scale

        def area(upper: float, lower: float) -> Polygon:
            corners = (left, upper), (right, upper), (right, lower), (left, lower)
            return tuple((x / SIZE[0], y / SIZE[1]) for x, y in corners)

        return DrawnAreas(area(top, edge), area(edge, low))


def filmed_turn(people: CardPlayers, film: ComposedCardFilm, state: State, lines: Sequence[str]) -> Iterator[Picture]:
    """The frames of one turn: dice are rolled, turned and set aside, cards turned and taken."""
    people.payable = payable(state, lines)
    before = len(film.player.entered)
    _, *steps, _ = script([(state, list(lines))])
    film.player.perform([Wait(seconds=BEFORE), *steps, Wait(seconds=AFTER)])
    for when, line in film.player.entered[before:]:
        yield from film.dice_frames(people.table, when)
        for shot in done(people, line):
            yield from [shot.image] * round(STILL * RATE)
    yield from film.dice_frames(people.table, math.inf)


def _shaped(picture: Picture, shape: tuple[int, ...]) -> Picture:
    """The picture stretched to the proportions of another (height, width)."""
    width = picture.shape[1]
    return np.asarray(cv2.resize(picture, (width, round(width * shape[0] / shape[1]))), np.uint8)


def _bytes(picture: npt.NDArray[Any]) -> Picture:
    return np.clip(picture, 0, 255).astype(np.uint8)
