"""A player is asked only after a pause, only where the answer changes the game, and only as long as it is in doubt."""

from __future__ import annotations

from companion.game.moves import read_moves
from companion.game.referee.checkpoint import as_recorded
from companion.game.referee.doubts import Doubts
from companion.game.referee.questions import Explanation
from companion.plugins import plugin
from tests.kit.laid_table import LaidTable
from tests.referee.refereed import events, keep, table


def test_a_doubt_about_the_running_turn_is_asked_about_only_after_a_pause() -> None:
    game_ = table()
    game_.enter("A roll 6 3 1", by="camera")
    transitions = plugin("krone").transitions
    timeline, best = game_._game_log.timeline, as_recorded(transitions, game_.state, None)
    stories = [Explanation(read_moves(timeline.game, [line]), 0.5) for line in ("A roll 6 3 1", "A roll 6 5 1")]
    doubts = Doubts(transitions)
    asked = []
    for reading in range(1, 40):
        doubts.set_time(reading / 10)
        now, _ = doubts.running(timeline, 0, stories[0].lines, stories, best, 0)
        asked.append(len(now))
    assert 29 <= asked.index(1) <= 31
    doubts.set_time(10.0)  # readings of a slow camera are as far apart as a pause
    assert len(doubts.running(timeline, 0, stories[0].lines, stories, best, 0)[0]) == 1


def test_a_question_that_later_readings_settle_is_withdrawn() -> None:
    game_, laid = table(), LaidTable()
    laid.throw((6, 3, 1))
    die = laid.active(3)
    die.sure = 0.5
    game_.see(laid.read())
    assert len(game_.questions_to_ask) == 1
    die.sure = 0.99
    for _ in range(4):
        game_.see(laid.read(after=0.2))
    assert game_.questions_to_ask == ()
    assert events(game_) == ["A roll 6 3 1"]
    assert game_.changes[-1].kind == "answer"
    assert game_.changes[-1].by == "camera"


def test_no_player_is_asked_about_a_turn_that_ends_the_same_either_way() -> None:
    """The line still mentions what else the roll may have been."""
    game_, laid = table("maid", "philosopher"), LaidTable()
    laid.throw((6, 4, 2))
    die = laid.active(2)
    die.seems, die.sure = 3, 0.82
    game_.see(laid.read())
    assert len(game_.questions_to_ask) == 1
    laid.turn((2,), (5,))
    die.seems, die.sure = None, 0.99
    game_.see(laid.read())
    keep(game_, laid, 6)
    game_.enter("A pass")
    game_.see(laid.read())
    assert game_.questions_to_ask == ()
    assert [question.matters for question in game_.questions] == [False]
