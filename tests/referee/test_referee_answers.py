"""Chains of cards and rolls: one answer changes several lines, or an entered line implies the answer."""

from __future__ import annotations

import pytest

from companion.game.changes import Line, Question
from companion.game.corrections.swaps import repaired
from companion.game.corrections.turned import misread_or_turned
from companion.game.referee.alike import spread, still_open
from companion.game.referee.questions import which
from companion.game.table import Table
from companion.game.timeline import Timeline
from engine.errors import Illegal
from tests.kit.laid_table import LaidTable
from tests.referee.filtered import moves
from tests.referee.refereed import answers, events, keep, table, throw


def course_of(*lines: str, cards: tuple[str, ...]) -> Timeline:
    """These lines, recorded by the camera for a player with these cards."""
    return table(*cards)._game_log.timeline.spliced(0, 0, [Line(i, line, "camera") for i, line in enumerate(lines, 1)])


def explained(timeline: Timeline) -> list[str]:
    return [line.event for line in timeline.lines]


def test_lines_after_a_wrong_end_of_turn_belong_to_the_same_player() -> None:
    """Bug: the Merchant's reroll counted as the next player's first roll."""
    was, now = ("A keep 6 5 2", "B roll 3 1 1"), ("A use merchant 6 5 2 > 3 1 1",)
    lines = ("A roll 6 5 2", now[0], "B keep 1", "B use astronomer 3 > 1", "B keep 1 1")
    timeline = course_of(*lines, cards=("fool", "merchant"))
    assert explained(repaired(timeline, moves(*was), moves(*now), 2))[2:] == [
        "A keep 1",
        "A use fool 3 > 1",
        "A keep 1 1",
    ]


def test_a_card_taken_by_an_answer_is_replaced_by_one_that_does_the_same() -> None:
    """Bug: the Magician had been used already, so a turned die was attributed to a reroll by the Merchant, not to the
    Nobleman."""
    was, now = ("A use noblewoman 3 > 4",), ("A use magician 3 > 4",)
    lines = ("A roll 6 4 3 3", *now, "A use magician 3 > 5")
    timeline = course_of(*lines, cards=("farmer", "merchant", "noblewoman", "magician", "nobleman"))
    assert explained(repaired(timeline, moves(*was), moves(*now), 2))[-1] == "A use nobleman 3 > 5"


def test_a_die_set_aside_by_an_answer_is_in_no_later_roll() -> None:
    """Bug: one of two sixes set aside counted as rolled again, and again."""
    was, now = ("A keep 6", "A roll 6 5 4 1"), ("A keep 6 6", "A roll 5 4 1")
    lines = ("A roll 6 6 5 3 2", *now, "A keep 5", "A roll 6 4 2", "A keep 6 4 2")
    timeline = course_of(*lines, cards=("general",))
    right = repaired(timeline, moves(*was), moves(*now), 3)
    assert explained(right)[3:] == ["A keep 5", "A roll 4 2", "A keep 4 2"]


def test_a_die_with_a_corrected_face_was_misread_or_turned_by_a_card() -> None:
    """A die was first misread as the face to which the Maid later turned it. It is read surely in the kept row, so if
    the roll showed another face, the Maid has turned it, and no further question is needed."""
    game_, laid = table("maid", "philosopher"), LaidTable()
    laid.throw((2, 1, 1))
    die = laid.active(2)
    die.seems, die.sure = 5, 0.82
    game_.see(laid.read())
    assert answers(game_)[0][:2] == ["A roll 5 1 1", "A roll 2 1 1"]
    game_.answer(game_.questions[0].number, 1)
    laid.turn((2,), (5,))
    die.seems, die.sure = None, 0.99
    game_.see(laid.read())
    keep(game_, laid, 5)
    throw(game_, laid, 4, 1)
    assert events(game_) == ["A roll 2 1 1", "A use maid 2 > 5", "A keep 5", "A roll 4 1"]


