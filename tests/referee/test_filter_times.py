"""The filter uses times: which event came first, and which dice are missing although everything is visible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from companion.game.referee.model import Act, Hypothesis
from companion.game.referee.priors import PRIORS
from companion.game.referee.stays import Stay
from companion.games.krone import transitions as krone
from tests.kit.laid_table import WIDTH
from tests.referee.filtered import Filter
from tests.referee.refereed import table
from vision.types import Box


def _over(x: float, y: float) -> Box:
    return x - WIDTH, y - WIDTH, x + WIDTH, y + WIDTH


def test_a_missing_die_costs_more_once_no_hand_hides_its_place() -> None:
    """Bug: a hand set a 1 aside. The missing die cost nothing, neither under the hand nor after it had left, so the 1
    might have been a Laborer's."""
    seen = Filter("farmer", "laborer")
    seen.laid.throw((6, 6, 3, 1))
    seen.look()
    one = seen.laid.active(1)
    seen.laid.keep(6)  # what else happened makes a scene of that moment
    under = seen.laid.read()
    dice = (replace(die, hidden=True, there=0.9) if die.track == one.track else die for die in under.dice)
    seen.show(replace(under, dice=tuple(dice), hands=(_over(one.x, one.y),)))
    seen.laid.keep(1)
    seen.look()
    assert sum(chance for explained, chance in seen.explained.items() if "A use laborer" in explained) < 0.01


def test_a_die_visibly_turned_before_a_roll_was_not_turned_after_it() -> None:
    """Bug: the table settled only after the Maid had turned a die and the Fool had rerolled another. The order stayed
    open, although the frames showed it."""
    seen = Filter("maid", "fool")
    seen.laid.throw((6, 5, 3))
    seen.look()
    die, other = seen.laid.active(5), seen.laid.active(3)
    seen.laid.move(5, die.x + 4 * WIDTH, die.y)
    die.value = 6
    for _ in range(12):
        seen.show(seen.laid.read(settled=False, after=0.1))
    seen.laid.throw((2,), [other])
    seen.look()
    orders = {tuple(line.split()[2] for line in explained if "use" in line): 0.0 for explained in seen.explained}
    for explained, chance in seen.explained.items():
        orders[tuple(line.split()[2] for line in explained if "use" in line)] += chance
    assert orders["maid", "fool"] > 0.8
    assert orders.get(("fool", "maid"), 0.0) < 0.001


def test_a_die_that_arrived_while_others_rolled_was_rolled_with_them() -> None:
    """Bug: without a known kept row, one of three dice rolled so slowly that a hand seemed to have put it down, and it
    showed the old face of another die."""
    seen = Filter("farmer")
    seen.laid.rows = False
    seen.laid.throw((5, 4, 3, 2))
    seen.look()
    seen.laid.keep(5)
    seen.look()
    dice = [die for die in seen.laid.dice if not die.aside]
    seen.laid.dice = [die for die in seen.laid.dice if die.aside]
    for _ in range(10):
        seen.show(seen.laid.read(settled=False, after=0.1))
    seen.laid.dice += dice
    seen.laid.throw((6, 3, 2), dice)
    seen.laid.active(2).rolled = 0.05
    for _ in range(3):
        seen.show(seen.laid.read(settled=False, after=0.1))
    seen.look()
    assert seen.explained["A roll 5 4 3 2", "A roll 6 3 2"] > 0.75


def _stay(began: float, last_empty: float) -> Stay:
    return Stay(1, 1, (0.0, 0.0, 30.0, 30.0), 1, 0.9, True, began, began, last_empty)


def _agreeing_with(*acts: Act, stays: Iterable[tuple[Stay, ...]]) -> Hypothesis:
    state, stays = table("farmer").state, tuple(stays)
    return Hypothesis(krone, state, state, acts, faces=(5,) * len(stays), stays=stays)


ROLLED, THROWN = Act("A", "roll", after=(0, 1), rolls=True), Act("A", "use", "fool", (1,), (2,), rolls=True)


def test_a_die_rerolled_to_its_old_place_arrived_no_sooner_than_the_others() -> None:
    """Bug: the die seemed not to have moved, so the whole roll seemed to be recorded too late."""
    stayed = _stay(1.0, 0.9)
    assert _agreeing_with(ROLLED, THROWN, stays=[(stayed,), (_stay(5.0, 4.9),), (stayed,)]).order == 0.0
    assert (
        _agreeing_with(ROLLED, THROWN, stays=[(stayed,), (_stay(5.0, 4.9),), (_stay(1.0, 0.9),)]).order == PRIORS.ghost
    )


def test_a_die_seen_late_arrived_before_the_events_recorded_after_its_roll() -> None:
    """Bug: a hand hid one of three dice when their roll was read. The Fool's reroll was seen before the hidden die, so
    the two were exchanged."""
    first = _stay(5.0, 4.9)
    assert _agreeing_with(ROLLED, THROWN, stays=[(first,), (_stay(6.0, 5.9),), (_stay(7.0, 6.9),)]).order == 0.0
    assert (
        _agreeing_with(ROLLED, THROWN, stays=[(first,), (_stay(7.0, 6.9),), (_stay(6.0, 5.9),)]).order == PRIORS.ghost
    )


def test_dice_set_aside_before_a_roll_rested_there_before_the_roll_came_to_rest() -> None:
    """Bug: while one of two dice still rolled, a hand set the other aside; the first did not count as rerolled."""
    acts = (ROLLED, Act("A", "keep", after=(0,)), Act("A", "roll", after=(2,), rolls=True))
    aside = _stay(5.0, 4.9), _stay(7.0, 6.9)
    assert _agreeing_with(*acts, stays=[aside, (), (_stay(8.0, 7.9),)]).order == 0.0
    assert _agreeing_with(*acts, stays=[aside, (), (_stay(6.5, 6.4),)]).order == PRIORS.ghost
    assert _agreeing_with(*acts, stays=[(aside[0],), (), (_stay(6.5, 6.4),)]).order == 0.0


def test_a_hidden_die_costs_what_the_clearest_reading_says() -> None:
    seen = Filter()
    seen.laid.throw((6, 5, 3))
    seen.look()
    die = seen.laid.active(5)
    die.hidden = True
    seen.show(replace(seen.laid.read(), hands=(_over(die.x, die.y),)))
    held = seen.belief.playing[0].hypothesis.log_prior
    seen.laid.keep(6)
    seen.look()
    gone = seen.belief.playing[0].hypothesis.log_prior
    assert gone - held == pytest.approx(PRIORS.hidden - PRIORS.under_hand, abs=0.01)
