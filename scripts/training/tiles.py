"""Training data of the finder: 256-pixel tiles cut from real images at a chosen scale, or composed of cut-out dice."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import torch
from numpy.random import Generator

from tests.kit.drawn.backdrops import draw_traps, drawn_backdrop, real_backdrop
from tests.kit.drawn.cutouts import CONTEXT, PATCH, Cutouts
from tests.kit.drawn.photos import FROM_ABOVE, Float, Image, Photo, die_boxes

from .generated_dataset import GeneratedDataset
from .photometry import degrade, recolour, relight

TILE = 256
SMALLEST, LARGEST = 10.0, 150.0  # pixels: range of a die's longer side in the finder's input
# Boards, maps, clutter, trays: sets with most missed dice and false detections.
BUSY = {"catan", "mixed", "desk", "pxl"}
DRAWN = 0.3  # share of synthetic dice among the pasted ones
TOO_CLOSE = 0.08  # share of real tiles with dice larger than LARGEST, which must not be detected


def _even_log(rng: Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def real_tile(photo: Photo, boxes: Float, rng: Generator, *, size: int, largest: float) -> tuple[Image, Float]:
    """A tile around a random die of an image, or anywhere in it, scaled to give the die a log-uniform size.

    Returns:
        (size, size, 3) pixels and the boxes of the image's dice in them, those outside included.
    """
    image = photo.image
    height, width = image.shape[:2]
    if len(boxes):
        box = boxes[int(rng.integers(len(boxes)))]
        side = float((box[2:] - box[:2]).max())
        scale = float(np.clip(_even_log(rng, SMALLEST, largest) / side, 0.6 * size / min(height, width), 2.0))
        if rng.random() < TOO_CLOSE:
            scale = min(_even_log(rng, 200, 700) / side, 5.0)
        focus = (box[:2] + box[2:]) / 2
    else:
        scale = _even_log(rng, 0.4, 1.5)
        focus = rng.uniform((0, 0), (width, height))
    if scale < 0.6:  # crop first: resizing the whole image would cost more than all the rest
        reach = size / scale
        left, top = np.floor(np.maximum(focus - reach, 0)).astype(int)
        piece = image[top : int(focus[1] + reach), left : int(focus[0] + reach)]
        image = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        boxes, focus, scale = (boxes - (left, top, left, top)) * scale, (focus - (left, top)) * scale, 1.0
    turn = rng.uniform(-12, 12) + (90 * rng.integers(4) if photo.set_name in FROM_ABOVE else 0)
    radians = np.deg2rad(turn)
    linear = scale * np.array([[np.cos(radians), -np.sin(radians)], [np.sin(radians), np.cos(radians)]])
    linear[0] *= rng.uniform(0.87, 1.15) * rng.choice((-1, 1))
    at = rng.uniform(0.1, 0.9, 2) * size
    matrix = np.column_stack([linear, at - linear @ focus])
    border = cv2.BORDER_CONSTANT if len(boxes) else cv2.BORDER_REFLECT_101
    tile = cv2.warpAffine(image, matrix, (size, size), borderMode=border, borderValue=tuple(rng.uniform(0, 255, 3)))
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2 @ linear.T + matrix[:, 2]
    # The bounding box of a rotated box is too large for a square die; that of its inscribed ellipse is close.
    spread = np.sqrt(((boxes[:, 2:] - boxes[:, :2]) / 2) ** 2 @ (linear**2).T)
    return tile, np.concatenate([centres - spread, centres + spread], axis=1).astype(np.float32)


def visible(boxes: Float, size: int) -> Float:
    """The boxes clipped to the tile, without dice that are mostly outside, too small or too large.

    Dice larger than the finder's range are not reported, because a pip seen that close looks like a token.
    """
    clipped = boxes.clip(0, size)
    now, full = clipped[:, 2:] - clipped[:, :2], boxes[:, 2:] - boxes[:, :2]
    fits = full.max(axis=1, initial=0) <= 1.25 * LARGEST
    return clipped[fits & (now.prod(axis=1) > 0.5 * full.prod(axis=1)) & (now.min(axis=1, initial=1e9) > 5)]


def paste(
    tile: Image, patch: Image, mask: Image, side: float, at: Float, rng: Generator, *, turn: float
) -> Float | None:
    """Pastes one cut-out die and its shadow onto the tile.

    Returns:
        The tight box of the visible part, or None if none is visible.
    """
    # Work in the small window the die and its shadow can reach, not in the whole tile.
    window = int(np.ceil(side * 1.1)) + 6
    left, top = (np.round(at).astype(int) - window).tolist()
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + 2 * window, TILE), min(top + 2 * window, TILE)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return None
    scale = side * CONTEXT / PATCH
    if scale < 0.5:
        patch = cv2.resize(patch, None, fx=2 * scale, fy=2 * scale, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(mask, patch.shape[:2], interpolation=cv2.INTER_AREA)
        scale = 0.5
    middle = patch.shape[0] / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), turn, scale)
    if rng.random() < 0.5:
        matrix[:, 2] += matrix[:, 0] * (patch.shape[1] - 1)
        matrix[:, 0] *= -1
    matrix[:, 2] += at - (middle + x0, middle + y0)
    extent = (x1 - x0, y1 - y0)
    alpha = cv2.warpAffine(mask, matrix, extent)
    x, y, w, h = cv2.boundingRect((alpha > 100).astype(np.uint8))
    if w < 4 or h < 4:
        return None
    die = cv2.warpAffine(patch, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
    part = tile[y0:y1, x0:x1].astype(np.float32)
    if rng.random() < 0.8:
        away = np.array([[1, 0, rng.normal(0, 0.18) * side], [0, 1, rng.normal(0, 0.18) * side]])
        shade = cv2.warpAffine(alpha, away, extent)
        shade = cv2.GaussianBlur(shade, (0, 0), max(0.6, float(rng.uniform(0.02, 0.12)) * side))
        part *= 1 - shade[..., None].astype(np.float32) * (float(rng.uniform(0.2, 0.8)) / 255)
    weight = alpha[..., None].astype(np.float32) / 255
    tile[y0:y1, x0:x1] = part + weight * (die - part)
    return np.array([x0 + x, y0 + y, x0 + x + w, y0 + y + h], np.float32)


class Tiles(GeneratedDataset[dict[str, torch.Tensor]]):
    """Dataset of `count` new tiles per epoch.

    Items have the format of Ultralytics' detection loss: img, cls, bboxes (xywh, relative).
    """

    def __init__(self, photos: Sequence[Photo], cutouts: Cutouts, *, count: int, seed: int) -> None:
        super().__init__(count, seed)
        self.photos, self.cutouts = photos, cutouts
        self.boxes = [die_boxes(photo) for photo in photos]
        names = [photo.set_name for photo in photos]
        share = {
            name: names.count(name) ** -0.5 for name in set(names)
        }  # a compromise between uniform over images and uniform over sets
        weights = np.array([share[name] * (2 if name in BUSY else 1) for name in names])
        self.weights = np.cumsum(weights / weights.sum())
        whole = np.flatnonzero(cutouts.whole)
        weights = np.array([share.get(name, 0.0) for name in cutouts.sets[whole]])
        drawn = np.char.startswith(cutouts.sets[whole], "drawn")
        if drawn.any():
            weights[drawn] = weights.sum() * DRAWN / (1 - DRAWN) / drawn.sum()
        self.whole, self.whole_weights = whole, np.cumsum(weights / weights.sum())
        self.labels: list[dict[str, object]] = []  # required by Ultralytics; labels are generated with the tiles

    def made_tile(self) -> tuple[Image, Float]:
        """Up to twelve cut-out dice on another background, some touching, with distractors between them."""
        rng = self.rng
        tile = real_backdrop(self.photos, TILE, rng) if rng.random() < 0.6 else drawn_backdrop(TILE, rng)
        if rng.random() < 0.5:
            tile = relight(recolour(tile, rng), rng)
        side = _even_log(rng, SMALLEST + 3, 130)
        if rng.random() < 0.5:
            draw_traps(tile, rng, largest=1.6 * side)
        most = max(1, min(12, int((TILE / side) ** 2 / 3)))
        boxes: list[Float] = []
        for _ in range(int(rng.integers(0 if rng.random() < 0.2 else 1, most + 1))):
            pick = int(self.whole[np.searchsorted(self.whole_weights, rng.random())])
            at = rng.uniform(0, TILE, 2)
            if boxes and rng.random() < 0.35:  # beside the last one, touching
                angle = rng.uniform(0, 2 * np.pi)
                at = (boxes[-1][:2] + boxes[-1][2:]) / 2 + side * rng.uniform(0.9, 1.15) * np.array(
                    [np.cos(angle), np.sin(angle)]
                )
            own = side * float(np.exp(rng.normal(0, 0.15)))
            if any(np.abs((b[:2] + b[2:]) / 2 - at).max() < 0.8 * max(own, side) for b in boxes):
                continue
            patch = np.asarray(self.cutouts.patches[pick])
            if rng.random() < 0.5:
                patch = recolour(patch, rng)
            turn = float(rng.uniform(0, 360) if self.cutouts.sets[pick] in FROM_ABOVE else rng.uniform(-40, 40))
            mask = np.asarray(self.cutouts.masks[pick])
            box = paste(tile, patch, mask, own, at.astype(np.float32), rng, turn=turn)
            if box is not None:
                boxes.append(box)
        return tile, np.array(boxes, np.float32).reshape(-1, 4)

    def real(self, size: int, largest: float) -> tuple[Image, Float]:
        """A tile from a real image drawn by weight."""
        index = int(np.searchsorted(self.weights, self.rng.random()))
        image, boxes = real_tile(self.photos[index], self.boxes[index], self.rng, size=size, largest=largest)
        return recolour(image, self.rng, strength=0.5), visible(boxes, size)

    def tile(self) -> tuple[Image, Float]:
        """The next tile: (256, 256, 3) uint8 BGR and boxes (n, 4) in pixels."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.35:
            image, boxes = self.real(TILE, LARGEST)
        elif chance < 0.55:  # mosaic of four images: small dice, and borders between backgrounds
            half = TILE // 2
            image, parts = np.empty((TILE, TILE, 3), np.uint8), []
            for x in (0, half):
                for y in (0, half):
                    image[y : y + half, x : x + half], part = self.real(half, 70)
                    parts.append(part + np.array([x, y, x, y], np.float32))
            boxes = np.concatenate(parts)
        elif chance < 0.92:
            image, boxes = self.made_tile()
            image = recolour(image, rng, strength=0.3)
        else:
            image = real_backdrop(self.photos, TILE, rng) if rng.random() < 0.6 else drawn_backdrop(TILE, rng)
            draw_traps(image, rng, largest=90)
            boxes = np.zeros((0, 4), np.float32)
        return degrade(relight(image, rng), rng), boxes

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        image, boxes = self.tile()
        boxes = visible(boxes, TILE)
        size = boxes[:, 2:] - boxes[:, :2]
        xywh = np.concatenate([boxes[:, :2] + size / 2, size], axis=1) / TILE
        return {
            "img": torch.from_numpy(np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1))),
            "cls": torch.zeros(len(boxes), 1),
            "bboxes": torch.from_numpy(xywh.astype(np.float32)),
        }

    @staticmethod
    def collate_fn(items: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
        """A batch: images stacked, boxes concatenated with the index of their image."""
        numbers = [torch.full((len(item["cls"]),), float(i)) for i, item in enumerate(items)]
        return {
            "img": torch.stack([item["img"] for item in items]),
            "cls": torch.cat([item["cls"] for item in items]),
            "bboxes": torch.cat([item["bboxes"] for item in items]),
            "batch_idx": torch.cat(numbers),
        }
