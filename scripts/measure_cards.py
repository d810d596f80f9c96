"""Measures how well cards are found and recognised, and prints each target beside what was reached.

With `--pairs DIR`: pictures of real cards, `ref/KIND.png` to teach and `webcam/KIND.jpg` to read,
one card before a light wooden table each. Without: drawn editions only (`tests/kit/editions.py`), taught by
one picture and read in whole tables. Nothing is read in the picture it was taught with. Times are of the processor, so
that other work on the computer does not count; `OPENBLAS_NUM_THREADS=1` keeps them those of one thread.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from tests.kit.card_table import Conditions, photograph_cards, spread
from tests.kit.editions import EDITIONS, face
from tests.kit.options import run
from vision.cards.faces import Face, Index
from vision.cards.reading import CardReader
from vision.cards.teaching import as_face, face_in
from vision.sources.jpeg import decode

Picture = npt.NDArray[np.uint8]
TURNS = (0.0, 90.0, 180.0, 270.0)
WIDTHS = (40, 60, 100)
TAUGHT, UNTAUGHT = 14, 6


def load(folder: Path) -> dict[str, Picture]:
    """The pictures of a folder by their name."""
    return {path.stem: decode(path.read_bytes(), str(path)) for path in sorted(folder.iterdir())}


def small(
    picture: Picture, corners: npt.NDArray[np.float64], width: float, degrees: float, hand: float = 0.0
) -> Picture:
    """The picture scaled so that the card is so many pixels wide, and turned; hand: the share of the card that one
    covers.
    """
    side = float(np.hypot(*(corners[1] - corners[0])))
    middle = corners.mean(axis=0)
    picture = picture.copy()
    if hand:
        along = corners[3] - corners[0]
        edge = corners[0] + along * (1 - hand)
        beyond = corners[0] + along * 1.15
        across = corners[1] - corners[0]
        cover = np.array([edge - 0.2 * across, edge + 1.2 * across, beyond + 1.2 * across, beyond - 0.2 * across])
        cv2.fillConvexPoly(picture, cover.astype(np.int32), (120, 150, 205), cv2.LINE_AA)
        for k in range(4):
            at = edge + across * (k / 4)
            cv2.line(picture, tuple(int(v) for v in at), tuple(int(v) for v in at + along * hand), (95, 120, 175), 6)
    scale = width / side
    out = int(2.4 * width)
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -degrees, scale)
    matrix[:, 2] += out / 2 - middle
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 0.8 else picture
    return np.asarray(cv2.warpAffine(soft, matrix, (out, out), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def per_cent(part: int, whole: int) -> str:
    """A share in words."""
    return f"{100 * part / max(1, whole):.1f} % ({part} of {whole})"


def read_pairs(folder: Path) -> None:
    """Real cards: taught by ref/, read in webcam/."""
    refs, shots = load(folder / "ref"), load(folder / "webcam")
    faces = [as_face(kind, face_in(picture, kind)) for kind, picture in refs.items()]
    reader = CardReader(Index(faces))
    where = {}
    for kind, picture in shots.items():
        found = [card for card in reader.read(picture) if card.kind == kind]
        if found:
            where[kind] = np.array(found[0].quad)
    print(f"whole webcam pictures: {per_cent(len(where), len(shots))} found")
    for hand, name, widths in ((0.0, "", WIDTHS), (0.4, ", 40 % under a hand", (60,))):
        for width in widths:
            right = wrong = turned = 0
            spent = []
            for kind, corners in where.items():
                for turn in TURNS:
                    piece = small(shots[kind], corners, width, turn, hand)
                    began = time.process_time()
                    seen = reader.read(piece)
                    spent.append(1000 * (time.process_time() - began))
                    kinds = [card.kind for card in seen if card.kind]
                    right += kinds == [kind]
                    wrong += any(word != kind for word in kinds)
                    turned += any(card.kind == kind and card.turned == turn for card in seen)
            whole = len(where) * len(TURNS)
            print(
                f"{width} px wide{name}: right {per_cent(right, whole)}, wrong {per_cent(wrong, whole)}, "
                f"turned rightly {turned}, median {np.median(spent):.0f}, worst {max(spent):.0f} ms of one processor"
            )
    unknown = outlined = whole = 0
    for kind, corners in where.items():
        others = CardReader(Index([one for one in faces if one.kind != kind]))
        for width in WIDTHS:
            for turn in TURNS:
                seen = others.read(small(shots[kind], corners, width, turn))
                unknown += not any(card.kind for card in seen)
                outlined += any(card.kind is None for card in seen)
                whole += 1
    print(f"left untaught: not named {per_cent(unknown, whole)}, answered with null {per_cent(outlined, whole)}")


def read_tables(first: int, count: int) -> None:
    """Drawn editions on whole tables: overlapping, turned, sleeved, under glare and a hand."""
    readers: dict[int, CardReader] = {}
    right = whole = wrong = false_name = untaught = nameless = nothing = 0
    by_width: dict[int, list[int]] = {}
    spent = []
    for seed in range(first, first + count):
        rng = np.random.default_rng([0x7AB, seed])
        number = seed % EDITIONS
        if number not in readers:
            readers[number] = CardReader(Index([Face(str(kind), face(number, kind)) for kind in range(TAUGHT)]))
        faces = [(str(kind), face(number, kind), kind < TAUGHT) for kind in range(TAUGHT + UNTAUGHT)]
        width = int(rng.choice([28, 40, 60, 80]))
        hand = ((1280.0, 500.0), (float(rng.uniform(200, 900)), 350.0), 90.0)
        how = Conditions(
            blur=float(rng.uniform(0.4, 0.9)),
            noise=float(rng.uniform(1, 5)),
            quality=int(rng.integers(60, 92)),
            slant=float(rng.uniform(0, 0.4)),
            glare=0.1,
            warmth=float(rng.uniform(-0.1, 0.15)),
            exposure=float(rng.uniform(0.6, 1.1)),
            hands=[hand],
        )
        picture, lying = photograph_cards(spread(faces, seed, width), seed, conditions=how, ground=1000 + seed)
        began = time.process_time()
        seen = readers[number].read(picture)
        spent.append(1000 * (time.process_time() - began))
        found: set[int] = set()
        for card in seen:
            middle = np.array(card.quad).mean(axis=0)
            apart = [float(np.hypot(*(true.quad.mean(axis=0) - middle))) for true in lying]
            near = [n for n in np.argsort(apart) if apart[n] < 0.4 * width]
            same = [n for n in near if lying[n].kind == card.kind]
            if card.kind is None:
                nothing += not near
                nameless += bool(near) and not lying[near[0]].taught
            elif same:
                found.add(int(same[0]))
            else:
                wrong += bool(near) and lying[near[0]].taught
                false_name += not near or not lying[near[0]].taught
        for n, true in enumerate(lying):
            if true.taught and true.visible > 0.4:
                whole += 1
                right += n in found
                by_width.setdefault(width, []).append(n in found)
            untaught += not true.taught and true.visible > 0.4
    print(
        f"drawn tables ({count}): cards of which 40 % show: right {per_cent(right, whole)}, "
        f"wrong {per_cent(wrong, whole)}"
    )
    for width, hits in sorted(by_width.items()):
        print(f"  {width} px wide: {per_cent(sum(hits), len(hits))}")
    print(
        f"  untaught kinds named {per_cent(false_name, untaught)}; "
        f"answered with null {nameless}; null where no card lies {nothing}"
    )
    print(f"  whole picture 1280×720: median {np.median(spent):.0f}, worst {max(spent):.0f} ms of one processor")


def main(pairs: Path | None = None, tables: int = 16, first: int = 0) -> None:
    """Measure what can be measured.

    Args:
        pairs: Folder with ref/ and webcam/.
        tables: Drawn tables to read.
        first: Number of the first table.
    """
    cv2.setNumThreads(1)
    if pairs is not None:
        read_pairs(pairs)
    if tables:
        read_tables(first, tables)


if __name__ == "__main__":
    run(main)
