"""Sprites of a hand with its arm and shadow: drawn, skin-toned and textured."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from scripts.clip_parts.stock import Float, Sprite

WIDE = 5.0  # die widths of a palm
CUP = 2.4  # die widths: radius of a cup
SKINS = ((120, 150, 205), (100, 135, 195), (150, 180, 230), (70, 100, 155), (45, 68, 112), (35, 48, 78))  # BGR
# Fingers of a hand pointing up, thumb first: base x, tip x and tip y in die widths from the middle fingertips.
POSES = {
    "pinch": ((-1.6, -0.3, 0.3), (-1.5, -0.35, -0.1), (-0.4, 0.15, 0.0), (0.6, 0.7, 0.9), (1.5, 1.3, 1.6)),
    "flat": ((-2.2, -3.4, 2.6), (-1.6, -1.9, 0.3), (-0.5, -0.5, 0.0), (0.6, 0.8, 0.2), (1.7, 2.2, 1.0)),
}
KNUCKLES, WRIST, ARM = 3.6, 8.5, 30.0  # die widths below the fingertips


def hand(pose: str, die: float, chance: Generator, skin: int = 0, sleeve: bool = False) -> Sprite:
    """A hand pointing up; its origin is between its fingertips. die: width of a die, pixels."""
    unit = die
    width, height = round(10 * unit), round((ARM + 1.5) * unit)
    zero = width / 2, 1.2 * unit
    mask = np.zeros((height, width), np.uint8)
    depth = np.zeros((height, width), np.float32)

    def at(x: float, y: float) -> tuple[int, int]:
        return round(zero[0] + x * unit), round(zero[1] + y * unit)

    arm = [at(-1.9, WRIST - 2), at(1.9, WRIST - 2), at(2.3, ARM), at(-2.3, ARM)]
    cv2.fillConvexPoly(mask, np.array(arm), 255, cv2.LINE_AA)
    middle = at(0.1, (KNUCKLES + WRIST) / 2 - 0.6)
    cv2.ellipse(mask, middle, (round(2.5 * unit), round(3.0 * unit)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    _round_off(depth, mask, 1.6 * unit)
    for base, tip, low in POSES[pose]:
        finger = np.zeros_like(mask)
        thick = round((0.95 if base > -1.55 else 1.1) * unit)
        from_ = at(base, KNUCKLES + 0.8 + (1.4 if base < -1.55 else 0.0))
        bend = at((base + tip) / 2 + 0.15 * np.sign(base), (KNUCKLES + low) / 2)
        for one, other in ((from_, bend), (bend, at(tip, low + 0.5))):
            cv2.line(finger, one, other, 255, thick, cv2.LINE_AA)
        _round_off(depth, finger, 0.5 * unit)
        mask = np.maximum(mask, finger)
    colour = np.array(SKINS[skin % len(SKINS)], np.float32) * (0.55 + 0.5 * depth[..., None])
    blotches = chance.normal(0, 7, (height // 12 + 2, width // 12 + 2)).astype(np.float32)
    pores = chance.normal(0, 3, (height, width)).astype(np.float32)
    colour += (cv2.resize(blotches, (width, height), interpolation=cv2.INTER_CUBIC) + pores)[..., None]
    for _, tip, low in POSES[pose]:
        cv2.ellipse(
            colour, at(tip, low + 0.35), (round(0.28 * unit), round(0.36 * unit)), 0, 0, 360, (175, 190, 225), -1
        )
    if sleeve:
        from_y = at(0, WRIST + 2)[1]
        cloth = chance.uniform(20, 200, 3).astype(np.float32)
        colour[from_y:] = cloth * (0.6 + 0.4 * depth[from_y:, :, None])
    opacity = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), max(0.6, 0.03 * unit))
    return Sprite(np.dstack([np.clip(colour, 0, 255) * opacity[..., None], opacity]).astype(np.float32), zero)


def with_cup(holding: Sprite, die: float, chance: Generator) -> Sprite:
    """The hand on an upside-down cup; its origin is the centre of the cup."""
    radius = round(CUP * die)
    more = max(0, radius - round(holding.zero[1])) + 2
    layer = np.pad(holding.layer, ((more, 0), (0, 0), (0, 0)))
    zero = holding.zero[0], holding.zero[1] + more
    middle = round(zero[0]), round(zero[1])
    cup, leather = np.zeros_like(layer), chance.uniform(20, 140, 3)
    for part, light in ((1.0, 1.0), (0.93, 0.6), (0.8, 0.8)):  # rim, wall, bottom
        cv2.circle(cup, middle, round(part * radius), (*(leather * light).tolist(), 1.0), -1, cv2.LINE_AA)
    fingers = layer.copy()
    fingers[: middle[1] + round(0.2 * radius)] = 0  # the fingers hold the cup from behind
    under = cup * (1 - fingers[..., 3:])
    return Sprite(fingers + under + layer * (1 - fingers[..., 3:]) * (1 - cup[..., 3:]), zero)


def shadow_of(sprite: Sprite, die: float, dark: float) -> Sprite:
    """The soft shadow of an object held above the table; die: width of a die, pixels; dark: opacity, 0..1."""
    pad = round(die)  # three standard deviations of the softness, so that no straight edge shows
    opacity = np.pad(sprite.layer[..., 3], pad)
    small = cv2.resize(opacity, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), 0.35 * die / 4), opacity.shape[::-1])
    layer = np.zeros((*opacity.shape, 4), np.float32)
    layer[..., 3] = dark * soft
    return Sprite(layer, (sprite.zero[0] + pad, sprite.zero[1] + pad))


def _round_off(depth: Float, mask: cv2.typing.MatLike, reach: float) -> None:
    """Shades a limb like a cylinder: brighter in the middle than at the edges; reach: shaded width, pixels."""
    away = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    shape = np.sqrt(np.clip(away / reach, 0, 1)).astype(np.float32)
    np.copyto(depth, shape, where=mask > 127)
