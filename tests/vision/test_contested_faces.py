"""Quick looks and close ones disagree about a face: the close one stands, unless somebody may have turned the die."""

from __future__ import annotations

import numpy as np

from tests.vision.test_scheduler import DICE, Squares, filmed, picture
from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.types import Frame


class Hasty(Squares):
    """Quick looks see another value than close ones, surely; what shows there depends on how bright the square is."""

    def detect(self, image, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        if not thorough:
            return found
        return Detections(found.xyxy, np.roll(found.probabilities, 1, axis=1), found.scores, np.full(len(found), 6.0))

    def read(self, image, boxes) -> Detections:
        seen = super().read(image, boxes)
        chances = np.full_like(seen.probabilities, 0.06)
        for row, box in enumerate(boxes):
            x, y = int((box[0] + box[2]) / 2), int((box[1] + box[3]) / 2)
            chances[row, 0 if image[y, x, 0] > 225 else 3] = 0.7
        return Detections(seen.xyxy, chances, seen.scores)


def test_quick_looks_that_all_err_alike_do_not_outvote_the_close_one() -> None:
    """Found with photos held before the camera: ten quick looks at the same blur made a wrong value certain."""
    pipeline = Pipeline(Hasty(), WholePicture())
    reading = filmed(pipeline, lambda n: DICE, 0, 40)
    assert reading.active == (2, 2, 2)
    # A card is pushed about far away: the dice are read again and again, and lie as they lay.
    for number in range(40, 80):
        image = picture(DICE, number)
        image[400:470, 20 + 3 * number : 90 + 3 * number] = 60
        reading = pipeline.step(Frame(image, number / 30, number))
    assert reading.active == (2, 2, 2)
    assert max(reading.dice[0].probabilities) < 0.9


def test_quick_looks_do_not_turn_a_die_that_no_hand_has_been_near() -> None:
    """Found with a trembling camera: a shadow fell beside a die, and three quick looks outvoted the close one at it."""
    pipeline = Pipeline(Hasty(), WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 40)
    (x, y), shown = DICE[0], []
    for number in range(40, 100):
        image = picture(DICE, number)
        image[y + 10 : y + 26, x - 18 : x + 18] = 205 + number % 2  # within its box
        shown.append(pipeline.step(Frame(image, number / 30, number)))
    assert all(die.value == 2 for reading in shown for die in reading.dice)


def test_a_die_that_shows_something_else_where_it_lies_is_read_anew() -> None:
    pipeline = Pipeline(Hasty(), WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 40)
    for number in range(40, 110):
        image = picture(DICE[1:], number)
        x, y = DICE[0]
        image[y - 18 : y + 18, x - 18 : x + 18] = 205
        reading = pipeline.step(Frame(image, number / 30, number))
    assert reading.settled
    assert sorted(reading.active + reading.kept) == [2, 2, 5]
