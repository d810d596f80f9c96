"""Without a known kept row, the places where hands put dice show which are set aside."""

from __future__ import annotations

import pytest

from companion.game.referee.rolled import roll_chance, rolled_sets
from tests.kit.laid_table import WIDTH, LaidTable
from tests.referee.refereed import answers, events, keep, preview, shown, snapshots, table, throw


def test_a_die_moved_within_play_and_then_set_aside_was_rolled_in_between() -> None:
    """No player sets a die aside twice. Bug: a last die with the same face, not seen rolling, counted as set aside in
    its new place."""
    game_, laid = table(), LaidTable(rows=False)
    throw(game_, laid, 6, 4, 2)
    keep(game_, laid, 4)
    throw(game_, laid, 6, 2)
    keep(game_, laid, 2)
    laid.move(6, 900, 300)
    game_.see(laid.read())
    keep(game_, laid, 6)
    game_.enter("A pass")
    assert events(game_)[-3:] == ["A roll 6", "A keep 6", "A pass"]
    game_.see(laid.read())
    assert game_.questions


def test_a_die_straightened_in_the_kept_row_was_not_taken_up_again() -> None:
    game_, laid = table(), LaidTable(rows=False)
    throw(game_, laid, 6, 4, 2)
    keep(game_, laid, 2)
    laid.tidy(2, -20, 15)
    game_.see(laid.read())
    assert preview(game_) == ["A keep 2"]
    throw(game_, laid, 5, 3)
    assert events(game_) == ["A roll 6 4 2", "A keep 2", "A roll 5 3"]


def test_a_die_apart_from_those_set_aside_together_is_in_play() -> None:
    """Bug: a die added by the Hunter counted as set aside when the Fool rerolled another."""
    game_, laid = table("fool", "hunter"), LaidTable(rows=False)
    throw(game_, laid, 6, 6, 5)
    keep(game_, laid, 6, 6)
    throw(game_, laid, 5)
    laid.put(3)
    game_.see(laid.read())
    laid.throw((2,), [laid.active(5)])
    game_.see(laid.read())
    assert shown(game_)[-2:] == ["A use hunter", "A use fool 5 > 2"]
    game_.finish()
    assert ["A use fool 5 > 2", "A keep 3, A roll 2"] in answers(game_)


def test_a_die_carried_elsewhere_before_a_roll_may_have_been_rolled_twice() -> None:
    game_, laid = table("fool"), LaidTable(rows=False)
    throw(game_, laid, 6, 6, 5)
    keep(game_, laid, 6, 6)
    laid.move(5, 900, 300)
    laid.active(5).rolled = 0.3  # an unseen roll, or a hand that moved it
    game_.see(laid.read())
    throw(game_, laid, 5)
    assert events(game_)[-2:] == ["A keep 6 6", "A roll 5"]
    twice = [question[1] for question in answers(game_) if question[0].endswith("A roll 5")]
    assert twice
    assert twice[0].endswith("A roll 5, A use fool 5 > 5")


def test_a_die_set_aside_is_not_moved_to_the_others_after_the_next_roll() -> None:
    """Bug: while the Fool rerolled one die, another in play counted as set aside in place; it was set aside only
    later."""
    game_, laid = table("fool", "farmer"), LaidTable(rows=False)
    throw(game_, laid, 6, 6, 4, 4)
    keep(game_, laid, 6, 6)
    laid.throw((1,), [laid.active(4)])
    game_.see(laid.read())
    keep(game_, laid, 4)
    assert "A use fool 4 > 1" in events(game_)


def test_a_die_set_aside_by_hand_while_others_roll_was_not_rolled() -> None:
    """Bug: one of two rolled dice was not seen rolling and showed its old face."""
    game_, laid = table("fool", "merchant", "farmer"), LaidTable(rows=False)
    throw(game_, laid, 6, 5, 5, 5)
    rolled = [laid.active(6), laid.active(5)]
    laid.throw((5, 2), rolled)
    laid.active(2).rolled, next(d for d in laid.dice if d.value == 5 and d.rested_since == laid.throw_count).rolled = (
        1.0,
        0.6,
    )
    game_.see(laid.read())
    laid.keep(5, 5, 5)
    for _ in range(2):  # the record is corrected after contradicting readings for a while
        game_.see(laid.read())
    assert "A use merchant 6 5 > 5 2" in events(game_)


def test_dice_that_all_show_the_same_as_before_were_moved_and_not_rolled() -> None:
    """Seven dice are set aside at once, and two of them seem to have rolled."""
    game_, laid = table("farmer", "general"), LaidTable(rows=False)
    throw(game_, laid, 6, 5, 5, 4, 2, 1)
    keep(game_, laid, 5, 5)
    laid.throw((6, 4, 2, 1))
    laid.keep(6, 4, 2, 1)
    for die in laid.dice[-4:]:
        die.rolled = 0.6
    game_.see(laid.read())
    game_.enter("A pass")
    assert events(game_) == ["A roll 6 5 5 4 2 1", "A keep 6 5 5 4 2 1", "A pass"]


