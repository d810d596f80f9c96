"""Clips in which cards and tokens appear and disappear, and in which the camera refocuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from scripts.clip_parts.pieces import ClipDie
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import ClipScene, on_table
from scripts.clip_parts.stock import Sprite
from tests.kit.cards import any_design, game_card
from tests.kit.drawn.backdrops import real_backdrop

DIE_MM = 16.0  # mm: width of a die, which sets the scale of real cards
TOKEN = (0.9, 2.6)  # die widths: range of a token's size
FOCUS_SECONDS = 0.25  # from a hand's arrival or departure to the strongest defocus
AGAIN = 0.2, 0.5  # seconds from there to a second defocus; refocusing takes about a second in all


@on_table
def dealt(scene: ClipScene) -> None:
    """After a roll a card is taken from the table and another one placed, then the dice are rolled again."""
    _with_objects(scene, _card)


@on_table
def littered(scene: ClipScene) -> None:
    """Like `dealt`, with tokens: round or square pieces cut from real photos where there is no die."""
    _with_objects(scene, _token)


@on_table
def refocused(scene: ClipScene) -> None:
    """One die is set aside and the others are rerolled; the camera refocuses whenever a hand arrives or leaves."""
    play, chance = scene.play, scene.chance
    scene.reroll_all_but_one(wait=1.0, last=1.8)
    hunts = tuple(
        when + FOCUS_SECONDS + late
        for visit in play.visits
        for when in visit
        for late in (0.0, float(chance.uniform(*AGAIN)))
    )
    scene.camera = replace(scene.camera, hunts=hunts)


EVERYDAY = (dealt, littered, refocused)


def _with_objects(scene: ClipScene, make: Callable[[ClipScene], ClipDie]) -> None:
    play, chance = scene.play, scene.chance
    play.rest(0.4)
    objects = [make(scene) for _ in range(int(chance.integers(1, 3)))]
    for one in objects:
        play.place(one)
    dice = scene.some_dice()
    play.roll(dice)
    scene.pause(0.6, 1.4)
    play.take_away(objects[0])
    scene.pause(0.5, 1.2)
    play.bring(make(scene))
    play.leave()
    scene.pause(0.8, 1.6)
    play.gather(dice)
    play.rest(1.0)
    scene.reroll(dice)
    play.rest(1.6)


def _card(scene: ClipScene) -> ClipDie:
    play, card = scene.play, game_card(any_design(scene.chance, dev=True))
    long, broad = card.tall / DIE_MM * play.width, card.wide / DIE_MM * play.width
    face = cv2.resize(card.face[..., ::-1], (round(broad), round(long)), interpolation=cv2.INTER_AREA)
    return _flat_object(play, face.astype(np.float32), np.ones(face.shape[:2], np.float32))


def _token(scene: ClipScene) -> ClipDie:
    play, chance = scene.play, scene.chance
    side = round(float(chance.uniform(*TOKEN)) * play.width)
    face = real_backdrop(scene.stock.photos, max(side, 8), chance).astype(np.float32)
    opacity = np.zeros(face.shape[:2], np.float32)
    if chance.random() < 0.5:
        cv2.circle(opacity, (side // 2, side // 2), side // 2 - 1, 1.0, -1, cv2.LINE_AA)
    else:
        opacity[1:-1, 1:-1] = 1.0
    return _flat_object(play, face, opacity)


def _flat_object(play: Play, face: np.ndarray, opacity: np.ndarray) -> ClipDie:
    """A flat object with a contact shadow, represented as a die without a value."""
    pad = max(2, round(0.15 * play.width))
    face, opacity = (np.pad(one, ((pad, pad), (pad, pad), (0, 0))[: one.ndim]) for one in (face, opacity))
    opacity = cv2.GaussianBlur(opacity, (0, 0), 0.6)
    both = opacity + (1 - opacity) * 0.4 * cv2.GaussianBlur(opacity, (0, 0), 0.06 * play.width)
    high, wide = opacity.shape
    layer = np.dstack([face * opacity[..., None], both]).astype(np.float32)
    one = ClipDie(0, Sprite(layer, (wide / 2, high / 2)), reach=float(np.hypot(high, wide)) / 2 / play.width - 0.7)
    play.dice.append(one)
    return one
