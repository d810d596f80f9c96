"""`courtside read IMAGE…`: the dice of photos, as text or JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli_errors import print_error
from companion.commands.options import MODEL

if TYPE_CHECKING:
    from vision.dice.detections import Detections
    from vision.dice.detector import Detector


@click.command()
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--save",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a copy of each picture to DIR with the dice drawn in.",
)
@MODEL
@click.pass_context
def command(
    context: click.Context, images: tuple[Path, ...], as_json: bool, folder: Path | None, model: Path | None
) -> None:
    """Read the dice in photos.

    Photos are JPEG, PNG, WebP, AVIF, TIFF, GIF or BMP (HEIC with the package pillow-heif), up to 200 megapixels.
    Above 40 megapixels, a smaller copy is read.

    Boxes are left, top, right, bottom in pixels, after the photo is rotated as its EXIF data says. The time in
    milliseconds covers detection and reading, not decoding. A picture that cannot be read is reported on standard
    error, the others are still read, and the exit status is 2.
    """
    # OpenCV and the model runtime take a third of a second to load, so `--help` does not import them.
    from companion.resources import resource
    from vision.dice.detector import Detector
    from vision.dice.networks import DamagedModel
    from vision.sources.jpeg import Unusable

    try:
        detector = Detector(model or resource("models"))
    except (DamagedModel, FileNotFoundError) as error:
        raise click.UsageError(str(error)) from error
    failed = False
    for path in images:
        try:
            line, cut = _read(path, detector, folder)
            if cut:
                print_error(f"{path}: a die is partly outside the picture")
        except (OSError, Unusable) as error:
            failed = True
            reason = f"{path} cannot be opened ({error.strerror})" if isinstance(error, OSError) else str(error)
            print_error(reason)
            continue
        click.echo(json.dumps(line, ensure_ascii=False) if as_json else _as_text(line))
    if failed:
        context.exit(2)


def _read(path: Path, detector: Detector, folder: Path | None) -> tuple[dict[str, object], bool]:
    """One image's line, and whether its edge cuts a die.

    Raises:
        OSError, Unusable: The image cannot be read.
    """
    from vision.sources.files import picture_bytes
    from vision.sources.jpeg import decode_reduced
    from vision.tracking.partly_outside import FOUND, cut_boxes

    image, reduced = decode_reduced(picture_bytes(path), str(path))
    began = time.perf_counter()
    seen = detector.detect(image, thorough=True)
    milliseconds = (time.perf_counter() - began) * 1000
    if folder is not None:
        _save(image, seen, folder / f"{path.stem}.png")
    boxes, _ = detector.candidates(image, least=FOUND)
    cut = any(True for _ in cut_boxes(boxes, (image.shape[1], image.shape[0])))
    return {"image": str(path), "dice": _dice(seen, reduced), "milliseconds": round(milliseconds, 1)}, cut


def _dice(seen: Detections, reduced: int) -> list[dict[str, object]]:
    """The dice from left to right, in pixels of the image before it was reduced by the factor `reduced`."""
    rows = sorted(zip(seen.faces, seen.confidences, seen.xyxy, strict=True), key=lambda row: float(row[2][0]))
    return [
        {
            "value": int(face),
            "confidence": round(float(chance), 4),
            "box": [round(reduced * float(side), 1) for side in box],
        }
        for face, chance, box in rows
    ]


def _as_text(line: dict[str, object]) -> str:
    dice = line["dice"]
    assert isinstance(dice, list)
    values = " ".join(str(die["value"]) for die in dice)
    return f"{line['image']}: {values or 'no dice'}"


def _save(image: object, seen: Detections, path: Path) -> None:
    """Draws boxes and values; an uncertain value gets a question mark."""
    import cv2
    import numpy as np

    picture = np.array(image, dtype=np.uint8)
    thick = max(2, round(max(picture.shape[:2]) / 500))
    for face, chance, box in zip(seen.faces, seen.confidences, seen.xyxy.astype(int), strict=True):
        left, top, right, bottom = (int(side) for side in box)
        text = f"{face}" if chance >= 0.8 else f"{face}?"
        cv2.rectangle(picture, (left, top), (right, bottom), (0, 230, 0), thick)
        for colour, width in (((0, 0, 0), 3 * thick), ((255, 255, 255), thick)):
            at = (left, max(top - 2 * thick, 14 * thick))
            cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, thick / 2.2, colour, width, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    _, data = cv2.imencode(".png", picture)
    path.write_bytes(data.tobytes())  # cv2.imwrite fails silently, and on Windows with any letter beyond ASCII
