"""Measures real cards: taught with `ref/KIND.png`, read in `webcam/KIND.jpg`, one card on a wooden table each.

The webcam images are also shrunk, rotated by quarter turns, and covered by a hand. `--half even` or `odd` reads only
every other kind, so that the other half stays unseen. No image is used for both teaching and reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from scripts.measure_cards import user_seconds
from tests.kit import figures
from tests.kit.dice import Picture
from tests.kit.options import run
from vision.cards.card_reader import CardReader
from vision.cards.faces import Face, Index
from vision.cards.teaching import as_face, face_in
from vision.sources.jpeg import decode

TITLE = "Real cards before a webcam"
ABOUT = """
Fifteen cards of another game, taught with their publisher's pictures; fourteen of them photographed by a webcam, then
shrunk, rotated by quarter turns, and 40 % covered by a hand. *Left untaught*: half the kinds are taught and the others
are read, then the other way round. Targets: 56 of 56, at most 1 % of untaught cards named.
"""
TURNS = (0.0, 90.0, 180.0, 270.0)
SCENES = ((40, 0.0), (60, 0.0), (100, 0.0), (60, 0.4))  # card width in pixels, share covered by a hand
Corners = npt.NDArray[np.float64]


def load(folder: Path) -> dict[str, Picture]:
    """The images of a folder by name."""
    return {path.stem: decode(path.read_bytes(), str(path)) for path in sorted(folder.iterdir())}


def shrunk(picture: Picture, corners: Corners, width: float, degrees: float, hand: float) -> Picture:
    """The image scaled so that the card is `width` pixels wide, and rotated; `hand` is the share that is covered."""
    side = float(np.hypot(*(corners[1] - corners[0])))
    middle = corners.mean(axis=0)
    picture = picture.copy()
    if hand:
        along, across = corners[3] - corners[0], corners[1] - corners[0]
        edge, beyond = corners[0] + along * (1 - hand), corners[0] + along * 1.15
        cover = np.array([edge - 0.2 * across, edge + 1.2 * across, beyond + 1.2 * across, beyond - 0.2 * across])
        cv2.fillConvexPoly(picture, cover.astype(np.int32), (120, 150, 205), cv2.LINE_AA)
        for finger in range(4):
            at = edge + across * (finger / 4)
            cv2.line(picture, at.astype(int).tolist(), (at + along * hand).astype(int).tolist(), (95, 120, 175), 6)
    scale, out = width / side, int(2.4 * width)
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -degrees, scale)
    matrix[:, 2] += out / 2 - middle
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 0.8 else picture
    return np.asarray(cv2.warpAffine(soft, matrix, (out, out), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def untaught(faces: Sequence[Face], read: Sequence[str], shots: dict[str, Picture], where: dict[str, Corners]) -> str:
    """Number of cards named by a reader that was taught every other kind and reads the rest, and the reverse."""
    named = whole = 0
    for first in (0, 1):
        taught = faces[first::2]
        reader = CardReader(Index(taught))
        for kind in sorted(set(read) - {face.kind for face in taught}):
            for width, hand in SCENES[:3]:
                for turn in TURNS:
                    seen = reader.read(shrunk(shots[kind], where[kind], width, turn, hand), unknown=False)
                    named += bool(seen)
                    whole += 1
    return f"{named} of {whole}"


def main(pairs: Path, half: Literal["even", "odd", "all"] = "all", keep: bool = False) -> None:
    """Reads and counts.

    Args:
        pairs: Folder with ref/ and webcam/.
        half: Which kinds are read.
    """
    cv2.setNumThreads(1)
    shots = load(pairs / "webcam")
    faces = [as_face(kind, face_in(picture, kind)) for kind, picture in load(pairs / "ref").items()]
    reader = CardReader(Index(faces))
    kinds = {"all": sorted(shots), "even": sorted(shots)[::2], "odd": sorted(shots)[1::2]}[half]
    where: dict[str, Corners] = {}
    for kind in kinds:
        if found := [card.quad for card in reader.read(shots[kind]) if card.kind == kind]:
            where[kind] = np.array(found[0])
    rows = []
    for width, hand in SCENES:
        right = wrong = 0
        seconds = []
        for kind, corners in where.items():
            for turn in TURNS:
                picture = shrunk(shots[kind], corners, width, turn, hand)
                began = user_seconds()
                seen = [card.kind for card in reader.read(picture) if card.kind]
                seconds.append(user_seconds() - began)
                right += seen == [kind]
                wrong += any(word != kind for word in seen)
        rows.append(
            {
                "cards": f"{width} pixels wide{', 40 % under a hand' if hand else ''}",
                "named correctly": f"{right} of {len(kinds) * len(TURNS)}",
                "named wrongly": wrong,
                "milliseconds: median; worst": f"{1000 * np.median(seconds):.0f}; {1000 * max(seconds):.0f}",
            }
        )
    words = (
        f"Whole webcam pictures: {len(where)} of {len(kinds)} found. "
        f"Left untaught: {untaught(faces, list(where), shots, where)} named."
    )
    figures.report("card_pairs", TITLE, ABOUT, rows, words, keep=keep)


if __name__ == "__main__":
    run(main)
