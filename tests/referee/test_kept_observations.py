"""Whole turns on the simulated table, recorded by the live pipeline without input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.played_turns import record_readings, rendered_readings, simulated_readings, table_for, unambiguous_turns
from tests.kit.stored_passes import read, replay_passes
from tests.kit.turn_score import TurnScore, essence, score


@pytest.mark.slow
def test_turns_on_noisy_detections_are_recorded_as_they_were_played() -> None:
    scores: list[TurnScore] = []
    for number, (begun, lines) in enumerate(unambiguous_turns(1, 9, 3)):
        table = table_for(begun)
        questions = record_readings(table, simulated_readings(begun, lines, number, fps=12.0))
        scores.append(score(begun, lines, table, questions))
    # One of them is not: a single die rerolled that shows what it showed, hardly seen rolling.
    assert sum(one.exact for one in scores) >= len(scores) - 1, scores


@pytest.mark.slow
def test_turns_are_recorded_exactly_from_stored_passes_over_rendered_films() -> None:
    """The readings come from `scripts/film_turns.py`; only the steps after the reader run here."""
    kept = read(Path(__file__).parents[1] / "golden" / "rendered_turns.npz")
    wrong = []
    for number, (begun, lines) in enumerate(unambiguous_turns(0, len(kept), 2)):
        table = table_for(begun)
        record_readings(table, replay_passes(number, kept[number]))
        seen = [line.event for line in table.lines]
        if essence(seen) != essence(lines):
            wrong.append((number, lines, seen))
    assert len(kept) == 20
    assert not wrong


@pytest.mark.stress
@pytest.mark.physics
def test_a_rendered_turn_is_recorded_exactly() -> None:
    """This turn is rendered and read now; the test above records stored readings of twenty more, in all layouts."""
    from companion.commands.print_readings import load_detector

    begun, lines = unambiguous_turns(0, 2, 2)[0]
    table = table_for(begun)
    record_readings(table, rendered_readings(table, begun, lines, 0, load_detector(), fps=12.0))
    assert essence([line.event for line in table.lines]) == essence(lines)
