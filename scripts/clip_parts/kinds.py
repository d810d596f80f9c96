"""The kinds of clips that are tried, each from a seed: dice, table, camera and what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.company import COMPANY
from scripts.clip_parts.everyday import EVERYDAY
from scripts.clip_parts.handled import HANDLED
from scripts.clip_parts.impatient import IMPATIENT
from scripts.clip_parts.lens import Camera
from scripts.clip_parts.pieces import Die, Leg
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import RATES, SIZES, Made, empty_table, like_it, margin_of, some_dice, with_sensor
from scripts.clip_parts.stock import Stock
from tests.kit.drawn.photos import Photo

JOLT, JOLT_TURN = 0.05, 5.0  # of the picture's longer side, degrees: a camera on an arm, knocked with an elbow


def rolled(stock: Stock, chance: Generator, number: int) -> Made:
    """Dice are thrown, gathered by the hand, and thrown again."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.rest(0.5)
    for again in (False, True):
        dice = some_dice(stock, play, chance, scene)
        play.throw(dice)
        play.rest(1.8)
        if not again:
            play.gather(dice)
            play.rest(1.0)
    return play, ground, camera, margin_of(camera), scene


def set_aside(stock: Stock, chance: Generator, number: int, room: int = 0) -> Made:
    """Dice are thrown, one to three of them set aside, the others thrown again. room: pixels of table around the
    picture besides."""
    play, camera, ground, scene = empty_table(stock, chance, number, room)
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene, least=4)
    play.throw(dice)
    play.rest(1.6)
    keep = dice[: int(chance.integers(1, min(4, len(dice))))]
    for place, die in enumerate(keep):
        play.set_aside(die, place)
    play.leave()
    play.rest(1.6)
    others = dice[len(keep) :]
    play.gather(others)
    play.rest(0.5)
    again = [like_it(stock, chance, scene, die, play) for die in others]
    play.throw(again)
    play.rest(1.8)
    return play, ground, camera, margin_of(camera) + room, scene


def laid_down(stock: Stock, chance: Generator, number: int) -> Made:
    """Dice are thrown; then the hand lays one more among them."""
    play, camera, ground, scene = empty_table(stock, chance, number)
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene)
    play.throw(dice[:-1])
    play.rest(1.7)
    play.lay_down(dice[-1])
    play.leave()
    play.rest(1.9)
    return play, ground, camera, margin_of(camera), scene


def hand_rests(stock: Stock, chance: Generator, number: int) -> Made:
    """Over a whole photo: a hand comes, rests over or beside dice, and goes."""
    play, ground, camera, margin, scene = _photo(stock, chance, number, Camera((0, 0)))
    play.rest(1.8)
    lying = play.dice[int(chance.integers(len(play.dice)))].leg(0)
    away = float(chance.choice([0.0, 3.0]))
    play.pose = str(chance.choice(["pinch", "flat"]))
    play.hover(lying.x + away * play.width, lying.y, float(chance.uniform(1.0, 3.0)))
    play.leave()
    play.rest(1.9)
    return play, ground, camera, margin, scene


def shaken(stock: Stock, chance: Generator, number: int) -> Made:
    """A whole photo as a hand-held camera sees it."""
    swing = float(chance.choice([0.06, 0.15, 0.3]))
    play, ground, camera, margin, scene = _photo(stock, chance, number, Camera((0, 0), shake=swing))
    play.rest(5.0)
    return play, ground, camera, margin, f"{scene}, shaking by {swing:g} dice"


def bumped(stock: Stock, chance: Generator, number: int) -> Made:
    """A whole photo; after two seconds the camera is pushed and stays so."""
    far = chance.uniform(0.5, 1.3, 2) * chance.choice([-1, 1], 2)
    bump = (2.2, float(far[0]), float(far[1]), float(chance.uniform(-4, 4)))
    play, ground, camera, margin, scene = _photo(stock, chance, number, Camera((0, 0), bumps=(bump,)))
    play.rest(5.0)
    return play, ground, camera, margin, scene


def jolted(stock: Stock, chance: Generator, number: int) -> Made:
    """Dice are thrown, set aside and thrown again, and twice the camera is knocked, whatever happens then."""
    room = int(JOLT * 2.5 * max(SIZES[number % len(SIZES)]))
    play, ground, camera, margin, scene = set_aside(stock, chance, number, room)
    bumps = []
    for when in np.sort(chance.uniform(1.2, play.clock - 1.6, 2)):
        across, down = chance.uniform(-JOLT, JOLT, 2) * max(camera.size)
        bumps.append((float(when), float(across), float(down), float(chance.uniform(-JOLT_TURN, JOLT_TURN))))
    return play, ground, replace(camera, bumps=tuple(bumps)), margin, scene


