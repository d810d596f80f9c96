"""The filter with hurried players: dice that rest only between settled readings, and dice that a hand hides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.referee.priors import PRIORS
from companion.game.table import Table
from tests.kit.laid_table import LaidTable
from tests.referee.filtered import Filter
from tests.referee.refereed import events, keep, table, throw


def test_a_roll_that_rested_and_was_gone_before_all_settled_is_recorded() -> None:
    """While a hand stays or comes back at once, no reading settles."""
    game_, laid = table(), LaidTable()
    game_.see(laid.read())
    laid.throw((5, 3, 2))
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    laid.clear()
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 3 2"]


def thrown_and_taken_unsettled(game_: Table, laid: LaidTable, roll: tuple[int, ...], taken: int) -> None:
    """A roll rests for half a second while something moves; then a hand covers the die that shows `taken`."""
    game_.see(laid.read())
    laid.throw(roll)
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    over = laid.read(settled=False, after=0.1)
    game_.see(replace(over, dice=tuple(replace(die, hidden=die.value == taken) for die in over.dice)))


def test_a_die_that_a_card_rerolls_before_all_settles_is_the_cards() -> None:
    """Bug: the Fool took a die of a resting roll, but the next reading came after the reroll, so the roll was recorded
    with the rerolled value."""
    game_, laid = table("fool"), LaidTable()
    thrown_and_taken_unsettled(game_, laid, (6, 5, 1), 6)
    laid.throw((2,), [laid.active(6)])
    for die in laid.dice:
        die.rested_since = laid.throw_count = 1  # vision has counted one throw only
    game_.see(laid.read(after=1.2))
    keep(game_, laid, 5)
    assert events(game_)[:2] == ["A roll 6 5 1", "A use fool 6 > 2"]


def test_a_die_turned_in_place_before_all_settles_is_the_cards() -> None:
    """Bug: the Maid's die kept its track, so it counted as rolled."""
    game_, laid = table("maid"), LaidTable()
    thrown_and_taken_unsettled(game_, laid, (5, 3, 1), 3)
    laid.active(3).value = 6
    for _ in range(2):
        game_.see(laid.read(settled=False, after=0.1))
    game_.see(laid.read(after=0.1))
    keep(game_, laid, 6)
    throw(game_, laid, 4, 2)
    assert events(game_)[:2] == ["A roll 5 3 1", "A use maid 3 > 6"]


def test_a_detection_that_lasts_a_moment_is_not_a_die_unless_a_hand_took_it() -> None:
    """Bug: while dice rolled, a second box beside one of them appeared for a while."""
    game_, laid = table(), LaidTable()
    game_.see(laid.read())
    laid.throw((5, 3, 2))
    for _ in range(5):
        now = laid.read(settled=False, after=0.1)
        game_.see(replace(now, dice=(replace(now.dice[0], track=99, xyxy=(5.0, 5.0, 35.0, 35.0)),)))
    game_.see(laid.read(after=0.1))
    assert events(game_) == ["A roll 5 3 2"]


def test_a_die_lost_from_sight_under_a_hand_was_seen_all_the_same() -> None:
    """Bug: the track ended without a reading that included a hand, so the face before a card turned the die was
    forgotten."""
    game_, laid = table("noblewoman"), LaidTable()
    game_.see(laid.read())
    laid.throw((6, 6, 4))
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    four = laid.active(4)
    four.hidden = True
    hand = (four.x - 60, four.y - 60, four.x + 60, four.y + 60)
    game_.see(replace(laid.read(settled=False, after=0.1), hands=(hand,)))
    four.hidden, four.value, four.track = False, 5, 99
    game_.see(laid.read(after=0.1))
    keep(game_, laid, 6, 6)
    throw(game_, laid, 2)
    assert events(game_)[:2] == ["A roll 6 6 4", "A use noblewoman 4 > 5"]


def test_a_die_long_hidden_by_a_hand_may_have_been_rolled_with_the_others() -> None:
    """Bug: it counted as still there, so the other die was attributed to the Fool."""
    game_, laid = table("fool"), LaidTable()
    throw(game_, laid, 5, 2, 1)
    keep(game_, laid, 1)
    two = laid.active(2)
    laid.throw((4,), [laid.active(5)])
    believed = laid.read()
    game_.see(replace(believed, dice=tuple(replace(d, hidden=d.track == two.track, there=0.6) for d in believed.dice)))
    laid.dice.remove(two)
    laid.put(3).rolled = 0.5
    game_.see(laid.read())
    keep(game_, laid, 4)
    throw(game_, laid, 6)
    assert events(game_)[:3] == ["A roll 5 2 1", "A keep 1", "A roll 4 3"]


def test_a_card_rerolls_some_dice_while_another_die_is_hidden() -> None:
    """Bug: every die out of sight when the Merchant's dice came to rest counted as rerolled."""
    game_, laid = table("farmer", "merchant"), LaidTable()
    throw(game_, laid, 6, 5, 4, 3)
    five = laid.active(5)
    laid.throw((2, 1), [laid.active(4), laid.active(3)])
    five.hidden = laid.active(1).hidden = True
    game_.see(laid.read())
    five.hidden = laid.active(1).hidden = False
    game_.see(laid.read())
    keep(game_, laid, 6, 5)
    throw(game_, laid, 6, 6)
    assert events(game_)[:2] == ["A roll 6 5 4 3", "A use merchant 4 3 > 2 1"]


