"""Accuracy of the dice reader on labelled photos, by data set."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.kit.evaluation.scoring import (
    ASK,
    Outcome,
    Tally,
    Truth,
    average_precision,
    compare,
    confusion,
    reliability,
    undetected_by_size,
    wilson,
)
from vision.dice.detections import Detections
from vision.sources.files import PICTURES, read_picture
from vision.types import Image

# Sources that are not in the training data.
UNSEEN = ("closeup", "plush", "empty", "hungary", "heap", "settlers", "stock", "odd", "weave")
OVERLAPS = tuple(0.5 + 0.05 * i for i in range(10))
SIDES = (0.0, 20.0, 28.0, 40.0, 64.0, 128.0, np.inf)  # pixels
BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.01)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One photo: its file, the outcome, and the seconds to find and read, without decoding."""

    path: Path
    outcome: Outcome
    seconds: float

    @property
    def source(self) -> str:
        """The data set, from the file's name."""
        return set_of(self.path)


def set_of(path: Path) -> str:
    """The data set of a labelled photo, from its file's name."""
    return path.name.split("__")[0] if "__" in path.name else "own"


def labelled(folder: Path) -> list[Path]:
    """The photos of `folder/images`.

    Raises:
        FileNotFoundError: There are none; one sentence.
    """
    paths = sorted(p for p in (folder / "images").glob("*") if p.suffix.lower() in PICTURES)
    if not paths:
        raise FileNotFoundError(f"{folder} contains no labelled pictures (expected images/ and labels/ in it)")
    return paths


def truth_of(path: Path, image: Image) -> Truth:
    """The labels of a photo, rows `class centre-x centre-y width height` in fractions; without a file there are no
    dice.

    Raises:
        ValueError: A row is malformed; names the file.
    """
    labels = path.parent.parent / "labels" / f"{path.stem}.txt"
    lines = labels.read_text(encoding="utf-8").splitlines() if labels.exists() else []
    try:
        table = np.array([[float(word) for word in line.split()] for line in lines if line.strip()], dtype=np.float32)
        table = table.reshape(-1, 5)
    except ValueError as error:
        raise ValueError(f"{labels} is damaged: expected five numbers per line") from error
    size = np.array([image.shape[1], image.shape[0]], np.float32)
    middle, half = table[:, 1:3] * size, table[:, 3:5] * size / 2
    return Truth(np.concatenate([middle - half, middle + half], axis=1), table[:, 0].astype(np.int64) + 1)


def measure(
    folder: Path,
    read: Callable[[Image], Detections],
    sets: Container[str] | None = None,
    names: Container[str] | None = None,
    before: Callable[[Image, Truth], Image] | None = None,
) -> list[Measured]:
    """Reads and compares every photo of the folder.

    Args:
        sets: Only these data sets.
        names: Only these files.
        before: Transforms an image and its labels first.
    """
    measured = []
    for path in labelled(folder):
        if (sets is not None and set_of(path) not in sets) or (names is not None and path.name not in names):
            continue
        image = read_picture(path)
        truth = truth_of(path, image)
        image = image if before is None else before(image, truth)
        began = time.perf_counter()
        seen = read(image)
        seconds = time.perf_counter() - began
        measured.append(Measured(path, compare(seen, truth), seconds))
    return measured


def groups(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    """By data set, then seen and unseen sources together, then all."""
    names = sorted({m.source for m in measured}, key=lambda name: (name in UNSEEN, name))
    result = {name: [m for m in measured if m.source == name] for name in names}
    result["**seen sources**"] = [m for m in measured if m.source not in UNSEEN]
    result["**unseen sources**"] = [m for m in measured if m.source in UNSEEN]
    result["**all**"] = list(measured)
    return {name: rows for name, rows in result.items() if rows}


def share(part: int, whole: int, digits: int = 1) -> str:
    """A percentage with its 95 % Wilson interval."""
    if whole == 0:
        return "–"
    rate, low, high = (f"{100 * value:.{digits}f}" for value in (part / whole, *wilson(part, whole)))
    return f"{rate} % ({low}–{high})"


def table(measured: Sequence[Measured]) -> str:
    """The result by data set in Markdown, with 95 % Wilson intervals."""
    lines = [
        "| set | pictures | dice | read right | missed | wrong | extra | pictures right | undetected errors | asks |"
        " mAP50 | mAP50-95 |",
        "|---|---:|---:|---|---:|---:|---:|---|---|---:|---:|---:|",
    ]
    for name, rows in groups(measured).items():
        outcomes = [m.outcome for m in rows]
        t = Tally.of(outcomes)
        precise = [average_precision(outcomes, overlaps) for overlaps in ((0.5,), OVERLAPS)] if t.dice else []
        scores = " | ".join(f"{value:.3f}" for value in precise) or "– | –"
        lines.append(
            f"| {name} | {t.pictures} | {t.dice} | {share(t.right, t.dice)} | {t.missed} | {t.wrong} | {t.extra} |"
            f" {share(t.complete, t.pictures)} | {share(t.undetected, t.dice)} | {t.asking} | {scores} |"
        )
    return "\n".join(lines)


def details(measured: Sequence[Measured]) -> str:
    """Confusion, calibration and time, in Markdown."""
    outcomes = [m.outcome for m in measured]
    lines = ["| true \\ read as | 1 | 2 | 3 | 4 | 5 | 6 | missed |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for face, row in enumerate(confusion(outcomes), start=1):
        lines.append(f"| {face} | " + " | ".join(str(int(count)) for count in row) + " |")
    lines += ["", "| confidence from | dice | mean confidence | read right |", "|---|---:|---:|---:|"]
    for low, count, chance, right in reliability(outcomes, BANDS):
        lines.append(f"| {low:g} | {count} | {chance:.3f} | {right:.3f} |")
    lines += ["", f"| confidence {ASK:g} or more | dice | wrong |", "|---|---:|---|"]
    for low, count, wrong in undetected_by_size(outcomes, SIDES):
        lines.append(f"| from {low:g} pixels | {count} | {wrong} = {share(wrong, count, 2)} |")
    for name, rows in groups(measured).items():
        sure = sum(int((m.outcome.seen.confidences[[s for _, s in m.outcome.pairs]] >= ASK).sum()) for m in rows)
        wrong = Tally.of([m.outcome for m in rows]).undetected
        lines.append(f"| {name} | {sure} | {wrong} = {share(wrong, sure, 2)} |")
    times = sorted(m.seconds * 1000 for m in measured)
    lines += ["", f"Time a picture: median {times[len(times) // 2]:.1f} ms, longest {times[-1]:.0f} ms."]
    lines += [f"Asked about: confidence below {ASK:g}."]
    beside: dict[str, int] = {}
    for m in measured:
        beside[m.source] = beside.get(m.source, 0) + m.outcome.beside
    if any(beside.values()):
        sets = ", ".join(f"{name} {count}" for name, count in beside.items() if count)
        lines += [
            f"Counted as missed and as extra though read right, because the label holds a part of the die: {sets}."
        ]
    return "\n".join(lines)
