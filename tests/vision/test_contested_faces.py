"""If fast and refined passes disagree about a face, the refined one wins, unless a hand may have turned the die."""

from __future__ import annotations

import numpy as np

from tests.vision.squares import DICE, Squares, filmed, picture
from vision.dice.detections import Detections
from vision.pipeline import Pipeline
from vision.table.layout import WholePicture
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.votes import Probabilities
from vision.types import Frame


class Hasty(Squares):
    """Fast passes are sure of another value than refined ones; the face depends on the square's brightness."""

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


def test_fast_passes_with_the_same_error_do_not_outvote_the_refined_one() -> None:
    """Bug: for a photo held before the camera, ten fast passes with the same blur made a wrong face certain."""
    pipeline = Pipeline(Hasty(), WholePicture())
    reading = filmed(pipeline, lambda n: DICE, 0, 40)
    assert reading.active == (2, 2, 2)
    # A card is pushed about far away: the dice are read repeatedly and do not move.
    for number in range(40, 80):
        image = picture(DICE, number)
        image[400:470, 20 + 3 * number : 90 + 3 * number] = 60
        reading = pipeline.step(Frame(image, number / 30, number))
    assert reading.active == (2, 2, 2)
    assert max(reading.dice[0].probabilities) < 0.9


def test_fast_passes_do_not_turn_a_die_that_no_hand_has_been_near() -> None:
    """Bug: when the camera shook, a shadow fell beside a die, and three fast passes outvoted the refined one."""
    pipeline = Pipeline(Hasty(), WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 40)
    (x, y), shown = DICE[0], []
    for number in range(40, 100):
        image = picture(DICE, number)
        image[y + 10 : y + 26, x - 18 : x + 18] = 205 + number % 2  # within its box
        shown.append(pipeline.step(Frame(image, number / 30, number)))
    assert all(die.value == 2 for reading in shown for die in reading.dice)


def test_a_die_that_shows_something_else_in_its_place_is_read_again() -> None:
    pipeline = Pipeline(Hasty(), WholePicture())
    filmed(pipeline, lambda n: DICE, 0, 40)
    for number in range(40, 110):
        image = picture(DICE[1:], number)
        x, y = DICE[0]
        image[y - 18 : y + 18, x - 18 : x + 18] = 205
        reading = pipeline.step(Frame(image, number / 30, number))
    assert reading.settled
    assert sorted(reading.active + reading.kept) == [2, 2, 5]


def shows(face: int) -> Probabilities:
    """A pass that is sure of this face."""
    a, b, c, d, e, f = (float(face == other) for other in range(1, 7))
    return a, b, c, d, e, f


def test_readings_during_motion_do_not_weaken_readings_at_rest() -> None:
    """Bug: after a hand had turned a 2 to a 5, thirty passes in a row read a 5, but for two seconds the die stayed a
    2."""
    die = TrackedDie(1, (0.0, 0.0, 30.0, 30.0))
    die.vote(shows(2))
    die.doubt_faces()
    for refined in (False, False, True, False, False):
        die.vote(shows(5), refined=refined, quiet=False)
    assert die.value == 2  # a finger may cover a part of it
    die.vote(shows(5))
    assert die.value == 5
    assert max(die.probabilities) > 0.9


def test_a_rolled_die_does_not_keep_its_old_face() -> None:
    """Bug: a die rolled to the old place of another one kept that one's face, with 0.86."""
    die = TrackedDie(1, (0.0, 0.0, 30.0, 30.0))
    die.vote(shows(1))
    die.doubt_faces()
    die.note_roll()
    die.vote((0.12, 0.12, 0.12, 0.12, 0.4, 0.12))
    assert die.value == 5


def test_a_changed_place_that_a_hand_touched_gets_another_refined_pass() -> None:
    """Bug: after a hand had turned a 3 to a 5, fast passes (one a second at rest) were outvoted for two seconds; then
    the die seemed to have been a 5 all the time."""
    three, five = shows(3), shows(5)
    die = TrackedDie(1, (0.0, 0.0, 30.0, 30.0), still=6)
    die.vote(three, refined=True)
    die.touched, die.unchanged = 2.0, True
    assert not die.perhaps_turned  # a hand went over it, and it looks as it did
    die.unchanged = False
    die.vote(five)
    assert die.value == 3
    assert die.perhaps_turned
    die.vote(five, refined=True)
    assert die.value == 5
    assert not die.perhaps_turned
