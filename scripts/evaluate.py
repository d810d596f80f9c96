"""Measures the dice reader on labelled photos: `python -m scripts.evaluate --photos DIR [--model FILE] [--no-write]`.

Reads `DIR/dev` and prints shares by data set and by place, mean average precision, the confusion matrix and
calibration. `--photos DIR/train --sets vegas` measures wide-angle photos from above. Short tables for photos and live
frames are written between the markers of `models/README.md`.

`python -m scripts.measure_reader` measures the reader's targets. The 40 worst photos go to `local/worst.png`; look at
them. Never tune with this script.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np

from scripts.card import with_section
from scripts.contact_sheet import contact_sheet
from tests.kit.evaluation.frame import start_up, times_table
from tests.kit.evaluation.holdout import LIST, read_list
from tests.kit.evaluation.label_errors import corrected, label_errors
from tests.kit.evaluation.metamorphic import equality_table
from tests.kit.evaluation.metamorphic import measured as measured_alike
from tests.kit.evaluation.photos import Measured, details, groups, measure, share, table
from tests.kit.evaluation.places import placed, places_table
from tests.kit.evaluation.scoring import Outcome, Tally
from tests.kit.evaluation.video import videos_table
from tests.kit.options import PHOTO_FOLDER, run
from tests.kit.problem_report import read_report
from vision.dice.detector import Detector
from vision.sources.files import read_picture
from vision.sources.jpeg import decode

ROOT = Path(__file__).resolve().parent.parent
CARD = ROOT / "models" / "README.md"
PAGE = ROOT / "models" / "measurements.md"
ASIDE = ROOT / "models" / "holdout.md"
ERRORS = ROOT / "datasets" / "dev_label_errors.csv"
BEGIN, END = "<!-- measured: begin (written by scripts/evaluate.py) -->", "<!-- measured: end -->"
SECOND = "The holdout"
SECOND_HOW = (
    "A third of every `train` set, listed in `datasets/second_dev.csv`, which is no longer used for tuning or training."
    " **Earlier networks were trained on all of it but `ivory`**, so only that row has dice that are not in the"
    " training data; the close reader knows its tables from other photos."
    " `python -m scripts.evaluate --photos DIR --second-dev`."
)
SAME = "Consistency for changed photos"
SAME_HOW = (
    "Every photo of `dev` is read again at six smaller sizes, the last with dice 24 pixels wide, mirrored, lighter and"
    " darker. The table counts dice that are read as in the original. `python -m scripts.evaluate --photos DIR"
    " --metamorphic`."
)


def best_temperature(outcomes: list[Outcome]) -> float:
    """The temperature that maximises the likelihood, in addition to the one in the file."""
    rows, labels = [], []
    for outcome in outcomes:
        for t, s in outcome.pairs:
            rows.append(np.log(np.maximum(outcome.seen.probabilities[s], 1e-9)))
            labels.append(int(outcome.truth.faces[t]) - 1)
    logits, picked = np.array(rows), np.array(labels)

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        return float(np.mean(np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(picked)), picked]))

    return float(min(np.linspace(0.5, 3.0, 126), key=loss))


def with_corrected_labels(name: str, measured: list[Measured]) -> str:
    """One sentence about the same readings compared with corrected labels."""
    errors = label_errors(ERRORS)
    t = Tally.of([m.outcome for m in corrected(measured, errors)])
    return (
        f"{name} with corrected labels ({len(errors)} errors, `datasets/{ERRORS.name}`):"
        f" {100 * t.right / t.dice:.1f} % of {t.dice} dice, {100 * t.complete / t.pictures:.1f} % of the pictures,"
        f" undetected errors {t.undetected} = {share(t.undetected, t.dice, 2)}, extra {t.extra}."
    )


def short_table(measured: list[Measured]) -> str:
    """The main figures of each set in Markdown; `tests.kit.evaluation.photos.table` has the others."""
    lines = [
        "| set | pictures | dice | read right | pictures right | undetected errors |",
        "|---|---:|---:|---|---|---|",
    ]
    for name, rows in groups(measured).items():
        t = Tally.of([m.outcome for m in rows])
        lines.append(
            f"| {name} | {t.pictures} | {t.dice} | {share(t.right, t.dice)} | {share(t.complete, t.pictures)} |"
            f" {share(t.undetected, t.dice)} |"
        )
    return "\n".join(lines)


def card_text(thorough: list[Measured], live: list[Measured], model: Path) -> str:
    """The measured part of the model card: the weights, and a table for each mode."""
    lines = [f"Measured {_when_and_what()}", ""]
    for file in sorted(model.glob("*.onnx")) if model.is_dir() else [model]:
        data = file.read_bytes()
        lines.append(f"- `{file.name}` {len(data) / 1e6:.2f} MB, sha256 `{hashlib.sha256(data).hexdigest()}`")
    for name, how, measured in (
        ("Stills", "`courtside read`: up to six passes", thorough),
        ("Live", "one pass at 640 pixels and one at 256, every die read once", live),
    ):
        lines += ["", f"### {name} ({how})", "", short_table(measured), "", with_corrected_labels(name, measured)]
    return "\n".join(lines)


def _when_and_what(what: str = "`dev`") -> str:
    words = ("git", "rev-parse", "--short", "HEAD")
    commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return f"{date.today():%Y-%m-%d} on {what}, code at commit {commit}."


def reported(file: Path, detector: Detector) -> str:
    """Reads the images of a problem report again; compares old and new readings and the user's values."""
    report = read_report(file)
    lines = [f"{file}: {json.dumps(report.about, ensure_ascii=False)}", "", "| picture | then | now | true |"]
    lines.append("|---|---|---|---|")
    for number, jpeg in report.pictures.items():
        reported = report.readings.get(number, {}).get("dice", [])
        then = sorted(int(die["value"]) for die in reported) if isinstance(reported, list) else []
        now = sorted(detector.detect(decode(jpeg, f"{file}: {number}"), thorough=True).faces.tolist())
        truth = report.truth.get(number)
        words = [" ".join(map(str, faces)) or "–" for faces in (then, now)]
        true_values = "" if truth is None else " ".join(map(str, truth)) + (" ✓" if list(truth) == now else " ✗")
        lines.append(f"| {number} | {words[0]} | {words[1]} | {true_values} |")
    return "\n".join(lines)


