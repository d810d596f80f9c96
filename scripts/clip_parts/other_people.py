"""Clips with other people around the table, and clips of dice rolled with a cup."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from scripts.clip_parts.hand import hand, shadow_of
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import ClipScene, on_table
from scripts.clip_parts.timeline import Limb

SIDES = (90.0, -90.0, 180.0)  # degrees: other people sit at the right, the left and opposite
AWAY = 0.1  # share of a hand's moves that leave the image for a moment


@on_table
def attended(scene: ClipScene) -> None:
    """Hands of other people rest and fidget at the image's edges; one die is set aside and the others are rerolled."""
    play, chance = scene.play, scene.chance
    scene.reroll_all_but_one()
    join(play, chance)


@on_table
def cupped(scene: ClipScene) -> None:
    """Dice are rolled three times with a cup, which covers them and is lifted; the hand gathers them between rolls."""
    play, chance = scene.play, scene.chance
    play.take_cup()
    play.rest(0.4)
    dice = scene.some_dice()
    for again in range(3):
        play.cup_over(dice, float(chance.uniform(0.3, 1.2)))
        scene.pause(0.6, 1.6)
        if again < 2:
            for die in dice:
                play.take(die)
            play.leave()
            play.put_away(dice)
            scene.pause(0.3, 1.0)
            dice = [scene.again(die) for die in dice]


COMPANY = (attended, cupped)


def join(play: Play, chance: Generator) -> None:
    """Adds one or two other people at the table, for the whole clip so far."""
    sides = chance.permutation(SIDES)[: int(chance.integers(1, 3))]
    play.company = [_someone(play, chance, float(side)) for side in sides]


def _someone(play: Play, chance: Generator, side: float) -> Limb:
    """Another person's hand at this side of the table, which fidgets and sometimes leaves for a moment."""
    shape = hand(
        str(chance.choice(["pinch", "flat"])), play.width, chance, int(chance.integers(6)), chance.random() < 0.5
    )
    out = np.array([math.sin(math.radians(side)), math.cos(math.radians(side))])
    middle, half = np.array(play.size) / 2, np.array(play.size) / 2
    along = np.array([out[1], -out[0]]) * chance.uniform(-0.6, 0.6) * half
    home = middle + out * (half - chance.uniform(0.5, 2.5) * play.width) + along
    gone = home + out * 6 * play.width
    ways, t, at = [(-1.0, *home)], 0.0, home
    while t < play.clock:
        then = gone if chance.random() < AWAY else home + chance.normal(0, 0.4 * play.width, 2)
        until = t + float(chance.uniform(0.15, 0.6)) * (3 if then is gone or at is gone else 1)
        ways += [(t, *at), (until, *then)]
        at, t = then, until + float(chance.exponential(0.8))
    ways.append((t + 1.0, *at))
    return Limb(shape, shadow_of(shape, play.width, 0.45), side, [(w, float(x), float(y)) for w, x, y in ways])
