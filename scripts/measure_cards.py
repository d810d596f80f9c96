"""Measures how many cards of whole drawn tables are found and recognised, and how many untaught ones are named.

Half the kinds of each drawn edition (`tests/kit/editions.py`) are taught from one image each, then the other half; all
twenty are on a table of 1280×720. Cards of which at least 40 % is visible count. Times are user processor seconds for
reading one table, after a first read; set `OPENBLAS_NUM_THREADS=1` for the time of a single thread.
"""

from __future__ import annotations

import resource
from collections import Counter
from statistics import median

import cv2

from tests.kit import figures
from tests.kit.card_counts import counted, drawn_table, reader_of
from tests.kit.editions import EDITIONS, KINDS
from tests.kit.options import run

TITLE = "Cards recognised on drawn tables"
ABOUT = """
Half the kinds of each drawn edition are taught by one picture each, then the other half; all twenty kinds lie on a
table of 1280 × 720: overlapping, rotated, sleeved, in glare and under a hand. Cards of which at least 40 % is visible
count. Targets: 95 % of taught cards right, at most 1 % of untaught cards named, one second of a processor.
"""


def user_seconds() -> float:
    """User processor time of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def main(tables: int = 16, first: int = 0, widths: tuple[int, ...] = (28, 60), keep: bool = False) -> None:
    """Reads tables and counts.

    Args:
        tables: Tables of each width; sixteen cover all editions, with each half taught once.
        first: Number of the first table.
        widths: Of the cards, pixels.
    """
    cv2.setNumThreads(1)
    rows = []
    for width in widths:
        count: Counter[str] = Counter()
        seconds = []
        for seed in range(first, first + tables):
            taught = range(seed // EDITIONS % 2, KINDS, 2)
            reader = reader_of(seed % EDITIONS, taught)
            picture, placed = drawn_table(seed % EDITIONS, taught, seed, width)
            reader.read(picture, unknown=False)
            began = user_seconds()
            seen = reader.read(picture)
            seconds.append(user_seconds() - began)
            count += counted(seen, placed, width)
        rows.append(
            {
                "cards": f"{width} pixels wide, {tables} tables",
                "named correctly": f"{count['right']} of {count['taught']}",
                "named wrongly": count["wrong"],
                "untaught cards named": f"{count['named']} of {count['untaught']}",
                "seconds a table: median; worst": f"{median(seconds):.2f}; {max(seconds):.2f}",
            }
        )
    figures.report("card_tables", TITLE, ABOUT, rows, keep=keep)


if __name__ == "__main__":
    run(main)
