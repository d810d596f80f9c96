"""Whether dice are read slower while cards are watched beside them: `python -m scripts.bench_cards FILM`.

FILM is one that `scripts.whole_card_game` has made; its taught cards lie beside it. A process of its own reads the dice
of a stretch of the film, as fast as it can; meanwhile this one watches the cards, four pictures a second as the
companion does, or does nothing, by turns, in the order ABBA so that drifts of the computer cancel out. Told are the
clock, which a computer that does other work makes worthless, and the processor's time, which says what sharing memory
and caches costs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.camera.card_follower import CardFollower, follower_of
from companion.camera.card_watch import give_way
from companion.commands.print_readings import load_detector
from companion.game.table import Table
from engine.record_header import new_record
from vision.pipeline import Pipeline
from vision.sources.camera import frames
from vision.types import Frame

EVERY = 0.25  # seconds between pictures that come to the cards
WARM_UP = 24  # frames


def stretch(film: str, first: int, count: int) -> Iterator[Frame]:
    """So many frames of the film."""
    for frame in frames(film):
        if isinstance(frame, Frame) and frame.number >= first:
            if frame.number >= first + count:
                return
            yield frame


def read_dice(film: str, first: int, count: int, asked: Connection) -> None:
    """In a process of its own: milliseconds a frame by the clock and by the processor, each time something is asked."""
    given, detector = list(stretch(film, first, count)), load_detector()
    while asked.recv():
        pipeline = Pipeline(detector)
        spent = []
        for frame in given:
            began = time.perf_counter(), time.process_time()
            pipeline.step(frame)
            spent.append((time.perf_counter() - began[0], time.process_time() - began[1]))
        asked.send(1000 * np.mean(spent[WARM_UP:], axis=0))


def main() -> None:
    """Measure, in pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("film", type=Path)
    parser.add_argument("--first", type=int, default=100, help="frame that the stretch begins with")
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--pairs", type=int, default=6)
    wanted = parser.parse_args()
    give_way()
    film, taught = str(wanted.film), str(wanted.film.with_suffix(".cards"))
    here, there = multiprocessing.get_context("spawn").Pipe()
    dice = multiprocessing.get_context("spawn").Process(
        target=read_dice, args=(film, wanted.first, wanted.frames, there), daemon=True
    )
    dice.start()
    pictures = list(stretch(film, wanted.first, wanted.frames))
    follower = follower_of(taught, Table(new_record("krone", ("Anna", "Bert"))), print)
    follower.see(pictures[0].image, 0.0)
    times: dict[bool, list[npt.NDArray[np.float64]]] = {False: [], True: []}
    here.send(True)
    here.recv()  # the first looks of a network are slow
    clock, spent = 0.0, 0.0
    for pair in range(wanted.pairs):
        for watched in (False, True) if pair % 2 else (True, False):
            here.send(True)
            if watched:
                clock, spent = clock - time.perf_counter(), spent - time.process_time()
                watch(follower, pictures, here)
                clock, spent = clock + time.perf_counter(), spent + time.process_time()
            times[watched].append(here.recv())
    here.send(False)
    without, with_cards = np.array(times[False]), np.array(times[True])
    for what, alone, beside in zip(("clock", "processor"), without.T, with_cards.T, strict=True):
        more = 100 * (beside / alone - 1)
        print(
            f"dice by the {what}: alone {np.median(alone):.1f} ms a frame; with cards watched {np.median(beside):.1f}; "
            f"in {wanted.pairs} pairs {np.median(more):+.1f} % (median), from {more.min():+.1f} to {more.max():+.1f}; "
            f"±{1.96 * more.std(ddof=1) / np.sqrt(len(more)):.1f} around a mean of {more.mean():+.1f}"
        )
    print(f"the cards took {100 * spent / clock:.0f} % of a processor")


def watch(follower: CardFollower, pictures: list[Frame], until: Connection) -> None:
    """Give the cards four pictures a second of the clock, until dice are read."""
    began = time.perf_counter()
    while not until.poll():
        seconds = time.perf_counter() - began
        rate = 1 / max(1e-3, pictures[1].seconds - pictures[0].seconds)
        follower.see(pictures[int(seconds * rate) % len(pictures)].image, seconds)
        time.sleep(EVERY)


if __name__ == "__main__":
    main()