def test_a_die_added_after_a_roll_without_a_settled_reading_was_not_rolled() -> None:
    """Bug: cards are rarely used before the first roll, so the Guard's die counted as rolled, or as idle."""
    game_, laid = table("guard"), LaidTable()
    game_.see(laid.read())
    laid.throw((6, 6, 4))
    laid.put(2).rolled = 0.5
    game_.see(laid.read())
    keep(game_, laid, 6, 6)
    throw(game_, laid, 5, 1)
    assert events(game_) == ["A roll 6 6 4", "A use guard", "A keep 6 6", "A roll 5 1"]


def test_two_cards_used_between_two_readings_may_have_either_order() -> None:
    """Bug: only one order was considered, so no question was asked."""
    seen = Filter("merchant", "maid")
    seen.laid.throw((6, 6, 4))
    seen.look()
    seen.laid.throw((5, 2), [die for die in seen.laid.dice if die.value == 6])
    seen.laid.turn((4,), (5,))
    seen.look()
    first, second = (("A use maid 4 > 5", "A use merchant 6 6 > 5 2"), ("A use merchant 6 6 > 5 2", "A use maid 4 > 5"))
    explained = {its[1:]: chance for its, chance in seen.explained.items()}
    assert explained[first] > explained[second] > 0.02  # a hand that is back before all has settled is the rarer


def test_a_die_set_aside_under_a_hand_before_a_roll_was_not_rolled_with_the_others() -> None:
    """Bug: a hand hid a die set aside before a roll. It counted as rolled with the others, and when it was visible
    again, another roll was recorded."""
    seen = Filter("farmer")
    seen.laid.throw((6, 5, 5, 2))
    seen.look()
    seen.laid.keep(5)
    seen.look()
    five = seen.laid.active(5)
    seen.laid.keep(5)
    five.hidden = True
    seen.laid.throw((4, 3))
    seen.show(replace(seen.laid.read(), hands=((0.0, 0.0, 9.0, 9.0),)))
    five.hidden = False
    seen.look()
    assert seen.explained["A roll 6 5 5 2", "A roll 4 3"] > 0.4


def test_a_die_assumed_under_a_hand_may_be_the_one_put_down_elsewhere() -> None:
    """Bug: it was seen between the last settled reading and the hand, so it counted as still there, and the die set
    aside as turned by a card."""
    game_, laid = table("maid"), LaidTable()
    throw(game_, laid, 6, 6, 5)
    before = laid.read()
    laid.keep(6, 6)
    laid.active(5).hidden = True
    believed = next(die for die in before.dice if die.value == 6)
    left, top, right, low = believed.xyxy
    believed = replace(believed, xyxy=(left + 0.5, top, right + 0.5, low), hidden=True, there=0.95)
    now = laid.read()
    game_.see(replace(now, dice=(*now.dice, believed), hands=((left, top, right, low),)))
    laid.active(5).hidden = False
    game_.see(laid.read())
    throw(game_, laid, 2)
    assert events(game_) == ["A roll 6 6 5", "A keep 6 6", "A roll 2"]


def test_a_hand_may_hide_all_but_one_die_of_a_first_roll() -> None:
    """Bug: the only visible die counted as idle, and a hidden one took its place in the roll."""
    game_, laid = table("farmer"), LaidTable()
    game_.see(laid.read())
    laid.throw((6, 5, 4, 2))
    seen = laid.read()
    hand = (0.0, 0.0, 10.0, 10.0)
    game_.see(replace(seen, dice=tuple(die for die in seen.dice if die.value == 5), hands=(hand,)))
    for die in laid.dice:
        die.rolled = 0.97 if die.value == 5 else 0.5
    game_.see(laid.read())
    keep(game_, laid, 6)
    throw(game_, laid, 3, 2, 1)
    assert events(game_) == ["A roll 6 5 4 2", "A keep 6", "A roll 3 2 1"]


@pytest.mark.parametrize("late", [False, True])
def test_a_die_seen_in_play_after_a_roll_was_not_set_aside_before_it(late: bool) -> None:
    """Bug: it was set aside before anything settled, and the Merchant's reroll was recorded as a roll."""
    game_, laid = table("merchant"), LaidTable()
    throw(game_, laid, 6, 5, 4)
    six = laid.active(6)
    if not late:
        laid.keep(6)
    for die in (laid.active(5), laid.active(4)):
        die.hidden = True
    game_.see(laid.read(settled=False, after=0.2))
    laid.throw((2, 1), [die for die in laid.dice if die is not six])
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    if late:
        laid.keep(6)
    game_.see(laid.read(after=0.5))
    laid.throw((3, 3), [die for die in laid.dice if die is not six])
    game_.see(laid.read(after=0.5))
    assert ("A use merchant 5 4 > 2 1" in events(game_)) == late


def test_a_die_set_aside_and_then_misread_in_its_place_was_set_aside_before_the_roll() -> None:
    """Bug: its stay with the right face ended after the roll, so the die seemed to have been in play until then. The
    last roll of a turn was missing, without a question."""
    seen = Filter()
    seen.laid.throw((6, 3, 1))
    seen.look()
    six = seen.laid.active(6)
    seen.laid.keep(6)
    seen.look()
    seen.laid.throw((4, 2))
    for _ in range(4):
        seen.show(seen.laid.read(settled=False, after=0.1))
    six.seems, six.sure = 5, 0.84
    now = seen.laid.read(after=0.3)
    hand = next(die.xyxy for die in now.dice if die.kept)
    seen.show(replace(now, hands=(hand,)))
    best = seen.belief.playing[0].hypothesis
    assert len(best.acts) == 3  # the second roll
    assert best.step_log_chance > PRIORS.ghost
