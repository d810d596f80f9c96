"""An exception in the referee is logged and reported, and the next reading is judged again."""

from __future__ import annotations

import logging

import pytest

from companion.game.referee import referee
from companion.game.referee.beam import Belief
from companion.game.referee.conclude import Conclusions
from companion.game.referee.sentences import NO_FIT
from tests.kit.laid_table import LaidTable
from tests.referee.refereed import answers, events, keep, table, throw


def test_a_referee_that_fails_at_one_reading_does_not_stop_the_watching(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Bug: four uncertainly read sixes in Knatsch made the referee fail, and nothing more was recorded."""
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 6, 4, 3, 1)
    with monkeypatch.context() as failing, caplog.at_level(logging.ERROR):
        failing.setattr(Belief, "update", lambda *_: 1 / 0)
        keep(game_, laid, 6)
    assert [notice.template for notice in game_.notices] == [NO_FIT]
    assert "ZeroDivisionError" in caplog.text
    game_.see(laid.read())
    throw(game_, laid, 5, 5, 2)
    assert events(game_) == ["A roll 6 4 3 1", "A keep 6", "A roll 5 5 2"]


def test_a_person_can_enter_a_line_though_the_referee_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Bug: before a person's line the referee records what it has seen; its error refused that line."""
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 6, 4, 3, 1)
    laid.keep(6)
    with monkeypatch.context() as failing, caplog.at_level(logging.ERROR):
        failing.setattr(Conclusions, "closing", lambda *_, **__: 1 / 0)
        failing.setattr(Conclusions, "conclude", lambda *_, **__: 1 / 0)
        failing.setattr(Conclusions, "waits", True)
        game_.enter("A buy fool")
    assert "the referee failed (until_now)" in caplog.text
    assert events(game_) == ["A roll 6 4 3 1", "A keep 6 4 3 1", "A buy fool"]


def test_a_question_can_be_answered_though_the_referee_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Bug: after an answer, later readings are judged again; an error there refused the answer."""
    game_, laid = table("maid", "noblewoman"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn((3,), (4,))
    game_.see(laid.read())
    keep(game_, laid, 4)
    throw(game_, laid, 2, 1)
    assert answers(game_) == [["A use maid 3 > 4", "A use noblewoman 3 > 4"]]
    with monkeypatch.context() as failing, caplog.at_level(logging.ERROR):
        failing.setattr(referee, "recomputed", lambda *_, **__: 1 / 0)
        game_.answer(game_.questions[0].number, 1)
    assert "the referee failed (recomputed)" in caplog.text
    assert events(game_) == ["A roll 6 3 1", "A use noblewoman 3 > 4", "A keep 4", "A roll 2 1"]


def test_a_fault_after_something_was_recorded_does_not_stop_the_watching(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game_, laid = table("farmer"), LaidTable()
    with monkeypatch.context() as failing, caplog.at_level(logging.ERROR):
        failing.setattr(Conclusions, "recorded", lambda *_: 1 / 0)
        throw(game_, laid, 6, 4, 3, 1)
    assert "the referee failed (recorded)" in caplog.text
    keep(game_, laid, 6)
    throw(game_, laid, 5, 5, 2)
    assert events(game_) == ["A roll 6 4 3 1", "A keep 6", "A roll 5 5 2"]
