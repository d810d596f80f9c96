"""Measures how well whole turns are recorded from the simulated table: `python -m scripts.measure_table --turns 1500`.

Random turns of two to five players, three layouts, every card in use, each judged from its own state. With `--game
knatsch` attempts of plausible games, in every third of which the card is named only after the first throw. By default
there are no images: the detector's mistakes are drawn from the given noise. With `--rendered` every turn is simulated,
filmed and read by the shipped model. With `--laid` only the referee is judged, on readings made move by move.
`--hurried` simulates players who do not wait, and a camera that loses frames (`tests/kit/hurry.py`).

It prints the shares of the accuracy targets with Wilson intervals, in all and by layout; `--keep NAME` stores them.
`--observations FILE` stores the readings of every turn, or judges the stored ones (`tests.kit.stored_turns`), so that
another referee is tested on the same readings in a tenth of the time. Another seed gives other games at other tables.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import tyro

from companion.commands.print_readings import load_detector
from companion.game.table import Table
from scripts.turn_figures import JudgedTurn, as_rows, spent
from tests.kit import figures
from tests.kit.detected import DetectorErrors
from tests.kit.hurry import HURRIED, Hurry
from tests.kit.laid_table import LaidTable
from tests.kit.options import run
from tests.kit.played_turns import (
    Observation,
    readings_with_truth,
    record_readings,
    rendered_readings,
    script_of,
    simulated_readings,
    table_for,
)
from tests.kit.played_turns import turns as random_turns
from tests.kit.setting import LAYOUTS
from tests.kit.stored_turns import StoredTurn, TableTruth, TrueDie, read_turns, store_turns
from tests.kit.truth import FrameTruth
from tests.kit.turn_score import score
from tests.kit.turned_cards import with_cards
from vision.pipeline import Detects

TITLE = "Turns recorded from the simulated table"
ABOUT = """
How often is a turn recorded as it was played, without a player's help?

Random turns with every card in use, on a simulated table with a mat, with two areas, or with neither. The detector's
mistakes are drawn at the rates given. *One explanation*: recorded correctly means rolls, card uses and purchase as
played. *Several explanations*: another unused card would have left the same dice; the true one must be recorded or be
among the first three answers. *Undetected errors*: wrong, with neither a question nor another possibility mentioned.
Brackets: 95 % intervals (Wilson). Targets: 99.8 %, 99.4 %, 0.1 %; questions in at most 6 % of the turns with mat or
areas, 10 % with neither. No seed was used during development.
"""
TABLES = 999_999  # tables of one seed: a multiple of the layouts, so that turn 0 is on a mat for every seed


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """The way in which turns are played and shown to the pipeline.

    Attributes:
        game: Which game is played.
        seed: Other games at other tables.
        hurried: Players who do not wait, and a camera that loses frames.
        fps: Frames a second.
        rendered: Simulate, film and read with a model, instead of drawing a detector's mistakes.
        model: Weights to read films with, by default the shipped ones.
        laid: Make readings move by move: only the referee is judged.
        cards: Used cards are turned, and detected.
        spare: Number of idle dice on the table, without images.
        missed: Share of resting dice that a pass misses.
        wrong: Share of resting dice that a pass misreads.
        stubborn: Share of misread dice that stay misread as long as they rest.
    """

    game: Literal["krone", "knatsch"] = "krone"
    seed: int = 0
    hurried: bool = False
    fps: float = 15.0
    rendered: bool = False
    model: Path | None = None
    laid: bool = False
    cards: bool = False
    spare: int = 0
    missed: float = DetectorErrors().missed
    wrong: float = DetectorErrors().wrong
    stubborn: float = DetectorErrors().stubborn

    @property
    def noise(self) -> DetectorErrors:
        """The detector's error rates."""
        return DetectorErrors(missed=self.missed, wrong=self.wrong, stubborn=self.stubborn)

    @property
    def hurry(self) -> Hurry | None:
        """The players' hurry, if any."""
        return HURRIED if self.hurried else None


def main(
    settings: Annotated[PlaySettings, tyro.conf.arg(name="")] = PlaySettings(),
    turns: int = 1500,
    start: int = 0,
    show: int = 0,
    processes: int = 2,
    seconds: float = 1e9,
    observations: Path | None = None,
    keep: str = "",
) -> None:
    """Plays the turns and prints the shares.

    Args:
        start: Number of the first turn.
        show: Print this many turns that were not recorded correctly.
        seconds: Time limit.
        observations: Readings of every turn: judged if the file exists, else stored.
        keep: Name to store the figures under.
    """
    stored = observations is not None and observations.exists()
    how = f"stored in {observations.name}" if observations and stored else description(settings)
    started = time.perf_counter()
    judged: list[JudgedTurn] = []
    with multiprocessing.get_context("spawn").Pool(processes, _prepare) as pool:
        for one in _all_judged(pool.imap, settings, start, turns, observations):
            judged.append(one)
            if one.story and show > 0:
                show -= 1
                print(one.story, flush=True)
            if time.perf_counter() - started > seconds:
                break
    what = f"Code {figures.code()}, {len(judged)} turns, {how}."
    print(f"{what} {time.perf_counter() - started:.0f} s; {spent(judged)}")
    players = "players in a hurry" if settings.hurried else "players who wait"
    figures.report(keep, f"{TITLE}: {players}", ABOUT, what, as_rows(judged), keep=bool(keep))


Mapped = Callable[..., Iterable[object]]


