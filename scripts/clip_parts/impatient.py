"""Clips of impatient players and of cameras that lose frames: hands return before the image is at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from numpy.random import Generator

from scripts.clip_parts.pieces import ClipDie
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import ClipScene, on_table

HURRY, BACK, LOST = 2.0, (0.3, 0.7), 1.0  # speed factor; seconds of rest; maximum seconds of lost video


@on_table
def hurried(scene: ClipScene) -> None:
    """Three rolls by an impatient player; a slowly rolling die is awaited only before it is taken."""
    _hurry(scene)


@on_table
def vanished(scene: ClipScene) -> None:
    """Dice vanish between two frames, because frames are lost or the camera stalls, and are rerolled."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    dice = scene.roll_some()
    scene.pause(0.8, 2.0)
    gone = dice[: int(chance.integers(1, 3))]
    for die in gone:
        begin = play.clock
        play.gather([die])
        (play.cuts if chance.random() < 0.5 else play.stalls).append((max(begin, play.clock - LOST), play.clock))
        scene.pause(*BACK)
    play.rest(1.0)
    scene.reroll(gone)
    play.rest(1.8)


@on_table
def hovered(scene: ClipScene) -> None:
    """Half a second after the roll a hand hovers beside the dice, sets one aside and takes the others."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    dice = scene.roll_some()
    scene.pause(*BACK)
    resting = dice[0].leg(play.clock)
    play.hover(resting.x + float(chance.choice([-3.0, 3.0])) * play.width, resting.y, float(chance.uniform(0.6, 1.8)))
    play.set_aside(dice[0], 0)
    _gather_hurried(play, dice[1:], chance)
    play.rest(0.3)
    scene.reroll(dice[1:])
    play.rest(1.6)


@on_table
def shaded(scene: ClipScene) -> None:
    """Shadows pass over resting dice; then the dice are taken."""
    play, chance = scene.play, scene.chance
    dice = scene.roll_some()
    for _ in range(2):
        scene.pause(0.1, 0.5)
        seconds = float(chance.uniform(0.5, 1.5))
        play.shade(seconds, float(chance.uniform(0.55, 0.85)))
        play.rest(seconds)
    play.gather(dice)
    play.rest(1.5)


@on_table
def knocked(scene: ClipScene) -> None:
    """Some dice are taken at once and rerolled; they knock against the resting ones."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    dice = scene.roll_some(4)
    scene.pause(*BACK)
    again = dice[: int(chance.integers(1, len(dice) - 1))]
    _gather_hurried(play, again, chance)
    play.rest(0.3)
    rolled = [scene.again(die) for die in again]
    play.roll(rolled)
    for resting, rolling in zip(dice[len(again) :], rolled[: int(chance.integers(1, 3))], strict=False):
        play.knock(resting, rolling)
    scene.pause(0.5, 1.5)
    _gather_hurried(play, [*dice[len(again) :], *rolled], chance)
    play.rest(1.0)


@on_table
def scooped(scene: ClipScene) -> None:
    """A cup collects the dice one by one, and they are rerolled; a low lamp casts the hand's shadow far ahead of it."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    play.take_cup()
    play.lamp = _low_lamp(chance)
    play.rest(0.4)
    dice = scene.some_dice()
    for again in range(2):
        play.roll(dice)
        scene.pause(*BACK)
        for die in dice:
            play.take(die)
        play.leave()
        play.put_away(dice)
        play.rest(0.6)
        dice = [scene.again(die) for die in dice] if not again else dice


@on_table
def unsteady(scene: ClipScene) -> None:
    """Like `hurried`, with a cheap camera: lost frames, exposure that reacts to the hand, strong compression."""
    play, chance, camera = scene.play, scene.chance, scene.camera
    _hurry(scene)
    play.lamp = _low_lamp(chance)
    play.stutter(camera.rate)
    darker = float(chance.uniform(0.75, 0.9))
    late = float(chance.uniform(0.1, 0.4))
    steps = [(when + late, times) for came, left in play.visits for when, times in ((came, darker), (left, 1 / darker))]
    scene.camera = replace(camera, steps=tuple(steps), quality=camera.quality + 6)


def _low_lamp(chance: Generator) -> tuple[float, float]:
    across, down = chance.uniform(1.0, 5.0, 2) * chance.choice([-1, 1], 2)
    return float(across), float(down)


def _gather_hurried(play: Play, dice: Sequence[ClipDie], chance: Generator) -> None:
    """The hand takes the dice, those that have rested longest first."""
    play.pose = "pinch"
    for die in sorted(dice, key=lambda die: die.legs[-1].begin):
        play.await_rest(die, float(chance.uniform(*BACK)))
        play.take(die)
    play.leave()
    play.put_away(dice)


def _hurry(scene: ClipScene) -> None:
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    play.rest(0.4)
    dice = scene.some_dice()
    for again in range(3):
        play.roll_hurried(dice)
        scene.pause(*BACK)
        if again < 2:
            _gather_hurried(play, dice, chance)
            play.rest(0.3)
            dice = [scene.again(die) for die in dice]
    play.rest(1.2)


IMPATIENT = (hurried, vanished, hovered, shaded, knocked, scooped, unsteady)
