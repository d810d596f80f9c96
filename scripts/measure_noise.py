"""How the live reader errs on lying dice of real clips: `python -m scripts.measure_noise DIR`.

DIR holds videos and `truth.csv` (video, first_frame, last_frame, top_values): what lies there in which frames. Every
frame of those windows is looked at once, as live video is. With `--photos`, DIR holds labelled photos instead, each of
which is looked at once: how sure the reader is of what it reads right and wrong. Prints the shares that
`tests/kit/detected.py` draws a detector's mistakes from: dice missed, misread and made up, how far boxes
tremble, how sure a right value is.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.bench.vision import UNSEEN, Measured, measure, share
from companion.commands.print_readings import load_detector
from vision.dice.detections import Detections
from vision.sources.camera import frames
from vision.types import Frame


def main() -> None:
    """Look at every frame of every window and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", type=Path, metavar="DIR")
    parser.add_argument("--model", type=Path, help="weights, the shipped ones if left out")
    parser.add_argument("--photos", action="store_true", help="DIR holds images/ and labels/")
    wanted = parser.parse_args()
    reader = load_detector(wanted.model)
    if wanted.photos:
        _photos(measure(wanted.clips, reader.detect))
        return
    missed: list[bool] = []
    wrong: list[bool] = []
    extra = looks = 0
    trembling: list[float] = []
    sure: list[float] = []
    for video, windows in _windows(wanted.clips).items():
        last: Detections | None = None
        for frame in frames(str(wanted.clips / video)):
            truth = next(
                (t for first, end, t in windows if isinstance(frame, Frame) and first <= frame.number <= end), None
            )
            if truth is None or not isinstance(frame, Frame):
                last = None
                continue
            found = reader.detect(frame.image)
            looks += 1
            right = sum((Counter(found.faces.tolist()) & truth).values())
            due = truth.total()
            missed += [i >= len(found) for i in range(due)]
            wrong += [i >= right for i in range(min(due, len(found)))]
            extra += max(0, len(found) - due)
            trembling += _steps(found, last)
            sure += found.confidences.tolist()
            last = found
    print(f"{looks} looks at {len(missed)} lying dice")
    print(f"missed   {_share(missed)}\nmisread  {_share(wrong)}\nmade up  {extra} in {looks} looks")
    usual, much = np.quantile(trembling, [0.5, 0.9])
    print(f"from look to look a middle moves by {usual:.3f} die widths (90 %: {much:.3f})")
    print(f"chance given to the likeliest face: median {np.median(sure):.3f}, 10 % below {np.quantile(sure, 0.1):.3f}")


def _photos(measured: Sequence[Measured]) -> None:
    """The chances of what right dice of unseen sources show, and of what misread dice of all seem to show and do."""
    right: list[float] = []
    wrong: list[tuple[float, float]] = []
    for one in measured:
        outcome = one.outcome
        for true, seen in outcome.pairs:
            chances, face = outcome.seen.probabilities[seen], int(outcome.truth.faces[true])
            if (true, seen) in outcome.wrong:
                wrong.append((float(chances.max()), float(chances[face - 1])))
            elif one.source in UNSEEN:
                right.append(float(chances.max()))
    shares = (0.01, 0.02, 0.05, 0.1, 0.5)
    print(f"{len(right)} dice of unseen sources read right, how sure: ", end="")
    print(
        ", ".join(f"{part:.0%} below {sure:.4f}" for part, sure in zip(shares, np.quantile(right, shares), strict=True))
    )
    print(f"{len(wrong)} misread, of all sources (chance of what it seems, of what it is):")
    print(" ".join(f"({top:.3f}, {true:.3f})" for top, true in sorted(wrong)))


def _share(good: Sequence[bool]) -> str:
    """So many of so many, with the interval."""
    return f"{sum(good)} of {len(good)}  {share(sum(good), len(good), 2)}"


def _windows(folder: Path) -> dict[str, list[tuple[int, int, Counter[int]]]]:
    """Video → (first frame, last frame, the values lying there)."""
    found: dict[str, list[tuple[int, int, Counter[int]]]] = {}
    with (folder / "truth.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = Counter(map(int, row["top_values"].split()))
            found.setdefault(row["video"], []).append((int(row["first_frame"]), int(row["last_frame"]), values))
    return found


def _steps(now: Detections, last: Detections | None) -> Iterator[float]:
    """How far each middle has moved since the last look, die widths, what all have in common (the camera) aside."""
    if last is None or len(now) != len(last) or len(now) < 2:
        return
    middles = [_middles(one) for one in (now, last)]
    apart = np.linalg.norm(middles[0][:, None] - middles[1][None], axis=2)
    steps = middles[0] - middles[1][apart.argmin(axis=1)]
    size = float(np.mean(now.xyxy[:, 2] - now.xyxy[:, 0]))
    yield from (np.linalg.norm(steps - np.median(steps, axis=0), axis=1) / size).tolist()


def _middles(found: Detections) -> npt.NDArray[np.float32]:
    return np.asarray((found.xyxy[:, :2] + found.xyxy[:, 2:]) / 2)


if __name__ == "__main__":
    main()
