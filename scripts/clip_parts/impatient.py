"""Clips of people who do not wait, and of cameras that lose frames: hands are back before the picture is quiet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from numpy.random import Generator

from scripts.clip_parts.pieces import Die
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import Scene, on_table

HURRY, BACK, LOST = 2.0, (0.3, 0.7), 1.0  # times as fast as usual; seconds of rest; seconds of film lost at most


@on_table
def hurried(scene: Scene) -> None:
    """Three throws by a player who does not wait; a die may creep, and is waited for only when it is taken."""
    _hurry(scene)


@on_table
def vanished(scene: Scene) -> None:
    """A die is gone from one frame to the next, while frames are lost or the camera stalls; others are thrown then."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    dice = scene.throw_some()
    scene.pause(0.8, 2.0)
    gone = dice[: int(chance.integers(1, 3))]
    for die in gone:
        begin = play.clock
        play.gather([die])
        (play.cuts if chance.random() < 0.5 else play.stalls).append((max(begin, play.clock - LOST), play.clock))
        scene.pause(*BACK)
    play.rest(1.0)
    scene.throw_again(gone)
    play.rest(1.8)


@on_table
def hovered(scene: Scene) -> None:
    """Half a second after the throw a hand hovers beside the dice, thinks, takes one aside and the others up."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    dice = scene.throw_some()
    scene.pause(*BACK)
    lying = dice[0].leg(play.clock)
    play.hover(lying.x + float(chance.choice([-3.0, 3.0])) * play.width, lying.y, float(chance.uniform(0.6, 1.8)))
    play.set_aside(dice[0], 0)
    _gather_hurried(play, dice[1:], chance)
    play.rest(0.3)
    scene.throw_again(dice[1:])
    play.rest(1.6)


@on_table
def shaded(scene: Scene) -> None:
    """Shadows pass over dice that lie still; nothing else happens until they are taken up."""
    play, chance = scene.play, scene.chance
    dice = scene.throw_some()
    for _ in range(2):
        scene.pause(0.1, 0.5)
        seconds = float(chance.uniform(0.5, 1.5))
        play.shade(seconds, float(chance.uniform(0.55, 0.85)))
        play.rest(seconds)
    play.gather(dice)
    play.rest(1.5)


@on_table
def knocked(scene: Scene) -> None:
    """Dice are thrown; some are taken at once and thrown again, against those left lying."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    dice = scene.throw_some(4)
    scene.pause(*BACK)
    again = dice[: int(chance.integers(1, len(dice) - 1))]
    _gather_hurried(play, again, chance)
    play.rest(0.3)
    thrown = [scene.again(die) for die in again]
    play.throw(thrown)
    for lying, rolling in zip(dice[len(again) :], thrown[: int(chance.integers(1, 3))], strict=False):
        play.knock(lying, rolling)
    scene.pause(0.5, 1.5)
    _gather_hurried(play, [*dice[len(again) :], *thrown], chance)
    play.rest(1.0)


@on_table
def scooped(scene: Scene) -> None:
    """A cup is put over the dice, one after the other, and takes them away; they are thrown again from outside. A low
    lamp throws the hand's shadow far before it."""
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    play.take_cup()
    play.lamp = _low_lamp(chance)
    play.rest(0.4)
    dice = scene.some_dice()
    for again in range(2):
        play.throw(dice)
        scene.pause(*BACK)
        for die in dice:
            play.take(die)
        play.leave()
        play.put_away(dice)
        play.rest(0.6)
        dice = [scene.again(die) for die in dice] if not again else dice


@on_table
def unsteady(scene: Scene) -> None:
    """As `hurried`, before a cheap camera: single frames are lost, its exposure answers to the hand, it packs hard."""
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


def _gather_hurried(play: Play, dice: Sequence[Die], chance: Generator) -> None:
    """Take the dice up, those first that lie longest."""
    play.pose = "pinch"
    for die in sorted(dice, key=lambda die: die.legs[-1].begin):
        play.await_rest(die, float(chance.uniform(*BACK)))
        play.take(die)
    play.leave()
    play.put_away(dice)


def _hurry(scene: Scene) -> None:
    play, chance = scene.play, scene.chance
    play.pace = HURRY
    play.rest(0.4)
    dice = scene.some_dice()
    for again in range(3):
        play.throw_hurried(dice)
        scene.pause(*BACK)
        if again < 2:
            _gather_hurried(play, dice, chance)
            play.rest(0.3)
            dice = [scene.again(die) for die in dice]
    play.rest(1.2)


IMPATIENT = (hurried, vanished, hovered, shaded, knocked, scooped, unsteady)
