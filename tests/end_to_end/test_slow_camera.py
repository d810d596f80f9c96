"""If the computer is too slow for the camera, fewer frames are read and fewer questions asked, not more."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from companion.camera.demo import bundled_demo
from companion.commands.print_readings import load_detector
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from vision.pipeline import Pipeline
from vision.sources.camera import frames

pytestmark = pytest.mark.slow
EVERY = 5  # one frame of so many is read: 2.4 a second
ROLLS = ["A roll 5 5 2", "A roll 3", "B roll 6 5 4"]  # of the first turns


def test_a_looped_film_read_at_two_pictures_a_second_never_leaves_more_than_one_question_open() -> None:
    header = new_record("krone", ("Anna", "Bert"))
    table, pipeline, most_open = Table(header, referee_for(header)), Pipeline(load_detector()), 0
    film = list(itertools.islice(frames(bundled_demo().film), 0, None, EVERY))
    for second in (False, True):
        for frame in film[: len(film) // 2] if second else film:
            later = film[-1].seconds + 0.4 if second else 0.0
            table.see(pipeline.step(replace(frame, seconds=frame.seconds + later, number=frame.number + 2000 * second)))
            most_open = max(most_open, len(table.questions))
    table.finish()
    asked = [question for change in table.changes for question in change.questions]
    assert [line.event for line in table.lines if " roll " in line.event][:3] == ROLLS
    assert all(line.confidence is None or line.confidence >= 0.5 for line in table.lines)
    assert most_open <= 1
    assert len(asked) <= 3  # in more than four turns
