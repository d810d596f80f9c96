"""A table set for a game: areas for dice, the surface, and the camera's position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import CLASSIC, Array, DieLook, random_look
from tests.kit.flight import Arena
from tests.kit.photograph import Sensor
from tests.kit.printed_sheet import mat_picture
from tests.kit.props import Light, Prop
from vision.table.mat import MATS

LAYOUTS = ("mat", "areas", "nothing")
CALM_SURFACES = (0, 2, 6, 7, 8, 13, 15, 19, 20, 21, 26, 28, 33, 34, 39, 47)  # surfaces of typical tables


@dataclass(frozen=True, slots=True)
class Setting:
    """A table. Lengths in mm, x to the right, y away from the camera's side, origin in the centre.

    Attributes:
        layout: "mat" (printed, with corner marks), "areas" (two plain areas) or "nothing".
        rolling, kept: The areas for dice; kept dice are in a row.
    """

    layout: str
    rolling: Arena
    kept: Arena
    camera: Camera
    surface: int = 0
    look: DieLook = CLASSIC
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    paper: str = "a4"
    skin: int = 0
    cards: tuple[Prop, ...] = ()

    @property
    def corners(self) -> Array:
        """(n, 3) points that the camera must see."""
        if self.layout == "mat":
            mat = MATS[self.paper]
            x, y = mat.width / 2 + 4, mat.height / 2 + 4
            flat = [(-x, -y), (x, -y), (x, y), (-x, y)]
        else:
            k, r = self.kept, self.rolling
            flat = [(k.left, k.front), (k.right, k.front), (r.right, r.back), (r.left, r.back)]
        return np.array([(a, b, z) for a, b in flat for z in (0.0, self.look.size)])

    @property
    def props(self) -> list[Prop]:
        """The mat and cards, if there are any."""
        if self.layout != "mat":
            return [*self.cards]
        mat = MATS[self.paper]
        grey = mat_picture(mat, 4.0)
        sheet = (np.repeat(grey[..., None], 3, axis=2) * 0.88).astype(np.uint8)  # paper is not perfectly white
        return [Prop("box", (mat.width / 2, mat.height / 2, 0.15), (0, 0, -0.1), shine=0.05, print=sheet), *self.cards]

    @property
    def areas(self) -> tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]]:
        """The rolling and the kept area as a player would draw them on the image, relative coordinates."""
        drawn = []
        for arena, margin in ((self.rolling, 0.0), (self.kept, 0.0)):
            around = [
                (arena.left - margin, arena.front, 0.0),
                (arena.right + margin, arena.front, 0.0),
                (arena.right + margin, arena.back, 0.0),
                (arena.left - margin, arena.back, 0.0),
            ]
            at = self.camera.project(np.array(around)) / [self.camera.width, self.camera.height]
            drawn.append(tuple((float(x), float(y)) for x, y in np.clip(at, 0, 1)))
        return drawn[0], drawn[1]


def fitted(setting: Setting, margin: float = 6.0) -> Setting:
    """The camera moved and aimed so that the whole table is in the image, as large as possible."""
    near, far = 100.0, 4000.0
    for _ in range(24):
        middle = (near + far) / 2
        camera = _centred(replace(setting.camera, distance=middle), setting.corners)
        at = camera.project(setting.corners)
        inside = at.min() >= margin and (at <= [camera.width - margin, camera.height - margin]).all()
        near, far = (near, middle) if inside else (middle, far)
    return replace(setting, camera=_centred(replace(setting.camera, distance=far), setting.corners))


def _centred(camera: Camera, corners: Array) -> Camera:
    """The camera rotated so that the corners are centred in the image."""
    for _ in range(4):
        at = camera.project(corners)
        middle = (at.min(axis=0) + at.max(axis=0)) / 2
        x, y = camera.on_table(float(middle[0]), float(middle[1]))
        camera = replace(camera, target=(x, y, 0.0))
    return camera


def plain(layout: str = "mat", width: int = 640, height: int = 480, slant: float = 30.0) -> Setting:
    """A quiet table: classic dice of 18 mm on wood, seen from the front."""
    look = replace(CLASSIC, size=18.0)
    rolling, kept = _arenas(layout)
    camera = Camera(width=width, height=height, slant=slant)
    return fitted(Setting(layout, rolling, kept, camera, surface=0, look=look))


def random_setting(layout: str, seed: int, width: int = 640, height: int = 480) -> Setting:
    """A random table: dice, surface, light, camera and angle depend on the seed."""
    rng = np.random.default_rng([0x5E7, seed])
    rolling, kept = _arenas(layout)
    looks = [look for look in map(random_look, rng.integers(0, 4000, 40)) if _legible(look)]
    key = float(rng.uniform(0.3, 0.7))
    return fitted(
        Setting(
            layout,
            rolling,
            kept,
            Camera(
                width=width,
                height=height,
                slant=float(rng.uniform(5, 48)),
                azimuth=float(rng.normal(0, 12)),
                roll=float(rng.normal(0, 2)),
                fovy=float(rng.uniform(35, 55)),
            ),
            surface=int(rng.choice(CALM_SURFACES)),
            look=replace(looks[0], size=float(rng.choice([16, 18, 19]))),
            light=Light(
                azimuth=float(rng.uniform(0, 360)),
                height=float(rng.uniform(40, 80)),
                size=float(rng.uniform(0.05, 0.4)),
                key=key,
                fill=(1 - key) * 0.75,
                ambient=(1 - key) * 0.25 + 0.05,
            ),
            sensor=Sensor(
                gain=float(np.exp(rng.normal(0.03, 0.1))),
                warmth=float(rng.normal(0, 0.25)),
                blur=float(rng.uniform(0.4, 1.0)),
                grain=float(rng.uniform(1, 5)),
                vignette=float(rng.uniform(0, 0.3)),
                jpeg=int(rng.integers(70, 95)),
            ),
            skin=int(rng.integers(5)),
        )
    )


def _legible(look: DieLook) -> bool:
    """Whether the pips contrast with every tone of the body."""
    weights = np.array([0.3, 0.59, 0.11])
    return bool(min(abs(weights @ np.subtract(look.pips, tone)) for tone in (look.body, look.second)) > 0.35)


def _arenas(layout: str) -> tuple[Arena, Arena]:
    if layout == "mat":
        mat = MATS["a4"]
        areas = []
        for (left, top), _, (right, low), _ in (mat.rolling, mat.kept):
            areas.append(Arena(left - mat.width / 2, mat.height / 2 - low, right - mat.width / 2, mat.height / 2 - top))
        return areas[0], areas[1]
    return Arena(-112, -52, 112, 98), Arena(-125, -98, 125, -60)
