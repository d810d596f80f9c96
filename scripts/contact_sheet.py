"""A contact sheet of the photos with the worst readings."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from tests.kit.evaluation.photos import Measured
from vision.sources.jpeg import decode

WORST = 40
CELL = 480


def contact_sheet(measured: list[Measured], path: Path) -> None:
    """The worst photos: labels green, readings red (wrong or extra) or white, missed dice with a thick frame."""
    worst = [m for m in sorted(measured, key=lambda m: -m.outcome.faults)[:WORST] if m.outcome.faults]
    cells = []
    for m in worst:
        image = decode(m.path.read_bytes())
        outcome = m.outcome
        zoom = CELL / max(image.shape[:2])
        image = np.asarray(cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8)
        wrong = {s for _, s in outcome.wrong} | set(outcome.extra)
        for t, (box, face) in enumerate(zip(outcome.truth.xyxy * zoom, outcome.truth.faces, strict=True)):
            left, top, right, bottom = (int(side) for side in box)
            cv2.rectangle(image, (left, top), (right, bottom), (0, 200, 0), 3 if t in outcome.missed else 1)
            cv2.putText(image, str(face), (left, bottom + 12), 0, 0.45, (0, 200, 0), 1, cv2.LINE_AA)
        for s, box in enumerate(outcome.seen.xyxy * zoom):
            left, top, right, bottom = (int(side) for side in box)
            colour = (0, 0, 255) if s in wrong else (255, 255, 255)
            text = f"{outcome.seen.faces[s]} {outcome.seen.confidences[s]:.2f}"
            cv2.rectangle(image, (left, top), (right, bottom), colour, 1)
            if s in wrong:
                cv2.putText(image, text, (left, top - 3), 0, 0.45, colour, 1, cv2.LINE_AA)
        cell = np.zeros((CELL + 16, CELL, 3), np.uint8)
        cell[: image.shape[0], : image.shape[1]] = image
        cv2.putText(cell, m.path.name[:60], (2, CELL + 12), 0, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    while cells and len(cells) % 5:
        cells.append(np.zeros_like(cells[0]))
    if cells:
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.vstack([np.hstack(cells[i : i + 5]) for i in range(0, len(cells), 5)]))
        print(f"{len(worst)} worst pictures: {path}")