def test_no_card_is_asked_about_that_could_not_have_turned_the_die() -> None:
    timeline = course_of("A roll 5 1 1", "A keep 1", cards=("maid", "noblewoman"))
    assert misread_or_turned(timeline, 1, "A keep 6") == ()  # 1 to 6 is no card's of these
    assert misread_or_turned(timeline, 1, "A keep 2") == (
        ("A keep 1",),
        ("A use maid 1 > 2", "A keep 2"),
        ("A use noblewoman 1 > 2", "A keep 2"),
    )


def misread_fools_throw() -> Table:
    """A table with 6 5 set aside, and the Fool's reroll, a 4 doubtfully read as a 2."""
    game_, laid = table("fool"), LaidTable()
    throw(game_, laid, 6, 5, 4)
    keep(game_, laid, 6, 5)
    laid.throw((4,), [laid.active(4)])
    thrown = laid.active(4)
    thrown.seems, thrown.sure = 2, 0.7
    game_.see(laid.read())
    return game_


def test_a_purchase_that_only_another_answer_allows_gives_that_answer() -> None:
    """Bug: the Fool's reroll of the last die was misread, so the dice did not pay for the purchase."""
    game_ = misread_fools_throw()
    assert events(game_)[-1] == "A roll 2"
    assert answers(game_)[0][:2] == ["A roll 2", "A roll 4"]
    game_.enter("A buy laborer")  # fifteen: 6 5 4
    assert events(game_)[-3:] == ["A roll 4", "A keep 4", "A buy laborer"]
    assert answers(game_)[0][:2] == ["A roll 4", "A roll 2"]  # which the purchase made likely; the question stays open


def test_a_purchase_that_no_answer_allows_is_refused_and_changes_nothing() -> None:
    game_ = misread_fools_throw()
    before = events(game_)
    with pytest.raises(Illegal):
        game_.enter("A buy knight")
    assert events(game_) == before


def test_one_card_stands_for_all_with_the_same_effect_among_the_first_answers() -> None:
    fool, merchant = moves("A keep 5", "A use fool 5 > 3"), moves("A keep 5", "A use merchant 5 > 3")
    roll, both = moves("A keep 5 5", "A roll 3"), moves("A keep 5", "A roll 5 3")
    assert spread([roll, fool, merchant, both]) == [roll, fool, both, merchant]
    assert spread([fool, merchant, roll]) == [fool, merchant, roll]  # what is on record keeps its like beside it
    assert still_open((roll, fool, both, merchant), fool) == (fool, merchant)
    assert still_open((roll, fool, merchant), fool) == ()  # both were to be seen
    assert still_open((roll, fool, both, merchant), merchant) == ()  # that one was chosen


def test_choosing_an_answer_that_stands_for_others_asks_which_card() -> None:
    game_ = table("fool", "merchant")
    for event in ("A roll 6 5 5", "A keep 6"):
        game_.enter(event)
    book = game_._game_log
    lines = [book.line(event, "camera", 0.5) for event in ("A keep 5 5", "A roll 3")]
    fool, merchant = ("A keep 5", "A use fool 5 > 3"), ("A keep 5", "A use merchant 5 > 3")
    offered = (("A keep 5 5", "A roll 3"), ("A keep 5", "A roll 3"), fool, merchant)
    question = Question(
        which(game_._game_log.game, [moves(*one) for one in offered]), tuple(line.number for line in lines), offered, 1
    )
    book.apply(book.change("enter", "camera", 2, 0, lines, questions=(question,)))
    game_.answer(1, 2)
    assert events(game_)[2:] == list(fool)
    assert answers(game_) == [[", ".join(fool), ", ".join(merchant)]]
    game_.answer(game_.questions[0].number, 1)
    assert events(game_)[2:] == list(merchant)
    assert not game_.questions


def test_of_one_card_used_on_more_and_more_dice_that_stay_as_they_were_two_come_first() -> None:
    """Bug: the first answers all used the Merchant, and the Maid, who was right, came fourth."""
    alone, more = moves("A use merchant 4 > 6"), moves("A use merchant 4 2 > 6 2")
    most, maid = moves("A use merchant 6 4 > 6 6"), moves("A use maid 4 > 6")
    assert spread([alone, more, most, maid]) == [alone, more, maid, most]
