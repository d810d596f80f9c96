"""The setting of a clip: an empty table, a simulated camera, and dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps

from numpy.random import Generator

from scripts.clip_parts.lens import ClipCamera
from scripts.clip_parts.pieces import ClipDie
from scripts.clip_parts.play import Play
from scripts.clip_parts.stock import TABLES, Stock, table
from vision.types import Image

SIZES = ((640, 480), (640, 480), (848, 480), (480, 640), (720, 1280), (1280, 720), (640, 360), (1920, 1080))
RATES = (30.0, 15.0, 25.0, 10.0, 30.0, 20.0)


@dataclass(slots=True)
class ClipScene:
    """A clip: an empty table, a camera, and a script of events.

    Attributes:
        stock: Material for dice and tables.
        chance: Random generator.
        play: The events.
        ground: The empty table, larger than the image by `margin` pixels on every side.
        camera: The simulated camera.
        margin: Pixels around the image for camera shake.
        words: Description of the scene, which begins with the source of its dice.
    """

    stock: Stock
    chance: Generator
    play: Play
    ground: Image
    camera: ClipCamera
    margin: int
    words: str

    def pause(self, low: float, high: float) -> None:
        """Adds a rest of a random duration, seconds."""
        self.play.rest(float(self.chance.uniform(low, high)))

    def some_dice(self, least: int = 3) -> list[ClipDie]:
        """Between `least` and six dice that look alike."""
        source = self.words.split(" ")[0]
        alike = self.stock.alike(source, self.chance)
        count = int(self.chance.integers(least, 7))
        dice = [
            a_die(self.stock, self.play, self.chance, alike, source, int(self.chance.integers(1, 7)))
            for _ in range(count)
        ]
        self.play.dice += dice
        return dice

    def again(self, die: ClipDie) -> ClipDie:
        """The same die after another roll, with a face from the same photos."""
        new = ClipDie(die.value, die.top, die.faces, die.turns)
        value = int(self.chance.integers(1, 7))
        row = self.stock.alike(self.words.split(" ")[0], self.chance)[value][0]
        new.value, new.top = value, self.stock.die(row, self.play.width)
        self.play.dice.append(new)
        return new

    def reroll(self, dice: Iterable[ClipDie]) -> list[ClipDie]:
        """Rerolls these dice."""
        rolled = [self.again(die) for die in dice]
        self.play.roll(rolled)
        return rolled

    def roll_some(self, least: int = 3, before: float = 0.4) -> list[ClipDie]:
        """Rolls at least this many dice after a rest, seconds."""
        self.play.rest(before)
        dice = self.some_dice(least)
        self.play.roll(dice)
        return dice

    def reroll_all_but_one(self, wait: float = 0.8, last: float = 1.6) -> None:
        """Dice are rolled, one is set aside, and the others are rerolled.

        Args:
            wait: Minimum seconds before they are taken.
            last: Seconds of rest at the end.
        """
        dice = self.roll_some(4)
        self.pause(0.8, 1.6)
        self.play.set_aside(dice[0], 0)
        self.play.leave()
        self.pause(wait, 1.6)
        self.play.gather(dice[1:])
        self.play.rest(0.4)
        self.reroll(dice[1:])
        self.play.rest(last)


Make = Callable[[Stock, Generator, int], ClipScene]  # the int is the number of the clip


def on_table(act: Callable[[ClipScene], None]) -> Make:
    """Decorator: turns a function that scripts a scene into one that creates the scene on an empty table."""

    @wraps(act)
    def made(stock: Stock, chance: Generator, number: int) -> ClipScene:
        scene = empty_table(stock, chance, number)
        act(scene)
        return scene

    return made


def empty_table(stock: Stock, chance: Generator, number: int, room: int = 0) -> ClipScene:
    """A scene without events; number: of the clip, selects the format; room: pixels of table around the margin."""
    size = SIZES[number % len(SIZES)]
    width = float(chance.uniform(0.045, 0.085)) * max(size)
    kind = TABLES[int(chance.integers(len(TABLES)))]
    camera = with_sensor(ClipCamera(size, RATES[number % len(RATES)]), chance, number)
    if number % 3 == 2:
        camera = replace(camera, shake=0.04 * width)
    margin = int(2 * camera.shake) + 4 + room
    whole = size[0] + 2 * margin, size[1] + 2 * margin
    source = stock.sources()[int(chance.integers(len(stock.sources())))]
    words = f"{source} dice of {width:.0f} px on {kind}, {size[0]}×{size[1]} at {camera.rate:g}"
    play = Play(size, width, chance)
    return ClipScene(stock, chance, play, table(kind, whole, stock.photos, chance), camera, margin, words)


def with_sensor(camera: ClipCamera, chance: Generator, number: int) -> ClipCamera:
    """The camera with the sensor of a good one, a cheap one, or one in low light; number: of the clip."""
    match number % 4:
        case 0 | 2:
            return replace(camera, grain=float(chance.uniform(1, 4)), quality=int(chance.integers(20, 29)))
        case 1:
            return replace(camera, grain=float(chance.uniform(3, 6)), quality=30, blur=0.9, shutter=1 / 40, drift=0.04)
    low = min(1 / 20, 1 / camera.rate)
    return replace(camera, grain=float(chance.uniform(5, 8)), light=0.7, shutter=low, quality=27, blur=0.8)


def a_die(stock: Stock, play: Play, chance: Generator, alike: dict[int, list[int]], source: str, value: int) -> ClipDie:
    """A die with this value; alike: rows of the cutouts by face."""
    rows = {face: faces[int(chance.integers(len(faces)))] for face, faces in alike.items()}
    pictures = {face: stock.die(row, play.width) for face, row in rows.items()}
    around = [pictures[int(face)] for face in chance.permutation(6) + 1]
    return ClipDie(value, pictures[value], around, stock.turnable(source))
