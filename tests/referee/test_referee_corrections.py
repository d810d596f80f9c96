"""What an answer or correction changes before and after its line."""

from __future__ import annotations

from companion.game.changes import Line
from companion.game.corrections.swaps import repaired
from tests.kit.laid_table import LaidTable
from tests.referee.filtered import moves
from tests.referee.refereed import answers, events, keep, preview, shown, table, throw


def test_a_card_is_not_used_to_give_a_die_the_face_it_shows() -> None:
    """Bug: a misread 5 counted as turned from 4 to 5, even after the correction."""
    game_ = table("farmer", "noblewoman")
    for event in ("A roll 5 4 1 1", "A use noblewoman 4 > 5", "A keep 5 5", "A roll 6 2"):
        game_.enter(event)
    game_.replace(game_.lines[0].number, "A roll 5 5 1 1")
    assert events(game_) == ["A roll 5 5 1 1", "A keep 5 5", "A roll 6 2"]
    assert game_.broken is None
    game_.undo()
    assert events(game_) == ["A roll 5 4 1 1", "A use noblewoman 4 > 5", "A keep 5 5", "A roll 6 2"]


def test_of_two_dice_turned_the_one_that_was_misread_is_left_out() -> None:
    game_ = table("farmer", "noblewoman")
    for event in ("A roll 5 4 1 1", "A use noblewoman 4 1 > 5 2", "A keep 5 5", "A roll 6 2"):
        game_.enter(event)
    game_.replace(game_.lines[0].number, "A roll 5 5 1 1")
    assert events(game_) == ["A roll 5 5 1 1", "A use noblewoman 1 > 2", "A keep 5 5", "A roll 6 2"]


def test_a_card_freed_by_an_earlier_answer_is_an_answer_too() -> None:
    """Bug: the true answer to the first question left the Astronomer free, who was then used. No question was asked,
    because only the Magician could follow what was recorded."""
    game_, laid = table("astronomer", "magician", "nobleman"), LaidTable()
    throw(game_, laid, 6, 4, 3)
    keep(game_, laid, 6)
    laid.turn((4,), (6,))
    game_.see(laid.read())
    keep(game_, laid, 6)
    throw(game_, laid, 5)
    laid.turn((5,), (6,))
    game_.see(laid.read())
    keep(game_, laid, 6)
    game_.enter("A pass")
    game_.see(laid.read())
    first, second = game_.questions
    assert answers(game_)[1] == ["A use magician 5 > 6", "A use astronomer 5 > 6"]
    assert second.answers[0] == ("A use magician 5 > 6",)
    game_.answer(first.number, 2)  # the Astronomer is cheaper, and free again
    assert [event for event in events(game_) if " use " in event] == ["A use nobleman 4 > 6", "A use astronomer 5 > 6"]
    assert answers(game_) == [["A use astronomer 5 > 6", "A use magician 5 > 6"]]
    assert game_.broken is None


def test_an_answer_carries_the_card_used_before_along() -> None:
    game_, laid = table("astronomer", "magician", "nobleman"), LaidTable()
    throw(game_, laid, 6, 4, 3)
    keep(game_, laid, 6)
    for before in (4, 5):
        laid.turn((before,), (6,))
        game_.see(laid.read())
        keep(game_, laid, 6)
        if before == 4:
            throw(game_, laid, 5)
    game_.enter("A pass")
    game_.see(laid.read())
    game_.answer(game_.questions[1].number, 1)
    assert [event for event in events(game_) if " use " in event] == ["A use magician 4 > 6", "A use astronomer 5 > 6"]
    (still,) = answers(game_)
    assert [answer.split(" use ")[1].split()[0] for answer in still] == ["magician", "nobleman", "astronomer"]
    assert game_.broken is None


