"""Dice that are hard to follow or to read: how the referee explains them, and what it asks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.changes import Line
from companion.game.corrections.swaps import repaired
from companion.game.timeline import Timeline
from engine.record_header import new_record
from tests.kit.laid_table import WIDTH, LaidTable
from tests.referee.filtered import moves
from tests.referee.refereed import answers, events, keep, odds, shown, table, throw


def test_a_die_that_shows_now_this_now_that_is_asked_about() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 6, 3, 1)
    die = laid.active(3)
    for seems in (5, None, 5, None, 5):  # no hand turns a die and turns it back
        die.seems = seems
        game_.see(laid.read(after=0.2))
    die.sure = 0.5
    game_.see(laid.read(after=0.8))
    assert answers(game_) == [["A roll 6 3 1", "A roll 6 5 1"]]
    keep(game_, laid, 6)
    throw(game_, laid, 4, 2)
    assert events(game_) == ["A roll 6 3 1", "A keep 6", "A roll 4 2"]
    game_.answer(game_.questions[0].number, 1)
    assert events(game_)[0] == "A roll 6 5 1"


def test_a_die_that_a_hand_has_turned_once_is_not_asked_about() -> None:
    game_, laid = table("maid"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn((3,), (5,))
    game_.see(laid.read())
    game_.see(laid.read())
    keep(game_, laid, 5)
    throw(game_, laid, 2, 2)
    assert events(game_)[:2] == ["A roll 6 3 1", "A use maid 3 > 5"]
    assert game_.questions == ()


def test_a_card_is_not_blamed_for_a_die_misread_on_its_way_aside() -> None:
    game_, laid = table("noblewoman"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.keep(3)
    die = next(die for die in laid.dice if die.aside)
    die.seems, die.sure = 4, 0.6
    game_.see(laid.read())
    throw(game_, laid, 5, 2)
    game_.finish()
    assert any("A use noblewoman 3 > 4" in answer for answer in answers(game_)[0])
    assert any("noblewoman" not in answer for answer in answers(game_)[0])


def test_a_question_answered_by_later_events_stays_open() -> None:
    game_, laid = table("maid", "noblewoman"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn((3,), (4,))  # Maid or Noblewoman?
    game_.see(laid.read())
    keep(game_, laid, 4)
    throw(game_, laid, 1, 2)
    assert answers(game_) == [["A use maid 3 > 4", "A use noblewoman 3 > 4"]]
    laid.turn((2,), (5,))  # that was the Maid
    game_.see(laid.read())
    keep(game_, laid, 5)
    throw(game_, laid, 6)
    assert "A use noblewoman 3 > 4" in events(game_)
    assert "A use maid 2 > 5" in events(game_)
    assert ["A use noblewoman 3 > 4", "A use maid 3 > 4"] in answers(game_)


def test_a_die_covered_for_a_moment_is_the_same_die() -> None:
    laid = LaidTable(rows=False)
    laid.throw((6, 3))
    before = laid.read()
    now = replace(laid.read(), rolls=2)
    three, six = (next(die for die in now.dice if die.value == value) for value in (3, 6))
    lost = replace(three, track=9, rested_since=2, rolled=0.99)  # seen again, and taken for a rolled die
    moved = replace(six, track=10, xyxy=(0.0, 0.0, 30.0, 30.0), rested_since=2, rolled=0.84)  # likewise
    thrown = odds(before, replace(now, dice=(lost, moved)))
    assert thrown[9] < 0
    assert thrown[10] < 0
    elsewhere = replace(lost, xyxy=(500.0, 500.0, 530.0, 530.0))
    assert odds(before, replace(now, dice=(elsewhere, moved)))[9] > 0


def test_dice_set_aside_that_were_taken_for_each_other_have_not_rolled() -> None:
    """Bug: a hand covered two 6s set aside; one was confused with the other and so seemed to have moved."""
    laid = LaidTable(rows=False)
    laid.throw((6, 6, 3))
    laid.keep(6, 6)
    before = laid.read()
    laid.throw((5,), [laid.active(3)])
    now = laid.read()
    one, other, thrown = sorted(now.dice, key=lambda die: die.track)
    mixed = (
        replace(other, track=one.track, rested_since=2, rolled=0.99),
        replace(one, track=9, rested_since=2, rolled=0.5),
        thrown,
    )
    found = odds(before, replace(now, dice=mixed))
    assert {track: chance > 0 for track, chance in found.items()} == {one.track: False, 9: False, thrown.track: True}


def _timeline(*events_: str) -> Timeline:
    begun = Timeline.begin(new_record("krone", ["Anna", "Bert"]))
    return begun.spliced(0, 0, [Line(i, event, "camera") for i, event in enumerate(events_, 1)])


def test_dice_left_by_a_cancelled_roll_are_set_aside_later() -> None:
    recorded = _timeline("A roll 5 5 3", "A keep 3", "A roll 5 5", "A keep 5 5", "A pass")
    wrong = recorded.spliced(1, 2, [])
    right = repaired(wrong, moves("A keep 3", "A roll 5 5"), (), 1)
    assert [line.event for line in right.lines] == ["A roll 5 5 3", "A keep 5 5 3", "A pass"]
    assert right.replay.broken is None


def test_a_die_set_aside_already_is_not_set_aside_again() -> None:
    recorded = _timeline("A roll 5 5 3", "A keep 5", "A roll 6 5", "A keep 6 5", "A pass")
    was, now = ("A keep 5", "A roll 6 5"), ("A keep 5 5", "A roll 6")
    wrong = recorded.spliced(1, 2, [Line(9, event, "person") for event in now])
    right = repaired(wrong, moves(*was), moves(*now), 3)
    assert [line.event for line in right.lines] == ["A roll 5 5 3", *now, "A keep 6", "A pass"]


def test_a_die_set_aside_and_misread_may_not_be_a_reroll() -> None:
    """Bug: a die moved by a hand and misread counted as certainly rerolled by the Fool."""
    game_, laid = table("fool"), LaidTable(rows=False)
    throw(game_, laid, 6, 3, 2)
    laid.throw((2,), [laid.active(2)])
    die = laid.active(2)
    die.seems, die.sure, die.rolled = 1, 0.93, 0.05
    game_.see(laid.read())
    laid.clear()
    game_.see(laid.read())
    throw(game_, laid, 5, 5, 2)  # a doubt waits until the turn is over
    (asked,) = answers(game_)
    assert "A use fool 2 > 1" in asked[0]
    assert any("fool" not in answer for answer in asked[:3])  # nothing of this happened


def test_a_die_rerolled_by_a_card_may_have_been_misread() -> None:
    """Bug: the Fool's 5 was read as a 1 at first. Only rolls could be corrected, so all later lines were recorded with
    a 1."""
    game_, laid = table("fool", "farmer", "guard", "philosopher"), LaidTable()
    throw(game_, laid, 6, 5, 5, 2)
    laid.throw((5,), [laid.active(6)])
    thrown = laid.dice[-1]
    thrown.seems, thrown.sure = 1, 0.7
    game_.see(laid.read())
    assert events(game_)[-1] == "A use fool 6 > 1"
    thrown.seems, thrown.sure = None, 0.99
    for _ in range(4):
        game_.see(laid.read(after=0.2))
    laid.put(2)
    for _ in range(3):
        game_.see(laid.read())
    assert events(game_)[-1] == "A use fool 6 > 5"
    assert ["A use fool 6 > 5", "A use fool 6 > 1"] in answers(game_)


def test_a_die_left_in_place_while_a_card_rerolls_another_may_be_misread() -> None:
    """A resting 1 is read as a 2 for a moment, so the Fool seems to have rolled a 1. The 1 has kept its place and the 2
    has not, so no question is needed."""
    game_, laid = table("fool", "farmer"), LaidTable()
    throw(game_, laid, 4, 3, 2, 1)
    laid.throw((1,), [laid.active(2)])
    lying = laid.dice[2]
    lying.seems, lying.sure = 2, 0.6
    game_.see(laid.read())
    assert events(game_)[-1] == "A use fool 2 > 1"


def test_an_uncounted_roll_may_be_of_any_die_that_was_not_set_aside() -> None:
    """Bug: without a known row, a die outside the last roll was rolled after it, and vision reported that a hand had
    put it there."""
    game_, laid = table("fool"), LaidTable(rows=False)
    throw(game_, laid, 6, 5, 4)
    laid.throw((4,), [laid.active(4)])  # the Fool's; the others are taken to be set aside
    game_.see(laid.read())
    keep(game_, laid, 6, 4)
    die = laid.active(5)
    die.value, die.rested_since, die.rolled = 2, laid.throw_count, 0.05
    die.x += 60
    game_.see(laid.read())
    game_.see(laid.read())
    assert events(game_)[-2:] == ["A keep 6 4", "A roll 2"]
    keep(game_, laid, 2)
    game_.enter("A pass")
    assert events(game_)[-1] == "A pass"


def test_a_die_read_badly_in_play_and_well_in_the_row_has_the_face_read_in_the_row() -> None:
    """Bug: a purple 4 was read as a 2 (0.63) in play and as a 4 (0.85) in the row. The die in play counted as
    unexplained and the die in the row as a 2."""
    game_, laid = table(), LaidTable()
    laid.throw((4, 4, 1))
    die = laid.active(4)
    die.seems, die.sure = 2, 0.63
    game_.see(laid.read())
    laid.keep(4, 4)
    die.value, die.seems, die.sure = 2, 4, 0.85  # the reading of a 2 is plausible
    for _ in range(10):
        game_.see(laid.read(after=0.1))
    laid.throw((6,))
    game_.see(laid.read())
    assert shown(game_) == ["A roll 4 4 1", "A keep 4 4", "A roll 6"]


def test_a_die_in_sight_all_the_time_has_rolled_on_and_was_not_turned() -> None:
    """Bug: a die was read while it still moved slowly, tipped over, and counted as turned by a card. Of 107 visible
    dice whose face changed, none had been turned or rolled."""
    game_, laid = table("fool", "maid"), LaidTable()
    laid.throw((6, 3, 1))
    game_.see(laid.read())
    die = laid.active(3)
    die.value, die.x = 5, die.x + WIDTH / 4
    laid.throw_count += 1  # vision counts what it saw roll on
    die.rested_since, die.rolled = laid.throw_count, 0.97
    for _ in range(6):
        game_.see(laid.read(after=0.2))
    assert events(game_) == ["A roll 6 5 1"]


def test_a_die_that_was_out_of_sight_and_shows_something_else_was_turned() -> None:
    """As above, but a hand was over the die."""
    game_, laid = table("maid"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    for _ in range(2):
        game_.see(laid.read(after=0.2))
    over = laid.read(after=0.2)
    game_.see(replace(over, settled=False, dice=tuple(replace(die, hidden=True) for die in over.dice)))
    laid.turn((3,), (6,))
    for _ in range(2):
        game_.see(laid.read(after=0.2))
    keep(game_, laid, 6)
    throw(game_, laid, 6, 2)
    assert events(game_)[:2] == ["A roll 6 3 1", "A use maid 3 > 6"]


@pytest.mark.parametrize("values", [(5, 2), (3, 2)])
def test_dice_in_play_that_no_pass_saw_rolling_were_rolled_whatever_they_show(values: tuple[int, int]) -> None:
    """Bug: hands hid a roll of a 3 and a 1. It left an old face among others, and counted as carrying."""
    game_, laid = table(), LaidTable()
    throw(game_, laid, 6, 3, 1)
    keep(game_, laid, 6)
    laid.throw(values)
    for die in laid.dice[1:]:
        die.rolled = 0.05
    game_.see(laid.read())
    assert events(game_)[-1] == f"A roll {values[0]} {values[1]}"
