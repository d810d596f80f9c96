"""A fault of the referee itself: it is logged, said, and the next reading is judged again."""

from __future__ import annotations

import logging

import pytest

from companion.game.referee.referee import BeliefReferee
from companion.game.referee.sentences import NO_FIT
from scripts.simulation.laid_table import LaidTable
from tests.referee.refereed import events, keep, table, throw


def test_a_referee_that_fails_at_one_reading_does_not_stop_the_watching(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Found in Knatsch, where four sixes of a throw read unsurely made it fail: nothing more was recorded."""
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 6, 4, 3, 1)
    with monkeypatch.context() as failing, caplog.at_level(logging.ERROR):
        failing.setattr(BeliefReferee, "judge", lambda *_: 1 / 0)
        keep(game_, laid, 6)
    assert [notice.template for notice in game_.notices] == [NO_FIT]
    assert "ZeroDivisionError" in caplog.text
    game_.see(laid.read())
    throw(game_, laid, 5, 5, 2)
    assert events(game_) == ["A roll 6 4 3 1", "A keep 6", "A roll 5 5 2"]
