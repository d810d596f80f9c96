"""Yatzy on the simulated table: rolls and kept dice recorded by the camera pipeline, boxes entered by hand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import pytest

from companion.game.referee import referee_for
from companion.game.table import Table
from engine.dice import Faces, without
from engine.record import Entry, Record
from engine.replay import replay_record
from engine.yatzy.events import Roll, Score, event_text
from engine.yatzy.state import State
from tests.kit.detected import QUIET, DetectorErrors, simulate_detections
from tests.kit.played_turns import UnusedDetector, layout_of
from tests.kit.script import Clear, Enter, RollDice, Step, TakeBack, Wait
from tests.kit.script import Keep as SetAside
from tests.kit.setting import random_setting
from tests.kit.yatzy_games import sensible_game
from vision.pipeline import Pipeline


def steps_of(entries: Sequence[Entry], states: Sequence[State]) -> Iterator[Step]:
    """The players' actions: dice set aside, taken back and rolled; the box is typed."""
    row: Faces = ()
    for state, entry in zip(states, entries, strict=False):
        line = f"{entry.seat} {event_text(entry.event)}"
        match entry.event:
            case Roll(dice):
                stays = state.kept or ()
                if aside := _less(stays, row):
                    yield SetAside(seat=entry.seat, values=aside)
                if back := _less(row, stays):
                    yield TakeBack(seat=entry.seat, values=back)
                yield RollDice(seat=entry.seat, values=dice, line=line)
                row = stays
            case Score():
                yield Enter(seat=entry.seat, line=line)
                yield Clear(seat=entry.seat)
                yield Wait(seconds=0.8)
                row = ()


def _less(pool: Faces, part: Faces) -> Faces:
    rest = pool
    for face in part:
        rest = without(rest, (face,)) or (rest if face not in rest else ())
    return rest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "layout", "seed", "noise"),
    [pytest.param(2, "areas", 3, QUIET, marks=pytest.mark.stress), (1, "mat", 5, DetectorErrors())],
)
def test_an_evening_of_yatzy_is_recorded(players: int, layout: str, seed: int, noise: DetectorErrors) -> None:
    record = sensible_game(seed, players, boxes=4)
    truth = [f"{entry.seat} {event_text(entry.event)}" for entry in record.entries]
    setting = random_setting(layout, seed)
    pipeline = Pipeline(UnusedDetector(), layout_of(setting, known=True))  # type: ignore[arg-type]
    header = Record(record.tags)
    table = Table(header, referee_for(header))
    script = list(steps_of(record.entries, replay_record(record).states))
    for look, seen in simulate_detections(script, seed=seed, setting=setting, noise=noise):
        pipeline.see(look.detections, look.seconds)
        table.see(pipeline.conclude(look.motions, look.size, look.number, look.seconds))
        for line in seen.entered:
            with contextlib.suppress(ValueError):  # refused: something was recorded wrongly, which is what counts
                table.enter(line)
    table.finish()
    assert [line.event for line in table.lines] == truth
    assert sum(len(change.questions) for change in table.changes) <= len(truth) // 8
