"""Simulated players in a hurry and lost frames: the simulation follows its parameters, and its truth stays true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.kit.detected import QUIET, SimulatedPass, simulate_detections
from tests.kit.dice import top_value
from tests.kit.flight import sketched
from tests.kit.hands import covers, in_picture, outlines
from tests.kit.hurry import HURRIED, Hurry
from tests.kit.losses import LEAST, LEAST_FRAMES
from tests.kit.performance import performance
from tests.kit.rolling import creeping
from tests.kit.scene import Place, Scene
from tests.kit.script import Keep, RollDice, Wait, steps
from tests.kit.setting import random_setting
from tests.kit.truth import FrameTruth, truth_of
from tests.vision.simulated_turn import TURN

pytestmark = pytest.mark.slow

SEEDS = range(2)
# Patient players and no lost frames; each test adds its own disturbance.
NEVER = 1e9
CALM = Hurry(apart=0, creeps=0, early=0, stays=0, hovers=0, shades=NEVER, losses=NEVER, cuts=0)


def filmed_turn(seed: int, hurry: Hurry = HURRIED, fps: float = 15.0) -> list[tuple[SimulatedPass, FrameTruth]]:
    """Frames and truth of TURN."""
    return list(simulate_detections(TURN, "mat", seed, noise=QUIET, fps=fps, hurry=hurry))


def scenes(seed: int, hurry: Hurry, fps: float = 30.0):  # type: ignore[no-untyped-def]
    """The scene of each frame of TURN; valid until the next one is requested."""
    for scene, _ in performance(list(steps(TURN)), random_setting("mat", seed), seed, fps, sketched, hurry):
        yield scene
        scene.done.clear()


def hand_in(scene: Scene) -> bool:
    """Whether a part of a hand is in the picture."""
    return in_picture(outlines(scene.hand, scene.camera), scene.camera)


@pytest.mark.parametrize("fps", [8.0, 30.0])
def test_every_line_of_a_hurried_turn_comes_true_in_its_order_whatever_is_lost(fps: float) -> None:
    for seed in SEEDS:
        done = [line for _, truth in filmed_turn(seed, fps=fps) for line in (*truth.done, *truth.entered)]
        assert done == TURN.splitlines()


def test_a_hurried_turn_is_repeated_by_the_same_seed() -> None:
    once, again, other = ([truth for _, truth in filmed_turn(seed)] for seed in (3, 3, 4))
    assert once == again != other


def test_after_a_roll_the_dice_on_the_table_and_in_the_hand_show_the_recorded_faces() -> None:
    for seed in SEEDS:
        for scene in scenes(seed, HURRIED):
            if any(line == "A roll 5 5 2" for line in scene.done):
                assert sorted(die.value or 0 for die in scene.dice if die.value)[-3:] == [2, 5, 5]


def test_the_hand_is_back_soon_after_the_dice_rest() -> None:
    waits = []
    for seed in SEEDS:
        rested, away = None, False
        for number, scene in enumerate(scenes(seed, CALM)):
            if any(" roll " in line for line in scene.done):
                rested, away = number, False
            elif rested is not None and not hand_in(scene):
                away = True
            elif rested is not None and away:
                waits.append((number - rested) / 30.0)
                rested = None
    assert len(waits) >= 4
    assert 0.25 < min(waits) < 0.45
    assert 0.55 < max(waits) < 0.95  # a hand needs a moment to the edge of the picture


def test_every_die_of_a_roll_is_visible_in_the_remaining_frames() -> None:
    for fps in (8.0, 15.0):
        for seed in SEEDS:
            table = random_setting("areas", seed)
            rested: dict[tuple[int, bytes], int] = {}
            for scene, lost in performance(list(steps(TURN)), table, seed, fps, sketched, HURRIED):
                truths = truth_of(scene, table, False, 0, 0.0).dice
                limbs = outlines(scene.hand, scene.camera)
                for die, true in zip(scene.dice, truths, strict=True):
                    if die.place is Place.ACTIVE and die.value is not None and true.xyxy is not None:
                        left, top, right, low = true.xyxy
                        seen = not lost and not covers(limbs, (left + right) / 2, (top + low) / 2)
                        key = die.number, die.position.tobytes()
                        rested[key] = rested.get(key, 0) + seen
            assert min(rested.values()) >= max(LEAST_FRAMES, round(LEAST * fps))


def test_no_more_than_a_second_of_film_is_lost_at_once_unless_two_losses_meet() -> None:
    gaps = []
    for seed in SEEDS:
        seconds = [one.seconds for one, _ in filmed_turn(seed, replace(CALM, losses=8.0))]
        gaps += [gap for gap in np.diff(seconds) if gap > 1.5 / 15]
    assert len(gaps) >= 3
    assert max(gaps) <= 2.1


def test_a_die_is_gone_from_one_frame_to_the_next_and_no_hand_is_to_be_seen() -> None:
    gone = 0
    for seed in SEEDS:
        before: set[int] = set()
        hand = True
        table = random_setting("mat", seed)
        for scene, lost in performance(list(steps(TURN)), table, seed, 15.0, sketched, replace(CALM, cuts=1.0)):
            if not lost:
                resting = {die.number for die in scene.dice if die.place is Place.ACTIVE and die.value is not None}
                gone += bool(before - resting) and not hand and not hand_in(scene)
                before, hand = resting, hand_in(scene)
    assert gone


def test_dice_are_taken_while_others_of_their_roll_still_move() -> None:
    script = [RollDice(values=(5, 5, 2)), Keep(values=(5,)), Wait(seconds=0.5)]
    early = 0
    hurry = replace(CALM, apart=0.4, creeps=1.0, early=1.0)
    for seed in range(12):
        for scene, _ in performance(script, random_setting("mat", seed), seed, 30.0, sketched, hurry):
            held = scene.hand is not None and bool(scene.hand.held) and scene.rolls == 1
            early += held and any(die.place is Place.ACTIVE and die.value is None for die in scene.dice)
    assert early


def test_a_die_that_tips_over_shows_another_face_first_and_ends_as_it_was_to() -> None:
    setting = random_setting("mat", 0)
    tipped = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        positions = np.linspace((0, 0, 9.0), (80, 0, 9.0), 30)
        positions, rotations = creeping((positions, np.tile(np.eye(3), (30, 1, 1))), 18.0, [], rng)
        assert positions[-1] == pytest.approx((80, 0, 9.0))
        assert rotations[-1] == pytest.approx(np.eye(3))
        assert positions[:, 2].min() > 8.9  # never under the table
        first = top_value(rotations[30], setting.look)
        tipped += first[0] != top_value(rotations[-1], setting.look)[0]
        assert first[1] < 0.1
    assert 4 < tipped < 16


def test_a_passing_shadow_changes_the_picture_but_moves_no_die() -> None:
    shades = replace(CALM, shades=1.0)
    script = [RollDice(values=(5, 2)), Wait(seconds=6.0)]
    motions = 0
    for one, truth in simulate_detections(script, "mat", 2, noise=QUIET, hurry=shades):
        if not truth.moving and one.motions.moving:
            motions += 1
            assert truth.values(Place.ACTIVE) == (2, 5)
    assert motions > 5


def test_a_hand_that_stays_or_hovers_moves_no_die() -> None:
    for hurry in (replace(CALM, stays=1.0), replace(CALM, hovers=1.0)):
        poses: dict[int, bytes] = {}
        over = 0
        script = [RollDice(values=(5, 3, 2)), Wait(seconds=0.5)]
        for scene, _ in performance(script, random_setting("areas", 1), 1, 15.0, sketched, hurry):
            for die in scene.dice:
                if die.place is Place.ACTIVE and die.value is not None:
                    assert poses.setdefault(die.number, die.position.tobytes()) == die.position.tobytes()
                    over += hand_in(scene)
        assert over > 5
