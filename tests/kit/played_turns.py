"""Turns played on the simulated table and recorded by the live pipeline, to be compared with the truth."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np

from companion.game.changes import Question
from companion.game.referee import Referee, referee_for
from companion.game.referee.card_marks import CardMarks
from companion.game.table import Table
from engine.games import game
from engine.record_header import new_record
from tests.kit import knatsch_turns
from tests.kit.detected import DetectorErrors, simulate_detections
from tests.kit.hurry import Hurry
from tests.kit.interruptions import interrupted
from tests.kit.random_games import random_turns
from tests.kit.script import Clear, Step, Wait, steps
from tests.kit.setting import LAYOUTS, Setting, random_setting
from tests.kit.spare_dice import with_spare
from tests.kit.truth import FrameTruth
from tests.kit.turn_score import ambiguous
from tests.kit.turned_cards import with_cards
from vision.pipeline import Detects, Pipeline
from vision.table.layout import DrawnAreas, Layout, WholePicture
from vision.table.mat import MATS
from vision.table.printed_mat import PrintedMat
from vision.tracking.constants import MOVING_SECONDS
from vision.types import Reading

Turn = tuple[Any, list[str]]  # the state before the turn, and its lines
# A reading, the lines that a person enters at that moment, and the seen positions of cards.
Observation = tuple[Reading, Sequence[str]] | tuple[Reading, Sequence[str], CardMarks]


def turns(seed: int, count: int, game_id: str = "krone") -> Iterator[Turn]:
    """The first `count` turns of random games with two to five players: the state before each turn, and its lines."""
    played: Callable[[int, int], Iterator[Turn]] = random_turns if game_id == "krone" else knatsch_turns.attempts
    number = 0
    while True:
        for turn in played(seed + number, 2 + number % 4):
            if not count:
                return
            count -= 1
            yield turn
        number += 1


def script(begun: Any, lines: Sequence[str], number: int) -> list[Step]:
    """The steps of a turn. In every third attempt of Knatsch the card is named late."""
    if begun.GAME == "krone":
        return script_of(lines, begun.seat)
    return knatsch_turns.script_of(begun, lines, late=number // len(LAYOUTS) % 3 == 0)


def script_of(lines: Sequence[str], seat: str) -> list[Step]:
    """The turn's steps, with a short time of empty table before and after."""
    return [Wait(seconds=0.6), *steps("\n".join(lines)), Clear(seat=seat), Wait(seconds=1.2)]


def layout_of(setting: Setting, known: bool = False) -> Layout:
    """The layout given to the pipeline. known: The mat's position is given instead of being searched."""
    if setting.layout == "nothing":
        return WholePicture()
    if setting.layout == "areas":
        return DrawnAreas(*setting.areas)
    mat = PrintedMat()
    if known:
        sheet = MATS[setting.paper]
        corners = np.array([(x - sheet.width / 2, sheet.height / 2 - y, 0.0) for x, y in sheet.sheet])
        mat.mat = sheet
        mat.to_mm = np.asarray(cv2.findHomography(setting.camera.project(corners), np.array(sheet.sheet))[0])
    return mat


def table_for(begun: Any, referee: Referee | None = None) -> Table:
    """A table with a game in this state, with this referee or a new one."""
    names = [f"Player {seat}" for seat in begun.seats]
    ruleset = begun.rules.id if begun.GAME == "krone" else None
    header = new_record(begun.GAME, names, ruleset, Position=game(begun.GAME).position_text(begun))
    return Table(header, referee or referee_for(header))


def record_readings(table: Table, seen: Iterable[Observation], spent: list[float] | None = None) -> list[Question]:
    """Records readings, entered lines and the seen cards. Returns all questions that the referee asked.

    Args:
        spent: Receives the seconds of thread time that each reading took.
    """
    last = None
    for reading, entered, *cards in seen:
        started = time.thread_time()
        if cards and cards[0] is not last:
            last = cards[0]
            table.see_cards(last)
        table.see(reading)
        if spent is not None:
            spent.append(time.thread_time() - started)
        for line in entered:
            with contextlib.suppress(ValueError):  # refused: the turn was recorded wrongly
                table.enter(line, late=True)
    table.finish()
    return [question for change in table.changes for question in change.questions]


