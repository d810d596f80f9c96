#!/usr/bin/env python
"""Measures the dice reader on labelled photos.

    python scripts/evaluate.py --photos DIR [--model FILE] [--peer yolo26n.pt] [--no-write]

Reads `DIR/dev` and prints shares by data set and by place, mean average precision, the confusion matrix and
calibration. `--photos DIR/train --sets vegas` measures wide-angle photos from above. Short tables for photos and live
frames are written between the markers of `models/README.md`. For comparison a classical reader (blobs) runs too, and a
six-class YOLO given with `--peer`; their table goes between the markers of `models/measurements.md`, where earlier YOLO
rows and the results of `--frames` stay.

`python -m scripts.measure_reader` measures the reader's targets. The 40 worst photos go to `local/worst.png`; look at
them. Never tune with this script.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from scripts.blob_reader import BlobReader  # noqa: E402
from scripts.card import with_section  # noqa: E402
from scripts.contact_sheet import contact_sheet  # noqa: E402
from tests.kit.evaluation.frame import start_up, times_table  # noqa: E402
from tests.kit.evaluation.label_errors import corrected, label_errors  # noqa: E402
from tests.kit.evaluation.metamorphic import equality_table  # noqa: E402
from tests.kit.evaluation.metamorphic import measured as measured_alike  # noqa: E402
from tests.kit.evaluation.photos import UNSEEN, Measured, details, groups, measure, share, table  # noqa: E402
from tests.kit.evaluation.places import placed, places_table  # noqa: E402
from tests.kit.evaluation.scoring import Outcome, Tally  # noqa: E402
from tests.kit.evaluation.second_dev import LIST, listed  # noqa: E402
from tests.kit.evaluation.video import videos_table  # noqa: E402
from tests.kit.problem_report import read_report  # noqa: E402
from vision.dice.detector import Detector  # noqa: E402
from vision.sources.files import read_picture  # noqa: E402
from vision.sources.jpeg import decode  # noqa: E402

CARD = ROOT / "models" / "README.md"
PAGE = ROOT / "models" / "measurements.md"
ASIDE = ROOT / "models" / "holdout.md"
ERRORS = ROOT / "datasets" / "dev_label_errors.csv"
BEGIN, END = "<!-- measured: begin (written by scripts/evaluate.py) -->", "<!-- measured: end -->"
SIX_CLASS = "| six-class YOLO"
SECOND = "The holdout"
SECOND_HOW = (
    "A third of every `train` set, listed in `datasets/second_dev.csv`, which is no longer used for tuning or training."
    " **Earlier networks were trained on all of it but `ivory`**, so only that row has dice that are not in the"
    " training data; the close reader knows its tables from other photos."
    " `python scripts/evaluate.py --photos DIR --second-dev`."
)
SAME = "Consistency for changed photos"
SAME_HOW = (
    "Every photo of `dev` is read again at six smaller sizes, the last with dice 24 pixels wide, mirrored, lighter and"
    " darker. The table counts dice that are read as in the original. `python scripts/evaluate.py --photos DIR"
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


def one_line(name: str, measured: list[Measured]) -> str:
    """A row of the comparison: right and complete on unseen and on all sources, and the time."""
    parts = []
    for rows in ([m for m in measured if m.source in UNSEEN], measured):
        t = Tally.of([m.outcome for m in rows])
        right, complete = t.right / max(t.dice, 1), t.complete / max(t.pictures, 1)
        parts.append(f"{100 * right:.1f} % | {100 * complete:.1f} % | {t.extra}")
    milliseconds = sorted(m.seconds * 1000 for m in measured)[len(measured) // 2]
    return f"| {name} | {' | '.join(parts)} | {milliseconds:.0f} |"


def with_corrected_labels(name: str, measured: list[Measured]) -> str:
    """One sentence about the same readings compared with corrected labels."""
    errors = label_errors(ERRORS)
    t = Tally.of([m.outcome for m in corrected(measured, errors)])
    return (
        f"{name} with corrected labels ({len(errors)} errors, `datasets/{ERRORS.name}`):"
        f" {100 * t.right / t.dice:.1f} % of {t.dice} dice, {100 * t.complete / t.pictures:.1f} % of the pictures,"
        f" undetected errors {t.silent} = {share(t.silent, t.dice, 2)}, extra {t.extra}."
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
            f" {share(t.silent, t.dice)} |"
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


def peers_text(thorough: list[Measured], live: list[Measured], peers: dict[str, list[Measured]]) -> str:
    """A table of our reader and others on the same photos."""
    head = "| reader |" + "".join(
        f" {kind}: {what} |" for kind in ("unseen", "all") for what in ("right", "pictures right", "extra")
    )
    lines = [f"Measured {_when_and_what()}", "", head + " ms a picture |", "|---" * 8 + "|"]
    lines += [one_line("ours, stills", thorough), one_line("ours, live", live)]
    lines += [one_line(name, rows) for name, rows in peers.items()]
    if not any("YOLO" in name for name in peers):
        lines += earlier_peers(PAGE.read_text(encoding="utf-8"))
    return "\n".join(lines)


def _when_and_what(what: str = "`dev`") -> str:
    words = ("git", "rev-parse", "--short", "HEAD")
    commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return f"{date.today():%Y-%m-%d} on {what}, code at commit {commit}."


def earlier_peers(page: str) -> list[str]:
    """Rows of six-class YOLOs from the page, with the date of their measurement, because their weights are not kept
    here."""
    day = page.partition(f"{BEGIN}\nMeasured ")[2][:10]
    rows = [line for line in page.splitlines() if line.startswith(SIX_CLASS)]
    return [row if ", measured " in row else row.replace(")", f", measured {day})", 1) for row in rows]


def reported(file: Path, detector: Detector) -> str:
    """Reads the images of a problem report again; compares old and new readings and the user's values."""
    report = read_report(file)
    lines = [f"{file}: {json.dumps(report.about, ensure_ascii=False)}", "", "| picture | then | now | true |"]
    lines.append("|---|---|---|---|")
    for number, jpeg in report.pictures.items():
        said = report.readings.get(number, {}).get("dice", [])
        then = sorted(int(die["value"]) for die in said) if isinstance(said, list) else []
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


