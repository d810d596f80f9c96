"""A game's cards laid into real photos: `python -m scripts.cards_on_photos --photos DIR --out FOLDER`.

No photo of any set shows cards that print dice, and a render is no photo. So cards of the designs kept for development
are laid beside the real dice of `DIR/dev`, as large as they would lie there, seen at a slant, in that picture's light
and as blurred. The pictures and their labels go to `FOLDER/dev`, which `scripts/evaluate.py --photos FOLDER --no-write`
reads: every die printed on them is false. With `--split train` they are the photos and designs to train with
(`scripts/train.py print --add FOLDER/train`). They hold other people's photos and are never committed.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import click
import cv2
import numpy as np
import numpy.typing as npt

from companion.bench.vision import labelled, set_of, truth_of
from scripts.simulation.cards import Card, any_design, game_card
from scripts.training.drawn_others import at_slant
from scripts.training.photos import PIPS_ONLY
from vision.sources.jpeg import decode
from vision.types import Image

Boxes = npt.NDArray[np.float32]
CARDS, TRIES = 3, 60  # in a picture at most; places tried for each
PRINT = (0.4, 1.0)  # how large the printed dice are, beside the real ones
PART = 0.6  # of a card that must be in the picture


def laid(image: Image, dice: Boxes, dev: bool, rng: np.random.Generator) -> tuple[Image, int]:
    """The picture with up to three cards, none of which hides or touches a die, and how many there are. dice: (n, 4);
    dev: of the designs kept for development, or of the others."""
    out, free, count = image.copy(), np.ones(image.shape[:2], np.uint8), 0
    side = float(np.median((dice[:, 2:] - dice[:, :2]).max(axis=1))) if len(dice) else 0.06 * max(image.shape[:2])
    for left, top, right, low in dice + np.array([-0.3, -0.3, 0.3, 0.3], np.float32) * side:
        free[max(0, int(top)) : max(0, int(low)), max(0, int(left)) : max(0, int(right))] = 0
    slant, away = np.deg2rad(rng.uniform(0, 50)), float(rng.uniform(15, 40)) * side
    for _ in range(CARDS):
        card = game_card(any_design(rng, dev=dev))
        scale = side * float(rng.uniform(*PRINT)) / max(die[2] for die in card.dice)
        for _ in range(TRIES):
            middle = rng.uniform(0, 1, 2) * image.shape[1::-1]
            corners = _corners(card, scale, float(rng.uniform(0, 2 * np.pi)), slant, away) + middle
            place = cv2.fillConvexPoly(np.zeros_like(free), np.round(corners).astype(np.int32), 1)
            area = cv2.contourArea(corners.astype(np.float32))
            if place.sum() >= PART * area and not (place & (1 - free)).any():
                _lay(out, card, corners, rng)
                free[place > 0] = 0
                count += 1
                break
    return out, count


def _corners(card: Card, scale: float, turn: float, slant: float, away: float) -> npt.NDArray[np.float64]:
    """(4, 2) pixels from the card's middle, as a camera sees it that looks down so much beside the vertical."""
    height, width = card.face.shape[:2]
    flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * scale * np.array([width, height]) / 2
    return at_slant(flat, turn, slant, away)


def _lay(image: Image, card: Card, corners: npt.NDArray[np.float64], rng: np.random.Generator) -> None:
    """Prints the card into the picture in the light that falls there, with a narrow shadow."""
    height, width = card.face.shape[:2]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    shrink = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (width * height))
    face = cv2.GaussianBlur(card.face, (0, 0), max(0.3, 0.5 / shrink))
    way = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    size = image.shape[1::-1]
    alpha = cv2.warpPerspective(np.full((height, width), 255, np.uint8), way, size)
    alpha = cv2.GaussianBlur(alpha, (0, 0), 0.8)[..., None] / np.float32(255)
    where = alpha[..., 0] > 0.5
    light = np.percentile(image[where], 80, axis=0) / 255 if where.any() else np.ones(3)
    light = np.clip(light / max(light.max(), 1e-3), 0.5, 1) * np.clip(light.max() * 1.1, 0.35, 1)
    printed = cv2.warpPerspective(cv2.GaussianBlur(face, (0, 0), 0.6)[..., ::-1], way, size) * light
    printed += rng.normal(0, 2, printed.shape)
    shade = cv2.GaussianBlur(np.roll(alpha[..., 0], (2, 2), (0, 1)), (0, 0), 3)[..., None]
    image[:] = np.clip(image * (1 - 0.4 * shade) * (1 - alpha) + printed * alpha, 0, 255)


@click.command()
@click.option("--photos", type=click.Path(path_type=Path, exists=True), envvar="COURTSIDE_PHOTOS", required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--split", type=click.Choice(["train", "dev"]), default="dev", show_default=True)
@click.option("--most", default=1000, show_default=True, help="Pictures of one set.")
def main(photos: Path, out: Path, split: str, most: int) -> None:
    """Write the pictures of PHOTOS in which a card finds room, with their labels."""
    written = cards = 0
    target, taken = out / split, Counter[str]()
    for name in ("images", "labels"):
        (target / name).mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(labelled(photos / split)):
        source = set_of(path)
        if source in PIPS_ONLY or taken[source] >= most:
            continue
        taken[source] += 1
        image = decode(path.read_bytes(), str(path))
        picture, count = laid(
            image, truth_of(path, image).xyxy, split == "dev", np.random.default_rng([0x1A1D, number])
        )
        if not count:
            continue
        cv2.imwrite(str(target / "images" / f"{path.stem}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        labels = path.parent.parent / "labels" / f"{path.stem}.txt"
        if labels.exists():
            shutil.copy(labels, target / "labels")
        written, cards = written + 1, cards + count
    click.echo(f"{written} pictures with {cards} cards in {target}")


if __name__ == "__main__":
    main()