class UnusedDetector:
    """A detector that must not be called."""

    def detect(self, image: object) -> object:
        """Never called."""
        raise AssertionError("the detector was called")


def simulated_readings(
    begun: Any,
    lines: Sequence[str],
    number: int,
    noise: DetectorErrors | None = None,
    fps: float = 15.0,
    hurry: Hurry | None = None,
    cards: bool = False,
    spare: int = 0,
    interruption: bool = False,
) -> Iterator[Observation]:
    """Readings of a turn simulated without images, with the entered lines; with `cards` also the seen cards."""
    seen = readings_with_truth(begun, lines, number, noise, fps, hurry, spare, interruption)
    if cards:
        yield from with_cards(seen, begun, number)
        return
    for reading, truth in seen:
        yield reading, truth.entered


def readings_with_truth(
    begun: Any,
    lines: Sequence[str],
    number: int,
    noise: DetectorErrors | None = None,
    fps: float = 15.0,
    hurry: Hurry | None = None,
    spare: int = 0,
    interruption: bool = False,
) -> Iterator[tuple[Reading, FrameTruth]]:
    """Readings of a turn simulated without images, and the truth.

    As in a film, the detector gets every frame while dice rest, and fewer frames of a fast camera during motion.

    Args:
        number: Seeds the simulation; layout and setting vary with it.
        spare: Number of dice on the table that are not in play.
        interruption: Something outside the game happens before the turn.
    """
    setting = random_setting(LAYOUTS[number % len(LAYOUTS)], number)
    watch = Pipeline(UnusedDetector(), layout_of(setting, known=True))  # type: ignore[arg-type]
    todo, last_pass = script(begun, lines, number), -np.inf
    if interruption:
        todo = interrupted(todo, begun.turn.hand, number)
    passes = simulate_detections(todo, seed=number, setting=setting, noise=noise, fps=fps, hurry=hurry)
    for one_pass, truth in with_spare(passes, layout_of(setting, known=True), spare, number) if spare else passes:
        if not one_pass.motions.moving or one_pass.seconds - last_pass >= MOVING_SECONDS:
            watch.see(one_pass.detections, one_pass.seconds, one_pass.motions.hands)
            last_pass = one_pass.seconds
        yield watch.conclude(one_pass.motions, one_pass.size, one_pass.number, one_pass.seconds), truth


def rendered_readings(
    table: Table,
    begun: Any,
    lines: Sequence[str],
    number: int,
    detector: Detects,
    fps: float = 15.0,
    hurry: Hurry | None = None,
) -> Iterator[tuple[Reading, Sequence[str]]]:
    """Readings of a turn that is simulated with physics, rendered and read by a detector.

    Layout and setting vary with the turn's number. `table` says how many dice are due.
    """
    from tests.kit.simulated_table import simulate  # only this function needs MuJoCo

    setting = random_setting(LAYOUTS[number % len(LAYOUTS)], number)
    watch = Pipeline(detector, layout_of(setting))
    watch.due = lambda: table.expected_dice
    for frame, truth in simulate(script(begun, lines, number), seed=number, setting=setting, fps=fps, hurry=hurry):
        yield watch.step(frame), truth.entered


def unambiguous_turns(seed: int, count: int, most_rolls: int) -> list[Turn]:
    """The first turns of random games that are short and have one explanation."""
    clear = (turn for turn in turns(seed, 20_000) if one_explanation(*turn, most_rolls))
    return list(itertools.islice(clear, count))


def one_explanation(begun: Any, lines: Sequence[str], most_rolls: int) -> bool:
    """Whether the turn is short and no other card of the player leaves the same dice."""
    rolls = sum(" roll " in line or "use fool" in line or "use merchant" in line for line in lines)
    return rolls <= most_rolls and not ambiguous(begun, lines)