def write(page: Path, text: str) -> None:
    """Replaces the text between the markers.

    Raises:
        ValueError: The page has no markers.
    """
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} lacks its markers")
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def print_reports(files: Sequence[Path], detector: Detector) -> int:
    """Prints the reports; returns status 1 and an error message if a file is no report."""
    try:
        for file in files:
            print(reported(file, detector))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def main() -> int:
    """Measures, prints, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), required=False)
    parser.add_argument("--model", type=Path, default=ROOT / "models")
    parser.add_argument("--peer", type=Path, help="a six-class YOLO (.pt or .onnx) to compare with")
    parser.add_argument(
        "--frames",
        action="store_true",
        help="only time single and consecutive frames of live video: on a quiet machine",
    )
    parser.add_argument(
        "--metamorphic", action="store_true", help="only read every photo again, changed: are the answers equal?"
    )
    parser.add_argument("--second-dev", action="store_true", help="only measure the holdout, a third of `train`")
    parser.add_argument(
        "--reports", type=Path, nargs="+", metavar="FILE", help="only read the pictures of failures that players packed"
    )
    parser.add_argument("--sets", default="", help="only these sets, e.g. ivory,plush; writes no card")
    parser.add_argument("--no-write", action="store_true", help="leave the documents alone")
    parser.add_argument("--sheet", type=Path, default=ROOT / "local" / "worst.png")
    chosen = parser.parse_args()
    if chosen.reports:
        return print_reports(chosen.reports, Detector(chosen.model))
    if chosen.photos is None:
        parser.error("--photos DIR (or the environment variable COURTSIDE_PHOTOS) must name the labelled pictures")
    folder = Path(chosen.photos) / "dev" if (Path(chosen.photos) / "dev").is_dir() else Path(chosen.photos)
    detector = Detector(chosen.model)
    if chosen.frames:
        frames = (
            f"Measured {date.today():%Y-%m-%d} with {os.cpu_count()} processor cores.\n\n"
            f"{times_table(detector, folder)}\n\n"
            f"{start_up(chosen.model)}\n\n"
            "During play most frames equal the previous one; in the others only the changed regions are searched:"
            f"\n\n{videos_table(detector, clips(folder))}"
        )
        print(frames)
        if not chosen.no_write:
            PAGE.write_text(with_section(PAGE, "One frame of live video, decoding excluded", frames), encoding="utf-8")
        return 0
    sets = set(filter(None, chosen.sets.split(","))) or None
    if chosen.metamorphic:
        found = equality_table(measured_alike(folder, partial(detector.detect, thorough=True), sets))
        print(found)
        if not chosen.no_write:
            ASIDE.write_text(with_section(ASIDE, SAME, f"{SAME_HOW}\n\n{found}"), encoding="utf-8")
        return 0
    if chosen.second_dev:
        aside = measure(folder.parent / "train", partial(detector.detect, thorough=True), sets, listed(ROOT / LIST))
        print(table(aside), details(aside), sep="\n\n")
        if not chosen.no_write:
            text = f"Measured {_when_and_what('the holdout')}\n\n{short_table(aside)}"
            ASIDE.write_text(with_section(ASIDE, SECOND, f"{SECOND_HOW}\n\n{text}"), encoding="utf-8")
        return 0
    thorough = measure(folder, partial(detector.detect, thorough=True), sets)
    by_place = places_table([placed(one.path.name, one.outcome, len(read_picture(one.path))) for one in thorough])
    print(table(thorough), details(thorough), by_place, sep="\n\n")
    print(f"Temperature that fits, on top of the file's: {best_temperature([m.outcome for m in thorough]):.2f}")
    contact_sheet(thorough, chosen.sheet)
    if chosen.no_write or sets:
        return 0
    live = measure(folder, detector.detect)
    peers = {"blobs and clustering": measure(folder, BlobReader().detect)}
    if chosen.peer:
        peers[f"{SIX_CLASS[2:]} ({chosen.peer.name})"] = measure(folder, Detector(chosen.peer).detect)
    found = peers_text(thorough, live, peers)
    print(table(live), details(live), found, sep="\n\n")
    write(CARD, card_text(thorough, live, chosen.model))
    write(PAGE, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