def test_dice_set_aside_together_and_counted_as_rolled_are_aside_when_nothing_was_rolled() -> None:
    """Bug: four 5s moved together counted as a roll of four 5s. After the referee had dropped the roll, the dice still
    counted as rolled there, and the next roll as the Fool's."""
    game_, laid = table("fool"), LaidTable(rows=False)
    throw(game_, laid, 5, 5, 4)
    laid.keep(5, 5)
    laid.throw_count += 1
    for die in laid.dice:
        if die.aside:
            die.rested_since, die.rolled = laid.throw_count, 0.6
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 4"]
    throw(game_, laid, 6)
    assert events(game_) == ["A roll 5 5 4", "A keep 5 5", "A roll 6"]


def test_a_die_beside_those_set_aside_was_set_aside_and_not_rolled_there() -> None:
    """Bug: a hand hid the die that it put beside the others, one pass saw it as rolling, and the die left in play was
    not detected."""
    game_, laid = table("farmer"), LaidTable(rows=False)
    throw(game_, laid, 6, 6, 5, 3)
    keep(game_, laid, 6, 6)
    throw(game_, laid, 3, 2)
    left = laid.active(2)
    laid.throw_count += 1
    laid.keep(3)
    (aside,) = (die for die in laid.dice if die.value == 3)
    left.track, left.x, left.rested_since, left.rolled = 99, left.x + 2, laid.throw_count, 0.51
    aside.rested_since, aside.rolled = laid.throw_count, 0.92
    game_.see(laid.read())
    assert events(game_)[-1] == "A roll 3 2"
    keep(game_, laid, 2)
    game_.enter("A pass")
    assert events(game_)[-3:] == ["A roll 3 2", "A keep 3 2", "A pass"]


def test_the_last_die_put_beside_the_first_ones_was_not_rolled_there() -> None:
    """The hand that placed it was not seen, and there was no roll since the others were set aside."""
    game_, laid = table(), LaidTable(rows=False)
    throw(game_, laid, 2, 1, 1)
    keep(game_, laid, 1, 1)
    laid.throw_count += 1
    laid.keep(2)
    (aside,) = (die for die in laid.dice if die.value == 2)
    row = max(die.x for die in laid.dice if die is not aside)
    aside.x, aside.rested_since, aside.rolled = row + 1.1 * WIDTH, laid.throw_count, 0.9
    game_.see(laid.read())
    game_.enter("A pass")
    assert events(game_) == ["A roll 2 1 1", "A keep 2 1 1", "A pass"]


def test_a_single_die_not_seen_rolling_that_rests_elsewhere_waits_for_the_next_roll() -> None:
    """Bug: in five of 17 wrong turns, a Fool's die was rolled unseen to another place and recorded as turned by a card,
    without a doubt."""
    game_, laid = table("fool", "maid", "farmer"), LaidTable(rows=False)
    throw(game_, laid, 6, 6, 4, 4)
    laid.throw((5,), [laid.active(4)])
    laid.dice[-1].rolled = 0.05
    game_.see(laid.read())
    assert events(game_) == ["A roll 6 6 4 4"]
    keep(game_, laid, 6, 6)
    throw(game_, laid, 3, 1)
    assert events(game_)[1] == "A use fool 4 > 5"  # the Maid's die would have been set aside


def test_a_roll_taken_for_a_hand_is_remembered_when_the_die_moves_again() -> None:
    """Bug: the Merchant's reroll of the last die stopped near those set aside with the same face, and counted as moved
    there. Then the die was really set aside."""
    game_, laid = table("merchant", "farmer"), LaidTable(rows=False)
    throw(game_, laid, 6, 2, 2, 1)
    keep(game_, laid, 2, 2, 1)
    throw(game_, laid, 6)
    laid.throw((6,))
    die = laid.dice[-1]
    die.x, die.y, die.rolled = 180.0, 540.0, 0.92
    game_.see(laid.read())
    keep(game_, laid, 6)
    game_.enter("A pass")
    assert "A use merchant 6 > 6" in events(game_) + [part for q in answers(game_) for a in q for part in a.split(", ")]


def test_an_unseen_roll_counts_once_and_not_for_each_of_its_dice() -> None:
    """Passes miss the same dice, so of three dice rolled unseen one seemed rolled and the others moved."""
    laid = LaidTable()
    laid.throw((6, 5, 3))
    for die in laid.dice:
        die.rolled = 0.05
    (snapshot,) = snapshots(laid.read())
    sets = rolled_sets([roll_chance(sighting, snapshot, None) for sighting in snapshot.sightings], (), least=-30.0)
    cost = {tuple(sorted(sighting.stay.value for sighting in rolled)): cost for rolled, _, cost in sets}
    assert cost[(3, 5, 6)] == pytest.approx(cost[(6,)])


def test_a_die_first_seen_beside_those_set_aside_was_set_aside() -> None:
    """Bug: it counted as in play and not moved, so the Fool seemed to have rerolled the last die."""
    game_, laid = table("fool"), LaidTable(rows=False)
    laid.throw((3, 3, 2))
    _, other = (die for die in laid.dice if die.value == 3)
    other.hidden = True
    game_.see(laid.read())
    laid.keep(3)
    game_.see(laid.read())
    laid.keep(3)
    other.hidden = False
    game_.see(laid.read())
    throw(game_, laid, 5)
    assert shown(game_) == ["A roll 3 3 2", "A keep 3 3", "A roll 5"]
