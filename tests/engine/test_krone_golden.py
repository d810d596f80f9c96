"""Two whole games: the record survives a round trip, plays the same on the plain table, and ends as its JSON says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.commands.replay import summary
from engine.krone.events import event_text
from engine.replay import read_game
from tests.engine.both_krones import same
from tests.engine.plain_krone import PlainTable

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", ["krone_amigo", "krone_riogrande"])
def test_a_whole_game(name: str) -> None:
    text = (GOLDEN / f"{name}.txt").read_text("utf-8")
    replay = read_game(text)
    assert replay.text() == text
    assert summary(replay) == json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
    table = PlainTable(len(replay.record.players), name == "krone_riogrande", 12)
    for state, entry in zip(replay.states, replay.record.entries, strict=False):
        same(state, table)
        table.line(f"{entry.seat} {event_text(entry.event)}")
    same(replay.state, table)
    assert replay.state.finished
    assert len(text) < 10_000
