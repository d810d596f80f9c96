"""A die whose place is visibly empty is gone, whatever was seen of it before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from companion.resources import resource
from tests.kit.detected import QUIET, simulate_detections
from tests.kit.scene import Place
from tests.kit.script import Wait, steps
from tests.kit.setting import plain
from tests.referee.detected_table import NeverAsked
from tests.vision.squares import Squares, picture
from vision.dice.detections import Detections, chosen
from vision.dice.detector import Detector
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.table.layout import WholePicture
from vision.tracking.tracker import Tracker
from vision.types import Frame, Reading

pytestmark = pytest.mark.slow

A, B = (150, 120), (400, 300)
REFUTED_SECONDS = 0.3


def cut(pipeline: Pipeline, rate: float, gap: float, *shots: Sequence[np.ndarray]) -> Iterator[tuple[float, Reading]]:
    """The readings of a film cut from these shots, the seconds lost at each cut, and the seconds since then."""
    number, now = 0, 0.0
    for shot in shots:
        begun = now
        for image in shot:
            yield now - begun, pipeline.step(Frame(image, now, number))
            number, now = number + 1, now + 1 / rate
        now += gap


@pytest.mark.parametrize("rate", [8.0, 30.0])
@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_a_die_gone_between_two_frames_is_not_read_beside_the_one_that_came(rate: float, gap: float) -> None:
    """Bug: die A stayed in every reading until the table was cleared."""
    shots = [[picture((place,), n) for n in range(int(2 * rate))] for place in (A, B)]
    seen = list(cut(Pipeline(Squares(), WholePicture()), rate, gap, *shots))[len(shots[0]) :]
    assert all(len(reading.dice) < 2 for seconds, reading in seen)
    for seconds, reading in seen:
        at = [die.xyxy[0] for die in reading.dice]
        assert seconds <= REFUTED_SECONDS or at == [pytest.approx(B[0] - 18, abs=3)], (seconds, at)
    assert next(seconds for seconds, reading in seen if reading.settled and reading.dice) <= 0.6


@pytest.mark.parametrize("rate", [8.0, 30.0])
def test_dice_taken_while_frames_were_dropped_are_gone_from_an_empty_table(rate: float) -> None:
    """Bug: four dice set aside were read over an empty table for several rounds."""
    shots = [[picture(dice, n) for n in range(int(2 * rate))] for dice in ((), (A, B), ())]
    seen = list(cut(Pipeline(Squares(), WholePicture()), rate, 0.8, *shots))[-len(shots[2]) :]
    assert all(not reading.dice for seconds, reading in seen if seconds > REFUTED_SECONDS)
    assert seen[-1][1].settled


@pytest.mark.parametrize("rate", [10.0, 30.0])
def test_the_remaining_dice_are_read_once_a_refined_pass_sees_a_place_empty(rate: float) -> None:
    """Bug: after lost frames the remaining dice rested for a second and a half and were taken unread."""
    shots = [[picture(dice, n) for n in range(int(2 * rate))] for dice in ((A, B), (B,))]
    seen = list(cut(Pipeline(Squares(), WholePicture()), rate, 0.0, *shots))[len(shots[0]) :]
    read = [seconds for seconds, reading in seen if reading.settled and len(reading.dice) == 1]
    assert read[0] <= 0.7


# Frames of the bundled film, thirty a second, in which nothing moves: three dice, three others elsewhere, none.
THREE, OTHERS, NONE = range(66, 102), range(394, 424), range(568, 598)


@pytest.fixture(scope="module")
def film() -> Callable[[range], list[np.ndarray]]:
    """A function that renders the frames of these numbers, because the whole film would take 1.7 GB."""
    wanted = {*THREE, *OTHERS, *NONE}
    shown = enumerate(frames(str(resource("datasets", "bench", "table30.mp4"))))
    kept = {number: frame.image for number, frame in shown if number in wanted}  # type: ignore[union-attr]
    return lambda numbers: [kept[number] for number in numbers]


@pytest.mark.parametrize("stride", [1, 4])
@pytest.mark.parametrize("bare", [False, True])
def test_dice_of_a_film_are_gone_after_a_cut(
    film: Callable[[range], list[np.ndarray]], stride: int, bare: bool
) -> None:
    """Three dice before the cut; after it three others elsewhere, or none."""
    after = film(NONE if bare else OTHERS)
    pipeline = Pipeline(Detector(resource("models")), WholePicture())
    shown = list(cut(pipeline, 30 / stride, 0.0, film(THREE[::stride]), after[::stride]))
    before, seen = shown[: len(shown) - len(after[::stride])], shown[-len(after[::stride]) :]
    assert before[-1][1].settled
    assert before[-1][1].active == (2, 5, 5)
    for seconds, reading in seen:
        values = sorted(die.value for die in reading.dice)
        assert seconds <= REFUTED_SECONDS or values == ([] if bare else [4, 5, 6]), (seconds, values)
    assert bare or seen[-1][1].settled


def test_a_die_covered_by_a_hand_is_kept_and_one_it_took_is_gone_at_once_when_it_leaves() -> None:
    detector = Squares()
    pipeline = Pipeline(detector, WholePicture())

    def film(dice: Sequence[tuple[int, int]], hand: bool, begin: int, count: int) -> list[Reading]:
        found = []
        for number in range(begin, begin + count):
            image = picture(dice, number)
            if hand:
                image[60 + number % 5 : 200, : 230 + number % 7 * 5] = 30
            found.append(pipeline.step(Frame(image, number / 30, number)))
        return found

    assert film((A, B), False, 0, 60)[-1].settled
    covered = film((A, B), True, 60, 30)
    assert not any(reading.settled and len(reading.dice) < 2 for reading in covered), "a covered die is kept"
    assert len(film((A, B), False, 90, 30)[-1].dice) == 2
    film((A, B), True, 120, 30)
    gone = film((B,), False, 150, 30)
    assert all(len(reading.dice) == 1 for reading in gone[9:])


@pytest.mark.parametrize("rate", [15.0, 20.0, 30.0])
def test_a_cleared_table_is_read_as_empty_within_a_third_of_a_second(rate: float) -> None:
    """Bug: with flickering light it took half a second, and the next dice rested earlier."""
    pipeline = Pipeline(Squares(), WholePicture())
    ends = [round(seconds * rate) for seconds in (2.0, 3.0, 4.0)]
    for number in range(ends[2]):
        image = picture((A, B) if number < ends[0] + 5 else (), number)
        image[440:446, 600 + number % 2 * 8 : 606 + number % 2 * 8] = 160
        if ends[0] <= number < ends[1]:
            image[60 + number % 5 : 400, : 460 + number % 7 * 5] = 30
        reading = pipeline.step(Frame(image, number / rate, number))
        if number < ends[1]:
            assert not reading.settled or len(reading.dice) == 2
        if number == ends[1] + round(0.33 * rate):
            break
    assert reading.settled
    assert not reading.dice


@pytest.mark.parametrize("busy", [False, True])
def test_a_hand_that_rests_takes_nothing(busy: bool) -> None:
    """Bug: a die under a motionless hand was dropped after two seconds."""
    tracker, image, box = Tracker(), picture((A,), 0), (100.0, 80.0, 200.0, 160.0)
    for number in range(90):
        covered = number >= 30
        tracker.update(Detections.none() if covered else Squares().detect(image), number / 15, [box] if covered else ())
        for die in (*tracker.dice, *tracker.hidden):
            die.last_motion = number / 15 if busy else min(number, 31) / 15
    assert (tracker.hidden[0].fading(89 / 15) > 0.9) == (not busy)


class Shy(Squares):
    """Sees the die at A only until a hand has been there."""

    shy = False

    def detect(self, image: np.ndarray, *, thorough: bool = False) -> Detections:
        found = super().detect(image, thorough=thorough)
        return chosen(found, np.abs(found.xyxy[:, 0] - A[0]) > 40) if self.shy else found


def test_a_die_is_back_when_its_place_looks_as_in_the_refined_pass() -> None:
    """Bug: after three seconds under a hand, a small die was never read again."""
    detector = Shy()
    pipeline = Pipeline(detector, WholePicture())
    for number in range(240):
        image = picture((A, B), number)
        detector.shy = number >= 60
        if 60 <= number < 180:
            image[60 + number % 5 : 200, : 230 + number % 7 * 5] = 30
        reading = pipeline.step(Frame(image, number / 30, number))
    assert reading.settled
    assert len(reading.dice) == 2


@pytest.mark.parametrize("rate", [8.0, 12.0, 30.0])
def test_after_a_cut_between_two_rolls_only_the_second_is_read(rate: float) -> None:
    """Detections of two turns at one table, joined while the dice rest."""
    setting, pipeline, now = plain("nothing"), Pipeline(NeverAsked(), WholePicture()), 0.0
    for seed, line in ((1, "A roll 6 2 5"), (2, "A roll 4 1 1")):
        script = [*steps(line), Wait(seconds=1.2)]
        film = simulate_detections(script, setting=setting, seed=seed, noise=QUIET, fps=rate)
        begun, rolled = now, sorted(int(value) for value in line.split()[2:])
        for seen in (seen for seen, truth in film if not truth.moving and len(truth.values(Place.ACTIVE)) == 3):
            pipeline.see(seen.detections, now)
            reading = pipeline.conclude(seen.motions, seen.size, seen.number, now)
            if now - begun > REFUTED_SECONDS:
                assert sorted(die.value for die in reading.dice) == rolled, now - begun
            now += 1 / rate
        assert reading.settled
