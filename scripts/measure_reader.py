"""Measures every target of the dice reader: `python -m scripts.measure_reader --photos DIR --counts FOLDER`.

It prints false dice in photos without dice, photos of known values, labelled photos of seen and unseen sources, how
often each confidence is right, wide-angle photos from above, photos shown as films, and the real clips. Each photo's
counts go to FOLDER, so an interrupted run continues. Photos come in the order of a hash of their names: with `--most`,
or interrupted, the tables show a random sample. `scripts.clips_from_photos` composes films from the photos.

Never tune with the halves that are held out.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from scripts import measure_clips
from tests.kit.evaluation.as_film import Compared, films_table, measure_films
from tests.kit.evaluation.counts import continued
from tests.kit.evaluation.places import Placed, measure_from_above, places_table
from tests.kit.evaluation.reader_targets import ROWS, Picture, measure_targets, reliability_table, targets_table
from tests.kit.options import PHOTOS, run
from vision.dice.detector import for_films

ROOT = Path(__file__).resolve().parent.parent


def main(
    counts: Path,
    photos: Path = PHOTOS,
    model: Path = ROOT / "models",
    rows: tuple[str, ...] = ROWS,
    half: str = "held",
    most: int | None = None,
) -> None:
    """Measures and prints.

    Args:
        counts: Folder for the counts.
        rows: Of the photos read as stills.
        half: Of the photos without dice, "train" or "held".
        most: Photos of each table, at most.
    """
    counts.mkdir(parents=True, exist_ok=True)
    detector = for_films(model)
    read = partial(detector.detect, thorough=True)
    stills = continued(counts / "stills.jsonl", Picture, partial(measure_targets, photos, read, rows, half), most)
    print(targets_table(stills), reliability_table(stills), sep="\n\n")
    above = continued(counts / "above.jsonl", Placed, partial(measure_from_above, photos, read), most)
    print("", places_table(above), sep="\n")
    films = continued(counts / "films.jsonl", Compared, partial(measure_films, photos, detector), most)
    print("", films_table(films), "", sep="\n")
    measure_clips.main(photos / "clips")


if __name__ == "__main__":
    run(main)