def _all_judged(
    imap: Mapped, settings: PlaySettings, start: int, count: int, stored: Path | None
) -> Iterator[JudgedTurn]:
    """The judged turns in order. `imap`: as of a pool of processes."""
    if stored is not None and stored.exists():
        yield from imap(_judge_stored, read_turns(stored), 8)  # type: ignore[misc]
        return
    todo = (
        (start + i, *turn)
        for i, turn in enumerate(_from(random_turns(settings.seed, start + count, settings.game), start))
    )
    if stored is None:
        yield from imap(partial(_play_and_judge, settings), todo, 4)  # type: ignore[misc]
        return
    seen = imap(partial(_with_readings, settings), todo, 4)
    yield from imap(_judge_stored, store_turns(stored, seen), 8)  # type: ignore[arg-type,misc]


def _from(played: Iterator[tuple[Any, list[str]]], start: int) -> Iterator[tuple[Any, list[str]]]:
    for number, turn in enumerate(played):
        if number >= start:
            yield turn


def _prepare() -> None:
    """Limits a process to one thread."""
    cv2.setNumThreads(1)


_detectors: list[Detects] = []  # the detector of this process, once loaded


def readings_for(
    settings: PlaySettings, number: int, begun: Any, lines: Sequence[str], table: Table
) -> Iterable[Observation]:
    """The readings shown to the table of one turn."""
    place = number + TABLES * settings.seed
    if settings.laid:
        return readings_by_move(begun, lines, place)
    if settings.rendered:
        if not _detectors:
            _detectors.append(load_detector(settings.model))
        return rendered_readings(table, begun, lines, place, _detectors[0], settings.fps, settings.hurry)
    return simulated_readings(
        begun, lines, place, settings.noise, settings.fps, settings.hurry, settings.cards, settings.spare
    )


def _with_readings(settings: PlaySettings, todo: tuple[int, Any, Sequence[str]]) -> StoredTurn:
    """One turn with its readings. A table records it meanwhile, because the film is read as the table asks."""
    number, begun, lines = todo
    layout = LAYOUTS[number % len(LAYOUTS)]
    seen: list[Observation] = []
    if settings.laid or settings.rendered:
        table = table_for(begun)
        record_readings(table, _noting(readings_for(settings, number, begun, lines, table), seen))
        return StoredTurn(number, layout, begun, tuple(lines), tuple(seen))
    frames = list(
        readings_with_truth(
            begun, lines, number + TABLES * settings.seed, settings.noise, settings.fps, settings.hurry, settings.spare
        )
    )
    truths = [table_truth(truth) for _, truth in frames]
    if settings.cards:
        seen += with_cards(frames, begun, number + TABLES * settings.seed)
    else:
        seen += [(reading, truth.entered) for reading, truth in frames]
    return StoredTurn(number, layout, begun, tuple(lines), tuple(seen), tuple(truths))


def table_truth(truth: FrameTruth) -> TableTruth:
    """The truth of a frame that is stored."""
    dice = (TrueDie(die.number, die.place.value, die.value, die.xyxy) for die in truth.dice if die.xyxy is not None)
    return TableTruth(truth.rolls, tuple(dice))


def _noting(seen: Iterable[Observation], notes: list[Observation]) -> Iterator[Observation]:
    for reading, entered, *_ in seen:
        notes.append((reading, tuple(entered)))
        yield reading, entered


def _play_and_judge(settings: PlaySettings, todo: tuple[int, Any, Sequence[str]]) -> JudgedTurn:
    """One turn, played and judged."""
    number, begun, lines = todo
    table = Timed(begun)
    return table.judged(number, begun, lines, readings_for(settings, number, begun, lines, table.table))


def _judge_stored(turn: StoredTurn) -> JudgedTurn:
    """One stored turn, judged."""
    return Timed(turn.begun).judged(turn.number, turn.begun, turn.lines, turn.seen)


class Timed:
    """A table at a state, with the time it takes for each reading."""

    def __init__(self, begun: Any) -> None:
        self.table = table_for(begun)
        self._spent: list[float] = []

    def judged(self, number: int, begun: Any, lines: Sequence[str], seen: Iterable[Observation]) -> JudgedTurn:
        """Records the readings of a turn and compares the result with the truth."""
        questions = record_readings(self.table, seen, self._spent)
        wrote = ", ".join(line.event for line in self.table.lines)  # before the answers are tried
        found = score(begun, lines, self.table, questions)
        story = ""
        if not found.exact:
            asked = "".join(f"\n  {question.sentence} {question.answers}" for question in questions)
            story = f"\nturn {number}, {LAYOUTS[number % len(LAYOUTS)]}: {found} {begun.tableau(begun.seat)}"
            story += f"\n  true     {', '.join(lines)}\n  recorded {wrote}{asked}"
        return JudgedTurn(number, found, story, tuple(self._spent))


def readings_by_move(begun: Any, lines: Sequence[str], number: int) -> Iterator[Observation]:
    """Readings of a turn made move by move, without noise and the vision side."""
    table = LaidTable(number, rows=LAYOUTS[number % len(LAYOUTS)] != "nothing")
    last = table.read()
    for seen in table.perform(script_of(lines, begun.seat)):
        if isinstance(seen, str):
            yield last, (seen,)
        else:
            last = seen
            yield last, ()


def description(settings: PlaySettings) -> str:
    """The conditions in words."""
    if settings.laid:
        return f"seed {settings.seed}, readings made move by move"
    eye = (
        f"{settings.model or 'the shipped model'} on rendered frames"
        if settings.rendered
        else f"simulated detections, {settings.noise}"
    )
    players = "hurried players" if settings.hurry else "players who wait"
    players += ", cards seen" if settings.cards else ""
    players += f", {settings.spare} spare dice" if settings.spare else ""
    return f"{settings.game}, {settings.fps:g} frames a second, {players}, seed {settings.seed}, {eye}"


if __name__ == "__main__":
    run(main)
