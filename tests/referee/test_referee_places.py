"""The exact place of a die shows whether it was rolled: a die that no one touches does not move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.referee.rolled import roll_chance
from tests.kit.laid_table import WIDTH, LaidTable
from tests.referee.refereed import events, odds, snapshots, table, throw
from vision.tracking.moved_picture import moved_with_picture
from vision.types import Motion, Reading, SeenDie

SURE = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def seen(track: int, beside: float, since: int, throw: int) -> Reading:
    """One 4, `beside` die widths from the place (100, 100)."""
    x = 100.0 + beside * WIDTH
    die = SeenDie(track, (x, 100, x + WIDTH, 100 + WIDTH), SURE, False, since, 0.97)
    return Reading((die,), True, throw, Motion.STABLE, 0, 0.0)


@pytest.mark.parametrize(("beside", "left"), [(0.0, True), (0.05, True), (0.17, False), (0.4, False)])
def test_a_die_hidden_during_a_roll_was_not_rolled_if_it_is_exactly_in_its_old_place(beside: float, left: bool) -> None:
    """Bug: a rolled die stopped a sixth of a die beside its old place with the same face, and a die that had not moved
    counted as rolled instead."""
    before, now = seen(1, 0.0, 1, 1), seen(1, beside, 1, 2)
    assert (odds(before, now)[1] < 0) == left


def test_a_die_whose_box_grows_when_it_is_uncovered_has_not_moved() -> None:
    """Bug: a die set aside was behind another one, and its box sometimes included a part of both."""
    before, now = seen(1, 0.0, 1, 1), seen(1, 0.0, 1, 2)
    (was,), (die,) = before.dice, now.dice
    left, top, right, low = was.xyxy
    larger = replace(die, xyxy=(left - 3, top - 1, right + 5, low + 9))
    assert odds(before, replace(now, dice=(larger,)))[1] < 0
    beside = replace(die, xyxy=(left + 8, top + 1, right + 8, low + 1))  # as large, elsewhere
    assert odds(before, replace(now, dice=(beside,)))[1] > 0


def test_a_die_reported_as_rolled_after_a_hand_hid_part_of_it_has_not_moved() -> None:
    """Bug: a hand passed over a 2 and vision counted a roll, so the 2 counted as rerolled by the Fool to its old
    place."""
    before, now = seen(1, 0.0, 1, 1), seen(1, 0.0, 2, 2)
    left, top, right, low = before.dice[0].xyxy
    part = replace(before, dice=(replace(before.dice[0], xyxy=(left, top, right - 0.25 * WIDTH, low)),))
    assert odds(part, now)[1] < 0


@pytest.mark.parametrize(("beside", "left"), [(0.0, True), (0.1, True), (0.17, False)])
def test_a_die_once_turned_in_place_may_be_rolled_like_any_other(beside: float, left: bool) -> None:
    """Bug: the record made the Merchant reroll all dice but one that had been turned earlier."""
    was, turned, now = seen(1, 0.0, 1, 1), seen(1, 0.0, 1, 1), seen(1, beside, 1, 2)
    turned, now = (replace(r, dice=(replace(r.dice[0], probabilities=SURE[::-1], rolled=0.05),)) for r in (turned, now))
    _, before, then = snapshots(was, turned, now)
    assert before.sightings[0].turned
    assert not then.sightings[0].turned
    assert (roll_chance(then.sightings[0], then, before).odds < 0) == left
    assert beside < 0.06 or roll_chance(then.sightings[0], then, before).odds > -3.0


@pytest.mark.parametrize(("beside", "thrown"), [(0.02, False), (0.17, True)])
def test_a_die_beside_the_old_place_of_one_with_its_face_was_rolled(beside: float, thrown: bool) -> None:
    """A 6 was rolled to a sixth of a die beside the old place of another 6."""
    before, now = seen(1, 0.0, 1, 1), seen(2, beside, 2, 2)
    assert (odds(before, now)[2] > 0) == thrown


def test_a_die_with_another_value_exactly_where_one_rested_was_misread() -> None:
    """Bug: a 3 that a hand had covered was read as a 5, and counted as rolled with the others."""
    game_, laid = table("farmer", "merchant"), LaidTable()
    throw(game_, laid, 6, 3, 2, 1)
    left = laid.active(3)
    laid.throw((5, 4, 4), [die for die in laid.dice if die is not left])
    left.track, left.rested_since, left.rolled = 99, laid.throw_count, 0.513
    left.seems, left.sure = 5, 0.75
    game_.see(laid.read())
    assert events(game_) == ["A roll 6 3 2 1", "A use merchant 6 2 1 > 5 4 4"]


def test_dice_added_before_a_reroll_with_the_same_face_do_not_hide_the_reroll() -> None:
    """Bug: the Fool's reroll of a 6 showed a 6 again. Two dice had been added since the last recorded roll, so it
    counted as moved."""
    game_, laid = table("fool", "farmer", "guard", "bishop"), LaidTable()
    throw(game_, laid, 6, 5, 5, 3)
    for value in (2, 6):
        laid.put(value)
        game_.see(laid.read())
    old = laid.active(6)
    laid.throw((6,), [old])
    laid.dice[-1].x, laid.dice[-1].y = old.x + WIDTH / 3, old.y
    game_.see(laid.read())
    assert events(game_)[-1] == "A use fool 6 > 6"


def test_dice_that_move_while_others_stay_are_not_a_bumped_camera() -> None:
    """Bug: the Fool's 2 stopped half a die beside its old place and no roll was counted, even when two rerolled dice
    did so."""

    def lying(track: int, x: float, new: bool = False) -> SeenDie:
        return SeenDie(track, (x, 0.0, x + 40, 40.0), SURE, False, new=new)

    before = (lying(1, 0, False), lying(2, 200, False), lying(3, 400, False), lying(4, 600, False))
    now = (*before[:2], lying(5, 400, True), lying(6, 616, True))
    assert moved_with_picture(before, now) is None
    assert moved_with_picture(before, (*before[:2], lying(5, 410, True), lying(6, 616, True))) is None
    bumped = tuple(lying(die.track + 10, die.xyxy[0] + 9, True) for die in before)
    assert moved_with_picture(before, bumped) is not None


def test_a_die_rolled_beside_its_place_while_a_box_drifts_is_not_a_bumped_camera() -> None:
    """Bug: a 6 was rolled to less than half a die from its old place, a touching die in the row seemed to move by a
    sixth of a die, and all three counted as shifted with the frame."""

    def lying(track: int, x: float, y: float, new: bool = False) -> SeenDie:
        return SeenDie(track, (x, y, x + 46.0, y + 46.0), SURE, False, new=new)

    before = lying(4, 43, 270), lying(5, 84, 290), lying(3, 274, 157)
    now = lying(4, 45, 272), lying(5, 90, 295), lying(6, 290, 150, new=True)
    assert moved_with_picture(before, now) is None
