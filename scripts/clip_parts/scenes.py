"""Where a clip is set: an empty table before a camera of some kind, and dice for it."""

from __future__ import annotations

from dataclasses import replace

from numpy.random import Generator

from scripts.clip_parts.lens import Camera
from scripts.clip_parts.pieces import Die
from scripts.clip_parts.play import Play
from scripts.clip_parts.stock import TABLES, Stock, table
from vision.types import Image

SIZES = ((640, 480), (640, 480), (848, 480), (480, 640), (720, 1280), (1280, 720), (640, 360), (1920, 1080))
RATES = (30.0, 15.0, 25.0, 10.0, 30.0, 20.0)
Made = tuple[Play, Image, Camera, int, str]  # a clip: what happens, the empty table, its margin, the scene in words


def empty_table(stock: Stock, chance: Generator, number: int, room: int = 0) -> tuple[Play, Camera, Image, str]:
    size = SIZES[number % len(SIZES)]
    width = float(chance.uniform(0.045, 0.085)) * max(size)
    kind = TABLES[int(chance.integers(len(TABLES)))]
    camera = with_sensor(Camera(size, RATES[number % len(RATES)]), chance, number)
    if number % 3 == 2:
        camera = replace(camera, shake=0.04 * width)
    margin = margin_of(camera) + room
    whole = size[0] + 2 * margin, size[1] + 2 * margin
    source = stock.sources()[int(chance.integers(len(stock.sources())))]
    words = f"{source} dice of {width:.0f} px on {kind}, {size[0]}×{size[1]} at {camera.rate:g}"
    play = Play(size, width, chance)
    return play, camera, table(kind, whole, stock.photos, chance), words


def with_sensor(camera: Camera, chance: Generator, number: int) -> Camera:
    """A good camera, a cheap one, or one in low light."""
    match number % 4:
        case 0 | 2:
            return replace(camera, grain=float(chance.uniform(1, 4)), quality=int(chance.integers(20, 29)))
        case 1:
            return replace(camera, grain=float(chance.uniform(3, 6)), quality=30, blur=0.9, shutter=1 / 40, drift=0.04)
    low = min(1 / 20, 1 / camera.rate)
    return replace(camera, grain=float(chance.uniform(5, 8)), light=0.7, shutter=low, quality=27, blur=0.8)


def margin_of(camera: Camera) -> int:
    return int(2 * camera.shake) + 4


def some_dice(stock: Stock, play: Play, chance: Generator, scene: str, least: int = 3) -> list[Die]:
    source = scene.split(" ")[0]
    alike = stock.alike(source, chance)
    count = int(chance.integers(least, 7))
    dice = [a_die(stock, play, chance, alike, source, int(chance.integers(1, 7))) for _ in range(count)]
    play.dice += dice
    return dice


def a_die(stock: Stock, play: Play, chance: Generator, alike: dict[int, list[int]], source: str, value: int) -> Die:
    """A die of these rows by face, which shows this value."""
    rows = {face: faces[int(chance.integers(len(faces)))] for face, faces in alike.items()}
    pictures = {face: stock.die(row, play.width) for face, row in rows.items()}
    around = [pictures[int(face)] for face in chance.permutation(6) + 1]
    return Die(value, pictures[value], around, stock.turnable(source))


def like_it(stock: Stock, chance: Generator, scene: str, die: Die, play: Play) -> Die:
    """The same die thrown again: another face of the same pictures on top."""
    again = Die(die.value, die.top, die.faces, die.turns)
    value = int(chance.integers(1, 7))
    row = stock.alike(scene.split(" ")[0], chance)[value][0]
    again.value, again.top = value, stock.die(row, play.width)
    play.dice.append(again)
    return again


def throw_all_but_one_again(
    stock: Stock, play: Play, chance: Generator, scene: str, wait: float = 0.8, last: float = 1.6
) -> None:
    """Dice are thrown, one is set aside, and the others are thrown again. wait: seconds at least before they are taken
    up; last: at the end."""
    play.rest(0.4)
    dice = some_dice(stock, play, chance, scene, least=4)
    play.throw(dice)
    play.rest(float(chance.uniform(0.8, 1.6)))
    play.set_aside(dice[0], 0)
    play.leave()
    play.rest(float(chance.uniform(wait, 1.6)))
    play.gather(dice[1:])
    play.rest(0.4)
    play.throw([like_it(stock, chance, scene, die, play) for die in dice[1:]])
    play.rest(last)
