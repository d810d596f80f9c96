"""On the simulated table every game with a camera is recorded: stays → referee → record."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.game.table import Table
from companion.plugins import plugins
from tests.kit.detected import QUIET
from tests.kit.played_turns import Turn, record_readings, simulated_readings, table_for, turns, unambiguous_turns

# The first turns of random games; those of Yatzy are in test_yatzy_evening.py, with boxes that a person enters.
TURNS: dict[str, Callable[[], list[Turn]]] = {
    "krone": lambda: unambiguous_turns(11, 2, 2),
    "knatsch": lambda: list(turns(11, 2, "knatsch")),
}


def written(table: Table) -> str:
    """The record without its witnesses."""
    return re.sub(r" \{.*\}", "", table.replay.text())


def test_every_game_with_a_camera_has_an_evening() -> None:
    assert {one.id for one in plugins() if one.transitions} == {*TURNS, "yatzy"}


@pytest.mark.slow
@pytest.mark.parametrize("game_id", TURNS)
def test_an_evening_is_recorded(game_id: str) -> None:
    for number, (begun, lines) in enumerate(TURNS[game_id]()):
        truth, table = table_for(begun), table_for(begun)
        for line in lines:
            truth.enter(line)
        asked = record_readings(table, simulated_readings(begun, lines, number, QUIET))
        assert written(table) == written(truth)
        assert not asked
