"""Consequences of an answer about an attempt in Knatsch: the readings are judged again."""

from __future__ import annotations

from dataclasses import replace

from companion.game.changes import Question
from companion.game.referee.sentences import WHAT_HAPPENED, message
from companion.game.table import Table
from tests.referee.knatsch_live import BEGUN, last, reading, sitting
from vision.types import Reading


def answered(table: Table, begins: str) -> None:
    """Answers the open question that begins with this event."""
    (question,) = table.questions
    table.answer(question.number, [answer[0] for answer in question.answers].index(begins))


def test_after_an_answer_about_the_roller_the_attempt_is_explained_again() -> None:
    """What the same dice mean if another player rolled them follows by itself, later rolls included."""
    table = sitting(*BEGUN[:2], "A target right")
    table.see(reading(1, "544451"))
    table.see(reading(2, "333321"))
    table.see(reading(2, "21", "3333"))
    table.see(reading(3, "42", "3333"))
    table.finish()
    assert last(table, 4) == ["A keep none", "A roll 3 3 3 3 2 1", "A keep 3 3 3 3", "A roll 4 2"]
    answered(table, "A stop")
    assert last(table, 4) == ["A stop", "B roll 3 3 3 3 2 1", "B keep 3 3 3 3", "B roll 4 2"]
    assert table.broken is None


def doubtful(seen: Reading, place: int) -> Reading:
    """The same reading, with the die at this place probably a 5, perhaps a 3."""
    dice = list(seen.dice)
    dice[place] = replace(dice[place], probabilities=(0.01, 0.01, 0.44, 0.01, 0.52, 0.01))
    return replace(seen, dice=tuple(dice))


def test_a_die_that_an_answer_puts_right_was_that_also_when_it_was_kept() -> None:
    table = sitting(*BEGUN)
    table.see(doubtful(reading(1, "554421"), 0))
    table.see(doubtful(reading(1, "4421", "55"), 4))
    table.see(doubtful(reading(2, "4411", "55"), 4))
    assert last(table, 3) == ["A roll 5 5 4 4 2 1", "A keep 5 5", "A roll 4 4 1 1"]
    answered(table, "A roll 5 4 4 3 2 1")
    assert last(table, 3) == ["A roll 5 4 4 3 2 1", "A keep 5 3", "A roll 4 4 1 1"]
    assert not table.questions


def test_a_finished_attempt_is_explained_again_when_the_next_card_is_named() -> None:
    table = sitting(*BEGUN)
    table.see(doubtful(reading(1, "554421"), 0))
    table.see(doubtful(reading(1, "4421", "55"), 4))
    table.see(doubtful(reading(2, "4411", "55"), 4))
    table.see(reading(2, ""))
    table.enter("A stop")
    table.enter("B reveal left castle-black 3-3-3+1")
    table.enter("B target left")
    table.see(reading(3, "665532"))
    explained = [line.event for line in table.lines][-4:]
    assert explained == ["A stop", "B reveal left castle-black 3-3-3+1", "B target left", "B roll 6 6 5 5 3 2"]
    question = next(q for q in table.questions if len(q.lines) == 2)
    table.answer(question.number, question.answers.index(("A roll 5 4 4 3 2 1", "A keep 5 3")))
    assert last(table, 7) == ["A roll 5 4 4 3 2 1", "A keep 5 3", "A roll 4 4 1 1", *explained]
    assert table.broken is None


def test_the_consequences_of_an_answer_follow_the_observations() -> None:
    """Even if the question was asked before the rest was seen."""
    table = sitting(*BEGUN[:2], "A target right")
    for seen in (reading(1, "544451"), reading(2, "333321"), reading(2, "21", "3333"), reading(3, "42", "3333")):
        table.see(seen)
    table.finish()
    book = table._game_log
    stood = book.lines[-4:-2]
    answers = (tuple(line.event for line in stood), ("A stop", "B roll 3 3 3 3 2 1"))
    asked = Question(message(WHAT_HAPPENED, first="", second=""), tuple(line.number for line in stood), answers)
    assert table._referee is not None
    explained = table._referee.recomputed(book, asked, [book.line(event, "person") for event in answers[1]])
    assert explained is not None
    assert [line.event for line in explained.lines] == ["A stop", "B roll 3 3 3 3 2 1", "B keep 3 3 3 3", "B roll 4 2"]
