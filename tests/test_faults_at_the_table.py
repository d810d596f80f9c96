"""What goes wrong at real tables, performed without pictures: nothing is recorded that did not happen."""

from __future__ import annotations

import pytest

from companion.referee import referee_for
from companion.table import Table
from engine.record_header import new_record
from tests.played_turns import Blind, layout_of
from tests.simulated.detected import simulate_detections
from tests.simulated.faults import FAULTS
from tests.simulated.script import Step
from tests.simulated.setting import plain
from tests.turn_score import essence
from vision.seen import Reading
from vision.watch import Watch


def recorded(script: list[Step], layout: str) -> tuple[Table, list[Reading]]:
    """The table after the script, and every reading of it."""
    header = new_record("krone", ["Anna", "Bert"])
    table, setting = Table(header, referee_for(header)), plain(layout)
    watch = Watch(Blind(), layout_of(setting, known=True))  # type: ignore[arg-type]
    readings = []
    for look, _ in simulate_detections(script, seed=3, setting=setting, fps=15.0):
        watch.see(look.detections, look.seconds)
        readings.append(watch.conclude(look.motions, look.size, look.number, look.seconds))
        table.see(readings[-1])
    return table, readings


@pytest.mark.parametrize("layout", ["areas", "nothing"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_leaves_the_record_as_it_was_played(fault: str, layout: str) -> None:
    table, _ = recorded(FAULTS[fault], layout)
    rolls = [line.event for line in table.lines if line.move.startswith("roll")]
    assert rolls == [step.line for step in FAULTS[fault] if step.line and " roll " in step.line]
    assert essence([line.event for line in table.lines if line.seat == "A"])[0]  # type: ignore[index]
