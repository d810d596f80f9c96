"""Mishaps at real tables, performed without pictures: nothing is recorded that did not happen."""

from __future__ import annotations

import pytest

from companion.game.referee import referee_for
from companion.game.table import Table
from engine.record_header import new_record
from tests.kit.detected import simulate_detections
from tests.kit.faults import FAULTS
from tests.kit.played_turns import UnusedDetector, layout_of
from tests.kit.script import Add, Keep, RerollDice, RollDice, Step, Wait
from tests.kit.setting import plain
from tests.referee.refereed import shown
from vision import messages
from vision.pipeline import Pipeline
from vision.types import Reading


def recorded(script: list[Step], layout: str, seed: int = 3) -> tuple[Table, list[Reading]]:
    """The table after the script, and every reading of it."""
    header = new_record("krone", ["Anna", "Bert"])
    table, setting = Table(header, referee_for(header)), plain(layout)
    pipeline = Pipeline(UnusedDetector(), layout_of(setting, known=True))  # type: ignore[arg-type]
    readings = []
    for look, _ in simulate_detections(script, seed=seed, setting=setting, fps=15.0):
        pipeline.see(look.detections, look.seconds)
        readings.append(pipeline.conclude(look.motions, look.size, look.number, look.seconds))
        table.see(readings[-1])
    return table, readings


HARDER = ("a hand rests on the dice", "a die is nudged", "all dice are taken up between throws")  # without a kept row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "layout"), [*((fault, "areas") for fault in FAULTS), *((fault, "nothing") for fault in HARDER)]
)
def test_a_fault_leaves_the_record_as_it_was_played(fault: str, layout: str) -> None:
    table, _ = recorded(FAULTS[fault], layout)
    rolls = [event for event in shown(table) if " roll " in event]
    assert rolls == [step.line for step in FAULTS[fault] if step.line and " roll " in step.line]


@pytest.mark.slow
def test_setting_dice_aside_is_no_hand_resting_in_the_picture() -> None:
    script = [RollDice(values=(5, 4, 2)), Keep(values=(5, 4, 2)), Wait(seconds=0.6)]
    _, readings = recorded(script, "areas")
    assert messages.HAND not in {reading.doubt for reading in readings}
    _, readings = recorded(FAULTS["a hand rests in the picture"], "areas")
    assert messages.HAND in {reading.doubt for reading in readings}


def test_a_die_put_down_by_a_hand_is_distinguished_from_rolled_ones() -> None:
    _, readings = recorded([RollDice(values=(6, 4, 1)), Add(value=2), Wait(seconds=0.6)], "nothing")
    last = [reading for reading in readings if reading.settled][-1]
    assert round(last.rolls) == 1
    assert [die.value for die in last.dice if die.rolled < 0.5] == [2]


@pytest.mark.slow
def test_a_rerolled_die_with_its_old_face_is_mostly_seen_rolling() -> None:
    again = [RollDice(values=(6, 4, 1)), RerollDice(before=(4,), after=(4,)), Wait(seconds=0.6)]
    last = [[reading for reading in recorded(again, "areas", seed)[1] if reading.settled][-1] for seed in range(6)]
    twice = [reading for reading in last if round(reading.rolls) == 2]
    counted = [[max(reading.dice, key=lambda die: die.rested_since or 0.0).value] for reading in twice]
    assert len(counted) >= 4  # now and then the hand that rolls it hides all of its way
    assert all(values == [4] for values in counted)