def test_a_doubtful_die_was_rather_misread_than_turned() -> None:
    """Bug: a 3 set aside, read as a 4 with 0.83, was recorded as a card's 4."""
    game_, laid = table("astronomer", "magician"), LaidTable()
    throw(game_, laid, 4, 3, 1)
    keep(game_, laid, 4)
    throw(game_, laid, 3, 1)
    laid.keep(3)
    die = next(die for die in laid.dice if die.value == 3)
    die.seems, die.sure = 4, 0.7
    game_.see(laid.read())
    throw(game_, laid, 6)
    assert shown(game_)[-2:] == ["A keep 3", "A roll 6"]
    game_.finish()
    assert any("A use astronomer 3 > 4" in answer for asked in answers(game_) for answer in asked)


def test_the_dice_seen_in_play_just_before_a_roll_decide_which_were_set_aside() -> None:
    """A 4 and a 2 are in play after two 3s were set aside, one of them misread as a 4: that is not the 4 in play."""
    game_, laid = table("noblewoman", "pawnbroker"), LaidTable()
    throw(game_, laid, 3, 3, 2)
    laid.put(4)
    game_.see(laid.read())
    laid.keep(3, 3)
    die = next(die for die in laid.dice if die.aside)
    die.seems, die.sure = 4, 0.7
    game_.see(laid.read())
    throw(game_, laid, 6, 5)
    assert events(game_) == ["A roll 3 3 2", "A use pawnbroker", "A keep 3 3", "A roll 6 5"]


def test_a_doubtful_die_in_the_row_keeps_its_recorded_face() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 4, 3)
    keep(game_, laid, 3)
    die = next(die for die in laid.dice if die.aside)
    die.seems, die.sure = 4, 0.83
    game_.see(laid.read())
    assert preview(game_) == ["A keep 3"]


def test_an_earlier_question_takes_the_answer_that_a_later_line_makes_likelier() -> None:
    """Bug: the Magician was confused with the Nobleman and vice versa, which would have turned one die more."""
    game_, laid = table("farmer", "magician", "nobleman"), LaidTable()
    throw(game_, laid, 6, 4, 2, 1)
    laid.turn((1,), (3,))
    game_.see(laid.read())
    keep(game_, laid, 6)
    throw(game_, laid, 3, 1, 1)
    laid.turn((1,), (5,))
    laid.active(5).rolled = 0.05  # it was in a hand
    game_.see(laid.read())
    keep(game_, laid, 5)
    game_.enter("A pass")
    assert [event for event in events(game_) if " use " in event] == ["A use nobleman 1 > 3", "A use magician 1 > 5"]
    assert ["A use nobleman 1 > 3", "A use magician 1 > 3"] in answers(game_)


def test_an_answer_stays_if_later_events_are_as_likely_with_the_recorded_one() -> None:
    """Bug: two dice were turned and one was added, and an earlier question about a roll changed its answer. A single
    misreading between correct ones no longer leads to a question."""
    game_, laid = table("farmer", "philosopher", "guard"), LaidTable()
    throw(game_, laid, 5, 3, 2, 1)
    die = laid.active(3)
    for seems in (6, None, None, None):
        die.seems = seems
        game_.see(laid.read(after=0.2))
    assert answers(game_) == []
    keep(game_, laid, 5)
    throw(game_, laid, 6, 3, 1)
    laid.turn((6, 1), (5, 2))
    game_.see(laid.read())
    laid.put(2)
    for _ in range(2):
        game_.see(laid.read())
    assert events(game_) == ["A roll 5 3 2 1", "A keep 5", "A roll 6 3 1"]


def test_a_die_not_set_aside_before_a_roll_is_set_aside_after_it() -> None:
    """Bug: the Fool's reroll was recorded as a roll, and the next roll as the Fool's."""
    game_ = table("fool", "guard")
    for event in ("A roll 6 4 2", "A keep 6 4", "A use guard", "A keep 2", "A roll 5", "A use fool 5 > 6", "A keep 6"):
        game_.enter(event)
    was, now = ("A keep 2", "A roll 5"), ("A use fool 2 > 5",)
    timeline = game_._game_log.timeline.spliced(3, 2, [Line(9, now[0], "person")])
    right = repaired(timeline, moves(*was), moves(*now), 4)
    assert [line.event for line in right.lines[3:]] == ["A use fool 2 > 5", "A keep 2", "A roll 6", "A keep 6"]
