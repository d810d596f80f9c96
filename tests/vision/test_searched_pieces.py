"""During motion only changed regions are searched: nothing outside is lost, duplicated or forgotten."""

from __future__ import annotations

import itertools
from functools import cache

import cv2
import numpy as np
import pytest

from companion.resources import resource
from tests.vision.moving_table import DIE, table
from tests.vision.squares import DICE, Squares, filmed, picture
from vision.boxes import Piece, among
from vision.dice.detections import Detections, chosen, joined
from vision.dice.detector import Detector
from vision.dice.tiling import search_grid, uncut
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.table.layout import WholePicture
from vision.tracking.motion import MotionGate
from vision.tracking.regions import pieces
from vision.types import Frame

WHOLE = (640, 480)
NONE = np.zeros((0, 4), np.float32)


class Seeks(Squares):
    """Searches pieces, each as if nothing were around it, and logs them and the dice it reads.

    It takes a part of a die cut by an edge for a whole die that ends a little before the edge.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[Piece] = []
        self.read_at: list[tuple[float, ...]] = []

    def search(self, image, given, die, known) -> Detections:
        found = Detections.none()
        for left, top, right, low in given:
            self.pieces.append((left, top, right, low))
            seen = Squares.detect(Squares(), image[top:low, left:right])
            boxes = seen.xyxy + np.array([left, top, left, top], np.float32)
            cut = ~uncut(boxes, (left, top, right, low), WHOLE)
            boxes[cut] += np.array([3, 3, -3, -3], np.float32)
            found = joined(found, Detections(boxes, seen.probabilities, seen.scores))
        return chosen(found, ~among(found.xyxy, known))

    def detect(self, image, *, thorough: bool = False) -> Detections:
        before = [*self.read_at]
        found = super().detect(image, thorough=thorough)
        self.read_at = before  # only what it was asked to read is noted
        return found

    def read(self, image, boxes) -> Detections:
        self.read_at += [tuple(map(float, box)) for box in boxes]
        return super().read(image, boxes)


def rolling(n: int) -> tuple[tuple[int, int], ...]:
    """Places of the dice in frame n: all rest, and another one rolls down along the right edge."""
    return (*DICE, (560, 40 + 12 * min(n, 30)))


def test_where_a_die_rolls_is_searched_until_a_search_has_seen_it_at_rest() -> None:
    detector = Seeks()
    pipeline = Pipeline(detector, WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 45)
    detector.pieces.clear()
    filmed(pipeline, rolling, 45, 25)
    assert len(detector.pieces) >= 8
    assert all((right - left) * (low - top) < 0.4 * 640 * 480 for left, top, right, low in detector.pieces)
    detector.pieces.clear()
    reading = filmed(pipeline, lambda n: rolling(25 + n), 70, 40)
    assert detector.pieces.count((0, 0, *WHOLE)) <= 1, "all of the picture a second after the last search"
    assert (round(reading.rolls), reading.active, reading.kept) == (2, (4,), (4, 4, 4))


def test_a_die_cut_by_the_edge_of_a_searched_piece_is_reported_once() -> None:
    """The part inside the piece would become a separate die or seem to have moved."""
    detector = Seeks()
    pipeline = Pipeline(detector, WholePicture())
    resting = tuple((x, y) for x in (245, 325) for y in (60, 140, 225, 305, 390))
    filmed(pipeline, lambda n: resting, 0, 45)
    tracks = None
    for number in range(45, 75):
        image = picture(resting, number)
        left = 390 + 2 * (number - 45)
        image[150:190, left : left + 50] = 60  # a card is pushed
        reading = pipeline.step(Frame(image, number / 30, number))
        tracks = tracks or {die.track for die in reading.dice}
        assert {die.track for die in reading.dice} == tracks
        middles = [((d.xyxy[0] + d.xyxy[2]) / 2, (d.xyxy[1] + d.xyxy[3]) / 2) for d in reading.dice]
        np.testing.assert_allclose(sorted(middles), sorted(resting), atol=1.5)
    assert round(reading.rolls) == 1
    assert any(x - 16 < piece[0] < x + 16 for piece in detector.pieces for x, _ in resting), "an edge went through dice"


def test_unchanged_dice_outside_are_not_read_again_while_something_moves() -> None:
    detector = Seeks()
    pipeline = Pipeline(detector, WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 50)
    detector.read_at.clear()
    detector.pieces.clear()
    reading = filmed(pipeline, rolling, 50, 20)
    assert detector.pieces
    assert [box for box in detector.read_at if box[0] < 200] == [], "a search of the whole reads all it finds"
    assert len(reading.dice) >= 3


def test_a_die_taken_away_while_something_moves_elsewhere_is_missed() -> None:
    """Otherwise a die that is not read again would stay forever."""
    detector = Seeks()
    pipeline = Pipeline(detector, WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 45)
    reading = filmed(pipeline, lambda n: (*DICE[1:], (560, 40 + 12 * (n % 30))), 45, 25)
    assert len([die for die in reading.dice if die.xyxy[0] < 450]) == 2


def test_after_a_black_picture_all_of_the_next_is_searched() -> None:
    detector = Seeks()
    pipeline = Pipeline(detector, WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 60)
    filmed(pipeline, rolling, 60, 6)
    detector.pieces.clear()
    pipeline.step(Frame(np.zeros((480, 640, 3), np.uint8), 66 / 30, 66))
    for number in range(67, 71):
        pipeline.step(Frame(picture(rolling(number - 60), number), number / 30, number))
    assert detector.pieces[:1] == [(0, 0, *WHOLE)]


def test_a_large_hand_does_not_make_all_of_the_picture_seem_changed() -> None:
    """A large hand changes the picture's median brightness; in the demo, every third search was of the whole frame for
    that."""
    gate = MotionGate()
    shaded = np.clip(table() + np.linspace(-60, 60, 640)[None, :, None], 0, 255).astype(np.uint8)
    gate.step(shaded, 0.0, DIE)
    gate.was_searched()
    reaching = shaded.copy()
    cv2.rectangle(reaching, (0, 120), (300, 479), (225, 225, 225), -1)
    gate.step(reaching, 1 / 30, DIE)
    assert gate.to_search(DIE, 128, 64) == [], "the hand alone"
    cv2.rectangle(reaching, (340, 300), (379, 339), (225, 225, 225), -1)
    gate.step(reaching, 2 / 30, DIE)
    assert gate.to_search(DIE, 128, 64) == [(256, 256, 448, 384)], "the die beside it"


def test_where_a_hand_was_is_searched_once_more_after_it_has_left() -> None:
    """The hand itself is not searched, and may leave a die behind."""
    gate = MotionGate()
    gate.step(table(), 0.0, DIE)
    gate.was_searched()
    reaching = table()
    cv2.rectangle(reaching, (0, 120), (300, 479), (225, 225, 225), -1)
    for seconds, seen, searched in ((0.03, reaching, False), (0.2, table(), True), (0.4, table(), True)):
        gate.step(seen, seconds, DIE)
        assert bool(gate.to_search(DIE, 128, 64)) is searched
        gate.was_searched()
    gate.step(table(), 0.6, DIE)
    assert gate.to_search(DIE, 128, 64) == []


def test_known_dice_are_not_read_again_by_a_search(detector: Detector) -> None:
    (image,) = bench_pictures(90)
    whole = detector.detect(image)
    known = whole.xyxy[:1] + np.float32(2)
    seen = detector.search(image, [(0, 0, image.shape[1], image.shape[0])], 0.0, known)
    np.testing.assert_array_equal(seen.xyxy, whole.xyxy[1:])


def test_pieces_are_on_the_grid_and_cover_what_changed_and_a_margin() -> None:
    chance = np.random.default_rng(3)
    for _ in range(200):
        mask = np.zeros((90, 160), np.bool_)
        for x, y in chance.integers((0, 0), (160, 90), (int(chance.integers(1, 4)), 2)):
            mask[y : y + 4, x : x + 4] = True
        cut = pieces(mask, 8.0, 40.0, (1280, 720), 256, 64)
        for y, x in zip(*np.nonzero(mask), strict=True):
            at = [max(0, 8 * x - 40), max(0, 8 * y - 40), min(1280, 8 * x + 48), min(720, 8 * y + 48)]
            assert any(p[0] <= at[0] and p[1] <= at[1] and p[2] >= at[2] and p[3] >= at[3] for p in cut)
        for left, top, right, low in cut:
            assert left % 64 == top % 64 == 0
            assert right % 64 == 0 or right == 1280
            assert low % 64 == 0 or low == 720
            assert right - left >= 256
            assert low - top >= 256
        assert not any(
            a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for i, a in enumerate(cut) for b in cut[:i]
        )


@cache
def bench_pictures(*numbers: int) -> list[np.ndarray]:
    """Some frames of the bundled clip."""
    shots = itertools.islice(frames(str(resource("datasets", "bench", "table30.mp4"))), max(numbers) + 1)
    return [shot.image for shot in shots if isinstance(shot, Frame) and shot.number in numbers]


@pytest.mark.slow
def test_a_piece_shows_the_shipped_reader_the_same_dice_as_the_whole_picture(detector: Detector) -> None:
    """At the same scale: otherwise a resting die would seem to move whenever the searched piece changes."""
    compared = 0
    for image in bench_pictures(90, 180, 240):  # nothing moves
        size = image.shape[1], image.shape[0]
        least, grid = search_grid(image)
        whole = detector.detect(image)
        for left in range(0, size[0] - least, 2 * grid):
            piece = (left, 0, min(size[0], left + 2 * least), min(size[1], 2 * least))
            seen = detector.search(image, [piece], 0.0, NONE)
            assert uncut(seen.xyxy, piece, size).all()
            inside = np.array([_well_within(box, piece, size) for box in whole.xyxy], np.bool_)
            for box, face in zip(whole.xyxy[inside], whole.faces[inside], strict=True):
                apart = np.abs(seen.xyxy - box).max(axis=1)
                assert apart.min() < 0.1 * (box[2] - box[0])
                assert seen.faces[apart.argmin()] == face
                compared += 1
    assert compared >= 5


def _well_within(box: np.ndarray, piece: Piece, size: tuple[int, int]) -> bool:
    """Whether the die with a margin of its width is in the piece or at the picture's edge."""
    side = box[2] - box[0]
    grown = np.clip(box + np.array([-side, -side, side, side]), 0, [*size, *size])
    return bool((grown[:2] >= piece[:2]).all() and (grown[2:] <= piece[2:]).all())


def test_a_die_in_two_pieces_that_overlap_is_one_die(detector: Detector) -> None:
    (image,) = bench_pictures(90)
    whole = detector.detect(image)
    width, height = image.shape[1], image.shape[0]
    halves = [(0, 0, round(0.7 * width), height), (round(0.3 * width), 0, width, height)]
    assert len(detector.search(image, halves, 0.0, NONE)) == len(whole) > 0
