"""Knatsch on the simulated table: a whole game recorded by the camera pipeline."""

from __future__ import annotations

import contextlib

import pytest

from companion.game.referee import referee_for
from companion.game.table import Table
from engine.knatsch.events import event_text
from engine.record import Record
from engine.replay import replay_record
from tests.kit.detected import QUIET, DetectorErrors, simulate_detections
from tests.kit.knatsch_turns import sensible_game, steps_of
from tests.kit.played_turns import UnusedDetector, layout_of
from tests.kit.setting import random_setting
from vision.pipeline import Pipeline


def recorded_from_the_table(record: Record, layout: str, seed: int, noise: DetectorErrors) -> Table:
    """Performs the record on the simulated table: dice are seen, the rest is typed, questions are answered
    truthfully."""
    truth = explained(record)
    setting = random_setting(layout, seed)
    pipeline = Pipeline(UnusedDetector(), layout_of(setting, known=True))  # type: ignore[arg-type]
    header = Record(record.tags)
    table = Table(header, referee_for(header))
    script = list(steps_of(record.entries, replay_record(record).states))
    for look, seen in simulate_detections(script, seed=seed, setting=setting, noise=noise):
        pipeline.see(look.detections, look.seconds)
        table.see(pipeline.conclude(look.motions, look.size, look.number, look.seconds))
        for question in table.questions:
            place = next(i for i, line in enumerate(table.lines) if line.number == question.lines[0])
            right = [
                i for i, answer in enumerate(question.answers) if answer == tuple(truth[place : place + len(answer)])
            ]
            if right:
                table.answer(question.number, right[0])
        for line in seen.entered:
            with contextlib.suppress(ValueError):  # refused: something was recorded wrongly, which is what counts
                table.enter(line)
    table.finish()
    return table


def explained(record: Record) -> list[str]:
    return [f"{entry.seat} {event_text(entry.event)}" for entry in record.entries]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "layout", "seed", "noise"),
    [pytest.param(3, "areas", 6, QUIET, marks=pytest.mark.stress), (2, "mat", 14, DetectorErrors())],
)
def test_a_whole_game_is_recorded_from_first_throw_to_winner(
    players: int, layout: str, seed: int, noise: DetectorErrors
) -> None:
    """The questions are few and sufficient."""
    record = sensible_game(seed, players)
    table = recorded_from_the_table(record, layout, seed, noise)
    assert explained(table.record) == explained(record)
    assert table.state == replay_record(record).state
    assert table.state.winner is not None
    assert sum(len(change.questions) for change in table.changes) <= len(explained(record)) // 8
