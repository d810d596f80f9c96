"""Turns played on the simulated table, recorded by the live pipeline and compared with the truth."""

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
from tests.kit.detected import Noise, simulate_detections
from tests.kit.hurry import Hurry
from tests.kit.interruptions import interrupted
from tests.kit.random_games import random_turns
from tests.kit.script import Clear, Step, Wait, steps
from tests.kit.setting import LAYOUTS, Setting, random_setting
from tests.kit.spare_dice import with_spare
from tests.kit.truth import Truth
from tests.kit.turn_score import ambiguous
from tests.kit.turned_cards import with_cards
from vision.pipeline import Detects, Pipeline
from vision.table.layout import DrawnAreas, Layout, WholePicture
from vision.table.mat import MATS
from vision.table.printed_mat import PrintedMat
from vision.tracking.constants import MOVING_SECONDS
from vision.types import Reading

Turn = tuple[Any, list[str]]  # the position before, of either game, and the lines
# A reading, the lines a person enters then, and how cards lie where that is to be seen.
Shown = tuple[Reading, Sequence[str]] | tuple[Reading, Sequence[str], CardMarks]


def turns(seed: int, count: int, game_id: str = "krone") -> Iterator[Turn]:
    """So many turns of random games of two to five players: the position each began in and its lines."""
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
    """The steps of a turn of either game. In every third attempt of Knatsch the card is named late."""
    if begun.GAME == "krone":
        return script_of(lines, begun.seat)
    return knatsch_turns.script_of(begun, lines, late=number // len(LAYOUTS) % 3 == 0)


def script_of(lines: Sequence[str], seat: str) -> list[Step]:
    """The turn's steps, with a moment of empty table before and after."""
    return [Wait(seconds=0.6), *steps("\n".join(lines)), Clear(seat=seat), Wait(seconds=1.2)]


def layout_of(setting: Setting, known: bool = False) -> Layout:
    """What the pipeline is told of where things lie. known: the mat is where it is, without being looked for."""
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
    """A table whose game stands at this position, with this referee or one of its own."""
    names = [f"Player {seat}" for seat in begun.seats]
    ruleset = begun.rules.id if begun.GAME == "krone" else None
    header = new_record(begun.GAME, names, ruleset, Position=game(begun.GAME).position_text(begun))
    return Table(header, referee or referee_for(header))


def recorded(table: Table, seen: Iterable[Shown], spent: list[float] | None = None) -> list[Question]:
    """Record readings, the lines a person enters meanwhile, and cards that lie across. Returns every question raised.

    spent: notes the seconds of this thread that each reading takes.
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
            with contextlib.suppress(ValueError):  # refused: the turn was recorded wrongly, which is what counts
                table.enter(line, late=True)
    table.finish()
    return [question for change in table.changes for question in change.questions]


class Blind:
    """A detector that must not be called."""

    def detect(self, image: object) -> object:
        """Never called."""
        raise AssertionError("the detector was asked")


def detected(
    begun: Any,
    lines: Sequence[str],
    number: int,
    noise: Noise | None = None,
    fps: float = 15.0,
    hurry: Hurry | None = None,
    cards: bool = False,
    spare: int = 0,
    interruption: bool = False,
) -> Iterator[Shown]:
    """Readings of a turn performed without pictures, and what a person enters then; cards: and how the cards lie."""
    seen = watched(begun, lines, number, noise, fps, hurry, spare, interruption)
    if cards:
        yield from with_cards(seen, begun, number)
        return
    for reading, truth in seen:
        yield reading, truth.entered


def watched(
    begun: Any,
    lines: Sequence[str],
    number: int,
    noise: Noise | None = None,
    fps: float = 15.0,
    hurry: Hurry | None = None,
    spare: int = 0,
    interruption: bool = False,
) -> Iterator[tuple[Reading, Truth]]:
    """Readings of a turn performed without pictures, and the truth; layout and table vary with its number. spare: so
    many dice lie beside those played; interruption: something that is not this game happens before the turn.

    As in a film the detector looks at every frame while dice lie still, at fewer of a fast camera while things move.
    """
    setting = random_setting(LAYOUTS[number % len(LAYOUTS)], number)
    watch = Pipeline(Blind(), layout_of(setting, known=True))  # type: ignore[arg-type]
    todo, looked = script(begun, lines, number), -np.inf
    if interruption:
        todo = interrupted(todo, begun.turn.hand, number)
    looks = simulate_detections(todo, seed=number, setting=setting, noise=noise, fps=fps, hurry=hurry)
    for look, truth in with_spare(looks, layout_of(setting, known=True), spare, number) if spare else looks:
        if not look.motions.moving or look.seconds - looked >= MOVING_SECONDS:
            watch.see(look.detections, look.seconds, look.motions.hands)
            looked = look.seconds
        yield watch.conclude(look.motions, look.size, look.number, look.seconds), truth


def filmed(
    table: Table,
    begun: Any,
    lines: Sequence[str],
    number: int,
    detector: Detects,
    fps: float = 15.0,
    hurry: Hurry | None = None,
) -> Iterator[tuple[Reading, Sequence[str]]]:
    """Readings of a turn thrown, filmed and looked at by a detector, which `table` tells how many dice must lie there;
    layout and setting vary with its number."""
    from tests.kit.simulated_table import simulate  # MuJoCo is wanted here only

    setting = random_setting(LAYOUTS[number % len(LAYOUTS)], number)
    watch = Pipeline(detector, layout_of(setting))
    watch.due = lambda: table.dice_due
    for frame, truth in simulate(script(begun, lines, number), seed=number, setting=setting, fps=fps, hurry=hurry):
        yield watch.step(frame), truth.entered


def chosen(seed: int, count: int, most_rolls: int) -> list[Turn]:
    """The first turns of random games that are short and have one explanation."""
    clear = (turn for turn in turns(seed, 20_000) if one_explanation(*turn, most_rolls))
    return list(itertools.islice(clear, count))


def one_explanation(begun: Any, lines: Sequence[str], most_rolls: int) -> bool:
    """Whether the turn is short, and no other card of the player's would leave the same dice."""
    rolls = sum(" roll " in line or "use fool" in line or "use merchant" in line for line in lines)
    return rolls <= most_rolls and not ambiguous(begun, lines)
