"""Whether dice are read slower while cards are watched beside them: `python -m scripts.bench_cards FILM`.

FILM is one that `scripts.whole_card_game` has made; its taught cards lie beside it. A process of its own reads the dice
of a stretch of the film, as fast as it can; meanwhile this one watches the cards, four pictures a second as the
companion does, or does nothing, by turns, in the order ABBA so that drifts of the computer cancel out. Wants a quiet
computer: both are waited for on the clock.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import cv2
import numpy as np

from companion.camera.card_follower import CardFollower, follower_of
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
    """In a process of its own: milliseconds a frame, each time something is asked."""
    cv2.setNumThreads(1)
    given, detector = list(stretch(film, first, count)), load_detector()
    while asked.recv():
        pipeline = Pipeline(detector)
        spent = []
        for frame in given:
            began = time.perf_counter()
            pipeline.step(frame)
            spent.append(1000 * (time.perf_counter() - began))
        asked.send(float(np.mean(spent[WARM_UP:])))


def main() -> None:
    """Measure, in pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("film", type=Path)
    parser.add_argument("--first", type=int, default=100, help="frame that the stretch begins with")
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--pairs", type=int, default=6)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    film, taught = str(wanted.film), str(wanted.film.with_suffix(".cards"))
    here, there = multiprocessing.get_context("spawn").Pipe()
    dice = multiprocessing.get_context("spawn").Process(
        target=read_dice, args=(film, wanted.first, wanted.frames, there), daemon=True
    )
    dice.start()
    pictures = list(stretch(film, wanted.first, wanted.frames))
    follower = follower_of(taught, Table(new_record("krone", ("Anna", "Bert"))))
    follower.see(pictures[0].image, 0.0)
    times: dict[bool, list[float]] = {False: [], True: []}
    here.send(True)
    here.recv()  # the first looks of a network are slow
    for pair in range(wanted.pairs):
        for watched in (False, True) if pair % 2 else (True, False):
            here.send(True)
            if watched:
                watch(follower, pictures, here)
            times[watched].append(here.recv())
    here.send(False)
    without, with_cards = np.array(times[False]), np.array(times[True])
    more = 100 * (with_cards / without - 1)
    print(f"dice alone: {np.median(without):.1f} ms a frame; with cards watched: {np.median(with_cards):.1f}")
    print(
        f"in {wanted.pairs} pairs: {np.median(more):+.1f} % (median), from {more.min():+.1f} to {more.max():+.1f} %; "
        f"±{1.96 * more.std(ddof=1) / np.sqrt(len(more)):.1f} around a mean of {more.mean():+.1f}"
    )


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