def clips(folder: Path) -> list[Path]:
    """The bundled clips, and those beside the photos."""
    bundled = [ROOT / "datasets" / "demo" / "demo.mp4", ROOT / "datasets" / "bench" / "table30.mp4"]
    return bundled + sorted((folder.parent / "clips").glob("*.mp4"))


def write_card(text: str) -> None:
    """Replaces the text between the markers of the model card.

    Raises:
        ValueError: The card has no markers.
    """
    before, begin, rest = CARD.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{CARD} lacks its markers")
    CARD.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def write_section(page: Path, title: str, text: str, write: bool) -> None:
    """Prints a section, and with `write` puts it into the page."""
    print(text)
    if write:
        page.write_text(with_section(page, title, text), encoding="utf-8")


def main(
    photos: Path = PHOTO_FOLDER or Path("photos"),
    model: Path = ROOT / "models",
    frames: bool = False,
    metamorphic: bool = False,
    second_dev: bool = False,
    reports: tuple[Path, ...] = (),
    sets: tuple[str, ...] = (),
    write: bool = True,
    sheet: Path = ROOT / "local" / "worst.png",
) -> None:
    """Measures, prints, writes.

    Args:
        photos: Folder with dev/, or of labelled photos; by default the one in COURTSIDE_PHOTOS.
        frames: Only time single and consecutive frames of live video, on a quiet machine.
        metamorphic: Only read every photo again, changed: are the answers equal?
        second_dev: Only measure the holdout, a third of `train`.
        reports: Only read the pictures of players' problem reports.
        sets: Only these sets; then nothing is written.
        write: Update the documents.
    """
    detector = Detector(model)
    if reports:
        try:
            print(*(reported(file, detector) for file in reports), sep="\n")
        except (OSError, ValueError) as error:
            raise SystemExit(str(error)) from error
        return
    folder = photos / "dev" if (photos / "dev").is_dir() else photos
    read, chosen = partial(detector.detect, thorough=True), set(sets) or None
    if frames:
        times = (
            f"Measured {date.today():%Y-%m-%d} with {os.cpu_count()} processor cores.\n\n"
            f"{times_table(detector, folder)}\n\n"
            f"{start_up(model)}\n\n"
            "During play most frames equal the previous one; in the others only the changed regions are searched:"
            f"\n\n{videos_table(detector, clips(folder))}"
        )
        write_section(PAGE, "One frame of live video, decoding excluded", times, write)
    elif metamorphic:
        found = equality_table(measured_alike(folder, read, chosen))
        write_section(ASIDE, SAME, f"{SAME_HOW}\n\n{found}", write)
    elif second_dev:
        aside = measure(folder.parent / "train", read, chosen, read_list(ROOT / LIST))
        print(table(aside), details(aside), sep="\n\n")
        text = f"Measured {_when_and_what('the holdout')}\n\n{short_table(aside)}"
        write_section(ASIDE, SECOND, f"{SECOND_HOW}\n\n{text}", write)
    else:
        thorough = measure(folder, read, chosen)
        by_place = places_table([placed(one.path.name, one.outcome, len(read_picture(one.path))) for one in thorough])
        print(table(thorough), details(thorough), by_place, sep="\n\n")
        print(f"Temperature that fits, on top of the file's: {best_temperature([m.outcome for m in thorough]):.2f}")
        contact_sheet(thorough, sheet)
        if write and not sets:
            live = measure(folder, detector.detect)
            print(table(live), details(live), sep="\n\n")
            write_card(card_text(thorough, live, model))


if __name__ == "__main__":
    run(main)
