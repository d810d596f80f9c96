"""What a new table costs: a whole source of photos, read by networks that were taught without it.

    python scripts/train.py find|close … --without laptop     and scripts/export.py into MODEL, then
    python -m scripts.left_out --photos DIR --model MODEL laptop

All pictures of the sets named are read, those of `DIR/train` too: such networks have seen none of them. Some sets'
labels hold the top pips alone (`scripts/training/photos.py`): there a die is found by a box in which they lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from companion.bench.vision import Measured, measure, share
from scripts.training.photos import PIPS_ONLY
from vision.dice.detections import Detections
from vision.dice.detector import Detector
from vision.dice.scoring import Tally, Truth, compare


def whole_dice(truth: Truth, seen: Detections) -> Truth:
    """Labels of pips alone, each made the box that holds them; where several do, the one whose middle is nearest."""
    boxes = truth.xyxy.copy()
    for row, label in enumerate(truth.xyxy):
        middle = (label[:2] + label[2:]) / 2
        holds = ((seen.xyxy[:, :2] <= middle) & (middle <= seen.xyxy[:, 2:])).all(axis=1)
        if holds.any():
            away = np.abs((seen.xyxy[:, :2] + seen.xyxy[:, 2:]) / 2 - middle).max(axis=1)
            boxes[row] = seen.xyxy[int(np.where(holds, away, np.inf).argmin())]
    return Truth(boxes, truth.faces)


def read(folder: Path, name: str, detector: Detector, *, live: bool) -> Iterator[Measured]:
    """The pictures of a set, compared with whole dice."""
    for one in measure(folder, lambda image: detector.detect(image, thorough=not live), {name}):
        seen, truth = one.outcome.seen, one.outcome.truth
        yield replace(one, outcome=compare(seen, whole_dice(truth, seen))) if name in PIPS_ONLY else one


def line(name: str, measured: Sequence[Measured]) -> str:
    """A row of the table, with 95 % Wilson intervals."""
    t = Tally.of([one.outcome for one in measured])
    right, complete, silent = (
        f"{part} of {whole} = {share(part, whole, 2)}"
        for part, whole in ((t.right, t.dice), (t.complete, t.pictures), (t.silent, t.dice))
    )
    return f"| {name} | {right} | {t.missed} | {t.wrong} | {t.extra} | {complete} | {silent} |"


@click.command(help=__doc__)
@click.option("--photos", type=click.Path(path_type=Path, exists=True), envvar="COURTSIDE_PHOTOS", required=True)
@click.option("--model", type=click.Path(path_type=Path, exists=True), required=True)
@click.argument("sets", nargs=-1, required=True)
def main(photos: Path, model: Path, sets: tuple[str, ...]) -> None:
    detector = Detector(model)
    click.echo("| left out | dice read right | missed | wrong | extra | pictures right | silently wrong |")
    click.echo("|---|---|---:|---:|---:|---|---|")
    for name in sets:
        for kind, live in (("stills", False), ("live", True)):
            measured = [one for part in ("train", "dev") for one in read(photos / part, name, detector, live=live)]
            click.echo(line(f"{name}, {kind}", measured))
            for one in sorted(measured, key=lambda m: -m.outcome.faults):
                if one.outcome.faults:
                    click.echo(f"  {one.path.name}: {told(one)}", err=True)


def told(one: Measured) -> str:
    """What is wrong with one picture."""
    o = one.outcome
    wrong = [f"{o.truth.faces[t]} read as {o.seen.faces[s]} ({o.seen.confidences[s]:.2f})" for t, s in o.wrong]
    missed = [f"{o.truth.faces[t]} missed" for t in o.missed]
    extra = [f"{o.seen.faces[s]} ({o.seen.confidences[s]:.2f}) where none is labelled" for s in o.extra]
    return ", ".join([*wrong, *missed, *extra])


if __name__ == "__main__":
    main()
