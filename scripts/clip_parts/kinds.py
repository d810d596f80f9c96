"""All kinds of clips, each generated from a seed: dice, table, camera and events."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.everyday import EVERYDAY
from scripts.clip_parts.handled import HANDLED
from scripts.clip_parts.impatient import IMPATIENT
from scripts.clip_parts.lens import ClipCamera
from scripts.clip_parts.moving_camera import MOVING_CAMERA
from scripts.clip_parts.other_people import COMPANY
from scripts.clip_parts.pictured import PICTURED
from scripts.clip_parts.pieces import ClipDie, Leg
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import RATES, SIZES, ClipScene, Make, empty_table, on_table, with_sensor
from scripts.clip_parts.stock import Stock
from tests.kit.drawn.photos import Photo

JOLT, JOLT_TURN = 0.05, 5.0  # share of the image's longer side, degrees: an elbow knocks the camera's arm


@on_table
def rolled(scene: ClipScene) -> None:
    """Dice are rolled, gathered by the hand, and rolled again."""
    play = scene.play
    play.rest(0.5)
    for again in (False, True):
        dice = scene.some_dice()
        play.roll(dice)
        play.rest(1.8)
        if not again:
            play.gather(dice)
            play.rest(1.0)


@on_table
def set_aside(scene: ClipScene) -> None:
    """Dice are rolled, one to three of them set aside, and the others rerolled."""
    _set_aside(scene)


@on_table
def laid_down(scene: ClipScene) -> None:
    """Dice are rolled, then the hand places one more among them."""
    play = scene.play
    play.rest(0.4)
    dice = scene.some_dice()
    play.roll(dice[:-1])
    play.rest(1.7)
    play.bring(dice[-1])
    play.leave()
    play.rest(1.9)


def hand_rests(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """A scene in which a hand arrives in a whole photo, rests over or beside the dice, and leaves."""
    scene = _photo(stock, chance, number, ClipCamera((0, 0)))
    play = scene.play
    play.rest(1.8)
    resting = play.dice[int(chance.integers(len(play.dice)))].leg(0)
    away = float(chance.choice([0.0, 3.0]))
    play.pose = str(chance.choice(["pinch", "flat"]))
    play.hover(resting.x + away * play.width, resting.y, float(chance.uniform(1.0, 3.0)))
    play.leave()
    play.rest(1.9)
    return scene


def shaken(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """A whole photo as seen by a hand-held camera."""
    swing = float(chance.choice([0.06, 0.15, 0.3]))
    scene = _photo(stock, chance, number, ClipCamera((0, 0), shake=swing))
    scene.play.rest(5.0)
    scene.words += f", shaking by {swing:g} dice"
    return scene


def bumped(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """A whole photo; after two seconds the camera is pushed and stays in its new position."""
    far = chance.uniform(0.5, 1.3, 2) * chance.choice([-1, 1], 2)
    bump = (2.2, float(far[0]), float(far[1]), float(chance.uniform(-4, 4)))
    scene = _photo(stock, chance, number, ClipCamera((0, 0), bumps=(bump,)))
    scene.play.rest(5.0)
    return scene


def jolted(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """A scene of rolling, setting aside and rerolling dice during which the camera is knocked twice, at arbitrary
    times."""
    scene = empty_table(stock, chance, number, room=int(JOLT * 2.5 * max(SIZES[number % len(SIZES)])))
    _set_aside(scene)
    bumps = []
    for when in np.sort(chance.uniform(1.2, scene.play.clock - 1.6, 2)):
        across, down = chance.uniform(-JOLT, JOLT, 2) * max(scene.camera.size)
        bumps.append((float(when), float(across), float(down), float(chance.uniform(-JOLT_TURN, JOLT_TURN))))
    scene.camera = replace(scene.camera, bumps=tuple(bumps))
    return scene


def other_light(stock: Stock, chance: Generator, number: int) -> ClipScene:
    """A whole photo with changing light, drifting exposure and sometimes a loss of focus."""
    change = ClipCamera(
        (0, 0),
        steps=((2.0, float(chance.choice([0.55, 0.7, 1.35]))),),
        drift=float(chance.uniform(0, 0.12)),
        hunts=(3.4,) if number % 2 else (),
    )
    scene = _photo(stock, chance, number, change)
    scene.play.rest(5.5)
    scene.words += ", focus lost once" if number % 2 else ""
    return scene


_OWN: tuple[Make, ...] = (rolled, set_aside, laid_down, hand_rests, shaken, bumped, jolted, other_light)
_OTHERS: tuple[Make, ...] = (*IMPATIENT, *EVERYDAY, *HANDLED, *COMPANY, *PICTURED)
KINDS = {make.__name__.replace("_", " "): make for make in (*_OWN, *_OTHERS, *MOVING_CAMERA)}
EAGER = list(KINDS)[len(_OWN) : -len(MOVING_CAMERA)]  # kinds in which a reading is due after AT_ONCE seconds


def _set_aside(scene: ClipScene) -> None:
    play, chance = scene.play, scene.chance
    dice = scene.roll_some(4)
    play.rest(1.6)
    keep = dice[: int(chance.integers(1, min(4, len(dice))))]
    for place, die in enumerate(keep):
        play.set_aside(die, place)
    play.leave()
    play.rest(1.6)
    play.gather(dice[len(keep) :])
    play.rest(0.5)
    scene.reroll(dice[len(keep) :])
    play.rest(1.8)


def _photo(stock: Stock, chance: Generator, number: int, camera: ClipCamera) -> ClipScene:
    """A scene of the dice in a whole photo, cropped around them to a camera's format, with room for camera shake.

    Raises:
        ValueError: No photo has enough room around its dice.
    """
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
    play.roll_times.append(0.0)
    for box, face in zip(photo.xyxy, photo.faces, strict=True):
        x, y = (box[0] + box[2]) / 2 - left, (box[1] + box[3]) / 2 - top
        play.dice.append(ClipDie(int(face), None, legs=[Leg(-1.0, "resting", float(x * scale), float(y * scale))]))
    pixels = side * scale
    bumps = tuple((when, across * pixels, down * pixels, turn) for when, across, down, turn in camera.bumps)
    camera = replace(camera, size=size, rate=RATES[number % len(RATES)], shake=camera.shake * pixels, bumps=bumps)
    camera = with_sensor(camera, chance, number) if not camera.steps else camera
    words = f"{photo.set_name} photo, dice of {pixels:.0f} px, {size[0]}×{size[1]} at {camera.rate:g}"
    return ClipScene(stock, chance, play, np.ascontiguousarray(ground), camera, margin, words)


def _cut(photo: Photo, shape: tuple[int, int], room: float) -> tuple[float, float, float, float] | None:
    """The largest crop of this shape that leaves `room` pixels around all dice and around itself.

    Returns:
        Left, top, width and height in pixels, or None if there is none.
    """
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
