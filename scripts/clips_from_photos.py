"""Clips composed from real photos, watched by the whole live pipeline.

    python -m scripts.clips_from_photos --photos DIR [--kinds rolled,shaken] [--clips 6]

DIR holds images/ and labels/ (or dev/ with both). Real dice are cut out of the photos and thrown over drawn or real
tables, or whole photos are held before a camera that shakes, is bumped, or loses light and focus; a drawn hand takes
dice, lays them down and rests on them. In the kinds of `scripts/clip_parts/impatient.py` it is back before the
picture is quiet, frames are lost, hands hover, shadows pass, dice are knocked on or scooped up with a cup: there a
reading is due after 0.3 seconds of rest. In those of `handled.py` dice are held in an open hand, turned, lined up,
pushed or reached over. What is true of every frame is known, and nothing of the photos is kept but below `local/`.
`--write docs/real_clips.md` puts the table there.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np

from companion.commands.print_readings import load_detector
from scripts.clip_parts.clip import Clip, frames_of, read_clip, write_truth, write_video
from scripts.clip_parts.kinds import KINDS
from scripts.clip_parts.stock import Stock, load_stock
from scripts.clip_parts.watched import Watched, table_of, watch

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Compose, watch, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, default=os.environ.get("COURTSIDE_PHOTOS"), metavar="DIR")
    parser.add_argument("--cache", type=Path, default=ROOT / "local" / "cache")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"some of: {', '.join(KINDS)}")
    parser.add_argument("--clips", type=int, default=6, help="of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first clip's number")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between its markers there")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="leave the videos there, and take those that are there already"
    )
    wanted = parser.parse_args()
    if wanted.photos is None:
        parser.error("--photos DIR (or the environment variable COURTSIDE_PHOTOS) must name the labelled pictures")
    folder = wanted.photos / "dev" if (wanted.photos / "dev").is_dir() else wanted.photos
    detector = load_detector()
    stock = load_stock(folder, detector, wanted.cache)
    watched: list[Watched] = []
    with tempfile.TemporaryDirectory() as temporary:
        target = wanted.keep or Path(temporary)
        target.mkdir(parents=True, exist_ok=True)
        for clip in composed(stock, wanted.kinds.split(","), range(wanted.first, wanted.first + wanted.clips), target):
            began = time.process_time()
            one = watch(clip, detector)
            watched.append(one)
            spent = (time.process_time() - began) / len(clip.moments) * 1000
            print(f"{'  ' if one.good else '! '}{clip.kind} {clip.path.stem}: {clip.scene} ({spent:.0f} ms a frame)")
            if not one.good:
                print(f"      due  {[(a, b, r, clip.moments[a].values) for a, b, r in one.due]}")
                print(f"      told {[(t.frame, t.values, t.throws, t.fault) for t in one.told]} throws {one.throws}")
            if wanted.keep is None:
                clip.path.unlink()
    report(table_of(watched), wanted.write)


def report(table: str, file: Path | None) -> None:
    """Print a table, and put it between its markers in the file."""
    print(table)
    if file is None:
        return
    begin, end = "<!-- clips: begin -->", "<!-- clips: end -->"
    text = file.read_text(encoding="utf-8")
    before, after = text.split(begin)[0], text.split(end)[1]
    file.write_text(f"{before}{begin}\n\nMeasured {date.today()}.\n\n{table}\n\n{end}{after}", encoding="utf-8")


def composed(stock: Stock, kinds: list[str], numbers: range, folder: Path) -> Iterator[Clip]:
    """The clips of these kinds and numbers, written into the folder one at a time."""
    for kind in kinds:
        for number in numbers:
            path = folder / f"{kind.replace(' ', '_')}_{number}.mp4"
            truth = path.with_suffix(".json")
            if truth.exists():
                yield read_clip(path, truth)
                continue
            chance = np.random.default_rng([list(KINDS).index(kind), number])
            play, ground, camera, margin, scene = KINDS[kind](stock, chance, number)
            write_video(frames_of(play, ground, camera, margin, chance), path, camera)
            clip = Clip(kind, scene, path, camera.rate, tuple(map(play.moment, play.frame_times(camera.rate))))
            write_truth(clip, truth)
            yield clip


if __name__ == "__main__":
    main()