def other_light(stock: Stock, chance: Generator, number: int) -> Made:
    """A whole photo; the light changes, the exposure drifts, the focus is lost and found."""
    change = Camera(
        (0, 0),
        steps=((2.0, float(chance.choice([0.55, 0.7, 1.35]))),),
        drift=float(chance.uniform(0, 0.12)),
        hunts=(3.4,) if number % 2 else (),
    )
    play, ground, camera, margin, scene = _photo(stock, chance, number, change)
    play.rest(5.5)
    return play, ground, camera, margin, scene + (", focus lost once" if number % 2 else "")


KINDS: dict[str, Callable[[Stock, Generator, int], Made]] = {
    "rolled": rolled,
    "set aside": set_aside,
    "laid down": laid_down,
    "hand rests": hand_rests,
    "shaken": shaken,
    "bumped": bumped,
    "jolted": jolted,
    "other light": other_light,
    **IMPATIENT,
    **EVERYDAY,
    **HANDLED,
    **COMPANY,
}


def _photo(stock: Stock, chance: Generator, number: int, camera: Camera) -> Made:
    """A play of the dice that lie on a whole photo, cut to a camera's shape around them, with room to shake."""
    for _ in range(200):
        photo = stock.wholes[int(chance.integers(len(stock.wholes)))]
        side = float(np.median((photo.xyxy[:, 2:] - photo.xyxy[:, :2]).max(axis=1)))
        room = (2.0 * camera.shake + (1.6 if camera.bumps else 0.0)) * side + 4
        cut = _cut(photo, SIZES[number % len(SIZES)], room + 0.4 * side)
        if cut is not None:
            break
    else:
        raise ValueError("no photo leaves room enough around its dice")
    left, top, width, height = cut
    scale = min(2.0, max(SIZES[number % len(SIZES)]) / max(width, height))
    size = int(width * scale) // 2 * 2, int(height * scale) // 2 * 2
    margin = int(room * scale)
    from_x, from_y = round(left - room), round(top - room)
    piece = photo.image[max(0, from_y) :, max(0, from_x) :][: round(height + 2 * room), : round(width + 2 * room)]
    whole = size[0] + 2 * margin, size[1] + 2 * margin
    ground = cv2.resize(piece, whole, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    play = Play(size, side * scale, chance)
    play.throws.append(0.0)
    for box, face in zip(photo.xyxy, photo.faces, strict=True):
        x, y = (box[0] + box[2]) / 2 - left, (box[1] + box[3]) / 2 - top
        play.dice.append(Die(int(face), None, legs=[Leg(-1.0, "lying", float(x * scale), float(y * scale))]))
    pixels = side * scale
    bumps = tuple((when, across * pixels, down * pixels, turn) for when, across, down, turn in camera.bumps)
    camera = replace(camera, size=size, rate=RATES[number % len(RATES)], shake=camera.shake * pixels, bumps=bumps)
    camera = with_sensor(camera, chance, number) if not camera.steps else camera
    words = f"{photo.set_name} photo, dice of {pixels:.0f} px, {size[0]}×{size[1]} at {camera.rate:g}"
    return play, np.ascontiguousarray(ground), camera, margin, words


def _cut(photo: Photo, shape: tuple[int, int], room: float) -> tuple[float, float, float, float] | None:
    """Left, top, width and height of the largest piece of this shape that leaves so much room around all dice, and
    around itself."""
    high, wide = photo.image.shape[:2]
    wide, high = wide - 2 * room, high - 2 * room
    width = min(wide, high * shape[0] / shape[1])
    height = width * shape[1] / shape[0]
    if width < 100:
        return None
    least, most = photo.xyxy[:, :2].min(axis=0) - room, photo.xyxy[:, 2:].max(axis=0) + room
    starts = []
    for low, up, length, whole in ((least[0], most[0], width, wide), (least[1], most[1], height, high)):
        first, last = max(room, up - length), min(room + whole - length, low)
        if first > last:
            return None
        starts.append(float((first + last) / 2))
    return starts[0], starts[1], float(width), float(height)
